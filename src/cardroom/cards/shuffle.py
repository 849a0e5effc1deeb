"""Shuffles that anybody can check.

Each round has a secret key of 32 bytes from outside. The house shows the commitment (a SHA-256 of the key and of
the name of the round) before the deal and the key after it. Whoever has the key recomputes the order of the cards:
ChaCha20 with that key gives the random numbers, and Fisher and Yates' shuffle uses them without bias.

>>> seal = Seal(bytes(32), "table 1, round 7")
>>> shown_before_the_deal = seal.commitment
>>> order = seal.shuffle(Deck.ONE)
>>> seal.opens(shown_before_the_deal)
True
>>> Seal(bytes(32), "table 1, round 7").shuffle(Deck.ONE) == order
True
>>> Seal(bytes(32), "table 1, round 8").opens(shown_before_the_deal)
False

Players may have a say: a word of their own, said after the commitment was shown, goes into the shuffle, so that the
house cannot have chosen the order beforehand.

>>> with_words = seal.shuffle(Deck.ONE, {1: "swordfish", 4: "plum"})
>>> with_words == order, with_words == seal.shuffle(Deck.ONE, {4: "plum", 1: "swordfish"})
(False, True)
>>> with_words == seal.shuffle(Deck.ONE, {1: "swordfishp", 4: "lum"})
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
from operator import mod
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from cardroom.cards.card import Card
from cardroom.cards.chacha20 import stream_of
from cardroom.cards.deck import Deck
from cardroom.faults import BadInput

KEY_BYTES: Final = 32
_WORD_BYTES: Final = 4
_WORDS_AT_ONCE: Final = 256
_LABEL: Final = b"cardroom shuffle 1\x00"
_LABEL_WITH_WORDS: Final = b"cardroom shuffle 1 with words\x00"
_NO_WORDS: Final[Mapping[int, str]] = MappingProxyType({})

T = TypeVar("T")


class RandomSource(Protocol):
    """Where random numbers come in from outside."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``, each equally likely."""
        ...


def key_stream(key: bytes, piece: int = 1 << 16) -> Iterator[bytes]:
    """The bytes of which the numbers of ``ChaCha20Source`` are made, without end, a piece at a time."""
    stream = _stream(key)
    while True:
        yield stream(piece)


def _stream(key: bytes) -> Callable[[int], bytes]:
    if len(key) != KEY_BYTES:
        raise BadInput(f"A shuffle key has {KEY_BYTES} bytes; this one has {len(key)}.")
    return stream_of(key)


class ChaCha20Source:
    """The ChaCha20 key stream as whole numbers: same key, same numbers."""

    def __init__(self, key: bytes) -> None:
        self._stream = _stream(key)
        self._words: tuple[int, ...] = ()
        self._used = 0

    @classmethod
    def seeded(cls, seed: int | str) -> ChaCha20Source:
        """A source that anyone can set up again from a short seed: for replays and tests, never for money."""
        return cls(key_from_seed(seed))

    def _next(self, count: int) -> tuple[int, ...]:
        """The next words of the stream, each of 32 bits; the first byte of a word is its lowest."""
        if self._used + count > len(self._words):
            more = max(count, _WORDS_AT_ONCE)
            block = self._stream(_WORD_BYTES * more)
            self._words = self._words[self._used :] + struct.unpack(f"<{more}I", block)
            self._used = 0
        self._used += count
        return self._words[self._used - count : self._used]

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``, each equally likely; the next of the stream."""
        if not 0 < bound <= 1 << 32:
            raise BadInput(f"A random number is drawn below a bound from 1 to 2**32; {bound} is not one.")
        limit = _limit(bound)
        while True:
            (word,) = self._next(1)
            if word < limit:
                return word % bound

    def below_each(self, bounds: range) -> list[int]:
        """A number below each bound, as ``below`` gives them one after the other."""
        words, before = self._next(len(bounds)), self._used - len(bounds)
        if max(words, default=0) < _lowest_limit(bounds):
            return list(map(mod, words, bounds))
        # Some word may have to be drawn again, which is worth a look once in tens of thousands of shuffles.
        self._used = before
        return list(map(self.below, bounds))


def _limit(bound: int) -> int:
    """Words past the last whole multiple of the bound would favour small numbers, so they are drawn again."""
    return (1 << 32) - (1 << 32) % bound


@cache
def _lowest_limit(bounds: range) -> int:
    return min(map(_limit, bounds), default=1)


def key_from_seed(seed: int | str) -> bytes:
    """A shuffle key from a short seed, for replays and tests."""
    return hashlib.sha256(b"cardroom seed 1\x00" + str(seed).encode()).digest()


def shuffled(items: Sequence[T], source: RandomSource) -> tuple[T, ...]:
    """Fisher and Yates' shuffle: every order is equally likely."""
    order = list(items)
    bounds = range(len(order), 1, -1)
    others = source.below_each(bounds) if isinstance(source, ChaCha20Source) else map(source.below, bounds)
    for last, other in zip(range(len(order) - 1, 0, -1), others, strict=True):
        order[last], order[other] = order[other], order[last]
    return tuple(order)


@dataclass(frozen=True, slots=True)
class Seal:
    """A round's secret key together with the name of the round it is good for."""

    key: bytes = field(repr=False)
    round_name: str

    def __post_init__(self) -> None:
        if len(self.key) != KEY_BYTES:
            raise BadInput(f"A shuffle key has {KEY_BYTES} bytes; this one has {len(self.key)}.")

    @property
    def commitment(self) -> str:
        """What the house shows before the deal; it tells nothing of the order and fixes it."""
        return hashlib.sha256(_LABEL + self.key + self.round_name.encode()).hexdigest()

    def shuffle(self, deck: Deck, words: Mapping[int, str] = _NO_WORDS) -> tuple[Card, ...]:
        """The order of the cards in this round. ``words`` are the players', by seat; an empty one is none."""
        return shuffled(deck.cards(), ChaCha20Source(self.stream_key(words)))

    def stream_key(self, words: Mapping[int, str] = _NO_WORDS) -> bytes:
        """The key of the stream that the random numbers come from."""
        # The name goes into the stream's key too, so that a key used twice by mistake gives two orders.
        named = self.round_name.encode()
        said = [(seat, words[seat].encode("utf-8", "surrogatepass")) for seat in sorted(words) if words[seat]]
        if not said:
            return hmac.digest(self.key, _LABEL + named, "sha256")
        # Every text has its length before it, so that no letter can pass from one seat to another unnoticed.
        told = b"".join(struct.pack(">II", seat, len(word)) + word for seat, word in said)
        return hmac.digest(self.key, _LABEL_WITH_WORDS + struct.pack(">I", len(named)) + named + told, "sha256")

    def opens(self, commitment: str) -> bool:
        """Whether this is the key and round that the commitment was made for."""
        return hmac.compare_digest(self.commitment.encode(), commitment.encode())
