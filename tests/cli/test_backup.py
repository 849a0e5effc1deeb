"""`cardroom backup` while the card room plays on, and `cardroom restore` into an empty database."""

from __future__ import annotations

import sqlite3

from tests.cli.house import House


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
    assert House(f"sqlite:///{file}", house.folder).events() == events


def test_a_backup_moves_between_the_databases(house: House, house_on_postgresql: House) -> None:
    events, file = played(house), str(house.folder / "backup.db")
    assert house.told("backup", file)["events"] == events
    restored = house_on_postgresql.told("restore", file)
    assert (restored["whole"], restored["events"]) == (True, events)
    house_on_postgresql.jackpot("tabulate", "table-1", "--positions", "1", by="kim")
    back = str(house.folder / "back.db")
    house_on_postgresql.said("backup", back)
    third = House(f"sqlite:///{house.folder / 'third.db'}", house.folder)
    assert third.said("restore", back).startswith("Whole: ")
    assert third.meter() == house_on_postgresql.meter()
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
    assert "not empty" in house.refused("restore", file)
    new = House(f"sqlite:///{house.folder / 'new.db'}", house.folder)
    assert "no backup" in new.refused("restore", str(house.folder / "none.db"))
    (house.folder / "list.txt").write_text("A shopping list. " * 500)
    assert new.run("restore", str(house.folder / "list.txt")).exit_code == 2


def test_a_backup_that_was_changed_is_not_restored(house: House) -> None:
    played(house)
    file = house.folder / "backup.db"
    house.said("backup", str(file))
    with sqlite3.connect(file) as books:
        for (name,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            books.execute(f'DROP TRIGGER "{name}"')
        books.execute("UPDATE entries SET amount = amount + 1 WHERE chain = 'jackpot:final-four' AND sequence = 3")
    books.close()
    new = House(f"sqlite:///{house.folder / 'new.db'}", house.folder)
    result = new.run("restore", str(file))
    assert result.exit_code == 1
    assert "Event 3 of jackpot:final-four" in result.stderr
    assert new.told("verify")["events"] == 0


def test_without_books_there_is_nothing_to_back_up(house: House) -> None:
    assert "no books" in house.refused("backup", str(house.folder / "backup.db"))
