"""`cardroom tablebase`: every deal of Texas Shootout, counted into a file and proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.options import AsJson, WholeNumber, examples
from cardroom.cli.shared.output import CommandOutput, ExitCode
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.odds.texas_shootout.tablebase.file import Tablebase

app = typer.Typer(no_args_is_help=True, help="Every deal of Texas Shootout, counted: build, check.")

DEFAULT_HANDS: Final = 2


@app.command(
    epilog=examples(
        "tablebase build mine.counts",
        "tablebase build mine.counts --threads 1",
        "tablebase build mine.counts --cluster tcp://10.0.0.1:8786",
    )
)
def build(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.", show_default=False)],
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads that count; one a core when left out.", parser=WholeNumber(1)),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Count on a Dask cluster instead, by its scheduler's address.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count every deal of Texas Shootout, and write the counts to a new file.

    It takes a quarter of an hour or more on two cores. Pieces that are whole are kept: an interrupted count goes on
    where it was. The file is the same on any machine, and the same as the one that comes with the program.
    """
    from cardroom.cli.shared.files import refuse_existing_file, write_new_file
    from cardroom.cli.simulate.request import parse_scheduler_address
    from cardroom.odds.simulation.runner import ProgressMonitor
    from cardroom.odds.texas_shootout.tablebase.board_totals import count_tables
    from cardroom.odds.texas_shootout.tablebase.builder import CountInterrupted, PieceStore, count_deals
    from cardroom.odds.texas_shootout.tablebase.file import decode_tablebase, encode_tablebase
    from cardroom.odds.texas_shootout.tablebase.shoe import SIX_DECKS
    from cardroom.terminal.progress import catch_interrupt, progress_bar

    if threads is not None and cluster is not None:
        raise BadInput("A cluster has its own threads: leave out --threads or --cluster.")
    refuse_existing_file(file)
    address, cache = parse_scheduler_address(cluster), PieceStore()
    boards = len(count_tables(SIX_DECKS).classes.combinations)
    try:
        with (
            progress_bar() as bar,
            catch_interrupt() as stopped,
            bar.track_count("counting every deal", boards, "boards") as report_progress,
        ):
            counts = count_deals(
                threads=threads,
                cluster=address,
                store=cache,
                watch=ProgressMonitor(lambda done, _: report_progress(done), stopped),
            )
    except CountInterrupted:
        typer.echo(
            "Interrupted: the pieces that are whole are kept. The same command goes on with the others.", err=True
        )
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    content = encode_tablebase(counts)
    write_new_file(file, content)
    cache.clear()
    base = decode_tablebase(content)
    data = {"file": str(file), "bytes": len(content), "hands": len(base), "sha256": base.digest}
    CommandOutput(
        data, f"{file}: {len(base):,} hands, {len(content):,} bytes.\nSHA-256 of the counts: {base.digest}"
    ).print(as_json)


@app.command(
    epilog=examples(
        "tablebase check",
        "tablebase check mine.counts --hands 20 --seed 7",
        "tablebase check --hands 0 (the digest, the rules and the sums alone)",
    )
)
def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The one that comes with the program when left out.", show_default=False),
    ] = None,
    hands: Annotated[
        int, typer.Option(metavar="N", help="How many classes of hands are counted again.", parser=WholeNumber(0))
    ] = DEFAULT_HANDS,
    all_: Annotated[bool, typer.Option("--all", help="Count every class again: days of work.")] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Which hands are drawn; fresh when left out.", parser=WholeNumber(0))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Prove a tablebase: its digest, its rules, the sum of all deals, and some hands counted again in a slower way.

    Hands are drawn at random and counted over every board and every pair that the dealer may keep, without classes of
    boards. Exit code 1 says that something does not agree.
    """
    import secrets

    from cardroom.odds.texas_shootout.tablebase.file import read_tablebase, tablebase
    from cardroom.odds.texas_shootout.tablebase.proof import draw_hands, prove
    from cardroom.terminal.pages.proofs import proof_page
    from cardroom.terminal.progress import progress_bar

    base = tablebase() if file is None else read_tablebase(file)
    seed_number = secrets.randbits(32) if seed is None else seed
    hand_count = _check_hand_count(base, hands, all_=all_, seeded=seed is not None)
    hand_indexes = list(range(len(base))) if all_ else draw_hands(base, hand_count, seed_number)
    with (
        progress_bar() as bar,
        bar.track_count("counting hands again", base.shoe.kinds, "of the lowest cards") as report_progress,
    ):
        proof = prove(base, hand_indexes, report_progress)
    data = proof.to_json() | {"seed": None if all_ or not hand_count else seed_number}
    CommandOutput(data, proof_page(proof, data["seed"]), proof.is_valid).print(as_json)


def _check_hand_count(base: Tablebase, hands: int, *, all_: bool, seeded: bool) -> int:
    if all_ and (seeded or hands != DEFAULT_HANDS):
        raise BadInput("--all leaves nothing to draw: leave out --hands and --seed, or --all.")
    if seeded and not hands:
        raise BadInput("With --hands 0 nothing is drawn: leave out --seed.")
    if hands > len(base):
        raise BadInput(f"There are {len(base):,} classes of hands: --hands {hands:,} is more; say --all.")
    return hands
