"""Equipment as terminal pages: displays, devices, signs to change, data loggers, and malfunction reports.

A malfunction report shows its deadline.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel as Frame
from rich.table import Table as Grid
from rich.text import Text

from cardroom.room.amount_text import format_dollars
from cardroom.room.codec import decode
from cardroom.room.descriptions.displays import (
    Display,
    DisplayedPaytable,
    DisplayScreen,
    JackpotPanel,
    JackpotStatus,
    LedLine,
)
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.setup.tabulator_models import DisplayKind, UpdateMethod
from cardroom.room.site.malfunction_reports import MalfunctionReport, describe_clock
from cardroom.room.tabulator.logger_lines import LogContent
from cardroom.service import (
    DeviceSummary,
    DeviceTokenResult,
    ForwardResult,
    MalfunctionReportSummary,
    TabulatedTableState,
    TabulatorSummary,
)
from cardroom.service.commands.displays import ManualSign
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG, TITLE
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns
from cardroom.terminal.pages.gaming_tables import table_line, tabulators_table


def display_text(display: Display) -> RenderableType:
    """The content of a display."""
    if isinstance(display, LedLine) and display.status is JackpotStatus.DARK:
        return Frame(Text("dark", QUIET), title="LED line", box=box.ROUNDED)
    if isinstance(display, LedLine):
        return Frame(Group(Text(display.amount, TITLE), Text(display.running)), title="LED line", box=box.ROUNDED)
    return Frame(Group(*_board(display)), title=str(display.kind).replace("-", " ").capitalize(), box=box.ROUNDED)


def _board(board: DisplayScreen) -> Iterator[RenderableType]:
    yield Text(f"{board.game} · {board.table}", QUIET)
    for panel in board.panels:
        yield from _panel(panel)
    limits = "  ".join(f"{limit.wager} {limit.limits}" for limit in board.limits)
    yield Text(f"\n{limits}", QUIET)
    for text in (*board.promotions, *board.notices):
        yield Text(f"\n{text}")


def _panel(panel: JackpotPanel) -> Iterator[RenderableType]:
    yield Text.assemble("\n", (panel.name, "bold"), (f"  {panel.kind}, {panel.wager}", QUIET))
    if panel.headline:
        yield Text(f"{panel.headline}. {panel.message}", COST)
    for level in panel.amounts:
        yield Text.assemble((format_dollars(level.cents), TITLE), (f"  {level.name}  {level.ceiling}", QUIET))
    if panel.elsewhere:
        yield Text(panel.elsewhere, QUIET)
    yield from map(_prizes, panel.prizes)


def _prizes(prizes: DisplayedPaytable) -> RenderableType:
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_header=False)
    for line in prizes.lines:
        grid.add_row(line.event, line.prize, line.worth)
    return Group(Text(prizes.name, QUIET), grid, Text(" ".join(prizes.notes), QUIET))


def device_line(result: DeviceSummary) -> RenderableType:
    """A device after a command."""
    return Text.assemble((result.device, SLUG), f", {result.kind.text} of {result.table}: {_device_state(result)}.")


def token_page(result: DeviceTokenResult) -> RenderableType:
    """A device with its new token on a line of its own, to copy. It is shown only once."""
    device, line = result.summary.device, device_line(result.summary)
    another = f"cardroom device renew {device} --why … creates a new one."
    if result.token is None:
        return Group(line, Text(f"Its token was shown when the command first ran, and is not stored: {another}", QUIET))
    token = Text(result.token, no_wrap=True, overflow="ignore")
    return Group(line, token, Text(f"This is its token. It is shown once and not stored: {another}", QUIET))


def devices_page(devices: Sequence[DeviceSummary]) -> RenderableType:
    """All devices, including removed ones."""
    if not devices:
        return Text("There is no device: cardroom device add TABLE DEVICE KIND --by LOGIN.", QUIET)
    rows: list[list[CellText]] = [
        [
            Text(device.device, SLUG),
            device.table,
            device.kind.text,
            str(device.generation),
            Text(_device_state(device), _style(device)),
        ]
        for device in devices
    ]
    texts = (
        ColumnHeading("Device"),
        ColumnHeading("Table"),
        ColumnHeading("Kind"),
        ColumnHeading("Token", ColumnAlign.RIGHT),
    )
    return TextColumns([*texts, ColumnHeading("State", ColumnAlign.SENTENCE)], rows)


def _device_state(device: DeviceSummary) -> str:
    if device.withdrawn:
        return f"removed, {device.withdrawn}"
    return f"blocked. {device.held_up.rstrip('.')}" if device.held_up else "active"


def _style(device: DeviceSummary) -> str:
    return QUIET if device.withdrawn else COST if device.held_up else ""


def device_display_text(content: Mapping[str, Any]) -> RenderableType:
    """The content of a screen, from the server's response."""
    if "display" in content:
        return display_text(decode(DisplayScreen, content["display"]))
    return Group(*(display_text(decode(LedLine, line)) for line in content["lines"]))


