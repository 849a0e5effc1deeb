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

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE, Card, Cards, as_cards, names
from cardroom.faults import BadInput
from cardroom.hands.category import Category
from cardroom.hands.columns import strengths_by_columns
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
from cardroom.kernels import worth_compiling


class BadHand(BadInput):
    """Cards that this ranking cannot judge."""


class Hand:
    """The best hand in some cards under one ranking; hands of one ranking are compared by their ``strength``. What
    nobody asks for is not worked out: most hands are only compared."""

    __slots__ = ("_dealt", "_made_of", "_ranking", "_strength")

    def __init__(self, ranking: Ranking, strength: int, dealt: tuple[Card, ...]) -> None:
        self._ranking = ranking
        self._strength = strength
        self._dealt = dealt
        self._made_of: tuple[Card, ...] | None = None

    @property
    def strength(self) -> int:
        """The higher of two in one ranking is the better hand."""
        return self._strength

    @property
    def category(self) -> Category:
        """What kind of hand it is."""
        return reading(self._ranking).known(self._strength).hand_class.category

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that make it, in the order in which hands are compared."""
        if self._made_of is None:
            one, suited = reading(self._ranking).known(self._strength)
            self._made_of = _cards_used(one, self._dealt, self._wild, suited=suited)
        return self._made_of

    @property
    def _wild(self) -> list[Card]:
        return [card for card in self._dealt if is_wild(card)] if self._ranking.wild_deuces else []

    @property
    def words(self) -> str:
        """What it is called at the table."""
        wild = self._wild
        missing = sum(card in wild for card in self.cards) if wild else 0
        return reading(self._ranking).words(self._strength, missing)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self._strength == other._strength and self.category == other.category

    def __hash__(self) -> int:
        return hash((self._strength, self.category))

    def __repr__(self) -> str:
        return (
            f"Hand(strength={self.strength}, category={self.category!r}, "
            f"cards='{names(self.cards)}', words={self.words!r})"
        )


def is_wild(card: Card) -> bool:
    """Deuces and the joker, where deuces are wild (sheet 000, rule 2)."""
    return card.code < 4 or card.is_joker


def codes(hands: Iterable[Cards]) -> NDArray[np.uint8]:
    """Hands of equal length as an array of card codes, one row a hand.

    >>> codes(["2c 3c", "Kd As"]).tolist()
    [[0, 4], [45, 51]]
    """
    rows = [[card.code for card in as_cards(hand)] for hand in hands]
    if len(lengths := sorted(set(map(len, rows)))) > 1:
        raise BadHand(f"Hands of one array have equally many cards; these have {' and '.join(map(str, lengths))}.")
    return np.array(rows, dtype=np.uint8)


def rank_strength(ranking: Ranking, cards: Cards) -> int:
    """The strength alone, of cards that are known to be right.

    >>> rank_strength(FIVE_CARD, "As Ks Qs Js Ts") == len(FIVE_CARD.classes)
    True
    """
    try:
        return reading(ranking).strength(cards)  # type: ignore[arg-type]  # names of cards have no code
    except (AttributeError, TypeError):
        return reading(ranking).strength(as_cards(cards))


def known_hand(ranking: Ranking, cards: Sequence[Card]) -> Hand:
    """The best hand in cards that are known to be right, such as those of a round that was dealt by the rules."""
    return Hand(ranking, reading(ranking).strength(cards), tuple(cards))


def evaluate(ranking: Ranking, cards: Cards) -> Hand:
    """The best hand in these cards under this ranking."""
    judge = reading(ranking)
    try:
        different = _different(cards)  # type: ignore[arg-type]  # names of cards have no code
    except (AttributeError, TypeError):
        cards = as_cards(cards)
        different = _different(cards)
    dealt: tuple[Card, ...] = tuple(cards)  # type: ignore[arg-type]  # cards by now
    size = len(dealt)
    if len(different) < size or size > ranking.most or size < ranking.size or JOKER_CODE in different:
        _check(ranking, dealt)
    return Hand(ranking, judge.strength(dealt), dealt)


def _different(cards: Sequence[Card]) -> set[int]:
    """The codes of the cards, each once; seven are written out, because a loop takes twice as long."""
    if len(cards) == 7:
        a, b, c, d, e, f, g = cards
        return {a.code, b.code, c.code, d.code, e.code, f.code, g.code}
    return {card.code for card in cards}


def _check(ranking: Ranking, cards: Sequence[Card]) -> None:
    if not ranking.size <= len(cards) <= ranking.most:
        wanted = f"{ranking.size}" if ranking.size == ranking.most else f"{ranking.size} to {ranking.most}"
        raise BadHand(f"The {ranking.name} ranking judges {wanted} cards; there are {len(cards)}.")
    ranking.deck.check(cards)


def evaluate_all(ranking: Ranking, hands: Sequence[Sequence[Card]]) -> tuple[Hand, ...]:
    """Several hands, of cards that are known to be right."""
    return tuple([known_hand(ranking, cards) for cards in hands])


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


def batch(ranking: Ranking, hands: NDArray[np.uint8] | Sequence[Cards]) -> NDArray[np.uint16]:
    """The strengths of many hands: an array of card codes, one row a hand, or a list of hands. Whether a row holds a
    card more often than the deck has it is not checked.

    >>> batch(THREE_CARD, np.array([[51, 47, 43], [0, 5, 10]], dtype=np.uint8))
    array([741, 706], dtype=uint16)
    >>> batch(THREE_CARD, ["As Kd Qh", "Ks Qs Js"])
    array([716, 740], dtype=uint16)
    """
    if not isinstance(hands, np.ndarray):
        hands = codes(hands)
    if hands.dtype != np.uint8 or hands.ndim != 2 or not ranking.size <= hands.shape[1] <= ranking.most:
        raise BadHand(
            f"The {ranking.name} ranking takes an array of bytes with {ranking.size} to {ranking.most} columns; "
            f"this one holds {hands.dtype} in shape {hands.shape}."
        )
    highest = 52 if ranking.deck.jokers else 51
    if hands.size and int(hands.max()) > highest:
        raise BadHand(f"{int(hands.max())} is no card's code here: codes run from 0 (2c) to {highest}.")
    if not worth_compiling(len(hands)):
        return strengths_by_columns(hands, tables(ranking))
    out = np.empty(len(hands), np.uint16)
    BATCH[hands.shape[1]](hands, tables(ranking), out)
    return out


def three_card(cards: Cards) -> Hand:
    """The best three-card hand in three, four or five cards; a mini-royal is on top."""
    return evaluate(THREE_CARD, cards)


def three_card_wild(cards: Cards) -> Hand:
    """A three-card hand with deuces and the joker wild."""
    return evaluate(THREE_CARD_WILD, cards)


def four_card(cards: Cards) -> Hand:
    """A four-card hand in the order of the Quick Draw tables."""
    return evaluate(FOUR_CARD, cards)


def best_five(cards: Cards) -> Hand:
    """The best five of five, six or seven cards from one deck."""
    return evaluate(FIVE_CARD, cards)


def best_five_wild(cards: Cards) -> Hand:
    """The best five of five, six or seven cards with deuces and the joker wild."""
    return evaluate(FIVE_CARD_WILD, cards)


def best_five_six_deck(cards: Cards) -> Hand:
    """The best five of five, six or seven cards from six decks, in Texas Shootout's order."""
    return evaluate(SIX_DECK, cards)
