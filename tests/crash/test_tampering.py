"""After an evening a user changes a single byte of what is stored: ``cardroom verify`` says no, and names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner, Result

from cardroom.cli.app import app
from cardroom.ledger import open_ledger
from cardroom.ledger.schema import BACKUP_TABLES, column_names
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, parse_table_chain
from tests.crash.commands import carry_out
from tests.crash.evening import Evening
from tests.ledger.server import fresh_database
from tests.ledger.tampering import Attacker
from tests.ledger.test_tampering import FileAttacker, ServerAttacker
from tests.service.table_evening import an_evening_at_five_games

STORED = [(table.name, column) for table in BACKUP_TABLES for column in column_names(table)]


def play(url: str, seed: int) -> None:
    """An evening without crashes; beside it, tables of all five games."""
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        for one in Evening(seed).commands(60):
            if one.answer is not None:
                carry_out(card_room, one.command)
        an_evening_at_five_games(card_room, Random(seed), 2)
        assert len(card_room.get_room_secret()) == 32


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, seed_of_the_session: int
) -> Iterator[tuple[str, Attacker]]:
    """The address of an evening's books, and a user who has the file or the server in hand."""
    if request.param == "sqlite":
        file: Path = tmp_path_factory.mktemp("evening") / "ledger.db"
        play(f"sqlite:///{file}", seed_of_the_session)
        attacker = FileAttacker(file)
        yield f"sqlite:///{file}", attacker
        attacker.connection.close()
        return
    with fresh_database(request.getfixturevalue("server"), "evening") as url:
        play(url, seed_of_the_session)
        with psycopg.connect(url, autocommit=True) as connection:
            yield url, ServerAttacker(connection)


def verify(url: str) -> Result:
    return CliRunner().invoke(app, ["verify", "--database", url])


def flipped(random: Random, value: Any) -> Any:
    """The value with one byte changed, as far as the column takes it."""
    if isinstance(value, int):
        return value ^ (1 << random.randrange(20))
    if isinstance(value, bytes):
        at = random.randrange(len(value))
        return value[:at] + bytes([value[at] ^ (1 << random.randrange(8))]) + value[at + 1 :]
    at = random.randrange(len(value))
    other = random.choice([one for one in '0123456789abcxyz{}":,' if one != value[at]])
    return value[:at] + other + value[at + 1 :]


def names(table: str, column: str, row: dict[str, Any], changed: dict[str, Any]) -> list[str]:
    """What a sentence may say, so that a user finds the row. An event that was moved leaves a gap in its chain, or
    the chain too short; then it is the chain that is named."""
    key = {"heads": "chain", "balances": "account", "commands": "id", "secrets": "chain"}.get(table)
    if table == "events" and column in ("chain", "sequence"):
        key = "chain"
    if table == "secrets" and row["chain"] != ROOM_CHAIN:
        return [parse_table_chain(row["chain"]) or "", changed["chain"]]  # the round whose key it is
    if key is not None:
        return [row[key], changed[key]]
    return [f"vent {one['sequence']} of {one['chain']}" for one in (row, changed)]


@pytest.mark.parametrize(("table", "column"), STORED)
def test_a_changed_byte_is_found_and_named(evening: tuple[str, Attacker], table: str, column: str, seed: int) -> None:
    url, attacker = evening
    random = Random(f"{seed} {table} {column}")
    (stored,) = [one for one in BACKUP_TABLES if one.name == table]
    rows = attacker.rows(stored)
    while True:
        row = random.choice(rows)
        changed = row | {column: flipped(random, row[column])}
        try:
            with attacker.changed(stored, row, **{column: changed[column]}):
                result = verify(url)
        except Attacker.Clash:
            continue  # there is such a row already: the database itself refuses a second one
        break
    output = f"{result.stdout}{result.stderr} {row[column]!r} became {changed[column]!r}"
    assert result.exit_code == 1, output
    assert result.stdout.startswith("Verification failed. "), output
    assert any(name in result.stdout for name in names(table, column, row, changed)), output


def test_what_no_user_touched_is_whole(evening: tuple[str, Attacker]) -> None:
    result = verify(evening[0])
    assert (result.exit_code, result.stdout[:10]) == (0, "Verified: ")


def test_a_trigger_that_was_taken_away_is_named(evening: tuple[str, Attacker]) -> None:
    url, attacker = evening
    if isinstance(attacker, FileAttacker):
        name = "events_refuse_update"
        (put_back,) = attacker.connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        attacker.connection.execute(f"DROP TRIGGER {name}")
        found = verify(url)
        attacker.connection.execute(put_back)
    else:
        name = "events_refuse_change"
        attacker.execute(f"ALTER TABLE events DISABLE TRIGGER {name}")
        found = verify(url)
        attacker.execute(f"ALTER TABLE events ENABLE TRIGGER {name}")
    assert (found.exit_code, verify(url).exit_code) == (1, 0)
    assert found.stdout.startswith(
        f"Verification failed. The trigger {name}, which keeps events as it was written, is "
    )
