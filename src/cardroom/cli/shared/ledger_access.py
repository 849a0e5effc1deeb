"""Open the database for a command: its address, the user, the command id, and sentences for failures."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import typer
from rich.console import Group
from rich.text import Text

from cardroom.cli.shared.authentication import (
    confirm_login,
    countersign,
    open_reader_session,
    open_session,
    require_second,
)
from cardroom.cli.shared.command_permissions import command_name, permission_for
from cardroom.cli.shared.output import CommandOutput, ExitCode
from cardroom.errors import BadInput
from cardroom.folders import USER_FOLDERS
from cardroom.ledger import BadCommandOutcome, ClockJumped, Ledger, LedgerDamaged, LedgerUnavailable, open_ledger
from cardroom.ledger.errors import EmptyDatabase
from cardroom.ledger.schema import VERSION
from cardroom.private_files import create_private_folder
from cardroom.room.user.permissions import Permission
from cardroom.room.user.sign_in import UserSession
from cardroom.service import CardRoom
from cardroom.service.commands.second_signature import Signer
from cardroom.terminal.console import QUIET

DATABASE_FILE: Final = "cardroom.db"
LOCK_TIMEOUT: Final = 10.0
"""Seconds to wait for another program that holds the database."""


class DatabaseMissing(BadInput):
    """A database that does not exist yet."""


class DatabaseUnavailable(BadInput):
    """A database that is unreachable or locked."""


class NotStorable(BadInput):
    """A value that the database cannot store: too large, too long, or not text."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """One command of a user."""

    card_room: CardRoom
    context: typer.Context
    id: str
    session: UserSession
    is_repeat: bool
    """Whether a command with this id ran before."""

    @property
    def login(self) -> str:
        """The login that the ledger stores."""
        return self.session.login

    def signer_for(self, second: str | None, extra_permission: Permission | None = None) -> Signer:
        """The signer for second persons. ``extra_permission`` is needed for these arguments in addition to the
        command's permission."""
        if extra_permission is not None:
            self.card_room.users.require_permission(self.session, extra_permission)
        permission = extra_permission or permission_for(command_name(self.context))
        require_second(self.login, permission, second)
        return lambda to_sign: countersign(self.card_room, to_sign, permission)

    def print(self, output: CommandOutput, as_json: bool) -> None:
        """Print the output and the command's id."""
        repeat_note = " ran before: this is its result from then, and nothing was changed" * self.is_repeat
        id_line = Text(f"Command {self.id}{repeat_note}.", QUIET)
        data = {"id": self.id, "repeated": self.is_repeat, **output.data}
        replace(output, data=data, page=Group(output.page, id_line)).print(as_json)


@contextmanager
def open_for_action(
    context: typer.Context, database: str | None, login: str | None, command_id: str | None
) -> Iterator[CommandRequest]:
    """Open the database for one command of a user with permission."""
    chosen_id = command_id or str(uuid.uuid4())
    retry_note = f"Repeat it with --id {chosen_id}: it then runs only once."
    with explain_unavailable(retry_note), open_database(database_url(database)) as ledger:
        card_room = CardRoom(ledger)
        with open_session(card_room, login, permission_for(command_name(context))) as session:
            is_repeat = command_id is not None and card_room.find_command_result(session.login, command_id) is not None
            yield CommandRequest(card_room, context, chosen_id, session, is_repeat)


@contextmanager
def open_for_query(context: typer.Context, database: str | None, login: str | None) -> Iterator[CardRoom]:
    """Open the database for a query of a user with permission."""
    with explain_unavailable("Try again."), open_database(database_url(database)) as ledger:
        card_room = CardRoom(ledger)
        with open_reader_session(card_room, login, permission_for(command_name(context))):
            yield card_room


@contextmanager
def open_for_own_account(
    context: typer.Context, database: str | None, login: str | None
) -> Iterator[tuple[CardRoom, UserSession]]:
    """Open the database for a change of the user's own account, also with a one-time password."""
    with explain_unavailable("Try again."), open_database(database_url(database)) as ledger:
        card_room = CardRoom(ledger)
        with open_session(card_room, login, permission_for(command_name(context)), may_choose_password=True) as session:
            yield card_room, session


@contextmanager
def open_for_clock_check(
    context: typer.Context, database: str | None, login: str | None
) -> Iterator[tuple[CardRoom, str]]:
    """Open the database for the only command that a doubtful clock does not refuse. A sign-in would be stored with that
    clock, so the password is only compared. A database without users needs no sign-in."""
    with explain_unavailable("Try again."), open_database(database_url(database)) as ledger:
        card_room = CardRoom(ledger)
        yield card_room, confirm_login(card_room, login, permission_for(command_name(context)))


@contextmanager
def explain_unavailable(advice: str) -> Iterator[None]:
    """Turn failures of the database into sentences: locked, unreachable, full, damaged, or a value it cannot store."""
    try:
        yield
    except BadCommandOutcome as fault:
        raise NotStorable(f"{fault} Nothing was stored.") from None
    except ClockJumped as fault:
        raise DatabaseUnavailable(f"{fault} If it is right, confirm it: cardroom room confirm-clock.") from None
    except LedgerUnavailable as fault:
        detail = f" ({fault.detail})" if fault.detail else ""
        raise DatabaseUnavailable(f"{fault} {advice}{detail}") from None
    except LedgerDamaged as fault:
        typer.echo(f"{fault} Verify the database: cardroom verify.", err=True)
        raise typer.Exit(ExitCode.CHECK_FAILED) from None


@contextmanager
def open_database(url: str, *, may_create: bool = False) -> Iterator[Ledger]:
    """The ledger at an address. A new one is announced, or refused unless ``may_create``."""
    file = sqlite_file(url)
    is_new = file is not None and not file.exists()
    if is_new and not may_create:
        raise _database_missing(url)
    with _open_ledger(url, may_create=may_create) as ledger:
        if is_new and file is not None:
            typer.echo(f"New database: {file.absolute()}", err=True)
        if ledger.store.migrated_from is not None:
            old_version, address = ledger.store.migrated_from, ledger.store.address
            typer.echo(f"{address}: migrated from schema version {old_version} to {VERSION}.", err=True)
        yield ledger


def _open_ledger(url: str, *, may_create: bool) -> Ledger:
    try:
        return open_ledger(url, lock_timeout=LOCK_TIMEOUT, may_create=may_create)
    except EmptyDatabase:
        raise _database_missing(url) from None


def _database_missing(url: str) -> DatabaseMissing:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        shown_url = make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        shown_url = url
    return DatabaseMissing(
        f"There is no database at {shown_url} yet: create it with `cardroom init`, or name another with --database."
    )


def database_url(database: str | None) -> str:
    """The address of the option, or a file in the user's data folder."""
    return database or f"sqlite:///{USER_FOLDERS.user_data_path / DATABASE_FILE}"


def new_database_url(database: str | None) -> str:
    """The same for a database that may be new: creates the folder if necessary."""
    if not database:
        try:
            create_private_folder(USER_FOLDERS.user_data_path)
        except OSError as fault:
            raise DatabaseMissing(
                f"{USER_FOLDERS.user_data_path} cannot be created ({fault.strerror}): name a database with --database."
            ) from None
    return database_url(database)


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite ledger; None for other databases and invalid addresses."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        return None
    return Path(parts.database) if parts.get_backend_name() == "sqlite" and parts.database else None
