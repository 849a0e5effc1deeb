"""Counts for 3 Card Double Play Poker: hands by suit class, and the dealer's hands that three cards beat or copy.

Hands that differ only in the names of their suits are counted once. Of the 20,358,520 hands of six cards, 962,988 are
left, each with the number of hands in its class.

>>> suit_classes(2).hands.shape, int(suit_classes(2).sizes.sum())
((169, 2), 1326)

The dealer's five cards come from the 46 that the player does not have. They are counted by inclusion and exclusion: the
five-card hands up to some strength that avoid six cards are all of them, less those that contain one of the six, plus
those that contain two of them, and so on. How many contain given cards does not depend on the names of the suits, so
there are few such numbers and all of them are looked up. When some cards are known to be elsewhere, every hand of the
dealer is counted one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card
from cardroom.games.three_card_double_play.rules import DEALER_CARDS
from cardroom.hands import THREE_CARD, evaluate_many
from cardroom.kernels import kernel, parallel_kernel, prange

_RANKS: Final = 13
_SUITS: Final = 4
_LOWER_HANDS: Final = np.array([[comb(code, size) for code in range(52)] for size in range(1, 5)])
"""By size and code: the hands of this size that hold only lower cards."""
SUIT_ORDERS: Final = np.array(list(permutations(range(_SUITS))), np.uint8)


class SuitClasses(NamedTuple):
    """One hand of each class."""

    hands: NDArray[np.uint8]
    """Card codes, ascending in each row."""
    sizes: NDArray[np.int64]
    """How many hands are in the class."""


@cache
def suit_classes(size: int) -> SuitClasses:
    """One hand of each class of hands of this many cards."""
    empty = SuitClasses(np.empty((0, size), np.uint8), np.empty(0, np.int64))
    classes = _fill_classes(size, _rank_sets(), empty)
    filled = SuitClasses(np.empty((classes, size), np.uint8), np.empty(classes, np.int64))
    _fill_classes(size, _rank_sets(), filled)
    return filled


class RankSets(NamedTuple):
    """Every set of ranks."""

    sets: NDArray[np.int64]
    """As bits, the smaller sets first."""
    starts: NDArray[np.int64]
    """Where the sets of each number of ranks begin."""


def _rank_sets() -> RankSets:
    sets = np.array(sorted(range(1 << _RANKS), key=lambda ranks: (ranks.bit_count(), ranks)), np.int64)
    sizes = np.array([ranks.bit_count() for ranks in sets.tolist()])
    return RankSets(sets, np.searchsorted(sizes, np.arange(_RANKS + 2)))


@kernel
def _fill_classes(size: int, ranks: RankSets, out: SuitClasses) -> int:
    """Write one hand of each class as far as there is room; gives how many classes there are.

    A hand is four sets of ranks, one a suit. The class is the four sets whatever their order, so those hands are
    written whose sets do not grow from suit to suit.
    """
    sets, starts, hands, sizes = ranks.sets, ranks.starts, out.hands, out.sizes
    class_count = 0
    for first in range(starts[(size + 3) // 4], starts[size + 1]):
        # The cards that are left for the other suits, spread as evenly as can be, say how small a set can be.
        after_first = size - _count_cards(first, starts)
        for second in range(starts[(after_first + 2) // 3], min(first + 1, starts[after_first + 1])):
            after_second = after_first - _count_cards(second, starts)
            for third in range(starts[(after_second + 1) // 2], min(second + 1, starts[after_second + 1])):
                left = after_second - _count_cards(third, starts)
                for fourth in range(starts[left], min(third + 1, starts[left + 1])):
                    if class_count < len(hands):
                        _write_hand(sets[first], sets[second], sets[third], sets[fourth], hands, class_count)
                        sizes[class_count] = _count_orders(first, second, third, fourth)
                    class_count += 1
    return class_count


@kernel
def _count_cards(place: int, starts: NDArray[np.int64]) -> int:
    """How many ranks the set at a place has."""
    cards = 0
    while place >= starts[cards + 1]:
        cards += 1
    return cards


@kernel
def _write_hand(clubs: int, diamonds: int, hearts: int, spades: int, hands: NDArray[np.uint8], at: int) -> None:
    card = 0
    for rank in range(13):
        for suit, ranks in enumerate((clubs, diamonds, hearts, spades)):
            if ranks >> rank & 1:
                hands[at, card] = 4 * rank + suit
                card += 1


@kernel
def _count_orders(first: int, second: int, third: int, fourth: int) -> int:
    """In how many orders four sets can be written that stand from the last to the first; equal ones are neighbours."""
    orders, same = 24, 1
    for before, after in ((first, second), (second, third), (third, fourth)):
        same = same + 1 if before == after else 1
        orders //= same
    return orders


# Which class a hand is in.


@kernel
def colex_index(hands: NDArray[np.uint8], row: int, subsets: NDArray[np.int64], subset: int) -> int:
    """Where the cards in row ``row`` that row ``subset`` of ``subsets`` names stand when all hands of their number are
    listed by their highest cards. Both rows are ascending."""
    place = 0
    for card in range(subsets.shape[1]):
        place += _LOWER_HANDS[card, hands[row, subsets[subset, card]]]
    return place


@cache
def class_numbers(size: int) -> NDArray[np.uint16]:
    """By ``colex_index``: the class of each hand of one to four cards, as its row in ``suit_classes``."""
    hands = suit_classes(size).hands
    numbers = np.empty(comb(_RANKS * _SUITS, size), np.uint16)
    _number_classes(hands, SUIT_ORDERS, numbers)
    return numbers


@kernel
def _number_classes(hands: NDArray[np.uint8], orders: NDArray[np.uint8], numbers: NDArray[np.uint16]) -> None:
    renamed = np.empty((1, hands.shape[1]), np.uint8)
    every_card = np.arange(hands.shape[1]).reshape((1, hands.shape[1]))
    for at in range(len(hands)):
        for order in range(len(orders)):
            for card in range(hands.shape[1]):
                code = hands[at, card] // 4 * 4 + orders[order, hands[at, card] % 4]
                place = card
                while place > 0 and renamed[0, place - 1] > code:
                    renamed[0, place] = renamed[0, place - 1]
                    place -= 1
                renamed[0, place] = code
            numbers[colex_index(renamed, 0, every_card, 0)] = at


DEALER_HANDS: Final = comb(46, 5)
"""The hands that the dealer can have when six cards are known."""
STRENGTHS: Final = len(THREE_CARD.classes) + 1
"""Strengths run from 1; place 0 stays empty."""

_ONES, _TWOS, THREES, _FOURS = (np.array(list(combinations(range(6), size))) for size in range(1, 5))
"""Which cards of six. The first ten of ``THREES`` hold the first card, and what number n leaves is number 19 - n."""
_SIZES: Final = (1, 2, 3, 4)
_PARTS: Final = 256
"""Into how many parts the hands are divided among the processor's cores."""


