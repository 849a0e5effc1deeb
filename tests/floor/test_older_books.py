"""Books from before a counted round was known for ever: they open, verify, and know their rounds from then on.

`books_of_version_1.sql` is a dump of such books. At prime-1 they counted r1, r2 and r1 again, a round by hand, and two
whose ids nobody may use today; r2 was void, and a prize of r3 was paid.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import create_engine

from cardroom.floor import Floor, restore, verify, verify_floor
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.tabulator.unit import CannotTabulate
from cardroom.ledger import backup_ledger, migrate, open_ledger, schema, system_clock
from tests.floor.scenes import THREE_OF_A_KIND, new_id, play
from tests.ledger.server import fresh_database
from tests.ledger.tampering import Attacker
from tests.ledger.test_tampering import FileAttacker, ServerAttacker

DUMP = Path(__file__).parent / "books_of_version_1.sql"
CHAIN = "table:prime-1"
OLD = [table for table in schema.TABLES if table is not schema.names]


def old_file(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(DUMP.read_text())
    connection.close()
    return path


def old_rows(path: Path) -> Iterator[tuple[Any, list[Any]]]:
    connection = sqlite3.connect(path)
    for table in OLD:
        yield table, connection.execute(schema.select(table)).fetchall()
    connection.close()


def old_server(url: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same books on a server."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection, monkeypatch.context() as then:
        then.setattr(migrate, "VERSION", "0001")
        migrate.migrate(connection, url)
        connection.commit()
    engine.dispose()
    with psycopg.connect(url) as connection:
        for table, rows in old_rows(path):
            connection.cursor().executemany(schema.insert(table, "%s"), rows)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Older books that nobody has opened since."""
    file = old_file(tmp_path / "old.db")
    if request.param == "sqlite":
        yield f"sqlite:///{file}"
        return
    with fresh_database(request.getfixturevalue("server"), "older_books", "template0") as address:
        old_server(address, file, monkeypatch)
        yield address


@pytest.fixture
def floor(url: str) -> Iterator[Floor]:
    # A clock that is brought along is believed: the books are older than the machine's count of time.
    with open_ledger(url, lambda: system_clock()) as ledger:
        yield Floor(ledger)


@pytest.fixture
def attacker(floor: Floor, url: str, tmp_path: Path) -> Iterator[Attacker]:
    """Somebody who has the books in hand after they were opened."""
    assert floor.tables()
    if url.startswith("sqlite"):
        in_a_file = FileAttacker(tmp_path / "old.db")
        yield in_a_file
        in_a_file.connection.close()
        return
    with psycopg.connect(url, autocommit=True) as connection:
        yield ServerAttacker(connection)


def test_older_books_open_and_verify_and_nothing_of_them_has_changed(url: str, tmp_path: Path) -> None:
    before = {table.name: sorted(rows) for table, rows in old_rows(tmp_path / "old.db")}
    with open_ledger(url) as ledger:
        assert verify_floor(ledger).is_whole
        with ledger.store.reading() as now:
            assert {table.name: sorted(now.rows(table)) for table in OLD} == before
            assert [row[1:] for row in now.rows(schema.names)] == [
                ("r2", 3),
                ("r1", 4),
                ("by hand", 6),
                ("two\nlines", 7),
                ("r3", 11),
            ]
    assert verify(url, cores=1).is_whole


def test_the_rounds_of_older_books_are_known(floor: Floor) -> None:
    for round_id, command in (("r1", "press-3"), ("r2", "press-2"), ("by hand", "hand-1"), ("r3", "press-4")):
        with pytest.raises(CannotTabulate, match=rf"Round {round_id} has been counted already: .* command {command}"):
            play(floor, round_id=round_id)
    play(floor, round_id="r4")
    with pytest.raises(CannotTabulate, match="Round r4 has been counted already"):
        play(floor, round_id="r4")
    with pytest.raises(BadClaim, match="were paid already"):
        floor.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r3", THREE_OF_A_KIND)
    assert floor.void_round(new_id(), "Sam", "prime-1", "r1", "counted twice", second="Flo").counts["final-four"] == -1
    assert verify_floor(floor.ledger).is_whole


@pytest.mark.parametrize(
    ("sql", "sentence"),
    [
        ("DELETE FROM names WHERE name = 'r2'", "Event 3 of table:prime-1 (press-2/1): its name is missing."),
        ("DELETE FROM names WHERE name = 'r1'", "Event 2 of table:prime-1 (press-1/1): its name is missing."),
        ("UPDATE names SET name = 'r9' WHERE name = 'r2'", "Event 3 of table:prime-1 (press-2/1): its names do not"),
        (
            "UPDATE names SET sequence = 2 WHERE name = 'r1'",
            "Event 4 of table:prime-1 (press-3/1): its name is missing.",
        ),
        (
            "UPDATE names SET sequence = 1 WHERE name = 'r2'",
            "Event 1 of table:prime-1 (open-table/2): its names do not",
        ),
        ("UPDATE names SET sequence = 99 WHERE name = 'r2'", "'r2', the name of event 99 of table:prime-1, belongs to"),
        ("INSERT INTO names VALUES ('table:prime-1', 'r9', 3)", "Event 3 of table:prime-1 (press-2/1): its names do"),
        ("INSERT INTO names VALUES ('jackpot:final-four', 'r9', 3)", "Event 3 of jackpot:final-four (press-"),
    ],
)
def test_a_name_of_an_older_round_that_was_changed_is_found(
    floor: Floor, attacker: Attacker, sql: str, sentence: str
) -> None:
    assert verify_floor(floor.ledger).is_whole
    attacker.execute(sql)
    report = verify_floor(floor.ledger)
    assert report.discrepancy is not None
    assert report.discrepancy.sentence.startswith(sentence)


def test_an_older_backup_is_restored_and_stays_as_it_was(tmp_path: Path) -> None:
    old = old_file(tmp_path / "old.db")
    before = old.read_bytes()
    assert restore(old, f"sqlite:///{tmp_path}/new.db").report.is_whole
    assert old.read_bytes() == before
    with open_ledger(f"sqlite:///{tmp_path}/new.db") as ledger:
        with pytest.raises(CannotTabulate, match="Round r2 has been counted already"):
            play(Floor(ledger), round_id="r2")
        backup_ledger(ledger, tmp_path / "again.db")
    assert restore(tmp_path / "again.db", f"sqlite:///{tmp_path}/newer.db").report.is_whole
