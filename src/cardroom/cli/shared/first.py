"""The first operator of a room: nothing has a default password, so somebody chooses one before anything else."""

from __future__ import annotations

import logging
import uuid
from typing import Final

import typer

from cardroom.cli.shared import passwords
from cardroom.cli.shared.signing import nobody_yet
from cardroom.floor import Floor

log: Final = logging.getLogger(__name__)


def register_first(floor: Floor, login: str, name: str, id: str | None = None) -> str:
    """Register the first operator, whose password is asked for."""
    password = passwords.choose(f"Password for {login}", passwords.PASSWORD)
    return floor.register_first_operator(id or str(uuid.uuid4()), login, name, password)


def ask_for_the_first(floor: Floor) -> None:
    """Before a room is opened: where nobody can sign in yet, ask at the terminal who is the first operator."""
    if floor.has_people():
        return
    if not passwords.at_a_terminal():
        raise nobody_yet(floor)
    typer.echo("Nobody can sign in to this room yet. Who is the first operator?", err=True)
    login = typer.prompt("Login, such as rosa", err=True)
    name = typer.prompt("Name", err=True)
    register_first(floor, login, name)
    typer.echo(f"{login} is the first operator and signs in with this password.", err=True)


def warn_of_one_operator(floor: Floor) -> None:
    """At each start, until there are two operators: one who forgets the password could be helped by no one."""
    if len(floor.operators()) >= 2:
        return
    log.warning(
        "Only one operator can sign in: register a second one now, with cardroom people register LOGIN --name NAME "
        "--role operator, or in the office under People."
    )
