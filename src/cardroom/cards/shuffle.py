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
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms

from cardroom.cards.card import Card
from cardroom.cards.deck import Deck
from cardroom.faults import BadInput

KEY_BYTES: Final = 32
_WORD_BYTES: Final = 4
_WORDS_AT_ONCE: Final = 256
_LABEL: Final = b"cardroom shuffle 1\x00"

T = TypeVar("T")


class RandomSource(Protocol):
    """Where random numbers come in from outside."""

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``, each equally likely."""
        ...


class ChaCha20Source:
    """The ChaCha20 key stream as whole numbers: same key, same numbers."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise BadInput(f"A shuffle key has {KEY_BYTES} bytes; this one has {len(key)}.")
        # The key serves one stream only, so the nonce (with the block counter in front) can be all zeros.
        self._stream = Cipher(algorithms.ChaCha20(key, bytes(16)), mode=None).encryptor()
        self._words: Iterator[int] = iter(())

    @classmethod
    def seeded(cls, seed: int | str) -> ChaCha20Source:
        """A source that anyone can set up again from a short seed: for replays and tests, never for money."""
        return cls(key_from_seed(seed))

    def _word(self) -> int:
        for word in self._words:
            return word
        block = self._stream.update(bytes(_WORD_BYTES * _WORDS_AT_ONCE))
        self._words = (
            int.from_bytes(block[at : at + _WORD_BYTES], "little") for at in range(0, len(block), _WORD_BYTES)
        )
        return self._word()

    def below(self, bound: int) -> int:
        if not 0 < bound <= 1 << 32:
            raise BadInput(f"A random number is drawn below a bound from 1 to 2**32; {bound} is not one.")
        # Words past the last whole multiple of the bound would favour small numbers, so they are drawn again.
        limit = (1 << 32) - (1 << 32) % bound
        while True:
            word = self._word()
            if word < limit:
                return word % bound


def key_from_seed(seed: int | str) -> bytes:
    """A shuffle key from a short seed, for replays and tests."""
    return hashlib.sha256(b"cardroom seed 1\x00" + str(seed).encode()).digest()


def shuffled(items: Sequence[T], source: RandomSource) -> tuple[T, ...]:
    """Fisher and Yates' shuffle: every order is equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = source.below(last + 1)
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

    def shuffle(self, deck: Deck) -> tuple[Card, ...]:
        """The order of the cards in this round."""
        # The name goes into the stream's key too, so that a key used twice by mistake gives two orders.
        stream_key = hmac.digest(self.key, _LABEL + self.round_name.encode(), "sha256")
        return shuffled(deck.cards(), ChaCha20Source(stream_key))

    def opens(self, commitment: str) -> bool:
        """Whether this is the key and round that the commitment was made for."""
        return hmac.compare_digest(self.commitment.encode(), commitment.encode())
