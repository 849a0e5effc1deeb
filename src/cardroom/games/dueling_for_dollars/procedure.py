"""The dealing procedure of Dueling for Dollars, in the order of rule sheet 003.

The sheet has two versions, whose rules are numbered differently; a table has one of them.
"""

from __future__ import annotations

from typing import Final

from cardroom.games.places import BURN, COMMUNITY, Pile
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulating
from cardroom.games.table import Table

_AT_WAR: Final = "somebody goes to war"
# What the rules are numbered: with PLAYER and DEALER spots, and with the PLAY spot.
_RULES: Final = {
    "wagers": ("rule 1", "rule 1"),
    "deal": ("rule 2", "rule 2"),
    "compare": ("rules 3 to 5", "rule 3"),
    "ties": ("rules 6 and 7", "rules 4 and 5"),
    "burn": ("rule 8", "rule 6"),
    "war": ("rule 9", "rule 7"),
    "take-or-pay": ("rules 10 to 12", "rules 8 and 9"),
}


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Dueling for Dollars."""
    play_spot = table.options["duel_spots"] == "play"

    def step(
        name: str,
        kind: StepKind,
        words: str,
        only_if: str = "",
        *,
        places: tuple[str, ...] = (),
        questions: tuple[str, ...] = (),
    ) -> ProcedureStep:
        return ProcedureStep(name, kind, words, _RULES[name][play_spot], only_if, places, questions)

    spots = "on PLAY" if play_spot else "on PLAYER or on DEALER"
    burnt = step("burn", StepKind.DEAL, "Burn three cards.", _AT_WAR, places=(str(BURN),))
    added = ProcedureStep(
        "added-cards",
        StepKind.DEAL,
        "Deal two more community cards for the 2 + 2 Jackpot; they are not the war cards (DD-6).",
        "2 + 2 Jackpot",
        "a player with a 2 + 2 wager starts with a pair or a two-card straight flush",
        places=(Pile.ADDED_COMMUNITY,),
    )
    return (
        step("wagers", StepKind.WAGERS, f"Each player wagers {spots}, and makes any bonus wagers."),
        *tabulating(table, "Bonus and Progressive Jackpots, BJ-3"),
        step(
            "deal",
            StepKind.DEAL,
            "Deal one card to each player, then one community card.",
            places=(Pile.HAND, str(COMMUNITY)),
        ),
        step("compare", StepKind.PAY, "Compare each player's card, and take or pay the wagers that are not tied."),
        step(
            "ties",
            StepKind.DECIDE,
            "Each player with a tie surrenders half of the wager, or goes to war with a War wager of the same amount; "
            "put one beside the community card.",
            "a player's card ties the community card",
            questions=("tie",),
        ),
        *((burnt,) if table.options["burn"] else ()),
        step(
            "war",
            StepKind.DEAL,
            "Deal one more card to each player at war, then one more community card for all of them (DD-3).",
            _AT_WAR,
            places=(Pile.WAR, Pile.WAR_COMMUNITY),
        ),
        *((added,) if "two-plus-two" in table.offered else ()),
        step("take-or-pay", StepKind.TAKE_OR_PAY, "Take or pay the wars, then the bonus wagers, seat by seat."),
        COLLECT_CARDS,
    )
