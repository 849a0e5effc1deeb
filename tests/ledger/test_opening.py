"""Which addresses open a ledger, which databases become one, and which are left alone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from cardroom.ledger import (
    BadLedger,
    ConnectionLost,
    LedgerUnavailable,
    backup_ledger,
    open_ledger,
    restore_ledger,
    verify_chains,
)
from cardroom.ledger.schema import VERSION, VERSION_TABLE, metadata
from cardroom.ledger.schema_version import MIGRATIONS
from tests.ledger.play_commands import note


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "is not the address of a ledger"),
        ("ledger.db", "is not the address of a ledger"),
        ("mysql://host/x", "is not the address of a ledger"),
        ("oracle://me:secret@host/x", "oracle://me:[*]{3}@host/x is not the address"),
        ("sqlite://", "must outlive the program"),
        ("sqlite:///:memory:", "must outlive the program"),
        ("sqlite:////nowhere/at/all/ledger.db", "There is no folder /nowhere/at/all"),
        ("postgresql://host:port/x", "is not the address of a ledger"),
        ("postgresql://localhost/x?colour=red", "is not the address of a database"),
    ],
)
def test_an_address_that_is_none_is_explained(url: str, sentence: str) -> None:
    with pytest.raises(BadLedger, match=sentence):
        open_ledger(url)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadLedger):
        open_ledger(f"sqlite:///{tmp_path}")


def test_a_server_that_is_not_there_is_unavailable_not_wrong(tmp_path: Path) -> None:
    with pytest.raises(ConnectionLost) as caught:
        open_ledger(f"postgresql://me:secret@/ledger?host={tmp_path}")
    assert "secret" not in str(caught.value)


def test_a_database_that_is_not_there_is_named(postgresql_url: str) -> None:
    with pytest.raises(BadLedger):
        open_ledger(postgresql_url.replace("/test_", "/nothing_"))


def test_both_spellings_of_a_postgresql_address_open_the_same_ledger(postgresql_url: str) -> None:
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(note("a"))
    for scheme in ("postgresql+psycopg://", "postgres://"):
        with open_ledger(postgresql_url.replace("postgresql://", scheme)) as ledger:
            assert ledger.chains() == ("house",)


def test_a_file_that_is_no_ledger_is_left_alone(tmp_path: Path) -> None:
    letter, other = tmp_path / "letter.db", tmp_path / "other.db"
    letter.write_text("Dear sir or madam, " * 100)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(BadLedger):
        open_ledger(f"sqlite:///{letter}")
    with pytest.raises(BadLedger):
        open_ledger(f"sqlite:///{other}")
    assert letter.read_text() == "Dear sir or madam, " * 100


def test_a_server_database_with_other_tables_is_left_alone(empty_postgresql_url: str) -> None:
    with psycopg.connect(empty_postgresql_url) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(BadLedger):
        open_ledger(empty_postgresql_url)


def written(url: str, *statements: str) -> str:
    """The same address, after a user else has written there."""
    if url.startswith("sqlite"):
        with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
            for one in statements:
                file.execute(one)
        file.close()
    else:
        with psycopg.connect(url) as server:
            for one in statements:
                server.execute(one)
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty ledger."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_url"))
    address = f"sqlite:///{tmp_path}/ledger.db"
    open_ledger(address).close()
    return address


NEWER = f"UPDATE {VERSION_TABLE} SET version_num = '9999'"


@pytest.mark.parametrize(
    "since", ["UPDATE ledger_readable SET since = '9998'", "DELETE FROM ledger_readable", "DROP TABLE ledger_readable"]
)
def test_books_of_a_newer_program_are_refused_unless_they_say_that_older_ones_may_use_them(
    url: str, since: str
) -> None:
    with pytest.raises(BadLedger, match="9999"):
        open_ledger(written(url, NEWER, since))


def test_while_servers_are_brought_up_to_date_the_older_ones_open_and_work(url: str, tmp_path: Path) -> None:
    """A newer program has only added to the tables, and says so: this one works on them and leaves them as they are."""
    with open_ledger(url) as running:
        running.execute(note("before"))
        written(url, NEWER, "CREATE TABLE added_later (name TEXT)", "INSERT INTO added_later VALUES ('x')")
        running.execute(note("meanwhile"))
        with open_ledger(url) as started_again:
            started_again.execute(note("after"))
            assert verify_chains(started_again).is_intact
            assert started_again.store.migrated_from is None
            backup_ledger(started_again, tmp_path / "copy.db")
    with open_ledger(f"sqlite:///{tmp_path}/copy.db") as copy:
        assert [event.command_id for event in copy.events()] == ["before", "meanwhile", "after"]
    written(url, "DELETE FROM added_later WHERE name = 'x'")


def test_a_backup_of_a_newer_program_that_only_added_tables_is_restored(url: str, tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/newer.db") as ledger:
        ledger.execute(note("kept"))
    written(f"sqlite:///{tmp_path}/newer.db", NEWER, "CREATE TABLE added_later (name TEXT)")
    assert restore_ledger(tmp_path / "newer.db", url).events == 1


def test_a_file_that_may_only_be_read_is_explained(tmp_path: Path) -> None:
    # A file on a disk that cannot be written; permissions would not stop the administrator.
    with pytest.raises(LedgerUnavailable):
        open_ledger("sqlite:////proc/version")


def test_the_migrations_end_where_the_schema_stands(tmp_path: Path, postgresql_url: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_current_head() == VERSION
    file = f"sqlite:///{tmp_path}/ledger.db"
    open_ledger(file).close()
    for url in (file, postgresql_url.replace("postgresql://", "postgresql+psycopg://")):
        engine = create_engine(url)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
            assert compare_metadata(context, metadata) == []
        engine.dispose()


def test_opening_a_ledger_that_is_there_does_not_load_the_migrations(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/ledger.db"
    with open_ledger(url) as ledger:
        assert verify_chains(ledger).is_intact
    code = (
        f"import sys; from cardroom.ledger import open_ledger; open_ledger({url!r}); "
        "print({'alembic', 'psycopg'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "set()\n"
