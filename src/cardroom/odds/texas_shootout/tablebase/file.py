"""The tablebase: counts from the totals over all boards, and the file that contains them.

For each hand and each way to split it, the counts give the joint results of both pairs. A hand represents all hands
that differ from it in suits only. Its cards ascend; a split is numbered as in ``hands_and_boards``: the lowest card
with the second, third, or last, and the other two.

The file has a line of text, a line that describes the content, then the hands and their counts. A count is below 2**72
and takes nine bytes. Of the nine results of a split, the file leaves out the one in which both hands lose: it is the
remainder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.errors import BadInput
from cardroom.hands import SIX_DECK
from cardroom.odds.texas_shootout.tablebase.board_totals import (
    BOARDS,
    BOTH_TIE,
    BOTH_WIN_TWICE,
    SUM_COUNT,
    TIES,
    TIES_OTHER_WINS,
    WINS,
    Orbits,
)
from cardroom.odds.texas_shootout.tablebase.shoe import BOARD, SHARES, SIX_DECKS, SUIT_ORDERS, TablebaseShoe
from cardroom.odds.texas_shootout.tablebase.wide_integers import (
    BYTE_COUNT,
    LIMB_COUNT,
    Limbs,
    decode_limbs,
    to_ints,
    to_limbs,
)

SPLITS: Final = (((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2)))
"""The places of the first and of the second pair."""

LOSS, TIE, WIN = range(3)

JointCounts: TypeAlias = tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]
"""Sixths of deals by result of the first pair and result of the second."""


class CountMismatch(BadInput):
    """The sums cannot be those of every deal."""


class HandCounts(NamedTuple):
    """One hand and its three splits."""

    hand: tuple[int, int, int, int]
    splits: tuple[JointCounts, JointCounts, JointCounts]


def representative_hands(shoe: TablebaseShoe) -> list[tuple[int, int, int, int]]:
    """The first hand of each class of hands that differ in suits only, in order of the highest card, then the next."""
    hands = np.array(list(combinations_with_replacement(range(shoe.kinds), 4)), np.int64)
    numbers = _numbers(hands)
    is_representative = np.ones(len(hands), np.bool_)
    for change in shoe.exchanges:
        is_representative &= numbers <= _numbers(np.sort(change[hands], axis=1))
    for at in range(4 - shoe.copies):  # a small shoe does not have every hand
        is_representative &= hands[:, at] != hands[:, at + shoe.copies]
    representatives = hands[is_representative][np.argsort(numbers[is_representative])]
    return [(a, b, c, d) for a, b, c, d in representatives.tolist()]


def _numbers(hands: NDArray[np.int64]) -> NDArray[np.int64]:
    """Hand numbers in the order of ``hand_number``, with ascending cards."""
    a, b, c, d = hands.T
    numbers: NDArray[np.int64] = ((d * 64 + c) * 64 + b) * 64 + a
    return numbers


def hand_counts(shoe: TablebaseShoe, orbits: Orbits, totals: NDArray[np.object_]) -> Iterator[HandCounts]:
    """All hands in order. ``totals`` has the sums by orbit over all boards, weighted by their deals."""
    for hand in representative_hands(shoe):
        first, second, third = (_Split(shoe, orbits, totals, hand, split).joint() for split in range(3))
        yield HandCounts(hand, (first, second, third))


class _Split:
    """One way to split a hand into p and q."""

    def __init__(
        self, shoe: TablebaseShoe, orbits: Orbits, totals: NDArray[np.object_], hand: tuple[int, ...], split: int
    ) -> None:
        p, q = (tuple(hand[place] for place in places) for places in SPLITS[split])
        self._pair, self._other = int(shoe.pair_numbers[p]), int(shoe.pair_numbers[q])
        self._orbits, self._totals, self._shoe = orbits, totals, shoe
        self._ways = shoe.ordered_combinations((*p, *q))

    def _sum(self, sum_index: int, *, is_reversed: bool = False) -> int:
        """The counts of one hand: the sums cover the whole orbit and all orders in which the hand can be dealt."""
        pair, other = (self._other, self._pair) if is_reversed else (self._pair, self._other)
        orbit = self._orbits.numbers[pair, other]
        quotient, rest = divmod(int(self._totals[orbit, sum_index]), int(self._orbits.sizes[orbit]) * self._ways)
        if rest:
            raise CountMismatch("The sums of equal hands differ: a piece of the count is damaged.")
        return quotient

    def joint(self) -> JointCounts:
        """The joint results of both pairs."""
        shoe = self._shoe
        if self._sum(BOARDS) != comb(shoe.cards - 4, BOARD):
            raise CountMismatch("The count does not cover all boards: a piece of the count is missing.")
        both_win = (self._sum(BOTH_WIN_TWICE) + self._sum(BOTH_WIN_TWICE, is_reversed=True)) // 2
        tie_win, win_tie = self._sum(TIES_OTHER_WINS), self._sum(TIES_OTHER_WINS, is_reversed=True)
        both_tie = self._sum(BOTH_TIE)
        tie_loss = self._sum(TIES) - tie_win - both_tie
        loss_tie = self._sum(TIES, is_reversed=True) - win_tie - both_tie
        win_loss = self._sum(WINS) - both_win - win_tie
        loss_win = self._sum(WINS, is_reversed=True) - both_win - tie_win
        other_counts = both_win + tie_win + win_tie + both_tie + tie_loss + loss_tie + win_loss + loss_win
        both_lose = SHARES * shoe.hand_deals - other_counts
        return (both_lose, loss_tie, loss_win), (tie_loss, both_tie, tie_win), (win_loss, win_tie, both_win)


def zero_totals(orbits: Orbits) -> NDArray[np.object_]:
    """Empty sums: integers of any size."""
    return np.zeros((len(orbits.sizes), SUM_COUNT), dtype=object)


HEADER: Final = b"Texas Shootout: every deal of six decks, counted by Cardroom\n"
_CELLS: Final = 8
_HAND: Final = 4

Cells: TypeAlias = NDArray[np.uint8]


class BadTablebase(BadInput):
    """The file is not a complete tablebase."""


class HandPlace(NamedTuple):
    """A hand in the tablebase."""

    number: int
    order: list[int]
    """The requested card at each place of the representative hand."""


class Tablebase:
    """The counts of all hands, read on demand."""

    def __init__(self, body: bytes, hands: int, digest: str, rules: str, shoe: TablebaseShoe = SIX_DECKS) -> None:
        self.digest = digest
        """SHA-256 of the hands and counts."""
        self.rules = rules
        """A digest of the rules of the count."""
        self.shoe = shoe
        self._all = SHARES * shoe.hand_deals
        self.hands: NDArray[np.uint8] = np.frombuffer(body, np.uint8, hands * _HAND).reshape(hands, _HAND)
        """The codes of the representative hands, in ascending order."""
        cells = np.frombuffer(body, np.uint8, offset=hands * _HAND)
        self._cells: Cells = cells.reshape(hands, 3, _CELLS, BYTE_COUNT)

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def deals(self) -> int:
        """Sixths of deals per hand: the sum of all counts of a split."""
        return self._all

    def locate(self, codes: Sequence[int]) -> HandPlace:
        """The position of a hand's class."""
        best, order = min(
            (tuple(reversed([card for card, _ in cards])), [at for _, at in cards])
            for cards in (
                sorted((code & ~3 | suits[code & 3], at) for at, code in enumerate(codes)) for suits in SUIT_ORDERS
            )
        )
        return HandPlace(self._numbers[bytes(reversed(best))], order)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {hand.tobytes(): number for number, hand in enumerate(self.hands)}

    def joint_counts(self, hand: int) -> list[int]:
        """Sixths of deals for the hand with this number, by split, result of the first pair, and result of the second
        (loss, tie, win): 27 numbers."""
        return to_ints(self._complete_cells(self._cells[hand : hand + 1]).reshape(-1, LIMB_COUNT))

    def all_joint_counts(self) -> Limbs:
        """The same for all hands, in limbs: by hand, split, and ``3 * first result + second result``."""
        return self._complete_cells(self._cells)

    def _complete_cells(self, cells: Cells) -> Limbs:
        stored = decode_limbs(cells)
        rest = to_limbs(self._all) - stored.sum(axis=2)
        return np.concatenate([rest[:, :, None], stored], axis=2)


