"""Every command as everybody: who may give it is what the one table says, and who may not changes nothing."""

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
from tests.cli.card_room import House
from tests.service.staff import LOGINS, password_of

WITHOUT_WORK: Final = {
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
"""Arguments with which a command ends soon; others are made up."""
BY_PASSWORD: Final = ("restore", "key replace")
"""Commands on books in which no session can begin: those to come, and those whose key is lost."""
NOT_A_TEXT: Final = {"counters": "1", "reason": "seed", "rounds": "1"}
"""What is made up for a number, and for a choice."""
ASKED_INSIDE: Final = {
    "user add": Permission.KEEP_PEOPLE,
    "user recover": Permission.KEEP_PEOPLE,
    "user end-session": Permission.KEEP_PEOPLE,
    "tabulator read": Permission.ACCEPT_GAPS,
    "data-logger forward": Permission.ACCEPT_GAPS,
}
"""What commands ask for besides, for what was typed."""


def walk(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command of the tree, by its whole name."""
    if not hasattr(command, "list_commands"):
        yield " ".join(names), command
        return
    for name in command.list_commands(None):
        yield from walk(command.get_command(None, name), (*names, name))


COMMANDS: Final = dict(walk(get_command(app)))


def made_up(name: str) -> tuple[str, ...]:
    """A command with something for all that it must be given; nothing of that name is in the books."""
    if name in WITHOUT_WORK:
        return (*name.split(), *WITHOUT_WORK[name])
    words: list[str] = name.split()
    for one in COMMANDS[name].params:
        if one.required:
            value = NOT_A_TEXT.get(one.name, "x")
            words += [value] if one.param_type_name == "argument" else [one.opts[0], value]
    return tuple(words)


def options(name: str) -> set[str]:
    return {option for one in COMMANDS[name].params for option in one.opts}


def heads(house: House) -> dict[str, int]:
    """Where every chain ends, those of people too."""
    with open_ledger(house.database) as ledger:
        return ledger.chain_lengths()


def give(house: House, name: str, role: Role | None) -> Result:
    """A command given by a user of a role who is signed in, or by no user."""
    arguments, no_user = made_up(name), {"CARDROOM_SESSION": ""}
    if role is None:
        return house.run(*arguments, **no_user)
    login = LOGINS[role]
    if name in BY_PASSWORD:
        return house.run(*arguments, "--by", login, CARDROOM_PASSWORD=password_of(login), **no_user)
    return house.run(*arguments, CARDROOM_SESSION=house.sessions[login])


def test_every_command_has_one_door_and_every_door_a_command() -> None:
    assert sorted(COMMANDS) == sorted(COMMAND_PERMISSIONS)
    with pytest.raises(UndeclaredCommand, match="jackpot steal"):
        permission_for("jackpot steal")


@pytest.mark.parametrize("role", [None, *Role], ids=lambda role: str(role or "nobody"))
def test_who_may_give_a_command_is_what_the_table_says(
    role: Role | None, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(house.folder)
    house.said("backup", "backup.db")
    refused = [name for name in COMMANDS if not has_permission(role, COMMAND_PERMISSIONS[name])]
    # Signing out comes last: no user is signed in any more after it.
    allowed = sorted(
        (name for name in COMMANDS if has_permission(role, COMMAND_PERMISSIONS[name])), key="sign-out".__eq__
    )
    before = heads(house)
    for name in refused:
        result = give(house, name, role)
        assert (result.exit_code, result.stdout) == (2, ""), name
        if role is None:
            assert "--by LOGIN" in result.stderr, (name, result.stderr)
        else:
            assert result.stderr == f"{permission_error(LOGINS[role], role, COMMAND_PERMISSIONS[name])}\n", name
    assert heads(house) == before
    for name in allowed:
        result = give(house, name, role)
        assert result.exception is None or isinstance(result.exception, SystemExit), (name, result.exception)
        assert (
            role is None or str(permission_error(LOGINS[role], role, COMMAND_PERMISSIONS[name])) not in result.stderr
        ), name
        assert "--by LOGIN" not in result.stderr, (name, result.stderr)
        assert "sign in again" not in result.stderr, (name, result.stderr)
    assert len(refused) + len(allowed) == len(COMMAND_PERMISSIONS) > 90


def test_two_people_are_asked_for_by_every_command_that_no_user_may_give_alone() -> None:
    rights = {name: (COMMAND_PERMISSIONS[name], ASKED_INSIDE.get(name)) for name in COMMANDS}
    for name, (door, inside) in rights.items():
        two = PERMISSIONS[door].needs_two or (inside is not None and PERMISSIONS[inside].needs_two)
        assert ("--second" in options(name)) == two or name == "user end-session", name
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


UNDERSTOOD: Final = {
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
"""What can be understood, where that is more than a name."""


def test_one_person_alone_is_refused_and_nothing_changes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    house.said("backup", "backup.db")
    Path("room.toml").write_text('name = "Main Street"\n', "utf-8")
    before = heads(house)
    for name in (name for name in COMMANDS if PERMISSIONS[COMMAND_PERMISSIONS[name]].always_needs_two):
        who = LOGINS[next(role for role in Role if has_permission(role, COMMAND_PERMISSIONS[name]))]
        typed = (*name.split(), *UNDERSTOOD[name]) if name in UNDERSTOOD else made_up(name)
        signed = {"CARDROOM_SESSION": "", "CARDROOM_PASSWORD": password_of(who)} if name in BY_PASSWORD else {}
        result = house.run(*typed, "--by", who, **signed)
        assert result.exit_code == 2, name
        action = COMMAND_PERMISSIONS[name]
        sentence = f"Two people are needed to {action}: name the second person beside {who} (--second LOGIN).\n"
        assert result.stderr == sentence, (name, result.output)
    assert heads(house) == before


def test_what_a_command_asks_for_inside_is_refused_like_at_its_door(house: House, tmp_path: Path) -> None:
    cage, dealer = LOGINS[Role.CAGE], LOGINS[Role.DEALER]
    log = tmp_path / "A1.log"
    log.write_text("")
    before = heads(house)
    for who, command in (
        (cage, ("user", "add", "nina", "--name", "Nina", "--role", "dealer", "--second", "sam")),
        (cage, ("user", "recover", dealer, "--second", "sam")),
        (dealer, ("user", "end-session", cage, "--why", "x")),
        (dealer, ("tabulator", "read", "table-1", "9", "--second", "sam")),
        (dealer, ("data-logger", "forward", "table-1", str(log), "--accept-gap", "--second", "sam")),
    ):
        right = ASKED_INSIDE[" ".join(command[:2])]
        role = next(role for role, login in LOGINS.items() if login == who)
        assert house.refused(*command, "--by", who) == str(permission_error(who, role, right))
    assert heads(house) == before
