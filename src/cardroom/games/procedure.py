"""The dealing procedure of a table: what a dealer does in a round, in the order of the sheet.

Rounds of an automatic table follow from the state machine alone. A dealer with real cards has the same steps on paper;
they are stated here as data, and the conformance kit holds their order against the order in which the rules ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.games.actions import DealerStep
from cardroom.games.places import Place
from cardroom.games.table import Table
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn, Turn


class StepKind(StrEnum):
    """What a step is for."""

    WAGERS = "wagers"
    """Players place their wagers."""
    TABULATE = "tabulate"
    """The tabulator counts the jackpot wagers."""
    DEAL = "deal"
    DECIDE = "decide"
    """Each player in turn says what to do."""
    REVEAL = "reveal"
    """What is face down is turned over."""
    PAY = "pay"
    """The take or pay of some wagers before the round has ended."""
    TAKE_OR_PAY = "take or pay"
    COLLECT = "collect"
    """The cards go back, and the next round can begin."""


class ProcedureStep(NamedTuple):
    """One step of the dealer."""

    name: str
    """What commands call it."""
    kind: StepKind
    words: str
    """What the dealer does."""
    rule: str
    """Where the sheet says so."""
    only_if: str = ""
    """When the step has to be taken; always, when empty. A step with a condition may be passed over."""
    places: tuple[str, ...] = ()
    """Where cards are dealt: ``hand``, ``fourth`` for each seat's, ``dealer``, ``community`` for the table's."""
    questions: tuple[str, ...] = ()
    """What players are asked."""
    step: DealerStep | None = None
    """What the rules call it, where they wait for it."""

    def covers(self, turn: Turn) -> bool:
        """Whether the turn of a round falls into this step."""
        match turn:
            case ChanceTurn(place):
                return place_name(place) in self.places
            case SeatTurn(question=question):
                return question in self.questions
            case DealerTurn(step):
                return step is self.step
            case Over():
                return False


Procedure = tuple[ProcedureStep, ...]

COLLECT_CARDS: Final = ProcedureStep(
    "collect", StepKind.COLLECT, "Collect the cards; the next round can begin.", "rules"
)


def place_name(place: Place) -> str:
    """A place as a dealer types it: the seat is said besides.

    >>> from cardroom.games.places import Pile
    >>> place_name(Place(Pile.FOURTH, 2)), place_name(Place(Pile.HAND))
    ('fourth', 'dealer')
    """
    return str(place) if place.seat is None else str(place.pile)


def needed_by(table: Table, steps: Iterable[tuple[ProcedureStep, str]]) -> Procedure:
    """The steps that a layout needs: those without a wager's name, and those whose wager it offers."""
    return tuple(step for step, wager in steps if not wager or wager in table.offered)


def tabulating(table: Table, rule: str) -> Procedure:
    """The step that counts the jackpot wagers, where the layout has any (BJ-3)."""
    names = [offered.wager.name for offered in table.offered.values() if offered.wager.jackpot]
    if not names:
        return ()
    words = (
        f"Press the tabulate button. Check that a light is on for each wager on {' and '.join(names)}, and collect the "
        "wagers that are collected before the deal."
    )
    return (ProcedureStep("tabulate", StepKind.TABULATE, words, rule, step=DealerStep.TABULATE),)
