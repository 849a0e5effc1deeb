"""The dealing procedure of Texas Shootout, in the order of rule sheet 002, which does not number its rules."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep
from cardroom.games.places import COMMUNITY, DEALER_HAND, Pile
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulating
from cardroom.games.table import Table

_WAGERS: Final = "Players place their wagers."
_LAMMERS: Final = " Put a lammer beside each wager that qualifies for its bonus feature."
_CARDS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal four cards to each player and to the dealer, one at a time in rotation, the dealer last.",
        "rules of play",
        places=(Pile.HAND, str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player in turn keeps two cards and discards two, or splits them into two hands and matches the wager; "
        "after a split the Shootout Bonus is matched or rides on one of the hands.",
        "rules of play; Appendix B, note 5",
        questions=("hand", "bonus"),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Expose the dealer's four cards in the order in which they were dealt, and keep two of them by the house way; "
        "of equal choices the cards dealt first (TS-1).",
        "rules of play, house way",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "community-cards",
        StepKind.DEAL,
        "Deal five community cards face up in the center of the table.",
        "rules of play",
        places=(str(COMMUNITY),),
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: take or pay Texas Shootout, Quick Draw, Shootout Bonus, the Jackpot and their features.",
        "rules of play; Appendices A to C",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Texas Shootout."""
    featured = any(offered.feature for offered in table.offered.values())
    rule = "Bonus Features' Procedures and Restrictions" if featured else "rules of play"
    wagers = ProcedureStep("wagers", StepKind.WAGERS, _WAGERS + (_LAMMERS if featured else ""), rule)
    return (wagers, *tabulating(table, "Jackpot, BJ-3 and BJ-20"), *_CARDS)
