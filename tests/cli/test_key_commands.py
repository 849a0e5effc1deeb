"""`cardroom key`: the key that encrypts a room's secrets, apart from the database."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.ledger.encryption import new_key, read_key, write_key
from cardroom.service import backup as safekeeping
from tests.cli.card_room import House
from tests.service.staff import password_of

TWO = ("--by", "rosa", "--second", "lee")


@pytest.fixture
def own(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A card room whose key is in the file beside its database."""
    write_key(read_key("cardroom-key-1:" + "T" * 43, ""), house.folder / "books.db.key")
    monkeypatch.delenv("CARDROOM_KEY")
    return house


def key_file(house: House) -> Path:
    return house.folder / "books.db.key"


def last_of_the_room(house: House) -> str:
    """What happened to the room last."""
    with open_ledger(house.database) as ledger:
        return [event.kind for event in ledger.events("room")][-1]


def test_the_status_names_the_source_and_the_fingerprint_and_never_the_key(own: House) -> None:
    result = own.read_json("key", "show")
    assert result["source"] == str(key_file(own))
    assert result["key"] == result["room"] == read_key(key_file(own).read_text(), "").fingerprint
    assert (result["fits"], result["secrets"]) == (True, 1)
    assert "TTTT" not in own.said("key", "show")
    key_file(own).unlink()
    assert own.read_json("key", "show", exit_code=1)["fits"] is False
    write_key(new_key("", None), key_file(own))
    assert "does not match" in own.said("key", "show", exit_code=1)


def test_two_people_rotate_the_key_and_everyone_stays_signed_in(own: House) -> None:
    before = key_file(own).read_text()
    result = own.read_json("key", "rotate", "--why", "Once a year", "--id", "rotate-1", *TWO)
    assert result["key"] == read_key(key_file(own).read_text(), "").fingerprint
    assert key_file(own).read_text() != before
    assert own.read_json("device", "list")["devices"] == []
    assert last_of_the_room(own) == "key-rotated"
    after = key_file(own).read_text()
    assert own.read_json("key", "rotate", "--why", "Once a year", "--id", "rotate-1", *TWO)["repeated"]
    assert key_file(own).read_text() == after
    assert sorted(one.name for one in own.folder.glob("*.key*")) == ["books.db.key"]
    assert own.read_json("verify")["unopened_secrets"] == 0
    key_file(own).write_text(before)
    assert "encrypted under key" in own.refused("key", "rotate", "--why", "Again", *TWO)


def test_a_rotation_with_a_new_secret_ends_sessions_and_lists_the_devices_to_renew(own: House) -> None:
    own.open()
    own.read_json("device", "add", "table-1", "T-1001", "tabulator")
    rotate = ("key", "rotate", "--new-secret", "--why", "Sam left", "--id", "rotate-1", *TWO)
    result = own.read_json(*rotate)
    assert result["key"] == read_key(key_file(own).read_text(), "").fingerprint
    assert (result["renewed"]["devices"], result["renewed"]["sessions"] > 0) == (["T-1001"], True)
    assert "has ended or is unknown" in own.refused("device", "list")
    own = own.signed_in_again()
    again = own.said(*rotate)
    assert "ran before" in again
    assert own.read_json("device", "list")["devices"]
    page = " ".join(own.said(*rotate[:5], *TWO).split())
    assert "Renew these devices, whose tokens stopped working: T-1001." in page
    assert own.read_json("verify")["unopened_secrets"] == 0


def test_a_key_from_the_environment_is_rotated_into_a_file(house: House) -> None:
    assert "name a new file for it (--to FILE)" in house.refused("key", "rotate", "--why", "Sam left", *TWO)
    new = house.folder / "new.key"
    result = house.read_json("key", "rotate", "--to", str(new), "--why", "Sam left", *TWO)
    assert result["key"] == read_key(new.read_text(), "").fingerprint
    assert house.read_json("key", "show", exit_code=1)["room"] == result["key"]
    done = house.run("device", "list", CARDROOM_KEY=new.read_text())
    assert done.exit_code == 0, done.output


def test_the_key_is_backed_up_apart_from_the_database_and_puts_a_room_right(own: House) -> None:
    beside = own.refused("key", "backup", str(own.folder / "copy.key"), *TWO)
    assert "beside the database" in beside
    copy = own.folder / "safe" / "copy.key"
    own.read_json("key", "backup", str(copy), *TWO)
    assert copy.read_text() == key_file(own).read_text()
    assert oct(copy.stat().st_mode)[-3:] == "600"
    assert last_of_the_room(own) == "key-backed-up"
    assert "cannot be written" in own.refused("key", "backup", str(copy), *TWO)
    key_file(own).unlink()
    assert "The key of this room" in own.refused("device", "list")
    shutil.copy(copy, key_file(own))
    assert own.read_json("device", "list")["devices"] == []