class HoldingCounts(NamedTuple):
    """By the class of some cards, and then by strength: the five-card hands up to it that hold these cards."""

    no_cards: NDArray[np.int32]
    one_card: NDArray[np.int32]
    two_cards: NDArray[np.uint16]  # at most 50 choose 3, 19,600
    three_cards: NDArray[np.uint16]
    four_cards: NDArray[np.uint8]  # at most 48


def _holding_counts() -> HoldingCounts:
    fives = suit_classes(5)
    strengths = evaluate_many(THREE_CARD, fives.hands)

    def tables() -> Iterator[NDArray[np.int32]]:
        for size in (0, *_SIZES):
            alike = suit_classes(size).sizes
            hands = np.zeros((len(alike), STRENGTHS), np.int32)
            chosen = np.array(list(combinations(range(5), size)), np.int64)
            _add_hands(fives, strengths, chosen, class_numbers(size), hands)
            _add_up(hands, alike)
            yield hands.ravel()

    none, one_card, two, three, four = tables()
    return HoldingCounts(none, one_card, two.astype(np.uint16), three.astype(np.uint16), four.astype(np.uint8))


@kernel
def _add_hands(
    fives: SuitClasses,
    strengths: NDArray[np.uint16],
    subsets: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    counts: NDArray[np.int32],
) -> None:
    """Count each five-card hand for every choice of its cards, by their class and the strength of the hand."""
    hands, sizes = fives.hands, fives.sizes
    for at in range(len(hands)):
        for choice in range(len(subsets)):
            counts[numbers[colex_index(hands, at, subsets, choice)], strengths[at]] += sizes[at]


@kernel
def _add_up(hands: NDArray[np.int32], class_sizes: NDArray[np.int64]) -> None:
    """From the hands of each strength that hold any cards of the class to those up to it that hold certain ones."""
    for number in range(len(hands)):
        below = 0
        for strength in range(hands.shape[1]):
            below += hands[number, strength] // class_sizes[number]
            hands[number, strength] = below


class ThreeCardTables(NamedTuple):
    """For each hand of six cards, and each of its ``THREES``."""

    strengths: NDArray[np.uint16]
    beaten_counts: NDArray[np.int32]
    """How many of the ``DEALER_HANDS`` these three cards beat or copy (rule 7)."""


@cache
def three_card_tables() -> ThreeCardTables:
    """Those of every row of ``suit_classes(6)``. No paytable changes them, so they are counted once."""
    return count_threes(suit_classes(6).hands)


def count_threes(hands: NDArray[np.uint8]) -> ThreeCardTables:
    """What each three of some hands of six cards is against the dealer; the codes in each row are ascending."""
    tables = ThreeCardTables(
        np.empty((len(hands), len(THREES)), np.uint16), np.empty((len(hands), len(THREES)), np.int32)
    )
    of_class = evaluate_many(THREE_CARD, suit_classes(3).hands)
    _fill_threes(hands, of_class, tuple(map(class_numbers, _SIZES)), _holding_counts(), tables)
    return tables


