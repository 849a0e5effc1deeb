"""Recall: the last rounds of a table, and the last events of a jackpot, in full. The newest come first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cardroom.accounts import Money
from cardroom.floor import Floor
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.telling.phrases import record_words
from cardroom.jackpots.telling.words import answering, explained, happened
from cardroom.ledger import Event, Time
from cardroom.reports.books import columns
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.faults import BadRecall
from cardroom.reports.books.overdue import overdue_notes
from cardroom.reports.books.reading import Books, told
from cardroom.reports.books.statement import Head, Report, Section, report_on
from cardroom.reports.books.told_event import ToldEvent

LAST: Final = 50
"""GLI-19 asks for at least so many."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One wager of a recalled round."""

    table: str
    time: Time
    sequence: int
    id: str
    round: str
    event: str
    what: str
    """The event, and when the button was pressed where a data logger kept the round."""
    who: str
    wager: str
    jackpot: str | None
    count: int
    positions: str
    lammers: str
    counter: int | None
    why: str
    pressed: Time | None
    """By the clock of the data logger that kept it."""
    payload: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine(ToldEvent):
    """A recalled event of a jackpot."""

    id: str
    round_played: str
    """Cards, wagers and decisions of the round that a claim is about."""
    payload: Any

    @property
    def what(self) -> str:
        return explained(self.event, self.reason, self.details, self.round_played)


def recall_report(books: Books, name: str, prepared: Time, last: int = LAST) -> Report:
    """Recall a table, a jackpot, or both if they have one name."""
    if last < 1:
        raise BadRecall(f"{last} events cannot be recalled: ask for one or more.")
    floor, parts, subject = books.floor, list[Section](), name
    books = books.of(_money_of(floor, name))
    if name in floor.tables():
        rounds = _noted(books, floor.recall_rounds(name, last))
        claims = [
            line
            for jackpot in books.jackpots()  # also those that it has left since
            for line in _events(jackpot, _noted(books, floor.recall_jackpot(jackpot, last)))
            if line.table == name
        ]
        parts.append(
            Section("rounds", f"The last rounds of {name}", _ROUNDS, list(_rounds(name, rounds, books.calendar)))
        )
        life = _noted(books, floor.recall_life(name, last))
        parts.append(Section("life", f"What was changed at {name}", _EVENTS, list(_events("", life))))
        parts.append(Section("claims", f"What happened at {name} to its jackpots", _EVENTS, claims))
    if name in floor.jackpots():
        subject = floor.jackpot(name).setup["name"]
        recalled = _noted(books, floor.recall_jackpot(name, last))
        parts.append(Section("events", f"The last events of {name}", _EVENTS, list(_events(name, recalled))))
    if not parts:
        there = ", ".join((*floor.tables(), *floor.jackpots())) or "none yet"
        raise BadRecall(f"There is no table and no jackpot {name!r}: there are {there}.")
    return report_on(
        Head(books, prepared, "recall", "Recall", subject),
        parts=parts,
        notes=(
            *overdue_notes(books, (name,) if name in floor.jackpots() else (), prepared),
            (
                f"At most {last} of each, the newest first. The events of a jackpot are told without the wagers of "
                "each round, which stand with the rounds of its tables. CSV and JSON have every event as it is stored."
            ),
        ),
    )


def _money_of(floor: Floor, name: str) -> Money:
    """What is played for at a table, or for a jackpot; a table has its jackpots' money."""
    if name in floor.tables():
        return floor.table(name).money
    return floor.jackpot(name).money if name in floor.jackpots() else Money.ROOM


def _noted(books: Books, events: tuple[Event, ...]) -> tuple[Event, ...]:
    for event in events[:1]:
        books.note(event)
    return events


def _pressed(event: Event, calendar: Calendar) -> str:
    """When the button was pressed, by the data logger's clock; the line has the time at which the record arrived."""
    record = told(event).get("record")
    return f", pressed {calendar.local(record['time']):%Y-%m-%d %H:%M:%S}" if record else ""


def _rounds(table: str, events: tuple[Event, ...], calendar: Calendar) -> Iterator[RoundLine]:
    for event in events:
        payload = told(event)
        for one in payload["wagers"]:
            yield RoundLine(
                table,
                event.time,
                event.sequence,
                event.id,
                str(payload.get("round") or payload.get("reading", "")),
                happened(event.kind),
                happened(event.kind) + _pressed(event, calendar),
                answering(payload),
                one["wager"],
                one["jackpot"],
                one["count"],
                _places(one.get("positions")),
                _places(one.get("lammers")),
                one.get("counter"),
                str(payload.get("reason") or payload.get("why", "")),
                payload["record"]["time"] if payload.get("record") else None,
                payload,
            )


def _places(positions: list[int] | None) -> str:
    return ", ".join(map(str, positions or ()))


def _events(jackpot: str, events: tuple[Event, ...]) -> Iterator[EventLine]:
    named: dict[str, str] = {}
    for event in events:
        named[event.command] = named.get(event.command) or answering(told(event))
    for event in events:
        payload = told(event)
        played = record_words(payload["record"], payload.get("typed_seat")) if "record" in payload else ""
        who = answering(payload) or named[event.command]
        yield EventLine.of(jackpot, event, who, id=event.id, round_played=played, payload=payload)


_ROUNDS: Final = (
    *columns.in_files(columns.texts(table="Table")),
    *columns.of(Cell.TIME, time="Time"),
    *columns.in_files(columns.of(Cell.TIME, pressed="Pressed")),
    *columns.counts(sequence="Event"),
    *columns.in_files(columns.texts(id="Id")),
    *columns.texts(round="Round"),
    *columns.for_people(columns.wide(columns.texts(what="What happened"))),
    *columns.in_files(columns.texts(event="What happened")),
    *columns.texts(why="Why", who="Who", wager="Wager"),
    *columns.in_files(columns.texts(jackpot="Jackpot")),
    *columns.counts(count="Wagers"),
    *columns.texts(positions="Positions", lammers="Lammers"),
    *columns.counts(counter="Counter"),
    *columns.in_files(columns.of(Cell.PLAIN, payload="As stored")),
)
_EVENTS: Final = (
    *columns.in_files(columns.texts(jackpot="Jackpot")),
    *columns.of(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.in_files(columns.texts(id="Id")),
    *columns.for_people(columns.wide(columns.texts(what="What happened"))),
    *columns.in_files(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.in_files(columns.texts(round_played="The round")),
    *columns.texts(table="Table", round="Round", who="Who"),
    *columns.in_files(columns.of(Cell.PLAIN, payload="As stored")),
)
