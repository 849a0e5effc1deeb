"""`cardroom backup` while the card room plays on, and `cardroom restore` into an empty database."""

from __future__ import annotations

import json
import sqlite3

from typer.testing import Result

from cardroom.floor import Floor
from cardroom.ledger import open_ledger
from tests.cli.house import House
from tests.floor.staff import password_of


def restore(house: House, file: str, *more: str) -> Result:
    """Two people restore a backup, when both have looked at its users and devices."""
    return restore_with(house, file, "--confirm", code_of(house, file), *more)


def restore_with(house: House, file: str, *more: str) -> Result:
    return house.run("restore", file, "--by", "rosa", "--second", "lee", *more, CARDROOM_PASSWORD=password_of("rosa"))


def code_of(house: House, file: str) -> str:
    """What they are told to confirm the list with."""
    shown = restore_with(house, file, "--json")
    return str(json.loads(shown.stdout)["confirm"]) if shown.exit_code == 2 and shown.stdout else "none"


def played(house: House) -> int:
    house.open()
    for number in range(3):
        house.jackpot("tabulate", "table-1", "--positions", "1-4", "--round", f"r{number}", by="kim")
    return house.events()


def test_a_backup_is_made_while_somebody_writes(house: House) -> None:
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
    assert house.told("backup", file)["events"] == events
    server = house.books(empty_house_on_postgresql.database)
    restored = json.loads(restore(server, file, "--json").stdout)
    assert (restored["whole"], restored["restored_by"]) == (True, ["rosa", "lee"])
    assert restored["events"] > events + restored["renewed"]["sessions"]
    server = server.signed_in_again()
    server.jackpot("tabulate", "table-1", "--positions", "1", by="kim")
    back = str(house.folder / "back.db")
    server.said("backup", back)
    third = house.books(f"sqlite:///{house.folder / 'third.db'}")
    assert restore(third, back).stdout.startswith("Whole: ")
    third = third.signed_in_again()
    assert third.meter() == server.meter()
    assert third.meter()["shown_cents"] == 5_002_60


def test_a_backup_never_writes_over_anything(house: House) -> None:
    played(house)
    file = house.folder / "backup.db"
    file.write_text("precious")
    assert "never writes over" in house.refused("backup", str(file))
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
        ((), "rosa", "Say who does this with --by LOGIN"),
        (("--by", "rosa"), "rosa", "Nobody may restore the books alone"),
        (("--by", "rosa", "--second", "rosa"), "rosa", "cannot be the second one"),
        (("--by", "rosa", "--second", "lee"), "kim", "The login or the password is wrong"),
        (("--by", "mallory", "--second", "lee"), "rosa", "The login or the password is wrong"),
        (("--by", "lee", "--second", "rosa"), "lee", "lee is a supervisor, who may not restore the books"),
        (("--by", "rosa", "--second", "kim"), "rosa", "kim is a dealer: who signs beside another"),
    ):
        result = new.run("restore", str(file), *more, CARDROOM_PASSWORD=password_of(password))
        assert (result.exit_code, sentence in result.stderr) == (2, True), result.output
    assert not (house.folder / "new.db").exists()
    assert file.read_bytes() == before
    assert restore(new, str(file)).exit_code == 0
    assert file.read_bytes() == before
    with open_ledger(new.database) as ledger:
        assert [event.kind for event in ledger.events("person:rosa")][-2:] == ["signed-in", "session-ended"]
    new = new.signed_in_again("aldo")
    told = [one["sentences"] for one in new.told("people", "log", "lee", "--by", "aldo")["events"]]
    assert told[0].startswith("Signed beside rosa, at the command line")
    assert ": Restore the books with " in told[0]


def test_a_restore_waits_until_two_people_have_confirmed_every_user_and_device(house: House) -> None:
    played(house)
    house.told("device", "register", "table-1", "T-1001", "tabulator")
    file, new = str(house.folder / "backup.db"), house.books(f"sqlite:///{house.folder / 'new.db'}")
    house.said("backup", file)
    house.told("people", "dismiss", "kim", "--why", "Moved away", "--by", "rosa", "--second", "lee")
    for more in ((), ("--confirm", "yes"), ("--confirm", "0000-0000")):
        shown = restore_with(new, file, *more)
        assert shown.exit_code == 2
        assert "kim (Kim), dealer\n" in shown.stdout
        assert "T-1001, tabulator of table-1, token 1\n" in shown.stdout
        assert "Nothing was restored. Changes after the backup are not in it" in shown.stderr
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


def test_a_backup_of_books_in_which_nobody_could_sign_in_needs_nobody(empty_house: House) -> None:
    with open_ledger(empty_house.database) as ledger:
        Floor(ledger).open_day("open", "Olga", None)
    file = str(empty_house.folder / "backup.db")
    empty_house.said("backup", file)
    new = empty_house.books(f"sqlite:///{empty_house.folder / 'new.db'}")
    assert new.told("restore", file)["restored_by"] == []


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
    assert new.told("verify")["events"] == 0


def test_without_books_there_is_nothing_to_back_up(empty_house: House) -> None:
    assert "no books" in empty_house.refused("backup", str(empty_house.folder / "backup.db"))
