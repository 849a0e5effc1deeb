"""A server that freezes while it holds locks does not stop the others, and believes nothing when it wakes up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg

from cardroom.ledger import Head, Outcome, open_ledger, verify_chains
from cardroom.ledger.postgresql import HELD_UP
from tests.deadline import wait_until
from tests.ledger.deeds import JACKPOT, wager

ROOT = Path(__file__).parents[2]
LONGEST = 3.0
"""Seconds for which a frozen server may stall the others."""


@contextmanager
def another_server(url: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.attack.frozen_server", url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.communicate()


def says(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def wakes_up_and_decides_again(process: subprocess.Popen[str]) -> None:
    """What it had decided was undone, and it does not believe that it was stored."""
    os.kill(process.pid, signal.SIGCONT)
    go_on(process)
    assert says(process) == "deciding"
    go_on(process)
    assert says(process).startswith("stored")


def test_a_server_that_is_frozen_with_locks_stalls_no_one_for_long_and_stores_nothing_twice(
    postgresql_url: str,
) -> None:
    """The other server waits three seconds for a lock at most: where the frozen one kept it longer, its command would
    be refused."""
    with open_ledger(postgresql_url, patience=LONGEST) as ledger:
        ledger.carry_out(wager("first"))
        with another_server(postgresql_url) as frozen:
            assert says(frozen) == "deciding"
            os.kill(frozen.pid, signal.SIGSTOP)
            assert not ledger.carry_out(wager("second")).repeated
            wakes_up_and_decides_again(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_whole


def test_a_server_that_is_frozen_while_it_waits_for_a_lock_stalls_no_one_either(postgresql_url: str) -> None:
    """The database gives it the lock although it is frozen, and takes it back."""
    plain = wager("first")
    with open_ledger(postgresql_url, patience=LONGEST) as ledger, another_server(postgresql_url) as frozen:

        def decide(heads: Mapping[str, Head | None]) -> Outcome:
            wait_until(lambda: sessions(postgresql_url, "wait_event_type = 'Lock'") > 0)
            os.kill(frozen.pid, signal.SIGSTOP)
            return plain.decide(heads)

        assert not ledger.carry_out(replace(plain, decide=decide)).repeated
        assert not ledger.carry_out(wager("second")).repeated
        os.kill(frozen.pid, signal.SIGCONT)
        assert says(frozen) == "deciding", "the answer of the database came before it was frozen"
        wakes_up_and_decides_again(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_whole


def test_a_server_that_decides_for_long_keeps_its_locks(postgresql_url: str) -> None:
    """It is not frozen: it says now and then that it is there."""
    plain, decided = wager("long"), list[str]()
    of_age = f"xact_start < state_change - interval '{2 * HELD_UP} milliseconds'"

    def decide(heads: Mapping[str, Head | None]) -> Outcome:
        decided.append(plain.id)
        wait_until(lambda: sessions(postgresql_url, f"state = 'idle in transaction' AND {of_age}") > 0)
        return plain.decide(heads)

    with open_ledger(postgresql_url) as ledger:
        assert not ledger.carry_out(replace(plain, decide=decide)).repeated
    assert decided == ["long"], "it was decided once"


def sessions(url: str, where: str) -> int:
    """How many sessions of a database are in a state."""
    with psycopg.connect(url, autocommit=True) as connection:
        asked = f"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND {where}"
        found = connection.execute(asked.encode()).fetchone()
    return int(found[0]) if found else 0
