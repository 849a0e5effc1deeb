"""Reports of malfunctions: opened under the operator's own number, sent to the commission, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.options import Why

if TYPE_CHECKING:
    from cardroom.floor import Floor, ReportStanding

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The report's number.", show_default=False)]


@app.callback()
def malfunction() -> None:
    """Report malfunctions to the commission within the hours that it sets (WAC 230-06-054: 72).

    The clock runs from the moment at which the malfunction was found. It is shown with the jackpots and at the day's
    close: `sent` stops it, `close` ends the matter.
    """


@deed(
    app,
    'jackpot malfunction report --number R-31 --of table-1 --found-at 21:40 --why "Sensor 3 is dead" --by rosa',
    'jackpot malfunction report --number R-32 --of final-four --found-at "2026-03-02 21:40" --why "…" --by rosa',
)
def report(
    number: Annotated[
        str, typer.Option(metavar="NUMBER", help="Your own number; no report has it again.", show_default=False)
    ],
    of: Annotated[str, typer.Option(metavar="TABLE|JACKPOT", help="What broke.", show_default=False)],
    found_at: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="When it was found, by the room's clock: 21:40, 2026-03-02 21:40.",
            show_default=False,
        ),
    ],
    why: Why = "",
) -> Deed:
    """Open a report; from now on its clock is shown."""
    return lambda sent: _answer(
        sent.floor, sent.floor.report_malfunction(sent.id, sent.who, number, of, found_at=found_at, why=why)
    )


@deed(
    app,
    'jackpot malfunction sent R-31 --reference "e-mail to agent Ng" --by rosa',
    'jackpot malfunction sent R-31 --reference "fax 12" --sent-at "2026-03-03 09:15" --by rosa',
)
def sent(
    number: Number,
    reference: Annotated[str, typer.Option(metavar="TEXT", help="How it went: a fax, a letter.", show_default=False)],
    sent_at: Annotated[str | None, typer.Option(metavar="TIME", help="When it went; now when left out.")] = None,
) -> Deed:
    """Say that a report went to the commission: its clock stands."""
    return lambda sent: _answer(
        sent.floor, sent.floor.send_report(sent.id, sent.who, number, reference=reference, sent_at=sent_at)
    )


@deed(app, 'jackpot malfunction close R-31 --why "The sensor was exchanged and tested" --by rosa')
def close(number: Number, why: Why = "") -> Deed:
    """End the matter: the report is not shown any more."""
    return lambda sent: _answer(sent.floor, sent.floor.close_report(sent.id, sent.who, number, why))


@look(app, "jackpot malfunction list", "jackpot malfunction list --json")
def list() -> Look:
    """List the reports that are not closed, each with its clock."""
    from cardroom.floor.entries import reports_entry
    from cardroom.ledger import system_clock
    from cardroom.terminal.pages.equipment import malfunction_reports_page

    def read(floor: Floor) -> Answer:
        now, reports = system_clock(), floor.room().reports
        return Answer(reports_entry(reports, now), malfunction_reports_page(reports, floor.calendar, now))

    return read


def _answer(floor: Floor, standing: ReportStanding) -> Answer:
    from cardroom.floor.entries import report_entry
    from cardroom.terminal.pages.equipment import malfunction_report_page

    entry = {**report_entry(standing.report, standing.at), "closed": standing.closed}
    return Answer(entry, malfunction_report_page(standing, floor.calendar))
