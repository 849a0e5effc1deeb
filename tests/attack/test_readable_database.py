"""An attacker can read and write every byte of the database and of its backups, but does not have the room's key."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from cardroom.cards import Seal
from cardroom.cards.shuffle import KEY_BYTES
from cardroom.cli.shared.files import write_new_file
from cardroom.errors import BadInput
from cardroom.ledger import open_backup, open_ledger, schema
from cardroom.ledger.encryption import MissingRoomKey, SecretChanged, Vault, WrongRoomKey, fingerprint_of, new_key
from cardroom.reports.documents.files import write_bytes
from cardroom.room.site.device import token_digest
from cardroom.room.user.events import SignedIn
from cardroom.room.user.permissions import Permission
from cardroom.room.user.sign_in import new_session_token, session_digest
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, create_backup
from cardroom.service.backup import back_up_key, rotate_key
from cardroom.service.chains.names import ROOM_CHAIN, table_chain, user_chain
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.second_signature import execute_signed
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.verification.run import verify, verify_card_room
from cardroom.web.devices.errors import BadToken, find_token_holder
from cardroom.web.services.sessions import GuestTokens
from tests.service.card_rooms import final_four, new_id, prime_sensors, prime_table
from tests.service.staff import FIRST, HERE, open_staff, password_of, signing
from tests.service.table_scenes import ANTE, PRIME, an_id, guests, open_prime, play_on

COUNTED = "prime-9"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CardRoom]:
    """A room in its own file, with the key that the program generated for it."""
    monkeypatch.delenv("CARDROOM_KEY")
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        open_staff(card_room)
        open_prime(card_room)
        yield card_room


def open_counted_table(room: CardRoom) -> None:
    """A table whose tabulator counts for a jackpot."""
    room.jackpots.open(new_id(), "Olga", final_four())
    unit = UnitSetup(prime_sensors(COUNTED, "final-four"), "unit-1")
    room.add_table(new_id(), "Olga", RoomTableSetup(COUNTED, prime_table(), tabulator=unit))


def read_all_files(room: CardRoom, folder: Path) -> bytes:
    """Every byte that an attacker with read access has: the files of the database and a backup."""
    create_backup(room.ledger, folder / "backup.db")
    files = (*folder.glob("room.db*"), folder / "backup.db")
    return b"".join(file.read_bytes() for file in files if file.suffix != ".key")


def test_no_byte_of_the_database_or_a_backup_predicts_a_card(room: CardRoom, tmp_path: Path) -> None:
    state = room.table(PRIME)
    content = read_all_files(room, tmp_path)
    assert state.seal.encode() in content
    windows = {content[at : at + KEY_BYTES] for at in range(len(content) - KEY_BYTES)}
    assert not any(Seal(window, state.round).matches(state.seal) for window in windows)
    key = room.ledger.read_secret(table_chain(PRIME), state.seal)
    assert key is not None
    assert Seal(key, state.round).matches(state.seal)
    for form in (key, key.hex().encode(), key.hex().upper().encode()):
        assert form not in content
    assert room.get_room_secret() not in content
    assert room.get_room_secret().hex().encode() not in content


def test_no_byte_of_the_database_contains_the_key_of_a_round_in_progress(room: CardRoom, tmp_path: Path) -> None:
    (player,) = guests(room, 1)
    room.place_wagers(an_id(), player, PRIME, ANTE)
    state = room.table(PRIME)
    assert state.playing
    key = room.ledger.read_secret(table_chain(PRIME), state.seal)
    assert key is not None
    assert key not in read_all_files(room, tmp_path)


def test_a_secret_that_was_copied_to_another_row_is_refused_and_detected(room: CardRoom, tmp_path: Path) -> None:
    open_prime(room, table="prime-2")
    one, other = (room.table(table).seal for table in (PRIME, "prime-2"))
    with sqlite3.connect(tmp_path / "room.db") as database:
        (value,) = database.execute("SELECT value FROM secrets WHERE name = ?", (one,)).fetchone()
        assert database.execute("UPDATE secrets SET value = ? WHERE name = ?", (value, other)).rowcount == 1
    database.close()
    with pytest.raises(SecretChanged, match="was changed in the database"):
        room.ledger.read_secret(table_chain("prime-2"), other)
    report = verify_card_room(room.ledger)
    assert report.discrepancy is not None
    assert "does not match the seal that was shown" in report.discrepancy.sentence


def test_an_unencrypted_key_in_the_database_is_refused_and_detected(room: CardRoom, tmp_path: Path) -> None:
    seal = room.table(PRIME).seal
    with sqlite3.connect(tmp_path / "room.db") as database:
        database.execute("UPDATE secrets SET value = ? WHERE name = ?", (bytes(32), seal))
    database.close()
    with pytest.raises(SecretChanged):
        room.ledger.read_secret(table_chain(PRIME), seal)
    assert not verify_card_room(room.ledger).is_consistent


def test_a_session_or_device_written_into_the_database_does_not_sign_in(room: CardRoom) -> None:
    """The attacker can make a valid event, but not a digest with the room's secret, which is encrypted."""
    forged_token = new_session_token(FIRST, bytes(32))
    digest = sha256(b"cardroom session 1\x00" + forged_token.encode()).hexdigest()

    def forge(work: UnitOfWork) -> None:
        work.apply_to_user(FIRST, (SignedIn(FIRST, digest, HERE, 1 << 60),))

    room.execute("forged", {}, Locks(users=[FIRST]), forge, lambda _: None)
    assert digest in room.user(FIRST).sessions
    assert room.users.find_session(forged_token) is None
    session = room.users.sign_in(FIRST, password_of(FIRST), HERE)
    (stored,) = room.user(FIRST).sessions.keys() - {digest}
    assert stored == session_digest(session.token, room.get_room_secret())
    for guess in (b"", bytes(32), sha256(b"").digest()):
        assert session_digest(session.token, guess) != stored
    open_counted_table(room)
    device = room.register_device("d1", "Olga", COUNTED, "T-1001", "tabulator")
    assert device.token is not None
    assert device.summary.digest != token_digest(device.token, bytes(32))
    assert find_token_holder(room, device.token).device == "T-1001"
    with pytest.raises(BadToken):
        find_token_holder(room, device.token[:-4] + "AAAA")


