"""Reports on two recorded weeks: every figure is compared with the ledger, computed another way."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from io import StringIO
from itertools import islice, pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.ledger import open_ledger
from cardroom.reports.accounting import (
    AccountingReport,
    BadDay,
    BadReportFile,
    Calendar,
    PeriodBooks,
    activity_report,
    csv_pieces,
    deposits_report,
    history_report,
    json_pieces,
    master_report,
    meters_report,
    open_calendar,
    open_period,
    recall_report,
    reconciliation_report,
    write_report,
)
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.reports.accounting.export import MAX_PDF_LINES
from cardroom.reports.accounting.report import ReportSection, ReportTooLong
from cardroom.reports.documents.pdf import extract_attachment
from cardroom.room.promotion.setup import read_promotion
from cardroom.room.tabulator.data_logger import new_logger, write_record
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from cardroom.service.queries.chain_history import list_newest_first
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.reports.card_room import Room, record_an_evening
from tests.room.jackpots import duel_record
from tests.room.test_promotions import CONSENTED
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    SPADE_ROYAL,
    deuces_sensors,
    deuces_table,
    five_wild,
    open_room,
    play,
)

JACKPOTS = ("all-seven", "final-four", "ties")
TABLES = ("duel-1", "prime-1", "prime-2")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    room = record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('books')}/room.db")
    yield room
    room.ledger.close()


@pytest.fixture
def calendar() -> Calendar:
    return open_calendar()


def books(room: Room, first: str | None = None, last: str | None = None) -> PeriodBooks:
    return PeriodBooks(room.card_room, open_period(open_calendar(), first, last))


def lines(report: AccountingReport, name: str) -> list[Any]:
    """The lines of the parts with one name; all parts are read in order, as for a file."""
    read = [(part.name, list(part.lines)) for part in report.sections]
    assert not report.faults
    return [line for part, its_lines in read if part == name for line in its_lines]


def now(room: Room) -> int:
    return room.clock.now


# Gaming days


def test_a_gaming_day_ends_in_the_morning(calendar: Calendar) -> None:
    monday = calendar.day_start(date(2026, 3, 2))
    assert calendar.local(monday).isoformat() == "2026-03-02T06:00:00-08:00"
    assert [calendar.day_of(monday + change).day for change in (-1, 0, 24 * 3_600_000_000 - 1)] == [1, 2, 2]


def test_the_day_on_which_the_clocks_go_forward_has_23_hours(calendar: Calendar) -> None:
    hours = [
        (calendar.day_start(date(2026, 3, day + 1)) - calendar.day_start(date(2026, 3, day))) // 3_600_000_000
        for day in (6, 7, 8)
    ]
    assert hours == [24, 23, 24]
    for time in range(calendar.day_start(date(2026, 3, 6)), calendar.day_start(date(2026, 3, 9)), 1_800_000_000):
        day = calendar.day_of(time)
        assert calendar.day_start(day) <= time < calendar.day_start(date.fromordinal(day.toordinal() + 1))


@pytest.mark.parametrize(
    ("first", "last", "detail"),
    [
        ("yesterday", None, "'yesterday'"),
        ("20260302", None, "20260302"),
        ("2026-02-30", None, "2026-02-30"),
        (None, "9999-12-31", "9999-12-31"),
        ("2026-03-08", "2026-03-02", r"2026-03-02.*2026-03-08"),
    ],
)
def test_texts_that_are_not_days_are_refused(
    calendar: Calendar, first: str | None, last: str | None, detail: str
) -> None:
    with pytest.raises(BadDay, match=detail):
        open_period(calendar, first, last)


@pytest.mark.parametrize(("zone", "starts"), [("Mars/Olympus", "06:00"), ("../etc", "06:00"), ("UTC", "25:00")])
def test_an_unknown_time_zone_or_start_of_the_day_is_refused(zone: str, starts: str) -> None:
    with pytest.raises(BadDay):
        open_calendar(zone, starts)


def test_a_machine_without_time_zones_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.room.setup.calendar.available_timezones", set)
    with pytest.raises(BadDay, match="tzdata"):
        open_calendar("America/Nowhere")
    assert str(open_calendar("UTC")) == "UTC, the gaming day starts at 06:00"


# History


@pytest.mark.parametrize("every_round", [False, True])
def test_the_history_explains_every_meter_to_a_hundredth_of_a_cent(room: Room, every_round: bool) -> None:
    report = history_report(books(room), JACKPOTS, now(room), every_round=every_round)
    amounts: dict[tuple[str, str, str], int] = {}
    for line in lines(report, "history"):
        if line.amount is None:
            continue
        key = line.jackpot, line.level, line.held
        assert line.beginning == amounts.get(key, 0)
        assert line.beginning + line.amount == line.ending
        amounts[key] = line.ending
    balances = room.ledger.balances()
    for (jackpot, level, held), amount in amounts.items():
        assert balances[Account(AccountKind(held), f"{jackpot}/{level}")] == amount
    assert {key[0] for key in amounts} == set(JACKPOTS)


def test_the_weeks_of_a_history_fit_together(room: Room) -> None:
    weeks = [
        lines(history_report(books(room, first, last), JACKPOTS, now(room)), "sums")
        for first, last in ((None, "2026-03-02"), ("2026-03-03", "2026-03-08"), ("2026-03-09", None))
    ]
    for before, after in pairwise(weeks):
        assert [line.ending for line in before] == [line.beginning for line in after]
    assert all(line.agrees for week in weeks for line in week)


def test_a_round_after_midnight_belongs_to_the_day_before(room: Room) -> None:
    report = history_report(books(room, "2026-03-02", "2026-03-02"), ("final-four",), now(room))
    last = lines(report, "history")[-1]
    assert open_calendar().local(last.time).day == 3
    assert last.details == "4 rounds, 8 wagers, $8"


def test_every_round_names_its_dealer_and_every_change_a_person(room: Room) -> None:
    report = history_report(books(room, "2026-03-03"), JACKPOTS, now(room), every_round=True)
    report_lines = lines(report, "history")
    assert all(line.who for line in report_lines)
    counted = [line for line in report_lines if line.event == "Wagers counted"]
    assert {(line.table, line.who) for line in counted} == {("prime-1", "Kim"), ("prime-2", "Lee")}


def test_every_round_names_its_dealer_when_a_data_logger_forwards_rounds_of_several_together(tmp_path: Path) -> None:
    """Lou's round has no jackpot wager, so the jackpot has no event of it."""
    room = Room(f"sqlite:///{tmp_path}/books.db")
    room.card_room.jackpots.open("five-wild", "Olga", five_wild())
    room.card_room.add_table(
        "wild-1", "Olga", RoomTableSetup("wild-1", deuces_table(), tabulator=UnitSetup(deuces_sensors(), "A1-77"))
    )
    logger = write_record(new_logger("A1-77"), "r1", (1,), time=1, dealer="Kim", counter=1)
    logger = write_record(logger, "r2", (), time=2, dealer="Lou", counter=1)
    logger = write_record(logger, "r3", (1,), time=3, dealer="Kim", counter=2)
    room.card_room.import_logger_records("sent", "logger", "wild-1", logger.waiting)
    report_lines = lines(history_report(books(room), ("five-wild",), now(room), every_round=True), "history")
    counted = {line.round: line.who for line in report_lines if line.event == "Wagers counted"}
    assert counted == dict.fromkeys(("r1", "r3"), "Kim (named by the data logger)")
    room.ledger.close()


