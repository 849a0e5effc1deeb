"""A restore stops before it is complete: the power fails, or an attacker ends the process. The database then contains
the sessions, the passwords, and the round in progress of the backup, and no program opens it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from cardroom.ledger import RestoreUnfinished, open_backup, open_ledger, restore_ledger
from cardroom.ledger.store import Store, WriteBatch
from cardroom.service import CardRoom, create_backup
from cardroom.service import backup as backup_module
from cardroom.service.backup import RestorePasswords, restore_backup
from cardroom.service.commands.users import UserService
from cardroom.service.verification.run import verify
from tests.cli.card_room import CliRoom
from tests.ledger.server import fresh_database
from tests.service.staff import FIRST, HERE, QUICK, new_password_of, password_of, signed_in, two_who_deal
from tests.service.table_scenes import ANTE, PRIME, an_id, guests, open_prime

SECOND = "sam"
TYPED = RestorePasswords(password_of(SECOND), {login: new_password_of(login) for login in (FIRST, SECOND)}, HERE)

_databases = count(1)


class Killed(BaseException):
    """The process ends."""


def kill_after(commits: int, monkeypatch: pytest.MonkeyPatch, store: type[Store]) -> list[str]:
    """Kill a restore after a number of commits. Returns the ids of the commands that were stored before that."""
    stored: list[str] = []
    real = store.commit

    def commit_and_count(self: Store, batch: WriteBatch) -> None:
        real(self, batch)
        stored.extend(row[0] for row in batch.commands)
        if len(stored) >= commits:
            raise Killed

    monkeypatch.setattr(store, "commit", commit_and_count)
    if not commits:
        monkeypatch.setattr(backup_module, "restore_ledger", _copy_and_kill)
    return stored


def _copy_and_kill(path: Path, url: str, without: Callable[[str], bool]) -> None:
    restore_ledger(path, url, without)
    raise Killed


@pytest.fixture(params=["sqlite", "postgresql"])
def databases(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], AbstractContextManager[str]]:
    """A function that makes an empty database to restore into."""
    if request.param == "postgresql":
        server = request.getfixturevalue("server")
        return lambda: fresh_database(server, f"unfinished_{next(_databases)}")

    @contextmanager
    def file() -> Iterator[str]:
        yield f"sqlite:///{tmp_path}/restored-{next(_databases)}.db"

    return file


@pytest.fixture(params=["between rounds", "during a round"])
def backup_file(request: pytest.FixtureRequest, in_a_file: CardRoom, tmp_path: Path) -> tuple[Path, str]:
    """A backup, and the token of a session that is in it."""
    two_who_deal(in_a_file)
    open_prime(in_a_file)
    if request.param == "during a round":
        (player,) = guests(in_a_file, 1)
        in_a_file.place_wagers(an_id(), player, PRIME, ANTE)
    token = signed_in(in_a_file, FIRST)
    create_backup(in_a_file.ledger, tmp_path / "backup.db")
    return tmp_path / "backup.db", token


def test_a_restore_that_stops_at_any_commit_leaves_a_database_that_no_program_opens(
    backup_file: tuple[Path, str],
    databases: Callable[[], AbstractContextManager[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, token = backup_file
    monkeypatch.setattr(UserService, "hasher", QUICK)
    for commits in count():
        with databases() as url, monkeypatch.context() as patched:
            with open_ledger(url) as ledger:
                store = type(ledger.store)
            stored = kill_after(commits, patched, store)
            with pytest.raises(Killed):
                restore_backup(file, url, (FIRST, SECOND), passwords=TYPED)
            patched.undo()
            if stored and stored[-1].endswith("/confirmed"):
                with open_ledger(url) as ledger:
                    assert CardRoom(ledger).users.find_session(token) is None
                    assert not CardRoom(ledger).table(PRIME).playing
                assert verify(url).is_consistent
                break
            for attempt in (
                partial(open_ledger, url),
                partial(open_ledger, url, may_create=False),
                partial(verify, url),
                partial(restore_backup, file, url, (FIRST, SECOND), passwords=TYPED),
            ):
                with pytest.raises(RestoreUnfinished, match="restore the backup again into a new, empty database"):
                    attempt()
    assert commits > 6


def test_every_command_refuses_a_database_with_an_unfinished_restore_until_it_is_restored_again(
    cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, new = cli_room.folder / "backup.db", cli_room.with_database(f"sqlite:///{cli_room.folder / 'new.db'}")
    cli_room.read_output("backup", str(file))
    again = ("restore", str(file), "--old", cli_room.database, "--by", "rosa", "--second", "lee", "--confirm")
    code = cli_room.run(*again, "none", "--json").stdout.split('"confirm": "')[1][:9]
    with monkeypatch.context() as patched:
        patched.setattr(CardRoom, "renew_after_restore", _kill)
        with pytest.raises(Killed):
            new.run(*again, code)
    for arguments in (
        ("whoami",),
        ("user", "list"),
        ("key", "show"),
        ("device", "list"),
        ("verify",),
        ("backup", str(cli_room.folder / "copy.db")),
        ("serve", "--port", "0"),
        (*again, code),
    ):
        assert "contains an unfinished restore and cannot be used: restore the backup again into" in (
            new.read_refusal(*arguments)
        ), arguments
    copy = cli_room.folder / "copied-by-hand.db"
    shutil.copy(cli_room.folder / "new.db", copy)
    with pytest.raises(RestoreUnfinished):
        open_backup(copy)
    for part in cli_room.folder.glob("new.db*"):
        if part.suffix != ".key":
            part.unlink()
    result = new.run(*again, code)
    assert result.exit_code == 0, result.output
    assert new.sign_in_again("rosa").read_json("user", "list")


def _kill(*_: object, **__: object) -> None:
    raise Killed
