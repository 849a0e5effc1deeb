"""Wagers come in: what a meter shows, saves and carries."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import CENT, DOLLAR, AccountKind
from cardroom.room.event_types import UnknownEventType, decode_event
from cardroom.room.jackpot.event_values import Contribution
from cardroom.room.jackpot.lifecycle import disable_jackpot, enable_jackpot
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import StateContradiction
from cardroom.room.jackpot.wager_counts import BadCount, count_wagers
from cardroom.room.tabulator.events import TabulatorFaultReported
from tests.examples import examples
from tests.room.jackpots import FINAL_FOUR, SHOOTOUT, TIES, TIES_BONUS, JackpotLedger


def test_a_progressive_starts_with_the_house_s_seed() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    (meter,) = ledger.state.meters
    assert meter.displayed_cents == 5_000_00
    assert meter.seed_owed == 5_000 * DOLLAR
    assert ledger.balance(AccountKind.HOUSE_CASH, "house") == -5_000 * DOLLAR


def test_a_progressive_grows_with_every_wager_and_the_rest_of_the_wager_is_the_house_s() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(count_wagers(ledger.state, "t1", 6, round_id="1"))
    (meter,) = ledger.state.meters
    assert meter.display == 5_001_20 * CENT
    assert meter.reserve == 30 * CENT
    assert ledger.events[-1].payload["collected"] == 6 * DOLLAR
    # The table ledger what it collects; the jackpot takes its part of that.
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "t1") == -1_50 * CENT
    assert ledger.state.undeposited == ledger.state.owed


def test_a_bonus_jackpot_does_not_grow_with_play() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    ledger.do(count_wagers(ledger.state, "t1", 5))
    assert ledger.state.meters[0].displayed_cents == 2_000_00
    assert ledger.events[-1].payload["collected"] == 5 * DOLLAR
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "t1") == 0


def test_no_wagers_are_nothing_that_happened() -> None:
    assert count_wagers(JackpotLedger(FINAL_FOUR).state, "t1", 0) == ()


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(st.integers(1, 7), max_size=60))
def test_contributions_are_never_lost_to_rounding(rounds: list[int]) -> None:
    ledger = JackpotLedger(TIES.replace('ceiling = "$1,200"', ""))
    for count in rounds:
        ledger.do(count_wagers(ledger.state, "t2", count))
    wagered = sum(rounds) * DOLLAR
    suit, color = ledger.state.meters
    assert suit.display - 1_000 * DOLLAR + Fraction(suit.carry, suit.over) == Fraction(wagered, 7)
    assert suit.reserve + Fraction(suit.reserve_carry, suit.reserve_over) == Fraction(wagered, 30)
    assert color.display - 500 * DOLLAR == wagered // 8


def test_at_the_ceiling_the_meter_holds_and_the_rest_is_overflow() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1_407))
    suit = ledger.state.meters[0]
    assert suit.displayed_cents == 1_200_00
    assert suit.overflow == 1 * DOLLAR


def test_a_wager_below_the_minimum_of_a_level_takes_no_part_in_it() -> None:
    ledger = JackpotLedger(SHOOTOUT)
    ledger.do(count_wagers(ledger.state, "t1", {100: 3, 200: 1}))
    high, low = ledger.state.meters
    assert high.display == 10_000_20 * CENT
    assert low.display == 1_000_25 * CENT
    assert ledger.state.counted == 4
    assert ledger.events[-1].payload["collected"] == 5 * DOLLAR


def test_where_two_amounts_may_be_wagered_a_bare_count_is_not_enough() -> None:
    with pytest.raises(BadCount):
        count_wagers(JackpotLedger(SHOOTOUT).state, "t1", 3)


@pytest.mark.parametrize("wagers", [{300: 1}, {100: -1}, -2])
def test_impossible_wagers_are_refused(wagers: int | dict[int, int]) -> None:
    with pytest.raises(BadCount):
        count_wagers(JackpotLedger(FINAL_FOUR).state, "t1", wagers)


def test_a_table_that_is_not_on_the_jackpot_does_not_feed_it() -> None:
    with pytest.raises(BadCount):
        count_wagers(JackpotLedger(FINAL_FOUR).state, "t9", 1)


def test_a_disabled_jackpot_does_not_grow_and_comes_back_identical() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(count_wagers(ledger.state, "t1", 3))
    before = ledger.state
    ledger.do(disable_jackpot(ledger.state, who="Ada", why="display broken"))
    with pytest.raises(BadCount):
        count_wagers(ledger.state, "t1", 1)
    ledger.do(enable_jackpot(ledger.state, who="Ada"))
    assert ledger.state == before


def test_wagers_made_before_the_jackpot_was_disabled_count_when_they_arrive_late() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    ledger.do(disable_jackpot(ledger.state, who="Ada", why="display broken"))
    ledger.do(count_wagers(ledger.state, "t1", 5, late=True))
    assert ledger.state.meters[0].displayed_cents == 5_001_00


@pytest.mark.parametrize("place", range(6))
def test_a_replay_notices_any_figure_that_was_changed(place: int) -> None:
    ledger = JackpotLedger(TIES)
    (event,) = count_wagers(ledger.state, "t1", 3)
    figures = event.levels["suit"]
    changed = Contribution(*figures[:place], figures[place] + 1, *figures[place + 1 :])
    with pytest.raises(StateContradiction):
        apply_jackpot_event(ledger.state, replace(event, levels={**event.levels, "suit": changed}))


def test_an_event_of_another_jackpot_or_of_an_unknown_kind_is_refused() -> None:
    ledger = JackpotLedger(FINAL_FOUR)
    (event,) = count_wagers(ledger.state, "t1", 3)
    for wrong in (
        replace(event, jackpot="other"),
        TabulatorFaultReported("t1", "Ann", "dark"),
        ledger.events[0],
    ):
        with pytest.raises(StateContradiction):
            apply_jackpot_event(ledger.state, wrong)
    for kind, version in (("wagers-lost", 1), ("wagers-counted", 2)):
        with pytest.raises(UnknownEventType, match=f"Version {version} of '{kind}' is not known"):
            decode_event(kind, version, event.payload)
    with pytest.raises(StateContradiction):
        apply_jackpot_event(None, event)
