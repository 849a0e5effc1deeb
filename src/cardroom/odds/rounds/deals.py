"""Cards for simulated rounds, some hundred rounds at a time so that the processor can deal to many of them at once.

What a round is dealt follows from the seed, the block and the round's place in the block. Three or four cards come out
of one random number of 32 bits, as digits of a mixed radix. The few numbers that would make some cards likelier than
others are thrown away (Lemire's method), and the round is dealt again from the next ones.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel
from cardroom.odds.rounds.philox import fill

Cards: TypeAlias = NDArray[np.uint8] | NDArray[np.uint16]
"""Places in an ordered deck: a row a card, a column a round. Bytes are enough, and faster, for up to 256 cards."""

Places: TypeAlias = NDArray[np.int16]
"""Places of endings in a wager's list."""
Counts: TypeAlias = NDArray[np.int64]
"""How often each ending of each wager happened: the wagers one after the other."""
Cents: TypeAlias = NDArray[np.int64]
"""Amounts of money."""

ROUNDS: Final = 512
"""Dealt at a time: a part of a block."""
_WORDS: Final = 4
_MOST_WAYS: Final = 1 << 25
"""Of one number: few enough that hardly any number is thrown away."""
_HALF: Final = np.uint64(32)
_LOW: Final = np.uint64(0xFFFFFFFF)


@kernel
def _drawn_from_one(deck: int, drawn: int, count: int) -> tuple[int, int]:
    """How many of the cards still to be drawn come out of one number, and in how many ways."""
    cards, ways = 0, 1
    while drawn + cards < count and ways * (deck - drawn - cards) <= _MOST_WAYS:
        ways *= deck - drawn - cards
        cards += 1
    return cards, ways


@kernel
def words_needed(deck: int, count: int) -> int:
    """How many numbers of 32 bits a round takes."""
    drawn, words = 0, 0
    while drawn < count:
        drawn += _drawn_from_one(deck, drawn, count)[0]
        words += 1
    return words


# The loops over rounds below do one simple thing each, so that the compiler turns them into vector instructions.


@kernel
def _draw_one(drawn: Cards, rests: NDArray[np.uint32], left: int) -> None:
    """One card for each round, told by its place among those that are left."""
    for at in range(len(drawn)):
        product = np.uint64(rests[at]) * np.uint64(left)
        drawn[at] = product >> _HALF
        rests[at] = product & _LOW


@kernel
def _copy(row: Cards, other: Cards) -> None:
    for at in range(len(row)):
        row[at] = other[at]


@kernel
def _replace(row: Cards, other: Cards, wanted: Cards, by: Cards) -> None:
    """Where ``other`` is what is wanted, the row has instead what ``by`` says."""
    for at in range(len(row)):
        kept, new = row[at], by[at]
        row[at] = new if other[at] == wanted[at] else kept


@kernel
def _any_below(rests: NDArray[np.uint32], refused: np.uint32) -> bool:
    found = 0
    for at in range(len(rests)):
        found |= int(rests[at] < refused)
    return found != 0


@kernel
def _draw(cards: Cards, at: int, rests: NDArray[np.uint32], drawn: int, many: int, deck: int) -> None:
    """Draw ``many`` cards for some rounds from ``at`` on; ``rests`` has a number for each of them."""
    for card in range(drawn, drawn + many):
        _draw_one(cards[card][at : at + len(rests)], rests, deck - card)


@kernel
def _lay(cards: Cards, deck: int) -> None:
    """From places among the cards that are left to places in the deck: whenever a card is drawn, the last one of those
    left takes its place."""
    drawn, lasts = np.empty_like(cards), np.empty_like(cards)
    for card in range(len(cards)):
        _copy(drawn[card], cards[card])
        for before in range(card):
            _replace(cards[card], drawn[before], drawn[card], lasts[before])
        last = np.full_like(cards[0], deck - 1 - card)
        _copy(lasts[card], last)
        for before in range(card):
            _replace(lasts[card], drawn[before], last, lasts[before])


