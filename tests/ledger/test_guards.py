"""A user takes the triggers away that keep history as it was written: a verification misses them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg
import pytest

from cardroom.ledger import Finding, backup_ledger, open_ledger, verify_chains
from tests.ledger.play_commands import JACKPOT, fill

NEVER = "is never changed: a correction is a new event."
REFUSE = "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()"
MOVED = (
    "DROP TRIGGER commands_refuse_change ON commands; "
    f"CREATE TRIGGER commands_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON heads {REFUSE}"
)
EMPTY = "CREATE OR REPLACE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} END $$"


def found_in_file(path: Path, *play_commands: str) -> Finding:
    """What a verification names after these commands."""
    with open_ledger(f"sqlite:///{path}") as ledger:
        fill(ledger)
        assert verify_chains(ledger).is_intact
        with sqlite3.connect(path) as connection:
            for command in play_commands:
                connection.execute(command)
        connection.close()
        finding = verify_chains(ledger).finding
    assert finding is not None
    return finding


def keeps(trigger: str, what: str) -> str:
    table = trigger.partition("_")[0]
    return f"The trigger {trigger}, which keeps {table} as it was written, {what}."


@pytest.mark.parametrize("table", ["events", "entries", "names", "commands"])
@pytest.mark.parametrize("command", ["update", "delete", "replace"])
def test_a_trigger_that_was_dropped_from_a_file_is_missed(tmp_path: Path, table: str, command: str) -> None:
    trigger = f"{table}_refuse_{command}"
    found = found_in_file(tmp_path / "ledger.db", f"DROP TRIGGER {trigger}")
    assert found.sentence.startswith(keeps(trigger, "is missing"))
    assert (found.table, found.id) == ("triggers", trigger)


@pytest.mark.parametrize(
    "instead",
    [
        "BEFORE UPDATE ON events BEGIN SELECT 1; END",
        "BEFORE UPDATE ON events WHEN FALSE BEGIN SELECT RAISE(ABORT, 'A row of events NEVER'); END",
        "BEFORE UPDATE OF id ON events BEGIN SELECT RAISE(ABORT, 'A row of events NEVER'); END",
    ],
)
def test_a_trigger_of_a_file_that_does_something_else_is_named(tmp_path: Path, instead: str) -> None:
    made = f"CREATE TRIGGER events_refuse_update {instead.replace('NEVER', NEVER)}"
    found = found_in_file(tmp_path / "ledger.db", "DROP TRIGGER events_refuse_update", made)
    assert found.sentence.startswith(keeps("events_refuse_update", "was changed"))


def test_the_very_same_trigger_put_back_is_whole_again(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        fill(ledger)
        with sqlite3.connect(tmp_path / "ledger.db") as connection:
            (text,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'events_refuse_update'").fetchone()
            connection.execute("DROP TRIGGER events_refuse_update")
            connection.execute(text)
        connection.close()
        assert verify_chains(ledger).is_intact


def test_a_trigger_that_the_ledger_never_made_is_named(tmp_path: Path) -> None:
    alien = "CREATE TRIGGER tip AFTER INSERT ON heads BEGIN DELETE FROM balances; END"
    found = found_in_file(tmp_path / "ledger.db", alien)
    assert found.sentence.startswith("The trigger tip on heads does not belong to the ledger.")


def test_what_was_changed_says_more_than_the_trigger_that_is_gone(tmp_path: Path) -> None:
    change = f"UPDATE events SET payload = '{{}}' WHERE chain = '{JACKPOT}' AND sequence = 3"
    found = found_in_file(tmp_path / "ledger.db", "DROP TRIGGER events_refuse_update", change)
    assert (found.table, found.chain, found.sequence) == ("events", JACKPOT, 3)


def test_a_backup_of_books_without_triggers_has_all_of_them_again(tmp_path: Path) -> None:
    found_in_file(tmp_path / "ledger.db", "DROP TRIGGER events_refuse_update")
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        backup_ledger(ledger, tmp_path / "backup.db")
    with open_ledger(f"sqlite:///{tmp_path}/backup.db") as again:
        assert verify_chains(again).is_intact


MISSING, OFF, CHANGED = "is missing", "is disabled", "was changed"
ON_A_SERVER = [
    ("entries", MISSING, "DROP TRIGGER entries_refuse_change ON entries"),
    ("names", OFF, "ALTER TABLE names DISABLE TRIGGER names_refuse_change"),
    ("events", OFF, "ALTER TABLE events DISABLE TRIGGER USER"),
    ("events", OFF, "ALTER TABLE events ENABLE REPLICA TRIGGER events_refuse_change"),
    ("commands", CHANGED, f"CREATE OR REPLACE TRIGGER commands_refuse_change BEFORE DELETE ON commands {REFUSE}"),
    (
        "commands",
        CHANGED,
        f"CREATE OR REPLACE TRIGGER commands_refuse_change BEFORE UPDATE OF id OR DELETE ON commands {REFUSE}",
    ),
    ("commands", MISSING, MOVED),
    ("commands", CHANGED, EMPTY.format("RETURN NULL;")),
]


@pytest.mark.parametrize(("table", "what", "play_commands"), ON_A_SERVER)
def test_a_trigger_that_does_not_keep_history_on_a_server_is_named(
    postgresql_url: str, table: str, what: str, play_commands: str
) -> None:
    found = found_on_server(postgresql_url, play_commands)
    assert found.sentence.startswith(keeps(f"{table}_refuse_change", what))


def test_a_trigger_that_the_ledger_never_made_is_named_on_a_server(postgresql_url: str) -> None:
    found = found_on_server(postgresql_url, f"CREATE TRIGGER tip BEFORE DELETE ON heads {REFUSE}")
    assert found.sentence.startswith("The trigger tip on heads does not belong to the ledger.")


def found_on_server(url: str, play_commands: str) -> Finding:
    with open_ledger(url) as ledger:
        fill(ledger)
        assert verify_chains(ledger).is_intact
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(play_commands.encode())
        finding = verify_chains(ledger).finding
    assert finding is not None
    return finding
