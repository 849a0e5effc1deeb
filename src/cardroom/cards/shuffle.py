"""Shuffles that anyone can check, and the random numbers behind them.

Each round has a secret key of 32 bytes. The card room shows the commitment (a SHA-256 of the key and the round's name)
before the deal and the key after it. Anyone who has the key can recompute the order of the cards: ChaCha20 (RFC 8439)
with that key gives the random numbers, and a Fisher-Yates shuffle uses them without bias.

The key stream comes from the cryptography package where it is installed, and is computed here where it is not. Both
give the same bytes. A key serves one stream only, so the nonce and the first counter are zero.

>>> seal = Seal(bytes(32), "table 1, round 7")
>>> shown_before_the_deal = seal.commitment
>>> order = seal.shuffle(Deck.ONE)
>>> seal.matches(shown_before_the_deal)
True
>>> Seal(bytes(32), "table 1, round 7").shuffle(Deck.ONE) == order
True
>>> Seal(bytes(32), "table 1, round 8").matches(shown_before_the_deal)
False

A player can add a seed after the commitment is shown. It goes into the shuffle, so the card room cannot choose the
order beforehand.

>>> seeded = seal.shuffle(Deck.ONE, {1: "swordfish", 4: "plum"})
>>> seeded == order, seeded == seal.shuffle(Deck.ONE, {4: "plum", 1: "swordfish"})
(False, True)
>>> seeded == seal.shuffle(Deck.ONE, {1: "swordfishp", 4: "lum"})
False
>>> seal.shuffle(Deck.ONE, {1: ""}) == order
True
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from operator import mod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from cardroom.cards.card import Card
from cardroom.cards.deck import Deck
from cardroom.errors import BadInput

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_BLOCK_BYTES: Final = 64
_CONSTANTS: Final = struct.unpack("<4I", b"expand 32-byte k")
_DOUBLE_ROUNDS: Final = 10
_BLOCKS_PER_READ: Final = 64
"""NumPy takes about as long for this many as for one."""


def chacha20_stream(key: bytes) -> Callable[[int], bytes]:
    """A function that returns the next bytes of the stream."""
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
    except ImportError:
        return numpy_chacha20_stream(key)
    stream = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()
    return lambda count: stream.update(bytes(count))


def numpy_chacha20_stream(key: bytes) -> Callable[[int], bytes]:
    """The same stream without the cryptography package."""
    counters = count(0, _BLOCKS_PER_READ)
    buffer = b""

    def read(count: int) -> bytes:
        nonlocal buffer
        while len(buffer) < count:
            buffer += chacha20_blocks(key, next(counters), _BLOCKS_PER_READ)
        result, buffer = buffer[:count], buffer[count:]
        return result

    return read


def chacha20_blocks(key: bytes, first_counter: int, count: int, nonce: bytes = bytes(12)) -> bytes:
    """Blocks of the stream from a counter on, computed in parallel arrays.

    >>> chacha20_blocks(bytes(32), 0, 1).hex()[:32]
    '76b8e0ada0f13d90405d6ae55386bd28'
    """
    import numpy as np

    if first_counter + count > 1 << 32:
        raise OverflowError("a ChaCha20 key gives no more than 2**32 blocks")
    initial_state = np.empty((16, count), np.uint32)
    initial_state[:12] = np.array(_CONSTANTS + struct.unpack("<8I", key), np.uint32)[:, None]
    initial_state[12] = np.arange(first_counter, first_counter + count, dtype=np.uint64)
    initial_state[13:] = np.array(struct.unpack("<3I", nonce), np.uint32)[:, None]
    a, b, c, d = initial_state.copy().reshape(4, 4, count)
    for _ in range(_DOUBLE_ROUNDS):
        _quarter_rounds(a, b, c, d)  # of the four columns
        b, c, d = np.roll(b, -1, 0), np.roll(c, -2, 0), np.roll(d, -3, 0)
        _quarter_rounds(a, b, c, d)  # of the four diagonals
        b, c, d = np.roll(b, 1, 0), np.roll(c, 2, 0), np.roll(d, 3, 0)
    words = np.concatenate([a, b, c, d]) + initial_state
    return words.T.astype("<u4").tobytes()


def _quarter_rounds(a: NDArray[np.uint32], b: NDArray[np.uint32], c: NDArray[np.uint32], d: NDArray[np.uint32]) -> None:
    """RFC 8439, 2.1, in place."""
    for target, addend, rotated, shift in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        target += addend
        rotated ^= target
        rotated[:] = rotated << shift | rotated >> (32 - shift)


KEY_BYTES: Final = 32
_WORD_BYTES: Final = 4
_WORDS_PER_READ: Final = 256
_LABEL: Final = b"cardroom shuffle 1\x00"
_LABEL_WITH_SEEDS: Final = b"cardroom shuffle 1 with words\x00"
_NO_SEEDS: Final[Mapping[int, str]] = MappingProxyType({})

T = TypeVar("T")


class RandomSource(Protocol):
    """A source of random numbers, chosen by the caller."""

    def draw_below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``, each equally likely."""
        ...


