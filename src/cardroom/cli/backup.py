"""`cardroom verify`, `cardroom backup`, and `cardroom restore`."""

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
HeadsFileOption = Annotated[str | None, typer.Option(metavar="FILE", help="Also check this file of exported heads.")]

ListOption = Annotated[
    bool, typer.Option("--list", help="List what must be true, each with its name, and verify nothing.")
]


@app.command(
    epilog=examples(
        "verify",
        "verify --database postgresql://books@db/cardroom --json",
        "verify --heads heads-2026-03-02.json",
        "verify --list",
    )
)
def verify(
    heads: HeadsFileOption = None,
    invariants: ListOption = False,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Verify the database: replay all events and name the first error.

    It recomputes every hash, posting, meter, balance, and payout, and evaluates every claim by the rules of its game.
    Exit code 0: the ledger is consistent. 1: an error, which is named, with the invariant that does not hold.

    It also compares the signed heads with the chains, and the exported heads in the configured folder and at the
    witness with the log of heads. Heads that differ or that are missing from the folder are errors (1).
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
    from cardroom.service import verify as verify_card_room
    from cardroom.service.verification.report import describe_contradictions

    if invariants:
        _list_invariants().print(as_json)
        return
    url = database_url(database)
    document = read_heads_file(heads) if heads is not None else None
    with explain_unavailable("Nothing was changed."):
        with open_database(url) as ledger:
            typer.echo(f"Replaying {ledger.store.address} …", err=True)
            calendar, exported_heads = find_calendar(ledger), find_exported_heads(ledger)
            file_check = None if document is None else check_heads_document(ledger, document, calendar)
        start_time = perf_counter()
        report, seconds = verify_card_room(url), perf_counter() - start_time
    contradictions = [str(file_check.page)] if file_check is not None and not file_check.is_success else []
    output = _format_verification(report, seconds, [*contradictions, *describe_contradictions(exported_heads)])
    if file_check is not None:
        output = combine_outputs(output, "heads", file_check if file_check.is_success else replace(file_check, page=""))
    output = combine_outputs(output, "outside", format_exported_heads(exported_heads, system_clock(), calendar))
    if document is not None or exported_heads.time is not None:
        output = add_time_zone(output, calendar)
    output.print(as_json)


def _list_invariants() -> CommandOutput:
    from cardroom.service.verification.invariants import INVARIANTS

    rows = [{"name": each.name, "between": each.between, "sentence": each.sentence} for each in INVARIANTS]
    return CommandOutput(rows, "\n\n".join(f"{row['name']} ({row['between']})\n  {row['sentence']}" for row in rows))


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
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file.")],
) -> CommandQuery:
    """Back up the database into one file while play continues. The copy is checked before it gets its name.

    The file is a SQLite ledger, whatever database it comes from: `cardroom verify --database sqlite:///FILE`.
    """
    from cardroom.errors import BadInput
    from cardroom.ledger.types import report_to_json
    from cardroom.service import create_backup as write_backup
    from cardroom.service.verification.report import describe_ledger_size

    def read(card_room: CardRoom) -> CommandOutput:
        try:
            report = write_backup(card_room.ledger, file)
        except OSError as fault:
            raise BadInput(f"{file} could not be written: {fault.strerror or fault}.") from None
        return CommandOutput({"file": file, **report_to_json(report)}, f"{file}: {describe_ledger_size(report)}.")

    return read


@app.command(
    epilog=examples(
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee (lists users and devices)",
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee --confirm 7f3a-91c2",
        "restore /backups/2026-03-02.db --database sqlite:///new.db --by rosa --second lee --old sqlite:///room.db",
        "restore monday.db --database postgresql://books@db/empty --by rosa --second lee --confirm 7f3a-91c2",
    )
)
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    confirm: Annotated[
        str,
        typer.Option(
            metavar="CODE", help="The code below the list of users and devices that both people have checked."
        ),
    ] = "",
    old: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The old database, if it is readable: lists changes since the backup."),
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The room's key, if it is not in its usual place on this machine."),
    ] = None,
    by: ByLogin = None,
    second: SecondLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Restore a backup into an empty database, renew the key of every table, and verify the result.

    Changes after the backup are not in it. All tables get new sealed keys, rounds in progress are void and their wagers
    are returned, and all sessions end. Two users of the backup restore it with their passwords at that time. The
    command first lists all users and devices in the backup; both people check that each may still have access, and
    confirm with the code below the list. A backup without users needs no sign-in.

    Passwords, PINs, and device tokens of the backup stop working, because some may have been replaced since. Both
    people choose new passwords now (in scripts: CARDROOM_NEW_PASSWORD and CARDROOM_SECOND_NEW_PASSWORD), recover the
    other users (`cardroom user recover`), and renew the listed devices (`cardroom device renew`). With --old,
    passwords, PINs, and tokens that are unchanged in the old database stay valid.

    An interrupted restore leaves a database that no command opens: delete it, and restore into an empty one.
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
    from cardroom.service.backup import restore_backup as restore_from_backup

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
            restored = restore_from_backup(file, url, MACHINE_OPERATORS, key, keep_devices=devices_to_keep)
        else:
            new_users = choose_new_passwords(users, unchanged_users)
            passwords = {new_users.login: new_users.password, new_users.second: new_users.second_password}
            new_passwords = {login: password for login, password in passwords.items() if login not in unchanged_users}
            typed_passwords = RestorePasswords(users.second_password, new_passwords, sign_in_place())
            restored = restore_from_backup(
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
    """List the users and devices in a backup, and stop: two people check each line first."""
    from datetime import UTC, datetime

    newest_time = datetime.fromtimestamp(access.last / 1e6, UTC).strftime("%Y-%m-%d %H:%M UTC")
    data = {
        "confirm": access.code,
        "users": access.users,
        "devices": access.devices,
        "last": access.last,
        "changed": list(access.changed),
    }
    lines = [f"The newest event in this backup is from {newest_time}. Users in it:"]
    lines += [f"  {item}" for item in access.users] or ["  none"]
    lines += ["Devices in it:", *([f"  {item}" for item in access.devices] or ["  none"])]
    if is_compared:
        lines += ["Changed since the backup:", *([f"  {item}" for item in access.changed] or ["  nothing"])]
        lines += ["Users whose password or PIN has changed need a new password after the restore."]
        lines += ["Devices whose token has changed need a new one."] if access.devices else []
    else:
        lines += ["Without --old, all users need a new password after the restore."]
        lines += ["All devices need a new token."] if access.devices else []
    CommandOutput(data, "\n".join(lines)).print(as_json)
    typer.echo(
        "Nothing was restored yet. Both people: check that each user and device may still have access, and run the "
        f"command with --confirm {access.code}. Deactivate the others right afterward.",
        err=True,
    )
    raise typer.Exit(ExitCode.BAD_INPUT)


def describe_renewal(renewal: KeyRenewal) -> str:
    """The renewed keys and tokens, and what to do next."""
    tables, sessions = len(renewal.tables), renewal.sessions
    text = (
        f"{tables:,} table{'s have' if tables != 1 else ' has'} a new sealed key, and {sessions:,} "
        f"session{'s' * (sessions != 1)} ended."
    )
    if renewal.devices:
        text += f" Renew these devices, whose tokens stopped working: {', '.join(renewal.devices)}."
    if renewal.users:
        text += f" Recover these users, whose passwords stopped working: {', '.join(renewal.users)}."
    return text
