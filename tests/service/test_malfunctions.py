"""A malfunction has a numbered report with a deadline, which ends when the report is sent or closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.room.dual_control import NameMissing
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.custody import correct_malfunction
from cardroom.room.setup.calendar import BadDay, open_calendar, parse_time
from cardroom.room.site.malfunction_reports import (
    HOUR,
    BadReport,
    UnknownReport,
    apply_report_event,
    describe_clock,
    report_malfunction,
)
from cardroom.room.tabulator.unit import report_fault, void_round
from cardroom.service import CardRoom, verify, verify_card_room
from cardroom.service.verification import run as verification_run
from tests.service.card_rooms import new_id, open_room, play
from tests.service.test_verification import _commit, discrepancy

CALENDAR = open_calendar()
FOUND_AT = parse_time("2026-03-02 21:40", CALENDAR, 0)


@pytest.fixture
def evening(url: str) -> Iterator[CardRoom]:
    """A card room on the evening of the malfunction, twenty minutes after it was detected."""
    now = FOUND_AT + HOUR // 3
    with open_ledger(url, clock=lambda: now) as ledger:
        card_room = CardRoom(ledger, clock=lambda: now)
        open_room(card_room, tables=1)
        yield card_room


def open_report(card_room: CardRoom, number: str = "R-31", subject: str = "prime-1", id: str | None = None) -> None:
    card_room.malfunctions.report(id or new_id(), "Rosa", number, subject, found_at="21:40", why="Sensor 3 is dead")


def test_a_report_is_due_seventy_two_hours_after_the_malfunction_was_found(evening: CardRoom) -> None:
    open_report(evening)
    (opened,) = evening.room().reports
    assert (opened.table, opened.jackpot, opened.found_at, opened.due) == (
        "prime-1",
        None,
        FOUND_AT,
        FOUND_AT + 72 * HOUR,
    )
    assert describe_clock(opened, FOUND_AT + HOUR // 3) == "71 h 40 min left"
    assert verify_card_room(evening.ledger).is_consistent


def test_a_report_can_be_about_a_jackpot(evening: CardRoom) -> None:
    open_report(evening, subject="final-four")
    assert [(report.table, report.jackpot) for report in evening.room().reports] == [(None, "final-four")]


def test_sending_a_report_meets_its_deadline_and_closing_removes_it(evening: CardRoom) -> None:
    open_report(evening)
    sent = evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="e-mail to the agent")
    assert (sent.report.sent is not None, sent.closed) == (True, False)
    assert describe_clock(sent.report, FOUND_AT + 100 * HOUR) == "sent in time"
    closed = evening.malfunctions.close(new_id(), "Rosa", "R-31", "The sensor was exchanged")
    assert (closed.closed, evening.room().reports) == (True, ())
    assert verify_card_room(evening.ledger).is_consistent


def test_a_report_number_is_used_only_once(evening: CardRoom) -> None:
    open_report(evening, id="first")
    evening.malfunctions.close(new_id(), "Rosa", "R-31", "done")
    with pytest.raises(BadReport, match="R-31"):
        open_report(evening)
    open_report(evening, id="first")
    assert evening.room().reports == ()


@pytest.mark.parametrize("typed", ["r-31", "R- 31", " r -31 "])
def test_a_report_number_ignores_case_and_spaces(evening: CardRoom, typed: str) -> None:
    open_report(evening)
    with pytest.raises(BadReport):
        open_report(evening, number=typed)
    sent = evening.malfunctions.send(new_id(), "Rosa", typed, reference="fax 12")
    assert (sent.report.number, sent.closed) == ("R-31", False)
    closed = evening.malfunctions.close(new_id(), "Rosa", typed, "done")
    assert (closed.report.number, closed.closed) == ("R-31", True)
    with pytest.raises(BadReport):
        open_report(evening, number=typed)
    assert verify_card_room(evening.ledger).is_consistent


def test_only_an_open_report_can_be_sent_or_closed(evening: CardRoom) -> None:
    open_report(evening)
    with pytest.raises(UnknownReport, match="R-30"):
        evening.malfunctions.send(new_id(), "Rosa", "R-30", reference="fax")
    evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="fax 12")
    with pytest.raises(BadReport, match="12"):
        evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="fax 13")
    evening.malfunctions.close(new_id(), "Rosa", "R-31", "done")
    with pytest.raises(UnknownReport):
        evening.malfunctions.close(new_id(), "Rosa", "R-31", "done")


@pytest.mark.parametrize("found_at", ["2026-03-02 22:01", "tomorrow"])
def test_a_malfunction_needs_a_valid_time_that_is_not_in_the_future(evening: CardRoom, found_at: str) -> None:
    with pytest.raises((BadReport, BadDay)):
        evening.malfunctions.report(new_id(), "Rosa", "R-31", "prime-1", found_at=found_at, why="dead")


def test_a_report_cannot_be_sent_before_the_malfunction_was_found(evening: CardRoom) -> None:
    open_report(evening)
    with pytest.raises(BadReport):
        evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="fax", sent_at="21:39")
    sent = evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="fax", sent_at="21:55")
    assert sent.report.sent is not None
    assert sent.report.sent.at == FOUND_AT + HOUR // 4


def test_a_report_without_a_term_has_no_deadline() -> None:
    (event,) = report_malfunction(
        "R-31", table="prime-1", jackpot=None, found_at=FOUND_AT, hours=None, now=FOUND_AT, who="Rosa", why="dead"
    )
    (opened,) = apply_report_event((), event)
    assert (opened.due, describe_clock(opened, FOUND_AT + 1000 * HOUR)) == (None, "no deadline")


def test_a_report_that_was_sent_late_shows_how_late(evening: CardRoom) -> None:
    evening.malfunctions.report(new_id(), "Rosa", "R-31", "prime-1", found_at="2026-02-20 12:00", why="dead")
    sent = evening.malfunctions.send(new_id(), "Rosa", "R-31", reference="fax", sent_at="2026-02-23 13:30")
    assert describe_clock(sent.report, FOUND_AT) == "sent, 1 h 30 min late"


def test_a_report_needs_a_number_a_reason_and_a_known_subject(evening: CardRoom) -> None:
    with pytest.raises(NameMissing):
        evening.malfunctions.report(new_id(), "Rosa", " ", "prime-1", found_at="21:40", why="dead")
    with pytest.raises(NameMissing):
        evening.malfunctions.report(new_id(), "Rosa", "R-31", "prime-1", found_at="21:40", why=" ")
    with pytest.raises(Exception, match="prime-9"):
        open_report(evening, subject="prime-9")


def test_a_fault_and_a_void_round_can_name_only_an_open_report(evening: CardRoom) -> None:
    open_report(evening)
    play(evening, round_id="r1")
    with pytest.raises(UnknownReport):
        evening.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo", report="R-9")
    evening.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo", report="R-31")
    evening.report_tabulator_fault(new_id(), "Kim", "prime-1", "dead", report=" R-31 ")
    reports = [event.payload.get("report") for event in evening.ledger.events("tabulator:prime-1")]
    assert reports[-2:] == ["R-31", "R-31"]
    assert verify_card_room(evening.ledger).is_consistent


# A forger who has the program names a report that was not open at the time.


@pytest.fixture
def room_and_clock(tmp_path: Path) -> Iterator[tuple[CardRoom, Callable[[], None]]]:
    """A card room whose clock advances by an hour on demand, with two counted rounds, one of them without wagers."""
    now = FOUND_AT + HOUR

    def advance() -> None:
        nonlocal now
        now += HOUR

    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock=lambda: now) as ledger:
        card_room = CardRoom(ledger, clock=lambda: now)
        open_room(card_room, tables=1)
        play(card_room, seats=5)
        card_room.tabulate(new_id(), "Kim", "prime-1", {}, round_id="empty")
        yield card_room, advance


def _forge_correction(card_room: CardRoom) -> DomainEvent:
    state = card_room.jackpot("final-four")
    (event,) = correct_malfunction(state, "main", -100, report="R-31", who="Eve", second="Olga", why="It stuck")
    return event


def _forge_void(card_room: CardRoom) -> DomainEvent:
    tabulator = card_room.tabulator("prime-1").tabulator
    (event,) = void_round(tabulator, "empty", who="Eve", second="Olga", reason="It stuck", report="R-31")
    return event


def _forge_fault(card_room: CardRoom) -> DomainEvent:
    (event,) = report_fault(card_room.tabulator("prime-1").tabulator, who="Eve", reason="It stuck", report="R-31")
    return event


FORGED = {"jackpot:final-four": (_forge_correction,), "tabulator:prime-1": (_forge_void, _forge_fault)}


@pytest.mark.parametrize(("chain", "forge"), [(chain, forge) for chain in FORGED for forge in FORGED[chain]])
@pytest.mark.parametrize("opened", ["before", "before and closed", "afterward", "under another number", "never"])
def test_an_event_that_names_a_report_that_was_not_open_is_found(
    room_and_clock: tuple[CardRoom, Callable[[], None]],
    chain: str,
    forge: Callable[[CardRoom], DomainEvent],
    opened: str,
) -> None:
    card_room, advance = room_and_clock
    if opened in ("before", "before and closed"):
        open_report(card_room)
    if opened == "under another number":
        open_report(card_room, "R-30")
    if opened == "before and closed":
        advance()
        card_room.malfunctions.close(new_id(), "Rosa", "R-31", "done")
    advance()
    event = forge(card_room)
    _commit(card_room, chain, event.kind, event.payload)
    advance()
    if opened == "afterward":
        open_report(card_room)
    if opened == "before":
        card_room.malfunctions.close(new_id(), "Rosa", "R-31", "done")
        assert verify_card_room(card_room.ledger).is_consistent
    else:
        sentence = discrepancy(card_room)
        assert sentence.startswith(f"Event {card_room.ledger.head(chain).sequence} of {chain}")
        assert "report R-31 was not open then" in sentence


def test_verification_on_several_cores_compares_reports_too(
    room_and_clock: tuple[CardRoom, Callable[[], None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card_room, _ = room_and_clock
    monkeypatch.setattr(verification_run, "MIN_EVENTS_FOR_PARALLEL", 0)
    open_report(card_room)
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light", report="R-31")
    assert verify(f"sqlite:///{tmp_path}/room.db", cores=2).is_consistent
    event = _forge_correction(card_room)
    _commit(card_room, "jackpot:final-four", event.kind, event.payload | {"report": "R-32"})
    discrepancy = verify(f"sqlite:///{tmp_path}/room.db", cores=2).discrepancy
    assert discrepancy is not None
    assert "report R-32 was not open then" in discrepancy.sentence