@parallel_kernel
def _fill_threes(
    hands: NDArray[np.uint8],
    of_class: NDArray[np.uint16],
    numbers: tuple[NDArray[np.uint16], ...],
    holding: HoldingCounts,
    out: ThreeCardTables,
) -> None:
    """Each hand is written by one core alone, so what is found does not depend on how many there are."""
    none, one_card, two, three, four = (
        holding.no_cards,
        holding.one_card,
        holding.two_cards,
        holding.three_cards,
        holding.four_cards,
    )
    strengths, beaten_counts = out.strengths, out.beaten_counts
    for part in prange(_PARTS):
        ones, twos, threes = np.empty(6, np.uint64), np.empty(15, np.uint64), np.empty(20, np.uint64)
        fours, fives = np.empty(15, np.uint64), np.empty(6, np.uint64)
        for at in range(len(hands) * part // _PARTS, len(hands) * (part + 1) // _PARTS):
            _fill_rows(hands, at, _ONES, numbers[0], ones)
            _fill_rows(hands, at, _TWOS, numbers[1], twos)
            _fill_rows(hands, at, THREES, numbers[2], threes)
            _fill_rows(hands, at, _FOURS, numbers[3], fours)
            for choice in range(20):
                strengths[at, choice] = of_class[threes[choice] // np.uint64(STRENGTHS)]
            _best_of_five(strengths, at, fives)
            for choice in range(20):
                # Unsigned numbers are never looked up from the end of an array, which spares a test at each.
                strength = np.uint64(strengths[at, choice])
                avoiding = np.int64(none[strength])
                for held in range(6):
                    avoiding -= np.int64(one_card[ones[held] + strength])
                for held in range(15):
                    avoiding += np.int64(two[twos[held] + strength])
                for held in range(20):
                    avoiding -= np.int64(three[threes[held] + strength])
                for held in range(15):
                    avoiding += np.int64(four[fours[held] + strength])
                for held in range(6):
                    avoiding -= np.int64(fives[held] <= strength)
                beaten_counts[at, choice] = avoiding


@kernel
def _fill_rows(
    hands: NDArray[np.uint8],
    at: int,
    subsets: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    rows: NDArray[np.uint64],
) -> None:
    """Where the numbers of each choice of a hand's cards begin in the table for so many cards."""
    for choice in range(len(subsets)):
        rows[choice] = numbers[colex_index(hands, at, subsets, choice)] * np.uint64(STRENGTHS)


@kernel
def _best_of_five(strengths: NDArray[np.uint16], at: int, fives: NDArray[np.uint64]) -> None:
    """The best three that are left when one of the six cards is not there, for each card."""
    fives[:] = 0
    for choice in range(20):
        for absent in range(6):
            if absent != THREES[choice, 0] and absent != THREES[choice, 1] and absent != THREES[choice, 2]:
                fives[absent] = max(fives[absent], np.uint64(strengths[at, choice]))


def cumulative_dealer_hands(excluded_cards: Collection[Card], exposed_cards: Sequence[Card] = ()) -> NDArray[np.int64]:
    """By strength: how many of the dealer's hands are no better, when these cards are not in them and those that are
    ``exposed_cards`` are (rules 2 and 6).

    >>> from cardroom.cards import parse_cards
    >>> int(cumulative_dealer_hands(parse_cards("As Ks Qs Qd Qh 2c"))[-1])
    1370754
    """
    remaining = np.array(
        [card.code for card in STANDARD_DECK if card not in excluded_cards and card not in exposed_cards], np.uint8
    )
    hands = (
        remaining[_five_card_sets(len(remaining))] if not exposed_cards else _complete_hands(exposed_cards, remaining)
    )
    strengths = evaluate_many(THREE_CARD, hands)
    counts: NDArray[np.int64] = np.bincount(strengths, minlength=len(THREE_CARD.classes) + 1)
    return counts.cumsum()


def _complete_hands(exposed_cards: Sequence[Card], remaining: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every five cards that some known ones become."""
    others = np.array(list(combinations(remaining.tolist(), DEALER_CARDS - len(exposed_cards))), np.uint8)
    exposed_codes = np.array([[card.code for card in exposed_cards]], np.uint8)
    return np.hstack([np.repeat(exposed_codes, len(others), axis=0), others])


@lru_cache(maxsize=2)  # seven megabytes each; a table asks about the same numbers of cards again and again
def _five_card_sets(cards: int) -> NDArray[np.uint8]:
    """Every five of so many cards: three of them with any two that come after."""
    threes = np.array(list(combinations(range(cards), 3)), np.uint8)
    twos = np.array(list(combinations(range(cards), 2)), np.uint8)
    by_middle = []
    for middle in range(2, cards - 2):
        before, after = threes[threes[:, 2] == middle], twos[twos[:, 0] > middle]
        by_middle.append(np.hstack([np.repeat(before, len(after), axis=0), np.tile(after, (len(before), 1))]))
    return np.concatenate(by_middle)