def key_stream(key: bytes, chunk_bytes: int = 1 << 16) -> Iterator[bytes]:
    """The endless key stream behind ``ChaCha20Source``, in chunks."""
    stream = _checked_stream(key)
    while True:
        yield stream(chunk_bytes)


def _checked_stream(key: bytes) -> Callable[[int], bytes]:
    if len(key) != KEY_BYTES:
        raise BadInput(f"A shuffle key has {KEY_BYTES} bytes; this one has {len(key)}.")
    return chacha20_stream(key)


class ChaCha20Source:
    """The ChaCha20 key stream as whole numbers: same key, same numbers."""

    def __init__(self, key: bytes) -> None:
        self._stream = _checked_stream(key)
        self._words: tuple[int, ...] = ()
        self._position = 0

    @classmethod
    def from_seed(cls, seed: int | str) -> ChaCha20Source:
        """A source from a short seed that anyone can repeat: for replays and tests, never for money."""
        return cls(key_from_seed(seed))

    def _next_words(self, count: int) -> tuple[int, ...]:
        """The next words of the stream, each of 32 bits; the first byte of a word is its lowest."""
        if self._position + count > len(self._words):
            word_count = max(count, _WORDS_PER_READ)
            block = self._stream(_WORD_BYTES * word_count)
            self._words = self._words[self._position :] + struct.unpack(f"<{word_count}I", block)
            self._position = 0
        self._position += count
        return self._words[self._position - count : self._position]

    def draw_below(self, bound: int) -> int:
        """The next whole number of the stream from 0 to ``bound - 1``, each equally likely."""
        if not 0 < bound <= 1 << 32:
            raise BadInput(f"The bound of a random number is from 1 to 2**32, not {bound}.")
        limit = _unbiased_limit(bound)
        while True:
            (word,) = self._next_words(1)
            if word < limit:
                return word % bound

    def draw_below_each(self, bounds: range) -> list[int]:
        """A number below each bound, the same as repeated ``draw_below``."""
        words, start = self._next_words(len(bounds)), self._position - len(bounds)
        if max(words, default=0) < _lowest_limit(bounds):
            return list(map(mod, words, bounds))
        # A word may have to be drawn again: this happens once in tens of thousands of shuffles.
        self._position = start
        return list(map(self.draw_below, bounds))


def _unbiased_limit(bound: int) -> int:
    """Words past the last whole multiple of the bound would favor small numbers, so they are drawn again."""
    return (1 << 32) - (1 << 32) % bound


@cache
def _lowest_limit(bounds: range) -> int:
    return min(map(_unbiased_limit, bounds), default=1)


def key_from_seed(seed: int | str) -> bytes:
    """A shuffle key from a short seed, for replays and tests."""
    return hashlib.sha256(b"cardroom seed 1\x00" + str(seed).encode()).digest()


def shuffle_items(items: Sequence[T], source: RandomSource) -> tuple[T, ...]:
    """The Fisher-Yates shuffle: every order is equally likely."""
    order = list(items)
    bounds = range(len(order), 1, -1)
    indexes = source.draw_below_each(bounds) if isinstance(source, ChaCha20Source) else map(source.draw_below, bounds)
    for last, index in zip(range(len(order) - 1, 0, -1), indexes, strict=True):
        order[last], order[index] = order[index], order[last]
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Seal:
    """The secret key of a round, and the name of the round."""

    key: bytes = field(repr=False)
    round_name: str

    def __post_init__(self) -> None:
        if len(self.key) != KEY_BYTES:
            raise BadInput(f"A shuffle key has {KEY_BYTES} bytes; this one has {len(self.key)}.")

    @property
    def commitment(self) -> str:
        """The value to show before the deal: it fixes the order of the cards and does not reveal it."""
        return hashlib.sha256(_LABEL + self.key + self.round_name.encode()).hexdigest()

    def shuffle(self, deck: Deck, player_seeds: Mapping[int, str] = _NO_SEEDS) -> tuple[Card, ...]:
        """The order of the cards in this round. ``player_seeds`` are by seat; an empty seed counts as none."""
        return shuffle_items(deck.cards(), ChaCha20Source(self.stream_key(player_seeds)))

    def stream_key(self, player_seeds: Mapping[int, str] = _NO_SEEDS) -> bytes:
        """The key of the stream of random numbers."""
        # The name is part of the stream's key, so that a key used twice by mistake gives two orders.
        encoded_name = self.round_name.encode()
        encoded_seeds = [
            (seat, player_seeds[seat].encode("utf-8", "surrogatepass"))
            for seat in sorted(player_seeds)
            if player_seeds[seat]
        ]
        if not encoded_seeds:
            return hmac.digest(self.key, _LABEL + encoded_name, "sha256")
        # Each text follows its length, so that no letter can move from one seat's seed to another's unnoticed.
        seed_block = b"".join(struct.pack(">II", seat, len(seed)) + seed for seat, seed in encoded_seeds)
        return hmac.digest(
            self.key, _LABEL_WITH_SEEDS + struct.pack(">I", len(encoded_name)) + encoded_name + seed_block, "sha256"
        )

    def matches(self, commitment: str) -> bool:
        """Whether the commitment is that of this key and round."""
        return hmac.compare_digest(self.commitment.encode(), commitment.encode())
