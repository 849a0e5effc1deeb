"""Whose turn it is in a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cardroom.games.actions import DealerStep
from cardroom.games.decisions import Decision
from cardroom.games.places import Place


@dataclass(frozen=True, slots=True)
class ChanceTurn:
    """A card is due at this place."""

    place: Place


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """A seat is asked a question, and these are the answers it may give."""

    seat: int
    question: str
    options: tuple[Decision, ...]
    """The answers as they are listed: each way to play once."""
    also: tuple[Decision, ...] = ()
    """Listed answers with their hands in another order, where the rules leave it to the player which hand is the first.
    They are as good as the listed ones, and what was said is kept."""

    def allows(self, decision: Decision) -> bool:
        """Whether the seat may give this answer."""
        return decision in self.options or decision in self.also


@dataclass(frozen=True, slots=True)
class DealerTurn:
    """The dealer has this to do."""

    step: DealerStep


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is left to do but to take and pay."""


Turn: TypeAlias = ChanceTurn | SeatTurn | DealerTurn | Over
