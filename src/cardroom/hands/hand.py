"""One hand: its strength, its category, the cards that make it, and its description.

A single hand is looked up in Python, in the kernels' tables: a call of a kernel for a few cards takes longer. Sums are
written out, because a loop over the cards would take most of the time.

>>> hand = best_five("Kh 4d Ks 4c Kd 9s 2h")
>>> hand
Hand(FIVE_CARD, 'Kh 4d Ks 4c Kd 9s 2h')
>>> print(hand)
full house, kings over fours
>>> hand.category, hand.cards
(Category.FULL_HOUSE, (Card('Kh'), Card('Ks'), Card('Kd'), Card('4d'), Card('4c')))
>>> best_three("As Ks Qs") > best_three("Kh Qh Jh")
True
>>> print(best_five_wild("9h 9d 2c Jk 9s"))
five of a kind, nines, two wild
>>> print(best_five_six_deck("Qc Qc 6c 6c 3c"))
flush, queen high
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, total_ordering
from gettext import NullTranslations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE, Card, Cards, as_cards, format_cards
from cardroom.errors import BadInput, quote_with_type
from cardroom.hands.lookup_tables import FLUSH_BITS, SUIT_SHIFTS, SUM_BITS, lookup_tables
from cardroom.hands.ranking import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    FOUR_CARD,
    SIX_DECK,
    SUITED_CATEGORIES,
    THREE_CARD,
    THREE_CARD_WILD,
    Category,
    HandClass,
    Ranking,
    describe_hand_class,
)
from cardroom.hands.strength import BATCH_KERNELS, compute_strengths
from cardroom.kernels import cached_arrays, should_compile
from cardroom.translation import current_translations

_RANK_SUM_MASK = (1 << SUM_BITS) - 1
_FLUSH_BITS = int(FLUSH_BITS)
_SUIT_TOP_BIT = 8
_CATEGORIES = tuple(Category)


class StrengthClass(NamedTuple):
    """The class of a hand, and whether all its cards are of one suit."""

    hand_class: HandClass
    suited: bool


class Evaluator:
    """The tables of one ranking for single hands."""

    def __init__(self, ranking: Ranking) -> None:
        t = lookup_tables(ranking)
        # The classes are cached: a program that ranks a few hands does not compute thousands of them.
        arrays = cached_arrays(f"classes-{ranking.name.replace(' ', '-')}", lambda: _encode_classes(ranking))
        self._class_rows = arrays["classes"]
        self._classes: dict[int, StrengthClass] = {}
        self._keys: list[int] = t.keys.tolist()
        self._rows: list[int] = t.rows.tolist()
        self._unsuited, self._suited = t.unsuited.data, t.suited.data
        self._start, self._shift, self._mask = int(t.start), int(t.row_shift), int(t.slot_mask)
        self._descriptions: dict[tuple[int, int, NullTranslations], str] = {}

    def strength(self, cards: Sequence[Card]) -> int:
        """The strength of the best hand in these cards."""
        k, size = self._keys, len(cards)
        if size == 7:
            a, b, c, d, e, f, g = cards
            total = k[a.code] + k[b.code] + k[c.code] + k[d.code] + k[e.code] + k[f.code] + k[g.code] + self._start
        elif size == 5:
            a, b, c, d, e = cards
            total = k[a.code] + k[b.code] + k[c.code] + k[d.code] + k[e.code] + self._start
        elif size == 3:
            a, b, c = cards
            total = k[a.code] + k[b.code] + k[c.code] + self._start
        else:
            total = sum([k[card.code] for card in cards], self._start)
        ranks = total & _RANK_SUM_MASK
        best: int = self._unsuited[(ranks ^ self._rows[ranks >> self._shift]) & self._mask]
        return max(best, self._suited_strength(cards, total)) if total & _FLUSH_BITS else best

    def _suited_strength(self, cards: Sequence[Card], total: int) -> int:
        """The best hand within one suit, wild cards included."""
        keys = [self._keys[card.code] for card in cards]
        best = 0
        for shift in SUIT_SHIFTS:
            if total >> shift & _SUIT_TOP_BIT:
                ranks = sum([key for key in keys if key >> shift & 1]) & _RANK_SUM_MASK
                best = max(best, self._suited[(ranks ^ self._rows[ranks >> self._shift]) & self._mask])
        return best

    def find_class(self, strength: int) -> StrengthClass:
        """The class of the hands of this strength."""
        strength_class = self._classes.get(strength)
        if strength_class is None:
            category, *ranks = self._class_rows[strength - 1].tolist()
            hand_class = HandClass(_CATEGORIES[category], tuple(ranks))
            strength_class = self._classes[strength] = StrengthClass(
                hand_class, hand_class.category in SUITED_CATEGORIES
            )
        return strength_class

    def categories(self) -> list[Category]:
        """The category of each strength from 1 up."""
        return [_CATEGORIES[number] for number in self._class_rows[:, 0].tolist()]

    def describe(self, strength: int, wild: int) -> str:
        """What a dealer calls a hand of this strength with so many wild cards."""
        key = strength, wild, current_translations()
        description = self._descriptions.get(key)
        if description is None:
            description = self._descriptions[key] = describe_hand_class(self.find_class(strength).hand_class, wild)
        return description


def _encode_classes(ranking: Ranking) -> dict[str, NDArray[Any]]:
    """The classes of a ranking from the lowest up: the number of the category, then the ranks."""
    rows = [(_CATEGORIES.index(hand_class.category), *hand_class.ranks) for hand_class in ranking.classes]
    return {"classes": np.array(rows, np.uint8)}


@cache
def evaluator(ranking: Ranking) -> Evaluator:
    """The tables of a ranking; made once per process."""
    if not isinstance(ranking, Ranking):
        raise BadInput(f"A ranking is a Ranking, such as cardroom.hands.FIVE_CARD; {quote_with_type(ranking)} is not.")
    return Evaluator(ranking)


class BadHand(BadInput):
    """Cards that this ranking cannot rank."""


@total_ordering
class Hand:
    """The best hand in some cards under one ranking.

    Hands of one ranking compare with ``<``, ``==``, and ``max``. Hands of two rankings are never equal, and have no
    order.
    The category, the cards, and the description are computed when they are read: most hands are only compared.

    >>> Hand(THREE_CARD, "As Ks Qs") == Hand(THREE_CARD, "Ah Kh Qh")
    True
    >>> max(best_three("7c 7h 7d"), best_three("9c 8h 7d"))
    Hand(THREE_CARD, '7c 7h 7d')
    >>> best_three("As Ks Qs") < best_five("As Ks Qs Js Ts")
    Traceback (most recent call last):
    ...
    TypeError: A three-card hand and a five-card hand have no order: compare hands of one ranking.
    """

    __slots__ = ("_dealt", "_ranking", "_strength", "_used_cards")
    _dealt: tuple[Card, ...]
    _ranking: Ranking
    _strength: int
    _used_cards: tuple[Card, ...] | None

    def __init__(self, ranking: Ranking, cards: Cards) -> None:
        tables = evaluator(ranking)
        self._ranking = ranking
        self._dealt = dealt = _check_hand(ranking, cards)
        self._strength = tables.strength(dealt)
        self._used_cards = None

    @property
    def ranking(self) -> Ranking:
        """The ranking of the hand."""
        return self._ranking

    @property
    def strength(self) -> int:
        """A number for fast comparison: within one ranking the higher of two is the better hand."""
        return self._strength

    @property
    def category(self) -> Category:
        """The kind of hand."""
        return evaluator(self._ranking).find_class(self._strength).hand_class.category

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that make the hand, in the order of comparison."""
        if self._used_cards is None:
            hand_class, suited = evaluator(self._ranking).find_class(self._strength)
            self._used_cards = _cards_used(hand_class, self._dealt, self._wild_cards, suited=suited)
        return self._used_cards

    @property
    def _wild_cards(self) -> list[Card]:
        return [card for card in self._dealt if is_wild(card)] if self._ranking.wild_deuces else []

    @property
    def description(self) -> str:
        """The hand as a dealer calls it."""
        wild = self._wild_cards
        missing = sum(card in wild for card in self.cards) if wild else 0
        return evaluator(self._ranking).describe(self._strength, missing)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return self._strength == other._strength and self._ranking is other._ranking

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        if self._ranking is not other._ranking:
            raise TypeError(
                f"A {self._ranking.name} hand and a {other._ranking.name} hand have no order: compare hands of one "
                "ranking."
            )
        return self._strength < other._strength

    def __hash__(self) -> int:
        return hash((self._strength, self._ranking.name))

    def __str__(self) -> str:
        return self.description

    def __repr__(self) -> str:
        return f"Hand({self._ranking!r}, '{format_cards(self._dealt)}')"


