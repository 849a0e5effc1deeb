"""The dealing procedure of Three Card Prime, in the order of rule sheet 001."""

from __future__ import annotations

from typing import Final

from cardroom.games.actions import DealerStep
from cardroom.games.places import BURN, DEALER_HAND, Pile
from cardroom.games.procedure import COLLECT_CARDS, Procedure, ProcedureStep, StepKind, tabulating
from cardroom.games.table import Table

_WAGERS: Final = ProcedureStep(
    "wagers", StepKind.WAGERS, "Each player makes an Ante wager, and any bonus wagers.", "rule 1"
)
_CARDS: Final = (
    ProcedureStep(
        "deal",
        StepKind.DEAL,
        "Deal four cards face down to each player; set the top card apart, and deliver the other three. Take a packet "
        "of four for the dealer, and discard its bottom card.",
        "rule 1",
        places=(Pile.HAND, Pile.FOURTH, str(BURN), str(DEALER_HAND)),
    ),
    ProcedureStep(
        "decide",
        StepKind.DECIDE,
        "Each player in turn folds, or makes a Play wager equal to the Ante.",
        "rule 2",
        questions=("play",),
    ),
    ProcedureStep(
        "reveal",
        StepKind.REVEAL,
        "Reveal the dealer's three cards; a queen high or better qualifies.",
        "rule 3",
        step=DealerStep.REVEAL,
    ),
    ProcedureStep(
        "take-or-pay",
        StepKind.TAKE_OR_PAY,
        "Seat by seat: take or pay the Ante, the Play wager, then the bonus wagers; folded hands keep theirs (TP-6).",
        "rules 4 and 5",
    ),
    COLLECT_CARDS,
)


def dealing_procedure(table: Table) -> Procedure:
    """The steps of a table of Three Card Prime."""
    return (_WAGERS, *tabulating(table, "Jackpot wagers, BJ-3"), *_CARDS)
