"""Recall: the last rounds of a table and the last events of a jackpot, in full, newest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import Event, Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import PeriodBooks, event_payload
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.report import (
    AccountingReport,
    BadRecall,
    ReportEvent,
    ReportHeader,
    ReportSection,
    build_report,
    overdue_notes,
)
from cardroom.reports.documents.dates import format_second
from cardroom.room.descriptions.event_descriptions import event_title, join_sentences, responsible_people
from cardroom.room.descriptions.event_phrases import record_text
from cardroom.room.setup.calendar import Calendar
from cardroom.service import CardRoom

DEFAULT_COUNT: Final = 50
"""The least number of events that GLI-19 requires."""


@dataclass(frozen=True, slots=True)
class RecallRoundLine:
    """One wager of a recalled round."""

    table: str
    time: Time
    sequence: int
    id: str
    round: str
    event: str
    what: str
    """The event, and the time of the button press if a data logger recorded the round."""
    who: str
    wager: str
    jackpot: str | None
    count: int
    positions: str
    lammers: str
    counter: int | None
    why: str
    pressed: Time | None
    """By the clock of the data logger that recorded it."""
    payload: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEventLine(ReportEvent):
    """A recalled event of a jackpot."""

    id: str
    round_played: str
    """Cards, wagers, and decisions of the claimed round."""
    payload: Any

    @property
    def what(self) -> str:
        return join_sentences(self.event, self.reason, self.details, self.round_played)


def recall_report(books: PeriodBooks, name: str, prepared: Time, count: int = DEFAULT_COUNT) -> AccountingReport:
    """Recall a table, a jackpot, or both if they have one name."""
    if count < 1:
        raise BadRecall(f"{count} events cannot be recalled: use 1 or more.")
    card_room, parts, subject = books.card_room, list[ReportSection](), name
    books = books.switch_currency(_currency_of(card_room, name))
    if name in card_room.list_tabulators():
        rounds = _note_events(books, card_room.history.list_tabulator_rounds(name, count))
        claims = [
            line
            for jackpot in books.jackpots()  # including jackpots that it has left
            for line in _events(jackpot, _note_events(books, card_room.history.list_jackpot_events(jackpot, count)))
            if line.table == name
        ]
        parts.append(
            ReportSection(
                "rounds", f"The last rounds of {name}", _ROUND_COLUMNS, list(_rounds(name, rounds, books.calendar))
            )
        )
        life = _note_events(books, card_room.history.list_tabulator_changes(name, count))
        parts.append(ReportSection("life", f"Changes of {name}", _EVENT_COLUMNS, list(_events("", life))))
        parts.append(ReportSection("claims", f"Jackpot events at {name}", _EVENT_COLUMNS, claims))
    if name in card_room.list_jackpots():
        subject = card_room.jackpot(name).setup["name"]
        recalled = _note_events(books, card_room.history.list_jackpot_events(name, count))
        parts.append(
            ReportSection("events", f"The last events of {name}", _EVENT_COLUMNS, list(_events(name, recalled)))
        )
    if not parts:
        choices = ", ".join((*card_room.list_tabulators(), *card_room.list_jackpots())) or "none yet"
        raise BadRecall(f"There is no table or jackpot {name!r}. Choose one of: {choices}.")
    return build_report(
        ReportHeader(books, prepared, "recall", "Recall", subject),
        sections=parts,
        notes=(
            *overdue_notes(books, (name,) if name in card_room.list_jackpots() else (), prepared),
            (
                f"At most {count} of each, newest first. Jackpot events do not repeat the wagers of each round, which "
                "are listed with the rounds of its tables. CSV and JSON contain every event as it is stored."
            ),
        ),
    )


def _currency_of(card_room: CardRoom, name: str) -> Currency:
    """The currency of a table or a jackpot; a table has the currency of its jackpots."""
    if name in card_room.list_tabulators():
        return card_room.tabulator(name).money
    return card_room.jackpot(name).money if name in card_room.list_jackpots() else Currency.REAL


def _note_events(books: PeriodBooks, events: tuple[Event, ...]) -> tuple[Event, ...]:
    for event in events[:1]:
        books.note_event(event)
    return events


def _press_time_text(event: Event, calendar: Calendar) -> str:
    """The time of the button press by the data logger's clock; the line has the time at which the record arrived."""
    record = event_payload(event).get("record")
    return f", pressed {format_second(calendar.local(record['time']))}" if record else ""


def _rounds(table: str, events: tuple[Event, ...], calendar: Calendar) -> Iterator[RecallRoundLine]:
    for event in events:
        payload = event_payload(event)
        for wager in payload["wagers"]:
            yield RecallRoundLine(
                table,
                event.time,
                event.sequence,
                event.id,
                str(payload.get("round") or payload.get("reading", "")),
                event_title(event.kind),
                event_title(event.kind) + _press_time_text(event, calendar),
                responsible_people(payload),
                wager["wager"],
                wager["jackpot"],
                wager["count"],
                _positions_text(wager.get("positions")),
                _positions_text(wager.get("lammers")),
                wager.get("counter"),
                str(payload.get("reason") or payload.get("why", "")),
                payload["record"]["time"] if payload.get("record") else None,
                payload,
            )


def _positions_text(positions: list[int] | None) -> str:
    return ", ".join(map(str, positions or ()))


def _events(jackpot: str, events: tuple[Event, ...]) -> Iterator[RecallEventLine]:
    people: dict[str, str] = {}
    for event in events:
        people[event.command_id] = people.get(event.command_id) or responsible_people(event_payload(event))
    for event in events:
        payload = event_payload(event)
        round_text = record_text(payload["record"], payload.get("typed_seat")) if "record" in payload else ""
        person = responsible_people(payload) or people[event.command_id]
        yield RecallEventLine.from_event(jackpot, event, person, id=event.id, round_played=round_text, payload=payload)


_ROUND_COLUMNS: Final = (
    *columns.files_only(columns.texts(table="Table")),
    *columns.define(Cell.TIME, time="Time"),
    *columns.files_only(columns.define(Cell.TIME, pressed="Pressed")),
    *columns.counts(sequence="Event"),
    *columns.files_only(columns.texts(id="Id")),
    *columns.texts(round="Round"),
    *columns.people_only(columns.widen(columns.texts(what="What happened"))),
    *columns.files_only(columns.texts(event="What happened")),
    *columns.texts(why="Why", who="Who", wager="Wager"),
    *columns.files_only(columns.texts(jackpot="Jackpot")),
    *columns.counts(count="Wagers"),
    *columns.texts(positions="Positions", lammers="Lammers"),
    *columns.counts(counter="Counter"),
    *columns.files_only(columns.define(Cell.PLAIN, payload="As stored")),
)
_EVENT_COLUMNS: Final = (
    *columns.files_only(columns.texts(jackpot="Jackpot")),
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.files_only(columns.texts(id="Id")),
    *columns.people_only(columns.widen(columns.texts(what="What happened"))),
    *columns.files_only(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.files_only(columns.texts(round_played="The round")),
    *columns.texts(table="Table", round="Round", who="Who"),
    *columns.files_only(columns.define(Cell.PLAIN, payload="As stored")),
)