def _make_hand(ranking: Ranking, strength: int, dealt: tuple[Card, ...]) -> Hand:
    """A hand with a known strength."""
    hand = _new_hand(Hand)
    hand._ranking = ranking
    hand._strength = strength
    hand._dealt = dealt
    hand._used_cards = None
    return hand


_new_hand: Final = Hand.__new__


def is_wild(card: Card) -> bool:
    """Deuces and the joker, where deuces are wild (sheet 000, rule 2)."""
    return card.code < 4 or card.is_joker


def encode_hands(hands: Iterable[Cards]) -> NDArray[np.uint8]:
    """Hands of equal length as an array of card codes, with a row for each hand.

    >>> encode_hands(["2c 3c", "Kd As"]).tolist()
    [[0, 4], [45, 51]]
    """
    rows = [[card.code for card in as_cards(hand)] for hand in hands]
    if len(lengths := sorted(set(map(len, rows)))) > 1:
        raise BadHand(f"Pass hands of equal length; these have {' and '.join(map(str, lengths))} cards.")
    return np.array(rows, dtype=np.uint8)


def compute_strength(ranking: Ranking, cards: Cards) -> int:
    """Only the strength, of cards that the caller has checked.

    >>> compute_strength(FIVE_CARD, "As Ks Qs Js Ts") == len(FIVE_CARD.classes)
    True
    """
    try:
        return evaluator(ranking).strength(cards)  # type: ignore[arg-type]  # card names have no code
    except (AttributeError, TypeError):
        return evaluator(ranking).strength(as_cards(cards))