def amounts_text(content: Mapping[str, Any]) -> str:
    """The amounts on a screen, in one line."""
    if "display" not in content:
        return " | ".join(f"{line['name']} {line['amount'] or line['status']}" for line in content["lines"])
    panels = content["display"]["panels"]
    return " | ".join(
        f"{panel['name']} {', '.join(_dollars(level['cents']) for level in panel['amounts']) or panel['status']}"
        for panel in panels
    )


def _dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


_KIND_NAMES = {
    DisplayKind.LED_LINE: "LED line",
    DisplayKind.PICTURE_FRAME: "picture frame",
    DisplayKind.MONITOR: "monitor",
}
_CHANGE_METHODS = {
    UpdateMethod.BY_HAND: "by hand",
    UpdateMethod.REMOTELY: "by remote control",
    UpdateMethod.BY_SERVER: "automatically",
}


def signs_table(signs: Sequence[ManualSign], title: str) -> RenderableType:
    """The signs, how each is changed, and its required text."""
    rows: list[list[CellText]] = [
        [Text(sign.table, SLUG), _KIND_NAMES[sign.kind], _CHANGE_METHODS[sign.change_method], sign.text]
        for sign in signs
    ]
    headings = [*map(ColumnHeading, ("Table", "Sign", "Changed")), ColumnHeading("Required text", ColumnAlign.SENTENCE)]
    return Group(Text(title, COST), TextColumns(headings, rows))


GAP_ADVICE: Final = (
    "Forward the file; two people accept the gap (cardroom data-logger forward TABLE FILE --accept-gap)."
)


def data_log_page(log: LogContent, file: str, calendar: Calendar) -> RenderableType:
    """The waiting records of a data logger, oldest first."""
    logger, gap = log.logger, log.gap
    counter = "unknown" if logger.counter is None else f"{logger.counter:,}"
    title = Text.assemble(
        (logger.unit or "unit unknown", SLUG), f"  {len(logger.waiting):,} waiting", (f", counter {counter}, ", QUIET),
        (f"stored up to record {logger.acknowledged.number}", QUIET),
    )  # fmt: skip
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    for name in ("Record", "Pressed", "Round", "Positions", "Lammers", "Counter", "Dealer"):
        grid.add_column(name)
    for record in logger.waiting:
        places = [", ".join(map(str, numbers)) for numbers in (record.positions, record.lammers)]
        grid.add_row(
            str(record.number),
            calendar.format_time(record.time),
            record.round,
            *places,
            f"{record.counter:,}",
            record.dealer,
        )
    damage = [Text(f"{line.describe(file)}.", BAD) for line in log.damaged]
    if gap and not gap.lines:
        damage.append(Text(f"{gap.describe(file)}.", BAD))
    note_lines = [Text(note, QUIET) for note in log.notes(file)]
    gap_lines = [Text(f"{gap.behind:,} more after the gap. {GAP_ADVICE}", BAD)] if gap else []
    blocks: list[RenderableType] = [grid, Text(calendar.zone_text, QUIET)] if logger.waiting else []
    return Group(title, *blocks, *note_lines, *damage, *gap_lines)


