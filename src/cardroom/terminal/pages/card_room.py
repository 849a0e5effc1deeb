"""The card room as terminal pages: settings, gaming days, the events of a chain, and the overview."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.money import format_cents
from cardroom.room.descriptions.event_phrases import open_items_text
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.setup.jackpot import jackpot_setup_from_mapping
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.events import DayOpenItem, DayOpenItemKind
from cardroom.service import CardRoom, DaySummary, RoomSummary, SentHeads
from cardroom.service.chain_descriptions import EventText
from cardroom.service.json_output import summarize_jackpot
from cardroom.service.queries.site import GamingDay, RoomChange
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG, TITLE
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns
from cardroom.terminal.pages.equipment import malfunction_reports_page, signs_table
from cardroom.terminal.pages.gaming_tables import tabulators_table
from cardroom.terminal.pages.jackpots import coverage_lines, jackpot_status, meters_table
from cardroom.terminal.pages.payments import claims_table, currency_tag, deposit_line, promotion_rules_page


def room_page(result: RoomSummary) -> RenderableType:
    """The room after a command."""
    return settings_table(result.settings)


def settings_table(settings: SiteSettings) -> RenderableType:
    """The settings, line by line."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=QUIET)
    table.add_column()
    for name, value in (
        ("Room", settings.name),
        ("Times", str(settings.calendar)),
        ("Dealer limit", f"{format_cents(settings.dealer_pays)} to one winner of one round without a second person"),
        ("Table limit", f"{settings.rounds_an_hour} rounds an hour"),
    ):
        table.add_row(name, value)
    return table


def room_history_page(changes: Sequence[RoomChange], calendar: Calendar) -> RenderableType:
    """Every change of the setup, with each setting before and after and the reason."""
    if not changes:
        return Text("The room is not configured yet: all settings have their defaults (cardroom room show).")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, expand=True)
    table.add_column("Time", no_wrap=True)
    table.add_column("Before and after", ratio=2, overflow="fold")
    table.add_column("Why", ratio=1, overflow="fold")
    table.add_column("Who", max_width=24)
    for revision in changes:
        changes_text = Text("\n".join(change.text for change in revision.changes))
        table.add_row(
            calendar.format_time(revision.time)[:16],
            changes_text,
            Text(revision.why),
            Text(f"{revision.who} and {revision.second}"),
        )
    return Group(table, Text(calendar.zone_text, QUIET))


def opened_day_page(result: DaySummary) -> RenderableType:
    """A day after it was opened."""
    title = Text.assemble(("The day ", TITLE), (str(result.day), SLUG), (" is open", GOOD))
    skipped_text = f"  {result.skipped} day{'s were' if result.skipped > 1 else ' was'} skipped before it"
    return Group(title, *([Text(skipped_text, COST)] if result.skipped else []))


def closed_day_page(
    result: DaySummary, heads: SentHeads | None, heads_note: str, *, has_failed: bool
) -> RenderableType:
    """A day after it was closed: its open items, and where the heads are."""
    title = Text.assemble(("The day ", TITLE), (str(result.day), SLUG), (" is closed", GOOD))
    digest = Text(f"  all chains together: SHA-256 {result.digest}", QUIET, no_wrap=True, overflow="fold")
    heads_line = heads_text(heads) if heads else Text(heads_note, BAD if has_failed else COST)
    return Group(title, matters_table(result.open, "was open at the close"), digest, heads_line)


def heads_text(heads: SentHeads) -> Text:
    """The destinations of exported heads."""
    return Text.assemble(("Heads exported to: ", GOOD), heads.where)