def test_an_operator_alone_gets_no_copy_of_the_key_with_the_id_of_an_older_backup(own: House) -> None:
    """The id needs no new signature, so nothing may be written for it."""
    copy, other = own.folder / "safe" / "copy.key", own.folder / "loot" / "copy.key"
    own.read_json("key", "backup", str(copy), "--id", "k1", *TWO)
    alone = {"CARDROOM_SECOND_PASSWORD": ""}
    stolen = own.run("key", "backup", str(other), "--id", "k1", *TWO, **alone)
    assert not other.exists()
    assert stolen.exit_code == 2, stolen.output
    assert "k1" in stolen.stderr
    copy.unlink()
    again = own.run("key", "backup", str(copy), "--id", "k1", "--json", *TWO, **alone)
    assert not copy.exists()
    assert again.exit_code == 0, again.output
    said = " ".join(own.said("key", "backup", str(copy), "--id", "k1", *TWO).split())
    assert "was written before" in said
    assert "a new --id" in said
    assert not copy.exists()


def test_the_second_person_signs_where_the_key_is_written(own: House) -> None:
    copy, new = own.folder / "safe" / "copy.key", own.folder / "safe" / "new.key"
    own.read_json("key", "backup", str(copy), *TWO)
    own.read_json("key", "rotate", "--to", str(new), "--why", "Once a year", *TWO)
    with open_ledger(own.database) as ledger:
        signed = [event.payload["act"] for event in ledger.events("user:lee") if "act" in event.payload]
    fingerprint = read_key(copy.read_text(), "").fingerprint
    assert signed[-2:] == [
        f"Write the room's key {fingerprint} to {copy}.",
        f"Encrypt every secret under a new key, in {new}: Once a year.",
    ]


def test_a_key_that_cannot_be_written_after_two_people_signed_is_said_and_written_with_a_new_id(
    own: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = own.folder / "safe" / "copy.key"

    def full(_: object, file: Path) -> None:
        raise OSError(28, "No space left on device", str(file))

    with monkeypatch.context() as broken:
        broken.setattr(safekeeping, "write_key", full)
        sentence = own.refused("key", "backup", str(copy), "--id", "k1", *TWO)
    assert "No space left on device" in sentence
    assert "a new id" in " ".join(sentence.split())
    own.read_json("key", "backup", str(copy), "--id", "k2", *TWO)
    assert copy.read_text() == key_file(own).read_text()


def test_a_lost_key_costs_sessions_and_tokens_and_nothing_else(own: House) -> None:
    own.open()
    own.execute("tabulator", "press", "table-1", "--positions", "1-4", "--round", "r1", by="kim")
    own.read_json("device", "add", "table-1", "T-1001", "tabulator")
    meter, events = own.meter(), own.events()
    assert "The room's key is not lost" in own.refused("key", "replace", "--why", "To try it", *TWO)
    key_file(own).unlink()
    report = own.read_json("verify")
    assert (report["whole"], report["unopened_secrets"], report["events"]) == (True, 1, events)
    assert "--second LOGIN" in own.refused("key", "replace", "--why", "The disk is gone", "--by", "rosa")
    result = own.read_json("key", "replace", "--why", "The disk is gone", *TWO)["renewed"]
    assert result["devices"] == ["T-1001"]
    assert result["sessions"] > 0
    assert own.read_json("verify")["unopened_secrets"] == 0
    again = own.run("user", "list", "--by", "rosa", CARDROOM_SESSION="", CARDROOM_PASSWORD=password_of("rosa"))
    assert again.exit_code == 0, again.output
    assert "has ended or is unknown" in own.refused("device", "list")
    with open_ledger(own.database) as ledger:
        assert ledger.key_fingerprint() == result["key"]
    signed = {"CARDROOM_SESSION": "", "CARDROOM_PASSWORD": password_of("rosa")}
    shown = own.run("jackpot", "show", "final-four", "--json", "--by", "rosa", **signed)
    assert f'"shown_cents": {meter["shown_cents"]}' in shown.stdout


def test_the_key_is_not_changed_while_a_server_has_it(own: House) -> None:
    with open_ledger(own.database) as ledger:
        book = ledger.store.lease_registry("server")
        book.renew(())
        assert "1 server of this room is running: stop it" in own.refused("key", "rotate", "--why", "Now", *TWO)
        book.leave()
        book.close()
    assert own.read_json("key", "rotate", "--why", "Now", *TWO)["key"]
