"""The card room as it stands behind its web addresses: the floor, and all who work around it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

from cardroom.floor import FeltLook, FeltStanding, Floor
from cardroom.floor.desks.people import SignedInAs
from cardroom.floor.desks.signatures import Part, Signature, ToSign, Unsigned, with_signatures
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.people.permissions import Right
from cardroom.floor.people.places import place_of
from cardroom.floor.people.signing import NoSession, Session, SignInFailed, WrongPin
from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable, system_clock
from cardroom.ledger.errors import format_error
from cardroom.machine_config import NO_DESTINATION, HeadsDestination
from cardroom.web.doors.attempts import Attempts
from cardroom.web.doors.buckets import Buckets
from cardroom.web.doors.faults import TooOften
from cardroom.web.doors.limits import USUAL, Limits
from cardroom.web.doors.refusing import DoorBook
from cardroom.web.doors.sign_in_queue import QueueFull, SignInQueue
from cardroom.web.room.boards import Boards
from cardroom.web.room.clerks import Clerks
from cardroom.web.room.coach import Coach
from cardroom.web.room.company import Company, Pause, human_pause
from cardroom.web.room.counting import CountingRoom
from cardroom.web.room.heads import HeadsExport
from cardroom.web.room.health import Health
from cardroom.web.room.hearing import Hearing
from cardroom.web.room.hub import HEARTBEAT, Hub
from cardroom.web.room.known_places import KnownPlaces
from cardroom.web.room.lab import Lab
from cardroom.web.room.notices import Notices
from cardroom.web.room.presence import Presence
from cardroom.web.room.rehearsal import rehearse
from cardroom.web.room.rota import Rota
from cardroom.web.room.school import School
from cardroom.web.room.sessions import Sessions
from cardroom.web.room.simulations import Simulations
from cardroom.web.room.tallies import Tallies
from cardroom.web.room.timekeeper import Timekeeper
from cardroom.web.room.tokens import Tokens
from cardroom.web.room.usher import Usher
from cardroom.web.room.verifying import Verification
from cardroom.web.room.watch import EVERY, Watch
from cardroom.web.room.wire import Wire

log = logging.getLogger(__name__)

P = ParamSpec("P")
S = TypeVar("S")
MOST_PRACTICE_TABLES: Final = 5
REFUSED_EVERY: Final = 0.5
"""Seconds. A wrong password is answered a whole number of these after it began to be compared, so that the time of the
answer does not tell an unknown login from a known one."""


@dataclass(frozen=True)
class HouseRules:
    """What an operator decides about the web addresses of a room."""

    secure: bool = False
    """Whether people reach it over a line that nobody else reads: TLS here, or at the proxy before it."""
    demo: bool = False
    """Whether it is a room to try out, that only this computer reaches."""
    names: frozenset[str] = frozenset()
    """The names of hosts under which it is called; empty where every name will do."""
    guests: bool = False
    """Whether anybody may come in, with play money."""
    practice_tables: int = MOST_PRACTICE_TABLES
    """How many a player may have open."""
    pause: Pause = human_pause
    """How long company takes to make up its mind."""
    coach: bool = True
    """Whether the coach is made ready before anybody asks."""
    edges: bool = True
    """Whether the lobby says what the house keeps; it is counted when it is shown first."""
    heartbeat: float = HEARTBEAT
    every: float = EVERY
    """Seconds between two questions what other programs have done, and two looks around the room."""
    limits: Limits = USUAL
    refused_every: float = REFUSED_EVERY
    heads: HeadsDestination = NO_DESTINATION
    """Where signed heads go, as the machine's configuration says."""


