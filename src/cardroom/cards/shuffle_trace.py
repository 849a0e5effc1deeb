"""An independent shuffle of a round, with every intermediate number, to check the one that deals.

It shares no code with the shuffle that deals: SHA-256 and HMAC are Python's, ChaCha20 is computed here as in RFC 8439,
and cards are swapped one by one. Equal results come from two implementations.

>>> by_hand = trace_shuffle(bytes(32), "prime-1.1", {1: "plum"}, Deck.ONE)
>>> from cardroom.cards.shuffle import Seal
>>> seal = Seal(bytes(32), "prime-1.1")
>>> by_hand.commitment == seal.commitment, by_hand.order == seal.shuffle(Deck.ONE, {1: "plum"})
(True, True)
>>> by_hand.draws[0]
Draw(number=4102691366, below=52, drawn=46)
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cardroom.cards.card import Card
from cardroom.cards.deck import Deck

LABEL: Final = b"cardroom shuffle 1\x00"
LABEL_WITH_SEEDS: Final = b"cardroom shuffle 1 with words\x00"
_WORD_MASK: Final = 0xFFFFFFFF
_COLUMNS: Final = tuple((column, 4 + column, 8 + column, 12 + column) for column in range(4))
_DIAGONALS: Final = tuple(
    (column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4) for column in range(4)
)


class Draw(NamedTuple):
    """One swap of the Fisher-Yates shuffle."""

    number: int
    """A 32-bit number from the stream."""
    below: int
    """The number of positions to choose from; the card at the last of them is swapped."""
    drawn: int
    """The position that it is swapped with, from zero: the remainder of the number."""


class ShuffleTrace(NamedTuple):
    """All intermediate values of a shuffle."""

    commitment: str
    message: bytes
    """The HMAC message under the round's key that gives the key of the stream."""
    stream_key: str
    draws: tuple[Draw, ...]
    rejected_count: int
    """The count of numbers that were skipped because they would favor small positions."""
    order: tuple[Card, ...]


def trace_shuffle(key: bytes, round_name: str, player_seeds: Mapping[int, str], deck: Deck) -> ShuffleTrace:
    """Shuffle a deck with a round's key, its name, and the players' seeds by seat."""
    name = round_name.encode()
    message = _encode_message(name, player_seeds)
    stream_key = hmac.digest(key, message, "sha256")
    numbers, order, draws, rejected_count = _chacha20_words(stream_key), list(deck.cards()), list[Draw](), 0
    for bound in range(len(order), 1, -1):
        number = next(numbers)
        while number >= 2**32 // bound * bound:
            number, rejected_count = next(numbers), rejected_count + 1
        index = number % bound
        order[bound - 1], order[index] = order[index], order[bound - 1]
        draws.append(Draw(number, bound, index))
    commitment = hashlib.sha256(LABEL + key + name).hexdigest()
    return ShuffleTrace(commitment, message, stream_key.hex(), tuple(draws), rejected_count, tuple(order))


def _encode_message(name: bytes, player_seeds: Mapping[int, str]) -> bytes:
    encoded_seeds = [
        (seat, text.encode("utf-8", "surrogatepass")) for seat, text in sorted(player_seeds.items()) if text
    ]
    if not encoded_seeds:
        return LABEL + name
    seed_block = b"".join(struct.pack(">II", seat, len(text)) + text for seat, text in encoded_seeds)
    return LABEL_WITH_SEEDS + struct.pack(">I", len(name)) + name + seed_block


def _chacha20_words(key: bytes) -> Iterator[int]:
    """The ChaCha20 key stream with a nonce of zeros, as 32-bit numbers."""
    constants, parts = struct.unpack("<4I", b"expand 32-byte k"), struct.unpack("<8I", key)
    counter = 0
    while True:
        start = (*constants, *parts, counter, 0, 0, 0)
        state = list(start)
        for _ in range(10):
            for indexes in (*_COLUMNS, *_DIAGONALS):
                _quarter_round(state, *indexes)
        yield from ((word + initial_word) & _WORD_MASK for word, initial_word in zip(state, start, strict=True))
        counter += 1


def _quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & _WORD_MASK
        mixed = state[z] ^ state[x]
        state[z] = (mixed << turn | mixed >> (32 - turn)) & _WORD_MASK
