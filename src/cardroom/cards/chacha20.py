"""The ChaCha20 key stream (RFC 8439), from the library of ciphers where that is installed, else computed here.

Both give the same bytes, so a shuffle can be checked on any machine. The key serves one stream only, so nonce and first
counter are zero.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK_BYTES: Final = 64
_CONSTANTS: Final = struct.unpack("<4I", b"expand 32-byte k")
_DOUBLE_ROUNDS: Final = 10
_BLOCKS_AT_ONCE: Final = 64
"""NumPy takes about as long for these as for one."""


def stream_of(key: bytes) -> Callable[[int], bytes]:
    """A function that gives the next so many bytes of the stream."""
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
    except ImportError:
        return computed_stream(key)
    stream = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()
    return lambda wanted: stream.update(bytes(wanted))


def computed_stream(key: bytes) -> Callable[[int], bytes]:
    """The same without the library of ciphers."""
    counters = count(0, _BLOCKS_AT_ONCE)
    left = b""

    def read(wanted: int) -> bytes:
        nonlocal left
        while len(left) < wanted:
            left += blocks(key, next(counters), _BLOCKS_AT_ONCE)
        found, left = left[:wanted], left[wanted:]
        return found

    return read


def blocks(key: bytes, first: int, number: int, nonce: bytes = bytes(12)) -> bytes:
    """So many blocks of the stream from a counter on, all computed side by side.

    >>> blocks(bytes(32), 0, 1).hex()[:32]
    '76b8e0ada0f13d90405d6ae55386bd28'
    """
    import numpy as np

    if first + number > 1 << 32:
        raise OverflowError("a ChaCha20 key gives no more than 2**32 blocks")
    begin = np.empty((16, number), np.uint32)
    begin[:12] = np.array(_CONSTANTS + struct.unpack("<8I", key), np.uint32)[:, None]
    begin[12] = np.arange(first, first + number, dtype=np.uint64)
    begin[13:] = np.array(struct.unpack("<3I", nonce), np.uint32)[:, None]
    a, b, c, d = begin.copy().reshape(4, 4, number)
    for _ in range(_DOUBLE_ROUNDS):
        _quarter_rounds(a, b, c, d)  # of the four columns
        b, c, d = np.roll(b, -1, 0), np.roll(c, -2, 0), np.roll(d, -3, 0)
        _quarter_rounds(a, b, c, d)  # of the four diagonals
        b, c, d = np.roll(b, 1, 0), np.roll(c, 2, 0), np.roll(d, 3, 0)
    words = np.concatenate([a, b, c, d]) + begin
    return words.T.astype("<u4").tobytes()


def _quarter_rounds(a: NDArray[np.uint32], b: NDArray[np.uint32], c: NDArray[np.uint32], d: NDArray[np.uint32]) -> None:
    """RFC 8439, 2.1, in place."""
    for one, other, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        one += other
        turned ^= one
        turned[:] = turned << by | turned >> (32 - by)
