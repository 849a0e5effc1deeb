"""`cardroom verify`, `cardroom backup` and `cardroom restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.options import ANSWER_IS_NO, AsJson, Database, examples, print_json

app = typer.Typer()


@app.command(
    epilog=examples(
        "verify",
        "verify --database postgresql://books@db/cardroom --json",
        "verify --heads heads-2026-03-02.json",
    )
)
def verify(
    heads: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also check heads that were exported before.")
    ] = None,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Replay everything that was ever stored, and name the first thing that is wrong.

    Every event is hashed again, every entry added up again, every meter and balance computed again, and every claim
    judged again by the rules of its game. Exit code 0: all is whole. 1: something is wrong, and it is named.
    """
    from time import perf_counter

    from cardroom.cli.shared.office import address, opened, unavailable
    from cardroom.cli.shared.reading import read_heads
    from cardroom.floor import verify as verify_floor
    from cardroom.terminal.pages import verification as verifying

    url = address(database)
    document = read_heads(heads) if heads is not None else None
    with unavailable("Nothing was changed."):
        with opened(url) as ledger:
            typer.echo(f"Replaying {ledger.store.address} …", err=True)
            found = ledger.check_heads(document) if document is not None else ()
        begun = perf_counter()
        told = verifying.verified(verify_floor(url), perf_counter() - begun)
    against = verifying.heads_told(document, found) if document is not None else None
    if as_json:
        print_json(told.entry | ({"heads": against.entry} if against else {}))
    else:
        typer.echo(told.sentence)
        if against:
            typer.echo(against.sentence)
    if not told.holds or found:
        raise typer.Exit(ANSWER_IS_NO)


@app.command(
    epilog=examples(
        "backup /backups/2026-03-02.db",
        "backup /backups/2026-03-02.db --database postgresql://books@db/cardroom",
    )
)
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file; none is ever overwritten.")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Copy the books into one file while the card room plays on; the copy is checked before it gets its name.

    The file is itself a SQLite ledger, whatever database it comes from: `cardroom verify --database sqlite:///FILE`.
    """
    from cardroom.cli.shared.office import looking
    from cardroom.faults import BadInput
    from cardroom.floor import backup as make_backup
    from cardroom.terminal.pages import verification as verifying

    with looking(database) as floor:
        try:
            report = make_backup(floor.ledger, file)
        except OSError as fault:
            raise BadInput(f"{file} could not be written: {fault.strerror or fault}.") from None
    if as_json:
        print_json({"file": file, **verifying.copied_entry(report)})
    else:
        typer.echo(f"{file}: {verifying.copied(report)}.")


@app.command(
    epilog=examples(
        "restore /backups/2026-03-02.db --database sqlite:///new.db",
        "restore /backups/2026-03-02.db --database postgresql://books@db/empty",
    )
)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Copy a backup into an empty database, and verify everything there."""
    from time import perf_counter

    from cardroom.cli.shared.office import new_address, unavailable
    from cardroom.floor import restore as restore_floor
    from cardroom.terminal.pages import verification as verifying

    begun = perf_counter()
    with unavailable("Nothing was restored."):
        told = verifying.verified(restore_floor(file, new_address(database)), perf_counter() - begun)
    if as_json:
        print_json({"file": file, **told.entry})
    else:
        typer.echo(told.sentence)
    if not told.holds:
        raise typer.Exit(ANSWER_IS_NO)