def evaluate_unchecked(ranking: Ranking, cards: Sequence[Card]) -> Hand:
    """The best hand in cards that the caller has checked, such as those of a round."""
    return _make_hand(ranking, evaluator(ranking).strength(cards), tuple(cards))


def evaluate(ranking: Ranking, cards: Cards) -> Hand:
    """The best hand in these cards under this ranking."""
    tables = evaluator(ranking)
    dealt = _check_hand(ranking, cards)
    return _make_hand(ranking, tables.strength(dealt), dealt)


def _check_hand(ranking: Ranking, cards: Cards) -> tuple[Card, ...]:
    """The cards, checked for this ranking."""
    try:
        distinct_codes = _distinct_codes(cards)  # type: ignore[arg-type]  # card names have no code
    except (AttributeError, TypeError):
        cards = as_cards(cards)
        distinct_codes = _distinct_codes(cards)
    dealt: tuple[Card, ...] = tuple(cards)  # type: ignore[arg-type]  # cards by now
    size = len(dealt)
    if len(distinct_codes) < size or size > ranking.max_cards or size < ranking.size or JOKER_CODE in distinct_codes:
        _check_cards(ranking, dealt)
    return dealt


def _distinct_codes(cards: Sequence[Card]) -> set[int]:
    """The codes of the cards, each once; seven are written out, because a loop takes twice as long."""
    if len(cards) == 7:
        a, b, c, d, e, f, g = cards
        return {a.code, b.code, c.code, d.code, e.code, f.code, g.code}
    return {card.code for card in cards}


def _check_cards(ranking: Ranking, cards: Sequence[Card]) -> None:
    if not ranking.size <= len(cards) <= ranking.max_cards:
        card_count = (
            f"{ranking.size}" if ranking.size == ranking.max_cards else f"{ranking.size} to {ranking.max_cards}"
        )
        raise BadHand(f"The {ranking.name} ranking takes {card_count} cards, not {len(cards)}.")
    ranking.deck.check(cards)


def evaluate_all_unchecked(ranking: Ranking, hands: Sequence[Sequence[Card]]) -> tuple[Hand, ...]:
    """Several hands, of cards that the caller has checked."""
    return tuple([evaluate_unchecked(ranking, cards) for cards in hands])


