"""Tables, their tabulators and their rounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import LightsReported, RoundCounted, TableStanding, TableState
from cardroom.floor.kept.recall import payload_of
from cardroom.jackpots.amounts import shown
from cardroom.jackpots.happenings import CountedByHand, ReadingTakenBack, RoundVoided, reading_name
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.tabulator.replay import Mark
from cardroom.jackpots.telling.phrases import change_words
from cardroom.jackpots.telling.words import in_short
from cardroom.ledger import Event
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.palette import COST, LOST, QUIET, SLUG, WON

ALLOWED_AHEAD: Final = 60
"""Seconds by which a data logger's clock may be ahead before it is said."""


def table_line(standing: TableStanding) -> RenderableType:
    """A table in a line."""
    playing = f"plays for {', '.join(standing.jackpots)}" if standing.jackpots else "plays for no jackpot"
    counters = ", ".join(f"{one:,}" for one in standing.counters)
    works = (f"broken: {standing.broken}", LOST) if standing.broken else ("works", WON)
    if standing.closed:
        return Text.assemble((standing.table, SLUG), "  ", (f"closed: {standing.closed}", LOST))
    line = Text.assemble(
        (standing.table, SLUG),
        f"  {playing}  ",
        *money_tag(standing.money),
        (f"unit {standing.unit}, counter {counters}, ", QUIET),
        works,
    )
    return Group(line, *(Text(f"  {change_words(*one)}", QUIET) for one in standing.changes))


def tables_table(states: Sequence[TableState], removed: Collection[str] = ()) -> RenderableType:
    """The tables of the floor; nobody plays for jackpots that were ``removed``."""
    if not states:
        return Text("No table is open.", QUIET)
    titles = [Heading(one) for one in ("Table", "Game", "Plays for", "Tabulator", "Unit")]
    return Columns(
        [*titles, Heading("Counter", Align.RIGHT), Heading("Works", Align.SENTENCE)],
        [_row(one, removed) for one in states],
    )


def _row(state: TableState, removed: Collection[str]) -> list[CellText]:
    tabulator = state.tabulator
    return [
        Text(state.id, SLUG),
        tabulator.table.game,
        _plays_for(state, removed),
        tabulator.table.model.name,
        "" if state.closed else tabulator.unit,
        "" if state.closed else ", ".join(f"{one:,}" for one in tabulator.counters),
        _works(state),
    ]


def _plays_for(state: TableState, removed: Collection[str]) -> Text:
    jackpots = ", ".join(f"{one} (removed)" if one in removed else one for one in state.jackpots)
    return Text.assemble(jackpots or ("none", QUIET), *money_tag(state.money, before=", ", after=""))


def _works(state: TableState) -> Text:
    if state.closed:
        return Text(f"closed: {state.closed}", LOST)
    return Text(f"no: {state.tabulator.broken}", LOST) if state.tabulator.broken else Text("yes", WON)


# Rounds.


def round_table(counted: RoundCounted) -> RenderableType:
    """A round that was counted: how many wagers, what the lights and the meters show."""
    wagers = ", ".join(f"{count:,} {wager}" for wager, count in counted.counts.items()) or "no wagers"
    lines: list[RenderableType] = [
        Text.assemble(
            (counted.table, SLUG),
            f"  {wagers}  ",
            *money_tag(counted.money),
            (f"round {counted.round}" if counted.round else "", QUIET),
        )
    ]
    lines += [_meter(jackpot, levels, counted) for jackpot, levels in counted.meters.items()]
    told = {
        "lights on": counted.lights,
        "lammers in place of lights": counted.lammers,
        "wagers that stay": counted.stay,
    }
    lines += [Text(f"  {what}: {_marks(marks)}", QUIET) for what, marks in told.items() if marks]
    lines.append(Text(f"  counter {', '.join(f'{one:,}' for one in counted.counters)}", QUIET))
    return Group(*lines)


def _meter(jackpot: str, levels: Sequence[int], counted: RoundCounted) -> Text:
    shows = (f" shows {' · '.join(map(shown, levels))}" if levels else " has no meter", "bold")
    fixed = (": a bonus jackpot, which does not grow with play" if jackpot in counted.bonus else "", QUIET)
    return Text.assemble("  ", (jackpot, SLUG), shows, fixed)


def lights_page(reported: LightsReported) -> RenderableType:
    """Which lights are dark, and what stands in for them."""
    if not reported.dark:
        return Group(table_line(reported.standing), Text("  all lights work", WON))
    lines = [Text(f"  dark: {_marks(reported.dark)}; a lammer stands in for each when its wager is counted", COST)]
    if reported.lammers:
        lines.append(Text(f"  lammers go to {_marks(reported.lammers)} now, for the round that was counted last", COST))
    return Group(table_line(reported.standing), *lines)


def _marks(marks: Sequence[Mark]) -> str:
    """Positions, with the sensor where it is not the first."""
    return ", ".join(f"{mark.position}" + (f" (sensor {mark.sensor})" if mark.sensor > 1 else "") for mark in marks)


def recall_table(events: Sequence[Event], calendar: Calendar) -> RenderableType:
    """The last rounds of a table, the newest first."""
    rows: list[list[CellText]] = []
    for event in events:
        told = payload_of(event)
        how = in_short(event.kind)
        style = {RoundVoided.kind: LOST, ReadingTakenBack.kind: LOST, CountedByHand.kind: COST}.get(event.kind, "")
        wagers = "\n".join(map(_wager, told["wagers"]))
        who = told.get("dealer") or told.get("by", "")
        why = told.get("reason") or told.get("why")
        names = who + (f", {told['second']}" if told.get("second") else "")
        round_id = told["round"] if "round" in told else reading_name(told["reading"])
        how += (f": {why}" if why else "") + _pressed(event, calendar)
        rows.append([calendar.told(event.time), round_id, wagers, Text(how, style), names])
    if not events:
        return Text("No round has been counted here yet.", QUIET)
    texts = Heading("Round"), Heading("Wagers at positions"), Heading("How", Align.SENTENCE), Heading("Who")
    return Group(Columns([Heading("Time", Align.WHOLE), *texts], rows), Text(calendar.said, QUIET))


def _pressed(event: Event, calendar: Calendar) -> str:
    """When the button was pressed, by the data logger's clock, beside the time at which the record arrived."""
    told = payload_of(event)
    if not told.get("record"):
        return _told_by_a_device(told.get("device") or {}, event, calendar)
    pressed = told["record"]["time"]
    ahead = (pressed - event.time) // 1_000_000
    wrong = f"; the logger's clock is ahead by {ahead // 60} min" if ahead > ALLOWED_AHEAD else ""
    here, there = calendar.told(event.time), calendar.told(pressed)
    when = there if here[:10] != there[:10] else there[11:]
    return f"\npressed {when}, arrived {here[11:]}{wrong}"


def _told_by_a_device(device: dict[str, Any], event: Event, calendar: Calendar) -> str:
    """What the clock of a device said, where it does not go with the room's. It decides nothing."""
    if device.get("time") is None or abs(device["time"] - event.time) // 1_000_000 <= ALLOWED_AHEAD:
        return ""
    return f"\nthe clock of {device['device']} said {calendar.told(device['time'])}"


def _wager(wager: dict[str, Any]) -> str:
    where = ", ".join(map(str, wager.get("positions", ()))) or "-"
    lammers = f", lammers {', '.join(map(str, wager['lammers']))}" if wager.get("lammers") else ""
    return f"{wager['count']} {wager['wager']} ({where}{lammers})"