def forwarding_page(
    unit: str, result: ForwardResult, notes: Sequence[str], state: TabulatedTableState
) -> RenderableType:
    """The number of forwarded records, the reason that blocks the others, and the table."""
    known_text = f", {result.known:,} {'were' if result.known != 1 else 'was'} stored before" if result.known else ""
    summary = Text(f"{result.records:,} record{'s' * (result.records != 1)} of {unit} forwarded{known_text}.")
    hold_lines = [Text(result.held_up, BAD)] if result.held_up else []
    odd = [Text(note, QUIET) for note in notes]
    return Group(summary, *odd, *hold_lines, tabulators_table([state]))


def malfunction_reports_table(reports: Sequence[MalfunctionReport], calendar: Calendar, now: Time) -> RenderableType:
    """The open malfunction reports."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    for name in ("Report", "On", "Found", "Deadline", "What"):
        grid.add_column(name, no_wrap=name in ("Found", "Deadline"), overflow="fold")
    for report in reports:
        grid.add_row(
            Text(report.number, SLUG),
            report.target_text,
            calendar.format_time(report.found_at)[:16],
            clock_text(report, now),
            Text(report.why).append(f"\n{report.who}{_sending_text(report, calendar)}", QUIET),
        )
    return Group(Text("Malfunction reports", "bold"), grid)


def _sending_text(report: MalfunctionReport, calendar: Calendar) -> str:
    if report.sent is None:
        return ""
    return f"\nsent {calendar.format_time(report.sent.at)[:16]} by {report.sent.who}: {report.sent.reference}"


def malfunction_reports_page(reports: Sequence[MalfunctionReport], calendar: Calendar, now: Time) -> RenderableType:
    """The open malfunction reports as a page."""
    if not reports:
        return Text("There is no open malfunction report.", QUIET)
    return Group(malfunction_reports_table(reports, calendar, now), Text(calendar.zone_text, QUIET))


def clock_text(report: MalfunctionReport, now: Time) -> Text:
    """The time that is left; red when the deadline has passed."""
    is_late = report.due is not None and (report.sent.at if report.sent else now) > report.due
    return Text(describe_clock(report, now), BAD if is_late else GOOD if report.sent else COST)


def malfunction_report_page(result: MalfunctionReportSummary, calendar: Calendar) -> RenderableType:
    """A report after a command, with the next step."""
    report = result.report
    if result.closed:
        return Text.assemble(("Closed: report ", GOOD), (report.number, SLUG), f" on {report.target_text}")
    deadline = (
        ""
        if report.due is None or report.sent or result.at > report.due
        else f", until {calendar.format_time(report.due)[:16]}"
    )
    title = Text.assemble(
        "Report ", (report.number, SLUG), f" on {report.target_text}: ", clock_text(report, result.at), f"{deadline}"
    )
    number = quote(report.number)
    next_step = (
        f'When the malfunction is fixed: cardroom malfunction close {number} --why "…"'
        if report.sent
        else f"After you send it to the commission: cardroom malfunction mark-sent {number} --reference …"
    )
    return Group(title, Text(next_step, QUIET), Text(calendar.zone_text, QUIET))


def malfunction_page(result: TabulatorSummary, report: str | None) -> RenderableType:
    """A table with a tabulator fault, and how to open its malfunction report if none was named."""
    if report is not None:
        return Group(table_line(result), Text(f"  report {report}", QUIET))
    instruction = (
        f"Report the malfunction: cardroom malfunction report --number NUMBER --of {result.table} "
        '--found-at TIME --why "…"'
    )
    return Group(table_line(result), Text(instruction, COST))
