"""`cardroom verify`, `cardroom backup` and `cardroom restore`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.ledger_commands import CommandQuery, declare_query
from cardroom.cli.shared.options import ByLogin, Database, LedgerAsJson, SecondLogin, examples
from cardroom.cli.shared.output import CommandOutput, ExitCode

if TYPE_CHECKING:
    from cardroom.service import CardRoom, VerificationReport
    from cardroom.service.backup import AccessList
    from cardroom.service.commands.room_keys import KeyRenewal

app = typer.Typer()
HeadsFileOption = Annotated[
    str | None, typer.Option(metavar="FILE", help="Also check heads that were exported before.")
]


@app.command(
    epilog=examples(
        "verify",
        "verify --database postgresql://books@db/cardroom --json",
        "verify --heads heads-2026-03-02.json",
    )
)
def verify(heads: HeadsFileOption = None, database: Database = None, as_json: LedgerAsJson = False) -> None:
    """Replay everything that was ever stored, and name the first thing that is wrong.

    Every event is hashed again, every entry added up again, every meter and balance computed again, and every claim
    judged again by the rules of its game. Exit code 0: all is whole. 1: something is wrong, and it is named.

    The log of signed heads is compared with the chains, and exported heads in the folder and at the witness of this
    machine's configuration with the log. Heads that do not agree, or that are gone from the folder, are wrong (1).
    """
    from time import perf_counter

    from cardroom.cli.shared.files import read_heads_file
    from cardroom.cli.shared.ledger_access import database_url, explain_unavailable, open_database
    from cardroom.cli.shared.ledger_output import (
        add_time_zone,
        check_heads_document,
        combine_outputs,
        find_calendar,
        find_exported_heads,
        format_exported_heads,
    )
    from cardroom.ledger import system_clock
    from cardroom.service import verify as verify_floor
    from cardroom.service.verification.report import describe_contradictions

    url = database_url(database)
    document = read_heads_file(heads) if heads is not None else None
    with explain_unavailable("Nothing was changed."):
        with open_database(url) as ledger:
            typer.echo(f"Replaying {ledger.store.address} …", err=True)
            calendar, exported_heads = find_calendar(ledger), find_exported_heads(ledger)
            file_check = None if document is None else check_heads_document(ledger, document, calendar)
        start_time = perf_counter()
        report, seconds = verify_floor(url), perf_counter() - start_time
    contradictions = [str(file_check.page)] if file_check is not None and not file_check.is_success else []
    output = _format_verification(report, seconds, [*contradictions, *describe_contradictions(exported_heads)])
    if file_check is not None:
        output = combine_outputs(output, "heads", file_check if file_check.is_success else replace(file_check, page=""))
    output = combine_outputs(output, "outside", format_exported_heads(exported_heads, system_clock(), calendar))
    if document is not None or exported_heads.time is not None:
        output = add_time_zone(output, calendar)
    output.print(as_json)


def _format_verification(
    report: VerificationReport, seconds: float, contradictions: Sequence[str] = ()
) -> CommandOutput:
    from cardroom.service.verification.report import describe_verification, verification_report_to_json

    return CommandOutput(
        verification_report_to_json(report, seconds),
        describe_verification(report, seconds, contradictions),
        report.is_consistent,
    )


@declare_query(
    app,
    "backup /backups/2026-03-02.db",
    "backup /backups/2026-03-02.db --database postgresql://books@db/cardroom",
)
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file; none is ever overwritten.")],
) -> CommandQuery:
    """Copy the books into one file while the card room plays on; the copy is checked before it gets its name.

    The file is itself a SQLite ledger, whatever database it comes from: `cardroom verify --database sqlite:///FILE`.
    """
    from cardroom.errors import BadInput
    from cardroom.ledger.types import report_to_json
    from cardroom.service import create_backup as make_backup
    from cardroom.service.verification.report import describe_ledger_size

    def read(card_room: CardRoom) -> CommandOutput:
        try:
            report = make_backup(card_room.ledger, file)
        except OSError as fault:
            raise BadInput(f"{file} could not be written: {fault.strerror or fault}.") from None
        return CommandOutput({"file": file, **report_to_json(report)}, f"{file}: {describe_ledger_size(report)}.")

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
    by: ByLogin = None,
    second: SecondLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Copy a backup into an empty database, renew the key of every table, and verify everything there.

    A backup does not know what happened after it was made. Every table gets a new sealed key, a round in progress is
    void and its wagers are returned, and all sessions end. Two people of the backup's own books restore it, with the
    passwords that they had then. First they are shown every user and device in the backup; they confirm that each may
    still have access with the code below the list. A backup in which nobody could sign in yet needs nobody.

    A password may have been changed since because it leaked, so no password or PIN of the backup is accepted any more:
    both people choose new ones now (for scripts: CARDROOM_NEW_PASSWORD and CARDROOM_SECOND_NEW_PASSWORD), and recover
    the others (`cardroom user recover`). Nor is any device token of the backup: the command lists the devices to
    renew (`cardroom device renew`). With --old, users whose password and PIN are the same there keep them, and devices
    whose token is the same there keep it.

    A restore that is interrupted leaves a database that no command opens: delete it, and restore again into an empty
    one.
    """
    from time import perf_counter

    from cardroom.cli.shared.authentication import (
        authenticate_restorers,
        choose_new_passwords,
        record_sign_in,
        sign_in_place,
    )
    from cardroom.cli.shared.ledger_access import explain_unavailable, new_database_url, open_database
    from cardroom.ledger import open_backup
    from cardroom.service import CardRoom
    from cardroom.service.backup import (
        MACHINE_OPERATORS,
        RestorePasswords,
        compare_access_lists,
        find_unchanged_devices,
        find_unchanged_passwords,
        read_access_list,
    )
    from cardroom.service.backup import restore_backup as restore_floor

    start_time = perf_counter()
    with explain_unavailable("Nothing was restored."):
        users, url = authenticate_restorers(file, by, second), new_database_url(database)
        with open_backup(file) as ledger:
            access = read_access_list(ledger)
        unchanged_users: Collection[str] = ()
        devices_to_keep: Collection[str] = ()
        if old is not None:
            with open_database(old) as ledger:
                old_access = read_access_list(ledger)
            unchanged_users, devices_to_keep = (
                find_unchanged_passwords(old_access, access),
                find_unchanged_devices(old_access, access),
            )
            access = compare_access_lists(old_access, access)
        if access.code and confirm.strip().casefold() != access.code:
            _request_confirmation(access, old is not None, as_json)
        if users is None:
            restored = restore_floor(file, url, MACHINE_OPERATORS, key, keep_devices=devices_to_keep)
        else:
            new_users = choose_new_passwords(users, unchanged_users)
            passwords = {new_users.login: new_users.password, new_users.second: new_users.second_password}
            new_passwords = {login: password for login, password in passwords.items() if login not in unchanged_users}
            typed_passwords = RestorePasswords(users.second_password, new_passwords, sign_in_place())
            restored = restore_floor(
                file, url, (users.login, users.second), key, typed_passwords, unchanged_users, devices_to_keep
            )
            with open_database(url) as ledger:
                record_sign_in(CardRoom(ledger), new_users)
        output = _format_verification(restored.report, perf_counter() - start_time)
    restored_by = [users.login, users.second] if users else []
    renewal = restored.renewed._asdict()
    page = f"{output.page}\n{describe_renewal(restored.renewed)}"
    data = {"file": file, "restored_by": restored_by, **output.data, "renewed": renewal}
    replace(output, data=data, page=page).print(as_json)


