"""Random numbers and cards for simulated rounds.

The numbers are Philox 4x32-10 (Salmon, Moraes, Dror, and Shaw, 2011). A number depends on its seed and its place alone,
not on the numbers drawn before. So each block of rounds has a stream of its own, and its cards are the same on any
number of threads.

Cards are dealt some hundred rounds at a time, so that the processor can deal to many of them at once. What a round is
dealt follows from the seed, the block, and the round's place in the block. Three or four cards come out of one random
number of 32 bits, as digits of a mixed radix. The few numbers that would make some cards likelier than others are
discarded (Lemire's method), and the round is dealt again from the next ones.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import inline_rule, kernel

PhiloxWords: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""Four numbers of 32 bits."""

_MULTIPLIER_0: Final = np.uint64(0xD2511F53)
_MULTIPLIER_1: Final = np.uint64(0xCD9E8D57)
_WEYL_0: Final = np.uint64(0x9E3779B9)
_WEYL_1: Final = np.uint64(0xBB67AE85)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF: Final = np.uint64(32)
_ALL: Final = np.uint64(2**64 - 1)


@inline_rule
def philox(c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64) -> PhiloxWords:
    """The four numbers at counter ``c0`` to ``c3`` of the stream with the key ``k0``, ``k1``; all of 32 bits."""
    for _ in range(10):
        product_0 = _MULTIPLIER_0 * c0
        product_1 = _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (
            (product_1 >> _HALF) ^ c1 ^ k0,
            product_1 & _LOW,
            (product_0 >> _HALF) ^ c3 ^ k1,
            product_0 & _LOW,
        )
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


# Several cards come from one number of 64 bits, as digits of a mixed radix: the number times 312 has the first card
# above its 64 bits and the remaining randomness below, which times 311 has the second card, and so on. The last
# remainder shows the few numbers that would make some cards more likely than others; they are discarded (Lemire's
# method).


@inline_rule
def rejection_limit(cards: int, count: int) -> np.uint64:
    """The least valid remainder when ``count`` of ``cards`` are drawn from 64 bits; numbers with a smaller one are
    discarded."""
    combinations = np.uint64(1)
    for drawn_count in range(count):
        combinations *= np.uint64(cards - drawn_count)
    return (_ALL - combinations + np.uint64(1)) % combinations


