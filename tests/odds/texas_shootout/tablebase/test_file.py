"""The tablebase file: the shipped one, and damaged ones."""

from __future__ import annotations

from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.odds.texas_shootout.hand_values import hand_classes
from cardroom.odds.texas_shootout.hands_and_boards import every_hand
from cardroom.odds.texas_shootout.tablebase.builder import PieceStore, count_deals
from cardroom.odds.texas_shootout.tablebase.file import (
    BadTablebase,
    Tablebase,
    decode_tablebase,
    encode_tablebase,
    read_tablebase,
    tablebase,
)
from cardroom.odds.texas_shootout.tablebase.proof import draw_hands, hand_combinations, prove
from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS, TablebaseShoe
from cardroom.odds.texas_shootout.tablebase.wide_integers import (
    BYTE_COUNT,
    argmax_limbs,
    decode_limbs,
    to_int,
    to_ints,
    weighted_sum,
)

SMALL = TablebaseShoe((0, 1, 12), 2)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return encode_tablebase(count_deals(SMALL, store=PieceStore(tmp_path_factory.mktemp("pieces"))), SMALL)


# The shipped file


def test_the_shipped_tablebase_has_every_deal_is_fair_and_matches_the_rules() -> None:
    proof = prove(tablebase(), [])
    assert proof.is_valid
    assert proof.deals == comb(312, 4) * comb(308, 5) * comb(303, 4)
    assert proof.player_lead == 0


def test_its_classes_contain_all_hands() -> None:
    base = tablebase()
    assert hand_combinations(SIX_DECKS, base.hands).tolist() == hand_classes().combinations.tolist()


def test_a_hand_is_found_in_any_suits() -> None:
    base, classes, hands = tablebase(), hand_classes(), every_hand()
    for number in np.random.default_rng(7).choice(len(hands), 300, replace=False):
        placed = base.locate(hands[number].tolist())
        assert placed.number == classes.members.class_of[number]
        assert placed.order == classes.members.order[number].tolist()


def test_it_takes_less_than_eight_million_bytes() -> None:
    assert len(tablebase()) == 22_022
    assert Path(read_tablebase.__code__.co_filename).with_name("six-decks.counts").stat().st_size < 8_000_000


@pytest.mark.long
def test_twenty_hands_drawn_at_random_agree_with_the_plain_count_over_every_board() -> None:
    base = tablebase()
    proof = prove(base, draw_hands(base, 20, seed=20_261_117))
    assert [recount.agrees for recount in proof.recounts] == [True] * 20


# Small files, complete and damaged


def test_a_written_tablebase_can_be_read(small: bytes) -> None:
    base = decode_tablebase(small)
    proof = prove(base, range(len(base)))
    assert proof.is_valid
    assert len(proof.recounts) == len(base) == 99
    assert base.joint_counts(5) == to_ints(base.all_joint_counts()[5].reshape(-1, 3))


def test_a_count_changed_together_with_its_digest_is_detected(small: bytes) -> None:
    base = decode_tablebase(small)
    cells = bytearray(small[-len(base) * 24 * BYTE_COUNT :])
    cells[BYTE_COUNT * 24 * 7] ^= 4  # one count of the eighth hand
    body = bytes(base.hands.tobytes() + cells)
    forged = Tablebase(body, len(base), "", base.rules, SMALL)
    proof = prove(forged, [6, 7])
    assert [recount.agrees for recount in proof.recounts] == [True, False]
    assert not proof.is_fair or not proof.is_valid


@pytest.mark.parametrize(
    ("damage", "detail"),
    [
        (lambda data: b"PK" + data, "not a tablebase of Texas Shootout"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data + b"\0", "damaged"),
        (lambda data: data[:-300] + bytes([data[-300] ^ 1]) + data[-299:], "damaged"),
        (lambda data: data.replace(b'"hands"', b'"hens"', 1), "second line"),
        (lambda data: data.replace(b'"hands": 99', b'"hands": 98', 1), "as many counts"),
    ],
)
def test_a_damaged_file_is_refused(small: bytes, damage: object, detail: str) -> None:
    assert callable(damage)
    with pytest.raises(BadTablebase, match=detail):
        decode_tablebase(damage(small))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTablebase, match=r"none\.counts"):
        read_tablebase(tmp_path / "none.counts")


def test_a_file_of_other_rules_is_detected(small: bytes) -> None:
    base = decode_tablebase(small)
    base.rules = "0" * 64
    assert not prove(base, []).is_valid


# Integers beyond 64 bits

NUMBERS = st.integers(0, 2**72 - 1)


@given(st.lists(NUMBERS, min_size=1, max_size=9), st.data())
def test_numbers_in_limbs_add_and_compare_correctly(numbers: list[int], data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 2**34), min_size=len(numbers), max_size=len(numbers)))
    raw = np.frombuffer(b"".join(number.to_bytes(BYTE_COUNT, "little") for number in numbers), np.uint8).reshape(
        -1, BYTE_COUNT
    )
    some = decode_limbs(raw)
    assert to_ints(some) == numbers
    assert to_int(weighted_sum(some, np.array(weights, np.int64))) == sum(map(int.__mul__, numbers, weights))
    assert argmax_limbs(some) == numbers.index(max(numbers))
    assert argmax_limbs(some - 2 * some) == numbers.index(min(numbers))
