"""Money in the cage that has to go to the bank: since when, until when, and how late it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.chart_of_accounts import CENT, DOLLAR
from cardroom.ledger import Event, open_ledger
from cardroom.reports.accounting import PeriodBooks, open_period
from cardroom.reports.accounting.jackpot_bank_deposits import Cage, read_cage
from cardroom.room.setup.site import SiteSettings
from cardroom.service import CardRoom
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.queries.bank_account import find_oldest_waiting
from cardroom.service.queries.chain_history import list_newest_first
from tests.examples import examples
from tests.ledger.empty import empty_ledger
from tests.reports.card_room import Room, WallClock, record_an_evening
from tests.service.card_rooms import CLUB_ROYAL, all_seven, final_four, new_id, open_room, pay, play


@pytest.fixture
def clock() -> WallClock:
    return WallClock()


@pytest.fixture
def card_room(url: str, clock: WallClock) -> Iterator[CardRoom]:
    """A room that opened at noon of March 2."""
    clock.set(2, 12)
    with open_ledger(url, clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_room(card_room)
        yield card_room


def read_due(card_room: CardRoom) -> tuple[str, str, int] | None:
    """The first day, the last day, and the number of days overdue."""
    due = card_room.jackpots.find_deposit_due("final-four")
    return (str(due.since), str(due.by), due.overdue_days) if due else None


def test_money_is_due_seven_days_after_the_day_it_arrives(card_room: CardRoom, clock: WallClock) -> None:
    assert read_due(card_room) == ("2026-03-02", "2026-03-09", 0)
    clock.set(9, 20)
    due = card_room.jackpots.find_deposit_due("final-four")
    assert due is not None
    assert (due.is_due, due.overdue_days, due.amount) == (True, 0, 5_000 * DOLLAR)
    clock.set(10, 5)  # still the gaming day of March 9
    assert read_due(card_room) == ("2026-03-02", "2026-03-09", 0)
    clock.set(10, 7)
    assert read_due(card_room) == ("2026-03-02", "2026-03-09", 1)


def test_only_money_that_is_not_at_the_bank_is_due(card_room: CardRoom, clock: WallClock) -> None:
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", None, "1")
    assert read_due(card_room) is None
    clock.set(4, 12)
    play(card_room)
    assert read_due(card_room) == ("2026-03-04", "2026-03-11", 0)
    clock.set(5, 12)
    play(card_room)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 1_50, "2")  # the money of March 4
    assert read_due(card_room) == ("2026-03-05", "2026-03-12", 0)


def test_a_prize_that_the_cage_pays_does_not_delay_the_deposit(card_room: CardRoom, clock: WallClock) -> None:
    clock.set(5, 12)
    play(card_room, round_id="r1")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    pay(card_room, "Vera", "final-four", "win")
    assert read_due(card_room) == ("2026-03-02", "2026-03-09", 0)


def test_less_than_a_cent_is_never_due(card_room: CardRoom) -> None:
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    card_room.tabulate(new_id(), "Kim", "prime-1", {2: [1]})
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "all-seven", None, "1")
    assert 0 < card_room.jackpot("all-seven").undeposited < CENT
    assert card_room.jackpots.find_deposit_due("all-seven") is None


def test_no_deposit_is_due_for_a_bonus_jackpot(in_a_file: CardRoom) -> None:
    in_a_file.jackpots.open(new_id(), "Olga", all_seven("bonus"))
    assert in_a_file.jackpots.find_deposit_due("all-seven") is None


def test_days_follow_the_time_zone_of_the_room(card_room: CardRoom, clock: WallClock) -> None:
    card_room.site.configure(new_id(), "Olga", SiteSettings(time_zone="Pacific/Auckland"), "far away", second="Carl")
    assert read_due(card_room) == ("2026-03-03", "2026-03-10", 0)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('evening')}/books.db")


def test_the_due_date_agrees_with_the_deposit_report_after_every_event(evening: Room) -> None:
    """The report reads the events forward, and the due date reads them backward."""
    card_room, compared = evening.card_room, 0
    period = PeriodBooks(card_room, open_period(card_room.calendar))
    for jackpot in card_room.list_jackpots():
        max_days = read_cage(period, jackpot).max_days
        cage, newest_first = Cage(jackpot, max_days, card_room.calendar), list[Event]()
        for moment in period.transitions(jackpot):
            today = card_room.calendar.day_of(moment.event.time)
            cage.add(moment, today, is_in_period=True)
            newest_first.insert(0, moment.event)
            line = cage.sheet(today)
            undeposited = moment.state_after.undeposited
            if undeposited < CENT:
                assert line.days is None
                continue
            since = find_oldest_waiting(newest_first, jackpot, undeposited)
            assert since is not None
            assert (today - card_room.calendar.day_of(since)).days == line.days, (jackpot, moment.event.sequence)
            compared += 1
    assert compared > 80


def test_the_search_for_the_oldest_money_stops_when_it_is_complete(evening: Room) -> None:
    read = 0

    def count_events() -> Iterator[Event]:
        nonlocal read
        for event in list_newest_first(evening.ledger, jackpot_chain("final-four")):
            read += 1
            yield event

    state = evening.card_room.jackpot("final-four")
    assert find_oldest_waiting(count_events(), "final-four", state.undeposited) is not None
    assert 0 < read < 10


@settings(max_examples=examples(30), deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from("pdvs"), st.integers(1, 400)), max_size=25))
def test_the_due_date_agrees_with_the_deposit_report_after_random_commands(
    steps: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    clock = WallClock()
    clock.set(2, 12)
    path: Path = tmp_path_factory.mktemp("any") / "books.db"
    with open_ledger(empty_ledger(path), clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_room(card_room, tables=1, setup=final_four(contribution="1/7"))
        for number, (step, cents) in enumerate(steps):
            clock.now += 9 * 3_600 * 1_000_000
            state = card_room.jackpot("final-four")
            if step == "p":
                play(card_room, seats=cents % 6 + 1)
            elif step == "d" and cents * CENT <= state.undeposited:
                card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", cents, f"{number}")
            elif step == "v":
                card_room.void_round(
                    new_id(), "Sam", "prime-1", play(card_room).round, "the shuffler jammed", second="Flo"
                )
            elif step == "s":
                card_room.jackpots.add_seed(new_id(), "Olga", "final-four", "main", cents, "more", second="Carl")
        due = card_room.jackpots.find_deposit_due("final-four")
        today = card_room.calendar.day_of(clock.now)
        line = read_cage(PeriodBooks(card_room, open_period(card_room.calendar)), "final-four").sheet(today)
        assert (due is None) == (line.days is None)
        if due is not None:
            assert ((today - due.since).days, due.amount) == (line.days, line.to_deposit)
            assert due.since <= date(2026, 4, 1)
