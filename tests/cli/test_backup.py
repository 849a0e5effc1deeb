"""`cardroom backup` while the card room plays on, and `cardroom restore` into an empty database."""

from __future__ import annotations

import json
import sqlite3

from typer.testing import Result

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom.web.devices.errors import BadToken, find_token_holder
from tests.cli.card_room import House
from tests.service.staff import new_password_of, password_of


def restore(house: House, file: str, *more: str) -> Result:
    """Two people restore a backup, when both have looked at its users and devices."""
    return restore_with(house, file, "--confirm", code_of(house, file, *more), *more)


def restore_with(house: House, file: str, *more: str) -> Result:
    return house.run("restore", file, "--by", "rosa", "--second", "lee", *more, CARDROOM_PASSWORD=password_of("rosa"))


def code_of(house: House, file: str, *more: str) -> str:
    """What they are shown to confirm the list with."""
    shown = restore_with(house, file, *more, "--json")
    return str(json.loads(shown.stdout)["confirm"]) if shown.exit_code == 2 and shown.stdout else "none"


def played(house: House) -> int:
    house.open()
    for number in range(3):
        house.execute("tabulator", "press", "table-1", "--positions", "1-4", "--round", f"r{number}", by="kim")
    return house.events()


def test_a_backup_is_made_while_some_user_writes(house: House) -> None:
    events, file = played(house), house.folder / "backup.db"
    other = sqlite3.connect(house.folder / "books.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    said = house.said("backup", str(file))
    other.execute("ROLLBACK")
    other.close()
    assert f"{events} events" in said
    assert house.books(f"sqlite:///{file}").events() == events


def test_a_backup_moves_between_the_databases(house: House, empty_house_on_postgresql: House) -> None:
    events, file = played(house), str(house.folder / "backup.db")
    assert house.read_json("backup", file)["events"] == events
    server = house.books(empty_house_on_postgresql.database)
    restored = json.loads(restore(server, file, "--old", house.database, "--json").stdout)
    assert (restored["whole"], restored["restored_by"]) == (True, ["rosa", "lee"])
    assert restored["events"] > events + restored["renewed"]["sessions"]
    server = server.signed_in_again()
    server.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    back = str(house.folder / "back.db")
    server.said("backup", back)
    third = house.books(f"sqlite:///{house.folder / 'third.db'}")
    assert restore(third, back, "--old", server.database).stdout.startswith("Verified: ")
    third = third.signed_in_again()
    assert third.meter() == server.meter()
    assert third.meter()["shown_cents"] == 5_002_60


def test_a_backup_never_writes_over_anything(house: House) -> None:
    played(house)
    file = house.folder / "backup.db"
    file.write_text("precious")
    assert "never overwrites" in house.refused("backup", str(file))
    assert file.read_text() == "precious"
    assert "no folder" in house.refused("backup", str(house.folder / "none" / "backup.db"))


def test_books_are_restored_into_an_empty_database_only(house: House) -> None:
    played(house)
    file = str(house.folder / "backup.db")
    house.said("backup", file)
    assert "not empty" in restore(house, file).stderr
    new = house.books(f"sqlite:///{house.folder / 'new.db'}")
    assert "no backup" in new.refused("restore", str(house.folder / "none.db"))
    (house.folder / "list.txt").write_text("A shopping list. " * 500)
    assert restore(new, str(house.folder / "list.txt")).exit_code == 2


def test_two_people_of_the_backups_own_books_restore_it_and_the_new_books_say_so(house: House) -> None:
    played(house)
    file = house.folder / "backup.db"
    house.said("backup", str(file))
    before, new = file.read_bytes(), house.books(f"sqlite:///{house.folder / 'new.db'}")
    for more, password, sentence in (
        ((), "rosa", "Add --by LOGIN"),
        (("--by", "rosa"), "rosa", "--second LOGIN"),
        (("--by", "rosa", "--second", "rosa"), "rosa", "rosa cannot be the second person"),
        (("--by", "rosa", "--second", "lee"), "kim", "The login or the password is wrong"),
        (("--by", "mallory", "--second", "lee"), "rosa", "The login or the password is wrong"),
        (("--by", "lee", "--second", "rosa"), "lee", "lee is a supervisor: only operators may restore"),
        (("--by", "rosa", "--second", "kim"), "rosa", "kim is a dealer: only"),
    ):
        result = new.run("restore", str(file), *more, CARDROOM_PASSWORD=password_of(password))
        assert (result.exit_code, sentence in result.stderr) == (2, True), result.output
    assert not (house.folder / "new.db").exists()
    assert file.read_bytes() == before
    assert restore(new, str(file), "--old", house.database).exit_code == 0
    assert file.read_bytes() == before
    with open_ledger(new.database) as ledger:
        assert [event.kind for event in ledger.events("user:rosa")][-2:] == ["signed-in", "session-ended"]
    new = new.signed_in_again("aldo")
    outcome = [one["sentences"] for one in new.read_json("user", "history", "lee", "--by", "aldo")["events"]]
    assert outcome[0].startswith("Signed as the second person with rosa, at the command line")
    assert ": Restore the ledger with " in outcome[0]


def test_a_restore_waits_until_two_people_have_confirmed_every_user_and_device(house: House) -> None:
    played(house)
    house.read_json("device", "add", "table-1", "T-1001", "tabulator")
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    house.said("backup", file)
    house.read_json("user", "deactivate", "kim", "--why", "Moved away", "--by", "rosa", "--second", "lee")
    for more in ((), ("--confirm", "yes"), ("--confirm", "0000-0000")):
        shown = restore_with(new, file, *more)
        assert shown.exit_code == 2
        assert "kim (Kim), dealer\n" in shown.stdout
        assert "T-1001, tabulator of table-1, token 1\n" in shown.stdout
        assert "Nothing was restored yet." in shown.stderr
    assert not (house.folder / "new.db").exists()
    compared = restore_with(new, file, "--old", house.database)
    assert "Changed since the backup:\n  now: kim (Kim), dealer, deactivated: Moved away\n" in compared.stdout
    done = restore(new, file)
    assert done.exit_code == 0, done.output
    with open_ledger(new.database) as ledger:
        (restored,) = [event for event in ledger.events("room") if event.kind == "backup-restored"]
    assert restored.payload["devices"] == ["T-1001, tabulator of table-1, token 1"]
    assert "kim (Kim), dealer" in restored.payload["users"]
    assert (restored.payload["who"], restored.payload["second"]) == ("rosa", "lee")


def test_a_restore_names_each_user_who_has_another_password_or_pin_and_brings_no_old_one_back(house: House) -> None:
    played(house)
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    house.said("backup", file)
    leaked = {"CARDROOM_PASSWORD": password_of("kim"), "CARDROOM_NEW_PASSWORD": new_password_of("kim")}
    assert house.run("user", "change-password", "--by", "kim", **leaked).exit_code == 0
    pin = {"CARDROOM_PASSWORD": password_of("carl"), "CARDROOM_NEW_PIN": "4471"}
    assert house.run("user", "change-pin", "--by", "carl", **pin).exit_code == 0
    without = restore_with(new, file)
    assert "Without --old, all users need a new password after the restore." in without.stdout
    shown = restore_with(new, file, "--old", house.database)
    assert "  now: kim has another password\n" in shown.stdout
    assert "  now: carl has another PIN\n" in shown.stdout
    other = restore_with(new, file, "--old", house.database, "--confirm", code_of(new, file))
    assert other.exit_code == 2, "the code of a list that does not name kim was taken"
    done = restore(new, file, "--old", house.database)
    assert done.exit_code == 0, done.output
    assert "Recover these users, whose passwords stopped working: carl, kim." in " ".join(done.stdout.split())
    for login in ("kim", "carl"):
        for password in (password_of(login), new_password_of(login)):
            refused = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=password)
            assert "The login or the password is wrong" in refused.stderr
    new = new.signed_in_again("rosa", "lee", "vera")
    assert {one["login"]: one["state"] for one in new.read_json("user", "list")["users"]}[
        "kim"
    ] == "needs a new password"
    once = new.read_json("user", "recover", "kim", "--by", "rosa", "--second", "lee")["once"]
    assert new.run("sign-in", "kim", CARDROOM_SESSION="", CARDROOM_PASSWORD=once).exit_code == 0
    assert new.read_json("verify")["whole"]


