"""`cardroom key`: the key that encrypts a room's secrets, which is stored outside the database."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.ledger.encryption import new_key, read_key, write_key
from cardroom.service import backup
from tests.cli.card_room import CliRoom
from tests.service.staff import password_of

TWO = ("--by", "rosa", "--second", "lee")


@pytest.fixture
def room_with_key_file(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> CliRoom:
    """A card room whose key is in the file next to its database."""
    write_key(read_key("cardroom-key-1:" + "T" * 43, ""), cli_room.folder / "ledger.db.key")
    monkeypatch.delenv("CARDROOM_KEY")
    return cli_room


def find_key_file(cli_room: CliRoom) -> Path:
    return cli_room.folder / "ledger.db.key"


def read_last_room_event(cli_room: CliRoom) -> str:
    """Return the kind of the last event of the room."""
    with open_ledger(cli_room.database) as ledger:
        return [event.kind for event in ledger.events("room")][-1]


def test_key_show_names_the_source_and_the_fingerprint_but_never_the_key(room_with_key_file: CliRoom) -> None:
    result = room_with_key_file.read_json("key", "show")
    assert result["source"] == str(find_key_file(room_with_key_file))
    assert result["key"] == result["room"] == read_key(find_key_file(room_with_key_file).read_text(), "").fingerprint
    assert (result["fits"], result["secrets"]) == (True, 1)
    assert "TTTT" not in room_with_key_file.read_output("key", "show")
    find_key_file(room_with_key_file).unlink()
    assert room_with_key_file.read_json("key", "show", exit_code=1)["fits"] is False
    write_key(new_key("", None), find_key_file(room_with_key_file))
    assert "does not match" in room_with_key_file.read_output("key", "show", exit_code=1)


def test_two_users_rotate_the_key_and_sessions_continue(room_with_key_file: CliRoom) -> None:
    before = find_key_file(room_with_key_file).read_text()
    result = room_with_key_file.read_json("key", "rotate", "--why", "Once a year", "--id", "rotate-1", *TWO)
    assert result["key"] == read_key(find_key_file(room_with_key_file).read_text(), "").fingerprint
    assert find_key_file(room_with_key_file).read_text() != before
    assert room_with_key_file.read_json("device", "list")["devices"] == []
    assert read_last_room_event(room_with_key_file) == "key-rotated"
    after = find_key_file(room_with_key_file).read_text()
    assert room_with_key_file.read_json("key", "rotate", "--why", "Once a year", "--id", "rotate-1", *TWO)["repeated"]
    assert find_key_file(room_with_key_file).read_text() == after
    assert sorted(file.name for file in room_with_key_file.folder.glob("*.key*")) == ["ledger.db.key"]
    assert room_with_key_file.read_json("verify")["unopened_secrets"] == 0
    find_key_file(room_with_key_file).write_text(before)
    assert "encrypted under key" in room_with_key_file.read_refusal("key", "rotate", "--why", "Again", *TWO)


def test_a_rotation_with_a_new_secret_ends_sessions_and_lists_the_devices_to_renew(room_with_key_file: CliRoom) -> None:
    room_with_key_file.open()
    room_with_key_file.read_json("device", "add", "table-1", "T-1001", "tabulator")
    rotate = ("key", "rotate", "--new-secret", "--why", "Sam left", "--id", "rotate-1", *TWO)
    result = room_with_key_file.read_json(*rotate)
    assert result["key"] == read_key(find_key_file(room_with_key_file).read_text(), "").fingerprint
    assert (result["renewed"]["devices"], result["renewed"]["sessions"] > 0) == (["T-1001"], True)
    assert "has ended or is unknown" in room_with_key_file.read_refusal("device", "list")
    room_with_key_file = room_with_key_file.sign_in_again()
    again = room_with_key_file.read_output(*rotate)
    assert "ran before" in again
    assert room_with_key_file.read_json("device", "list")["devices"]
    page = " ".join(room_with_key_file.read_output(*rotate[:5], *TWO).split())
    assert "Renew these devices, whose tokens stopped working: T-1001." in page
    assert room_with_key_file.read_json("verify")["unopened_secrets"] == 0


def test_a_key_from_the_environment_is_rotated_into_a_file(cli_room: CliRoom) -> None:
    assert "name a new file for it (--to FILE)" in cli_room.read_refusal("key", "rotate", "--why", "Sam left", *TWO)
    new = cli_room.folder / "new.key"
    result = cli_room.read_json("key", "rotate", "--to", str(new), "--why", "Sam left", *TWO)
    assert result["key"] == read_key(new.read_text(), "").fingerprint
    assert cli_room.read_json("key", "show", exit_code=1)["room"] == result["key"]
    listed = cli_room.run("device", "list", CARDROOM_KEY=new.read_text())
    assert listed.exit_code == 0, listed.output


def test_a_backup_of_the_key_outside_the_database_folder_makes_the_room_usable_again(
    room_with_key_file: CliRoom,
) -> None:
    refusal = room_with_key_file.read_refusal("key", "backup", str(room_with_key_file.folder / "copy.key"), *TWO)
    assert "beside the database" in refusal
    copy = room_with_key_file.folder / "safe" / "copy.key"
    room_with_key_file.read_json("key", "backup", str(copy), *TWO)
    assert copy.read_text() == find_key_file(room_with_key_file).read_text()
    assert oct(copy.stat().st_mode)[-3:] == "600"
    assert read_last_room_event(room_with_key_file) == "key-backed-up"
    assert "cannot be written" in room_with_key_file.read_refusal("key", "backup", str(copy), *TWO)
    find_key_file(room_with_key_file).unlink()
    assert "The key of this room" in room_with_key_file.read_refusal("device", "list")
    shutil.copy(copy, find_key_file(room_with_key_file))
    assert room_with_key_file.read_json("device", "list")["devices"] == []


def test_a_single_operator_gets_no_copy_of_the_key_with_the_id_of_an_older_backup(room_with_key_file: CliRoom) -> None:
    """A repeated id needs no new signature, so the command must not write a file for it."""
    copy, other = room_with_key_file.folder / "safe" / "copy.key", room_with_key_file.folder / "loot" / "copy.key"
    room_with_key_file.read_json("key", "backup", str(copy), "--id", "k1", *TWO)
    alone = {"CARDROOM_SECOND_PASSWORD": ""}
    stolen = room_with_key_file.run("key", "backup", str(other), "--id", "k1", *TWO, **alone)
    assert not other.exists()
    assert stolen.exit_code == 2, stolen.output
    assert "k1" in stolen.stderr
    copy.unlink()
    again = room_with_key_file.run("key", "backup", str(copy), "--id", "k1", "--json", *TWO, **alone)
    assert not copy.exists()
    assert again.exit_code == 0, again.output
    output = " ".join(room_with_key_file.read_output("key", "backup", str(copy), "--id", "k1", *TWO).split())
    assert "was written before" in output
    assert "a new --id" in output
    assert not copy.exists()


def test_the_second_user_signs_the_path_of_the_key_file(room_with_key_file: CliRoom) -> None:
    copy, new = room_with_key_file.folder / "safe" / "copy.key", room_with_key_file.folder / "safe" / "new.key"
    room_with_key_file.read_json("key", "backup", str(copy), *TWO)
    room_with_key_file.read_json("key", "rotate", "--to", str(new), "--why", "Once a year", *TWO)
    with open_ledger(room_with_key_file.database) as ledger:
        signed = [event.payload["act"] for event in ledger.events("user:lee") if "act" in event.payload]
    fingerprint = read_key(copy.read_text(), "").fingerprint
    assert signed[-2:] == [
        f"Write the room's key {fingerprint} to {copy}.",
        f"Encrypt every secret under a new key, in {new}: Once a year.",
    ]


def test_a_failed_write_of_the_key_is_reported_and_repeated_with_a_new_id(
    room_with_key_file: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = room_with_key_file.folder / "safe" / "copy.key"

    def fail_without_space(_: object, file: Path) -> None:
        raise OSError(28, "No space left on device", str(file))

    with monkeypatch.context() as broken:
        broken.setattr(backup, "write_key", fail_without_space)
        sentence = room_with_key_file.read_refusal("key", "backup", str(copy), "--id", "k1", *TWO)
    assert "No space left on device" in sentence
    assert "a new id" in " ".join(sentence.split())
    room_with_key_file.read_json("key", "backup", str(copy), "--id", "k2", *TWO)
    assert copy.read_text() == find_key_file(room_with_key_file).read_text()


def test_a_lost_key_ends_sessions_and_tokens_and_nothing_else(room_with_key_file: CliRoom) -> None:
    room_with_key_file.open()
    room_with_key_file.execute("tabulator", "press", "table-1", "--positions", "1-4", "--round", "r1", by="kim")
    room_with_key_file.read_json("device", "add", "table-1", "T-1001", "tabulator")
    meter, events = room_with_key_file.read_meter(), room_with_key_file.count_events()
    assert "The room's key is not lost" in room_with_key_file.read_refusal("key", "replace", "--why", "To try it", *TWO)
    find_key_file(room_with_key_file).unlink()
    report = room_with_key_file.read_json("verify")
    assert (report["whole"], report["unopened_secrets"], report["events"]) == (True, 1, events)
    assert "--second LOGIN" in room_with_key_file.read_refusal(
        "key", "replace", "--why", "The disk is gone", "--by", "rosa"
    )
    result = room_with_key_file.read_json("key", "replace", "--why", "The disk is gone", *TWO)["renewed"]
    assert result["devices"] == ["T-1001"]
    assert result["sessions"] > 0
    assert room_with_key_file.read_json("verify")["unopened_secrets"] == 0
    again = room_with_key_file.run(
        "user", "list", "--by", "rosa", CARDROOM_SESSION="", CARDROOM_PASSWORD=password_of("rosa")
    )
    assert again.exit_code == 0, again.output
    assert "has ended or is unknown" in room_with_key_file.read_refusal("device", "list")
    with open_ledger(room_with_key_file.database) as ledger:
        assert ledger.key_fingerprint() == result["key"]
    credentials = {"CARDROOM_SESSION": "", "CARDROOM_PASSWORD": password_of("rosa")}
    shown = room_with_key_file.run("jackpot", "show", "final-four", "--json", "--by", "rosa", **credentials)
    assert f'"shown_cents": {meter["shown_cents"]}' in shown.stdout


def test_the_key_is_not_rotated_while_a_server_runs(room_with_key_file: CliRoom) -> None:
    with open_ledger(room_with_key_file.database) as ledger:
        leases = ledger.store.lease_registry("server")
        leases.renew(())
        assert "1 server of this room is running: stop it" in room_with_key_file.read_refusal(
            "key", "rotate", "--why", "Now", *TWO
        )
        leases.leave()
        leases.close()
    assert room_with_key_file.read_json("key", "rotate", "--why", "Now", *TWO)["key"]
