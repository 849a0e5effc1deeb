"""The tablebase as one file: a line of words, a line that says what is in it, then the hands and their counts.

A count is below 2**72 and takes nine bytes. Of the nine results of a split, that both hands lose is what the others
leave.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.faults import BadInput
from cardroom.hands import SIX_DECK
from cardroom.odds.texas_shootout.tablebase.counts import HandCounts
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, SIX_DECKS, SUIT_ORDERS, Shoe
from cardroom.odds.texas_shootout.tablebase.whole import BYTES, PARTS, Parts, parts, parts_of, values_of

WORDS: Final = b"Texas Shootout: every deal of six decks, counted by Cardroom\n"
_CELLS: Final = 8
_HAND: Final = 4

Cells: TypeAlias = NDArray[np.uint8]


class BadTablebase(BadInput):
    """A file that is not a whole tablebase."""


class Placed(NamedTuple):
    """A hand in the tablebase."""

    number: int
    order: list[int]
    """By place of the hand that stands for the class: which of the cards asked for stands there."""


class Tablebase:
    """The counts of all hands, read when they are asked for."""

    def __init__(self, body: bytes, hands: int, digest: str, rules: str, shoe: Shoe = SIX_DECKS) -> None:
        self.digest = digest
        """SHA-256 of the hands and counts."""
        self.rules = rules
        """A digest of the rules that they were counted by."""
        self.shoe = shoe
        self._all = SHARES * shoe.hand_deals
        self.hands: NDArray[np.uint8] = np.frombuffer(body, np.uint8, hands * _HAND).reshape(hands, _HAND)
        """The codes of the hands that stand for their classes, in ascending order."""
        cells = np.frombuffer(body, np.uint8, offset=hands * _HAND)
        self._cells: Cells = cells.reshape(hands, 3, _CELLS, BYTES)

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def deals(self) -> int:
        """Deals of one hand, in sixths: all counts of a split together."""
        return self._all

    def place(self, codes: Sequence[int]) -> Placed:
        """Where a hand stands, whatever its suits."""
        best, order = min(
            (tuple(reversed([card for card, _ in cards])), [at for _, at in cards])
            for cards in (
                sorted((code & ~3 | suits[code & 3], at) for at, code in enumerate(codes)) for suits in SUIT_ORDERS
            )
        )
        return Placed(self._numbers[bytes(reversed(best))], order)

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return {hand.tobytes(): number for number, hand in enumerate(self.hands)}

    def joint(self, hand: int) -> list[int]:
        """Of the hand with this number, by split, result of the first pair and of the second (loss, tie, win): in how
        many sixths of deals; 27 numbers."""
        return values_of(self._whole(self._cells[hand : hand + 1]).reshape(-1, PARTS))

    def every_joint(self) -> Parts:
        """The same for all hands, in parts: by hand, split and ``3 * first result + second result``."""
        return self._whole(self._cells)

    def _whole(self, cells: Cells) -> Parts:
        some = parts_of(cells)
        rest = parts(self._all) - some.sum(axis=2)
        return np.concatenate([rest[:, :, None], some], axis=2)


def written(counts: Sequence[HandCounts], shoe: Shoe = SIX_DECKS) -> bytes:
    """The whole file."""
    hands = bytes(int(shoe.codes[card]) for one in counts for card in one.hand)
    cells = b"".join(
        cell.to_bytes(BYTES, "little")
        for one in counts
        for joint in one.splits
        for cell in [cell for row in joint for cell in row][1:]
    )
    body = hands + cells
    head = {
        "ranks": shoe.ranks,
        "copies": shoe.copies,
        "hands": len(counts),
        "rules": rules_digest(shoe),
        "sha256": sha256(body).hexdigest(),
    }
    return WORDS + json.dumps(head).encode() + b"\n" + body


def read(data: bytes) -> Tablebase:
    """The tablebase in a file; whatever is not whole is refused."""
    if not data.startswith(WORDS):
        raise BadTablebase("This is not a tablebase of Texas Shootout: 'cardroom tablebase build' writes one.")
    line, _, body = data[len(WORDS) :].partition(b"\n")
    try:
        head: dict[str, Any] = json.loads(line)
        hands, digest, rules = int(head["hands"]), str(head["sha256"]), str(head["rules"])
        shoe = Shoe(tuple(head["ranks"]), int(head["copies"]))
    except (ValueError, KeyError, TypeError):
        raise BadTablebase("The second line of the tablebase does not say what is in it: build it again.") from None
    if sha256(body).hexdigest() != digest:
        raise BadTablebase(
            "The tablebase is damaged: its counts do not have the digest that it names. Build it again with "
            "'cardroom tablebase build'."
        )
    if len(body) != hands * (_HAND + 3 * _CELLS * BYTES):
        raise BadTablebase("The tablebase does not hold as many counts as it names hands: build it again.")
    return Tablebase(body, hands, digest, rules, shoe)


def read_file(path: Path) -> Tablebase:
    """The tablebase at a path."""
    try:
        return read(path.read_bytes())
    except OSError as fault:
        raise BadTablebase(f"The tablebase {path} cannot be read: {fault.strerror}.") from None


def rules_digest(shoe: Shoe) -> str:
    """A digest of the rules that a count hangs on: what the house way wants before what, and how hands rank."""
    _, wanted = np.unique(shoe.wanted, return_inverse=True)
    classes = repr([(one.category.name, one.ranks) for one in SIX_DECK.classes])
    return sha256(wanted.astype("<i4").tobytes() + classes.encode()).hexdigest()


SHIPPED: Final = Path(__file__).with_name("six-decks.counts")


@cache
def tablebase() -> Tablebase:
    """The tablebase that comes with the program."""
    return read_file(SHIPPED)
