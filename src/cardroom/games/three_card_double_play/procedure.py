"""The dealing procedure of 3 Card Double Play Poker, in the order of rule sheet 004."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep
from cardroom.games.places import DEALER_HAND, Pile
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulating
from cardroom.games.table import Table

_WAGERS: Final = ProcedureStep(
    "wagers",
    StepKind.WAGERS,
    "Each player makes two equal wagers, High Hand and Low Hand, and any bonus wagers.",
    "rule 1",
)
_CARDS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal six cards to each player and five to the dealer, one at a time in rotation, the dealer last (DP-8); show "
        "none of the dealer's.",
        "rule 2",
        places=(Pile.HAND, str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player sets two hands of three face down, the higher one in the High Hand box, and doubles down on both "
        "or on none.",
        "rules 3 and 4",
        questions=("set", "double"),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Reveal the dealer's five cards, keep the best three and discard two.",
        "rule 6",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: compare both hands with the dealer's; take or pay High and Low with their doubles, then the "
        "bonus wagers.",
        "rules 7 to 10",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of 3 Card Double Play Poker."""
    return (_WAGERS, *tabulating(table, "Jackpot wagers, BJ-3"), *_CARDS)
