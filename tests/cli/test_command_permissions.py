"""Every command for every role: `COMMAND_PERMISSIONS` decides who may run it, and a refused command changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from typer.main import get_command
from typer.testing import Result

from cardroom.cli.app import app
from cardroom.cli.shared.command_permissions import COMMAND_PERMISSIONS, UndeclaredCommand, permission_for
from cardroom.ledger import open_ledger
from cardroom.room.user.permissions import PERMISSIONS, Permission, Role, has_permission, permission_error
from tests.cli.card_room import CliRoom
from tests.service.staff import LOGINS, password_of

QUICK_ARGUMENTS: Final = {
    "settle": ("nowhere.json",),
    "play": ("no-such-game",),
    "odds": ("no-such-game",),
    "strategy": ("no-such-game",),
    "simulate": ("no-such-game",),
    "par": ("no-such-game",),
    "rng stream": ("--bytes", "none"),
    "rng test": ("--shuffles", "1"),
    "tablebase build": ("no/folder/for-it.counts",),
    "tablebase check": ("nowhere.counts",),
    "serve": ("--host", "no.such.host.invalid"),
    "witness serve": ("--folder", "witness", "--host", "no.such.host.invalid"),
    "device watch": ("--token", "x", "--server", "nowhere"),
    "restore": ("backup.db",),
}
"""Arguments with which a command ends quickly; the other commands get made-up arguments."""
BY_PASSWORD: Final = ("restore", "key replace")
"""Commands that run without a session, because the ledger is not restored yet or the room's key is lost."""
MADE_UP_VALUES: Final = {"counters": "1", "reason": "seed", "rounds": "1"}
"""Made-up values of options that are a number or a choice."""
ADDITIONAL_PERMISSIONS: Final = {
    "user add": Permission.KEEP_PEOPLE,
    "user recover": Permission.KEEP_PEOPLE,
    "user end-session": Permission.KEEP_PEOPLE,
    "tabulator read": Permission.ACCEPT_GAPS,
    "data-logger forward": Permission.ACCEPT_GAPS,
}
"""The additional permission that a command needs for some arguments."""


