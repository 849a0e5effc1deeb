"""A server that freezes while it holds locks does not stop the other servers. When it wakes up, it decides again."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import replace

import psycopg
import pytest

from cardroom.ledger import CommandOutcome, Head, open_ledger, postgresql, verify_chains
from tests.attack.frozen_server import read_line, start_frozen_server
from tests.deadline import wait_until
from tests.ledger.play_commands import JACKPOT, wager
from tests.timeouts import HELD_UP

LONGEST_MS = 3_000
"""How long a frozen server may delay the others. `make bench` measures it; this test does not depend on the machine."""


def resume(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def wake_and_expect_new_decision(process: subprocess.Popen[str]) -> None:
    """Wake the server. Its first decision was rolled back, and it must decide again before it reports success."""
    os.kill(process.pid, signal.SIGCONT)
    resume(process)
    line = read_line(process)
    assert line == "deciding"
    while line == "deciding":  # once, unless the machine delays it again
        resume(process)
        line = read_line(process)
    assert line.startswith("stored")


def test_a_server_that_freezes_with_locks_does_not_delay_the_others_for_long_and_stores_once(
    postgresql_url: str,
) -> None:
    """The other server gets the lock while the first server is frozen: the database takes it from the frozen server."""
    with open_ledger(postgresql_url) as ledger:
        ledger.execute(wager("first"))
        with start_frozen_server(postgresql_url) as frozen:
            assert read_line(frozen) == "deciding"
            os.kill(frozen.pid, signal.SIGSTOP)
            assert not ledger.execute(wager("second")).is_repeat
            assert HELD_UP < LONGEST_MS
            wake_and_expect_new_decision(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_intact


def test_a_server_that_freezes_while_it_waits_for_a_lock_does_not_delay_the_others_for_long(
    postgresql_url: str,
) -> None:
    """The database gives the lock to the frozen server, and then takes it back."""
    command, waiting = wager("first"), set[int]()
    with open_ledger(postgresql_url) as ledger, start_frozen_server(postgresql_url) as frozen:

        def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
            waiting.update(wait_until(lambda: list_sessions(postgresql_url, "wait_event_type = 'Lock'")))
            os.kill(frozen.pid, signal.SIGSTOP)
            return command.decide(heads)

        assert not ledger.execute(replace(command, decide=decide)).is_repeat
        # The frozen server holds the lock and is idle until the database ends its session. Before that, the next
        # command could get the lock.
        wait_until(lambda: not waiting & list_sessions(postgresql_url, "state = 'active'"))
        assert not ledger.execute(wager("second")).is_repeat
        os.kill(frozen.pid, signal.SIGCONT)
        assert read_line(frozen) == "deciding", "the response of the database arrived before the server froze"
        wake_and_expect_new_decision(frozen)
        commands = [event.id.partition("/")[0] for event in ledger.events(JACKPOT)]
        assert commands == ["first", "second", "frozen"]
        assert verify_chains(ledger).is_intact


def test_a_server_that_needs_long_to_decide_keeps_its_locks(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is not frozen: it sends a sign of life now and then. If the machine itself delays it that long, the
    database rolls back the transaction, and the server decides again."""
    monkeypatch.setattr(postgresql, "IDLE_TIMEOUT_MS", HELD_UP)
    command, held_long = wager("long"), list[bool]()
    open_now = "state = 'idle in transaction'"
    long_open = f"{open_now} AND xact_start < state_change - interval '{2 * HELD_UP} milliseconds'"

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        wait_until(lambda: list_sessions(postgresql_url, long_open) or not list_sessions(postgresql_url, open_now))
        held_long.append(bool(list_sessions(postgresql_url, long_open)))
        return command.decide(heads)

    with open_ledger(postgresql_url) as ledger:
        assert not ledger.execute(replace(command, decide=decide)).is_repeat
    assert held_long[-1], "the stored transaction was open longer than that of a frozen server can be"


def list_sessions(url: str, where: str) -> set[int]:
    """The process ids of the database sessions that are in a state."""
    with psycopg.connect(url, autocommit=True) as connection:
        query = f"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND {where}"
        return {pid for (pid,) in connection.execute(query.encode())}