class House:
    """Everything that a call may need."""

    def __init__(self, floor: Floor, rules: HouseRules | None = None, clock: Clock = system_clock) -> None:
        self.floor, self.rules, self.clock = floor, rules or HouseRules(), clock
        self.tallies = Tallies()
        self.door = DoorBook()
        self.clerks = Clerks(self.tallies.commands.add)
        self.arrivals = Buckets(self.rules.limits.guests)
        """Guests by the address that they come from."""
        self.attempts = Attempts()
        """Wrong passwords by address."""
        self.sign_ins = SignInQueue()
        self.notices = Notices(floor, demo=self.rules.demo)
        self.tokens = Tokens(floor.secret())
        self.sessions = Sessions(floor, self.clerks, clock)
        self.known_places = KnownPlaces(floor, self.clerks)
        self.presence = Presence(clock)
        self.hub = Hub(self.rules.heartbeat, self.presence)
        self.watch = Watch(floor, self.clerks, self.hub, self.rules.every)
        self.boards = Boards(self.clerks, self.presence)
        self.watch.hear(self.boards.note)
        self.watch.hear(self.sessions.note)
        self.watch.listen(self.tallies.looked)
        self.hearing = Hearing(floor, clock, self.boards.note)
        self.rota = Rota(floor.ledger.store, self.watch)
        self.heads = HeadsExport(floor, self.rota, self.rules.heads, clock, self.rules.every, self.boards.note)
        self.health = Health(floor.ledger, self.rota, self.clerks)
        self.wire = Wire(floor.ledger.store, self.watch, self.rota)
        self.timekeeper = Timekeeper(floor, self.clerks, self.watch, self.rota, clock)
        self.usher = Usher(floor, self.clerks, self.watch, self.rota, self.presence, clock, self.rules.every)
        self.school = School()
        self.company = Company(floor, self.clerks, self.watch, self.rota, self.school, self.rules.pause)
        self.coach = Coach()
        self.verification = Verification(floor.ledger.store.url, clock, self.rules.heads)
        self.counting = CountingRoom(self.boards.note)
        self.lab = Lab(self.boards.note)
        self.simulations = Simulations(self.boards.note, self.boards.is_followed)
        self.stopping = asyncio.Event()
        """Set when the server stops, for whoever has something open that would never end by itself."""
        self._rounds: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Look at every felt, and from then on keep the time and the company. A server that cannot carry out commands,
        because its clock is wrong or the disk is full, opens as soon as it can; until then its health says why."""
        await self.watch.begin()
        self.counting.open()
        self.lab.open()
        await self.clerks.look(rehearse, [one.state.at.table for one in self.watch.felts()])
        try:
            await self._take_tables()
        except LedgerUnavailable as fault:
            self.clerks.refusal = fault
            log.error("the room cannot open yet", extra={"fault": format_error(fault)})
        by_themselves = self.wire.run, self.watch.run, self.rota.run, self.timekeeper.run, self.usher.run
        rounds = *by_themselves, self._hear_devices, self.heads.run, self.health.run, self.known_places.run
        self._rounds = [asyncio.create_task(self._kept_up(one)) for one in rounds]
        if self.clerks.refusal is not None:
            self._rounds.append(asyncio.create_task(self._kept_up(self._open_later)))
        if self.rules.coach:
            self._rounds.append(asyncio.create_task(self.coach.warm_up()))

    async def _take_tables(self) -> None:
        await self.rota.begin()
        await self._renew_seals()

    async def _open_later(self) -> None:
        """Try again and again; commands wait until the keys of the tables are new."""
        while self.clerks.refusal is not None:
            await asyncio.sleep(self.rules.every)
            try:
                await self._take_tables()
            except (LedgerUnavailable, LedgerDamaged) as fault:
                self.clerks.refusal = fault
            else:
                self.clerks.refusal = None
                log.info("the room is open")
        await asyncio.Event().wait()

    async def _renew_seals(self) -> None:
        """A database that was copied back looks like the present one, and players may know the keys in it: this server
        deals no round from a key that was drawn before it started. Tables that another server runs keep theirs. A
        practice table is for play money and for its owner alone."""
        felts = [one.state for one in self.watch.felts() if self.floor.is_foreign(one.state)]
        tables = [one.table for one in felts if not one.seats or self.rota.lease(one.table)]
        if tables:
            for table in await self.clerks.do_to_open(self.floor.renew_seals, tables, "the server was started"):
                self.watch.ring(table)

    async def _hear_devices(self) -> None:
        await self.hearing.run(self.clerks, self.rules.every)

    async def _kept_up(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Work that must never end while the house is open; a fault of our own is noted, and it goes on."""
        while True:
            try:
                await work()
            except Exception:
                log.exception("work of the house has stopped and begins again")
                await asyncio.sleep(1)

    async def signs_in(self, login: str, password: str, address: str) -> SignedInAs:
        """Somebody signs in."""
        return await self.with_password(address, self.floor.sign_in, login, password, address)

    async def with_password(self, where: str, sign: Callable[P, S], *args: P.args, **kwargs: P.kwargs) -> S:
        """Compare a password that was typed at an address: counted first, then in its turn."""
        if wait := self.attempts.begin(where):
            self.door.refusals["passwords too often"] += 1
            raise TooOften(
                "Too many wrong passwords came from this address: wait a minute, then type yours again.", wait
            )
        counts, began = False, self._seconds()
        try:
            place = place_of(where)
            async with self.sign_ins.turn(place, known=place in self.known_places):
                began = self._seconds()
                return await self.clerks.at_the_door(sign, *args, **kwargs)
        except (SignInFailed, WrongPin, NoSession):
            counts = True
            self.tallies.login_failed()
            await self._answer_evenly(began)
            raise
        except asyncio.CancelledError:
            counts = True  # a caller who leaves before the answer has typed a password all the same
            raise
        except (TooOften, QueueFull):
            self.door.refusals["sign-ins waiting"] += 1
            raise
        finally:
            if not counts:
                self.attempts.give_back(where)

    async def _answer_evenly(self, began: float) -> None:
        """Wait for the next moment at which a wrong password is answered."""
        if every := self.rules.refused_every:
            await asyncio.sleep(every - (self._seconds() - began) % every)

    def _seconds(self) -> float:
        return asyncio.get_running_loop().time()

    async def signed(self, do: Callable[[], S], sign: Callable[[ToSign], Awaitable[Signature]]) -> S:
        """Carry out a command that other people sign first: each is asked for what it would do, and nothing else."""
        signatures: list[Signature] = []
        for _ in Part:
            try:
                return await self.clerks.do(with_signatures, do, *signatures)
            except Unsigned as unsigned:
                signatures.append(await sign(unsigned.to_sign))
        return await self.clerks.do(with_signatures, do, *signatures)

    async def signs(self, to_sign: ToSign, password: str, *, right: Right, address: str) -> Signature:
        """Another person signs one command with the password."""
        return await self.with_password(address, self.floor.sign, to_sign, password, right=right, address=address)

    async def unlocks(self, session: Session, typed: str, address: str) -> None:
        """Somebody is back at a device."""
        await self.with_password(address, self.floor.unlock_session, session, typed, address)
        self.sessions.is_back(session)

    async def at_table(self, command: Callable[P, FeltStanding], *args: P.args, **kwargs: P.kwargs) -> FeltStanding:
        """Carry out a command at a felt, and tell everybody who watches it."""
        standing = await self.clerks.do(command, *args, **kwargs)
        self.watch.ring(standing.table, standing.version)
        return standing

    async def look(self, table: str) -> FeltLook:
        """A felt as it is now, with all its cards: only what ``entry`` gives goes out."""
        return await self.clerks.look(self.floor.felt_look, table)

    async def tables_for(self, player: str | None) -> list[FeltLook]:
        """Every felt that somebody may look at: those that are open to all, and one's own that are not closed."""
        return await self.clerks.look(tables_for, self.floor, player)

    async def dismiss(self) -> None:
        """The server stops: streams end, tables go to other servers, thoughts are given up. Commands go on to
        their end."""
        self.stopping.set()
        self.hub.end()
        self.boards.end()
        self.company.end()
        self.rota.leave()
        await self.coach.end()
        self.verification.cancel()
        await self.counting.end()
        await self.lab.end()
        await self.simulations.end()

    async def close(self) -> None:
        """Go home when everything that was taken on is done."""
        await self.dismiss()
        for task in self._rounds:
            task.cancel()
        await asyncio.gather(*self._rounds, return_exceptions=True)
        await self.rota.end()
        await self.school.end()
        await asyncio.to_thread(self.health.close)
        await asyncio.to_thread(self.clerks.close)


def tables_for(floor: Floor, player: str | None) -> list[FeltLook]:
    """Every felt that somebody may look at: those that are open to all, and one's own that are not closed."""
    own = floor.practice_felts(player) if player is not None else ()
    looks = (floor.felt_look(table) for table in (*floor.felt_versions(besides=PRACTICE), *own))
    return [one for one in looks if _is_for(one, player)]


def _is_for(look: FeltLook, player: str | None) -> bool:
    owner = look.state.terms.owner
    return not owner or (owner == player and not look.state.closed)