def test_every_reduction_has_one_of_the_five_reasons_or_gives_a_refused_prize_back(room: Room) -> None:
    report_lines = lines(history_report(books(room), JACKPOTS, now(room)), "history")
    taken = [line for line in report_lines if line.amount is not None and line.amount < 0]
    assert {line.reason for line in taken} == {
        "prize won",
        "correction of a malfunction",
        "recovery of seed money",
        "reset",  # the reset moves money from the reserve to the display
        "prize refused",
    }


def test_a_meter_that_the_entries_do_not_explain_is_reported(room: Room, tmp_path: Path) -> None:
    with sqlite3.connect(room.file) as whole, sqlite3.connect(tmp_path / "forged.db") as forged:
        whole.backup(forged)
        forged.execute(
            "INSERT INTO entries VALUES ('jackpot:final-four', 1, 9, 'house-cash:house', 'display:final-four/main', 1)"
        )
    whole.close()
    forged.close()
    with open_ledger(f"sqlite:///{tmp_path}/forged.db") as ledger:
        report = history_report(PeriodBooks(CardRoom(ledger), open_period(open_calendar())), ("final-four",), now(room))
        sums = [list(part.lines) for part in report.sections][1]
    meter_sum: Any = sums[0]
    assert (meter_sum.booked - meter_sum.ending, meter_sum.agrees) == (1, False)
    (fault,) = report.faults
    assert "display of final-four/main" in fault


