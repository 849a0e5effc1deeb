"""A card room that signed-in users run from the command line."""

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
"""Users that the guides name, in addition to one user of each role."""
ON_DUTY = ("rosa", "lee", "kim", "carl", "vera")
"""The users who give a command that names no user: the first one with the permission gives it."""
_ROLES = {**{login: role for role, login in LOGINS.items()}, **MORE_STAFF}


def add_staff(url: str) -> dict[str, str]:
    """Add users of every role to a ledger, and return the tokens of their sessions by login."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        open_staff(card_room)
        for login, role in MORE_STAFF.items():
            hire(card_room, login, role)
        return {login: signed_in(card_room, login) for login in (*LOGINS.values(), *MORE_STAFF)}


@dataclass(frozen=True)
class CliRoom:
    """Commands on one database, and a folder for the operator's files."""

    database: str
    folder: Path
    sessions: Mapping[str, str] = field(default_factory=dict)
    """Session tokens by login. Without them, no user can sign in."""
    initial_ledger: Path | None = None
    """A copy of the ledger that has users and no other events."""

    def run(self, *arguments: str, typed: str | None = None, **variables: str) -> Result:
        """Run a command in the session of the user in ``--by``; the second user's password is in the environment."""
        environment = EVERY_VARIABLE | {"CARDROOM_DATABASE": self.database} | self._sign(arguments, variables)
        environment |= {"XDG_STATE_HOME": str(self.folder / "state")} | variables
        return CliRunner().invoke(app, arguments, input=typed, env=environment)

    def _sign(self, arguments: Sequence[str], variables: Mapping[str, str]) -> dict[str, str]:
        by = _find_option("--by", arguments) or variables.get("CARDROOM_USER") or find_user_on_duty(arguments)
        second = _find_option("--second", arguments)
        variables_of_users = {"CARDROOM_SESSION": self.sessions[by]} if by in self.sessions else {}
        if (arguments[0] == "restore" or arguments[:2] == ("key", "replace")) and by in self.sessions:
            # Without a restored ledger or without the room's key, there is no session to use.
            variables_of_users = {"CARDROOM_PASSWORD": password_of(by), "CARDROOM_NEW_PASSWORD": new_password_of(by)}
            variables_of_users |= {"CARDROOM_SECOND_NEW_PASSWORD": new_password_of(second)} if second else {}
        watcher = _find_option("--surveillance", arguments)
        variables_of_users |= {"CARDROOM_SURVEILLANCE_PASSWORD": password_of(watcher)} if watcher else {}
        return variables_of_users | ({"CARDROOM_SECOND_PASSWORD": password_of(second)} if second else {})

    def reset(self) -> None:
        """Replace the ledger by one that has the same users and no other events."""
        assert self.initial_ledger is not None
        shutil.copy(self.initial_ledger, self.folder / "ledger.db")

    def with_database(self, database: str) -> CliRoom:
        """Return the same card room with another database, which is a copy of this one."""
        return CliRoom(database, self.folder, self.sessions, self.initial_ledger)

    def sign_in_again(self, *logins: str) -> CliRoom:
        """Return the same card room after users signed in again, as they must after a restore."""
        with open_ledger(self.database) as ledger:
            card_room = CardRoom(ledger)
            sessions = {login: signed_in(card_room, login) for login in logins or self.sessions}
        return CliRoom(self.database, self.folder, {**self.sessions, **sessions}, self.initial_ledger)

    def read_output(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> str:
        """Run a command, and return what it prints for people."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == exit_code, result.output
        return result.stdout

    def read_json(self, *arguments: str, typed: str | None = None, exit_code: int = 0) -> Any:
        """Run a command, and return the JSON that it prints for programs."""
        return json.loads(self.read_output(*arguments, "--json", typed=typed, exit_code=exit_code))

    def read_refusal(self, *arguments: str, typed: str | None = None) -> str:
        """Run a command that is refused, and return its sentence."""
        result = self.run(*arguments, typed=typed)
        assert result.exit_code == 2, result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        return result.stderr.strip()

    def execute(self, *arguments: str, by: str | None = None, exit_code: int = 0) -> Any:
        """Run a command that changes something, with a second user where the command needs one."""
        named = ("--by", by) if by else ()
        beside = () if "--second" in arguments else name_second_user(*arguments, by=by)
        return self.read_json(*arguments, *named, *beside, exit_code=exit_code)

    def open(self, game: str = "three-card-prime", **changes: str) -> None:
        """Add the example's jackpot and table; each change replaces a text in their files."""
        for part in ("jackpot", "table"):
            text = self.read_output("jackpot", "print-example", game, part)
            for old, new in changes.items():
                text = text.replace(old.replace("_", "-"), new)
            file = self.folder / f"{part}.toml"
            file.write_text(text)
            self.execute(part, "add", str(file))

    def report_malfunction(self, number: str, of: str = "final-four") -> None:
        """Report a malfunction."""
        with open_ledger(self.database) as ledger:
            CardRoom(ledger).malfunctions.report(
                f"report {number}", "rosa", number, of, found_at="00:00", why="It stuck"
            )

    def read_meter(self, jackpot: str = "final-four") -> Any:
        """Return the only meter of a jackpot."""
        (meter,) = self.read_json("jackpot", "show", jackpot)["meters"]
        return meter

    def read_heads(self) -> dict[str, Any]:
        """Return the head of every chain, except the users' chains, which also record refused signatures."""
        payload = self.read_json("heads", "print")["heads"]
        return {head["chain"]: head for head in payload if not head["chain"].startswith("user:")}

    def count_events(self) -> int:
        """Verify the ledger, and return the number of its events."""
        verification = self.read_json("verify")
        assert verification["whole"]
        return int(verification["events"])


def find_permission(arguments: Sequence[str]) -> Permission:
    """Return the permission that a command needs."""
    names = (" ".join(arguments[:words]) for words in (3, 2, 1))
    return next((COMMAND_PERMISSIONS[name] for name in names if name in COMMAND_PERMISSIONS), Permission.WATCH)


def find_user_on_duty(arguments: Sequence[str]) -> str:
    """Return the user who gives a command that names no user."""
    wanted = find_permission(arguments)
    return next((login for login in ON_DUTY if has_permission(_ROLES[login], wanted)), ON_DUTY[0])


def name_second_user(*arguments: str, by: str | None = None) -> tuple[str, ...]:
    """Return the option with the second user, for a command that no user may give alone."""
    allowed = PERMISSIONS[find_permission(arguments)]
    others = [
        login
        for login in ON_DUTY[1:]
        if login != (by or find_user_on_duty(arguments)) and _ROLES[login] in allowed.countersigners
    ]
    return ("--second", others[0]) if allowed.always_needs_two else ()


def _find_option(option: str, arguments: Sequence[str]) -> str | None:
    """Return the value of an option."""
    return arguments[arguments.index(option) + 1] if option in arguments[:-1] else None
