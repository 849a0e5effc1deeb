"""Wagers come in: what a meter shows, saves and carries."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.accounts import CENT, DOLLAR, AccountKind
from cardroom.room.event_types import UnknownEventType, decode_event
from cardroom.room.jackpot.event_values import Contribution
from cardroom.room.jackpot.lifecycle import disable_jackpot, enable_jackpot
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from cardroom.room.jackpot.wager_counts import BadCount, count_wagers
from cardroom.room.tabulator.events import TabulatorFaultReported
from tests.examples import examples
from tests.room.jackpots import FINAL_FOUR, SHOOTOUT, TIES, TIES_BONUS, Books


def test_a_progressive_starts_with_the_house_s_seed() -> None:
    books = Books(FINAL_FOUR)
    (meter,) = books.state.meters
    assert meter.displayed_cents == 5_000_00
    assert meter.seed_owed == 5_000 * DOLLAR
    assert books.balance(AccountKind.HOUSE_CASH, "house") == -5_000 * DOLLAR


def test_a_progressive_grows_with_every_wager_and_the_rest_of_the_wager_is_the_house_s() -> None:
    books = Books(FINAL_FOUR)
    books.do(count_wagers(books.state, "t1", 6, round_id="1"))
    (meter,) = books.state.meters
    assert meter.display == 5_001_20 * CENT
    assert meter.reserve == 30 * CENT
    assert books.happened[-1].payload["collected"] == 6 * DOLLAR
    # The table books what it collects; the jackpot takes its part of that.
    assert books.balance(AccountKind.GROSS_RECEIPTS, "t1") == -1_50 * CENT
    assert books.state.undeposited == books.state.owed


def test_a_bonus_jackpot_does_not_grow_with_play() -> None:
    books = Books(TIES_BONUS)
    books.do(count_wagers(books.state, "t1", 5))
    assert books.state.meters[0].displayed_cents == 2_000_00
    assert books.happened[-1].payload["collected"] == 5 * DOLLAR
    assert books.balance(AccountKind.GROSS_RECEIPTS, "t1") == 0


def test_no_wagers_are_nothing_that_happened() -> None:
    assert count_wagers(Books(FINAL_FOUR).state, "t1", 0) == ()


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.integers(1, 7), max_size=60))
def test_contributions_are_never_lost_to_rounding(rounds: list[int]) -> None:
    books = Books(TIES.replace('ceiling = "$1,200"', ""))
    for count in rounds:
        books.do(count_wagers(books.state, "t2", count))
    wagered = sum(rounds) * DOLLAR
    suit, color = books.state.meters
    assert suit.display - 1_000 * DOLLAR + Fraction(suit.carry, suit.over) == Fraction(wagered, 7)
    assert suit.reserve + Fraction(suit.reserve_carry, suit.reserve_over) == Fraction(wagered, 30)
    assert color.display - 500 * DOLLAR == wagered // 8


def test_at_the_ceiling_the_meter_holds_and_the_rest_is_overflow() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 1_407))
    suit = books.state.meters[0]
    assert suit.displayed_cents == 1_200_00
    assert suit.overflow == 1 * DOLLAR


def test_a_wager_below_the_minimum_of_a_level_takes_no_part_in_it() -> None:
    books = Books(SHOOTOUT)
    books.do(count_wagers(books.state, "t1", {100: 3, 200: 1}))
    high, low = books.state.meters
    assert high.display == 10_000_20 * CENT
    assert low.display == 1_000_25 * CENT
    assert books.state.counted == 4
    assert books.happened[-1].payload["collected"] == 5 * DOLLAR


def test_where_two_amounts_may_be_wagered_a_bare_count_is_not_enough() -> None:
    with pytest.raises(BadCount, match="say how many there are of each"):
        count_wagers(Books(SHOOTOUT).state, "t1", 3)


@pytest.mark.parametrize("wagers", [{300: 1}, {100: -1}, -2])
def test_wagers_that_nobody_can_make_are_not_counted(wagers: int | dict[int, int]) -> None:
    with pytest.raises(BadCount):
        count_wagers(Books(FINAL_FOUR).state, "t1", wagers)


def test_a_table_that_is_not_on_the_jackpot_does_not_feed_it() -> None:
    with pytest.raises(BadCount, match="let it join first"):
        count_wagers(Books(FINAL_FOUR).state, "t9", 1)


def test_a_disabled_jackpot_does_not_grow_and_comes_back_identical() -> None:
    books = Books(FINAL_FOUR)
    books.do(count_wagers(books.state, "t1", 3))
    before = books.state
    books.do(disable_jackpot(books.state, who="Ada", why="display broken"))
    with pytest.raises(BadCount, match="display broken"):
        count_wagers(books.state, "t1", 1)
    books.do(enable_jackpot(books.state, who="Ada"))
    assert books.state == before


def test_wagers_made_before_the_jackpot_was_disabled_count_when_they_arrive_late() -> None:
    books = Books(FINAL_FOUR)
    books.do(disable_jackpot(books.state, who="Ada", why="display broken"))
    books.do(count_wagers(books.state, "t1", 5, late=True))
    assert books.state.meters[0].displayed_cents == 5_001_00


@pytest.mark.parametrize("place", range(6))
def test_a_replay_notices_any_figure_that_was_changed(place: int) -> None:
    books = Books(TIES)
    (happening,) = count_wagers(books.state, "t1", 3)
    figures = happening.levels["suit"]
    changed = Contribution(*figures[:place], figures[place] + 1, *figures[place + 1 :])
    with pytest.raises(StateContradiction):
        apply_jackpot_event(books.state, replace(happening, levels={**happening.levels, "suit": changed}))


def test_a_happening_of_another_jackpot_or_of_an_unknown_kind_is_refused() -> None:
    books = Books(FINAL_FOUR)
    (happening,) = count_wagers(books.state, "t1", 3)
    for wrong in (
        replace(happening, jackpot="other"),
        TabulatorFaultReported("t1", "Ann", "dark"),
        books.happened[0],
    ):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(books.state, wrong)
    for kind, version in (("wagers-lost", 1), ("wagers-counted", 2)):
        with pytest.raises(UnknownEventType, match=f"Version {version} of '{kind}' is not known"):
            decode_event(kind, version, happening.payload)
    with pytest.raises(StateContradiction, match="begins with its opening"):
        apply_jackpot_event(None, happening)
