"""`cardroom display`: the displays of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandQuery, declare_query
from cardroom.cli.shared.options import TableName
from cardroom.cli.shared.output import CommandOutput
from cardroom.errors import BadInput, quote

if TYPE_CHECKING:
    from cardroom.room.descriptions.displays import Display
    from cardroom.service import CardRoom

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def display_group() -> None:
    """Show the displays of tables."""


@declare_query(
    app,
    "display show table-1",
    "display show table-1 -o sign.svg",
    "display show duel-1 --kind monitor -o monitor.png",
)
def show(
    table: TableName,
    kind: Annotated[
        str | None, typer.Option(metavar="led-line|picture-frame|monitor", help="One kind of display only.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.svg|FILE.png", help="Draw it; several displays get a file each."),
    ] = None,
    cap: Annotated[str | None, typer.Option(metavar="DOLLARS", help="The aggregate payout limit, if any.")] = None,
) -> CommandQuery:
    """Show the displays of a table as they are now, or draw them as SVG or PNG."""
    from rich.console import Group

    from cardroom.games.money import parse_dollars
    from cardroom.room.descriptions.displays import display_to_json
    from cardroom.terminal.pages.equipment import display_text

    limit = None if cap is None else parse_dollars(cap)

    def read(card_room: CardRoom) -> CommandOutput:
        selected_displays = select_displays(card_room.displays.list_displays(table, payout_cap=limit), kind, table)
        page = (
            Group(*map(display_text, selected_displays))
            if output is None
            else draw_displays(selected_displays, Path(output), table)
        )
        return CommandOutput(list(map(display_to_json, selected_displays)), page)

    return read


class UnknownDisplay(BadInput):
    """A display that the table does not have."""


def select_displays(displays: tuple[Display, ...], kind: str | None, table: str) -> tuple[Display, ...]:
    """All displays of a table, or those of one kind."""
    matches = tuple(display for display in displays if kind in (None, display.kind))
    if not matches:
        kinds = ", ".join(dict.fromkeys(str(display.kind) for display in displays)) or "none"
        raise UnknownDisplay(f"{table} has no display {quote(kind)}: it has {kinds}.")
    return matches


def assign_picture_files(displays: tuple[Display, ...], output: Path) -> dict[Path, Display]:
    """A file for each display; with several, each name says which one it is."""
    if len(displays) == 1:
        return {output: displays[0]}
    kinds = [str(display.kind) for display in displays]
    names = [
        kind if kinds.count(kind) == 1 else f"{kind}-{kinds[: index + 1].count(kind)}"
        for index, kind in enumerate(kinds)
    ]
    return {
        output.with_name(f"{output.stem}-{name}{output.suffix}"): display
        for name, display in zip(names, displays, strict=True)
    }


def draw_displays(displays: tuple[Display, ...], output: Path, table: str) -> str:
    """Draw them and say what each file shows."""
    from cardroom.reports.displays import write_display

    files = assign_picture_files(displays, output)
    for path, display in files.items():
        write_display(display, path)
    return "\n".join(f"{path}: {str(display.kind).replace('-', ' ')} of {table}" for path, display in files.items())
