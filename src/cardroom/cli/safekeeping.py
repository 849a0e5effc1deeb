"""`cardroom verify`, `cardroom backup` and `cardroom restore`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.deeds import Look, look
from cardroom.cli.shared.options import By, Database, JsonOfBooks, Second, examples

if TYPE_CHECKING:
    from cardroom.floor import Floor, FloorReport

app = typer.Typer()
Heads = Annotated[str | None, typer.Option(metavar="FILE", help="Also check heads that were exported before.")]


@app.command(
    epilog=examples(
        "verify",
        "verify --database postgresql://books@db/cardroom --json",
        "verify --heads heads-2026-03-02.json",
    )
)
def verify(heads: Heads = None, database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Replay everything that was ever stored, and name the first thing that is wrong.

    Every event is hashed again, every entry added up again, every meter and balance computed again, and every claim
    judged again by the rules of its game. Exit code 0: all is whole. 1: something is wrong, and it is named.

    The log of signed heads is compared with the chains, and exported heads in the folder and at the witness of this
    machine's configuration with the log. Heads that do not agree, or that are gone from the folder, are wrong (1).
    """
    from time import perf_counter

    from cardroom.cli.shared.heads import (
        both,
        given_heads_answer,
        in_whose_time,
        outside_answer,
        told_calendar,
        told_outside,
    )
    from cardroom.cli.shared.office import address, opened, unavailable
    from cardroom.cli.shared.reading import read_heads
    from cardroom.floor import verify as verify_floor
    from cardroom.ledger import system_clock
    from cardroom.terminal.pages.verification import against_words

    url = address(database)
    document = read_heads(heads) if heads is not None else None
    with unavailable("Nothing was changed."):
        with opened(url) as ledger:
            typer.echo(f"Replaying {ledger.store.address} …", err=True)
            calendar, outside = told_calendar(ledger), told_outside(ledger)
            given = None if document is None else given_heads_answer(ledger, document, calendar)
        begun = perf_counter()
        report, seconds = verify_floor(url), perf_counter() - begun
    against = [str(given.page)] if given is not None and not given.holds else []
    answer = _verified(report, seconds, [*against, *against_words(outside)])
    if given is not None:
        answer = both(answer, "heads", given if given.holds else replace(given, page=""))
    answer = both(answer, "outside", outside_answer(outside, system_clock(), calendar))
    if document is not None or outside.time is not None:
        answer = in_whose_time(answer, calendar)
    answer.tell(as_json)


def _verified(report: FloorReport, seconds: float, against: Sequence[str] = ()) -> Answer:
    from cardroom.floor.verification.report import report_entry
    from cardroom.terminal.pages.verification import verified

    return Answer(report_entry(report, seconds), verified(report, seconds, against), report.is_whole)


@look(
    app,
    "backup /backups/2026-03-02.db",
    "backup /backups/2026-03-02.db --database postgresql://books@db/cardroom",
)
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file; none is ever overwritten.")],
) -> Look:
    """Copy the books into one file while the card room plays on; the copy is checked before it gets its name.

    The file is itself a SQLite ledger, whatever database it comes from: `cardroom verify --database sqlite:///FILE`.
    """
    from cardroom.faults import BadInput
    from cardroom.floor import backup as make_backup
    from cardroom.ledger.report import report_entry
    from cardroom.terminal.pages.verification import copied

    def read(floor: Floor) -> Answer:
        try:
            report = make_backup(floor.ledger, file)
        except OSError as fault:
            raise BadInput(f"{file} could not be written: {fault.strerror or fault}.") from None
        return Answer({"file": file, **report_entry(report)}, f"{file}: {copied(report)}.")

    return read


@app.command(
    epilog=examples(
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee",
        "restore /backups/2026-03-02.db --database postgresql://books@db/empty --by rosa --second lee",
    )
)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    by: By = None,
    second: Second = None,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Copy a backup into an empty database, and verify everything there.

    Two people of the backup's own books restore it, with the passwords that they had then; the books in their new place
    say so. A backup of books in which nobody could sign in yet needs nobody.
    """
    from time import perf_counter

    from cardroom.cli.shared.office import new_address, unavailable
    from cardroom.cli.shared.restoring import restorers_of, write_down
    from cardroom.floor import restore as restore_floor

    begun = perf_counter()
    with unavailable("Nothing was restored."):
        who, url = restorers_of(file, by, second), new_address(database)
        answer = _verified(restore_floor(file, url), perf_counter() - begun)
        if who is not None:
            write_down(url, who)
    people = [who.login, who.second] if who else []
    replace(answer, entry={"file": file, "restored_by": people, **answer.entry}).tell(as_json)
