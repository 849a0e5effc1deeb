"""Where a command meets the books: which database, who, under which id; and what is said when it cannot be done now."""

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

from cardroom.cli.shared.answers import Answer, ExitCode
from cardroom.cli.shared.doors import right_of
from cardroom.cli.shared.signing import confirmed_by, looking_on, refuse_alone, sign_beside, signed_in
from cardroom.cli.shared.this_command import whole_name
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.signatures import Sign
from cardroom.floor.people.permissions import Right
from cardroom.floor.people.signing import Session
from cardroom.folders import data_folder
from cardroom.ledger import BadCommandOutcome, ClockJumped, Ledger, LedgerDamaged, LedgerUnavailable, open_ledger
from cardroom.ledger.errors import EmptyDatabase
from cardroom.ledger.schema import VERSION
from cardroom.private_files import create_private_folder
from cardroom.terminal.console import QUIET

FILE: Final = "cardroom.db"
PATIENCE: Final = 10.0
"""Seconds to wait for another program that holds the database."""


class NoBooks(BadInput):
    """There is nothing yet to look at or to work on."""


class NotNow(BadInput):
    """The database cannot take or tell anything at the moment."""


class CannotBeKept(BadInput):
    """Something that the books cannot hold: too large, too long, or no text at all."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Somebody who sends one command."""

    floor: Floor
    context: typer.Context
    id: str
    session: Session
    repeated: bool
    """Whether a command with this id was carried out before."""

    @property
    def who(self) -> str:
        """The login that the books name."""
        return self.session.login

    def beside(self, second: str | None, also: Right | None = None) -> Sign:
        """How other people sign, where there have to be some or some are named. ``also`` is what is asked besides the
        right at the command's door, for what was typed."""
        if also is not None:
            self.floor.refuse_role(self.session, also)
        right = also or right_of(whole_name(self.context))
        refuse_alone(self.who, right, second)
        return lambda to_sign: sign_beside(self.floor, to_sign, right)

    def tell(self, answer: Answer, as_json: bool) -> None:
        """Print the answer and the command's id."""
        again = ": it was carried out before, this is its answer of then, and nothing was changed" * self.repeated
        named = Text(f"Command {self.id}{again}.", QUIET)
        entry = {"id": self.id, "repeated": self.repeated, **answer.entry}
        replace(answer, entry=entry, page=Group(answer.page, named)).tell(as_json)


@contextmanager
def sending(context: typer.Context, database: str | None, by: str | None, id: str | None) -> Iterator[Sender]:
    """Open the books for one command, which somebody gives who may."""
    chosen = id or str(uuid.uuid4())
    again = f"Sent again with --id {chosen}, it is done once, whatever became of it."
    with unavailable(again), opened(address(database)) as ledger:
        floor = Floor(ledger)
        with signed_in(floor, by, right_of(whole_name(context))) as session:
            repeated = id is not None and floor.carried(session.login, id) is not None
            yield Sender(floor, context, chosen, session, repeated)


@contextmanager
def looking(context: typer.Context, database: str | None, by: str | None) -> Iterator[Floor]:
    """Open the books to read them, for somebody who may."""
    with unavailable("Try again."), opened(address(database)) as ledger:
        floor = Floor(ledger)
        with looking_on(floor, by, right_of(whole_name(context))):
            yield floor


@contextmanager
def acting(context: typer.Context, database: str | None, by: str | None) -> Iterator[tuple[Floor, Session]]:
    """Open the books for what people do with their own logins, also before they have chosen a password."""
    with unavailable("Try again."), opened(address(database)) as ledger:
        floor = Floor(ledger)
        with signed_in(floor, by, right_of(whole_name(context)), choosing=True) as session:
            yield floor, session


@contextmanager
def confirming(context: typer.Context, database: str | None, by: str | None) -> Iterator[tuple[Floor, str]]:
    """Open the books for the one command that a clock in doubt does not refuse. A sign-in would be stored under that
    clock, so the password is compared and nothing is written down. Books without people ask for nobody."""
    with unavailable("Try again."), opened(address(database)) as ledger:
        floor = Floor(ledger)
        yield floor, confirmed_by(floor, by, right_of(whole_name(context)))


@contextmanager
def unavailable(what_now: str) -> Iterator[None]:
    """Say in a sentence that the database is locked, away or full, that it is damaged, or that it cannot hold this."""
    try:
        yield
    except BadCommandOutcome as fault:
        raise CannotBeKept(f"{fault} Nothing was stored.") from None
    except ClockJumped as fault:
        raise NotNow(f"{fault} Confirm it: cardroom room confirm-clock.") from None
    except LedgerUnavailable as fault:
        where = f" ({fault.detail})" if fault.detail else ""
        raise NotNow(f"{fault} {what_now}{where}") from None
    except LedgerDamaged as fault:
        typer.echo(f"{fault} Verify the books: cardroom verify.", err=True)
        raise typer.Exit(ExitCode.ANSWER_IS_NO) from None


@contextmanager
def opened(url: str, *, may_begin: bool = False) -> Iterator[Ledger]:
    """The ledger at an address. A new one is announced; where none may begin, a missing one is refused."""
    file = sqlite_file(url)
    begins = file is not None and not file.exists()
    if begins and not may_begin:
        raise _no_books(url)
    with _open(url, may_begin=may_begin) as ledger:
        if begins and file is not None:
            typer.echo(f"New books: {file.absolute()}", err=True)
        if ledger.store.migrated_from is not None:
            was, address = ledger.store.migrated_from, ledger.store.address
            typer.echo(f"{address}: tables of version {was}, brought up to {VERSION} now.", err=True)
        yield ledger


def _open(url: str, *, may_begin: bool) -> Ledger:
    try:
        return open_ledger(url, lock_timeout=PATIENCE, may_create=may_begin)
    except EmptyDatabase:
        raise _no_books(url) from None


def _no_books(url: str) -> NoBooks:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        shown = make_url(url).render_as_string(hide_password=True)
    except (ArgumentError, ValueError):
        shown = url
    return NoBooks(
        f"There are no books at {shown} yet: `cardroom people first` begins them, or name others with --database."
    )


def address(database: str | None) -> str:
    """The address that was given, or a file in the user's data folder."""
    return database or f"sqlite:///{_folder() / FILE}"


def new_address(database: str | None) -> str:
    """The same, for books that may begin now: the folder is made if need be."""
    if not database:
        try:
            create_private_folder(_folder())
        except OSError as fault:
            raise NoBooks(f"{_folder()} cannot be made ({fault.strerror}): name the books with --database.") from None
    return address(database)


def _folder() -> Path:
    return data_folder()


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite ledger; None for other databases and for what is no address."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parts = make_url(url)
    except (ArgumentError, ValueError):
        return None
    return Path(parts.database) if parts.get_backend_name() == "sqlite" and parts.database else None
