"""Money that waits in the cage for the bank: since when, until when, and who is shown."""

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


def due(card_room: CardRoom) -> tuple[str, str, int] | None:
    """Since when, until when, and by how many days it is late."""
    result = card_room.find_deposit_due("final-four")
    return (str(result.since), str(result.by), result.overdue_days) if result else None


def test_money_has_seven_days_from_the_day_it_came_in(card_room: CardRoom, clock: WallClock) -> None:
    assert due(card_room) == ("2026-03-02", "2026-03-09", 0)
    clock.set(9, 20)
    result = card_room.find_deposit_due("final-four")
    assert result is not None
    assert (result.is_due, result.overdue_days, result.amount) == (True, 0, 5_000 * DOLLAR)
    clock.set(10, 5)  # still the gaming day of March 9
    assert due(card_room) == ("2026-03-02", "2026-03-09", 0)
    clock.set(10, 7)
    assert due(card_room) == ("2026-03-02", "2026-03-09", 1)


def test_what_is_at_the_bank_does_not_wait(card_room: CardRoom, clock: WallClock) -> None:
    card_room.deposit_to_bank(new_id(), "Carl", "final-four", None, "1")
    assert due(card_room) is None
    clock.set(4, 12)
    play(card_room)
    assert due(card_room) == ("2026-03-04", "2026-03-11", 0)
    clock.set(5, 12)
    play(card_room)
    card_room.deposit_to_bank(new_id(), "Carl", "final-four", 1_50, "2")  # what came in on the fourth
    assert due(card_room) == ("2026-03-05", "2026-03-12", 0)


def test_a_prize_that_the_cage_pays_makes_nothing_younger(card_room: CardRoom, clock: WallClock) -> None:
    clock.set(5, 12)
    play(card_room, round_id="r1")
    card_room.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    pay(card_room, "Vera", "final-four", "win")
    assert due(card_room) == ("2026-03-02", "2026-03-09", 0)


def test_less_than_a_cent_does_not_wait(card_room: CardRoom) -> None:
    card_room.open_jackpot(new_id(), "Olga", all_seven())
    card_room.link_jackpot(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    card_room.tabulate(new_id(), "Kim", "prime-1", {2: [1]})
    card_room.deposit_to_bank(new_id(), "Carl", "all-seven", None, "1")
    assert 0 < card_room.jackpot("all-seven").undeposited < CENT
    assert card_room.find_deposit_due("all-seven") is None


def test_where_no_law_asks_and_where_no_player_paid_nothing_is_due(in_a_file: CardRoom) -> None:
    in_a_file.open_jackpot(new_id(), "Olga", all_seven("bonus"))
    assert in_a_file.find_deposit_due("all-seven") is None


def test_days_are_those_of_the_rooms_clock(card_room: CardRoom, clock: WallClock) -> None:
    card_room.configure_room(new_id(), "Olga", SiteSettings(time_zone="Pacific/Auckland"), "far away", second="Carl")
    assert due(card_room) == ("2026-03-03", "2026-03-10", 0)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('evening')}/books.db")


def test_it_is_the_rule_of_the_deposit_sheet_after_every_event(evening: Room) -> None:
    """The report follows the money forward, the warning looks back."""
    card_room, met = evening.card_room, 0
    books = PeriodBooks(card_room, open_period(card_room.calendar))
    for jackpot in card_room.list_jackpots():
        law = read_cage(books, jackpot).max_days
        cage, seen = Cage(jackpot, law, card_room.calendar), list[Event]()
        for moment in books.transitions(jackpot):
            today = card_room.calendar.day_of(moment.event.time)
            cage.add(moment, today, is_in_period=True)
            seen.insert(0, moment.event)
            line = cage.sheet(today)
            undeposited = moment.state_after.undeposited
            if undeposited < CENT:
                assert line.days is None
                continue
            since = find_oldest_waiting(seen, jackpot, undeposited)
            assert since is not None
            assert (today - card_room.calendar.day_of(since)).days == line.days, (jackpot, moment.event.sequence)
            met += 1
    assert met > 80


def test_the_look_back_ends_where_all_of_it_has_come_in(evening: Room) -> None:
    read = 0

    def counted() -> Iterator[Event]:
        nonlocal read
        for event in list_newest_first(evening.ledger, jackpot_chain("final-four")):
            read += 1
            yield event

    state = evening.card_room.jackpot("final-four")
    assert find_oldest_waiting(counted(), "final-four", state.undeposited) is not None
    assert 0 < read < 10


@settings(max_examples=examples(30), deadline=None)
@given(steps=st.lists(st.tuples(st.sampled_from("pdvs"), st.integers(1, 400)), max_size=25))
def test_it_is_the_rule_of_the_deposit_sheet_whatever_happens(
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
                card_room.deposit_to_bank(new_id(), "Carl", "final-four", cents, f"{number}")
            elif step == "v":
                card_room.void_round(
                    new_id(), "Sam", "prime-1", play(card_room).round, "the shuffler jammed", second="Flo"
                )
            elif step == "s":
                card_room.add_seed(new_id(), "Olga", "final-four", "main", cents, "more", second="Carl")
        result = card_room.find_deposit_due("final-four")
        today = card_room.calendar.day_of(clock.now)
        line = read_cage(PeriodBooks(card_room, open_period(card_room.calendar)), "final-four").sheet(today)
        assert (result is None) == (line.days is None)
        if result is not None:
            assert ((today - result.since).days, result.amount) == (line.days, line.to_deposit)
            assert result.since <= date(2026, 4, 1)
