"""The shoe: the cards in their order, how far they have been dealt, and what was burnt.

>>> from cardroom.cards import cards
>>> shoe = Shoe(cards("As Kd 7h 2c 9s"))
>>> shoe = shoe.cut(2).burn()
>>> first, shoe = shoe.deal()
>>> first, shoe.burnt, shoe.left
(Card('2c'), (Card('7h'),), 3)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardroom.cards.card import Card
from cardroom.cards.deck import Deck
from cardroom.cards.given import Cards, as_cards
from cardroom.cards.shuffle import RandomSource, shuffled
from cardroom.faults import BadInput


class EmptyShoe(BadInput):
    """More cards were asked for than the shoe holds."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """Immutable: dealing gives the card and the shoe without it."""

    order: tuple[Card, ...]
    dealt: int = 0
    burnt: tuple[Card, ...] = ()

    @property
    def left(self) -> int:
        """How many cards are still to come."""
        return len(self.order) - self.dealt

    def deal(self) -> tuple[Card, Shoe]:
        """The next card, and the shoe after it."""
        if not self.left:
            raise EmptyShoe(f"The shoe is empty: all {len(self.order)} cards have been dealt.")
        return self.order[self.dealt], Shoe(self.order, self.dealt + 1, self.burnt)

    def deal_several(self, count: int) -> tuple[tuple[Card, ...], Shoe]:
        """The next cards in their order, and the shoe after them."""
        if not 0 <= count <= self.left:
            raise EmptyShoe(f"Cannot deal {count} cards: {self.left} are left in the shoe.")
        upto = self.dealt + count
        return self.order[self.dealt : upto], Shoe(self.order, upto, self.burnt)

    def burn(self, count: int = 1) -> Shoe:
        """Put the next cards aside unseen."""
        if not 0 <= count <= self.left:
            raise EmptyShoe(f"Cannot burn {count} cards: {self.left} are left in the shoe.")
        gone = self.order[self.dealt : self.dealt + count]
        return replace(self, dealt=self.dealt + count, burnt=self.burnt + gone)

    def cut(self, depth: int) -> Shoe:
        """Move the top ``depth`` cards behind the others; only before the first card is dealt."""
        if self.dealt:
            raise BadInput("A shoe is cut before the first card is dealt; this one has been dealt from.")
        if not 0 <= depth <= len(self.order):
            raise BadInput(f"Cannot cut at card {depth}: the shoe holds {len(self.order)}, so cut from 0 to that.")
        return replace(self, order=self.order[depth:] + self.order[:depth])

    def put_on_top(self, known: Cards) -> Shoe:
        """The same shoe with these cards brought to the front in this order: a stacked shoe for lessons and tests."""
        rest = list(self.order[self.dealt :])
        front = as_cards(known)
        for one in front:
            if one not in rest:
                raise EmptyShoe(f"{one} cannot come next: no copy of it is left in the shoe.")
            rest.remove(one)
        return replace(self, order=self.order[: self.dealt] + front + tuple(rest))


def fresh_shoe(deck: Deck, source: RandomSource) -> Shoe:
    """A newly shuffled shoe."""
    return Shoe(shuffled(deck.cards(), source))