@inline_rule
def draw_digit(high: np.uint64, low: np.uint64, remaining: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Draw a card from a number of 64 bits as a place among those that are left. Returns the card and the remaining
    randomness."""
    lower = low * remaining
    upper = high * remaining + (lower >> _HALF)
    return upper >> _HALF, upper & _LOW, lower & _LOW


@kernel
def fill_words(
    words: NDArray[np.uint32], first_counter: int, block: int, stream: int, attempt: int, seed: np.uint64
) -> None:
    """The numbers of consecutive counters from ``first_counter`` on: a column per counter."""
    seed_0, seed_1 = seed & _LOW, seed >> _HALF
    counter_1, counter_2, counter_3 = np.uint64(block) & _LOW, np.uint64(stream) & _LOW, np.uint64(attempt) & _LOW
    for column in range(words.shape[1]):
        w, x, y, z = philox(np.uint64(first_counter + column) & _LOW, counter_1, counter_2, counter_3, seed_0, seed_1)
        words[0, column], words[1, column], words[2, column], words[3, column] = w, x, y, z


Cards: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]
"""Places in an ordered deck: a row per card, a column per round. Bytes are enough, and faster, for up to 256 cards."""

Places: TypeAlias = NDArray[np.int16]
"""Indexes of outcomes in a wager's list."""
Counts: TypeAlias = NDArray[np.int64]
"""The count of each outcome of each wager, the wagers one after the other."""
Cents: TypeAlias = NDArray[np.int64]
"""Amounts of money."""

PART_ROUNDS: Final = 512
"""Rounds dealt at a time: a part of a block."""
_COUNTER_WORDS: Final = 4
_MAX_COMBINATIONS: Final = 1 << 25
"""Combinations drawn from one number: few enough that almost no number is discarded."""
_WORD_BITS: Final = np.uint64(32)
_WORD_MASK: Final = np.uint64(0xFFFFFFFF)


@kernel
def _cards_per_word(deck: int, drawn_count: int, count: int) -> tuple[int, int]:
    """How many of the remaining cards come from one number, and the number of ways."""
    cards, combinations = 0, 1
    while drawn_count + cards < count and combinations * (deck - drawn_count - cards) <= _MAX_COMBINATIONS:
        combinations *= deck - drawn_count - cards
        cards += 1
    return cards, combinations


@kernel
def words_needed(deck: int, count: int) -> int:
    """The number of 32-bit random numbers that a round uses."""
    drawn_count, words = 0, 0
    while drawn_count < count:
        drawn_count += _cards_per_word(deck, drawn_count, count)[0]
        words += 1
    return words


# The loops over rounds below do one simple thing each, so that the compiler turns them into vector instructions.


@kernel
def _draw_one(row: Cards, remainders: NDArray[np.uint32], remaining: int) -> None:
    """One card for each round, as a place among those that are left."""
    for column in range(len(row)):
        product = np.uint64(remainders[column]) * np.uint64(remaining)
        row[column] = product >> _WORD_BITS
        remainders[column] = product & _WORD_MASK


@kernel
def _copy(row: Cards, source: Cards) -> None:
    for column in range(len(row)):
        row[column] = source[column]


@kernel
def _replace(row: Cards, compared: Cards, target: Cards, replacements: Cards) -> None:
    """Replace the row's values by ``replacements`` wherever ``compared`` equals ``target``."""
    for column in range(len(row)):
        old_value, new_value = row[column], replacements[column]
        row[column] = new_value if compared[column] == target[column] else old_value


@kernel
def _has_rejected(remainders: NDArray[np.uint32], limit: np.uint32) -> bool:
    has_rejected = 0
    for column in range(len(remainders)):
        has_rejected |= int(remainders[column] < limit)
    return has_rejected != 0


@kernel
def _draw(
    cards: Cards, start: int, remainders: NDArray[np.uint32], drawn_count: int, draw_count: int, deck: int
) -> None:
    """Draw ``draw_count`` cards from row ``start`` on for some rounds; ``remainders`` has a number for each round."""
    for card in range(drawn_count, drawn_count + draw_count):
        _draw_one(cards[card][start : start + len(remainders)], remainders, deck - card)


@kernel
def _to_deck_places(cards: Cards, deck: int) -> None:
    """Convert places among the cards that are left to places in the deck: when a card is drawn, the last remaining card
    takes its place."""
    draws, lasts = np.empty_like(cards), np.empty_like(cards)
    for card in range(len(cards)):
        _copy(draws[card], cards[card])
        for previous in range(card):
            _replace(cards[card], draws[previous], draws[card], lasts[previous])
        last = np.full_like(cards[0], deck - 1 - card)
        _copy(lasts[card], last)
        for previous in range(card):
            _replace(lasts[card], draws[previous], last, lasts[previous])


@kernel
def deal(cards: Cards, deck: int, seed: np.uint64, block: int, part: int, stream: int = 0) -> None:
    """Deal one part of a block, from round ``part * PART_ROUNDS`` on, as many cards as there are rows."""
    needed = words_needed(deck, len(cards))
    rounds_per_counter = _COUNTER_WORDS // needed  # rounds per counter
    columns = PART_ROUNDS // rounds_per_counter
    words = np.empty((_COUNTER_WORDS, columns), np.uint32)
    fill_words(words, part * columns, block, stream, 0, seed)
    for share in range(rounds_per_counter):
        drawn_count = 0
        for row in range(share * needed, (share + 1) * needed):
            draw_count, combinations = _cards_per_word(deck, drawn_count, len(cards))
            _draw(cards, share * columns, words[row], drawn_count, draw_count, deck)
            limit = np.uint32((1 << 32) % combinations)
            if _has_rejected(words[row], limit):
                for column in range(columns):
                    if words[row, column] >= limit:
                        continue
                    remainder = _fair_number(part * columns + column, row, combinations, block, stream, seed)
                    _draw(cards, share * columns + column, remainder, drawn_count, draw_count, deck)
            drawn_count += draw_count
    _to_deck_places(cards, deck)


@kernel
def _fair_number(
    counter: int, row: int, combinations: int, block: int, stream: int, seed: np.uint64
) -> NDArray[np.uint32]:
    """The next number after a discarded one."""
    words, attempt = np.empty((_COUNTER_WORDS, 1), np.uint32), 0
    wide_combinations = np.uint64(combinations)
    while True:
        attempt += 1
        fill_words(words, counter, block, stream, attempt, seed)
        if (np.uint64(words[row, 0]) * wide_combinations) & _WORD_MASK >= np.uint64(1 << 32) % wide_combinations:
            fair: NDArray[np.uint32] = words[row].copy()
            return fair


LANES: Final = 4
"""Rows of counters: the processor need not wait for one count before it adds to the next."""


class Block(NamedTuple):
    """The rounds that a kernel plays, and the arrays for their outcomes."""

    seed: np.uint64
    number: int
    rounds: int
    columns: NDArray[np.int64]
    """By the kernel's number of a wager: its row among the offered wagers, or -1."""
    starts: Counts
    """The index of each offered wager's first count; last, the number of counts."""
    counts: NDArray[np.int64]
    """In ``LANES`` rows, whose sum is the count."""
    outcomes_by_round: Places
    """The outcome of each wager, a row per round; empty if only counts are needed."""


@kernel
def part_count(rounds: int) -> int:
    """The number of parts for this many rounds."""
    return (rounds + PART_ROUNDS - 1) // PART_ROUNDS


@kernel
def count_places(places: Places | NDArray[np.int64], counts: NDArray[np.int64], start: int) -> None:
    """Count the outcomes in ``LANES`` rows, from column ``start`` on."""
    even_length = len(places) // LANES * LANES
    for index in range(0, even_length, LANES):
        for lane in range(LANES):
            counts[lane, start + places[index + lane]] += 1
    for index in range(even_length, len(places)):
        counts[0, start + places[index]] += 1


@kernel
def count_outcomes(ends: Places, part: int, block: Block) -> None:
    """Count the outcomes of a part of a block: a row of ``ends`` per wager."""
    round_count = min(PART_ROUNDS, block.rounds - part * PART_ROUNDS)
    counts, starts, outcomes_by_round = block.counts, block.starts, block.outcomes_by_round
    for wager in range(len(ends)):
        count_places(ends[wager][:round_count], counts, starts[wager])
    if len(outcomes_by_round):
        for column in range(round_count):
            outcomes_by_round[part * PART_ROUNDS + column] = ends[:, column]


# The same kernels judge rounds that were dealt elsewhere, a row each.


@kernel
def load_part(dealt_rounds: Cards, part: int, cards: Cards) -> int:
    """Copy a part of many rounds into columns, as many cards as there are rows. Returns the number of rounds in it."""
    round_count = min(PART_ROUNDS, len(dealt_rounds) - part * PART_ROUNDS)
    for column in range(round_count):
        for card in range(len(cards)):
            cards[card, column] = dealt_rounds[part * PART_ROUNDS + column, card]
    return round_count


@kernel
def store_part(ends: Places, part: int, round_count: int, kinds: NDArray[np.int32]) -> None:
    """Store the outcomes of such a part."""
    for wager in range(len(ends)):
        for column in range(round_count):
            kinds[wager, part * PART_ROUNDS + column] = ends[wager, column]
