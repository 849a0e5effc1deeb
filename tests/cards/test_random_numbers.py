"""The numbers behind a shuffle: the right cipher, no favourite number, and refused keys."""

from __future__ import annotations

from collections import Counter

import pytest

from cardroom.cards import ChaCha20Source, key_from_seed
from cardroom.errors import BadInput

RFC_8439_KEY_STREAM = bytes.fromhex(
    # Appendix A.1, test vectors 1 and 2: key and nonce all zeros, blocks 0 and 1.
    "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
    "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"
)
ALL_WORDS = 1 << 32


def words(source: ChaCha20Source, count: int) -> list[int]:
    """The stream as it comes: below 2**32 no word is drawn again."""
    return [source.draw_below(ALL_WORDS) for _ in range(count)]


def test_the_stream_is_the_one_of_rfc_8439() -> None:
    drawn = words(ChaCha20Source(bytes(32)), len(RFC_8439_KEY_STREAM) // 4)
    assert b"".join(word.to_bytes(4, "little") for word in drawn) == RFC_8439_KEY_STREAM


@pytest.mark.parametrize("bound", [3 << 30, (1 << 31) + 1, (1 << 32) - 5, 52])
def test_words_past_the_last_whole_multiple_are_drawn_again(bound: int) -> None:
    """The bounds throw away a quarter, nearly half, hardly any and next to none of the words."""
    stream = words(ChaCha20Source.from_seed(7), 3000)
    last_multiple = ALL_WORDS // bound * bound
    kept = [word % bound for word in stream if word < last_multiple]
    source = ChaCha20Source.from_seed(7)
    assert [source.draw_below(bound) for _ in kept] == kept


def test_a_quarter_of_the_words_is_really_thrown_away_below_three_quarters() -> None:
    thrown = sum(word >= 3 << 30 for word in words(ChaCha20Source.from_seed(7), 3000))
    assert 600 < thrown < 900


def test_no_number_is_favoured() -> None:
    """Below 3 * 2**30 a source that kept every word would give the lowest third twice as often as the others.

    10 is the chi-square bound of 2 degrees of freedom that chance passes in 1 of 150 seeds; keeping every word
    would give about 750 here.
    """
    source = ChaCha20Source.from_seed("thirds")
    thirds = Counter(source.draw_below(3 << 30) >> 30 for _ in range(6000))
    assert sum((thirds[third] - 2000) ** 2 / 2000 for third in range(3)) < 10


@pytest.mark.parametrize("bound", [1, 2, 3, 52, 312, ALL_WORDS])
def test_numbers_stay_below_the_bound(bound: int) -> None:
    source = ChaCha20Source.from_seed(bound)
    assert all(0 <= source.draw_below(bound) < bound for _ in range(2000))


@pytest.mark.parametrize("bound", [0, -1, ALL_WORDS + 1])
def test_a_bound_outside_the_stream_is_refused(bound: int) -> None:
    with pytest.raises(BadInput):
        ChaCha20Source.from_seed(1).draw_below(bound)


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_a_key_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(BadInput):
        ChaCha20Source(bytes(length))


def test_one_key_gives_one_stream_and_another_key_another() -> None:
    key = bytes(range(32))
    assert words(ChaCha20Source(key), 600) == words(ChaCha20Source(key), 600)
    assert words(ChaCha20Source(key), 600) != words(ChaCha20Source(key[::-1]), 600)


def test_the_stream_does_not_repeat_itself() -> None:
    drawn = words(ChaCha20Source.from_seed("long"), 2000)
    assert len(set(drawn)) > 1990


def test_a_seed_is_the_same_as_number_or_text() -> None:
    assert key_from_seed(7) == key_from_seed("7")
    assert key_from_seed(7) != key_from_seed(8)
    assert len(key_from_seed("")) == 32
    assert words(ChaCha20Source.from_seed(7), 5) == words(ChaCha20Source(key_from_seed(7)), 5)


@pytest.mark.parametrize(
    "bounds", [range(312, 1, -1), range((1 << 31) + 400, 1 << 31, -1), range(5, 5), range(900, 1, -1)]
)
def test_numbers_drawn_together_are_those_drawn_one_after_the_other(bounds: range) -> None:
    """Also where every second word is drawn again, and whatever was drawn before and is drawn after."""
    for before in (0, 1, 255, 256, 300):
        together, alone = ChaCha20Source.from_seed(3), ChaCha20Source.from_seed(3)
        assert words(together, before) == words(alone, before)
        assert together.draw_below_each(bounds) == [alone.draw_below(bound) for bound in bounds]
        assert words(together, 300) == words(alone, 300)
