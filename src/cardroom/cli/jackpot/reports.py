"""`cardroom jackpot report …`: the regulator's and the operator's reports, on the screen or as CSV, JSON or PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer

from cardroom.cli.shared.answers import ExitCode, console, print_json
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import BOOKS, By, Database, Given, JsonOfBooks, examples, with_options
from cardroom.errors import BadInput, quote

if TYPE_CHECKING:
    from cardroom.floor import Floor
    from cardroom.ledger import Time
    from cardroom.reports.accounting import AccountingReport, PeriodBooks

Read = TypeVar("Read", bound=Callable[..., Any])
app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

Day = Annotated[str | None, typer.Option("--day", metavar="DATE", help="One gaming day only.")]
First = Annotated[str | None, typer.Option("--from", metavar="DATE", help="The first gaming day, such as 2026-03-02.")]
Last = Annotated[str | None, typer.Option("--to", metavar="DATE", help="The last gaming day; until now if left out.")]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE.csv|json|pdf", help="Write the report into this file."),
]
Zone = Annotated[
    str | None,
    typer.Option(
        "--timezone", metavar="ZONE", envvar="CARDROOM_TIMEZONE", help="Whose days; the room's.", rich_help_panel=BOOKS
    ),
]
DayStarts = Annotated[
    str | None,
    typer.Option("--day-starts", metavar="HH:MM", help="When a gaming day starts; the room's.", rich_help_panel=BOOKS),
]
OneJackpot = Annotated[
    str | None, typer.Argument(metavar="JACKPOT", help="The jackpot's id; all when left out.", show_default=False)
]


class UnknownName(BadInput):
    """A name that no table and no jackpot has."""


@app.callback()
def report() -> None:
    """Report on the books: to read, to sign, or to work with in a spreadsheet.

    Days are gaming days: without --from a report begins with the books, without --to it goes on until now. The exit
    code is 1 when something does not add up.
    """


class Make(Protocol):
    """Makes a report from the books; the time is when it is prepared."""

    def __call__(self, books: PeriodBooks, prepared: Time, /) -> AccountingReport: ...


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """How a report is ordered."""

    day: Day = None
    first: First = None
    last: Last = None
    output: Output = None
    as_json: JsonOfBooks = False
    zone: Zone = None
    day_starts: DayStarts = None
    by: By = None
    database: Database = None

    @property
    def days(self) -> tuple[str | None, str | None]:
        """The first and the last gaming day."""
        if self.day is None:
            return self.first, self.last
        if self.first or self.last:
            raise BadInput("A report is on one day or on several: give --day, or --from and --to.")
        return self.day, self.day


def report_command(*shown: str, without: tuple[str, ...] = ()) -> Callable[[Read], Read]:
    """Declare the command of a report, which says only how the report is made."""

    def declare(read: Read) -> Read:
        app.command(epilog=examples(*shown))(with_options(ReportOrder, read, _deliver, without))
        return read

    return declare


def _deliver(order: ReportOrder, given: Given) -> None:
    """Make the report; write it, print it as JSON, or show it."""
    from cardroom.cli.shared.office import looking
    from cardroom.jackpots.setup.calendar import DAY_STARTS, ZONE
    from cardroom.ledger import system_clock
    from cardroom.reports.accounting import json_pieces, open_calendar, open_period, refuse_report_file, write_report
    from cardroom.terminal.pages.documents import print_report

    with looking(given.context, order.database, order.by) as floor:
        make: Make = given.understood()
        file = None if order.output is None else Path(order.output)
        if file is not None:
            refuse_report_file(file)
        open_period(open_calendar(order.zone or ZONE, order.day_starts or DAY_STARTS), *order.days)
        made = make(_books(floor, order), system_clock())
        if file is not None:
            write_report(made, file)
            _say(made, file, as_json=order.as_json)
        elif order.as_json:
            for piece in json_pieces(made):
                typer.echo(piece, nl=False)
        else:
            print_report(console(), made)
    for fault in made.faults:
        typer.echo(fault, err=True)
    if made.faults:
        raise typer.Exit(ExitCode.ANSWER_IS_NO)


def _books(floor: Floor, order: ReportOrder) -> PeriodBooks:
    """By the room's own days, as they were opened and closed; by the calendar when another one is asked for."""
    from cardroom.reports.accounting import PeriodBooks, open_calendar, open_period, open_room_books

    if order.zone is None and order.day_starts is None:
        return open_room_books(floor, *order.days)
    settings = floor.room().settings
    calendar = open_calendar(order.zone or settings.time_zone, order.day_starts or settings.day_starts)
    return PeriodBooks(floor, open_period(calendar, *order.days))


