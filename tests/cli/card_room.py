"""A card room that is run through the command line, by people who have signed in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import typer.testing
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.cli.shared.command_permissions import COMMAND_PERMISSIONS
from cardroom.ledger import open_ledger
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role, has_permission
from cardroom.service import CardRoom
from tests.service.staff import LOGINS, hire, new_password_of, open_staff, password_of, signed_in

# A tree of a hundred commands takes ten times as long to build as one of them to run.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]

VARIABLES = (
    "DATABASE",
    "PERSON",
    "SESSION",
    "PASSWORD",
    "SECOND_PASSWORD",
    "SURVEILLANCE_PASSWORD",
    "NEW_PASSWORD",
    "SECOND_NEW_PASSWORD",
    "NEW_PIN",
)
EVERY_VARIABLE = {**{f"CARDROOM_{name}": None for name in VARIABLES}, "COLUMNS": "100"}
MORE_STAFF = {"rosa": Role.OPERATOR, "lee": Role.SUPERVISOR, "kim": Role.DEALER}
"""People of the guides, beside one of each role."""
ON_DUTY = ("rosa", "lee", "kim", "carl", "vera")
"""Who does things where no user is named: the first of them whose role does that."""


_ROLES = {**{login: role for role, login in LOGINS.items()}, **MORE_STAFF}


def staffed(url: str) -> dict[str, str]:
    """Books with people of every role; the tokens of their sessions."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        open_staff(card_room)
        for login, role in MORE_STAFF.items():
            hire(card_room, login, role)
        return {login: signed_in(card_room, login) for login in (*LOGINS.values(), *MORE_STAFF)}


@dataclass(frozen=True)
class House:
    """Commands on one database; the files of the office lie in a folder."""

    database: str
    folder: Path
    sessions: Mapping[str, str] = field(default_factory=dict)
    """Tokens by login; no user can sign in where there are none."""
    beginning: Path | None = None
    """The books as they were when nothing had happened yet but that people were registered."""

    def run(self, *arguments: str, typed: str | None = None, **variables: str) -> Result:
        """Give a command as the person who is named with ``--by``, whose session a script was given; a second person
        types the password."""
        environment = EVERY_VARIABLE | {"CARDROOM_DATABASE": self.database} | self._people(arguments, variables)
        environment |= {"XDG_STATE_HOME": str(self.folder / "state")} | variables
        return CliRunner().invoke(app, arguments, input=typed, env=environment)

    def _people(self, arguments: Sequence[str], variables: Mapping[str, str]) -> dict[str, str]:
        by = _after("--by", arguments) or variables.get("CARDROOM_USER") or on_duty(arguments)
        second = _after("--second", arguments)
        signed = {"CARDROOM_SESSION": self.sessions[by]} if by in self.sessions else {}
        if (arguments[0] == "restore" or arguments[:2] == ("key", "replace")) and by in self.sessions:
            # No session can begin in books to come, nor in those whose key is lost.
            signed = {"CARDROOM_PASSWORD": password_of(by), "CARDROOM_NEW_PASSWORD": new_password_of(by)}
            signed |= {"CARDROOM_SECOND_NEW_PASSWORD": new_password_of(second)} if second else {}
        watcher = _after("--surveillance", arguments)
        signed |= {"CARDROOM_SURVEILLANCE_PASSWORD": password_of(watcher)} if watcher else {}
        return signed | ({"CARDROOM_SECOND_PASSWORD": password_of(second)} if second else {})

    def begin_again(self) -> None:
        """Other books in the place of the first ones, with the same people."""
        assert self.beginning is not None
        shutil.copy(self.beginning, self.folder / "books.db")

    def books(self, database: str) -> House:
        """The same people at other books, which are a copy of these."""
        return House(database, self.folder, self.sessions, self.beginning)

    def signed_in_again(self, *logins: str) -> House:
        """The same people, who have signed in to books that were restored."""
        with open_ledger(self.database) as ledger:
            card_room = CardRoom(ledger)
            sessions = {login: signed_in(card_room, login) for login in logins or self.sessions}
        return House(self.database, self.folder, {**self.sessions, **sessions}, self.beginning)

    def said(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> str:
        """What a command prints for people."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == exit_code, result.output
        return result.stdout

    def read_json(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> Any:
        """What a command prints for programs."""
        return json.loads(self.said(*arguments, "--json", typed=typed, exit_code=exit_code))

    def refused(self, *arguments: str, typed: str | None = None) -> str:
        """The sentence of a command that was refused."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == 2, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        return result.stderr.strip()

    def execute(self, *arguments: str, by: str | None = None, exit_code: int = 0) -> Any:
        """Run a command that changes something, with a second person where the command needs one."""
        named = ("--by", by) if by else ()
        beside = () if "--second" in arguments else with_second(*arguments, by=by)
        return self.read_json(*arguments, *named, *beside, exit_code=exit_code)

    def open(self, game: str = "three-card-prime", **changes: str) -> None:
        """Open the jackpot and the table of the example; texts in them may be exchanged."""
        for part, command in (("jackpot", "jackpot"), ("table", "tabulator")):
            text = self.said("jackpot", "print-example", game, part)
            for old, new in changes.items():
                text = text.replace(old.replace("_", "-"), new)
            file = self.folder / f"{part}.toml"
            file.write_text(text)
            self.execute(command, "add", str(file))

    def report(self, number: str, of: str = "final-four") -> None:
        """Open a report of a malfunction."""
        with open_ledger(self.database) as ledger:
            CardRoom(ledger).report_malfunction(
                f"report {number}", "rosa", number, of, found_at="00:00", why="It stuck"
            )

    def meter(self, jackpot: str = "final-four") -> Any:
        """The only meter of a jackpot."""
        (meter,) = self.read_json("jackpot", "show", jackpot)["meters"]
        return meter

    def heads(self) -> dict[str, Any]:
        """Where every chain ends, apart from those of people: who signs is written there, also for what is refused."""
        payload = self.read_json("heads", "print")["heads"]
        return {one["chain"]: one for one in payload if not one["chain"].startswith("user:")}

    def events(self) -> int:
        """How many events the books hold, all of them whole."""
        found = self.read_json("verify")
        assert found["whole"]
        return int(found["events"])


def right(arguments: Sequence[str]) -> Permission:
    """What a command asks for at its door."""
    names = (" ".join(arguments[:words]) for words in (3, 2, 1))
    return next((COMMAND_PERMISSIONS[name] for name in names if name in COMMAND_PERMISSIONS), Permission.WATCH)


def on_duty(arguments: Sequence[str]) -> str:
    """Who gives a command where no user is named."""
    wanted = right(arguments)
    return next((login for login in ON_DUTY if has_permission(_ROLES[login], wanted)), ON_DUTY[0])


def with_second(*arguments: str, by: str | None = None) -> tuple[str, ...]:
    """The option that names the second person, for a command that no user may give alone."""
    allowed = PERMISSIONS[right(arguments)]
    others = [
        login
        for login in ON_DUTY[1:]
        if login != (by or on_duty(arguments)) and _ROLES[login] in allowed.countersigners
    ]
    return ("--second", others[0]) if allowed.always_needs_two else ()


def _after(option: str, arguments: Sequence[str]) -> str | None:
    """What was given with an option."""
    return arguments[arguments.index(option) + 1] if option in arguments[:-1] else None