# Meters


def test_the_meters_are_those_of_the_jackpots(room: Room) -> None:
    report = meters_report(books(room), JACKPOTS, now(room))
    meters = {(line.jackpot, line.level): line for line in lines(report, "meters")}
    for jackpot in JACKPOTS:
        for meter in room.card_room.jackpot(jackpot).meters:
            line = meters[jackpot, meter.name]
            assert (line.contributed, line.displayed, line.hits, line.won) == (
                meter.contributed,
                meter.display,
                meter.hits,
                meter.won,
            )
    assert meters["final-four", "main"].hits == 2


def test_the_totals_of_periods_add_up(room: Room) -> None:
    whole, *parts = (
        lines(meters_report(books(room, first, last), JACKPOTS, now(room)), "period")
        for first, last in ((None, None), (None, "2026-03-05"), ("2026-03-06", None))
    )
    for line, one, other in zip(whole, *parts, strict=True):
        for name in ("wagers", "wagered", "contributed", "hits", "won"):
            assert getattr(line, name) == getattr(one, name) + getattr(other, name)
        assert one.displayed_after == other.displayed_before


def test_the_parameters_are_those_in_force_on_that_day(room: Room) -> None:
    def rate(last: str) -> tuple[Fraction, str]:
        report_lines = lines(meters_report(books(room, None, last), JACKPOTS, now(room)), "parameters")
        return report_lines[1].increment, report_lines[2].status

    assert rate("2026-03-09") == (Fraction(1, 5), "available")
    assert rate("2026-03-10") == (Fraction(1, 4), "available; a change takes effect at the reset")


# Deposits


def test_the_deposit_sheet_equals_the_cages_money(room: Room) -> None:
    report = deposits_report(books(room), JACKPOTS, now(room))
    due: dict[str, int] = {}
    for line in lines(report, "due"):
        due[line.jackpot] = due.get(line.jackpot, 0) + line.amount
    balances = room.ledger.balances()
    assert due == {one: balances[Account(AccountKind.UNDEPOSITED, one)] for one in JACKPOTS}


def test_the_deposit_sheet_lists_days_and_tables_separately(room: Room) -> None:
    report_lines = lines(deposits_report(books(room, None, "2026-03-05"), ("final-four",), now(room)), "due")
    wagers = {(line.day.day, line.table): (line.wagers, line.amount) for line in report_lines if line.what == "wagers"}
    quarter = DOLLAR // 4
    assert wagers == {
        (2, "prime-1"): (60, 60 * quarter),
        (2, "prime-2"): (38, 38 * quarter),
        (3, "prime-1"): (24, 24 * quarter),
        (3, "prime-2"): (2, 2 * quarter),
    }
    assert [(line.what, line.amount) for line in report_lines if line.what == "prize won"] == [("prize won", -501_9600)]


