"""`cardroom par`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import AsJson, NoCache, TableFile
from cardroom.errors import BadInput
from cardroom.extras import require_packages

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom par three-card-prime` - writes three-card-prime-par.pdf
- `cardroom par deuces-wild -o deuces.html` - one page for a browser that needs nothing else
- `cardroom par --table my-table.toml --date 2026-03-02` - your own limits and paytables
- `cardroom par --table generous.toml` - the usual table with a paytable that nobody printed
- `cardroom par three-card-prime --jackpot jackpot.toml` - with what a progressive returns in all
- `cardroom par deuces-wild --confirm 100000000 --seed 7` - more rounds to confirm the figures with
- `cardroom par --check three-card-prime-par.pdf` - whether the file is as it was made
"""
)
def par(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.pdf|FILE.html", help="The file; GAME-par.pdf when left out."),
    ] = None,
    table: TableFile = None,
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day on the sheet; today when left out.")
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.toml", help="The set-up of a jackpot that the table plays for; may come again."),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            metavar="ROUNDS",
            help="Rounds simulated to confirm the figures; 0 for none. [default: 1000000]",
            parser=Whole(0),
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Of these rounds. [default: 1]", parser=Whole(0))
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check a PAR sheet instead of making one.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Make the PAR sheet of a table, to sign and to pass on; or check one.

    It has the reading of the rules, the set-up, every outcome of every wager with its combinations, the figures that
    follow, jackpots, a confirmation by simulation, strategies, charts and the method. Its content travels inside the
    file under a digest that stands on every page. A check computes every figure anew and sets every page anew, whatever
    was computed before; exit code 1 means that the file does not hold.
    """
    require_packages("reports", "PAR sheets", "altair", "vl_convert", "typst", "orjson")
    from cardroom.cli import par_making
    from cardroom.terminal.progress import progress_bar

    if check is not None:
        others = (game, output, day, jackpot, confirm, seed)
        if any(given is not None for given in others) or table or no_cache:
            raise BadInput(
                "A check takes a file and nothing else: what it was made from is inside, and all is computed anew."
            )
        with progress_bar() as bar:
            answer = par_making.check(check, bar.set_share)
    else:
        wanted = par_making.order(game, output, table, day, jackpot or (), confirm, seed)
        with progress_bar() as bar:
            answer = par_making.make(wanted, bar.set_share, remember=not no_cache)
    answer.tell(as_json)