def encode_tablebase(counts: Sequence[HandCounts], shoe: TablebaseShoe = SIX_DECKS) -> bytes:
    """The whole file."""
    hands = bytes(int(shoe.codes[card]) for record in counts for card in record.hand)
    cells = b"".join(
        cell.to_bytes(BYTE_COUNT, "little")
        for record in counts
        for joint in record.splits
        for cell in [cell for row in joint for cell in row][1:]
    )
    body = hands + cells
    header = {
        "ranks": shoe.ranks,
        "copies": shoe.copies,
        "hands": len(counts),
        "rules": rules_digest(shoe),
        "sha256": sha256(body).hexdigest(),
    }
    return HEADER + json.dumps(header).encode() + b"\n" + body


def decode_tablebase(data: bytes) -> Tablebase:
    """Read the tablebase from a file. Raises an error if it is not complete."""
    if not data.startswith(HEADER):
        raise BadTablebase("This is not a tablebase of Texas Shootout: 'cardroom tablebase build' writes one.")
    line, _, body = data[len(HEADER) :].partition(b"\n")
    try:
        header: dict[str, Any] = json.loads(line)
        hands, digest, rules = int(header["hands"]), str(header["sha256"]), str(header["rules"])
        shoe = TablebaseShoe(tuple(header["ranks"]), int(header["copies"]))
    except (ValueError, KeyError, TypeError):
        raise BadTablebase("The second line of the tablebase does not describe its content: build it again.") from None
    if sha256(body).hexdigest() != digest:
        raise BadTablebase(
            "The tablebase is damaged: its counts do not match its digest. Build it again with "
            "'cardroom tablebase build'."
        )
    if len(body) != hands * (_HAND + 3 * _CELLS * BYTE_COUNT):
        raise BadTablebase("The tablebase does not have as many counts as its hands need: build it again.")
    return Tablebase(body, hands, digest, rules, shoe)


def read_tablebase(path: Path) -> Tablebase:
    """The tablebase at a path."""
    try:
        return decode_tablebase(path.read_bytes())
    except OSError as fault:
        raise BadTablebase(f"The tablebase {path} cannot be read: {fault.strerror}.") from None


def rules_digest(shoe: TablebaseShoe) -> str:
    """A digest of the rules that a count depends on: the order of the house way, and the ranking of hands."""
    _, preference_order = np.unique(shoe.pair_preferences, return_inverse=True)
    classes = repr([(hand_class.category.name, hand_class.ranks) for hand_class in SIX_DECK.classes])
    return sha256(preference_order.astype("<i4").tobytes() + classes.encode()).hexdigest()


SHIPPED_FILE: Final = Path(__file__).with_name("six-decks.counts")


@cache
def tablebase() -> Tablebase:
    """The tablebase that comes with the program."""
    return read_tablebase(SHIPPED_FILE)
