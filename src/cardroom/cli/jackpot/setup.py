"""Jackpots and tables are opened, linked and changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, declare_action
from cardroom.cli.shared.options import JackpotName, LevelName, ReasonOption, SecondLogin, TableName, examples
from cardroom.errors import BadInput, quote

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import JackpotSummary, TabulatorSummary

PANEL: Final = "Setting up"
app = typer.Typer()

SetupFileArgument = Annotated[
    str, typer.Argument(metavar="FILE.toml", help="The set-up; - is standard input.", show_default=False)
]

BonusOption = Annotated[
    str | None, typer.Option(metavar="EVENT=AMOUNT", help="Or the operator's bonus on a line of the paytable.")
]
BonusGameOption = Annotated[
    str | None, typer.Option(metavar="GAME", help="The game of the bonus, where the jackpot has several.")
]


@app.command(
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot example three-card-prime",
        "jackpot example three-card-prime -o .",
        "jackpot example dueling-for-dollars table > table.toml",
        "jackpot example texas-shootout --kind bonus",
        "jackpot example deuces-wild --kind progressive",
        "jackpot example deuces-wild --tabulator andromeda-1 -o .",
    ),
)
def example(
    game: Annotated[str, typer.Argument(help="A game's slug, such as three-card-prime.", show_default=False)],
    part: Annotated[
        str | None, typer.Argument(metavar="jackpot|table|promotion", help="One file only; all when left out.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="progressive|bonus", help="The kind of jackpot; progressive if it can be.")
    ] = None,
    tabulator: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The table's tabulator; the first that is approved if left out.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FOLDER", help="Write the files into this folder.")
    ] = None,
) -> None:
    """Print set-ups of a jackpot, a table and a promotion that work as they are.

    With an Andromeda-1 a folder also gets a data logger's file, in which two rounds wait to be forwarded.
    """
    from datetime import UTC, datetime
    from pathlib import Path

    from cardroom.cli.jackpot.setup_files import LOGGER_UNIT, ExamplePart, example_files, example_log
    from cardroom.cli.shared.files import refuse_existing_file, write_new_file
    from cardroom.room.setup.example import has_logger

    now = datetime.now(UTC)
    files = example_files(game, kind, year=now.year, tabulator=tabulator)
    if part is not None and part not in files:
        raise BadInput(
            f"There is no {quote(part)} in an example: ask for {', '.join(ExamplePart)}, or leave it out for all."
        )
    selected_files = {name: text for name, text in files.items() if part in (None, name)}
    if output is None:
        typer.echo("\n".join(selected_files.values()), nl=False)
        return
    paths = {Path(output) / f"{name}.toml": text for name, text in selected_files.items()}
    log = Path(output) / f"{LOGGER_UNIT}.log" if has_logger(tabulator) and part is None else None
    for path in (*paths, *([log] if log else ())):
        refuse_existing_file(path)
    for path, text in paths.items():
        write_new_file(path, text)
        typer.echo(f"{path}: {text.splitlines()[0].removeprefix('# ').replace('FILE.toml', str(path))}")
    if log:
        write_new_file(log, example_log(int(now.timestamp() * 1_000_000)).decode())
        typer.echo(f"{log}: Two rounds of its data logger: cardroom jackpot logger TABLE {log} --by LOGIN")


@declare_action(
    app,
    "jackpot open jackpot.toml --by rosa",
    "jackpot open jackpot.toml --by rosa --database sqlite:///main-street.db",
    "jackpot example three-card-prime jackpot | cardroom jackpot open - --by rosa",
    panel=PANEL,
    name="open",
)
def open_jackpot(file: SetupFileArgument) -> CommandAction:
    """Open a jackpot; the house seeds a progressive. `cardroom jackpot example GAME jackpot` shows a set-up."""
    from cardroom.cli.shared.files import read_text
    from cardroom.room.setup.jackpot import read_jackpot_setup

    setup = read_jackpot_setup(read_text(file))
    return lambda request: request.card_room.open_jackpot(request.id, request.login, setup)


@declare_action(
    app,
    "jackpot table table.toml --by rosa",
    "jackpot example deuces-wild table | cardroom jackpot table - --by rosa",
    'jackpot table table.toml --change --why "Higher limits on weekends" --by rosa',
    name="table",
    panel=PANEL,
)
def open_tabulator(
    file: SetupFileArgument,
    change: Annotated[
        bool, typer.Option("--change", help="Give the open table this set-up; what was counted stays counted.")
    ] = False,
    why: ReasonOption = "",
) -> CommandAction:
    """Open a table with its tabulator: the game, its wagers, and the jackpots that its sensors play for.

    A sensor needs its wager and its jackpot; paytable, amounts and kind follow from those. The jackpot is opened first.
    A closed table is opened again like a new one; an open one gets another set-up with --change and a reason.
    """
    from cardroom.cli.jackpot.setup_files import read_tabulator_file
    from cardroom.cli.shared.files import read_text
    from cardroom.cli.shared.table_files import warn_about_payouts

    text = read_text(file)
    if why and not change:
        raise BadInput("A reason belongs to a change: give --change too, or leave --why out.")

    def do(request: CommandRequest) -> TabulatorSummary:
        table_file = read_tabulator_file(text, request.card_room.jackpot)
        arguments = (
            request.id,
            request.login,
            table_file.setup,
            table_file.tabulator,
            table_file.unit,
            table_file.counters,
        )
        result = (
            request.card_room.change_tabulator(*arguments, why=why)
            if change
            else request.card_room.install_tabulator(*arguments)
        )
        warn_about_payouts(table_file.setup)
        return result

    return do


@declare_action(app, 'jackpot move-table table-2 "Second Street" --why "The new wing opens" --by rosa', panel=PANEL)
def move_table(
    table: TableName,
    location: Annotated[str, typer.Argument(metavar="LOCATION", help="Where it stands now.", show_default=False)],
    why: ReasonOption = "",
) -> CommandAction:
    """Say that a table stands elsewhere. It leaves the jackpots of its old place before: a meter has one location."""
    return lambda request: request.card_room.move_tabulator(request.id, request.login, table, location, why)


@declare_action(app, 'jackpot close-table table-2 --why "The season is over" --by rosa', panel=PANEL)
def close_table(table: TableName, why: ReasonOption = "") -> CommandAction:
    """Close a table: it leaves its jackpots and counts nothing more, its unit is free. Who won before still claims."""
    return lambda request: request.card_room.remove_tabulator(request.id, request.login, table, why)


@declare_action(app, 'jackpot link table-2 final-four --why "More tables on weekends" --by rosa', panel=PANEL)
def link(table: TableName, jackpot: JackpotName, why: ReasonOption = "") -> CommandAction:
    """Let an open table play for a jackpot: the sensor of its wager counts for it from now on."""
    return lambda request: request.card_room.link_jackpot(request.id, request.login, table, jackpot, why)


@declare_action(app, 'jackpot unlink table-2 final-four --why "Fewer tables on weekdays" --by rosa', panel=PANEL)
def unlink(table: TableName, jackpot: JackpotName, why: ReasonOption = "") -> CommandAction:
    """Take a table off a jackpot: its wager is dark and refused from now on. Who won before still claims."""
    return lambda request: request.card_room.unlink_jackpot(request.id, request.login, table, jackpot, why)


@declare_action(
    app,
    'jackpot change final-four contribution=25% --why "New rate from March on" --by rosa --second lee',
    "jackpot change final-four 'ceiling=$60,000' seed=6000 --level main --why Budget --by rosa --second lee",
    "jackpot change deuces-wild-jackpot --bonus 'five-wild-cards=$5,000' --why Spring --by rosa --second lee",
    panel=PANEL,
)
def change(
    jackpot: JackpotName,
    parameters: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE…", help="contribution, reserve, seed (a bonus jackpot's amount), ceiling or minimum."
        ),
    ] = None,
    bonus: BonusOption = None,
    game: BonusGameOption = None,
    level: LevelName = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Change what the operator set; two people answer for it.

    What players would lose by waits for the next reset; the rest holds at once.
    """
    from cardroom.cli.jackpot.arguments import choose_game, choose_level, parse_named_values

    if bool(parameters) == bool(bonus):
        raise BadInput("Change parameters, such as contribution=25%, or one --bonus EVENT=AMOUNT: one of the two.")

    def do(request: CommandRequest) -> JackpotSummary:
        card_room, state = request.card_room, request.card_room.jackpot(jackpot)
        if bonus:
            ((event, amount),) = parse_named_values([bonus], "five-wild-cards=$5,000").items()
            game_slug = choose_game(state, game)
            return card_room.change_bonus(
                request.id, request.login, jackpot, game_slug, event, amount, why, second=second or ""
            )
        changes = parse_named_values(parameters or (), "contribution=25%")
        level_name = choose_level(state, level)
        return card_room.change_parameters(
            request.id, request.login, jackpot, level_name, changes, why, second=second or ""
        )

    return do


@declare_action(app, 'jackpot remove daily-ties --why "The season is over" --by rosa --second lee', panel=PANEL)
def remove(jackpot: JackpotName, why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Remove a bonus jackpot for good. A progressive cannot be removed: its money is the players'."""
    return lambda request: request.card_room.remove_jackpot(
        request.id, request.login, jackpot, why, second=second or ""
    )
