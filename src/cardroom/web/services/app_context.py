"""The application context: the card room and the background services of one server."""

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
from cardroom.service.commands.second_signature import (
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
from cardroom.web.services.bots import Bots, Pause, human_pause, warm_up
from cardroom.web.services.change_feed import POLL_SECONDS, ChangeFeed
from cardroom.web.services.device_monitor import DeviceMonitor
from cardroom.web.services.event_hub import HEARTBEAT, EventHub
from cardroom.web.services.executors import Executors
from cardroom.web.services.jobs import Jobs
from cardroom.web.services.lease_manager import DatabaseListener, LeaseManager
from cardroom.web.services.live_pages import LivePages
from cardroom.web.services.monitoring import HealthCheck, OfficeNotices, ServerMetrics
from cardroom.web.services.presence import Presence
from cardroom.web.services.sessions import GuestTokens, KnownAddresses, SessionCache
from cardroom.web.services.simulations import SimulationRuns
from cardroom.web.services.table_timers import AbsentPlayers, Timekeeper
from cardroom.web.services.verification import HeadExporter, VerificationJob

log = logging.getLogger(__name__)

P = ParamSpec("P")
S = TypeVar("S")
MAX_PRACTICE_TABLES: Final = 5
REFUSAL_SECONDS: Final = 0.5
"""Seconds. A wrong password gets its response after a multiple of this time, so that timing does not reveal whether the
login exists."""


@dataclass(frozen=True)
class ServerOptions:
    """The options of a server."""

    secure: bool = False
    """Whether all traffic uses TLS, here or at the proxy."""
    demo: bool = False
    """Whether it is a demo, which only this machine can reach."""
    host_names: frozenset[str] = frozenset()
    """The allowed host names; empty if every name is allowed."""
    guests: bool = False
    """Whether guests may enter, with play money."""
    practice_tables: int = MAX_PRACTICE_TABLES
    """The maximum number of open practice tables per player."""
    bot_pause: Pause = human_pause
    """The delay of a bot's action."""
    edges: bool = True
    """Whether the lobby shows house edges, which are calculated when first shown."""
    heartbeat: float = HEARTBEAT
    poll_seconds: float = POLL_SECONDS
    """Seconds between two polls of changes by other processes."""
    limits: RequestLimits = DEFAULT_LIMITS
    refusal_seconds: float = REFUSAL_SECONDS
    heads: HeadsDestination = NO_DESTINATION
    """The destinations of signed heads, from the machine's configuration."""


class AppContext:
    """Everything that a request may need."""

    def __init__(self, card_room: CardRoom, options: ServerOptions | None = None, clock: Clock = system_clock) -> None:
        self.card_room, self.options, self.clock = card_room, options or ServerOptions(), clock
        self.metrics = ServerMetrics()
        self.rejection_log = RejectionLog()
        self.executors = Executors(self.metrics.commands.add)
        self.guest_rate = TokenBuckets(self.options.limits.guests)
        """New guests by address."""
        self.password_attempts = PasswordAttempts()
        """Wrong passwords by address."""
        self.sign_in_queue = SignInQueue()
        self.notices = OfficeNotices(card_room, demo=self.options.demo)
        self.tokens = GuestTokens(card_room.get_room_secret())
        self.sessions = SessionCache(card_room, self.executors, clock)
        self.known_places = KnownAddresses(card_room, self.executors)
        self.presence = Presence(clock)
        self.event_hub = EventHub(self.options.heartbeat, self.presence)
        self.change_feed = ChangeFeed(card_room, self.executors, self.event_hub, self.options.poll_seconds)
        self.live_pages = LivePages(self.executors, self.presence)
        self.change_feed.add_chain_listener(self.live_pages.on_change)
        self.change_feed.add_chain_listener(self.sessions.on_change)
        self.change_feed.add_table_listener(self.metrics.on_table_change)
        self.device_monitor = DeviceMonitor(card_room, clock, self.live_pages.on_change)
        self.lease_manager = LeaseManager(card_room.ledger.store, self.change_feed)
        self.head_exporter = HeadExporter(
            card_room,
            self.lease_manager,
            self.options.heads,
            clock,
            self.options.poll_seconds,
            self.live_pages.on_change,
        )
        self.health_check = HealthCheck(card_room.ledger, self.lease_manager, self.executors)
        self.database_listener = DatabaseListener(card_room.ledger.store, self.change_feed, self.lease_manager)
        self.timekeeper = Timekeeper(card_room, self.executors, self.change_feed, self.lease_manager, clock)
        self.absent_players = AbsentPlayers(
            card_room,
            self.executors,
            self.change_feed,
            self.lease_manager,
            self.presence,
            clock,
            self.options.poll_seconds,
        )
        self.jobs = Jobs(self.live_pages.on_change)
        self.bots = Bots(
            card_room, self.executors, self.change_feed, self.lease_manager, self.jobs, self.options.bot_pause
        )
        self.verification = VerificationJob(card_room.ledger.store.url, clock, self.options.heads)
        self.simulations = SimulationRuns(self.live_pages.on_change, self.live_pages.is_followed, self.jobs)
        self.stopping = asyncio.Event()
        """Set when the server stops, for connections that would never end by themselves."""
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Read every table and start the background services. A server that cannot execute commands, because its clock
        is wrong or the disk is full, opens as soon as it can; until then its health check gives the reason."""
        self.jobs.open()
        await self.change_feed.begin()
        await self.executors.query(warm_up, [snapshot.state.open_table.table for snapshot in self.change_feed.tables()])
        try:
            await self._take_tables()
        except LedgerUnavailable as fault:
            self.executors.refusal = fault
            log.error("the server cannot open yet", extra={"fault": format_error(fault)})
        services = (
            self.database_listener.run,
            self.event_hub.run,
            self.change_feed.run,
            self.lease_manager.run,
            self.timekeeper.run,
            self.absent_players.run,
        )
        background_services = (
            *services,
            self._monitor_devices,
            self.head_exporter.run,
            self.health_check.run,
            self.known_places.run,
        )
        self._tasks = [asyncio.create_task(self._run_forever(service)) for service in background_services]
        if self.executors.refusal is not None:
            self._tasks.append(asyncio.create_task(self._run_forever(self._retry_opening)))

    async def _take_tables(self) -> None:
        await self.lease_manager.begin()
        await self._renew_seals()

    async def _retry_opening(self) -> None:
        """Retry until the tables have new keys; commands wait until then."""
        while self.executors.refusal is not None:
            await asyncio.sleep(self.options.poll_seconds)
            try:
                await self._take_tables()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                self.executors.refusal = fault
            else:
                self.executors.refusal = None
                log.info("the server is open")
        await asyncio.Event().wait()

    async def _renew_seals(self) -> None:
        """Draw new keys for the next rounds. A restored database looks like the current one, and players may know its
        keys, so this server deals no round with a key from before its start. Tables of other servers keep theirs.
        Practice tables need no new keys: they have play money and one player."""
        states = [
            snapshot.state for snapshot in self.change_feed.tables() if self.card_room.has_foreign_seal(snapshot.state)
        ]
        tables = [
            snapshot.table for snapshot in states if not snapshot.seats or self.lease_manager.lease(snapshot.table)
        ]
        if tables:
            for table in await self.executors.execute_before_opening(
                self.card_room.renew_seals, tables, "the server was started"
            ):
                self.change_feed.notify_table(table)

    async def _monitor_devices(self) -> None:
        await self.device_monitor.run(self.executors, self.options.poll_seconds)

    async def _run_forever(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a service until the server stops. After an internal error it is logged and restarted."""
        while True:
            try:
                await work()
            except Exception:
                log.exception("a background service failed and restarts")
                await asyncio.sleep(1)

    async def sign_in(self, login: str, password: str, address: str) -> NewSession:
        """Sign a user in."""
        return await self.check_password(address, self.card_room.users.sign_in, login, password, address)

    async def check_password(self, client_address: str, sign: Callable[P, S], *args: P.args, **kwargs: P.kwargs) -> S:
        """Check a password from an address: it is counted first and then waits for its turn."""
        if wait := self.password_attempts.begin(client_address):
            self.rejection_log.counts["too many wrong passwords"] += 1
            raise RateLimited("Too many wrong passwords from this address. Wait a minute and try again.", wait)
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
            counts = True  # a client that disconnects has still used an attempt
            raise
        except (RateLimited, QueueFull):
            self.rejection_log.counts["too many waiting sign-ins"] += 1
            raise
        finally:
            if not counts:
                self.password_attempts.give_back(client_address)

    async def _pad_response_time(self, began: float) -> None:
        """Wait until the next time at which refusals of passwords are sent."""
        if every := self.options.refusal_seconds:
            await asyncio.sleep(every - (self._wall_seconds() - began) % every)

    def _wall_seconds(self) -> float:
        return asyncio.get_running_loop().time()

    async def execute_with_signatures(
        self, do: Callable[[], S], sign: Callable[[SignatureRequest], Awaitable[Signature]]
    ) -> S:
        """Execute a command that other people sign first. Each signs exactly what the command would do."""
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
        """Sign one command for another person, with the password."""
        return await self.check_password(
            address, self.card_room.users.countersign, to_sign, password, permission=permission, address=address
        )

    async def unlock(self, session: UserSession, pin: str, address: str) -> None:
        """Unlock a session."""
        await self.check_password(address, self.card_room.users.unlock_session, session, pin, address)
        self.sessions.mark_active(session)

    async def execute_at_table(
        self, command: Callable[P, TableResult], *args: P.args, **kwargs: P.kwargs
    ) -> TableResult:
        """Execute a command at a table and notify its viewers."""
        result = await self.executors.execute(command, *args, **kwargs)
        self.change_feed.notify_table(result.table, result.version)
        return result

    async def read_table(self, table: str) -> SharedTableView:
        """The current table with all its cards. Only its ``to_json`` may leave the server."""
        return await self.executors.query(self.card_room.view_table, table)

    async def tables_for(self, player: str | None) -> list[SharedTableView]:
        """The tables that a player may see: the public ones and the player's own open ones."""
        return await self.executors.query(tables_for, self.card_room, player)

    async def begin_shutdown(self) -> None:
        """End streams, release tables to other servers, and cancel jobs. Commands continue to their end."""
        self.stopping.set()
        self.event_hub.end()
        self.live_pages.end()
        self.bots.end()
        self.lease_manager.leave()
        self.verification.cancel()
        self.simulations.end()
        await self.jobs.end()

    async def close(self) -> None:
        """Stop after every accepted command is done."""
        await self.begin_shutdown()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.lease_manager.end()
        await asyncio.to_thread(self.health_check.close)
        await asyncio.to_thread(self.executors.close)


def tables_for(card_room: CardRoom, player: str | None) -> list[SharedTableView]:
    """The tables that a player may see: the public ones and the player's own open ones."""
    practice_tables = card_room.list_practice_tables(player) if player is not None else ()
    snapshots = (
        card_room.view_table(table)
        for table in (*card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX), *practice_tables)
    )
    return [snapshot for snapshot in snapshots if _is_visible_to(snapshot, player)]


def _is_visible_to(snapshot: SharedTableView, player: str | None) -> bool:
    owner = snapshot.state.terms.owner
    return not owner or (owner == player and not snapshot.state.closed)
