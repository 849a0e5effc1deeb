"""The order of the cards, worked out again from a key that was shown: as the house describes it, by other means.

The seal is the SHA-256 of a label, the key and the round's name. The numbers are the ChaCha20 key stream (nonce and
counter zero) in words of 32 bits, lowest byte first, under a key that is the HMAC-SHA-256 of a label and the round's
name under the round's key. Where players said words, another label is used, the name has its length before it, and for
each seat that said something follow the seat, the length, the word; numbers of 32 bits, highest byte first. A fresh
deck lies by rank from the deuce and then by suit, clubs first; jokers at the end. From its last card to its second each
card is exchanged with one at or before its place: the number modulo how many there are, drawn again where the last,
incomplete multiple would favor some.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def seal(key: bytes, round_id: str) -> str:
    """What must have been shown before the first wager."""
    return hashlib.sha256(b"cardroom shuffle 1\0" + key + round_id.encode()).hexdigest()


def fresh(decks: int, jokers: int) -> list[str]:
    return [rank + suit for rank in RANKS for suit in SUITS] * decks + ["Jk"] * jokers


def order(key: bytes, round_id: str, words: Mapping[int, str], decks: int, jokers: int) -> list[str]:
    """All cards in the order in which they come."""
    numbers = _numbers(_stream_key(key, round_id, words))
    deck = fresh(decks, jokers)
    for last in reversed(range(1, len(deck))):
        many = last + 1
        whole = 2**32 // many * many
        number = next(one for one in numbers if one < whole)
        other = number % many
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def _stream_key(key: bytes, round_id: str, words: Mapping[int, str]) -> bytes:
    name = round_id.encode()
    said = {seat: word.encode() for seat, word in words.items() if word}
    if not said:
        return hmac.new(key, b"cardroom shuffle 1\0" + name, hashlib.sha256).digest()
    parts = [b"cardroom shuffle 1 with words\0", len(name).to_bytes(4, "big"), name]
    for seat in sorted(said):
        parts += [seat.to_bytes(4, "big"), len(said[seat]).to_bytes(4, "big"), said[seat]]
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def _numbers(key: bytes) -> Iterator[int]:
    stream = Cipher(ChaCha20(key, bytes(16)), mode=None).encryptor()
    while True:
        yield int.from_bytes(stream.update(bytes(4)), "little")