def test_without_the_old_database_no_password_of_the_backup_is_accepted_after_a_restore(house: House) -> None:
    played(house)
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    house.said("backup", file)
    code, both = code_of(new, file), ("rosa", "lee")
    for variable, given, sentence in (
        ("CARDROOM_NEW_PASSWORD", "", "New password of rosa is missing"),
        ("CARDROOM_SECOND_NEW_PASSWORD", "", "New password of lee is missing"),
        ("CARDROOM_NEW_PASSWORD", "short", "The password is too short"),
        ("CARDROOM_NEW_PASSWORD", password_of("rosa"), "rosa has this password in the backup"),
        ("CARDROOM_SECOND_NEW_PASSWORD", password_of("lee"), "lee has this password in the backup"),
    ):
        refused = new.run("restore", file, "--by", "rosa", "--second", "lee", "--confirm", code, **{variable: given})
        assert (refused.exit_code, sentence in refused.stderr) == (2, True), refused.output
    assert not (house.folder / "new.db").exists()
    renewed = json.loads(restore(new, file, "--json").stdout)["renewed"]
    assert set(renewed["users"]) == {*house.sessions} - {*both}
    for login in house.sessions:
        refused = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=password_of(login))
        assert (refused.exit_code, "The login or the password is wrong" in refused.stderr) == (2, True), refused.output
    for login in both:
        signed = new.run("sign-in", login, CARDROOM_SESSION="", CARDROOM_PASSWORD=new_password_of(login))
        assert signed.exit_code == 0, signed.output
    assert new.read_json("verify")["whole"]


