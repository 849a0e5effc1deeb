"""The dealing procedure of Deuces Wild, under the headings of rule sheet 000."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep
from cardroom.games.places import COMMUNITY, Pile
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind, needed_by, tabulating
from cardroom.games.table import Table

_WAGERS: Final = ProcedureStep(
    "wagers",
    StepKind.WAGERS,
    "Each player places one or more of the initial wagers, within the posted limits.",
    "rules 15 and 16",
)
# Each with the wager without which the layout does not need it.
_CARDS: Final = (
    (
        ProcedureStep(
            "initial-cards",
            StepKind.DEAL,
            "Three times: a community card face down, then one card face down to each player from the dealer's left. "
            "Deliver each player's three cards together.",
            "rule 18",
            places=(str(COMMUNITY), Pile.HAND),
        ),
        "",
    ),
    (
        ProcedureStep(
            "pay-treasure",
            StepKind.PAY,
            "Three Card Treasure, from the dealer's left: losers push the wager in face down, winners flip their three "
            "cards and are paid, wager and all, before play goes on.",
            "rule 20",
            "somebody made a Three Card Treasure wager",
            step=DealerStep.PAY_TREASURE,
        ),
        "three-card-treasure",
    ),
    (
        ProcedureStep(
            "second-round",
            StepKind.DECIDE,
            "Each player with an Ante folds, or places a Play wager equal to it; each with a Five Card Fortune wager "
            "tucks the selected card or cards under it. Collect what was folded, unseen.",
            "rule 21",
            "somebody made an Ante or a Five Card Fortune wager",
            questions=("play", "fortune"),
        ),
        "",
    ),
    (
        ProcedureStep(
            "fourth-cards",
            StepKind.DEAL,
            "Deliver the fourth community card, and a card face down to each player with a Play or a Bonus Jackpot "
            "wager.",
            "rule 21(b)",
            "somebody goes on, or made a Five Card Fortune wager (DW-9)",
            places=(str(COMMUNITY), Pile.FOURTH),
        ),
        "",
    ),
    (
        ProcedureStep(
            "third-round",
            StepKind.DECIDE,
            "Each player with a Play wager folds, or places a Raise of Ante and Play together and tucks the four cards "
            "under it. From here only the dealer touches cards and chips.",
            "rule 22",
            "somebody placed a Play wager",
            questions=("raise",),
        ),
        "ante-play-raise",
    ),
    (
        ProcedureStep(
            "last-cards",
            StepKind.DEAL,
            "Deal the last card, face down, to each player with a Raise or a Bonus Jackpot wager.",
            "rules 22(b) and 23",
            "a Raise or a Bonus Jackpot wager is there",
            places=(Pile.FIFTH,),
        ),
        "",
    ),
    (
        ProcedureStep(
            "reveal",
            StepKind.REVEAL,
            "Player by player: flip the four cards over in front of the dealer, then the last one; and the community "
            "cards (DW-10).",
            "rule 23",
            "a Raise, a Five Card Fortune or a Bonus Jackpot wager is there",
            step=DealerStep.REVEAL,
        ),
        "",
    ),
    (
        ProcedureStep(
            "take-or-pay",
            StepKind.TAKE_OR_PAY,
            "Player by player: take or pay Ante, Play and Raise, Five Card Fortune and the Bonus Jackpot.",
            "rule 24",
        ),
        "",
    ),
    (
        ProcedureStep(
            "collect",
            StepKind.COLLECT,
            "Collect the cards into the discard rack; the cards are shuffled and the next round is dealt.",
            "rules 24 and 25",
        ),
        "",
    ),
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Deuces Wild."""
    return (_WAGERS, *tabulating(table, "rule 17"), *needed_by(table, _CARDS))
