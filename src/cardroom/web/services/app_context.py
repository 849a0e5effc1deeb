"""The card room as it stands behind its web addresses: the floor, and all who work around it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable, system_clock
from cardroom.ledger.errors import format_error
from cardroom.machine_config import NO_DESTINATION, HeadsDestination
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.user.permissions import Permission
from cardroom.room.user.sign_in import NoSession, SignInFailed, UserSession, WrongPin
from cardroom.room.user.state import sign_in_place
from cardroom.service import CardRoom, SharedTableView, TableResult
from cardroom.service.commands.signatures import (
    Signature,
    SignatureMissing,
    SignaturePart,
    SignatureRequest,
    execute_with_signatures,
)
from cardroom.service.commands.users import NewSession
from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS, PasswordAttempts, RequestLimits, TokenBuckets
from cardroom.web.middleware.rejections import RateLimited, RejectionLog
from cardroom.web.middleware.sign_in_queue import QueueFull, SignInQueue
from cardroom.web.services.bots import Bots, Pause, StrategyCache, human_pause, warm_up
from cardroom.web.services.change_feed import POLL_SECONDS, ChangeFeed
from cardroom.web.services.coach import CoachService
from cardroom.web.services.device_monitor import DeviceMonitor
from cardroom.web.services.event_hub import HEARTBEAT, EventHub
from cardroom.web.services.executors import Executors
from cardroom.web.services.lab import LabService
from cardroom.web.services.lease_manager import DatabaseListener, LeaseManager
from cardroom.web.services.live_pages import LivePages
from cardroom.web.services.monitoring import HealthCheck, OfficeNotices, ServerMetrics
from cardroom.web.services.presence import Presence
from cardroom.web.services.sessions import GuestTokens, KnownAddresses, SessionCache
from cardroom.web.services.simulations import SimulationRuns
from cardroom.web.services.table_timers import AbsentPlayers, Timekeeper
from cardroom.web.services.verification import HeadExporter, VerificationJob
from cardroom.web.services.workers import JobCache

log = logging.getLogger(__name__)

P = ParamSpec("P")
S = TypeVar("S")
MAX_PRACTICE_TABLES: Final = 5
REFUSAL_SECONDS: Final = 0.5
"""Seconds. A wrong password is answered a whole number of these after it began to be compared, so that the time of the
answer does not tell an unknown login from a known one."""


@dataclass(frozen=True)
class ServerOptions:
    """What an operator decides about the web addresses of a room."""

    secure: bool = False
    """Whether people reach it over a line that nobody else reads: TLS here, or at the proxy before it."""
    demo: bool = False
    """Whether it is a room to try out, that only this computer reaches."""
    host_names: frozenset[str] = frozenset()
    """The names of hosts under which it is called; empty where every name will do."""
    guests: bool = False
    """Whether anybody may come in, with play money."""
    practice_tables: int = MAX_PRACTICE_TABLES
    """How many a player may have open."""
    bot_pause: Pause = human_pause
    """How long company takes to make up its mind."""
    coach: bool = True
    """Whether the coach is made ready before anybody asks."""
    edges: bool = True
    """Whether the lobby says what the house keeps; it is counted when it is shown first."""
    heartbeat: float = HEARTBEAT
    poll_seconds: float = POLL_SECONDS
    """Seconds between two questions what other programs have done, and two looks around the room."""
    limits: RequestLimits = DEFAULT_LIMITS
    refusal_seconds: float = REFUSAL_SECONDS
    heads: HeadsDestination = NO_DESTINATION
    """Where signed heads go, as the machine's configuration says."""