def day_page(
    day: GamingDay | None, matters: Sequence[DayOpenItem], last: GamingDay | None, calendar: Calendar
) -> RenderableType:
    """The open or requested day, with its open items."""
    if day is None:
        parts: list[RenderableType] = [Text("No gaming day is open. Open one with: cardroom day open", COST)]
        if last is not None:
            parts.append(Text(f"  The last day was {last.day}: {_hours_text(last, calendar)}.", QUIET))
        return Group(*parts, matters_table(matters, "is open now"), Text(calendar.zone_text, QUIET))
    closing = day.closed
    title = Text.assemble(
        ("The day ", TITLE), (str(day.day), SLUG), (" is closed", GOOD) if closing else (" is open", GOOD)
    )
    listed = closing.event.open if closing else matters
    parts = [title, Text(f"  {_hours_text(day, calendar)}", QUIET)]
    parts.append(matters_table(listed, "was open at the close" if closing else "is open now"))
    if closing:
        digest = f"  all chains together: SHA-256 {closing.event.digest}"
        parts.append(Text(digest, QUIET, no_wrap=True, overflow="fold"))
    return Group(*parts, Text(calendar.zone_text, QUIET))


def _hours_text(day: GamingDay, calendar: Calendar) -> str:
    closing = day.closed
    ended = f", closed {calendar.format_time(closing.time)[:16]} by {closing.event.who}" if closing else ""
    return f"opened {calendar.format_time(day.opened)[:16]} by {day.opened_by}{ended}"


def matters_table(matters: Sequence[DayOpenItem], caption: str) -> RenderableType:
    """The open items, by kind."""
    if not matters:
        return Text(f"  Nothing {caption}.", QUIET)
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    grid.add_column(open_items_text(len(matters)), no_wrap=True)
    grid.add_column("Of", no_wrap=True)
    grid.add_column("", overflow="fold")
    for matter in matters:
        is_late = "overdue" in matter.words or matter.what is DayOpenItemKind.BROKEN
        grid.add_row(Text(str(matter.what), BAD if is_late else COST), Text(matter.of, SLUG), matter.words)
    return grid


def event_log_page(events: Sequence[EventText], calendar: Calendar) -> RenderableType:
    """One line per event, newest first."""
    rows: list[list[CellText]] = [
        [str(event.sequence), calendar.format_time(event.time), event.sentences] for event in events
    ]
    headings = [
        ColumnHeading("Event", ColumnAlign.RIGHT),
        ColumnHeading("Time", ColumnAlign.NO_WRAP),
        ColumnHeading("What happened", ColumnAlign.SENTENCE),
    ]
    return Group(TextColumns(headings, rows), Text(calendar.zone_text, QUIET))


def room_overview(card_room: CardRoom, now: Time) -> RenderableType:
    """All jackpots, tabulators, promotions, malfunction reports, and signs to change."""
    parts: list[RenderableType] = []
    jackpots = [card_room.jackpot(item) for item in card_room.list_jackpots()]
    for state in jackpots:
        status = summarize_jackpot(state)
        name = jackpot_setup_from_mapping(state.setup).name
        tag = currency_tag(state.money)
        parts.append(Text.assemble((name, TITLE), "  ", (state.id, SLUG), "  ", *tag, jackpot_status(status)))
        due = deposit_line(card_room.jackpots.find_deposit_due(state.id))
        parts += [meters_table(status), *coverage_lines(status), *due, Text("")]
        if state.claims:
            parts += [claims_table(state.claims), Text("")]
    if not jackpots:
        parts.append(
            Text("There is no jackpot: `cardroom jackpot print-example GAME` prints a setup to start from.", QUIET)
        )
    parts.append(
        tabulators_table(
            [card_room.tabulator(item) for item in card_room.list_tabulators()],
            [item.id for item in jackpots if item.removed],
        )
    )
    promotions = [card_room.promotion(item).state for item in card_room.list_promotions()]
    if promotions:
        parts += [Text(""), promotion_rules_page(promotions)]
    if reports := card_room.room().reports:
        parts += [Text(""), malfunction_reports_page(reports, card_room.calendar, now)]
    signs = [item for item in card_room.displays.list_manual_signs() if item.needs_attention]
    if signs:
        parts += [
            Text(""),
            signs_table(signs, "Signs to change by hand, because a jackpot is not open for play:"),
        ]
    return Group(*parts)