def test_late_and_overdue_deposits_are_flagged(room: Room) -> None:
    report = deposits_report(books(room), JACKPOTS, now(room))
    made = {line.reference: line for line in lines(report, "deposits")}
    assert (made["slip-final-four"].days, made["slip-final-four"].in_time) == (4, True)
    assert (made["slip-late"].days, made["slip-late"].in_time) == (8, False)
    late = [note for note in report.notes if note.startswith("LATE.")]
    assert late[0] == "LATE. final-four: deposit slip-late of $5,005.50 was made after 8 days."
    assert [note.split(":")[0] for note in late[1:]] == ["LATE. all-seven", "LATE. ties"]


def test_less_than_a_cent_cannot_be_deposited_and_is_never_overdue(room: Room) -> None:
    sheets = lines(deposits_report(books(room, None, "2026-03-08"), JACKPOTS, now(room)), "sheet")
    ties = sheets[2]
    assert 0 < ties.undeposited < CENT
    assert (ties.to_deposit, ties.days, ties.in_time) == (0, None, True)


# Reconciliation


def test_the_bank_and_the_cage_cover_what_is_owed(room: Room) -> None:
    balances = room.ledger.balances()
    for line in lines(reconciliation_report(books(room), JACKPOTS, now(room)), "balances"):
        assert line.agrees
        assert line.owed == line.covered == room.card_room.jackpot(line.jackpot).owed
        assert line.escrow == balances[Account(AccountKind.ESCROW, line.jackpot)]


def test_a_shortage_and_its_correction_are_reported(room: Room) -> None:
    report = reconciliation_report(books(room), JACKPOTS, now(room))
    statements = [(line.jackpot, line.short, line.result) for line in lines(report, "statements")]
    assert statements == [
        ("final-four", 0, "agrees"),
        ("ties", 5 * DOLLAR, "SHORT by $5.00: the jackpot is closed"),
        ("ties", 0, "the shortage is made good; the jackpot is open again; reason: the teller's slip was missing"),
    ]
    assert [line.day.isoformat() for line in lines(report, "statements")] == ["2026-03-06"] * 3
    assert [line.who for line in lines(report, "statements")] == ["Olga", "Olga", "Paul and Olga"]
    history = list(lines(history_report(books(room), ("ties",), now(room)), "history"))
    kinds = ("Closed: the bank account is short", "Reopened: the shortage was made good")
    assert [one.who for one in history if one.event in kinds] == ["Olga", "Paul and Olga"]
    assert [note.split(":")[0] for note in report.notes[:2]] == [
        "DEPOSIT OVERDUE. all-seven",
        "DEPOSIT OVERDUE. ties",
    ]
    assert report.notes[2] == "NOT RECONCILED. all-seven: there is no bank statement in this period."


# Master games report


def test_the_account_lists_every_movement_with_its_number(room: Room) -> None:
    report_lines = list(lines(reconciliation_report(books(room), JACKPOTS, now(room)), "account"))
    four = [one for one in report_lines if one.jackpot == "final-four"]
    assert [card.number for card in four] == [
        "slip slip-final-four",
        "slip slip-royal",
        "check 1078",
        "slip slip-late",
    ]
    assert four[2].amount == -4_530_04 * CENT  # the check in full, as the bank's statement will have it
    assert four[2].what.endswith(", seat 1, Ann Lee")
    balance = 0
    for card in four:
        balance += card.amount
        assert card.balance == balance
    assert balance == room.card_room.jackpot("final-four").escrow
    sums = {jackpot: sum(one.amount for one in report_lines if one.jackpot == jackpot) for jackpot in JACKPOTS}
    assert sums == {jackpot: room.card_room.jackpot(jackpot).escrow for jackpot in JACKPOTS}


