"""Server metrics, the health check, and the notices of the office.

Metrics are plain numbers in memory, without names or money, counted in the server's own thread.

>>> histogram = DurationHistogram()
>>> for seconds in (0.001, 0.03, 0.03, 60.0): histogram.add(seconds)
>>> histogram.cumulative_counts()
[('0.002', 1), ('0.005', 1), ('0.01', 1), ('0.025', 1), ('0.05', 3), ('0.1', 3), ('0.25', 3), ('0.5', 3), ('1.0', 3), \
('2.5', 3), ('10.0', 3), ('+Inf', 4)]

The health check tests whether the server can execute commands: the database is reachable and writable, and the clock is
right. A load balancer requests it, and the server runs it every second, so that the log shows a problem and its end
once each.

Notices appear at the top of every office page: an operator was recovered at the machine, or there is only one operator.
"""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from cardroom.ledger import ConnectionLost, Ledger, LedgerDamaged, LedgerUnavailable
from cardroom.ledger.errors import format_error
from cardroom.room.site.recovery import describe_recovery
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.user.permissions import Role
from cardroom.service import CardRoom
from cardroom.service.chains.names import parse_user_chain, user_chain
from cardroom.web.services.executors import Executors
from cardroom.web.services.lease_manager import LeaseManager

if TYPE_CHECKING:
    from cardroom.service import SharedTableView


HISTOGRAM_BOUNDS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds."""


class DurationHistogram:
    """A histogram of durations."""

    __slots__ = ("_counts", "total")

    def __init__(self) -> None:
        self._counts = [0] * (len(HISTOGRAM_BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(HISTOGRAM_BOUNDS, seconds)] += 1
        self.total += seconds

    def cumulative_counts(self) -> list[tuple[str, float]]:
        """The number of durations up to each bound."""
        return list(zip((*map(str, HISTOGRAM_BOUNDS), "+Inf"), accumulate(self._counts), strict=True))


class ServerMetrics:
    """Metrics since the start of the server."""

    def __init__(self) -> None:
        self.calls: dict[tuple[str, str, int], DurationHistogram] = {}
        """By method, route template, and status."""
        self.commands = DurationHistogram()
        """From the start of a command until it is stored or refused."""
        self.failed_logins = 0
        self.rounds: Counter[tuple[str, str]] = Counter()
        """Settled rounds at followed tables, by kind of table and game."""
        self._last_rounds: dict[str, int] = {}
        """The number of rounds of each table at the last update."""

    def record_call(self, method: str, path: str, status: int, seconds: float) -> None:
        """Record a request."""
        key = method, path, status
        histogram = self.calls.get(key)
        if histogram is None:
            histogram = self.calls[key] = DurationHistogram()
        histogram.add(seconds)

    def record_failed_login(self) -> None:
        self.failed_logins += 1

    def on_table_change(self, snapshot: SharedTableView) -> None:
        """Count the rounds that have ended since the last update."""
        state = snapshot.state
        before = self._last_rounds.get(state.table)
        if state.closed:
            self._last_rounds.pop(state.table, None)
        else:
            self._last_rounds[state.table] = state.rounds
        if before is not None and state.rounds > before:
            kind = "practice" if state.table.startswith(PRACTICE_PREFIX) else str(state.terms.mode)
            self.rounds[kind, state.game.facts.slug] += state.rounds - before


log = logging.getLogger(__name__)

CHECK_SECONDS: Final = 1.0
"""Seconds between two checks by the server."""
CHECK_TIMEOUT: Final = 2.0
"""Seconds until a database counts as unreachable."""
DATABASE_UNREACHABLE: Final = "The database is unreachable."


class HealthCheck:
    """Checks whether commands can be executed."""

    def __init__(self, ledger: Ledger, lease_manager: LeaseManager, executors: Executors) -> None:
        self._ledger, self._lease_manager, self._executors = ledger, lease_manager, executors
        self._executor = ThreadPoolExecutor(1, "health")
        self._checking: asyncio.Future[Exception | None] | None = None
        self._fault = ""

    async def check(self) -> str:
        """The problem as a public sentence; empty if there is none. Simultaneous requests share one check."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().run_in_executor(self._executor, self._probe)
        try:
            async with asyncio.timeout(CHECK_TIMEOUT):
                fault = await asyncio.shield(self._checking)
        except TimeoutError:
            fault = ConnectionLost(DATABASE_UNREACHABLE, f"no response in {CHECK_TIMEOUT:g} seconds")
        sentence = _sentence(fault)
        if fault is not None and sentence != self._fault:
            log.error("the database accepts no commands", extra={"fault": format_error(fault)})
        elif self._fault and not sentence:
            log.info("the database accepts commands again")
        self._fault = sentence
        return sentence

    def _probe(self) -> Exception | None:
        try:
            self._ledger.head("room")
            self._ledger.check_clock()
            if self._ledger.last_error is not None or self._lease_manager.fault is not None:
                self._ledger.probe()
        except (LedgerUnavailable, LedgerDamaged) as fault:
            return fault
        return self._executors.refusal

    async def run(self) -> None:
        """Check repeatedly."""
        while True:
            await self.check()
            await asyncio.sleep(CHECK_SECONDS)

    def close(self) -> None:
        """Stop checking."""
        self._executor.shutdown(cancel_futures=True)


def _sentence(fault: Exception | None) -> str:
    match fault:
        case None:
            return ""
        case ConnectionLost() | LedgerDamaged():
            return DATABASE_UNREACHABLE
    return str(fault)


SINGLE_OPERATOR: Final = (
    "Only one operator can sign in. If that person forgets the password or leaves, only someone at the server machine "
    "can help. Add a second operator now."
)
REGISTER: Final = "/office/users/new"


class OfficeNotice(NamedTuple):
    """A notice on every office page."""

    text: str
    address: str
    """The URL of the page that resolves it."""
    link: str


class OfficeNotices:
    """The current notices. Thread-safe."""

    def __init__(self, card_room: CardRoom, *, demo: bool) -> None:
        self._card_room, self._demo = card_room, demo
        self._operators: dict[str, tuple[int, bool]] = {}

    def read(self) -> tuple[OfficeNotice, ...]:
        """The current notices. Blocks while it reads the ledger."""
        calendar = self._card_room.calendar
        recovered = tuple(
            OfficeNotice(
                describe_recovery(recovery, calendar), f"/office/users/{recovery.login}/acknowledge", "Acknowledge"
            )
            for recovery in self._card_room.users.list_open_recoveries()
        )
        has_one_operator = not self._demo and self._count_operators() < 2
        return (*recovered, OfficeNotice(SINGLE_OPERATOR, REGISTER, "Add a user")) if has_one_operator else recovered

    def _count_operators(self) -> int:
        lengths = self._card_room.ledger.chain_lengths(user_chain(""))
        operators = self._operators
        self._operators = {
            chain: operators[chain]
            if operators.get(chain, (0, False))[0] == events
            else (events, self._is_operator(chain))
            for chain, events in lengths.items()
        }
        return sum(is_operator for _, is_operator in self._operators.values())

    def _is_operator(self, chain: str) -> bool:
        login = parse_user_chain(chain)
        if login is None:
            return False
        state = self._card_room.user(login)
        return state.is_active and state.role is Role.OPERATOR and state.has_own_password
