"""Five cards on the board, alone and with two more: what kernels that go through millions of boards look up.

There are no branches here: a processor that cannot foresee them loses more time than the work they would save, and
references to the tables would be counted in each.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.strength import look_up
from cardroom.hands.tables import SUIT_SHIFT
from cardroom.kernels import inlined

_SUITS: Final = np.uint64(SUIT_SHIFT)
_NO_SUIT: Final = 4
_ONE: Final = np.uint64(1)


@inlined
def board_sums(
    a: int, b: int, c: int, d: int, e: int, keys: NDArray[np.uint64]
) -> tuple[np.uint64, int, np.uint64, int]:
    """Of the five cards of the board: the sum of their keys, the suit that three or more of them have (4 for none), and
    the sum and number of those."""
    total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
    counters = (total >> _SUITS) + np.uint64(0x5555)  # three cards of a suit set the top bit of its four
    suit = int(counters >> np.uint64(7) & _ONE) + 2 * int(counters >> np.uint64(11) & _ONE)
    suit += 3 * int(counters >> np.uint64(15) & _ONE) + _NO_SUIT * int(counters & np.uint64(0x8888) == 0)
    with_a, with_b, with_c, with_d, with_e = a & 3 == suit, b & 3 == suit, c & 3 == suit, d & 3 == suit, e & 3 == suit
    in_suit = keys[a] * np.uint64(with_a) + keys[b] * np.uint64(with_b) + keys[c] * np.uint64(with_c)
    in_suit += keys[d] * np.uint64(with_d) + keys[e] * np.uint64(with_e)
    return total, suit, in_suit, int(with_a) + with_b + with_c + with_d + with_e


@inlined
def best_of(
    a: int,
    b: int,
    board: tuple[np.uint64, int, np.uint64, int],
    keys: NDArray[np.uint64],
    unsuited: NDArray[np.uint16],
    suited: NDArray[np.uint16],
    rows: NDArray[np.uint16],
    shift: np.uint64,
    mask: np.uint64,
) -> np.uint16:
    """The strength of two cards with the board."""
    total, suit, in_suit, count = board
    with_a, with_b = a & 3 == suit, b & 3 == suit
    in_suit += keys[a] * np.uint64(with_a) + keys[b] * np.uint64(with_b)
    enough = count + with_a + with_b >= 5
    plain = look_up(total + keys[a] + keys[b], unsuited, rows, shift, mask)
    return max(plain, np.uint16(look_up(in_suit, suited, rows, shift, mask) * enough))
