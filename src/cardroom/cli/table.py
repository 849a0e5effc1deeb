"""`cardroom table`: tables where rounds are played, automatically or by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import LastOption, ReasonOption, TableName
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom, TableResult

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""A live table with its console, from setup to its first round:

- `cardroom tabulator add table.toml --by rosa` (its tabulator, if it has jackpots)
- `cardroom table add table.toml --live --by rosa`
- `cardroom device add table-1 console-1 console --by rosa` (prints the token)
- `cardroom serve`
"""
)
def table_group() -> None:
    """Add, pause, and remove tables: automatic ones, and live ones with a dealer."""


@declare_action(
    app,
    "table add table.toml --by rosa",
    "table add table.toml --live --by rosa",
    "table add table.toml --table generous.toml --by rosa",
    "jackpot print-example three-card-prime table | cardroom table add - --live --by rosa",
    name="add",
    changes_signs=False,
)
def add_table(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="The table's setup; - is standard input.")],
    live: Annotated[bool, typer.Option("--live", help="A live table: a dealer deals, for real money.")] = False,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="FILE.toml", help="A custom paytable. May be repeated."),
    ] = None,
) -> CommandAction:
    """Add a table, or add a removed one again. The section [play] of its file has the options: docs/setup-files.md.

    If the table has a tabulator, run `cardroom tabulator add` with the same file first.
    """
    from cardroom.cli.shared.files import read_text
    from cardroom.cli.shared.table_files import warn_about_payouts
    from cardroom.cli.table_setup import add_displayed_amounts, read_play_file

    table_file = read_play_file(read_text(file), table, is_live=live)

    def do(request: CommandRequest) -> TableResult:
        setup = add_displayed_amounts(request.card_room, table_file)
        result = request.card_room.add_table(request.id, request.login, table_file.table, setup, table_file.terms)
        warn_about_payouts(setup)
        return result

    return do


@declare_action(app, 'table pause table-1 --why "A spilled drink" --by rosa', changes_signs=False)
def pause(table: TableName, why: ReasonOption = "") -> CommandAction:
    """Pause a table. The current round is finished; no new one starts."""
    return lambda request: request.card_room.pause_table(request.id, request.login, table, why)


@declare_action(app, "table resume table-1 --by rosa", changes_signs=False)
def resume(table: TableName) -> CommandAction:
    """Resume a paused table."""
    return lambda request: request.card_room.resume_table(request.id, request.login, table)


@declare_action(app, 'table remove table-1 --why "The evening is over" --by rosa', name="remove", changes_signs=False)
def remove_table(table: TableName, why: ReasonOption = "") -> CommandAction:
    """Remove a table between rounds. Seated players get their chips back."""
    return lambda request: request.card_room.remove_table(request.id, request.login, table, why)


@declare_query(app, "table list", "table list --json", name="list")
def list_tables() -> CommandQuery:
    """List all tables except private practice tables."""
    from cardroom.service.json_output import table_to_json
    from cardroom.terminal.pages.gaming_tables import play_tables_page

    def read(card_room: CardRoom) -> CommandOutput:
        states = [card_room.table(table) for table in card_room.list_tables()]
        public_states = [state for state in states if not state.terms.owner]
        return CommandOutput(
            {"tables": [table_to_json(state) for state in public_states]}, play_tables_page(public_states)
        )

    return read


@declare_query(app, "table show table-1", "table show table-1 --json")
def show(table: TableName) -> CommandQuery:
    """Show a table: options, seats, and for a live table the dealer's steps and take or pay. No hidden cards."""
    from cardroom.service import DealingMode
    from cardroom.service.json_output import table_to_json
    from cardroom.terminal.pages.gaming_tables import live_table_page, play_table_page

    def read(card_room: CardRoom) -> CommandOutput:
        state = card_room.table(table)
        if state.terms.mode is DealingMode.LIVE:
            view = card_room.view_live_table(table)
            return CommandOutput({**table_to_json(state), "live": view.to_json()}, live_table_page(view))
        player_view = card_room.view_table(table).to_json(None)
        return CommandOutput({**table_to_json(state), "seen": player_view}, play_table_page(state))

    return read


@declare_query(app, "table history prime-1", "table history prime-1 --last 200 --json")
def history(
    table: TableName,
    last: LastOption = 50,
) -> CommandQuery:
    """List the events of a table, newest first."""
    from cardroom.cli.shared.ledger_output import format_events
    from cardroom.service.chains.names import table_chain

    def read(card_room: CardRoom) -> CommandOutput:
        card_room.table(table)
        return format_events(card_room, table_chain(table), last)

    return read