def test_items_in_transit_and_a_surplus_are_reported(tmp_path: Path) -> None:
    room = record_an_evening(f"sqlite:///{tmp_path}/books.db")
    balance = (room.card_room.jackpot("final-four").escrow - 5_005_5000) // CENT
    late = ["slip-late"]
    room.card_room.jackpots.reconcile("bank", "Olga", "final-four", balance + 12_40, day=None, in_transit=late)
    (*_, line) = lines(reconciliation_report(books(room), ("final-four",), now(room)), "statements")
    assert (line.in_transit, line.difference, line.short) == (5_005_5000, 12_4000, 0)
    assert line.result == "MORE than the ledger by $12.40, unexplained surplus: investigate"
    assert line.under_way == "slip slip-late in transit $5,005.50"
    two: Any = {"second": "Carl", "why": "misread"}
    room.card_room.jackpots.reconcile("again", "Olga", "final-four", balance, day=None, in_transit=late, **two)
    work = list(lines(reconciliation_report(books(room), ("final-four",), now(room)), "work"))[-5:]
    assert [(one.what, one.number, one.amount) for one in work] == [
        ("Balance on the statement", "", balance * CENT),
        ("Deposit in transit", "slip slip-late", 5_005_5000),
        ("Adjusted balance of the bank", "", room.card_room.jackpot("final-four").escrow),
        ("Balance by the ledger", "", room.card_room.jackpot("final-four").escrow),
        ("Difference", "", 0),
    ]
    assert room.card_room.calendar.format_time(work[1].entered)[:16] == "2026-03-17 11:00"


def test_a_change_that_a_claim_puts_into_effect_names_the_claimant(tmp_path: Path) -> None:
    """Olga and Carl entered a change that takes effect at the reset; Mia's claim resets the level."""
    room = record_an_evening(f"sqlite:///{tmp_path}/books.db")
    round_id = room.rounds("duel-1", 1, seats=1, dealer="Mia")
    room.card_room.claims.claim_prizes("suit", "Mia", "ties", "duel-1", round_id, duel_record("suit"))
    parts = (
        lines(history_report(books(room), ("ties",), now(room)), "history"),
        lines(recall_report(books(room), "ties", now(room)), "events"),
    )
    for section_lines in map(list, parts):
        caused = [line for line in section_lines if line.event in ("Parameters changed", "Meter reset")]
        assert {one.event for one in caused} == {"Parameters changed", "Meter reset"}
        assert {one.who for one in caused} == {"Mia"}
        assert any("put into effect by claim suit, entered by Olga and Carl" in one.details for one in caused)
    newest = list_newest_first(room.ledger, "jackpot:ties")
    by_page = {line.reason: line.who for line in list_change_lines(islice(newest, 5))}
    assert (by_page["changed"], by_page["reset"]) == ("Mia", "Mia")


@pytest.fixture
def waits(tmp_path: Path) -> Iterator[Room]:
    """A Final Four whose contribution changes from 20% to 15% at the next reset."""
    room = Room(f"sqlite:///{tmp_path}/books.db")
    open_room(room.card_room)
    room.card_room.jackpots.change_parameters(
        "less", "Olga", "final-four", "main", {"contribution": "15%"}, "less", second="Carl"
    )
    play(room.card_room, round_id="r1")
    yield room
    room.ledger.close()


def rates_of(room: Room) -> list[tuple[str, str, str]]:
    """The history's lines about the rate, newest first."""
    events = list(list_newest_first(room.ledger, "jackpot:final-four"))
    return [(line.reason, line.note, line.who) for line in list_change_lines(events) if "contribution" in line.note]


def test_a_refusal_that_postpones_a_change_again_says_so_in_every_history(waits: Room) -> None:
    """The last change of a rate is the one in force."""
    claim = waits.card_room.claims.claim_hand("won", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL).claim
    waits.card_room.claims.refuse("refused", "Flo", "final-four", claim, "no wager on the spot")
    assert waits.card_room.jackpot("final-four").meters[0].parameters.contribution == Fraction(1, 5)
    for line in (
        lines(history_report(books(waits), ("final-four",), now(waits)), "history"),
        lines(recall_report(books(waits), "final-four", now(waits)), "events"),
    ):
        refused = next(line for line in line if line.event == "Prize refused" and "contribution" in line.details)
        words = "main contribution 15% to 20%: change waits again for the reset, entered by Olga and Carl"
        assert words in refused.details
        assert refused.who == "Flo"
    note = f"contribution 15% to 20%; entered by Olga and Carl; claim {claim}"
    assert rates_of(waits)[0] == ("change waits again for the reset", note, "Flo")
    assert rates_of(waits)[1][0] == "changed"
    assert verify_card_room(waits.ledger).is_consistent


