"""The text of Deuces Wild: short rules, decisions, rulings, and the dealing procedure of rule sheet 000."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep, Verb
from cardroom.games.card_places import COMMUNITY, Pile
from cardroom.games.playable_table import Table
from cardroom.games.procedure import Procedure, ProcedureStep, StepKind, select_needed_steps, tabulation_steps
from cardroom.games.rulings import parse_rulings
from cardroom.translation import gettext_noop

SUMMARY: Final = gettext_noop("""
Deuces and the joker are wild. There is no dealer's hand: your five cards are paid by the table.
After three cards fold, or make a Play wager equal to the Ante. After four fold, or Raise twice the Ante.
The table pays on Ante, Play and Raise alike (DW-3). Folding does not end the other wagers (DW-7).
For Five Card Fortune choose one of your first three cards, or all wild ones, to join four community cards (DW-6).
""")

VERB_DESCRIPTIONS: Final = {
    Verb.FOLD: gettext_noop("give up the hand"),
    Verb.PLAY: gettext_noop("stay in the hand"),
    Verb.RAISE: gettext_noop("stay in to the last card"),
    Verb.CHOOSE: gettext_noop("play with the community cards"),
}

QUESTION_TEXTS: Final = {
    "fortune": gettext_noop("Five Card Fortune: which card do you keep?"),
}

RULINGS: Final = parse_rulings("""
- **GEN-2** Deuces Wild's Raise is one wager of twice the Ante. Where one wager is limited, the Ante is limited to
  half.
- **DW-1** Appendix A has six tables, A to F. The seventh column repeats the sixth and is a fault of the scan.
- **DW-2** Appendix D has a fourth table, D, whose heading was lost; all its lines are the operator's bonus.
- **DW-3** The table pays on Ante, Play and Raise alike: four units in all when the player raises.
- **DW-4** In the main game five wild cards are a Wild Royal Flush, the highest line that they can be. A wild card
  makes a Natural Royal Flush impossible. In Five Card Fortune five wild cards have a line of their own.
- **DW-5** There are four community cards. Rule 8 speaks of five, against rules 2(c), 18, 21 and Appendix C.
- **DW-6** The Five Card Fortune card is chosen from the first three cards, before any community card is seen. Wild
  cards may be chosen together; otherwise exactly one card is. The best five of these and the community cards count.
- **DW-7** Folding the Ante ends none of the other wagers. A Bonus Jackpot player gets five cards in any case.
- **DW-8** A Five Card Fortune player may look at the first three cards: rule 19 does not name that wager, but rule 21
  makes the player select one of them.
- **DW-9** The exception of rule 21 applies whenever no player is due a fourth card, also when no player made an Ante.
  A Bonus Jackpot wager counts as going on. Without a Five Card Fortune wager the round then ends at once.
- **DW-10** At the end the hands with a Raise or a Bonus Jackpot wager are turned over, folded ones included, because
  the jackpot could not be paid otherwise. Other folded hands stay hidden.
- **DW-11** A wild card in a flush counts as the highest card of the suit that the flush lacks. One deck has each card
  once. It decides nothing that is paid, only which of two flushes is called higher.
""")


_WAGERS_STEP: Final = ProcedureStep(
    "wagers",
    StepKind.WAGERS,
    "Each player places one or more of the initial wagers, within the posted limits.",
    "rules 15 and 16",
)
# Each with the wager without which the layout does not need it.
_STEPS_BY_WAGER: Final = (
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
            "a player made a Three Card Treasure wager",
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
            "a player made an Ante or a Five Card Fortune wager",
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
            "a player goes on, or made a Five Card Fortune wager (DW-9)",
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
            "a player placed a Play wager",
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
    return (_WAGERS_STEP, *tabulation_steps(table, "rule 17"), *select_needed_steps(table, _STEPS_BY_WAGER))
