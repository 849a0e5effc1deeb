"""`cardroom verify`, `cardroom backup` and `cardroom restore`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer, ExitCode
from cardroom.cli.shared.deeds import Look, look
from cardroom.cli.shared.options import By, Database, JsonOfBooks, Second, examples

if TYPE_CHECKING:
    from cardroom.floor import Floor, FloorReport
    from cardroom.floor.desks.room_keys import Replaced
    from cardroom.floor.safekeeping import AccessList

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
    from cardroom.floor.verification.heads_text import against_words
    from cardroom.ledger import system_clock

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
    from cardroom.floor.verification.telling import verified

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
    from cardroom.errors import BadInput
    from cardroom.floor import backup as make_backup
    from cardroom.floor.verification.telling import copied
    from cardroom.ledger.types import report_to_json

    def read(floor: Floor) -> Answer:
        try:
            report = make_backup(floor.ledger, file)
        except OSError as fault:
            raise BadInput(f"{file} could not be written: {fault.strerror or fault}.") from None
        return Answer({"file": file, **report_to_json(report)}, f"{file}: {copied(report)}.")

    return read


@app.command(
    epilog=examples(
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee (shows who has access)",
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee --confirm 7f3a-91c2",
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee --old sqlite:///room.db",
        "restore monday.db --database postgresql://books@db/empty --by rosa --second lee --confirm 7f3a-91c2",
    )
)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    confirm: Annotated[
        str,
        typer.Option(metavar="CODE", help="The code below the list of users and devices that both people checked."),
    ] = "",
    old: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The old database, if it can be read: shows what changed since the backup."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The room's key, where it is not in its place on this machine."),
    ] = None,
    by: By = None,
    second: Second = None,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Copy a backup into an empty database, renew the key of every table, and verify everything there.

    A backup does not know what happened after it was made. Every table gets a new sealed key, a round in progress is
    void and its wagers are returned, and all sessions end. Two people of the backup's own books restore it, with the
    passwords that they had then. First they are shown every user and device in the backup; they confirm that each may
    still have access with the code below the list. A backup in which nobody could sign in yet needs nobody.

    A password may have been changed since because it leaked, so no password or PIN of the backup is accepted any more:
    both people choose new ones now (for scripts: CARDROOM_NEW_PASSWORD and CARDROOM_SECOND_NEW_PASSWORD), and recover
    the others (`cardroom people recover`). Nor is any device token of the backup: the command lists the devices to
    renew (`cardroom device renew`). With --old, users whose password and PIN are the same there keep them, and devices
    whose token is the same there keep it.

    A restore that is interrupted leaves a database that no command opens: delete it, and restore again into an empty
    one.
    """
    from time import perf_counter

    from cardroom.cli.shared.office import new_address, opened, unavailable
    from cardroom.cli.shared.restoring import choose_new, restorers_of, write_down
    from cardroom.cli.shared.signing import here
    from cardroom.floor import Floor
    from cardroom.floor.safekeeping import (
        AT_THE_MACHINE,
        TypedPasswords,
        access_list,
        compare,
        unchanged_devices,
        unchanged_passwords,
    )
    from cardroom.floor.safekeeping import restore as restore_floor
    from cardroom.ledger import open_backup

    begun = perf_counter()
    with unavailable("Nothing was restored."):
        who, url = restorers_of(file, by, second), new_address(database)
        with open_backup(file) as ledger:
            listed = access_list(ledger)
        keep: Collection[str] = ()
        keep_devices: Collection[str] = ()
        if old is not None:
            with opened(old) as ledger:
                before = access_list(ledger)
            keep, keep_devices = unchanged_passwords(before, listed), unchanged_devices(before, listed)
            listed = compare(before, listed)
        if listed.code and confirm.strip().casefold() != listed.code:
            _to_confirm(listed, old is not None, as_json)
        if who is None:
            done = restore_floor(file, url, AT_THE_MACHINE, key, keep_devices=keep_devices)
        else:
            after = choose_new(who, keep)
            both = {after.login: after.password, after.second: after.second_password}
            chosen = {login: password for login, password in both.items() if login not in keep}
            typed = TypedPasswords(who.second_password, chosen, here())
            done = restore_floor(file, url, (who.login, who.second), key, typed, keep, keep_devices)
            with opened(url) as ledger:
                write_down(Floor(ledger), after)
        answer = _verified(done.report, perf_counter() - begun)
    people = [who.login, who.second] if who else []
    renewed = done.renewed._asdict()
    page = f"{answer.page}\n{renewed_words(done.renewed)}"
    entry = {"file": file, "restored_by": people, **answer.entry, "renewed": renewed}
    replace(answer, entry=entry, page=page).tell(as_json)


def _to_confirm(listed: AccessList, compared: bool, as_json: bool) -> None:
    """Show who and what has access in a backup, and stop: two people look at each line first."""
    from datetime import UTC, datetime

    made = datetime.fromtimestamp(listed.last / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    entry = {
        "confirm": listed.code,
        "users": listed.users,
        "devices": listed.devices,
        "last": listed.last,
        "changed": list(listed.changed),
    }
    lines = [f"The newest event in this backup is of {made}. Users in it:"]
    lines += [f"  {one}" for one in listed.users] or ["  none"]
    lines += ["Devices in it:", *([f"  {one}" for one in listed.devices] or ["  none"])]
    if compared:
        lines += ["Changed since the backup:", *([f"  {one}" for one in listed.changed] or ["  nothing"])]
        lines += ["Users whose password or PIN is not the same now need a new password after the restore."]
        lines += ["Devices whose token is not the same now need a new one."] if listed.devices else []
    else:
        lines += ["Without --old, every user in it needs a new password after the restore."]
        lines += ["Every device in it needs a new token, too."] if listed.devices else []
    Answer(entry, "\n".join(lines)).tell(as_json)
    typer.echo(
        "Nothing was restored. Changes after the backup are not in it: both of you check that each user and device may "
        f"still have access, and restore with --confirm {listed.code}. Deactivate the others right afterward.",
        err=True,
    )
    raise typer.Exit(ExitCode.BAD_INPUT)


def renewed_words(renewed: Replaced) -> str:
    """What got a new key, and what people have to do now."""
    tables, sessions = len(renewed.tables), renewed.sessions
    words = (
        f"{tables:,} table{'s have' if tables != 1 else ' has'} a new sealed key, and {sessions:,} "
        f"session{'s' * (sessions != 1)} ended."
    )
    if renewed.devices:
        words += f" Renew these devices, whose tokens are not accepted any more: {', '.join(renewed.devices)}."
    if renewed.users:
        words += f" Recover these users, whose passwords are not accepted any more: {', '.join(renewed.users)}."
    return words
