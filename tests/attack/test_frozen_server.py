"""A server that freezes while it holds locks does not stop the others, and believes nothing when it wakes up."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace

import psycopg
import pytest

from cardroom.ledger import CommandOutcome, Head, open_ledger, postgresql, verify_chains
from tests.attack.frozen_server import another_server, says
from tests.deadline import wait_until
from tests.ledger.play_commands import JACKPOT, wager
from tests.timeouts import HELD_UP

LONGEST_MS = 3_000
"""How long a frozen server may stall the others. `make bench` measures it; here nothing depends on the machine."""


def go_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def wakes_up_and_decides_again(process: subprocess.Popen[str]) -> None:
    """What it had decided was undone, and it does not believe that it was stored."""
    os.kill(process.pid, signal.SIGCONT)
    go_on(process)
    said = says(process)
    assert said == "deciding"
    while said == "deciding":  # once, unless the machine holds it up again
        go_on(process)
        said = says(process)
    assert said.startswith("stored")


def test_a_server_that_is_frozen_with_locks_stalls_no_one_for_long_and_stores_nothing_twice(
    postgresql_url: str,
) -> None:
    """The other server gets the lock while the first one is frozen: the database takes it from there."""
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(wager("first"))
        with another_server(postgresql_url) as frozen:
            assert says(frozen) == "deciding"
            os.kill(frozen.pid, signal.SIGSTOP)
            assert not ledger.execute(wager("second")).is_repeat
            assert HELD_UP < LONGEST_MS
            wakes_up_and_decides_again(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_intact


def test_a_server_that_is_frozen_while_it_waits_for_a_lock_stalls_no_one_either(postgresql_url: str) -> None:
    """The database gives it the lock although it is frozen, and takes it back."""
    plain, waiting = wager("first"), set[int]()
    with open_ledger(postgresql_url) as ledger, another_server(postgresql_url) as frozen:

        def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
            waiting.update(wait_until(lambda: sessions(postgresql_url, "wait_event_type = 'Lock'")))
            os.kill(frozen.pid, signal.SIGSTOP)
            return plain.decide(heads)

        assert not ledger.execute(replace(plain, decide=decide)).is_repeat
        # With the lock it is idle until the database ends it. Before that, the next command could be given the lock.
        wait_until(lambda: not waiting & sessions(postgresql_url, "state = 'active'"))
        assert not ledger.execute(wager("second")).is_repeat
        os.kill(frozen.pid, signal.SIGCONT)
        assert says(frozen) == "deciding", "the answer of the database came before it was frozen"
        wakes_up_and_decides_again(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_intact


def test_a_server_that_decides_for_long_keeps_its_locks(postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not frozen: it says now and then that it is there. Where the machine itself holds it up for as long, the
    database undoes the transaction, and it decides again."""
    monkeypatch.setattr(postgresql, "IDLE_TIMEOUT_MS", HELD_UP)
    plain, kept = wager("long"), list[bool]()
    open_now = "state = 'idle in transaction'"
    of_age = f"{open_now} AND xact_start < state_change - interval '{2 * HELD_UP} milliseconds'"

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        wait_until(lambda: sessions(postgresql_url, of_age) or not sessions(postgresql_url, open_now))
        kept.append(bool(sessions(postgresql_url, of_age)))
        return plain.decide(heads)

    with open_ledger(postgresql_url) as ledger:
        assert not ledger.execute(replace(plain, decide=decide)).is_repeat
    assert kept[-1], "the transaction that was stored was older than a frozen server's could be"


def sessions(url: str, where: str) -> set[int]:
    """The sessions of a database that are in a state, by the number of their process."""
    with psycopg.connect(url, autocommit=True) as connection:
        query = f"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND {where}"
        return {pid for (pid,) in connection.execute(query.encode())}