@kernel
def deal(cards: Cards, deck: int, seed: np.uint64, block: int, part: int, stream: int = 0) -> None:
    """Deal to rounds ``part * ROUNDS`` up to the next part of a block, as many cards as there are rows."""
    needed = words_needed(deck, len(cards))
    at_once = _WORDS // needed  # rounds that one counter serves
    columns = ROUNDS // at_once
    words = np.empty((_WORDS, columns), np.uint32)
    fill(words, part * columns, block, stream, 0, seed)
    for share in range(at_once):
        drawn = 0
        for row in range(share * needed, (share + 1) * needed):
            many, ways = _drawn_from_one(deck, drawn, len(cards))
            _draw(cards, share * columns, words[row], drawn, many, deck)
            refused = np.uint32((1 << 32) % ways)
            if _any_below(words[row], refused):
                for at in range(columns):
                    if words[row, at] >= refused:
                        continue
                    rest = _fair_number(part * columns + at, row, ways, block, stream, seed)
                    _draw(cards, share * columns + at, rest, drawn, many, deck)
            drawn += many
    _lay(cards, deck)


@kernel
def _fair_number(counter: int, row: int, ways: int, block: int, stream: int, seed: np.uint64) -> NDArray[np.uint32]:
    """The next number in place of one that is thrown away."""
    words, attempt = np.empty((_WORDS, 1), np.uint32), 0
    ways_then = np.uint64(ways)
    while True:
        attempt += 1
        fill(words, counter, block, stream, attempt, seed)
        if (np.uint64(words[row, 0]) * ways_then) & _LOW >= np.uint64(1 << 32) % ways_then:
            fair: NDArray[np.uint32] = words[row].copy()
            return fair


LANES: Final = 4
"""Rows to count in: the processor need not wait for a count before it adds to the next one."""


class Block(NamedTuple):
    """Rounds that a kernel is to play, and where it notes how their wagers end."""

    seed: np.uint64
    number: int
    rounds: int
    columns: NDArray[np.int64]
    """By the kernel's number of a wager: its row among those that are offered, or -1."""
    starts: Counts
    """Where the counts of each offered wager begin; last, how many counts there are."""
    counts: NDArray[np.int64]
    """In ``LANES`` rows, which add up to the count."""
    listed: Places
    """Where it has rows, it gets one a round: how each wager ended."""


@kernel
def parts(rounds: int) -> int:
    """In how many parts so many rounds are dealt."""
    return (rounds + ROUNDS - 1) // ROUNDS


@kernel
def count_places(places: Places | NDArray[np.int64], counts: NDArray[np.int64], start: int) -> None:
    """Add the places to counts in ``LANES`` rows, beginning in column ``start``."""
    whole = len(places) // LANES * LANES
    for at in range(0, whole, LANES):
        for lane in range(LANES):
            counts[lane, start + places[at + lane]] += 1
    for at in range(whole, len(places)):
        counts[0, start + places[at]] += 1


@kernel
def note(ends: Places, part: int, block: Block) -> None:
    """Note how the wagers ended in a part of a block, a row of ``ends`` each."""
    played = min(ROUNDS, block.rounds - part * ROUNDS)
    counts, starts, listed = block.counts, block.starts, block.listed
    for wager in range(len(ends)):
        count_places(ends[wager][:played], counts, starts[wager])
    if len(listed):
        for at in range(played):
            listed[part * ROUNDS + at] = ends[:, at]


# Rounds that were dealt elsewhere, a row each, are judged by the same kernels.


@kernel
def take_part(dealt: Cards, part: int, cards: Cards) -> int:
    """Lay a part of many rounds in columns, as many cards as there are rows; and how many rounds it has."""
    here = min(ROUNDS, len(dealt) - part * ROUNDS)
    for at in range(here):
        for card in range(len(cards)):
            cards[card, at] = dealt[part * ROUNDS + at, card]
    return here


@kernel
def put_part(ends: Places, part: int, here: int, found: NDArray[np.int32]) -> None:
    """Note how the wagers ended in such a part."""
    for wager in range(len(ends)):
        for at in range(here):
            found[wager, part * ROUNDS + at] = ends[wager, at]