def walk_commands(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield every command of the tree with its full name."""
    if not hasattr(command, "list_commands"):
        yield " ".join(names), command
        return
    for name in command.list_commands(None):
        yield from walk_commands(command.get_command(None, name), (*names, name))


COMMANDS: Final = dict(walk_commands(get_command(app)))


def make_up_arguments(name: str) -> tuple[str, ...]:
    """Return a command with made-up values for its required parameters; the ledger has nothing with these names."""
    if name in QUICK_ARGUMENTS:
        return (*name.split(), *QUICK_ARGUMENTS[name])
    words: list[str] = name.split()
    for parameter in COMMANDS[name].params:
        if parameter.required:
            value = MADE_UP_VALUES.get(parameter.name, "x")
            words += [value] if parameter.param_type_name == "argument" else [parameter.opts[0], value]
    return tuple(words)


def list_options(name: str) -> set[str]:
    return {option for parameter in COMMANDS[name].params for option in parameter.opts}


def read_chain_lengths(cli_room: CliRoom) -> dict[str, int]:
    """Return the length of every chain, including the users' chains."""
    with open_ledger(cli_room.database) as ledger:
        return ledger.chain_lengths()


def run_command(cli_room: CliRoom, name: str, role: Role | None) -> Result:
    """Run a command as a signed-in user with a role, or without a user."""
    arguments, no_user = make_up_arguments(name), {"CARDROOM_SESSION": ""}
    if role is None:
        return cli_room.run(*arguments, **no_user)
    login = LOGINS[role]
    if name in BY_PASSWORD:
        return cli_room.run(*arguments, "--by", login, CARDROOM_PASSWORD=password_of(login), **no_user)
    return cli_room.run(*arguments, CARDROOM_SESSION=cli_room.sessions[login])


def test_every_command_has_one_permission_and_every_permission_entry_is_a_command() -> None:
    assert sorted(COMMANDS) == sorted(COMMAND_PERMISSIONS)
    with pytest.raises(UndeclaredCommand, match="jackpot steal"):
        permission_for("jackpot steal")


@pytest.mark.parametrize("role", [None, *Role], ids=lambda role: str(role or "no user"))
def test_a_role_may_run_exactly_the_commands_of_its_permissions(
    role: Role | None, cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    cli_room.read_output("backup", "backup.db")
    refused = [name for name in COMMANDS if not has_permission(role, COMMAND_PERMISSIONS[name])]
    # Sign-out comes last, because it ends the session.
    allowed = sorted(
        (name for name in COMMANDS if has_permission(role, COMMAND_PERMISSIONS[name])), key="sign-out".__eq__
    )
    before = read_chain_lengths(cli_room)
    for name in refused:
        result = run_command(cli_room, name, role)
        assert (result.exit_code, result.stdout) == (2, ""), name
        if role is None:
            assert "--by LOGIN" in result.stderr, (name, result.stderr)
        else:
            assert result.stderr == f"{permission_error(LOGINS[role], role, COMMAND_PERMISSIONS[name])}\n", name
    assert read_chain_lengths(cli_room) == before
    for name in allowed:
        result = run_command(cli_room, name, role)
        assert result.exception is None or isinstance(result.exception, SystemExit), (name, result.exception)
        assert (
            role is None or str(permission_error(LOGINS[role], role, COMMAND_PERMISSIONS[name])) not in result.stderr
        ), name
        assert "--by LOGIN" not in result.stderr, (name, result.stderr)
        assert "sign in again" not in result.stderr, (name, result.stderr)
    assert len(refused) + len(allowed) == len(COMMAND_PERMISSIONS) > 90


def test_every_command_that_needs_two_users_has_an_option_for_the_second() -> None:
    permissions = {name: (COMMAND_PERMISSIONS[name], ADDITIONAL_PERMISSIONS.get(name)) for name in COMMANDS}
    for name, (permission, additional) in permissions.items():
        two = PERMISSIONS[permission].needs_two or (additional is not None and PERMISSIONS[additional].needs_two)
        assert ("--second" in list_options(name)) == two or name == "user end-session", name
    assert {name for name in COMMANDS if PERMISSIONS[COMMAND_PERMISSIONS[name]].always_needs_two} == {
        "user add",
        "user recover",
        "jackpot change",
        "jackpot remove",
        "reading reverse",
        "rounds void",
        "claim pay",
        "claim refuse",
        "prize reverse",
        "jackpot adjust",
        "jackpot reimburse",
        "player pay-in",
        "player pay-out",
        "room configure",
        "heads replace-key",
        "device accept-gap",
        "device accept-rounds",
        "device refuse-rounds",
        "restore",
        "key rotate",
        "key backup",
        "key replace",
    }


VALID_ARGUMENTS: Final = {
    "user add": ("ann-lee", "--name", "Ann", "--role", "player"),
    "user recover": ("pat",),
    "user deactivate": ("pat", "--why", "x"),
    "jackpot change": ("x", "seed=1"),
    "jackpot adjust": ("x", "--reason", "seed", "--up", "1"),
    "jackpot reimburse": ("x", "all", "--reference", "1"),
    "device accept-rounds": ("x", "1"),
    "prize reverse": ("x", "x", "--chips", "lost"),
    "player pay-in": ("pat", "5"),
    "player pay-out": ("pat", "5"),
    "room configure": ("room.toml",),
    "restore": ("backup.db",),
}
"""Arguments of commands that refuse made-up ones before they check the permission."""


def test_a_single_user_is_refused_where_two_are_needed_and_nothing_changes(
    cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    cli_room.read_output("backup", "backup.db")
    Path("room.toml").write_text('name = "Main Street"\n', "utf-8")
    before = read_chain_lengths(cli_room)
    for name in (name for name in COMMANDS if PERMISSIONS[COMMAND_PERMISSIONS[name]].always_needs_two):
        who = LOGINS[next(role for role in Role if has_permission(role, COMMAND_PERMISSIONS[name]))]
        typed = (*name.split(), *VALID_ARGUMENTS[name]) if name in VALID_ARGUMENTS else make_up_arguments(name)
        signed = {"CARDROOM_SESSION": "", "CARDROOM_PASSWORD": password_of(who)} if name in BY_PASSWORD else {}
        result = cli_room.run(*typed, "--by", who, **signed)
        assert result.exit_code == 2, name
        action = COMMAND_PERMISSIONS[name]
        sentence = f"Two people are needed to {action}: name the second person beside {who} (--second LOGIN).\n"
        assert result.stderr == sentence, (name, result.output)
    assert read_chain_lengths(cli_room) == before


def test_an_additional_permission_is_refused_like_the_commands_own(cli_room: CliRoom, tmp_path: Path) -> None:
    cage, dealer = LOGINS[Role.CAGE], LOGINS[Role.DEALER]
    log = tmp_path / "A1.log"
    log.write_text("")
    before = read_chain_lengths(cli_room)
    for who, command in (
        (cage, ("user", "add", "nina", "--name", "Nina", "--role", "dealer", "--second", "sam")),
        (cage, ("user", "recover", dealer, "--second", "sam")),
        (dealer, ("user", "end-session", cage, "--why", "x")),
        (dealer, ("tabulator", "read", "table-1", "9", "--second", "sam")),
        (dealer, ("data-logger", "forward", "table-1", str(log), "--accept-gap", "--second", "sam")),
    ):
        permission = ADDITIONAL_PERMISSIONS[" ".join(command[:2])]
        role = next(role for role, login in LOGINS.items() if login == who)
        assert cli_room.read_refusal(*command, "--by", who) == str(permission_error(who, role, permission))
    assert read_chain_lengths(cli_room) == before
