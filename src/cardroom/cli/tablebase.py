"""`cardroom tablebase`: count every deal of Texas Shootout into a file, and check the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.options import AsJson, WholeNumber, examples
from cardroom.cli.shared.output import CommandOutput, ExitCode
from cardroom.errors import BadInput

if TYPE_CHECKING:
    from cardroom.odds.texas_shootout.tablebase.file import Tablebase

app = typer.Typer(no_args_is_help=True, help="Build and check the file with the counts of all Texas Shootout deals.")

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
        typer.Option(metavar="N", help="The number of threads; one per core when left out.", parser=WholeNumber(1)),
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Count on a Dask cluster; its scheduler's address.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Count every deal of Texas Shootout, and write the counts to a new file.

    It takes a quarter of an hour or more on two cores. Finished parts are stored: an interrupted count continues where
    it stopped. The file is the same on any machine, and the same as the file of the program.
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
        typer.echo("Interrupted. Finished parts are stored; run the same command again to continue.", err=True)
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
        "tablebase check --hands 0 (only the digest, the rules, and the totals)",
    )
)
def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The program's own file when left out.", show_default=False),
    ] = None,
    hands: Annotated[
        int, typer.Option(metavar="N", help="The number of hand classes to count again.", parser=WholeNumber(0))
    ] = DEFAULT_HANDS,
    all_: Annotated[bool, typer.Option("--all", help="Count every class again; takes days.")] = False,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The seed that selects the hands; random when left out.", parser=WholeNumber(0)),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a tablebase: digest, rules, the total of all deals, and some hands counted again by a slower method.

    The hands are selected at random and counted over every board and every pair that the dealer may keep, without
    classes of boards. Exit code 1: a difference was found.
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
        raise BadInput("--all checks every hand: leave out --hands and --seed, or --all.")
    if seeded and not hands:
        raise BadInput("--hands 0 selects no hands: leave out --seed.")
    if hands > len(base):
        raise BadInput(f"There are {len(base):,} classes of hands: --hands {hands:,} is more. Use --all.")
    return hands