def test_a_claim_beside_others_that_puts_a_change_into_effect_says_so(waits: Room) -> None:
    """A tenth of the meter does not reset it; the whole meter, claimed for another seat of the round, does."""
    waits.card_room.claims.claim_hand("tenth", "Kim", "final-four", "prime-1", "r1", SPADE_ROYAL)
    assert rates_of(waits)[0][0] == "change waits for the reset"
    claim = waits.card_room.claims.claim_hand("whole", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL).claim
    assert waits.card_room.jackpot("final-four").meters[0].parameters.contribution == Fraction(3, 20)
    note = f"contribution 20% to 15%; entered by Olga and Carl; claim {claim}"
    assert rates_of(waits)[0] == ("change put into effect", note, "Kim")
    assert verify_card_room(waits.ledger).is_consistent


def test_the_master_games_report_equals_the_accounts_of_the_ledger(room: Room) -> None:
    report_lines = lines(master_report(books(room), None, now(room)), "tables")
    balances = room.ledger.balances()
    for table in (*TABLES, "house"):
        mine = [line for line in report_lines if line.table == table]
        receipts = sum(line.drop - line.accruals + line.adjustments for line in mine)
        assert receipts == balances[Account(AccountKind.GROSS_RECEIPTS, table)]
        prizes = sum(line.prizes + line.promotions for line in mine)
        assert prizes == balances.get(Account(AccountKind.PRIZES, table), 0)
        assert sum(line.win for line in mine) == receipts - prizes


def test_the_prizes_of_progressives_are_the_players_own_money(room: Room) -> None:
    report_lines = lines(master_report(books(room), "prime-2", now(room)), "tables")
    assert {line.table for line in report_lines} == {"prime-2"}
    assert [(line.day.day, line.jackpots) for line in report_lines if line.jackpots] == [(3, 501_9600), (9, 4_530_0400)]
    assert all(line.win == line.drop - line.accruals for line in report_lines)


def test_a_void_round_and_its_wagers_are_subtracted(room: Room) -> None:
    report_lines = lines(master_report(books(room, "2026-03-03", "2026-03-03"), "prime-1", now(room)), "tables")
    assert [(line.rounds, line.wagers, line.drop) for line in report_lines] == [(3, 36, 36 * DOLLAR)]


# Activity


def test_coin_in_and_hits_by_table_and_line(room: Room) -> None:
    report = activity_report(books(room), JACKPOTS, TABLES, "All tables", now(room), expected=False)
    parts = {part.name: list(part.lines) for part in report.sections}
    by_table: Any = parts["tables"]
    activity = {(line.table, line.wager): (line.wagers, line.coin_in, line.hits, line.paid) for line in by_table}
    assert activity["prime-1", "final-four"] == (132, 132 * DOLLAR, 1, 25 * DOLLAR)
    assert activity["prime-2", "final-four"] == (52, 52 * DOLLAR, 2, 5_032 * DOLLAR)
    assert activity["prime-2", "all-seven"] == (0, 0, None, None)  # disabled: the wager could not be made
    lines_hit: Any = parts["lines"]
    hit = {(line.jackpot, line.event): line.hits for line in lines_hit if line.hits}
    assert hit["final-four", "four-card-diamond-royal"] == 1
    assert sum(hit.values()) == sum(line.hits or 0 for line in by_table)
    by_game: Any = parts["games"]
    assert sum(line.wagers for line in by_game) == sum(line.wagers for line in by_table)


def test_the_exact_odds_are_beside_the_hits(room: Room) -> None:
    report = activity_report(books(room), ("final-four",), ("prime-1",), "prime-1", now(room), expected=True)
    royal = lines(report, "lines")[0]
    assert (royal.event, royal.chance) == ("four-card-diamond-royal", Fraction(1, 541_450))
    assert royal.expected == Fraction(132, 541_450)


