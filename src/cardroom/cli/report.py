"""`cardroom report`: reports for the regulator and the operator, on the screen or as CSV, JSON, or PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from cardroom.cli.shared.options import (
    LEDGER_PANEL,
    ByLogin,
    Database,
    Invocation,
    LedgerAsJson,
    WholeNumber,
    build_command,
    examples,
)
from cardroom.cli.shared.output import ExitCode, open_console, print_json
from cardroom.errors import BadInput, quote

if TYPE_CHECKING:
    from cardroom.ledger import Time
    from cardroom.reports.accounting import AccountingReport, PeriodBooks
    from cardroom.service import CardRoom

Read = TypeVar("Read", bound=Callable[..., Any])
app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

ReportDay = Annotated[str | None, typer.Option("--day", metavar="DATE", help="One gaming day only.")]
FirstDay = Annotated[
    str | None, typer.Option("--from", metavar="DATE", help="The first gaming day, such as 2026-03-02.")
]
LastDay = Annotated[
    str | None, typer.Option("--to", metavar="DATE", help="The last gaming day; until now if left out.")
]
ReportFileOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE.csv|json|pdf", help="Write the report into this file."),
]
TimeZoneOption = Annotated[
    str | None,
    typer.Option(
        "--timezone",
        metavar="ZONE",
        envvar="CARDROOM_TIMEZONE",
        help="The time zone of the gaming days; the room's when left out.",
        rich_help_panel=LEDGER_PANEL,
    ),
]
DayStartOption = Annotated[
    str | None,
    typer.Option(
        "--day-starts",
        metavar="HH:MM",
        help="The start of a gaming day; the room's when left out.",
        rich_help_panel=LEDGER_PANEL,
    ),
]
JackpotArgument = Annotated[
    str | None, typer.Argument(metavar="JACKPOT", help="The jackpot's id; all when left out.", show_default=False)
]


class UnknownReportSubject(BadInput):
    """A name of no table and no jackpot."""


@app.callback()
def report() -> None:
    """Print reports on the ledger: to read, to sign, or for a spreadsheet.

    Days are gaming days. Without --from, a report starts with the first event; without --to, it ends now. Exit code 1:
    the figures do not reconcile.
    """


class ReportBuilder(Protocol):
    """Builds a report of a period; the time is when it is prepared."""

    def __call__(self, books: PeriodBooks, prepared: Time, /) -> AccountingReport: ...


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """The options that all reports have."""

    day: ReportDay = None
    first: FirstDay = None
    last: LastDay = None
    output: ReportFileOption = None
    as_json: LedgerAsJson = False
    zone: TimeZoneOption = None
    day_starts: DayStartOption = None
    by: ByLogin = None
    database: Database = None

    @property
    def days(self) -> tuple[str | None, str | None]:
        """The first and the last gaming day."""
        if self.day is None:
            return self.first, self.last
        if self.first or self.last:
            raise BadInput("--day is one day, --from and --to are several: use one of the two.")
        return self.day, self.day


def report_command(
    *example_commands: str, name: str | None = None, omit: tuple[str, ...] = ()
) -> Callable[[Read], Read]:
    """Declare the command of a report. Its function builds the report; the options are shared."""

    def declare(function: Read) -> Read:
        app.command(name, epilog=examples(*example_commands))(
            build_command(ReportOrder, function, _deliver_report, omit)
        )
        return function

    return declare


def _deliver_report(order: ReportOrder, invocation: Invocation) -> None:
    """Build the report, and write it, print it as JSON, or show it."""
    from cardroom.cli.shared.ledger_access import open_for_query
    from cardroom.ledger import system_clock
    from cardroom.reports.accounting import json_pieces, open_calendar, open_period, refuse_report_file, write_report
    from cardroom.room.setup.calendar import DEFAULT_DAY_START, DEFAULT_ZONE
    from cardroom.terminal.pages.documents import print_report

    with open_for_query(invocation.context, order.database, order.by) as card_room:
        build: ReportBuilder = invocation.parse()
        file = None if order.output is None else Path(order.output)
        if file is not None:
            refuse_report_file(file)
        open_period(open_calendar(order.zone or DEFAULT_ZONE, order.day_starts or DEFAULT_DAY_START), *order.days)
        document = build(_open_books(card_room, order), system_clock())
        if file is not None:
            write_report(document, file)
            _print_summary(document, file, as_json=order.as_json)
        elif order.as_json:
            for piece in json_pieces(document):
                typer.echo(piece, nl=False)
        else:
            print_report(open_console(), document)
    for fault in document.faults:
        typer.echo(fault, err=True)
    if document.faults:
        raise typer.Exit(ExitCode.CHECK_FAILED)


def _open_books(card_room: CardRoom, order: ReportOrder) -> PeriodBooks:
    """The period in the room's own gaming days, or in calendar days if options name another time zone or start."""
    from cardroom.reports.accounting import PeriodBooks, open_calendar, open_period, open_room_books

    if order.zone is None and order.day_starts is None:
        return open_room_books(card_room, *order.days)
    settings = card_room.room().settings
    calendar = open_calendar(order.zone or settings.time_zone, order.day_starts or settings.day_starts)
    return PeriodBooks(card_room, open_period(calendar, *order.days))


