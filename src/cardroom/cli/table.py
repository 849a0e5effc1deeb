"""`cardroom table`: tables with their game, their play, and their tabulator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, CommandQuery, declare_action, declare_query
from cardroom.cli.shared.options import (
    JackpotName,
    LastOption,
    ReasonOption,
    SecondLogin,
    SetupFileArgument,
    TableName,
)
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import CardRoom, RoomTableResult, RoomTableSetup

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
SETUP_PANEL: Final = "Setting up"

PaytableFiles = Annotated[
    list[str] | None, typer.Option("--table", metavar="FILE.toml", help="A custom paytable. May be repeated.")
]
LiveOption = Annotated[bool, typer.Option("--live", help="A live table: a dealer deals, for real money.")]


@app.callback(
    epilog="""A live table with its console, from setup to its first round:

- `cardroom table add table.toml --live --by rosa`
- `cardroom device add table-1 console-1 console --by rosa` (prints the token)
- `cardroom serve`
"""
)
def table_group() -> None:
    """Add, change, pause, and remove tables, and link them to jackpots."""


def _read_setup(file: str, tables: list[str] | None, live: bool) -> Callable[[CardRoom], RoomTableSetup]:
    """Reads the setup file of a table; its sensors follow from the jackpots of the card room."""
    from cardroom.cli.shared.files import read_text
    from cardroom.cli.shared.table_files import BadTableFile, read_table_files
    from cardroom.room.table.setup import read_room_table

    text = read_text(file)
    files, _ = read_table_files(tables, None)
    if files.setup is not None:
        raise BadTableFile("The table's file is its setup already: use --table only for custom paytables.")
    return lambda card_room: read_room_table(text, card_room.jackpot, files.paytables, is_live=live)


@declare_action(
    app,
    "table add table.toml --by rosa",
    "table add table.toml --live --by rosa",
    "table add table.toml --table generous.toml --by rosa",
    "jackpot print-example three-card-prime table | cardroom table add - --live --by rosa",
    name="add",
    panel=SETUP_PANEL,
)
def add_table(
    file: SetupFileArgument,
    live: LiveOption = False,
    table: PaytableFiles = None,
) -> CommandAction:
    """Add a table, or add a removed one again: its game, its play, its tabulator, and its jackpots. docs/setup-files.md

    Add the jackpots first. A sensor needs its wager and its jackpot; paytable, amounts, and kind follow from those. A
    table with a tabulator and without [play] only counts jackpot wagers.
    """
    from cardroom.cli.shared.table_files import warn_about_payouts

    read = _read_setup(file, table, live)

    def do(request: CommandRequest) -> RoomTableResult:
        setup = read(request.card_room)
        result = request.card_room.add_table(request.id, request.login, setup)
        warn_about_payouts(setup.game)
        return result

    return do


@declare_action(
    app,
    'table change table.toml --why "A new layout" --by rosa',
    'table change table.toml --live --why "Higher limits on weekends" --by rosa --second lee',
    name="change",
    panel=SETUP_PANEL,
)
def change_table(
    file: SetupFileArgument,
    live: LiveOption = False,
    table: PaytableFiles = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Change a table between rounds. Its console, displays, rules, and odds follow at once.

    What a wager costs or pays needs two people. `cardroom table compare` shows the differences first.
    """
    from cardroom.cli.shared.table_files import warn_about_payouts

    read = _read_setup(file, table, live)

    def do(request: CommandRequest) -> RoomTableResult:
        setup = read(request.card_room)
        result = request.card_room.change_table(request.id, request.login, setup, why, second=second)
        warn_about_payouts(setup.game)
        return result

    return do


@declare_query(app, "table compare table.toml", "table compare table.toml --live --json", panel=SETUP_PANEL)
def compare(file: SetupFileArgument, live: LiveOption = False, table: PaytableFiles = None) -> CommandQuery:
    """Compare a setup file with its table: what `cardroom table change` would change."""
    from cardroom.terminal.pages.gaming_tables import table_changes_page

    read_file = _read_setup(file, table, live)

    def read(card_room: CardRoom) -> CommandOutput:
        setup = read_file(card_room)
        changes = card_room.list_table_changes(setup)
        data = {"table": setup.table, "changes": [change._asdict() for change in changes]}
        return CommandOutput(data, table_changes_page(setup.table, changes))

    return read


@declare_action(
    app, 'table move table-2 "Second Street" --why "The new wing opens" --by rosa', name="move", panel=SETUP_PANEL
)
def move_table(
    table: TableName,
    location: Annotated[str, typer.Argument(metavar="LOCATION", help="The new location.", show_default=False)],
    why: ReasonOption = "",
) -> CommandAction:
    """Record the new location of a table. Unlink its jackpots first: a meter has one location."""
    return lambda request: request.card_room.move_table(request.id, request.login, table, location, why)


@declare_action(app, 'table link table-2 final-four --why "More tables on weekends" --by rosa', panel=SETUP_PANEL)
def link(table: TableName, jackpot: JackpotName, why: ReasonOption = "") -> CommandAction:
    """Link a table to a jackpot. From now on the sensor of the wager counts for it."""
    return lambda request: request.card_room.link_table(request.id, request.login, table, jackpot, why)


@declare_action(app, 'table unlink table-2 final-four --why "Fewer tables on weekdays" --by rosa', panel=SETUP_PANEL)
def unlink(table: TableName, jackpot: JackpotName, why: ReasonOption = "") -> CommandAction:
    """Unlink a table from a jackpot. The wager is disabled from now on; earlier wins can still be claimed."""
    return lambda request: request.card_room.unlink_table(request.id, request.login, table, jackpot, why)


@declare_action(app, 'table remove table-1 --why "The season is over" --by rosa', name="remove", panel=SETUP_PANEL)
def remove_table(table: TableName, why: ReasonOption = "") -> CommandAction:
    """Remove a table between rounds. Players get their chips back; its unit is free. Earlier wins can be claimed."""
    return lambda request: request.card_room.remove_table(request.id, request.login, table, why)


@declare_action(app, 'table pause table-1 --why "A spilled drink" --by rosa', changes_signs=False)
def pause(table: TableName, why: ReasonOption = "") -> CommandAction:
    """Pause a table. The current round is finished; no new one starts."""
    return lambda request: request.card_room.pause_table(request.id, request.login, table, why)


@declare_action(app, "table resume table-1 --by rosa", changes_signs=False)
def resume(table: TableName) -> CommandAction:
    """Resume a paused table."""
    return lambda request: request.card_room.resume_table(request.id, request.login, table)


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
