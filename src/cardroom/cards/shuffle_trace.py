"""The shuffle of a round done again the long way, with every number on the way to the order of the cards.

It uses nothing of the shuffle that deals: SHA-256 and HMAC are the language's, ChaCha20 is worked out here as RFC 8439
writes it, and each card changes places one by one. So what both of them give was found in two ways.

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
    """A card changes places with one of those up to itself."""

    number: int
    """From the stream, of 32 bits."""
    below: int
    """How many places there are to choose from; the card of the last of them moves."""
    drawn: int
    """The place that it changes with, counted from zero: what is left of the number when it is divided."""


class ShuffleTrace(NamedTuple):
    """All that comes out on the way."""

    commitment: str
    message: bytes
    """What is authenticated under the round's key to make the key of the stream."""
    stream_key: str
    draws: tuple[Draw, ...]
    rejected_count: int
    """Numbers that would have favoured small ones, and were not used."""
    order: tuple[Card, ...]


def trace_shuffle(key: bytes, round_name: str, player_seeds: Mapping[int, str], deck: Deck) -> ShuffleTrace:
    """Shuffle a deck as a round's key, its name and the players' words by seat say."""
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
    """The key stream of ChaCha20 with a nonce of zeros, as numbers of 32 bits."""
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
