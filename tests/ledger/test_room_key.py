"""Where a room's key comes from, and what is said when it is missing or another one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from cardroom.ledger import Command, CommandOutcome, Ledger, NewEvent, UniqueKey, open_ledger
from cardroom.ledger.encryption import (
    BadRoomKey,
    KeySource,
    MissingRoomKey,
    RoomKey,
    Vault,
    WrongRoomKey,
    create_key,
    find_key_source,
    load_room_key,
    new_key,
    next_key_file,
    read_key,
    write_key,
)

AT = UniqueKey("table:a", "seal")


def hide(ledger: Ledger, at: UniqueKey = AT, value: bytes = b"a key") -> None:
    kept = CommandOutcome((NewEvent(at.chain, "sealed", 1, {}),), {at.chain: 1}, None, secrets={at: value})
    ledger.execute(Command(f"hide/{at.chain}", (at.chain,), {}, lambda _: kept))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A machine on which nothing is set."""
    for name in ("CARDROOM_KEY", "CREDENTIALS_DIRECTORY", "CARDROOM_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return monkeypatch


def test_the_key_comes_from_the_first_source_that_is_set(tmp_path: Path, machine: pytest.MonkeyPatch) -> None:
    database, keys = tmp_path / "room.db", [new_key("test", None) for _ in range(3)]
    assert find_key_source(database).file == tmp_path / "room.db.key"
    assert find_key_source(None).file == tmp_path / "config" / "cardroom" / "room.key"
    config = tmp_path / "machine.toml"
    config.write_text(f'[key]\nfile = "{tmp_path}/etc/room.key"\n')
    write_key(keys[0], tmp_path / "etc" / "room.key")
    machine.setenv("CARDROOM_CONFIG", str(config))
    assert find_key_source(database).find_key() == keys[0]._replace(
        source=f"{tmp_path}/etc/room.key", file=tmp_path / "etc" / "room.key"
    )
    write_key(keys[1], tmp_path / "credentials" / "cardroom-key")
    machine.setenv("CREDENTIALS_DIRECTORY", str(tmp_path / "credentials"))
    found = find_key_source(database).find_key()
    assert found is not None
    assert (found.secret, found.file) == (keys[1].secret, None)
    machine.setenv("CARDROOM_KEY", keys[2].text)
    found = find_key_source(database).find_key()
    assert found is not None
    assert (found.secret, found.source) == (keys[2].secret, "the environment variable CARDROOM_KEY")


@pytest.mark.usefixtures("machine")
def test_a_new_room_makes_its_key_when_it_has_the_first_secret(tmp_path: Path) -> None:
    key = tmp_path / "room.db.key"
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        assert not key.exists()
        hide(ledger)
        assert read_key(key.read_text(), "").fingerprint == ledger.key_fingerprint()
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        assert ledger.read_secret(*AT) == b"a key"


@pytest.mark.usefixtures("machine")
def test_a_missing_or_wrong_key_is_one_sentence_and_nothing_changes(tmp_path: Path) -> None:
    url, key = f"sqlite:///{tmp_path}/room.db", tmp_path / "room.db.key"
    with open_ledger(url) as ledger:
        hide(ledger)
        under = ledger.key_fingerprint()
    key.rename(tmp_path / "elsewhere")
    with open_ledger(url) as ledger:
        with pytest.raises(MissingRoomKey, match=under):
            ledger.read_secret(*AT)
        with pytest.raises(MissingRoomKey):
            hide(ledger, UniqueKey("table:b", "seal"))
        assert ledger.head("table:b") is None
    assert not key.exists()
    other = new_key("test", None)
    write_key(other, key)
    with (
        open_ledger(url) as ledger,
        pytest.raises(WrongRoomKey, match=f"{under}.*{other.fingerprint}"),
    ):
        ledger.read_secret(*AT)
    key.write_text("not a key")
    with open_ledger(url) as ledger, pytest.raises(BadRoomKey):
        ledger.read_secret(*AT)


@pytest.mark.usefixtures("machine")
def test_two_servers_of_a_database_need_the_same_key(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_ledger(postgresql_url) as one:
        hide(one)
        monkeypatch.setenv("CARDROOM_KEY", new_key("test", None).text)
        with (
            open_ledger(postgresql_url) as other,
            pytest.raises(WrongRoomKey),
        ):
            hide(other, UniqueKey("table:b", "seal"))
        monkeypatch.delenv("CARDROOM_KEY")
        with open_ledger(postgresql_url) as other:
            hide(other, UniqueKey("table:b", "seal"))
        assert one.read_secret("table:b", "seal") == b"a key"


@pytest.mark.usefixtures("machine")
def test_every_secret_is_under_the_new_key_in_the_moment_in_which_it_changes(
    tmp_path: Path, postgresql_url: str
) -> None:
    for url in (f"sqlite:///{tmp_path}/room.db", postgresql_url):
        with open_ledger(url) as ledger:
            hide(ledger)
            hide(ledger, UniqueKey("table:b", "seal"), b"another")
            old, new = ledger.vault, Vault(new_key("test", None))
            changed = CommandOutcome((NewEvent("room", "changed", 1, {}),), {"room": 1}, None)
            ledger.change_key(Command("change", ("room",), {}, lambda _, result=changed: result), new)
            assert ledger.key_fingerprint() == new.key.fingerprint != old.key.fingerprint
            assert (ledger.read_secret(*AT), ledger.read_secret("table:b", "seal")) == (b"a key", b"another")


def test_two_programs_that_make_the_key_at_the_same_time_have_the_same_one(tmp_path: Path) -> None:
    source, made = KeySource("a file", tmp_path / "room.key"), list[RoomKey]()
    threads = [threading.Thread(target=lambda: made.append(create_key(source))) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(made) == 8
    assert len({one.secret for one in made}) == 1
    assert [one.name for one in tmp_path.iterdir()] == ["room.key"]


def test_a_rotation_that_was_interrupted_is_finished_when_the_key_is_needed_next(tmp_path: Path) -> None:
    file = tmp_path / "room.key"
    source, old, new = KeySource("a file", file), new_key("a file", file), new_key("a file", file)
    write_key(old, file)
    write_key(new, next_key_file(file))
    assert load_room_key(source, old.fingerprint) == old
    assert next_key_file(file).exists()
    assert load_room_key(source, new.fingerprint) == new
    assert source.find_key() == new
    assert not next_key_file(file).exists()
