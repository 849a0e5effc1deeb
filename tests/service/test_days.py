"""Gaming days open and close; the close of a day records the end of each chain and the items that are still open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date

import pytest

from cardroom.ledger import Command, CommandOutcome, Head, NewEvent, UniqueKey, open_ledger
from cardroom.room.setup.calendar import BadDay, open_calendar, parse_time
from cardroom.room.site.day import BadDayChange, close_day, day_closing_key
from cardroom.room.site.events import ChainEnd, DayClosed, DayOpenItemKind, chain_ends_digest
from cardroom.room.site.state import SiteState
from cardroom.room.tabulator.events import RoundTabulated
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.aggregates import ROOM as ROOM_AGGREGATE
from cardroom.service.chains.names import ROOM_CHAIN as ROOM_CHAIN
from cardroom.service.chains.names import jackpot_chain, tabulator_chain
from cardroom.service.queries.site import (
    GamingDayCalendar,
    UnknownDay,
    get_gaming_day,
    list_gaming_days,
    summarize_jackpot_at_close,
)
from tests.service.card_rooms import DIAMOND_ROYAL, all_seven, new_id, open_room, play

CALENDAR = open_calendar()


class Room:
    """A room whose clock the test sets."""

    def __init__(self, url: str) -> None:
        self.now = 0
        self.set_time("2026-03-02 10:00")
        self.ledger = open_ledger(url, clock=lambda: self.now)
        self.card_room = CardRoom(self.ledger, clock=lambda: self.now)

    def set_time(self, text: str) -> None:
        self.now = parse_time(text, CALENDAR, 0)

    def open(self, day: str | None = None) -> str:
        return str(self.card_room.days.open(new_id(), "Olga", day).day)

    def close(self) -> str:
        return str(self.card_room.days.close(new_id(), "Carl").day)

    def rounds_by_day(self) -> list[tuple[str, str]]:
        """The rounds of the first table, each with its gaming day."""
        days = self.card_room.days.read_gaming_days()
        events = self.ledger.events(tabulator_chain("prime-1"))
        return [
            (str(event.payload["round"]), str(days.day_of(event)))
            for event in events
            if event.kind == RoundTabulated.kind
        ]


@pytest.fixture
def room(url: str) -> Iterator[Room]:
    room = Room(url)
    open_room(room.card_room, tables=2)
    yield room
    room.ledger.close()


def test_the_calendar_names_a_day_and_the_next_day_follows_the_last(room: Room) -> None:
    assert room.open() == "2026-03-02"
    room.set_time("2026-03-03 04:00")
    assert (room.close(), room.open()) == ("2026-03-02", "2026-03-03")
    with pytest.raises(BadDayChange):
        room.open()
    assert verify_card_room(room.ledger).is_consistent


def test_skipped_days_are_reported_and_allowed(room: Room) -> None:
    room.open()
    room.close()
    room.set_time("2026-03-05 18:00")
    opened = room.card_room.days.open(new_id(), "Olga")
    assert (opened.day, opened.skipped) == (date(2026, 3, 5), 2)


@pytest.mark.parametrize(("day", "sentence"), [("2026-03-02", "or a later day"), ("2026-03-04", "too early")])
def test_a_day_cannot_open_twice_or_too_early(room: Room, day: str, sentence: str) -> None:
    room.open()
    room.close()
    with pytest.raises(BadDayChange, match=sentence):
        room.open(day)
    with pytest.raises(BadDay):
        room.open("Monday")


def test_only_an_open_day_can_close_and_a_repeated_close_returns_the_first_result(room: Room) -> None:
    with pytest.raises(BadDayChange):
        room.close()
    room.open()
    closed = room.card_room.days.close("close", "Carl")
    assert room.card_room.days.close("close", "Carl") == closed
    assert len(list_gaming_days(room.ledger)) == 1


def test_rounds_follow_the_calendar_until_the_first_day_opens_and_then_the_days_of_the_room(room: Room) -> None:
    room.set_time("2026-03-02 20:00")
    play(room.card_room, round_id="before")
    room.set_time("2026-03-03 05:00")
    room.open("2026-03-03")
    play(room.card_room, round_id="early")
    room.set_time("2026-03-04 07:30")
    play(room.card_room, round_id="late")
    room.close()
    play(room.card_room, round_id="between")
    expected = [("before", "2026-03-02"), ("early", "2026-03-03"), ("late", "2026-03-03"), ("between", "2026-03-04")]
    assert room.rounds_by_day() == expected
    room.set_time("2026-03-06 12:00")
    room.open()
    assert room.rounds_by_day() == [*expected[:3], ("between", "2026-03-06")]


def test_a_close_separates_days_by_the_order_of_events_and_not_by_clocks(room: Room) -> None:
    room.open()
    room.set_time("2026-03-02 23:00")
    play(room.card_room, round_id="before")
    room.now -= 1_500_000
    room.close()
    play(room.card_room, round_id="after", table="prime-2")
    days = room.card_room.days.read_gaming_days()
    (before,) = [event for event in room.ledger.events(tabulator_chain("prime-1")) if event.kind == RoundTabulated.kind]
    (after,) = [event for event in room.ledger.events(tabulator_chain("prime-2")) if event.kind == RoundTabulated.kind]
    close = get_gaming_day(room.ledger, date(2026, 3, 2)).closed
    assert close is not None
    assert close.time < before.time
    assert (days.day_of(before), days.day_of(after)) == (date(2026, 3, 2), date(2026, 3, 3))


def test_a_close_lists_open_items_and_is_not_prevented_by_them(room: Room) -> None:
    room.open()
    play(room.card_room, round_id="r1")
    room.card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    room.card_room.jackpots.open(new_id(), "Olga", all_seven())
    room.card_room.jackpots.change_parameters(
        new_id(), "Olga", "all-seven", "main", {"contribution": "1%"}, "less", second="Carl"
    )
    room.card_room.malfunctions.report(new_id(), "Kim", "R-31", "prime-2", found_at="09:00", why="dead")
    room.card_room.report_tabulator_fault(new_id(), "Kim", "prime-2", "dead")
    closed = room.card_room.days.close(new_id(), "Carl")
    items = {item.what: (item.of, item.words) for item in reversed(closed.open)}
    assert items[DayOpenItemKind.REPORT] == ("prime-2", "report R-31, 71 h left: dead")
    assert items[DayOpenItemKind.BROKEN] == ("prime-2", "dead")
    assert items[DayOpenItemKind.CLAIM][1].endswith("of $5,001.20, prime-1, round r1")
    assert items[DayOpenItemKind.CHANGE] == ("all-seven", "for the reset of main")
    assert items[DayOpenItemKind.DEPOSIT][1].endswith("not yet deposited, until 2026-03-09")
    assert [item.what for item in closed.open if item.of != "final-four"] == [
        DayOpenItemKind.REPORT,
        DayOpenItemKind.BROKEN,
        DayOpenItemKind.DEPOSIT,
        DayOpenItemKind.CHANGE,
    ]
    assert verify_card_room(room.ledger).is_consistent


def test_deposits_and_reconciliations_are_due_after_the_days_of_the_jurisdiction(room: Room) -> None:
    def list_due() -> set[DayOpenItemKind]:
        return {item.what for item in room.card_room.days.list_open_items()}

    room.card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 5_000_00, "slip 1")
    room.set_time("2026-03-08 12:00")
    assert list_due() == set()
    play(room.card_room)
    assert list_due() == {DayOpenItemKind.DEPOSIT}
    room.set_time("2026-03-09 12:00")
    assert list_due() == {DayOpenItemKind.DEPOSIT, DayOpenItemKind.RECONCILIATION}
    room.card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 5_000_00, day=None)
    assert list_due() == {DayOpenItemKind.DEPOSIT}
    room.set_time("2026-03-15 12:00")
    (item,) = room.card_room.days.list_open_items()
    assert item.words.endswith("until 2026-03-15")  # the money came in on March 8
    room.set_time("2026-03-16 05:00")
    assert [item.words[-16:] for item in room.card_room.days.list_open_items()][:1] == ["until 2026-03-15"]
    room.set_time("2026-03-16 12:00")
    assert any(item.words.endswith("overdue since 2026-03-15") for item in room.card_room.days.list_open_items())


def test_a_close_records_the_end_of_every_chain_and_the_balances_of_each_jackpot(room: Room) -> None:
    room.open()
    play(room.card_room)
    heads = {chain: room.ledger.head(chain) for chain in room.ledger.chains()}
    room.close()
    close = get_gaming_day(room.ledger, date(2026, 3, 2)).closed
    assert close is not None
    assert {end.chain for end in close.event.ends} == set(heads)
    for end in close.event.ends:
        head = heads[end.chain]
        assert head is not None
        assert (end.sequence, end.hash) == (head.sequence, head.hash.hex())
    assert close.event.digest == chain_ends_digest(close.event.ends)
    state = room.card_room.jackpot("final-four")
    (balances,) = close.event.jackpots
    assert (balances.owed, balances.escrow, balances.counted) == (state.owed, state.escrow, 6)
    assert jackpot_chain("final-four") in heads


def test_a_tabulator_counts_whether_a_day_is_open_or_not(room: Room) -> None:
    play(room.card_room)
    room.open()
    play(room.card_room)
    room.close()
    play(room.card_room)
    assert len(room.rounds_by_day()) == 3


def test_a_day_that_never_opened_is_unknown(room: Room) -> None:
    with pytest.raises(UnknownDay):
        get_gaming_day(room.ledger, date(2026, 3, 2))
    assert str(GamingDayCalendar(CALENDAR)) == "America/Los_Angeles, the gaming day starts at 06:00"


def forge_close(room: Room, change: Callable[[DayClosed], DayClosed]) -> str:
    """Close the day with a changed record, and return what verification reports."""

    def forge(heads: Mapping[str, Head | None]) -> CommandOutcome:
        ends = [ChainEnd(head.chain, head.sequence, head.hash.hex()) for head in heads.values() if head is not None]
        state, jackpot = room.card_room.room(), room.card_room.jackpot("final-four")
        (day_closed,) = close_day(
            state.days, ends=ends, jackpots=[summarize_jackpot_at_close(jackpot)], open_items=(), who="Eve"
        )
        closed = change(day_closed)
        event = NewEvent(ROOM_CHAIN, closed.kind, 1, closed.payload, (), ROOM_AGGREGATE.unique_keys(closed))
        return CommandOutcome((event,), {ROOM_CHAIN: ROOM_AGGREGATE.encode(ROOM_AGGREGATE.apply(state, closed))}, None)

    unique_keys = (UniqueKey(ROOM_CHAIN, day_closing_key(date(2026, 3, 2))),)
    room.ledger.execute(Command(new_id(), tuple(sorted(room.ledger.chains())), {"do": "forge"}, forge, unique_keys))
    discrepancy = verify_card_room(room.ledger).discrepancy
    return discrepancy.sentence if discrepancy else ""


def replace_end(closed: DayClosed, **changes: object) -> DayClosed:
    ends = tuple(end._replace(**changes) if end.chain == tabulator_chain("prime-1") else end for end in closed.ends)
    return replace(closed, ends=ends, digest=chain_ends_digest(ends))


def test_a_correct_close_passes_verification(room: Room) -> None:
    room.open()
    play(room.card_room)
    assert forge_close(room, lambda closed: closed) == ""


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        # As if a forger rewrote the chain of one table with correct hashes.
        (lambda closed: replace_end(closed, hash="0" * 64), "of tabulator:prime-1 is not the one"),
        (lambda closed: replace_end(closed, sequence=99), "of tabulator:prime-1 is not the one"),
        (lambda closed: replace(closed, digest="0" * 64), "its digest is not that of the heads"),
        (
            lambda closed: replace(closed, jackpots=(closed.jackpots[0]._replace(escrow=1),)),
            "the money of jackpot:final-four was different",
        ),
        (lambda closed: replace(closed, jackpots=()), "the money of jackpot:final-four was different"),
    ],
)
def test_a_close_that_contradicts_the_chains_is_found(
    room: Room, change: Callable[[DayClosed], DayClosed], sentence: str
) -> None:
    room.open()
    play(room.card_room)
    assert sentence in forge_close(room, change)


class OneStepBehind(CardRoom):
    """Reads an outdated state of the room once, as if another user were faster."""

    def __init__(self, room: Room) -> None:
        super().__init__(room.ledger, clock=lambda: room.now)
        self._outdated = [super().room()]

    def room(self) -> SiteState:
        return self._outdated.pop() if self._outdated else super().room()


def test_a_day_that_two_users_close_at_the_same_time_is_closed_once(room: Room) -> None:
    room.open()
    late = OneStepBehind(room)
    assert room.close() == "2026-03-02"
    with pytest.raises(BadDayChange):
        late.days.close(new_id(), "Carl")
    late = OneStepBehind(room)
    room.set_time("2026-03-03 10:00")
    assert room.open() == "2026-03-03"
    assert str(late.days.close(new_id(), "Carl").day) == "2026-03-03"


def test_a_day_that_two_users_open_at_the_same_time_is_opened_once(room: Room) -> None:
    late = OneStepBehind(room)
    assert room.open() == "2026-03-02"
    with pytest.raises(BadDayChange):
        late.days.open(new_id(), "Carl")
    late = OneStepBehind(room)
    room.close()
    assert str(late.days.open(new_id(), "Carl").day) == "2026-03-03"
    assert [str(day.day) for day in list_gaming_days(room.ledger)] == ["2026-03-02", "2026-03-03"]


def test_the_age_of_a_reconciliation_is_the_age_of_its_statement(room: Room) -> None:
    def list_due() -> list[str]:
        return [
            item.words for item in room.card_room.days.list_open_items() if item.what is DayOpenItemKind.RECONCILIATION
        ]

    room.card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 5_000_00, "slip 1")
    room.set_time("2026-03-12 12:00")
    room.card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 5_000_00, day=date(2026, 3, 3))
    assert list_due() == ["none since 2026-03-03"]
    room.card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 5_000_00, day=date(2026, 3, 11))
    assert list_due() == []
    room.set_time("2026-03-17 12:00")
    assert list_due() == []
    room.set_time("2026-03-18 12:00")
    assert list_due() == ["none since 2026-03-11"]
