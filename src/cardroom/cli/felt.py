"""`cardroom felt`: tables at which rounds are played, by the house's program or by a dealer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.options import Second, TableName, Why

if TYPE_CHECKING:
    from cardroom.cli.shared.office import Sender
    from cardroom.floor import FeltStanding, Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""A live table with its console, from nothing to its first round:

- `cardroom jackpot table table.toml --by rosa` (its tabulator, where it plays for jackpots)
- `cardroom felt open table.toml --live --by rosa`
- `cardroom device register table-1 console-1 console --by rosa` (prints the token)
- `cardroom serve`
"""
)
def felt() -> None:
    """Open, pause and close tables to play at: automatic ones, and live ones at which a dealer deals."""


@deed(
    app,
    "felt open table.toml --by rosa",
    "felt open table.toml --live --by rosa",
    "felt open table.toml --table generous.toml --by rosa",
    "jackpot example three-card-prime table | cardroom felt open - --live --by rosa",
    name="open",
    signs=False,
)
def open_(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="The table's set-up; - is standard input.")],
    live: Annotated[bool, typer.Option("--live", help="A dealer deals there, for the room's own money.")] = False,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="FILE.toml", help="A paytable that nobody printed. May be given again."),
    ] = None,
) -> Deed:
    """Open a table to play at, also again after it was closed. Its section [felt] says how: docs/set-ups.md.

    A table with a tabulator is opened with `cardroom jackpot table` first, from the same file.
    """
    from cardroom.cli.felt_file import as_displayed, read_felt_file
    from cardroom.cli.shared.reading import read_text
    from cardroom.cli.shared.warnings import warn_of

    read = read_felt_file(read_text(file), table, live=live)

    def do(sent: Sender) -> FeltStanding:
        setup = as_displayed(sent.floor, read)
        standing = sent.floor.open_felt(sent.id, sent.who, read.table, setup, read.terms)
        warn_of(setup)
        return standing

    return do


@deed(app, 'felt pause table-1 --why "A spilled drink" --by rosa', signs=False)
def pause(table: TableName, why: Why = "") -> Deed:
    """Let no new round begin. A round that is played goes on to its end."""
    return lambda sent: sent.floor.pause_felt(sent.id, sent.who, table, why)


@deed(app, "felt resume table-1 --by rosa", signs=False)
def resume(table: TableName) -> Deed:
    """Let rounds begin again."""
    return lambda sent: sent.floor.resume_felt(sent.id, sent.who, table)


@deed(app, 'felt close table-1 --why "The evening is over" --by rosa', signs=False)
def close(table: TableName, why: Why = "") -> Deed:
    """Close a table between two rounds; everybody who sits there gets their chips back."""
    return lambda sent: sent.floor.close_felt(sent.id, sent.who, table, why)


@deed(app, 'felt call-off table-1 --why "The screen went dark" --by rosa --second lee', name="call-off")
def call_off(table: TableName, why: Why = "", second: Second = None) -> Deed:
    """Call off the round that is played: it is void, and every wager goes back. Two people do, with a reason.

    What the round put on jackpot meters comes off again. A round that has ended stands.
    """
    return lambda sent: sent.floor.call_off_round(sent.id, sent.who, table, why, second=second)


@look(app, "felt list", "felt list --json", name="list")
def all_felts() -> Look:
    """List the tables to play at; private practice tables are left out."""
    from cardroom.floor.entries import felt_entry
    from cardroom.terminal.pages.gaming_tables import play_tables_page

    def read(floor: Floor) -> Answer:
        states = [floor.felt(table) for table in floor.felts()]
        shown = [state for state in states if not state.terms.owner]
        return Answer({"felts": [felt_entry(state) for state in shown]}, play_tables_page(shown))

    return read


@look(app, "felt show table-1", "felt show table-1 --json")
def show(table: TableName) -> Look:
    """Show a table: its terms, who plays, and at a live one the dealer's steps and take or pay. No hidden card."""
    from cardroom.floor import Mode
    from cardroom.floor.entries import felt_entry
    from cardroom.terminal.pages.gaming_tables import live_table_page, play_table_page

    def read(floor: Floor) -> Answer:
        state = floor.felt(table)
        if state.terms.mode is Mode.LIVE:
            seen = floor.live_look(table)
            return Answer({**felt_entry(state), "live": seen.entry()}, live_table_page(seen))
        entry = floor.felt_look(table).entry(None)
        return Answer({**felt_entry(state), "seen": entry}, play_table_page(state))

    return read
