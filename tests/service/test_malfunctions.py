"""A malfunction has a report with a number and a clock, which runs until the report is sent and closed."""

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
from cardroom.service.verification import run as whole
from tests.service.card_rooms import new_id, open_room, play
from tests.service.test_verification import _commit, discrepancy

ROOM = open_calendar()
FOUND = parse_time("2026-03-02 21:40", ROOM, 0)


@pytest.fixture
def evening(url: str) -> Iterator[CardRoom]:
    """A card room on the evening of the malfunction, twenty minutes after it was found."""
    now = FOUND + HOUR // 3
    with open_ledger(url, clock=lambda: now) as ledger:
        card_room = CardRoom(ledger, clock=lambda: now)
        open_room(card_room, tables=1)
        yield card_room


def report(card_room: CardRoom, number: str = "R-31", of: str = "prime-1", id: str | None = None) -> None:
    card_room.report_malfunction(id or new_id(), "Rosa", number, of, found_at="21:40", why="Sensor 3 is dead")


def test_a_report_has_seventy_two_hours_from_the_time_at_which_the_malfunction_was_found(evening: CardRoom) -> None:
    report(evening)
    (opened,) = evening.room().reports
    assert (opened.table, opened.jackpot, opened.found_at, opened.due) == ("prime-1", None, FOUND, FOUND + 72 * HOUR)
    assert describe_clock(opened, FOUND + HOUR // 3) == "71 h 40 min left"
    assert verify_card_room(evening.ledger).is_consistent


def test_a_report_may_be_on_a_jackpot(evening: CardRoom) -> None:
    report(evening, of="final-four")
    assert [(one.table, one.jackpot) for one in evening.room().reports] == [(None, "final-four")]


def test_sending_stops_the_clock_and_closing_ends_it(evening: CardRoom) -> None:
    report(evening)
    sent = evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="e-mail to the agent")
    assert (sent.report.sent is not None, sent.closed) == (True, False)
    assert describe_clock(sent.report, FOUND + 100 * HOUR) == "sent in time"
    closed = evening.close_malfunction_report(new_id(), "Rosa", "R-31", "The sensor was exchanged")
    assert (closed.closed, evening.room().reports) == (True, ())
    assert verify_card_room(evening.ledger).is_consistent


def test_a_number_is_given_once_for_ever(evening: CardRoom) -> None:
    report(evening, id="first")
    evening.close_malfunction_report(new_id(), "Rosa", "R-31", "done")
    with pytest.raises(BadReport, match="R-31"):
        report(evening)
    report(evening, id="first")
    assert evening.room().reports == ()


@pytest.mark.parametrize("typed", ["r-31", "R- 31", " r -31 "])
def test_a_number_is_the_same_however_it_is_typed(evening: CardRoom, typed: str) -> None:
    report(evening)
    with pytest.raises(BadReport):
        report(evening, number=typed)
    sent = evening.send_malfunction_report(new_id(), "Rosa", typed, reference="fax 12")
    assert (sent.report.number, sent.closed) == ("R-31", False)
    closed = evening.close_malfunction_report(new_id(), "Rosa", typed, "done")
    assert (closed.report.number, closed.closed) == ("R-31", True)
    with pytest.raises(BadReport):
        report(evening, number=typed)
    assert verify_card_room(evening.ledger).is_consistent


def test_what_is_not_open_is_neither_sent_nor_closed(evening: CardRoom) -> None:
    report(evening)
    with pytest.raises(UnknownReport, match="R-30"):
        evening.send_malfunction_report(new_id(), "Rosa", "R-30", reference="fax")
    evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="fax 12")
    with pytest.raises(BadReport, match="12"):
        evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="fax 13")
    evening.close_malfunction_report(new_id(), "Rosa", "R-31", "done")
    with pytest.raises(UnknownReport):
        evening.close_malfunction_report(new_id(), "Rosa", "R-31", "done")


@pytest.mark.parametrize("found", ["2026-03-02 22:01", "tomorrow"])
def test_a_malfunction_was_found_at_a_time_that_has_come(evening: CardRoom, found: str) -> None:
    with pytest.raises((BadReport, BadDay)):
        evening.report_malfunction(new_id(), "Rosa", "R-31", "prime-1", found_at=found, why="dead")


def test_a_report_goes_out_after_the_malfunction_was_found(evening: CardRoom) -> None:
    report(evening)
    with pytest.raises(BadReport):
        evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="fax", sent_at="21:39")
    sent = evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="fax", sent_at="21:55")
    assert sent.report.sent is not None
    assert sent.report.sent.at == FOUND + HOUR // 4


def test_where_no_hours_are_set_no_clock_runs() -> None:
    (result,) = report_malfunction(
        "R-31", table="prime-1", jackpot=None, found_at=FOUND, hours=None, now=FOUND, who="Rosa", why="dead"
    )
    (opened,) = apply_report_event((), result)
    assert (opened.due, describe_clock(opened, FOUND + 1000 * HOUR)) == (None, "no deadline")


