"""Whose turn it is in a round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from cardroom.games.actions import DealerStep
from cardroom.games.decisions import Decision, Verb
from cardroom.games.places import Place


@dataclass(frozen=True, slots=True)
class ChanceTurn:
    """A card is due at this place."""

    place: Place
    then: tuple[Place, ...] = field(default=(), compare=False, repr=False)
    """Where the cards after it go, as far as that is certain whatever the cards are; a game need not say it. A dealer
    deals them together."""


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

    def option(self, verb: Verb) -> Decision:
        """The first listed answer with this verb, where the verb alone decides."""
        return next(one for one in self.options if one.verb is verb)


@dataclass(frozen=True, slots=True)
class DealerTurn:
    """The dealer has this to do."""

    step: DealerStep


@dataclass(frozen=True, slots=True)
class Over:
    """Nothing is left to do but to take and pay."""


def due(order: tuple[Place, ...], dealt: int) -> ChanceTurn | None:
    """The card that comes next in a deal of which so many cards lie there already; None when it is complete.

    >>> from cardroom.games.places import Pile
    >>> due((Place(Pile.HAND, 1), Place(Pile.HAND, 2), Place(Pile.HAND)), 1)
    ChanceTurn(place=Place(pile=<Pile.HAND: 'hand'>, seat=2))
    """
    return ChanceTurn(order[dealt], order[dealt + 1 :]) if dealt < len(order) else None


Turn: TypeAlias = ChanceTurn | SeatTurn | DealerTurn | Over
"""What comes next in a round: a card, an answer, a step of the dealer, or nothing more."""
