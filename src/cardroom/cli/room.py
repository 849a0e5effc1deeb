"""`cardroom room`: what holds in the whole card room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Deed, Look, deed, look
from cardroom.cli.shared.options import By, CommandId, Database, Second, Why, examples

if TYPE_CHECKING:
    from cardroom.floor import Floor

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")
FILE: Final = "room.toml"


@app.callback()
def room() -> None:
    """Set up the card room: its name, its clock, what a dealer may pay alone."""


@app.command(epilog=examples("room example -o room.toml"))
def example(
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE.toml", help="Write it here.")] = None,
) -> None:
    """Print a room's set-up that works as it is, every key explained."""
    from pathlib import Path

    from cardroom.cli.shared.new_file import write_new
    from cardroom.jackpots.setup.room_example import example_room

    text = example_room()
    if output is None:
        typer.echo(text, nl=False)
        return
    write_new(Path(output), text)
    typer.echo(f'{output}: The room: cardroom room set {output} --why "First set-up" --by LOGIN --second LOGIN')


@deed(app, 'room set room.toml --why "First set-up" --by rosa --second lee', name="set")
def set_up(
    file: Annotated[str, typer.Argument(metavar="FILE.toml", help="The room's set-up.", show_default=False)],
    why: Why = "",
    second: Second = None,
) -> Deed:
    """Say what holds in the whole room from now on; two people say it. A key that is left out has its default."""
    from cardroom.cli.shared.reading import read_text
    from cardroom.jackpots.setup.room import read_settings

    settings = read_settings(read_text(file))
    return lambda sent: sent.floor.set_up_room(sent.id, sent.who, settings, why, second=second or "")


@app.command("confirm-clock", epilog=examples("room confirm-clock --by rosa"))
def confirm_clock(
    context: typer.Context, by: By = None, command_id: CommandId = None, database: Database = None
) -> None:
    """Say that the machine's clock is right although it jumped ahead; an operator says it, with the password."""
    import uuid

    from cardroom.cli.shared.office import confirming

    with confirming(context, database, by) as (floor, who):
        last = floor.calendar.told(floor.confirm_clock(command_id or str(uuid.uuid4()), who))
        now = floor.calendar.told(floor.ledger.newest_event_time())
    typer.echo(f"Confirmed: it is {now}. The last event before this one happened on {last}.")


@look(app, "room history", "room history --json")
def history() -> Look:
    """List every set-up of the room, the newest first: when, by whom, why, and each setting before and after."""
    from cardroom.floor.entries import room_history_entry
    from cardroom.terminal.pages.card_room import room_history_page

    def read(floor: Floor) -> Answer:
        changes = floor.room_history()[::-1]
        return Answer({"history": room_history_entry(changes)}, room_history_page(changes, floor.calendar))

    return read


@look(app, "room show", "room show --json")
def show() -> Look:
    """Show what holds in the whole room."""
    from cardroom.floor.entries import settings_page_entry
    from cardroom.terminal.pages.card_room import settings_table

    return lambda floor: Answer(
        {"settings": settings_page_entry(floor.room().settings)}, settings_table(floor.room().settings)
    )