def _say(made: AccountingReport, file: Path, *, as_json: bool) -> None:
    """What was written."""
    if as_json:
        print_json({"path": str(file), "report": made.slug, "subject": made.subject, "faults": made.faults})
    else:
        typer.echo(f"{file}: {made.kind}, {made.subject}, {made.period}.")


def _chosen(books: PeriodBooks, jackpot: str | None) -> tuple[str, ...]:
    """The jackpot that was named, or all of the room's money."""
    if jackpot is None:
        return books.jackpots()
    books.floor.jackpot(jackpot)
    return (jackpot,)


@report_command(
    "jackpot report history final-four",
    "jackpot report history final-four --from 2026-03-02 --to 2026-03-08 -o week.pdf",
    "jackpot report history final-four --every-round -o rounds.csv",
)
def history(
    jackpot: OneJackpot = None,
    every_round: Annotated[bool, typer.Option("--every-round", help="A line for each round, with its dealer.")] = False,
) -> Make:
    """Every change of a jackpot: beginning amount, amount, ending amount, reason, who, table.

    The sums explain each meter to a hundredth of a cent and are held against the ledger's entries.
    """
    from cardroom.reports.accounting import history_report

    return lambda books, prepared: history_report(books, _chosen(books, jackpot), prepared, every_round=every_round)


@report_command("jackpot report meters", "jackpot report meters final-four --to 2026-03-08 -o meters.pdf")
def meters(jackpot: OneJackpot = None) -> Make:
    """The meters of every level: in, displayed, hits, wins, overflow, reserve; and its parameters."""
    from cardroom.reports.accounting import meters_report

    return lambda books, prepared: meters_report(books, _chosen(books, jackpot), prepared)


@report_command("jackpot report deposits -o deposit-sheet.pdf")
def deposits(jackpot: OneJackpot = None) -> Make:
    """The deposit sheet: what is to be deposited since the last deposit, by day and table; what came late."""
    from cardroom.reports.accounting import deposits_report

    return lambda books, prepared: deposits_report(books, _chosen(books, jackpot), prepared)


@report_command("jackpot report reconciliation", "jackpot report reconciliation -o reconciliation.pdf")
def reconciliation(jackpot: OneJackpot = None) -> Make:
    """What is owed to the players against the bank account and the cage; the bank's statements against the books."""
    from cardroom.reports.accounting import reconciliation_report

    return lambda books, prepared: reconciliation_report(books, _chosen(books, jackpot), prepared)


@report_command("jackpot report master --from 2026-03-02 --to 2026-03-02 -o master.pdf")
def master(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="The table's name; all when left out.", show_default=False)
    ] = None,
) -> Make:
    """The master games report: drop, payouts and win of every table and game, day by day, accruals taken out."""
    from cardroom.reports.accounting import master_report

    def make(books: PeriodBooks, prepared: Time) -> AccountingReport:
        if table is not None:
            books.floor.table(table)
        return master_report(books, table, prepared)

    return make


@report_command(
    "jackpot report recall table-1",
    "jackpot report recall final-four --last 200 -o recall.csv",
    without=("day", "first", "last"),
)
def recall(
    name: Annotated[str, typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot.", show_default=False)],
    last_events: Annotated[int, typer.Option("--last", metavar="N", help="How many.", parser=Whole())] = 50,
) -> Make:
    """The last rounds of a table, or the last events of a jackpot, in full; the newest come first."""
    from cardroom.reports.accounting import recall_report

    return lambda books, prepared: recall_report(books, name, prepared, last_events)


@report_command("jackpot report activity", "jackpot report activity table-1 --from 2026-03-02 --expected")
def activity(
    name: Annotated[
        str | None,
        typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot; all if left out.", show_default=False),
    ] = None,
    expected: Annotated[
        bool, typer.Option("--expected", help="With the exact odds beside; they can take a while at first.")
    ] = False,
) -> Make:
    """Coin-in and hit frequency by game, by table and line by line."""
    from cardroom.reports.accounting import activity_report

    def make(books: PeriodBooks, prepared: Time) -> AccountingReport:
        floor, about = books.floor, "All tables"
        if name is not None:
            known = (*floor.tables(), *floor.jackpots())
            if name not in known:
                there = ", ".join(known) or "none yet"
                raise UnknownName(f"There is no table and no jackpot {quote(name)}: there are {there}.")
            about = name
            books = books.switch_currency((floor.table(name) if name in floor.tables() else floor.jackpot(name)).money)
        tables, jackpots = books.tables(), books.jackpots()
        if name is not None:
            jackpots = (name,) if name in jackpots else jackpots
            tables = (name,) if name in tables else tables
        return activity_report(books, jackpots, tables, about, prepared, expected=expected)

    return make
