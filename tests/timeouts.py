"""The program's own timeouts, so long that none of them runs out in a test.

A timeout of some seconds decides what a user sees when a database, a server, or a device does not answer. On a busy
machine it would decide about a test too. A test of a timeout sets it to what it needs. A program that a test starts has
its own timeouts: it calls ``lengthen`` itself.
"""

from __future__ import annotations

from inspect import unwrap
from typing import Any, Final

from cardroom.cli.shared import ledger_access as office
from cardroom.heads import destinations
from cardroom.ledger import connect as opening
from cardroom.ledger import open_ledger, postgresql, postgresql_leases, sqlite_leases
from cardroom.odds.simulation import cluster
from cardroom.service.commands import users as people
from cardroom.web.devices import screens as following
from cardroom.web.middleware import read_timeouts as patience
from cardroom.web.prometheus import exporter as figures
from cardroom.web.services import coach
from cardroom.web.services import monitoring as health
from cardroom_equipment_simulators import commands as device_commands
from cardroom_equipment_simulators import connection as line
from tests.deadline import LIMIT

LONG: Final = 2 * LIMIT
"""Seconds: whatever a test waits for comes before this, or the test has failed."""
LONG_MS: Final = round(1_000 * LONG)
HELD_UP: Final = postgresql.IDLE_TIMEOUT_MS
LIFE: Final = postgresql_leases.SERVER_TIMEOUT
FOR_HEADERS: Final = patience.HEADER_SECONDS
FOR_BODY: Final = patience.BODY_SECONDS
"""As they are in the program, for the tests that are about them."""


def lengthen() -> None:
    """Let no timeout run out in this process, unless a test sets it."""
    # Databases
    for function in (open_ledger, opening.open_store):
        _change_default(function, "lock_timeout", LONG)
    office.LOCK_TIMEOUT = LONG  # type: ignore[misc]
    postgresql.IDLE_TIMEOUT_MS = LONG_MS  # type: ignore[misc]
    postgresql.CONNECT_OPTIONS.update(connect_timeout=round(LONG), tcp_user_timeout=LONG_MS)
    health.CHECK_TIMEOUT = figures.TIMEOUT_SECONDS = LONG  # type: ignore[misc]
    # Servers, witnesses, and clusters
    patience.HEADER_SECONDS = patience.BODY_SECONDS = patience.REST_OF_BODY_SECONDS = LONG  # type: ignore[misc]
    people._MAX_WAITS = round(LONG / people._SECONDS_BETWEEN_WAITS)
    coach.COACH_TIMEOUT = LONG  # type: ignore[misc]
    destinations.COMMAND_TIMEOUT = destinations.WITNESS_TIMEOUT = LONG
    for function in (cluster.simulate_on_cluster, cluster.cluster_executor, cluster.refuse_unreachable):
        _change_default(function, "timeout_seconds", LONG)
    # Devices
    line.RESPONSE_SECONDS = device_commands._SCREEN_TIMEOUT = following.HEARTBEAT = LONG  # type: ignore[misc]


def lengthen_leases() -> None:
    """Let no server of this process count as gone while it runs, however rarely it says that it is there."""
    sqlite_leases.SERVER_TIMEOUT = postgresql_leases.SERVER_TIMEOUT = LONG  # type: ignore[misc]


def _change_default(function: Any, name: str, value: float) -> None:
    """Give a parameter of a function another default."""
    function = unwrap(function)
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = list(function.__defaults__)
    defaults[names.index(name) - len(names)] = value
    function.__defaults__ = tuple(defaults)
