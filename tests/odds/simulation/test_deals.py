"""The cards of simulated rounds: fair, complete, and reproducible."""

import numpy as np
import pytest

from cardroom.odds.simulation.deals import LANES, PART_ROUNDS, count_places, deal, fill_words, words_needed

SEED = np.uint64(20261116)
DEALS = [(52, 7, np.uint8), (53, 12, np.uint8), (312, 2, np.uint16), (416, 6, np.uint16)]


def dealt(deck: int, cards: int, kind: type, parts: int, seed: np.uint64 = SEED, block: int = 0) -> np.ndarray:
    rows = np.empty((parts, cards, PART_ROUNDS), kind)
    for part in range(parts):
        deal(rows[part], deck, seed, block, part, 0)
    return rows.transpose(1, 0, 2).reshape(cards, -1)


def test_the_generator_gives_the_numbers_that_its_authors_published() -> None:
    # Published test vectors of Random123 for Philox 4x32-10: all zeros, and all ones.
    words = np.empty((4, 1), np.uint32)
    fill_words(words, 0, 0, 0, 0, np.uint64(0))
    assert [f"{word:08x}" for word in words[:, 0]] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]
    ones = 2**32 - 1
    fill_words(words, ones, ones, ones, ones, np.uint64(2**64 - 1))
    assert [f"{word:08x}" for word in words[:, 0]] == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


@pytest.mark.parametrize(("deck", "cards", "kind"), DEALS)
def test_no_card_is_dealt_twice(deck: int, cards: int, kind: type) -> None:
    rows = np.sort(dealt(deck, cards, kind, 20), axis=0)
    assert (rows[1:] > rows[:-1]).all()
    assert rows.max() == deck - 1
    assert rows.min() == 0


@pytest.mark.parametrize(("deck", "cards", "kind"), DEALS)
def test_every_card_is_at_every_place_equally_often(deck: int, cards: int, kind: type) -> None:
    rows = dealt(deck, cards, kind, 1000)
    expected = rows.shape[1] / deck
    for row in rows:
        counts = np.bincount(row, minlength=deck)
        excess = float(((counts - expected) ** 2 / expected).sum()) - (deck - 1)
        assert abs(excess) < 5 * (2 * (deck - 1)) ** 0.5


def test_every_pair_of_cards_is_equally_likely() -> None:
    rows = dealt(52, 7, np.uint8, 2000)
    for one, other in ((0, 1), (2, 3), (3, 4), (0, 6)):
        counts = np.bincount(rows[one].astype(int) * 52 + rows[other], minlength=52 * 52).reshape(52, 52)
        assert not counts.trace()
        pairs = counts[~np.eye(52, dtype=bool)]
        excess = float(((pairs - pairs.mean()) ** 2 / pairs.mean()).sum()) - (len(pairs) - 1)
        assert abs(excess) < 5 * (2 * len(pairs)) ** 0.5


def test_numbers_that_would_favor_some_cards_are_drawn_again_for_that_round_alone() -> None:
    # One number has 53 x 52 x 51 x 50 ways; about one number in 5,000 is discarded.
    limit = 2**32 % (53 * 52 * 51 * 50)
    words = np.empty((4, PART_ROUNDS), np.uint32)
    redrawn = 0
    for part in range(200):
        fill_words(words, part * PART_ROUNDS, 0, 0, 0, SEED)
        rests = words[0].astype(np.uint64) * np.uint64(53 * 52 * 51 * 50) & np.uint64(2**32 - 1)
        cards = np.empty((12, PART_ROUNDS), np.uint8)
        deal(cards, 53, SEED, 0, part, 0)
        for at in range(PART_ROUNDS):
            first = int(words[0, at]) * 53 >> 32
            if rests[at] >= limit:
                assert cards[0, at] == first
            else:
                redrawn += 1
    assert words_needed(53, 12) == 3
    assert redrawn > 3


def test_the_cards_follow_from_seed_block_and_place_alone() -> None:
    here = dealt(52, 7, np.uint8, 3)
    again = np.empty((7, PART_ROUNDS), np.uint8)
    deal(again, 52, SEED, 0, 2, 0)
    assert (again == here[:, 2 * PART_ROUNDS :]).all()
    assert (dealt(52, 7, np.uint8, 1, block=1) != here[:, :PART_ROUNDS]).any()
    assert (dealt(52, 7, np.uint8, 1, seed=np.uint64(1)) != here[:, :PART_ROUNDS]).any()


@pytest.mark.parametrize("length", [0, 1, 5, 512, 511])
def test_counting_in_lanes_counts_everything_once(length: int) -> None:
    places = np.random.default_rng(length).integers(0, 7, length).astype(np.int16)
    counts = np.zeros((LANES, 10), np.int64)
    count_places(places, counts, 3)
    assert counts.sum(axis=0)[3:].tolist() == np.bincount(places, minlength=7).tolist()
