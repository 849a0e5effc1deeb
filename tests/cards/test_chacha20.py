"""The key stream of shuffles is RFC 8439's, in every implementation."""

from __future__ import annotations

import sys

import pytest

from cardroom.cards import ChaCha20Source, Deck, Seal
from cardroom.cards.shuffle import chacha20_blocks, chacha20_stream, numpy_chacha20_stream

KEY = bytes(range(32))


def test_the_block_of_the_standard() -> None:
    """RFC 8439, 2.3.2."""
    expected = """
        10 f1 e7 e4 d1 3b 59 15 50 0f dd 1f a3 20 71 c4 c7 d1 f4 c7 33 c0 68 03 04 22 aa 9a c3 d4 6c 4e
        d2 82 64 46 07 9f aa 09 14 c2 d7 05 d9 8b 02 a2 b5 12 9c d1 de 16 4e b9 cb d0 83 e8 a2 50 3c 4e
    """
    assert chacha20_blocks(KEY, 1, 1, bytes.fromhex("000000090000004a00000000")) == bytes.fromhex(expected)


@pytest.mark.parametrize(
    ("key", "first", "nonce", "expected"),
    [
        # RFC 8439, A.1, test vectors 1 to 4: the first 16 bytes of each.
        (bytes(32), 0, bytes(12), "76b8e0ada0f13d90405d6ae55386bd28"),
        (bytes(32), 1, bytes(12), "9f07e7be5551387a98ba977c732d080d"),
        (bytes(31) + b"\x01", 1, bytes(12), "3aeb5224ecf849929b9d828db1ced4dd"),
        (b"\x00\xff" + bytes(30), 2, bytes(12), "72d54dfbf12ec44b362692df94137f32"),
    ],
)
def test_the_vectors_of_the_standard(key: bytes, first: int, nonce: bytes, expected: str) -> None:
    assert chacha20_blocks(key, first, 1, nonce)[:16].hex() == expected


def test_what_is_computed_here_is_what_the_library_of_ciphers_gives() -> None:
    theirs, ours = chacha20_stream(KEY), numpy_chacha20_stream(KEY)
    for wanted in (4, 1, 63, 64, 1024, 1664, 20_000, 7):
        assert ours(wanted) == theirs(wanted)


def test_a_shuffle_is_the_same_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    order = Seal(KEY, "round 7").shuffle(Deck.EIGHT, {1: "swordfish"})
    drawn = [ChaCha20Source.from_seed(3).draw_below(1 << 31) for _ in range(5)]
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    with pytest.raises(ImportError):
        import cryptography.hazmat.primitives.ciphers  # noqa: F401 (it is gone)
    assert Seal(KEY, "round 7").shuffle(Deck.EIGHT, {1: "swordfish"}) == order
    assert [ChaCha20Source.from_seed(3).draw_below(1 << 31) for _ in range(5)] == drawn


def test_a_key_ends() -> None:
    with pytest.raises(OverflowError):
        chacha20_blocks(KEY, (1 << 32) - 1, 2)
