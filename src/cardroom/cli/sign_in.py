"""`cardroom sign-in`, `cardroom sign-out` and `cardroom whoami`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import Database, JsonOfBooks, examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardroom.floor import Floor

app = typer.Typer(rich_markup_mode="markdown")


@contextmanager
def _books(database: str | None) -> Iterator[Floor]:
    from cardroom.cli.shared.office import address, opened, unavailable
    from cardroom.cli.shared.signing import nobody_yet
    from cardroom.floor import Floor

    with unavailable("Try again."), opened(address(database)) as ledger:
        floor = Floor(ledger)
        if not floor.has_people():
            raise nobody_yet(floor)
        yield floor


@app.command(
    "sign-in",
    epilog=examples(
        "sign-in rosa",
        "sign-in rosa --token (prints a token for CARDROOM_SESSION, and keeps nothing here)",
    ),
)
def sign_in(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="Your login.", show_default=False)],
    token: Annotated[
        bool, typer.Option("--token", help="Print the session's token for a script, instead of keeping it here.")
    ] = False,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Sign in for the commands that follow. The password is typed unseen, or stands in CARDROOM_PASSWORD.

    Three wrong passwords in a row lock the login here, and nowhere else. A session of the staff lasts twelve hours.
    """
    from cardroom.cli.shared import passwords, signed_here
    from cardroom.cli.shared.signing import here
    from cardroom.floor.person_entries import session_entry
    from cardroom.terminal.pages.users import session_text

    with _books(database) as floor:
        began = floor.sign_in(login, passwords.ask(f"Password of {login}", passwords.PASSWORD), here())
        if token:
            answer = Answer({**session_entry(began.session), "token": began.token}, began.token)
        else:
            _end_the_one_before(floor)
            signed_here.remember(floor.ledger, began.token)
            answer = Answer(session_entry(began.session), session_text(began.session, floor.calendar))
    answer.tell(as_json)


def _end_the_one_before(floor: Floor) -> None:
    """One person at a time is signed in here: a session whose token would be lost is ended."""
    from cardroom.cli.shared import signed_here

    before = signed_here.token_here(floor.ledger)
    session = floor.session_of(before) if before else None
    if session is not None:
        floor.end_session(session)


@app.command("sign-out", epilog=examples("sign-out"))
def sign_out(database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Sign out: the session that began here ends."""
    from cardroom.cli.shared import signed_here
    from cardroom.cli.shared.signing import session_here

    with _books(database) as floor:
        session = session_here(floor)
        signed_here.forget(floor.ledger)
        if session is not None:
            floor.end_session(session)
    told = f"{session.login} is signed out." if session else "Nobody was signed in here."
    Answer({"login": session.login if session else None}, told).tell(as_json)


@app.command(epilog=examples("whoami", "whoami --json"))
def whoami(database: Database = None, as_json: JsonOfBooks = False) -> None:
    """Tell who is signed in here, and until when. Exit code 1: nobody is."""
    from cardroom.cli.shared.signing import session_here
    from cardroom.floor.person_entries import session_entry
    from cardroom.terminal.pages.users import session_text

    with _books(database) as floor:
        session = session_here(floor)
        if session is None:
            answer = Answer({"login": None}, "Nobody is signed in here: `cardroom sign-in LOGIN`.", holds=False)
        else:
            answer = Answer(session_entry(session), session_text(session, floor.calendar))
    answer.tell(as_json)
