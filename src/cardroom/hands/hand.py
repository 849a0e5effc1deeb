"""One hand: its strength, its category, the cards that make it, and words.

>>> from cardroom.cards import cards
>>> best_five(cards("Kh 4d Ks 4c Kd 9s 2h"))
Hand(strength=7275, category=<Category.FULL_HOUSE: 'full house'>, cards='Kh Ks Kd 4d 4c', words='full house, ...')
>>> three_card(cards("As Ks Qs")).strength > three_card(cards("Kh Qh Jh")).strength
True
>>> best_five_wild(cards("9h 9d 2c Jk 9s")).words
'five of a kind, nines, two wild'
>>> best_five_six_deck(cards("Qc Qc 6c 6c 3c")).words
'flush, queen high'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, names
from cardroom.faults import BadInput
from cardroom.hands.category import Category
from cardroom.hands.ranking import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    FOUR_CARD,
    SIX_DECK,
    THREE_CARD,
    THREE_CARD_WILD,
    HandClass,
    Ranking,
)
from cardroom.hands.reading import reading
from cardroom.hands.strength import BATCH
from cardroom.hands.tables import tables


class BadHand(BadInput):
    """Cards that this ranking cannot judge."""


@dataclass(frozen=True, slots=True, repr=False)
class Hand:
    """The best hand in some cards under one ranking; hands of one ranking are compared by their ``strength``."""

    strength: int
    category: Category
    cards: tuple[Card, ...] = field(compare=False)
    words: str = field(compare=False)

    def __repr__(self) -> str:
        return (
            f"Hand(strength={self.strength}, category={self.category!r}, "
            f"cards='{names(self.cards)}', words={self.words!r})"
        )


def is_wild(card: Card) -> bool:
    """Deuces and the joker, where deuces are wild (sheet 000, rule 2)."""
    return card.code < 4 or card.is_joker


def codes(hands: Iterable[Sequence[Card]]) -> NDArray[np.uint8]:
    """Hands of equal length as an array of card codes, one row a hand."""
    return np.array([[card.code for card in hand] for hand in hands], dtype=np.uint8)


def rank_strength(ranking: Ranking, cards: Sequence[Card]) -> int:
    """The strength alone, of cards that are known to be right."""
    return reading(ranking).strength([card.code for card in cards])


def known_hand(ranking: Ranking, cards: Sequence[Card]) -> Hand:
    """The best hand in cards that are known to be right, such as those of a round that was dealt by the rules."""
    return _hand(ranking, cards, rank_strength(ranking, cards))


def evaluate(ranking: Ranking, cards: Sequence[Card]) -> Hand:
    """The best hand in these cards under this ranking."""
    if not ranking.size <= len(cards) <= ranking.most:
        wanted = f"{ranking.size}" if ranking.size == ranking.most else f"{ranking.size} to {ranking.most}"
        raise BadHand(f"The {ranking.name} ranking judges {wanted} cards; there are {len(cards)}.")
    ranking.deck.check(cards)
    return known_hand(ranking, cards)


def evaluate_all(ranking: Ranking, hands: Sequence[Sequence[Card]]) -> tuple[Hand, ...]:
    """Several hands, of cards that are known to be right."""
    return tuple([known_hand(ranking, cards) for cards in hands])


def _hand(ranking: Ranking, cards: Sequence[Card], found: int) -> Hand:
    tables_of = reading(ranking)
    one, suited = tables_of.known(found)
    wild = [card for card in cards if is_wild(card)] if ranking.wild_deuces else []
    used = _cards_used(one, cards, wild, suited=suited)
    missing = sum(card in wild for card in used) if wild else 0
    return Hand(found, one.category, used, tables_of.words(found, missing))


def _cards_used(one: HandClass, cards: Sequence[Card], wild: Sequence[Card], *, suited: bool) -> tuple[Card, ...]:
    """Which cards make the hand: natural ones first, wild ones for what is missing. Where several suits make the same
    hand, it is made of as few wild cards as can be: no suit is better than another."""
    natural = [card for card in cards if card not in wild] if wild else list(cards)
    suits = _suits(natural) if suited else (natural,)
    made = [used for of_one_suit in suits if (used := _made_of(one, of_one_suit, wild)) is not None]
    if not made:
        raise AssertionError(f"no {one} in {names(cards)}")
    return min(made, key=lambda used: sum(card in wild for card in used)) if wild else made[0]


def _made_of(one: HandClass, natural: Sequence[Card], wild: Sequence[Card]) -> tuple[Card, ...] | None:
    """The hand made of these cards, if it can be."""
    ranks = [(card.code >> 2) + 2 for card in natural]
    fill = iter(wild)
    used = []
    for rank in one.ranks:
        if rank in ranks:
            at = ranks.index(rank)
            ranks[at] = 0  # each card once
            used.append(natural[at])
        elif (filled := next(fill, None)) is not None:
            used.append(filled)
        else:
            return None
    return tuple(used)


def _suits(cards: Sequence[Card]) -> Iterator[list[Card]]:
    for suit in range(4):
        yield [card for card in cards if card.code & 3 == suit]


def batch(ranking: Ranking, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The strengths of many hands: an array of card codes, one row a hand. Whether a row holds a card more often
    than the deck has it is not checked.

    >>> batch(THREE_CARD, np.array([[51, 47, 43], [0, 5, 10]], dtype=np.uint8))
    array([741, 706], dtype=uint16)
    """
    if hands.dtype != np.uint8 or hands.ndim != 2 or not ranking.size <= hands.shape[1] <= ranking.most:
        raise BadHand(
            f"The {ranking.name} ranking takes an array of bytes with {ranking.size} to {ranking.most} columns; "
            f"this one holds {hands.dtype} in shape {hands.shape}."
        )
    highest = 52 if ranking.deck.jokers else 51
    if hands.size and int(hands.max()) > highest:
        raise BadHand(f"{int(hands.max())} is no card's code here: codes run from 0 (2c) to {highest}.")
    out = np.empty(len(hands), np.uint16)
    BATCH[hands.shape[1]](hands, tables(ranking), out)
    return out


def three_card(cards: Sequence[Card]) -> Hand:
    """The best three-card hand in three, four or five cards; a mini-royal is on top."""
    return evaluate(THREE_CARD, cards)


def three_card_wild(cards: Sequence[Card]) -> Hand:
    """A three-card hand with deuces and the joker wild."""
    return evaluate(THREE_CARD_WILD, cards)


def four_card(cards: Sequence[Card]) -> Hand:
    """A four-card hand in the order of the Quick Draw tables."""
    return evaluate(FOUR_CARD, cards)


def best_five(cards: Sequence[Card]) -> Hand:
    """The best five of five, six or seven cards from one deck."""
    return evaluate(FIVE_CARD, cards)


def best_five_wild(cards: Sequence[Card]) -> Hand:
    """The best five of five, six or seven cards with deuces and the joker wild."""
    return evaluate(FIVE_CARD_WILD, cards)


def best_five_six_deck(cards: Sequence[Card]) -> Hand:
    """The best five of five, six or seven cards from six decks, in Texas Shootout's order."""
    return evaluate(SIX_DECK, cards)