class AppContext:
    """Everything that a call may need."""

    def __init__(self, floor: CardRoom, options: ServerOptions | None = None, clock: Clock = system_clock) -> None:
        self.floor, self.options, self.clock = floor, options or ServerOptions(), clock
        self.metrics = ServerMetrics()
        self.rejection_log = RejectionLog()
        self.executors = Executors(self.metrics.commands.add)
        self.guest_rate = TokenBuckets(self.options.limits.guests)
        """Guests by the address that they come from."""
        self.password_attempts = PasswordAttempts()
        """Wrong passwords by address."""
        self.sign_in_queue = SignInQueue()
        self.notices = OfficeNotices(floor, demo=self.options.demo)
        self.tokens = GuestTokens(floor.get_room_secret())
        self.sessions = SessionCache(floor, self.executors, clock)
        self.known_places = KnownAddresses(floor, self.executors)
        self.presence = Presence(clock)
        self.event_hub = EventHub(self.options.heartbeat, self.presence)
        self.change_feed = ChangeFeed(floor, self.executors, self.event_hub, self.options.poll_seconds)
        self.live_pages = LivePages(self.executors, self.presence)
        self.change_feed.add_chain_listener(self.live_pages.on_change)
        self.change_feed.add_chain_listener(self.sessions.on_change)
        self.change_feed.add_table_listener(self.metrics.on_table_change)
        self.device_monitor = DeviceMonitor(floor, clock, self.live_pages.on_change)
        self.lease_manager = LeaseManager(floor.ledger.store, self.change_feed)
        self.head_exporter = HeadExporter(
            floor, self.lease_manager, self.options.heads, clock, self.options.poll_seconds, self.live_pages.on_change
        )
        self.health_check = HealthCheck(floor.ledger, self.lease_manager, self.executors)
        self.database_listener = DatabaseListener(floor.ledger.store, self.change_feed, self.lease_manager)
        self.timekeeper = Timekeeper(floor, self.executors, self.change_feed, self.lease_manager, clock)
        self.absent_players = AbsentPlayers(
            floor, self.executors, self.change_feed, self.lease_manager, self.presence, clock, self.options.poll_seconds
        )
        self.strategy_cache = StrategyCache()
        self.bots = Bots(
            floor, self.executors, self.change_feed, self.lease_manager, self.strategy_cache, self.options.bot_pause
        )
        self.coach = CoachService()
        self.verification = VerificationJob(floor.ledger.store.url, clock, self.options.heads)
        self.job_cache = JobCache(self.live_pages.on_change)
        self.lab = LabService(self.live_pages.on_change)
        self.simulations = SimulationRuns(self.live_pages.on_change, self.live_pages.is_followed)
        self.stopping = asyncio.Event()
        """Set when the server stops, for whoever has something open that would never end by itself."""
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Look at every felt, and from then on keep the time and the company. A server that cannot carry out commands,
        because its clock is wrong or the disk is full, opens as soon as it can; until then its health says why."""
        await self.change_feed.begin()
        self.job_cache.open()
        self.lab.open()
        await self.executors.query(warm_up, [snapshot.state.open_table.table for snapshot in self.change_feed.tables()])
        try:
            await self._take_tables()
        except LedgerUnavailable as fault:
            self.executors.refusal = fault
            log.error("the room cannot open yet", extra={"fault": format_error(fault)})
        by_themselves = (
            self.database_listener.run,
            self.change_feed.run,
            self.lease_manager.run,
            self.timekeeper.run,
            self.absent_players.run,
        )
        rounds = (
            *by_themselves,
            self._monitor_devices,
            self.head_exporter.run,
            self.health_check.run,
            self.known_places.run,
        )
        self._tasks = [asyncio.create_task(self._run_forever(snapshot)) for snapshot in rounds]
        if self.executors.refusal is not None:
            self._tasks.append(asyncio.create_task(self._run_forever(self._retry_opening)))
        if self.options.coach:
            self._tasks.append(asyncio.create_task(self.coach.warm_up()))

    async def _take_tables(self) -> None:
        await self.lease_manager.begin()
        await self._renew_seals()

    async def _retry_opening(self) -> None:
        """Try again and again; commands wait until the keys of the tables are new."""
        while self.executors.refusal is not None:
            await asyncio.sleep(self.options.poll_seconds)
            try:
                await self._take_tables()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                self.executors.refusal = fault
            else:
                self.executors.refusal = None
                log.info("the room is open")
        await asyncio.Event().wait()

    async def _renew_seals(self) -> None:
        """A database that was copied back looks like the present one, and players may know the keys in it: this server
        deals no round from a key that was drawn before it started. Tables that another server runs keep theirs. A
        practice table is for play money and for its owner alone."""
        states = [
            snapshot.state for snapshot in self.change_feed.tables() if self.floor.has_foreign_seal(snapshot.state)
        ]
        tables = [
            snapshot.table for snapshot in states if not snapshot.seats or self.lease_manager.lease(snapshot.table)
        ]
        if tables:
            for table in await self.executors.execute_before_opening(
                self.floor.renew_seals, tables, "the server was started"
            ):
                self.change_feed.notify_table(table)

    async def _monitor_devices(self) -> None:
        await self.device_monitor.run(self.executors, self.options.poll_seconds)

    async def _run_forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Work that must never end while the house is open; a fault of our own is noted, and it goes on."""
        while True:
            try:
                await work()
            except Exception:
                log.exception("work of the house has stopped and begins again")
                await asyncio.sleep(1)

    async def sign_in(self, login: str, password: str, address: str) -> NewSession:
        """Somebody signs in."""
        return await self.check_password(address, self.floor.sign_in, login, password, address)

    async def check_password(self, client_address: str, sign: Callable[P, S], *args: P.args, **kwargs: P.kwargs) -> S:
        """Compare a password that was typed at an address: counted first, then in its turn."""
        if wait := self.password_attempts.begin(client_address):
            self.rejection_log.counts["passwords too often"] += 1
            raise RateLimited(
                "Too many wrong passwords came from this address: wait a minute, then type yours again.", wait
            )
        counts, began = False, self._wall_seconds()
        try:
            place = sign_in_place(client_address)
            async with self.sign_in_queue.turn(place, is_known=place in self.known_places):
                began = self._wall_seconds()
                return await self.executors.compare_password(sign, *args, **kwargs)
        except (SignInFailed, WrongPin, NoSession):
            counts = True
            self.metrics.record_failed_login()
            await self._pad_response_time(began)
            raise
        except asyncio.CancelledError:
            counts = True  # a caller who leaves before the answer has typed a password all the same
            raise
        except (RateLimited, QueueFull):
            self.rejection_log.counts["sign-ins waiting"] += 1
            raise
        finally:
            if not counts:
                self.password_attempts.give_back(client_address)

    async def _pad_response_time(self, began: float) -> None:
        """Wait for the next moment at which a wrong password is answered."""
        if every := self.options.refusal_seconds:
            await asyncio.sleep(every - (self._wall_seconds() - began) % every)

    def _wall_seconds(self) -> float:
        return asyncio.get_running_loop().time()

    async def execute_with_signatures(
        self, do: Callable[[], S], sign: Callable[[SignatureRequest], Awaitable[Signature]]
    ) -> S:
        """Carry out a command that other people sign first: each is asked for what it would do, and nothing else."""
        signatures: list[Signature] = []
        for _ in SignaturePart:
            try:
                return await self.executors.execute(execute_with_signatures, do, *signatures)
            except SignatureMissing as unsigned:
                signatures.append(await sign(unsigned.request))
        return await self.executors.execute(execute_with_signatures, do, *signatures)

    async def sign(
        self, to_sign: SignatureRequest, password: str, *, permission: Permission, address: str
    ) -> Signature:
        """Another person signs one command with the password."""
        return await self.check_password(
            address, self.floor.countersign, to_sign, password, permission=permission, address=address
        )

    async def unlock(self, session: UserSession, pin: str, address: str) -> None:
        """Somebody is back at a device."""
        await self.check_password(address, self.floor.unlock_session, session, pin, address)
        self.sessions.mark_active(session)

    async def execute_at_table(
        self, command: Callable[P, TableResult], *args: P.args, **kwargs: P.kwargs
    ) -> TableResult:
        """Carry out a command at a felt, and tell everybody who watches it."""
        result = await self.executors.execute(command, *args, **kwargs)
        self.change_feed.notify_table(result.table, result.version)
        return result

    async def read_table(self, table: str) -> SharedTableView:
        """A felt as it is now, with all its cards: only what ``entry`` gives goes out."""
        return await self.executors.query(self.floor.view_table, table)

    async def tables_for(self, player: str | None) -> list[SharedTableView]:
        """Every felt that somebody may look at: those that are open to all, and one's own that are not closed."""
        return await self.executors.query(tables_for, self.floor, player)

    async def begin_shutdown(self) -> None:
        """The server stops: streams end, tables go to other servers, thoughts are given up. Commands go on to
        their end."""
        self.stopping.set()
        self.event_hub.end()
        self.live_pages.end()
        self.bots.end()
        self.lease_manager.leave()
        await self.coach.end()
        self.verification.cancel()
        await self.job_cache.end()
        await self.lab.end()
        await self.simulations.end()

    async def close(self) -> None:
        """Go home when everything that was taken on is done."""
        await self.begin_shutdown()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.lease_manager.end()
        await self.strategy_cache.end()
        await asyncio.to_thread(self.health_check.close)
        await asyncio.to_thread(self.executors.close)


def tables_for(floor: CardRoom, player: str | None) -> list[SharedTableView]:
    """Every felt that somebody may look at: those that are open to all, and one's own that are not closed."""
    practice_tables = floor.list_practice_tables(player) if player is not None else ()
    snapshots = (
        floor.view_table(table)
        for table in (*floor.read_table_versions(excluded_prefix=PRACTICE_PREFIX), *practice_tables)
    )
    return [snapshot for snapshot in snapshots if _is_visible_to(snapshot, player)]


def _is_visible_to(snapshot: SharedTableView, player: str | None) -> bool:
    owner = snapshot.state.terms.owner
    return not owner or (owner == player and not snapshot.state.closed)
