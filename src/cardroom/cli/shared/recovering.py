"""Two people at the machine recover an operator who has lost the only password.

This is the one place where possession of the machine is enough: no one can sign in. So the names of two people, a
sentence, and the account of the machine stay in the books for good.
"""

from __future__ import annotations

import uuid

import typer

from cardroom.cli.shared.signing import account_here
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.people import Registered
from cardroom.jackpots.people import different, named


class NotConfirmed(BadInput):
    """A name that was typed in two ways, or a sentence that was not typed."""


def sentence_of(login: str) -> str:
    """What has to be typed."""
    return f"We recover {login} without a password."


def recover_at_machine(floor: Floor, login: str) -> Registered:
    """Ask for two people and their confirmation, and recover the operator."""
    floor.person(login)
    first = _name("Name of the first person at this machine")
    second = _name("Name of the second person at this machine")
    different(first, second, f"Two people recover an operator: {second} cannot be the second one beside {first}.")
    wanted = sentence_of(login)
    typer.echo(
        "Every session of the operator ends. The record stays for good, with both names, and the office shows it.\n"
        f"Type this sentence to go on: {wanted}",
        err=True,
    )
    if _typed("Sentence") != wanted:
        raise NotConfirmed(f"The sentence was not typed: nothing was changed. It is: {wanted}")
    return floor.recover_operator(str(uuid.uuid4()), login, first, second, account_here())


def _name(what: str) -> str:
    name = named(_typed(what), "name")
    if named(_typed(f"{what}, once more"), "name") != name:
        raise NotConfirmed("The name was typed in two ways: nothing was changed. Start again.")
    return name


def _typed(what: str) -> str:
    try:
        return str(typer.prompt(what, err=True)).strip()
    except typer.Abort:
        raise NotConfirmed(f"{what} is missing: nothing was changed.") from None