def test_a_copy_of_the_database_without_the_key_cannot_deal_or_sign_in_a_user(room: CardRoom, tmp_path: Path) -> None:
    room.get_room_secret()
    create_backup(room.ledger, tmp_path / "stolen.db")
    with open_ledger(f"sqlite:///{tmp_path}/stolen.db") as ledger:
        thief = CardRoom(ledger)
        with pytest.raises(MissingRoomKey, match=r"is not at .*stolen.db.key: restore it there"):
            thief.get_room_secret()
        with pytest.raises(MissingRoomKey):
            thief.users.sign_in(FIRST, password_of(FIRST), HERE)
        (player,) = guests(thief, 1)
        with pytest.raises(MissingRoomKey):
            thief.place_wagers(an_id(), player, PRIME, ANTE)
    assert not (tmp_path / "stolen.db.key").exists()


def test_an_auditor_without_the_key_verifies_all_but_the_secrets_and_sees_how_many_were_skipped(
    room: CardRoom, tmp_path: Path
) -> None:
    (player,) = guests(room, 1)
    room.place_wagers(an_id(), player, PRIME, ANTE)
    play_on(room)
    room.get_room_secret()
    create_backup(room.ledger, tmp_path / "copy.db")
    with_key, without_key = verify_card_room(room.ledger), verify(f"sqlite:///{tmp_path}/copy.db")
    assert (with_key.is_consistent, without_key.is_consistent) == (True, True)
    assert (with_key.unopened_secrets, without_key.unopened_secrets) == (0, 2)
    assert without_key.rounds == with_key.rounds == 1
    with sqlite3.connect(tmp_path / "copy.db") as database:
        database.execute("DELETE FROM secrets WHERE chain = ?", (ROOM_CHAIN,))
    database.close()
    assert not verify(f"sqlite:///{tmp_path}/copy.db").is_consistent