def is_accepted(house: House, token: str) -> bool:
    """Whether the room takes a device's token."""
    with open_ledger(house.database) as ledger:
        try:
            return find_token_holder(CardRoom(ledger), token).device == token.partition(".")[0]
        except BadToken:
            return False


def devices_before_and_after(house: House, file: str) -> dict[str, tuple[str, ...]]:
    """The tokens of three devices: one that was stolen and renewed after a backup, one that was withdrawn after it, and
    one that nothing happened to."""
    house.open()
    kinds = {"T-1001": "tabulator", "T-1002": "led", "T-1003": "led"}
    tokens = {name: house.read_json("device", "add", "table-1", name, kinds[name])["token"] for name in kinds}
    house.said("backup", file)
    renewed = house.read_json("device", "renew", "T-1001", "--why", "The token was stolen")["token"]
    house.read_json("device", "remove", "T-1002", "--why", "The unit was stolen")
    return {"T-1001": (tokens["T-1001"], renewed), "T-1002": (tokens["T-1002"],), "T-1003": (tokens["T-1003"],)}


def test_without_the_old_database_no_device_token_of_the_backup_is_accepted_after_a_restore(house: House) -> None:
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    tokens = devices_before_and_after(house, file)
    done = restore(new, file)
    assert done.exit_code == 0, done.output
    assert not [token for each in tokens.values() for token in each if is_accepted(new, token)]
    listed = "Renew these devices, whose tokens stopped working: T-1001, T-1002, T-1003."
    assert listed in " ".join(done.stdout.split())
    third = house.books(f"sqlite:///{house.folder / 'third.db'}")
    assert "All devices need a new token." in restore_with(third, file).stdout
    with open_ledger(new.database) as ledger:
        token = CardRoom(ledger).renew_device_token("renew", "rosa", "T-1001", "Restored").token
    assert is_accepted(new, token or "")
    assert new.read_json("verify")["whole"]


def test_a_restore_keeps_the_tokens_that_the_old_database_shows_unchanged_and_no_others(house: House) -> None:
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    tokens = devices_before_and_after(house, file)
    renewed = json.loads(restore(new, file, "--old", house.database, "--json").stdout)["renewed"]
    stolen, of_the_unit = tokens["T-1001"]
    assert not is_accepted(new, stolen)
    assert not is_accepted(new, of_the_unit)
    assert not is_accepted(new, *tokens["T-1002"])
    assert is_accepted(new, *tokens["T-1003"])
    assert renewed["devices"] == ["T-1001", "T-1002"]


def test_a_restore_keeps_no_token_that_a_new_secret_has_ended_since(house: House) -> None:
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    token = devices_before_and_after(house, file)["T-1003"][0]
    rotate = ("key", "rotate", "--to", str(house.folder / "new.key"), "--new-secret", "--why", "Sam left")
    assert "T-1003" in house.read_json(*rotate, "--by", "rosa", "--second", "lee")["renewed"]["devices"]
    assert "  now: T-1003 has another token\n" in restore_with(new, file, "--old", house.database).stdout
    renewed = json.loads(restore(new, file, "--old", house.database, "--json").stdout)["renewed"]
    assert "T-1003" in renewed["devices"]
    assert not is_accepted(new, token)


def test_a_backup_of_books_in_which_no_user_could_sign_in_needs_no_user(empty_house: House) -> None:
    with open_ledger(empty_house.database) as ledger:
        CardRoom(ledger).open_day("open", "Olga", None)
    file = str(empty_house.folder / "backup.db")
    empty_house.said("backup", file)
    new = empty_house.books(f"sqlite:///{empty_house.folder / 'new.db'}")
    assert new.read_json("restore", file)["restored_by"] == []


def test_a_backup_that_was_changed_is_not_restored(house: House) -> None:
    played(house)
    file = house.folder / "backup.db"
    house.said("backup", str(file))
    with sqlite3.connect(file) as books:
        for (name,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            books.execute(f'DROP TRIGGER "{name}"')
        books.execute("UPDATE entries SET amount = amount + 1 WHERE chain = 'jackpot:final-four' AND sequence = 3")
    books.close()
    new = house.books(f"sqlite:///{house.folder / 'new.db'}")
    result = restore(new, str(file))
    assert result.exit_code == 1
    assert "Event 3 of jackpot:final-four" in result.stderr
    assert new.read_json("verify")["events"] == 0


def test_without_books_there_is_nothing_to_back_up(empty_house: House) -> None:
    assert "no database" in empty_house.refused("backup", str(empty_house.folder / "backup.db"))