def _request_confirmation(access: AccessList, is_compared: bool, as_json: bool) -> None:
    """Show who and what has access in a backup, and stop: two people look at each line first."""
    from datetime import UTC, datetime

    newest_time = datetime.fromtimestamp(access.last / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    data = {
        "confirm": access.code,
        "users": access.users,
        "devices": access.devices,
        "last": access.last,
        "changed": list(access.changed),
    }
    lines = [f"The newest event in this backup is of {newest_time}. Users in it:"]
    lines += [f"  {item}" for item in access.users] or ["  none"]
    lines += ["Devices in it:", *([f"  {item}" for item in access.devices] or ["  none"])]
    if is_compared:
        lines += ["Changed since the backup:", *([f"  {item}" for item in access.changed] or ["  nothing"])]
        lines += ["Users whose password or PIN is not the same now need a new password after the restore."]
        lines += ["Devices whose token is not the same now need a new one."] if access.devices else []
    else:
        lines += ["Without --old, every user in it needs a new password after the restore."]
        lines += ["Every device in it needs a new token, too."] if access.devices else []
    CommandOutput(data, "\n".join(lines)).print(as_json)
    typer.echo(
        "Nothing was restored. Changes after the backup are not in it: both of you check that each user and device may "
        f"still have access, and restore with --confirm {access.code}. Deactivate the others right afterward.",
        err=True,
    )
    raise typer.Exit(ExitCode.BAD_INPUT)


def describe_renewal(renewal: KeyRenewal) -> str:
    """What got a new key, and what people have to do now."""
    tables, sessions = len(renewal.tables), renewal.sessions
    text = (
        f"{tables:,} table{'s have' if tables != 1 else ' has'} a new sealed key, and {sessions:,} "
        f"session{'s' * (sessions != 1)} ended."
    )
    if renewal.devices:
        text += f" Renew these devices, whose tokens are not accepted any more: {', '.join(renewal.devices)}."
    if renewal.users:
        text += f" Recover these users, whose passwords are not accepted any more: {', '.join(renewal.users)}."
    return text
