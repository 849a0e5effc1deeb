"""Books of another version, of another program, or none at all: they are named in a sentence, and left as they are."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from cardroom.ledger.schema import VERSION, VERSION_TABLE
from tests.cli.card_room import CliRoom
from tests.service.staff import password_of

LOOKS = [
    ("verify",),
    ("jackpot", "list"),
    ("jackpot", "history", "x"),
    ("heads", "print"),
    ("jackpot", "enable", "x"),
]


@contextmanager
def in_hand(cli_room: CliRoom) -> Iterator[Any]:
    """The database itself."""
    if cli_room.database.startswith("sqlite"):
        with sqlite3.connect(cli_room.folder / "ledger.db") as connection:
            yield connection
        connection.close()
        return
    with psycopg.connect(cli_room.database, autocommit=True) as server:
        yield server


def bytes_of(cli_room: CliRoom) -> bytes:
    """A file as it is; a server has none."""
    file = cli_room.folder / "ledger.db"
    return file.read_bytes() if file.exists() else b""


def refused_everywhere(cli_room: CliRoom, sentence: str) -> None:
    before = bytes_of(cli_room)
    for look in LOOKS:
        assert sentence in cli_room.read_refusal(*look)
    assert bytes_of(cli_room) == before


def test_an_empty_database_has_no_books_and_stays_empty(each_empty_cli_room: CliRoom) -> None:
    cli_room = each_empty_cli_room
    if cli_room.database.startswith("sqlite"):
        (cli_room.folder / "ledger.db").touch()
    refused_everywhere(cli_room, "There is no database at")
    first = ("init", "rosa", "--name", "Rosa Diaz")
    assert cli_room.run(*first, CARDROOM_PASSWORD=password_of("rosa")).exit_code == 0
    assert cli_room.read_json("verify")["whole"]


def test_a_database_of_something_else_is_left_alone(each_empty_cli_room: CliRoom) -> None:
    with in_hand(each_empty_cli_room) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    refused_everywhere(each_empty_cli_room, "contains something else (recipes")


def test_a_text_is_no_database(cli_room: CliRoom) -> None:
    (cli_room.folder / "ledger.db").write_text("Dear sir or madam, " * 100)
    refused_everywhere(cli_room, "is not a ledger")


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (
            "0999",
            f"was written by a newer Cardroom (its tables have version 0999, this program supports {VERSION})",
        ),
        ("0000", f"has tables of version '0000', which no Cardroom has had (this one supports {VERSION})"),
        ("mine", f"has tables of version 'mine', which no Cardroom has had (this one supports {VERSION})"),
    ],
)
def test_tables_of_a_version_that_is_not_known_are_named(each_cli_room: CliRoom, version: str, sentence: str) -> None:
    each_cli_room.open()
    with in_hand(each_cli_room) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'")
        connection.execute(f"UPDATE ledger_readable SET since = '{version}'")
    for look in LOOKS[:2]:
        assert sentence in each_cli_room.read_refusal(*look)


def test_tables_that_do_not_say_their_version_are_named(each_cli_room: CliRoom) -> None:
    each_cli_room.open()
    with in_hand(each_cli_room) as connection:
        connection.execute(f"DELETE FROM {VERSION_TABLE}")
    assert "does not say which version its tables have" in each_cli_room.read_refusal("verify")


def test_a_trigger_that_is_gone_makes_verify_say_no(each_cli_room: CliRoom) -> None:
    each_cli_room.open()
    gone = "events_refuse_delete" if each_cli_room.database.startswith("sqlite") else "events_refuse_change ON events"
    with in_hand(each_cli_room) as connection:
        connection.execute(f"DROP TRIGGER {gone}")
    said = each_cli_room.read_output("verify", exit_code=1)
    name = gone.split()[0]
    assert said.startswith(
        f"Verification failed. The trigger {name}, which keeps events as it was written, is missing."
    )
    found = each_cli_room.read_json("verify", exit_code=1)
    assert (found["whole"], found["discrepancy"]["id"]) == (False, name)