# Recall


def test_the_last_rounds_of_a_table_are_recalled_in_full(room: Room) -> None:
    report = recall_report(books(room), "prime-1", now(room), count=100)
    rounds = lines(report, "rounds")
    assert rounds[0].sequence > rounds[-1].sequence
    void = [line for line in rounds if line.event == "Round voided"]
    assert [(line.round, line.why, line.positions) for line in void] == [
        ("void-round", "the shuffler jammed", "1, 2, 3, 4, 5, 6")
    ] * 2
    stored = next(event for event in room.ledger.events("tabulator:prime-1") if event.id == rounds[-1].id)
    assert rounds[-1].payload == stored.payload


def test_the_last_events_of_a_jackpot_are_recalled_with_the_cards(room: Room) -> None:
    events = lines(recall_report(books(room), "final-four", now(room)), "events")
    assert len(events) == 19
    locked = next(line for line in events if line.event == "Prize claimed and locked")
    assert "seat 1 hand Jd Qd Kd" in locked.round_played
    assert "Wagers: seat 1 final-four $1. Other cards, wagers, and decisions: not entered." in locked.round_played
    assert "dealer" not in locked.round_played
    reset = next(line for line in events if line.event == "Meter reset")
    assert reset.who == "Lee"


# Files


def test_the_master_games_report_names_the_promotions_and_the_owners_consent(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/promotions.db") as ledger:
        card_room = CardRoom(ledger)
        card_room.promotions.announce("one", "Olga", read_promotion(CONSENTED)._replace(last=date(2099, 8, 31)))
        report = master_report(PeriodBooks(card_room, open_period(open_calendar())), None, 0)
        (line,) = lines(report, "promotions")
    assert (line.id, line.consent) == ("ties", "letter of 2024-05-02")


def test_the_accruals_of_the_master_report_equal_the_meters_receipts_after_a_void_round(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/void.db") as ledger:
        card_room = CardRoom(ledger)
        open_room(card_room, tables=1)
        play(card_room, seats=3, round_id="kept")
        play(card_room, seats=5, round_id="void")
        card_room.void_round("void", "Sam", "prime-1", "void", "the shuffler jammed", second="Flo")
        kept = PeriodBooks(card_room, open_period(open_calendar()))
        (line,) = lines(master_report(kept, None, 0), "tables")
        (meter,) = lines(meters_report(kept, ("final-four",), 0), "period")
    assert (line.rounds, line.wagers, line.adjustments) == (1, 3, 0)
    assert line.accruals == meter.contributed > 0
    assert line.win == line.drop - line.accruals


def everything(room: Room) -> dict[str, AccountingReport]:
    reports = [
        history_report(books(room), JACKPOTS, now(room)),
        meters_report(books(room), JACKPOTS, now(room)),
        deposits_report(books(room), JACKPOTS, now(room)),
        reconciliation_report(books(room), JACKPOTS, now(room)),
        master_report(books(room), None, now(room)),
        activity_report(books(room), JACKPOTS, TABLES, "All tables", now(room), expected=False),
        recall_report(books(room), "prime-1", now(room)),
    ]
    return {report.slug: report for report in reports}


def test_every_report_has_the_same_values_in_csv_and_json(room: Room) -> None:
    again = everything(room)
    for slug, report in everything(room).items():
        table = list(csv.DictReader(StringIO("".join(csv_pieces(report)))))
        entry = json.loads("".join(json_pieces(again[slug])))
        kept = [(part["name"], line) for part in entry["parts"] for line in part["lines"]]
        assert [row["part"] for row in table] == [name for name, _ in kept]
        assert entry["faults"] == []
        for row, (_, line) in zip(table, kept, strict=True):
            for name, value in line.items():
                if isinstance(value, int) and "." in row[name]:
                    assert int(row[name].replace(".", "")) == value
                elif isinstance(value, str) and _is_fraction(value):
                    assert float(row[name]) == pytest.approx(float(Fraction(value)), rel=1e-14)
                elif value is None or isinstance(value, str):
                    assert row[name].removeprefix("'") == (value or "")


def _is_fraction(text: str) -> bool:
    try:
        Fraction(text)
    except ValueError:
        return False
    return True


def test_the_csv_of_the_history_adds_up_in_a_spreadsheet(room: Room) -> None:
    report = history_report(books(room), ("final-four",), now(room))
    rows = list(csv.DictReader(StringIO("".join(csv_pieces(report)))))
    display = [row for row in rows if row["part"] == "history" and row["held"] == "display"]
    total = sum(Fraction(row["amount"]) for row in display)
    assert total == Fraction(room.card_room.jackpot("final-four").meters[0].display, DOLLAR)
    assert display[0]["time"] == "2026-03-02T12:00:01.000000-08:00"


def test_a_name_that_looks_like_a_formula_stays_a_name(room: Room) -> None:
    class Line:
        who = "=1+1"

    part = ReportSection("people", "People", (ReportColumn("who", "Who"),), [Line()])
    report = AccountingReport("people", "People", "All", now(room), open_period(open_calendar()), (part,))
    assert "".join(csv_pieces(report)).splitlines() == ["part,who", "people,'=1+1"]


@pytest.mark.parametrize("text", ["mar-1", "8 pm", "0012"])
def test_a_text_that_a_spreadsheet_would_take_for_a_date_stays_a_text(room: Room, text: str) -> None:
    assert _only_cell(room, Cell.TEXT, text) == f"'{text}"


@pytest.mark.parametrize(
    ("share", "number"),
    [
        (Fraction(1, 8), "0.125"),
        (Fraction(1, 3), "0.333333333333333"),
        (Fraction(3), "3"),
        (Fraction(1, 10**9), "0.000000001"),
    ],
)
def test_a_fraction_is_a_number_that_a_spreadsheet_can_add(room: Room, share: Fraction, number: str) -> None:
    assert _only_cell(room, Cell.SHARE, share) == number


def _only_cell(room: Room, kind: Cell, value: object) -> str:
    part = ReportSection("some", "Some", (ReportColumn("value", "Value", kind),), [SimpleNamespace(value=value)])
    report = AccountingReport("some", "Some", "All", now(room), open_period(open_calendar()), (part,))
    (row,) = csv.DictReader(StringIO("".join(csv_pieces(report))))
    return row["value"]


@pytest.mark.parametrize("slug", ["jackpot-history", "jackpot-deposits", "master-games-report", "recall"])
def test_a_printed_report_has_its_figures_attached_and_is_reproducible(room: Room, slug: str, tmp_path: Path) -> None:
    one, other = tmp_path / "one.pdf", tmp_path / "other.pdf"
    write_report(everything(room)[slug], one)
    write_report(everything(room)[slug], other)
    assert one.read_bytes() == other.read_bytes()
    assert extract_attachment(one.read_bytes()) == "".join(json_pieces(everything(room)[slug]))


def test_an_empty_report_can_be_written(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/empty.db") as ledger:
        nothing = PeriodBooks(CardRoom(ledger), open_period(open_calendar()))
        for make in (history_report, meters_report, deposits_report, reconciliation_report):
            write_report(make(nothing, (), 0), tmp_path / "empty.pdf")
        write_report(master_report(nothing, None, 0), tmp_path / "empty.pdf")


def test_a_report_with_too_many_lines_is_not_printed(tmp_path: Path) -> None:
    part = ReportSection("counts", "Counts", (ReportColumn("real", "Real", Cell.COUNT),), range(MAX_PDF_LINES + 1))
    report = AccountingReport("counts", "Counts", "All", 0, open_period(open_calendar()), (part,))
    with pytest.raises(ReportTooLong, match=r"\.csv"):
        write_report(report, tmp_path / "long.pdf")
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_kind_is_refused(room: Room, tmp_path: Path) -> None:
    report = meters_report(books(room), JACKPOTS, now(room))
    with pytest.raises(BadReportFile, match=r"'meters\.xls'"):
        write_report(report, tmp_path / "meters.xls")