def test_after_a_rotation_the_old_key_decrypts_nothing_and_sessions_and_rounds_continue(
    room: CardRoom, tmp_path: Path
) -> None:
    open_counted_table(room)
    device = room.register_device("d1", "Olga", COUNTED, "T-1001", "tabulator").token
    token = room.users.sign_in(FIRST, password_of(FIRST), HERE).token
    (player,) = guests(room, 1)
    room.place_wagers(an_id(), player, PRIME, ANTE)
    old = Vault(room.ledger.vault.key)
    rotate = partial(rotate_key, room, "rotate", FIRST, "once a year", second="sam")
    new = execute_signed(rotate, signing(room, Permission.KEEP_KEY)).key
    assert new.fingerprint != old.key.fingerprint
    with room.ledger.store.read() as snapshot:
        rows = [row for row in snapshot.rows(schema.secrets) if not row[0].startswith(user_chain(""))]
    assert len(rows) == 2
    for chain, name, value in rows:
        with pytest.raises(BadInput):
            old.decrypt(chain, name, bytes(value))
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        reopened = CardRoom(ledger)
        assert reopened.users.find_session(token) is not None
        assert device is not None
        assert find_token_holder(reopened, device).device == "T-1001"
        play_on(reopened)
        assert verify_card_room(ledger).is_consistent
        assert reopened.room().key == new.fingerprint
    assert room.room().key == new.fingerprint


def test_after_a_rotation_with_a_new_secret_no_token_or_key_from_a_stolen_backup_is_accepted(
    room: CardRoom, tmp_path: Path
) -> None:
    """A former employee has the old key and a backup that contains a round in progress."""
    open_counted_table(room)
    device = room.register_device("d1", "Olga", COUNTED, "T-1001", "tabulator").token
    token = room.users.sign_in(FIRST, password_of(FIRST), HERE).token
    (player,) = guests(room, 1)
    room.place_wagers(an_id(), player, PRIME, ANTE)
    create_backup(room.ledger, tmp_path / "taken.db")
    old, known, seal = Vault(room.ledger.vault.key), room.get_room_secret(), room.table(PRIME).seal
    guest = GuestTokens(known).issue(player)
    assert GuestTokens(room.get_room_secret()).holder(guest) == player
    sign = signing(room, Permission.KEEP_KEY)
    rotate = partial(rotate_key, room, "rotate", FIRST, "Sam left", second="sam", secret_signer=sign)
    new, renewed = execute_signed(rotate, sign)
    assert renewed is not None
    assert (renewed.devices, renewed.tables, renewed.key) == (("T-1001",), (PRIME,), new.fingerprint)
    assert renewed.sessions > 0
    with open_backup(tmp_path / "taken.db") as ledger, ledger.store.read() as snapshot:
        taken = [(chain, name, bytes(value)) for chain, name, value in snapshot.rows(schema.secrets)]
    stolen = {old.decrypt(*row) for row in taken if fingerprint_of(row[2])}
    assert known in stolen
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        reopened = CardRoom(ledger)
        assert reopened.users.find_session(token) is None
        assert device is not None
        with pytest.raises(BadToken):
            find_token_holder(reopened, device)
        assert GuestTokens(reopened.get_room_secret()).holder(guest) is None
        assert reopened.get_room_secret() not in stolen
        assert not reopened.table(PRIME).playing
        assert reopened.table(PRIME).seal != seal
        assert ledger.read_secret(table_chain(PRIME), reopened.table(PRIME).seal) not in stolen
        forged = new_session_token(FIRST, bytes(32))
        digest = session_digest(forged, known)

        def forge(work: UnitOfWork) -> None:
            work.apply_to_user(FIRST, (SignedIn(FIRST, digest, HERE, 1 << 60),))

        reopened.execute("forged", {}, Locks(users=[FIRST]), forge, lambda _: None)
        assert reopened.users.find_session(forged) is None
        assert reopened.users.find_session(reopened.users.sign_in(FIRST, password_of(FIRST), HERE).token) is not None
        assert verify_card_room(ledger).is_consistent