def test_a_report_that_went_out_late_says_so(evening: CardRoom) -> None:
    evening.report_malfunction(new_id(), "Rosa", "R-31", "prime-1", found_at="2026-02-20 12:00", why="dead")
    sent = evening.send_malfunction_report(new_id(), "Rosa", "R-31", reference="fax", sent_at="2026-02-23 13:30")
    assert describe_clock(sent.report, FOUND) == "sent, 1 h 30 min late"


def test_a_report_says_who_and_why_and_of_what(evening: CardRoom) -> None:
    with pytest.raises(NameMissing):
        evening.report_malfunction(new_id(), "Rosa", " ", "prime-1", found_at="21:40", why="dead")
    with pytest.raises(NameMissing):
        evening.report_malfunction(new_id(), "Rosa", "R-31", "prime-1", found_at="21:40", why=" ")
    with pytest.raises(Exception, match="prime-9"):
        report(evening, of="prime-9")


def test_a_breakdown_and_a_void_round_name_a_report_that_is_open(evening: CardRoom) -> None:
    report(evening)
    play(evening, round_id="r1")
    with pytest.raises(UnknownReport):
        evening.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo", report="R-9")
    evening.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo", report="R-31")
    evening.report_tabulator_fault(new_id(), "Kim", "prime-1", "dead", report=" R-31 ")
    result = [event.payload.get("report") for event in evening.ledger.events("tabulator:prime-1")]
    assert result[-2:] == ["R-31", "R-31"]
    assert verify_card_room(evening.ledger).is_consistent


# A forger who has the program names a report that was not open then.


@pytest.fixture
def hours(tmp_path: Path) -> Iterator[tuple[CardRoom, Callable[[], None]]]:
    """A card room whose clock goes on by an hour when it is shown to; two rounds were counted, one without wagers."""
    now = FOUND + HOUR

    def later() -> None:
        nonlocal now
        now += HOUR

    with open_ledger(f"sqlite:///{tmp_path}/room.db", clock=lambda: now) as ledger:
        card_room = CardRoom(ledger, clock=lambda: now)
        open_room(card_room, tables=1)
        play(card_room, seats=5)
        card_room.tabulate(new_id(), "Kim", "prime-1", {}, round_id="empty")
        yield card_room, later


def _adjusted(card_room: CardRoom) -> DomainEvent:
    state = card_room.jackpot("final-four")
    (one,) = correct_malfunction(state, "main", -100, report="R-31", who="Eve", second="Olga", why="It stuck")
    return one


def _voided(card_room: CardRoom) -> DomainEvent:
    tabulator = card_room.tabulator("prime-1").tabulator
    (one,) = void_round(tabulator, "empty", who="Eve", second="Olga", reason="It stuck", report="R-31")
    return one


def _broken(card_room: CardRoom) -> DomainEvent:
    (one,) = report_fault(card_room.tabulator("prime-1").tabulator, who="Eve", reason="It stuck", report="R-31")
    return one


FORGED = {"jackpot:final-four": (_adjusted,), "tabulator:prime-1": (_voided, _broken)}


@pytest.mark.parametrize(("chain", "forged"), [(chain, one) for chain in FORGED for one in FORGED[chain]])
@pytest.mark.parametrize("opened", ["before", "and closed before", "afterwards", "under another number", "never"])
def test_what_rests_on_a_report_that_was_not_open_then_is_found(
    hours: tuple[CardRoom, Callable[[], None]], chain: str, forged: Callable[[CardRoom], DomainEvent], opened: str
) -> None:
    card_room, later = hours
    if opened in ("before", "and closed before"):
        report(card_room)
    if opened == "under another number":
        report(card_room, "R-30")
    if opened == "and closed before":
        later()
        card_room.close_malfunction_report(new_id(), "Rosa", "R-31", "done")
    later()
    one = forged(card_room)
    _commit(card_room, chain, one.kind, one.payload)
    later()
    if opened == "afterwards":
        report(card_room)
    if opened == "before":
        card_room.close_malfunction_report(new_id(), "Rosa", "R-31", "done")
        assert verify_card_room(card_room.ledger).is_consistent
    else:
        sentence = discrepancy(card_room)
        assert sentence.startswith(f"Event {card_room.ledger.head(chain).sequence} of {chain}")
        assert "report R-31 was not open then" in sentence


def test_reports_are_compared_on_several_cores_too(
    hours: tuple[CardRoom, Callable[[], None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card_room, _ = hours
    monkeypatch.setattr(whole, "MIN_EVENTS_FOR_PARALLEL", 0)
    report(card_room)
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light", report="R-31")
    assert verify(f"sqlite:///{tmp_path}/room.db", cores=2).is_consistent
    one = _adjusted(card_room)
    _commit(card_room, "jackpot:final-four", one.kind, one.payload | {"report": "R-32"})
    found = verify(f"sqlite:///{tmp_path}/room.db", cores=2).discrepancy
    assert found is not None
    assert "report R-32 was not open then" in found.sentence
