"""If gaming days are opened and closed, reports follow them and not the calendar."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from cardroom.reports.accounting import (
    PeriodBooks,
    deposits_report,
    master_report,
    open_calendar,
    open_period,
    open_room_books,
)
from cardroom.reports.accounting.jackpot_bank_deposits import DepositLine, DepositSheetLine
from cardroom.reports.accounting.master_games import MasterLine
from cardroom.service import RoomTableSetup, UnitSetup
from tests.reports.card_room import Room
from tests.service.card_rooms import final_four, prime_sensors, prime_table


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Two days; the first lasted until nine in the morning."""
    made = Room(f"sqlite:///{tmp_path}/room.db")
    clock, card_room, id = made.clock, made.card_room, made.id
    clock.set(2, 12)
    card_room.jackpots.open(id(), "Olga", final_four())
    card_room.add_table(
        id(),
        "Olga",
        RoomTableSetup("prime-1", prime_table(), tabulator=UnitSetup(prime_sensors("prime-1", "final-four"), "u1")),
    )
    card_room.days.open(id(), "Olga")
    made.rounds("prime-1", 3)
    clock.set(3, 9)
    made.rounds("prime-1", 2)
    card_room.days.close(id(), "Olga")
    made.rounds("prime-1", 4)
    clock.set(3, 11)
    card_room.days.open(id(), "Olga")
    made.rounds("prime-1", 1)
    yield made
    made.ledger.close()


def rounds(books: PeriodBooks) -> dict[str, int]:
    lines = master_report(books, None, 0).sections[0].lines
    return {str(line.day): line.rounds for line in lines if isinstance(line, MasterLine)}


def test_a_round_belongs_to_the_open_day_or_to_the_next_one(room: Room) -> None:
    assert rounds(open_room_books(room.card_room)) == {"2026-03-02": 5, "2026-03-03": 5}
    assert rounds(PeriodBooks(room.card_room, open_period(open_calendar()))) == {"2026-03-02": 3, "2026-03-03": 7}


@pytest.mark.parametrize(("day", "played"), [("2026-03-02", 5), ("2026-03-03", 5)])
def test_a_period_consists_of_the_opened_days(room: Room, day: str, played: int) -> None:
    assert rounds(open_room_books(room.card_room, day, day)) == {day: played}


def test_the_deposit_sheet_of_a_day_ends_with_it(room: Room) -> None:
    report = deposits_report(open_room_books(room.card_room, None, "2026-03-02"), ("final-four",), room.clock())
    (sheet,) = report.sections[0].lines
    assert isinstance(sheet, DepositSheetLine)
    assert (sheet.days, sheet.undeposited) == (1, 5_000_00_00 + 30 * 25_00)  # it was closed on the next morning
    later = open_room_books(room.card_room, None, "2026-03-09")
    assert later.report_day(room.clock()) == date(2026, 3, 3)


def test_money_in_the_cage_during_a_day_left_open_is_late_on_the_sheet_as_everywhere(room: Room) -> None:
    """The day of March 3 is still open on the 20th: the deposit period follows the calendar."""
    room.clock.set(20, 12)
    room.rounds("prime-1", 1)
    due = room.card_room.jackpots.find_deposit_due("final-four")
    assert due is not None
    assert (due.overdue_days, str(due.since)) == (11, "2026-03-02")
    for last in (None, "2026-03-03", "2026-03-31"):
        report = deposits_report(open_room_books(room.card_room, None, last), ("final-four",), room.clock())
        (sheet,) = report.sections[0].lines
        assert isinstance(sheet, DepositSheetLine)
        assert (sheet.days, sheet.in_time, sheet.last) == (18, False, None)
        assert any(note.startswith("LATE. final-four: a deposit of $5,") for note in report.notes)
    room.card_room.jackpots.deposit_to_bank("late", "Carl", "final-four", None, "4471")
    room.clock.set(21, 12)
    report = deposits_report(open_room_books(room.card_room), ("final-four",), room.clock())
    (sheet,) = report.sections[0].lines
    (made,) = next(part.lines for part in report.sections if part.name == "deposits")
    assert isinstance(sheet, DepositSheetLine)
    assert isinstance(made, DepositLine)
    assert (sheet.last, made.days, made.in_time) == (date(2026, 3, 20), 18, False)


def test_the_sheet_of_a_day_that_was_closed_late_ends_with_its_close(room: Room) -> None:
    room.clock.set(12, 12)
    room.card_room.days.close("close", "Olga")
    room.clock.set(25, 12)
    for last, days in (("2026-03-02", 1), ("2026-03-03", 10), ("2026-03-05", 10), ("2026-03-14", 12), (None, 23)):
        report = deposits_report(open_room_books(room.card_room, None, last), ("final-four",), room.clock())
        (sheet,) = report.sections[0].lines
        assert isinstance(sheet, DepositSheetLine)
        assert (sheet.days, sheet.in_time) == (days, days <= 7)


def test_a_report_names_the_calendar_of_its_days(room: Room) -> None:
    drawn = master_report(open_room_books(room.card_room), None, 0)
    assert dict(drawn.facts)["Time"] == "America/Los_Angeles, days as they were opened and closed"