def _print_summary(document: AccountingReport, file: Path, *, as_json: bool) -> None:
    """Print which report was written to which file."""
    if as_json:
        print_json({"path": str(file), "report": document.slug, "subject": document.subject, "faults": document.faults})
    else:
        typer.echo(f"{file}: {document.kind}, {document.subject}, {document.period}.")


def _select_jackpots(books: PeriodBooks, jackpot: str | None) -> tuple[str, ...]:
    """The named jackpot, or all jackpots for the room's money."""
    if jackpot is None:
        return books.jackpots()
    books.card_room.jackpot(jackpot)
    return (jackpot,)


@report_command(
    "report history final-four",
    "report history final-four --from 2026-03-02 --to 2026-03-08 -o week.pdf",
    "report history final-four --every-round -o rounds.csv",
)
def history(
    jackpot: JackpotArgument = None,
    every_round: Annotated[
        bool, typer.Option("--every-round", help="Print a line for each round, with its dealer.")
    ] = False,
) -> ReportBuilder:
    """Every change of a jackpot: beginning amount, amount, ending amount, reason, user, table.

    The totals account for each meter to a hundredth of a cent and are compared with the ledger's postings.
    """
    from cardroom.reports.accounting import history_report

    return lambda books, prepared: history_report(
        books, _select_jackpots(books, jackpot), prepared, every_round=every_round
    )


@report_command("report meters", "report meters final-four --to 2026-03-08 -o meters.pdf")
def meters(jackpot: JackpotArgument = None) -> ReportBuilder:
    """The meters of every level: in, displayed, hits, wins, overflow, reserve; and the settings."""
    from cardroom.reports.accounting import meters_report

    return lambda books, prepared: meters_report(books, _select_jackpots(books, jackpot), prepared)


@report_command("report deposits -o deposit-sheet.pdf")
def deposits(jackpot: JackpotArgument = None) -> ReportBuilder:
    """The deposit sheet: the amount to deposit since the last deposit, by day and table; late deposits."""
    from cardroom.reports.accounting import deposits_report

    return lambda books, prepared: deposits_report(books, _select_jackpots(books, jackpot), prepared)


@report_command("report reconciliation", "report reconciliation -o reconciliation.pdf")
def reconciliation(jackpot: JackpotArgument = None) -> ReportBuilder:
    """Money owed to the players compared with bank account and cage; bank statements compared with the ledger."""
    from cardroom.reports.accounting import reconciliation_report

    return lambda books, prepared: reconciliation_report(books, _select_jackpots(books, jackpot), prepared)


@report_command("report master-games --from 2026-03-02 --to 2026-03-02 -o master.pdf", name="master-games")
def master_games(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="The table's name; all when left out.", show_default=False)
    ] = None,
) -> ReportBuilder:
    """The master games report: drop, payouts, and win of every table and game by day, without jackpot accruals."""
    from cardroom.reports.accounting import master_report

    def make(books: PeriodBooks, prepared: Time) -> AccountingReport:
        if table is not None:
            books.card_room.tabulator(table)
        return master_report(books, table, prepared)

    return make


@report_command(
    "report events table-1",
    "report events final-four --last 200 -o recall.csv",
    name="events",
    omit=("day", "first", "last"),
)
def events(
    name: Annotated[str, typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot.", show_default=False)],
    last_events: Annotated[
        int, typer.Option("--last", metavar="N", help="The number of entries.", parser=WholeNumber())
    ] = 50,
) -> ReportBuilder:
    """The last rounds of a table, or the last events of a jackpot, in full, newest first."""
    from cardroom.reports.accounting import recall_report

    return lambda books, prepared: recall_report(books, name, prepared, last_events)


@report_command("report activity", "report activity table-1 --from 2026-03-02 --expected")
def activity(
    name: Annotated[
        str | None,
        typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot; all if left out.", show_default=False),
    ] = None,
    expected: Annotated[
        bool, typer.Option("--expected", help="Add the exact odds; the first time can take a while.")
    ] = False,
) -> ReportBuilder:
    """Coin-in and hit frequency by game, by table, and by paytable line."""
    from cardroom.reports.accounting import activity_report

    def make(books: PeriodBooks, prepared: Time) -> AccountingReport:
        card_room, subject = books.card_room, "All tables"
        if name is not None:
            names = (*card_room.list_tabulators(), *card_room.list_jackpots())
            if name not in names:
                name_list = ", ".join(names) or "none yet"
                raise UnknownReportSubject(f"There is no table or jackpot {quote(name)}: there are {name_list}.")
            subject = name
            books = books.switch_currency(
                (card_room.tabulator(name) if name in card_room.list_tabulators() else card_room.jackpot(name)).money
            )
        tables, jackpots = books.tables(), books.jackpots()
        if name is not None:
            jackpots = (name,) if name in jackpots else jackpots
            tables = (name,) if name in tables else tables
        return activity_report(books, jackpots, tables, subject, prepared, expected=expected)

    return make
