"""The shuffle of a round done again the long way, with every number on the way to the order of the cards.

It uses nothing of the shuffle that deals: SHA-256 and HMAC are the language's, ChaCha20 is worked out here as RFC 8439
writes it, and each card changes places one by one. So what both of them give was found in two ways.

>>> by_hand = shuffle_by_hand(bytes(32), "prime-1.1", {1: "plum"}, Deck.ONE)
>>> from cardroom.cards.shuffle import Seal
>>> seal = Seal(bytes(32), "prime-1.1")
>>> by_hand.seal == seal.commitment, by_hand.order == seal.shuffle(Deck.ONE, {1: "plum"})
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
LABEL_WITH_WORDS: Final = b"cardroom shuffle 1 with words\x00"
_WORD: Final = 0xFFFFFFFF
_COLUMNS: Final = tuple((at, 4 + at, 8 + at, 12 + at) for at in range(4))
_DIAGONALS: Final = tuple((at, 4 + (at + 1) % 4, 8 + (at + 2) % 4, 12 + (at + 3) % 4) for at in range(4))


class Draw(NamedTuple):
    """A card changes places with one of those up to itself."""

    number: int
    """From the stream, of 32 bits."""
    below: int
    """How many places there are to choose from; the card of the last of them moves."""
    drawn: int
    """The place that it changes with, counted from zero: what is left of the number when it is divided."""


class ShuffleByHand(NamedTuple):
    """All that comes out on the way."""

    seal: str
    message: bytes
    """What is authenticated under the round's key to make the key of the stream."""
    stream_key: str
    draws: tuple[Draw, ...]
    left_out: int
    """Numbers that would have favoured small ones, and were not used."""
    order: tuple[Card, ...]


def shuffle_by_hand(key: bytes, round_name: str, words: Mapping[int, str], deck: Deck) -> ShuffleByHand:
    """Shuffle a deck as a round's key, its name and the players' words by seat say."""
    name = round_name.encode()
    message = _message(name, words)
    stream_key = hmac.digest(key, message, "sha256")
    numbers, order, draws, left_out = _numbers(stream_key), list(deck.cards()), list[Draw](), 0
    for below in range(len(order), 1, -1):
        number = next(numbers)
        while number >= 2**32 // below * below:
            number, left_out = next(numbers), left_out + 1
        drawn = number % below
        order[below - 1], order[drawn] = order[drawn], order[below - 1]
        draws.append(Draw(number, below, drawn))
    seal = hashlib.sha256(LABEL + key + name).hexdigest()
    return ShuffleByHand(seal, message, stream_key.hex(), tuple(draws), left_out, tuple(order))


def _message(name: bytes, words: Mapping[int, str]) -> bytes:
    said = [(seat, text.encode("utf-8", "surrogatepass")) for seat, text in sorted(words.items()) if text]
    if not said:
        return LABEL + name
    told = b"".join(struct.pack(">II", seat, len(text)) + text for seat, text in said)
    return LABEL_WITH_WORDS + struct.pack(">I", len(name)) + name + told


def _numbers(key: bytes) -> Iterator[int]:
    """The key stream of ChaCha20 with a nonce of zeros, as numbers of 32 bits."""
    constants, parts = struct.unpack("<4I", b"expand 32-byte k"), struct.unpack("<8I", key)
    counter = 0
    while True:
        start = (*constants, *parts, counter, 0, 0, 0)
        state = list(start)
        for _ in range(10):
            for quarter in (*_COLUMNS, *_DIAGONALS):
                _quarter_round(state, *quarter)
        yield from ((one + before) & _WORD for one, before in zip(state, start, strict=True))
        counter += 1


def _quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for x, y, z, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & _WORD
        mixed = state[z] ^ state[x]
        state[z] = (mixed << turn | mixed >> (32 - turn)) & _WORD
