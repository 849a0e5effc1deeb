"""`cardroom malfunction`: malfunction reports are opened, sent to the commission, and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import ReasonOption
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.service import CardRoom, MalfunctionReportSummary

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

ReportArgument = Annotated[str, typer.Argument(metavar="NUMBER", help="The report's number.", show_default=False)]


@app.callback()
def malfunction() -> None:
    """Manage malfunction reports to the commission and their deadline (WAC 230-06-054: 72 hours).

    The deadline counts from the time when the malfunction was found. Jackpot pages and the day's close show it.
    `mark-sent` stops it; `close` closes the report.
    """


@declare_action(
    app,
    'malfunction report --number R-31 --of table-1 --found-at 21:40 --why "Sensor 3 is dead" --by rosa',
    'malfunction report --number R-32 --of final-four --found-at "2026-03-02 21:40" --why "…" --by rosa',
)
def report(
    number: Annotated[
        str, typer.Option(metavar="NUMBER", help="Your own number for the report; it must be new.", show_default=False)
    ],
    of: Annotated[
        str,
        typer.Option(metavar="TABLE|JACKPOT", help="The table or jackpot with the malfunction.", show_default=False),
    ],
    found_at: Annotated[
        str,
        typer.Option(
            metavar="TIME",
            help="When it was found, in the room's time zone: 21:40, 2026-03-02 21:40.",
            show_default=False,
        ),
    ],
    why: ReasonOption = "",
) -> CommandAction:
    """Open a malfunction report and start its deadline."""
    return lambda request: _format_report(
        request.card_room,
        request.card_room.malfunctions.report(request.id, request.login, number, of, found_at=found_at, why=why),
    )


@declare_action(
    app,
    'malfunction mark-sent R-31 --reference "e-mail to agent Ng" --by rosa',
    'malfunction mark-sent R-31 --reference "fax 12" --sent-at "2026-03-03 09:15" --by rosa',
    name="mark-sent",
)
def mark_sent(
    number: ReportArgument,
    reference: Annotated[
        str, typer.Option(metavar="TEXT", help="How it was sent: a fax, a letter.", show_default=False)
    ],
    sent_at: Annotated[str | None, typer.Option(metavar="TIME", help="When it was sent; now when left out.")] = None,
) -> CommandAction:
    """Record that you sent a report to the commission. This stops its deadline."""
    return lambda request: _format_report(
        request.card_room,
        request.card_room.malfunctions.send(request.id, request.login, number, reference=reference, sent_at=sent_at),
    )


@declare_action(app, 'malfunction close R-31 --why "The sensor was exchanged and tested" --by rosa')
def close(number: ReportArgument, why: ReasonOption = "") -> CommandAction:
    """Close a report. It is no longer listed."""
    return lambda request: _format_report(
        request.card_room, request.card_room.malfunctions.close(request.id, request.login, number, why)
    )


@declare_query(app, "malfunction list", "malfunction list --json", name="list")
def list_reports() -> CommandQuery:
    """List the open reports with their deadlines."""
    from cardroom.ledger import system_clock
    from cardroom.service.json_output import malfunction_reports_to_json
    from cardroom.terminal.pages.equipment import malfunction_reports_page

    def read(card_room: CardRoom) -> CommandOutput:
        now, reports = system_clock(), card_room.room().reports
        return CommandOutput(
            malfunction_reports_to_json(reports, now), malfunction_reports_page(reports, card_room.calendar, now)
        )

    return read


def _format_report(card_room: CardRoom, result: MalfunctionReportSummary) -> CommandOutput:
    from cardroom.service.json_output import malfunction_report_to_json
    from cardroom.terminal.pages.equipment import malfunction_report_page

    data = {**malfunction_report_to_json(result.report, result.at), "closed": result.closed}
    return CommandOutput(data, malfunction_report_page(result, card_room.calendar))
