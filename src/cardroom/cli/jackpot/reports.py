"""`cardroom jackpot report …`: the regulator's and the operator's reports, on the screen or as CSV, JSON or PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.options import ANSWER_IS_NO, BOOKS, AsJson, Database, console, examples, print_json
from cardroom.faults import BadInput

if TYPE_CHECKING:
    from cardroom.ledger import Time
    from cardroom.reports.books import Books, Report

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

First = Annotated[str | None, typer.Option("--from", metavar="DATE", help="The first gaming day, such as 2026-03-02.")]
Last = Annotated[str | None, typer.Option("--to", metavar="DATE", help="The last gaming day; until now if left out.")]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE.csv|json|pdf", help="Write the report into this file."),
]
Zone = Annotated[
    str,
    typer.Option("--timezone", metavar="ZONE", envvar="CARDROOM_TIMEZONE", help="Whose days.", rich_help_panel=BOOKS),
]
DayStarts = Annotated[
    str, typer.Option("--day-starts", metavar="HH:MM", help="When a gaming day starts.", rich_help_panel=BOOKS)
]
Jackpot = Annotated[
    str | None, typer.Argument(metavar="JACKPOT", help="The jackpot's id; all when left out.", show_default=False)
]
LOS_ANGELES = "America/Los_Angeles"
SIX = "06:00"


class UnknownName(BadInput):
    """A name that no table and no jackpot has."""


@app.callback()
def report() -> None:
    """Report on the books: to read, to sign, or to work with in a spreadsheet.

    Days are gaming days: without --from a report begins with the books, without --to it goes on until now. The exit
    code is 1 when something does not add up.
    """


@dataclass(frozen=True, slots=True)
class Asked:
    """What every report is asked with."""

    first: str | None
    last: str | None
    output: str | None
    as_json: bool
    zone: str
    day_starts: str
    database: str | None

    def tell(self, make: Callable[[Books, Time], Report]) -> None:
        """Make the report from the books and the time; write it, print it as JSON, or show it."""
        from cardroom.cli.shared.office import looking
        from cardroom.ledger import system_clock
        from cardroom.reports.books import (
            Books,
            json_pieces,
            open_calendar,
            open_period,
            refuse_report_file,
            write_report,
        )
        from cardroom.terminal.pages.reports import show

        period = open_period(open_calendar(self.zone, self.day_starts), self.first, self.last)
        file = None if self.output is None else Path(self.output)
        if file is not None:
            refuse_report_file(file)
        with looking(self.database) as floor:
            made = make(Books(floor, period), system_clock())
            if file is not None:
                write_report(made, file)
                _say(made, file, as_json=self.as_json)
            elif self.as_json:
                for piece in json_pieces(made):
                    typer.echo(piece, nl=False)
            else:
                show(console(), made)
        for fault in made.faults:
            typer.echo(fault, err=True)
        if made.faults:
            raise typer.Exit(ANSWER_IS_NO)


def _say(made: Report, file: Path, *, as_json: bool) -> None:
    """What was written."""
    if as_json:
        print_json({"path": str(file), "report": made.slug, "subject": made.subject, "faults": made.faults})
    else:
        typer.echo(f"{file}: {made.kind}, {made.subject}, {made.period}.")


def _chosen(books: Books, jackpot: str | None) -> tuple[str, ...]:
    """The jackpot that was named, or all of them."""
    if jackpot is None:
        return tuple(books.floor.jackpots())
    books.floor.jackpot(jackpot)
    return (jackpot,)


@app.command(
    epilog=examples(
        "jackpot report history final-four",
        "jackpot report history final-four --from 2026-03-02 --to 2026-03-08 -o week.pdf",
        "jackpot report history final-four --every-round -o rounds.csv",
    )
)
def history(
    jackpot: Jackpot = None,
    every_round: Annotated[bool, typer.Option("--every-round", help="A line for each round, with its dealer.")] = False,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """Every change of a jackpot: beginning amount, amount, ending amount, reason, who, table.

    The sums explain each meter to a hundredth of a cent and are held against the ledger's entries.
    """

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import history_report

        return history_report(books, _chosen(books, jackpot), prepared, every_round=every_round)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)


@app.command(epilog=examples("jackpot report meters", "jackpot report meters final-four --to 2026-03-08 -o meters.pdf"))
def meters(
    jackpot: Jackpot = None,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """The meters of every level: in, displayed, hits, wins, overflow, reserve; and its parameters."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import meters_report

        return meters_report(books, _chosen(books, jackpot), prepared)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)


@app.command(epilog=examples("jackpot report deposits -o deposit-sheet.pdf"))
def deposits(
    jackpot: Jackpot = None,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """The deposit sheet: what is to be deposited since the last deposit, by day and table; what came late."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import deposits_report

        return deposits_report(books, _chosen(books, jackpot), prepared)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)


@app.command(epilog=examples("jackpot report reconciliation", "jackpot report reconciliation -o reconciliation.pdf"))
def reconciliation(
    jackpot: Jackpot = None,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """What is owed to the players against the bank account and the cage; the bank's statements against the books."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import reconciliation_report

        return reconciliation_report(books, _chosen(books, jackpot), prepared)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)


@app.command(epilog=examples("jackpot report master --from 2026-03-02 --to 2026-03-02 -o master.pdf"))
def master(
    table: Annotated[
        str | None, typer.Argument(metavar="TABLE", help="The table's name; all when left out.", show_default=False)
    ] = None,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """The master games report: drop, payouts and win of every table and game, day by day, accruals taken out."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import master_report

        if table is not None:
            books.floor.table(table)
        return master_report(books, table, prepared)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)


@app.command(
    epilog=examples("jackpot report recall table-1", "jackpot report recall final-four --last 200 -o recall.csv")
)
def recall(
    name: Annotated[str, typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot.", show_default=False)],
    last_events: Annotated[int, typer.Option("--last", metavar="N", help="How many.")] = 50,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """The last rounds of a table, or the last events of a jackpot, in full; the newest come first."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import recall_report

        return recall_report(books, name, prepared, last_events)

    Asked(None, None, output, as_json, zone, day_starts, database).tell(make)


@app.command(epilog=examples("jackpot report activity", "jackpot report activity table-1 --from 2026-03-02 --expected"))
def activity(
    name: Annotated[
        str | None,
        typer.Argument(metavar="TABLE|JACKPOT", help="A table or a jackpot; all if left out.", show_default=False),
    ] = None,
    expected: Annotated[
        bool, typer.Option("--expected", help="With the exact odds beside; they can take minutes at first.")
    ] = False,
    first: First = None,
    last: Last = None,
    output: Output = None,
    as_json: AsJson = False,
    zone: Zone = LOS_ANGELES,
    day_starts: DayStarts = SIX,
    database: Database = None,
) -> None:
    """Coin-in and hit frequency by game, by table and line by line."""

    def make(books: Books, prepared: Time) -> Report:
        from cardroom.reports.books import activity_report

        tables, jackpots = tuple(books.floor.tables()), tuple(books.floor.jackpots())
        about = "All tables"
        if name is not None:
            if name not in (*tables, *jackpots):
                there = ", ".join((*tables, *jackpots)) or "none yet"
                raise UnknownName(f"There is no table and no jackpot {name!r}: there are {there}.")
            about = name
            jackpots = (name,) if name in jackpots else jackpots
            tables = (name,) if name in tables else tables
        return activity_report(books, jackpots, tables, about, prepared, expected=expected)

    Asked(first, last, output, as_json, zone, day_starts, database).tell(make)