def _cards_used(
    hand_class: HandClass, cards: Sequence[Card], wild: Sequence[Card], *, suited: bool
) -> tuple[Card, ...]:
    """The cards that make the hand: natural cards first, wild cards for the missing ones. Of several suits that make
    the same hand, the one with the fewest wild cards counts."""
    if not wild and not suited:
        return _choose_natural_cards(hand_class, cards)
    natural = [card for card in cards if card not in wild]
    suits = _split_by_suit(natural) if suited else (natural,)
    choices = [choice for suit_cards in suits if (choice := _choose_cards(hand_class, suit_cards, wild)) is not None]
    if not choices:
        raise AssertionError(f"no {hand_class} in {format_cards(cards)}")
    return min(choices, key=lambda choice: sum(card in wild for card in choice)) if wild else choices[0]


def _choose_natural_cards(hand_class: HandClass, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that make the hand where suits do not matter and no card is wild, as in most hands."""
    ranks = [(card.code >> 2) + 2 for card in cards]
    chosen = []
    for rank in hand_class.ranks:
        index = ranks.index(rank)
        ranks[index] = 0  # each card once
        chosen.append(cards[index])
    return tuple(chosen)


def _choose_cards(hand_class: HandClass, natural: Sequence[Card], wild: Sequence[Card]) -> tuple[Card, ...] | None:
    """The hand made of these cards; None if they do not make it."""
    ranks = [(card.code >> 2) + 2 for card in natural]
    fill = iter(wild)
    chosen = []
    for rank in hand_class.ranks:
        if rank in ranks:
            index = ranks.index(rank)
            ranks[index] = 0  # each card once
            chosen.append(natural[index])
        elif (wild_card := next(fill, None)) is not None:
            chosen.append(wild_card)
        else:
            return None
    return tuple(chosen)


def _split_by_suit(cards: Sequence[Card]) -> Iterator[list[Card]]:
    for suit in range(4):
        yield [card for card in cards if card.code & 3 == suit]


def evaluate_many(ranking: Ranking, hands: NDArray[np.uint8] | Sequence[Cards]) -> NDArray[np.uint16]:
    """The strengths of many hands: an array of card codes with a row for each hand, or a list of hands. Duplicate cards
    in a row are not checked.

    >>> evaluate_many(THREE_CARD, np.array([[51, 47, 43], [0, 5, 10]], dtype=np.uint8))
    array([741, 706], dtype=uint16)
    >>> evaluate_many(THREE_CARD, ["As Kd Qh", "Ks Qs Js"])
    array([716, 740], dtype=uint16)
    """
    if not isinstance(hands, np.ndarray):
        hands = encode_hands(hands)
    if hands.dtype != np.uint8 or hands.ndim != 2 or not ranking.size <= hands.shape[1] <= ranking.max_cards:
        raise BadHand(
            f"The {ranking.name} ranking takes an array of bytes with {ranking.size} to {ranking.max_cards} columns; "
            f"this one is {hands.dtype} with shape {hands.shape}."
        )
    highest = 52 if ranking.deck.jokers else 51
    if hands.size and int(hands.max()) > highest:
        raise BadHand(f"{int(hands.max())} is not a card's code here: codes run from 0 (2c) to {highest}.")
    if not should_compile(len(hands)):
        return compute_strengths(hands, lookup_tables(ranking))
    out = np.empty(len(hands), np.uint16)
    BATCH_KERNELS[hands.shape[1]](hands, lookup_tables(ranking), out)
    return out


def best_three(cards: Cards) -> Hand:
    """The best three-card hand in three, four, or five cards; a mini-royal is the highest."""
    return evaluate(THREE_CARD, cards)


def best_three_wild(cards: Cards) -> Hand:
    """A three-card hand with deuces and the joker wild."""
    return evaluate(THREE_CARD_WILD, cards)


def best_four(cards: Cards) -> Hand:
    """A four-card hand in the order of the Quick Draw tables."""
    return evaluate(FOUR_CARD, cards)


def best_five(cards: Cards) -> Hand:
    """The best five of five, six, or seven cards from one deck."""
    return evaluate(FIVE_CARD, cards)


def best_five_wild(cards: Cards) -> Hand:
    """The best five of five, six, or seven cards with deuces and the joker wild."""
    return evaluate(FIVE_CARD_WILD, cards)


def best_five_six_deck(cards: Cards) -> Hand:
    """The best five of five, six, or seven cards from six decks, in Texas Shootout's order."""
    return evaluate(SIX_DECK, cards)