@pytest.fixture(params=["sqlite", "postgresql"])
def shared(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A database that two programs open, with the key in a file."""
    monkeypatch.delenv("CARDROOM_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/shared.db"
    else:
        yield request.getfixturevalue("postgresql_url")


def list_keys_in_use(card_room: CardRoom) -> set[str]:
    with card_room.ledger.store.read() as snapshot:
        return {fingerprint_of(bytes(row[2])) for row in snapshot.rows(schema.secrets)}


def test_a_program_that_opened_the_ledger_before_a_rotation_stores_nothing_under_the_old_key(shared: str) -> None:
    with open_ledger(shared) as ledger, open_ledger(shared) as other:
        card_room, rotating = CardRoom(ledger), CardRoom(other)
        open_prime(card_room)
        new = rotate_key(rotating, "rotate", "Olga", "once a year", second="Sam").key
        open_prime(card_room, table="prime-2")
        assert list_keys_in_use(card_room) == {new.fingerprint}
    assert verify(shared).is_consistent


def test_a_rotation_just_before_a_commit_leaves_no_secret_under_the_old_key(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARDROOM_KEY")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with open_ledger(postgresql_url) as ledger, open_ledger(postgresql_url) as other:
        card_room, rotating, new_keys = CardRoom(ledger), CardRoom(other), list[str]()
        open_prime(card_room)
        real = ledger.store.encrypted_secret

        def rotate_before_commit(mark: bytes) -> bytes:
            if not new_keys:
                new_keys.append(rotate_key(rotating, "rotate", "Olga", "now", second="Sam").key.fingerprint)
            return real(mark)

        monkeypatch.setattr(ledger.store, "encrypted_secret", rotate_before_commit)
        open_prime(card_room, table="prime-2")
        assert list_keys_in_use(card_room) == set(new_keys)
        assert new_keys
    assert verify(postgresql_url).is_consistent


def test_a_program_that_cannot_find_the_new_key_stores_no_secret(in_a_file: CardRoom, tmp_path: Path) -> None:
    """The key comes from the environment, which still has the old one."""
    open_prime(in_a_file)
    with open_ledger(in_a_file.ledger.store.url) as other:
        new = rotate_key(CardRoom(other), "rotate", "Olga", "now", second="Sam", key_file=tmp_path / "new.key").key
    with pytest.raises(WrongRoomKey, match="put the right key there"):
        open_prime(in_a_file, table="prime-2")
    assert "prime-2" not in in_a_file.list_tables()
    assert list_keys_in_use(in_a_file) == {new.fingerprint}


def list_modes(folder: Path) -> dict[str, str]:
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    return {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in paths.items()}


def test_no_other_user_of_the_machine_can_read_a_file_of_a_room_with_any_umask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CARDROOM_KEY")
    home = tmp_path / "home"
    home.mkdir()
    before = os.umask(0)
    try:
        with open_ledger(f"sqlite:///{home}/room.db") as ledger:
            card_room = CardRoom(ledger)
            open_prime(card_room)
            card_room.get_room_secret()
            create_backup(ledger, home / "backup.db")
            write_new_file(home / "export.json", "{}")
            write_bytes(home / "day.pdf", b"%PDF")
            back_up_key(card_room, "copy", "Olga", home / "safe" / "room.key", second="Sam")
            modes = list_modes(home)
    finally:
        os.umask(before)
    files = {"room.db", "room.db-wal", "room.db-shm", "room.db.key", "backup.db", "export.json", "day.pdf"}
    assert modes == dict.fromkeys((*files, "safe/room.key"), "0o600") | {"safe": "0o700"}


def test_a_key_of_another_room_decrypts_nothing(room: CardRoom) -> None:
    seal = room.table(PRIME).seal
    with room.ledger.store.read() as snapshot:
        (stored,) = (
            bytes(row[2]) for row in snapshot.rows(schema.secrets, {"chain": table_chain(PRIME), "name": seal})
        )
    with pytest.raises(BadInput, match="encrypted under key"):
        Vault(new_key("another", None)).decrypt(table_chain(PRIME), seal, stored)
