"""`cardroom room`: the settings of the card room.

`cardroom day`: gaming days, which reports, deposits, and heads follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import ByLogin, CommandId, Database, ReasonOption, SecondLogin, examples
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom


app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
ROOM_FILE: Final = "room.toml"


@app.callback()
def room() -> None:
    """Configure the card room: name, time zone, and dealer limits."""


@app.command("print-example", epilog=examples("room print-example -o room.toml"))
def print_example(
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE.toml", help="The file to write.")
    ] = None,
) -> None:
    """Print a setup file of the card room that works as it is, with every key explained."""
    from pathlib import Path

    from cardroom.cli.shared.files import write_new_file
    from cardroom.room.setup.site import example_site_toml

    text = example_site_toml()
    if output is None:
        typer.echo(text, nl=False)
        return
    write_new_file(Path(output), text)
    typer.echo(f'{output}: The room: cardroom room configure {output} --why "First setup" --by LOGIN --second LOGIN')


@declare_action(app, 'room configure room.toml --why "First setup" --by rosa --second lee', name="configure")
def configure(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="The room's setup.", show_default=False)],
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Configure the card room. Needs two people. Keys that are left out get their defaults."""
    from cardroom.cli.shared.files import read_text
    from cardroom.room.setup.site import read_site_settings

    settings = read_site_settings(read_text(file))
    return lambda request: request.card_room.site.configure(
        request.id, request.login, settings, why, second=second or ""
    )


@app.command("confirm-clock", epilog=examples("room confirm-clock --by rosa"))
def confirm_clock(
    context: typer.Context, by: ByLogin = None, command_id: CommandId = None, database: Database = None
) -> None:
    """Confirm that the machine's clock is right after it jumped ahead. An operator's password is needed."""
    import uuid

    from cardroom.cli.shared.ledger_access import open_for_clock_check

    with open_for_clock_check(context, database, by) as (card_room, login_name):
        last_time = card_room.calendar.format_time(
            card_room.site.confirm_clock(command_id or str(uuid.uuid4()), login_name)
        )
        now = card_room.calendar.format_time(card_room.ledger.newest_event_time())
    typer.echo(f"Confirmed: it is {now}. The previous event was on {last_time}.")


@declare_query(app, "room history", "room history --json")
def history() -> CommandQuery:
    """List the changes of the room's setup, newest first: time, user, reason, and settings before and after."""
    from cardroom.service.json_output import room_changes_to_json
    from cardroom.terminal.pages.card_room import room_history_page

    def read(card_room: CardRoom) -> CommandOutput:
        changes = card_room.site.list_room_changes()[::-1]
        return CommandOutput({"history": room_changes_to_json(changes)}, room_history_page(changes, card_room.calendar))

    return read


@declare_query(app, "room show", "room show --json")
def show() -> CommandQuery:
    """Show the settings of the card room."""
    from cardroom.service.json_output import settings_to_json
    from cardroom.terminal.pages.card_room import settings_table

    return lambda card_room: CommandOutput(
        {"settings": settings_to_json(card_room.room().settings)}, settings_table(card_room.room().settings)
    )


day_app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")

DayOption = Annotated[str | None, typer.Option(metavar="DATE", help="The gaming day, such as 2026-03-02.")]
DayReportOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE.pdf", help="Also write the day report to this file.")
]


@day_app.callback()
def day() -> None:
    """Open and close gaming days, and print the day report.

    Play continues while a day is opened or closed. Events between two days belong to the later one.
    """


@declare_action(day_app, "day open --by rosa", "day open --day 2026-03-02 --by rosa", name="open")
def open_day(day: DayOption = None) -> CommandAction:
    """Open a gaming day: today, or the next day if today is already closed."""
    from cardroom.service.json_output import day_summary_to_json
    from cardroom.terminal.pages.card_room import opened_day_page

    def do(request: CommandRequest) -> CommandOutput:
        result = request.card_room.days.open(request.id, request.login, day)
        return CommandOutput(day_summary_to_json(result), opened_day_page(result))

    return do


@declare_action(day_app, "day close --by rosa", "day close -o book-2026-03-02.pdf --by rosa", name="close")
def close_day(output: DayReportOption = None) -> CommandAction:
    """Close the gaming day: list open items and export the chain heads.

    Open items do not prevent it. If the heads cannot be exported, the day is closed anyway with exit code 1; run
    `cardroom heads export` later.
    """
    from cardroom.cli.shared.ledger_output import check_report_file, write_day_report
    from cardroom.heads.destinations import HeadsNotDelivered
    from cardroom.machine_config import load_machine_config
    from cardroom.service.json_output import day_summary_to_json, sent_heads_to_json
    from cardroom.terminal.pages.card_room import closed_day_page

    file, destination = check_report_file(output), load_machine_config().heads

    def do(request: CommandRequest) -> CommandOutput:
        card_room, heads, export_error = request.card_room, None, ""
        result = card_room.days.close(request.id, request.login)
        try:
            heads = card_room.heads.send(f"{request.id} heads", request.login, destination)
        except HeadsNotDelivered as fault:
            export_error = str(fault)
        export_failed = bool(export_error and destination)
        page = closed_day_page(result, heads, export_error, has_failed=export_failed)
        data = {
            **day_summary_to_json(result),
            "heads": sent_heads_to_json(heads) if heads else None,
            "stayed": export_error,
        }
        output = CommandOutput(data, page, is_success=not export_failed)
        return output if file is None else write_day_report(card_room, result.day, file, output)

    return do


@declare_query(day_app, "day show", "day show --day 2026-03-02", "day show --json", name="show")
def show_day(day: DayOption = None) -> CommandQuery:
    """Show the open gaming day with its open items, or how a past day was closed."""
    from cardroom.cli.shared.ledger_output import format_day
    from cardroom.room.setup.calendar import parse_day

    requested_day = None if day is None else parse_day(day)
    return lambda card_room: format_day(card_room, requested_day)


@declare_query(day_app, "day report -o book.pdf", "day report --day 2026-03-02 -o book-2026-03-02.pdf", name="report")
def print_day_report(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE.pdf", help="The file to write.", show_default=False)
    ],
    day: DayOption = None,
) -> CommandQuery:
    """Print the day report as one PDF: the last closed day, unless --day names another one.

    A later print of the same day has the same figures.
    """
    from cardroom.cli.shared.ledger_output import check_report_file, write_day_report
    from cardroom.room.setup.calendar import parse_day

    file, requested_day = check_report_file(output), None if day is None else parse_day(day)
    assert file is not None

    def read(card_room: CardRoom) -> CommandOutput:
        return write_day_report(card_room, requested_day, file)

    return read
