"""Fair comparisons: the same hands in the same order, and ratios with a named yardstick."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from io import StringIO

import pytest
from bench.agreement import Disagreement, check_order, one_of_each
from bench.measure import Figure, Promise, format_number, in_turns, second_run
from bench.result_table import Sheet
from rich.console import Console

from cardroom.cards import parse_cards
from cardroom.hands import FIVE_CARD, encode_hands, evaluate_many

HANDS = [parse_cards(text) for text in ("7c 5c 4c 3c 2d", "2c 2d 3c 4c 5c", "2h 2s 3d 4d 5d", "Ac Kc Qc Jc Tc")]
OURS = [1, 1278, 1278, 7462]


def test_the_ladder_has_one_hand_of_each_class() -> None:
    assert evaluate_many(FIVE_CARD, encode_hands(one_of_each())).tolist() == list(range(1, 7463))


@pytest.mark.parametrize("theirs", [[0, 5, 5, 6], [-7462, -6185, -6185, -1]])
def test_orders_agree_for_any_numbers_of_a_library(theirs: list[int]) -> None:
    check_order("another", HANDS, OURS, theirs)


@pytest.mark.parametrize(
    ("theirs", "named"),
    [
        ([5, 0, 0, 6], "7c 5c 4c 3c 2d"),  # a pair below nothing
        ([0, 5, 4, 6], "2h 2s 3d 4d 5d"),  # a tie broken
        ([0, 5, 5, 5], "Ac Kc Qc Jc Tc"),  # a tie that is none
    ],
)
def test_a_library_with_another_order_is_refused_by_name_and_hand(theirs: list[int], named: str) -> None:
    with pytest.raises(Disagreement, match=f"another.*{named}"):
        check_order("another", HANDS, OURS, theirs)


def test_a_promise_is_kept_by_enough_of_a_rate_and_by_little_enough_time() -> None:
    assert Promise("another library", 20, 20).kept
    assert not Promise("another library", 19.9, 20).kept
    assert Promise("a plain loop", 0.4, 0.4, at_least=False).kept
    assert not Figure("time", 3, "s", Promise("a plain loop", 0.5, 0.4, at_least=False)).kept
    assert Figure("nothing promised", 1, "s").kept


def test_other_load_affects_the_work_and_its_yardstick_equally() -> None:
    now, slow = [0.0], [1.0, 1.0, 1.0, 8.0, 1.0, 8.0, 1.0]

    def lasts(seconds: float) -> Callable[[], None]:
        turns = iter(slow)

        def run() -> None:
            now[0] += seconds * next(turns)

        return run

    timed = in_turns(lasts(6.0), lasts(2.0), at_least=0.0, clock=lambda: now[0])
    assert timed.yardsticks == 3.0
    assert timed.seconds < 6.0, "the time on the wall, not the clock that they are compared by"


@pytest.mark.parametrize(
    ("number", "words"),
    [(113_456_789, "113 million"), (1_000_000, "1 million"), (45_678, "45,700"), (99.96, "100"), (0.0656, "0.0656")],
)
def test_a_number_has_three_digits(number: float, words: str) -> None:
    assert format_number(number) == words


def test_a_table_shows_promise_verdict_and_ratio_and_its_json_lists_them() -> None:
    sheet = Sheet(
        "Hands",
        (
            Figure("ours", 2e6, "hands/s", Promise("theirs", 2, 3), ratios={"of theirs": 40.0}),
            Figure("x", 1, "hands/s"),
        ),
    )
    out = StringIO()
    Console(file=out, width=80).print(sheet.table())
    row = next(line for line in out.getvalue().splitlines() if "ours" in line)
    assert [cell.strip() for cell in row.strip("│").split("│")] == [
        "ours",
        "2 million",
        "2 ×",
        "≥ 3 × theirs",
        "missed",
        "40 ×",
    ]
    assert not sheet.kept
    first = sheet.entries("hands")[0]
    assert (first["room"], first["sheet"], first["measured"], first["ratios"]) == (
        "hands",
        "Hands",
        2e6,
        {"of theirs": 40},
    )


def test_the_first_run_is_not_measured() -> None:
    runs: list[int] = []
    assert second_run(lambda: runs.append(1)) >= 0
    assert len(runs) == 3


def test_memory_that_was_given_back_counts_and_a_parent_s_does_not() -> None:
    held = bytes(200 * 2**20)
    program = (
        "from bench.measure import peak_megabytes as peak; start = peak(); held = bytearray(b'x') * 2**26; del held; "
        "print(start, peak() - start)"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    start, more = map(float, run.stdout.split())
    assert start < len(held) / 2**20
    assert 60 < more < 70
