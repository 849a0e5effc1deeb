"""The shoe: the order of the cards, how many were dealt, and which were burned.

>>> from cardroom.cards import parse_cards
>>> shoe = Shoe(parse_cards("As Kd 7h 2c 9s"))
>>> shoe = shoe.cut(2).burn()
>>> first, shoe = shoe.deal()
>>> first, shoe.burned_cards, shoe.remaining
(Card('2c'), (Card('7h'),), 3)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardroom.cards.card import Card, Cards, as_cards
from cardroom.cards.deck import Deck
from cardroom.cards.shuffle import RandomSource, shuffle_items
from cardroom.errors import BadInput


class EmptyShoe(BadInput):
    """A deal of more cards than the shoe has left."""


@dataclass(frozen=True, slots=True)
class Shoe:
    """Immutable: a deal returns the card and the shoe without it."""

    order: tuple[Card, ...]
    dealt_count: int = 0
    burned_cards: tuple[Card, ...] = ()

    @property
    def remaining(self) -> int:
        """The number of cards left."""
        return len(self.order) - self.dealt_count

    def deal(self) -> tuple[Card, Shoe]:
        """The next card, and the shoe without it."""
        if not self.remaining:
            raise EmptyShoe(f"The shoe is empty: all {len(self.order)} cards have been dealt.")
        return self.order[self.dealt_count], Shoe(self.order, self.dealt_count + 1, self.burned_cards)

    def deal_several(self, count: int) -> tuple[tuple[Card, ...], Shoe]:
        """The next cards in order, and the shoe without them."""
        if not 0 <= count <= self.remaining:
            raise EmptyShoe(f"Cannot deal {count} cards: {self.remaining} are left in the shoe.")
        end = self.dealt_count + count
        return self.order[self.dealt_count : end], Shoe(self.order, end, self.burned_cards)

    def burn(self, count: int = 1) -> Shoe:
        """Burn the next cards."""
        if not 0 <= count <= self.remaining:
            raise EmptyShoe(f"Cannot burn {count} cards: {self.remaining} are left in the shoe.")
        cards = self.order[self.dealt_count : self.dealt_count + count]
        return replace(self, dealt_count=self.dealt_count + count, burned_cards=self.burned_cards + cards)

    def cut(self, depth: int) -> Shoe:
        """Move the top ``depth`` cards behind the others; only before the first card is dealt."""
        if self.dealt_count:
            raise BadInput("Cut the shoe before the first card is dealt: cards were dealt from this one.")
        if not 0 <= depth <= len(self.order):
            raise BadInput(f"Cannot cut at card {depth}: cut from 0 to {len(self.order)}.")
        return replace(self, order=self.order[depth:] + self.order[:depth])

    def put_on_top(self, cards: Cards) -> Shoe:
        """The same shoe with these cards first, in this order: a stacked shoe for lessons and tests."""
        rest = list(self.order[self.dealt_count :])
        front = as_cards(cards)
        for card in front:
            if card not in rest:
                raise EmptyShoe(f"{card} cannot come next: no copy of it is left in the shoe.")
            rest.remove(card)
        return replace(self, order=self.order[: self.dealt_count] + front + tuple(rest))


def shuffle_shoe(deck: Deck, source: RandomSource) -> Shoe:
    """A newly shuffled shoe."""
    return Shoe(shuffle_items(deck.cards(), source))
