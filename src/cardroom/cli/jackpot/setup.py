"""`cardroom jackpot`: jackpots are added, changed, and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandAction, declare_action
from cardroom.cli.shared.options import JackpotName, LevelName, ReasonOption, SecondLogin, SetupFileArgument, examples
from cardroom.errors import BadInput, quote

if TYPE_CHECKING:
    from cardroom.cli.shared.ledger_access import CommandRequest
    from cardroom.service import JackpotSummary

PANEL: Final = "Setting up"
app = typer.Typer()

BonusOption = Annotated[
    str | None, typer.Option(metavar="EVENT=AMOUNT", help="Change the operator's bonus on a paytable line instead.")
]
BonusGameOption = Annotated[
    str | None, typer.Option(metavar="GAME", help="The game of the bonus, if the jackpot has several.")
]


@app.command(
    "print-example",
    rich_help_panel=PANEL,
    epilog=examples(
        "jackpot print-example three-card-prime",
        "jackpot print-example three-card-prime -o .",
        "jackpot print-example dueling-for-dollars table > table.toml",
        "jackpot print-example texas-shootout --kind bonus",
        "jackpot print-example deuces-wild --kind progressive",
        "jackpot print-example deuces-wild --tabulator andromeda-1 -o .",
    ),
)
def print_example(
    game: Annotated[str, typer.Argument(help="A game's slug, such as three-card-prime.", show_default=False)],
    part: Annotated[
        str | None, typer.Argument(metavar="jackpot|table|promotion", help="Print one file only; all when left out.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="progressive|bonus", help="The kind of jackpot; progressive where possible.")
    ] = None,
    tabulator: Annotated[
        str | None, typer.Option(metavar="MODEL", help="The tabulator's model; the first approved one if left out.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FOLDER", help="Write the files into this folder.")
    ] = None,
) -> None:
    """Print setup files of a jackpot, a table, and a promotion that work as they are.

    With an Andromeda-1, the folder also gets a data logger's file with two rounds to forward.
    """
    from datetime import UTC, datetime
    from pathlib import Path

    from cardroom.cli.shared.files import refuse_existing_file, write_new_file
    from cardroom.cli.shared.setup_files import LOGGER_UNIT, ExamplePart, example_files, example_log
    from cardroom.room.setup.example import has_logger

    now = datetime.now(UTC)
    files = example_files(game, kind, year=now.year, tabulator=tabulator)
    if part is not None and part not in files:
        raise BadInput(f"An example has no part {quote(part)}: name {', '.join(ExamplePart)}, or leave it out for all.")
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
        typer.echo(f"{log}: Two rounds of its data logger: cardroom data-logger forward TABLE {log} --by LOGIN")


@declare_action(
    app,
    "jackpot add jackpot.toml --by rosa",
    "jackpot add jackpot.toml --by rosa --database sqlite:///main-street.db",
    "jackpot print-example three-card-prime jackpot | cardroom jackpot add - --by rosa",
    panel=PANEL,
    name="add",
)
def add_jackpot(file: SetupFileArgument) -> CommandAction:
    """Add a jackpot. The card room seeds a progressive one. `cardroom jackpot print-example` prints a setup."""
    from cardroom.cli.shared.files import read_text
    from cardroom.room.setup.jackpot import read_jackpot_setup

    setup = read_jackpot_setup(read_text(file))
    return lambda request: request.card_room.jackpots.open(request.id, request.login, setup)


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
            metavar="NAME=VALUE…", help="contribution, reserve, seed (a bonus jackpot's amount), ceiling, or minimum."
        ),
    ] = None,
    bonus: BonusOption = None,
    game: BonusGameOption = None,
    level: LevelName = None,
    why: ReasonOption = "",
    second: SecondLogin = None,
) -> CommandAction:
    """Change the operator's settings of a jackpot. Needs two people.

    Changes to the players' disadvantage take effect at the next reset, others at once.
    """
    from cardroom.cli.shared.jackpot_arguments import choose_game, choose_level, parse_named_values

    if bool(parameters) == bool(bonus):
        raise BadInput("Change parameters, such as contribution=25%, or one --bonus EVENT=AMOUNT: one of the two.")

    def do(request: CommandRequest) -> JackpotSummary:
        card_room, state = request.card_room, request.card_room.jackpot(jackpot)
        if bonus:
            ((event, amount),) = parse_named_values([bonus], "five-wild-cards=$5,000").items()
            game_slug = choose_game(state, game)
            return card_room.jackpots.change_bonus(
                request.id, request.login, jackpot, game_slug, event, amount, why, second=second or ""
            )
        changes = parse_named_values(parameters or (), "contribution=25%")
        level_name = choose_level(state, level)
        return card_room.jackpots.change_parameters(
            request.id, request.login, jackpot, level_name, changes, why, second=second or ""
        )

    return do


@declare_action(app, 'jackpot remove daily-ties --why "The season is over" --by rosa --second lee', panel=PANEL)
def remove(jackpot: JackpotName, why: ReasonOption = "", second: SecondLogin = None) -> CommandAction:
    """Remove a bonus jackpot permanently. A progressive cannot be removed: its money belongs to the players."""
    return lambda request: request.card_room.jackpots.remove(
        request.id, request.login, jackpot, why, second=second or ""
    )
