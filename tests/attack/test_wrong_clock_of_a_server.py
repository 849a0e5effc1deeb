"""A server with a wrong clock would store wrong dates. It compares its clock with the database's clock and stops."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from cardroom.ledger import ClockDiffers, Ledger, open_ledger
from tests.deadline import LIMIT, wait_until
from tests.ledger.play_commands import wager
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room

SHIFTED = """
    CREATE SCHEMA shifted;
    CREATE TABLE shifted.seconds (by float NOT NULL);
    INSERT INTO shifted.seconds VALUES (0);
    CREATE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.clock_timestamp() + (SELECT by FROM shifted.seconds) * interval '1 second' $$;
    CREATE FUNCTION shifted.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.now() + (SELECT by FROM shifted.seconds) * interval '1 second' $$;
"""
Shift = Callable[[float], None]


@pytest.fixture
def shift(postgresql_url: str) -> Iterator[Shift]:
    """Set the clock of the database a number of seconds ahead."""
    with psycopg.connect(postgresql_url, autocommit=True) as connection:
        connection.execute(SHIFTED)
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET search_path = shifted, pg_catalog, public")
        yield lambda seconds: connection.execute("UPDATE shifted.seconds SET by = %s", (seconds,)) and None


@pytest.fixture
def ledger(postgresql_url: str, shift: Shift) -> Iterator[Ledger]:
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(wager("first"))
        yield ledger


@pytest.mark.parametrize(("seconds", "direction"), [(3.0, "behind"), (-3.0, "ahead of"), (86_400.0, "behind")])
def test_a_server_whose_clock_differs_from_the_databases_clock_stores_nothing(
    ledger: Ledger, shift: Shift, seconds: float, direction: str
) -> None:
    before = list(ledger.events())
    shift(seconds)
    with pytest.raises(
        ClockDiffers, match=rf"This server's clock is [0-9.]+ seconds {direction} the clock of the database"
    ):
        ledger.execute(wager("second"))
    with pytest.raises(ClockDiffers):
        ledger.probe()
    assert list(ledger.events()) == before
    shift(0)
    assert not ledger.execute(wager("second")).is_repeat


def test_a_clock_that_differs_by_less_than_two_seconds_is_accepted(ledger: Ledger, shift: Shift) -> None:
    shift(-1.5)
    assert not ledger.execute(wager("second")).is_repeat


def test_a_server_with_a_wrong_clock_renews_no_leases(ledger: Ledger, shift: Shift) -> None:
    """The server cannot run its tables, so other servers must get them."""
    leases = ledger.store.lease_registry("wrong")
    assert leases.renew(["table:one"])
    shift(3)
    with pytest.raises(ClockDiffers):
        leases.renew(["table:one"])
    leases.close()


def get_health(room: ServedRoom) -> httpx.Response:
    return httpx.get(f"{room.url}/healthz")


def test_a_wrong_clock_shows_in_the_health_check_and_the_log_until_it_is_corrected(
    tmp_path: Path, postgresql_url: str, shift: Shift, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.INFO, "cardroom.web.services.monitoring"),
        serve_room(tmp_path, QUICK, database=postgresql_url) as room,
    ):
        table, ann = room.open_table("one"), room.players.admit_guest()
        assert get_health(room).status_code == 200
        shift(-5)
        wait_until(lambda: "the database accepts no commands" in caplog.text)
        result = get_health(room)
        assert result.status_code == 503
        assert "seconds ahead of the clock of the database" in result.json()["error"]
        refused = ann.post(f"/tables/{table}/seat", id=new_id(), buy_in_cents=100_00)
        assert (refused.status_code, "ahead of the clock" in refused.json()["error"]) == (503, True)
        shift(0)
        wait_until(lambda: get_health(room).status_code == 200)
        wait_until(lambda: "the database accepts commands again" in caplog.text)
        assert ann.sit(table)["seat"]


def test_a_server_that_starts_with_a_wrong_clock_reports_it_and_opens_when_it_is_corrected(
    tmp_path: Path, postgresql_url: str, shift: Shift
) -> None:
    """After the correction, the server draws new keys for the tables before it executes any command."""
    with serve_room(tmp_path, QUICK, database=postgresql_url) as room:
        table, ann = room.open_table("one"), room.players.admit_guest()
        ann.sit(table)
        before = room.card_room.table(table).seal
    shift(-5)
    with serve_room(tmp_path, QUICK, database=postgresql_url) as room:
        wrong = get_health(room)
        assert wrong.status_code == 503
        assert "seconds ahead of the clock of the database" in wrong.json()["error"]
        calls = {"Authorization": f"Bearer {ann.token}"}
        wagers = {"id": new_id(), "wagers": {"ante-play": 10_00}}
        response = httpx.post(f"{room.url}/api/v1/tables/{table}/wagers", json=wagers, headers=calls, timeout=LIMIT)
        assert response.status_code == 503
        assert room.card_room.table(table).seal == before
        shift(0)
        wait_until(lambda: get_health(room).status_code == 200)
        assert room.card_room.table(table).seal != before
        response = httpx.post(f"{room.url}/api/v1/tables/{table}/wagers", json=wagers, headers=calls, timeout=LIMIT)
        assert response.status_code == 200, response.text
