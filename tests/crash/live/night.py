"""A night at the tables in which the house dies again and again, and what must hold after each of its deaths."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from cardroom.service.verification.run import verify
from tests.crash.kill_report import noted
from tests.crash.live.bots import PlayerGroup
from tests.crash.live.guests import Guest
from tests.crash.live.line import Line, ServerDied
from tests.crash.live.model.room import Room
from tests.crash.live.moments import LastMoment, Moment, draw_moment, draw_opening, met_at_death, transactions_of
from tests.crash.live.observations import check_seats, look_at_everything
from tests.crash.live.office import Office
from tests.crash.live.room import TABLES
from tests.crash.live.server_runs import Life, ProcessPool, RealLife
from tests.crash.tally import KILLS, count_life

GUESTS = 9
MOST_MORE = 20
"""Times as many deaths as are asked for: only a test that fails has so many."""
OF_OLD = 3
"""Commands of the whole night that are sent again after each death."""
VERIFIED_AT_FIRST, VERIFIED_EVERY = 30, 10
"""After each of the first deaths the books are verified as they were left, and then after every so many."""


class Night:
    """One night on one database. ``longest`` is for how many seconds a house lives whose moment does not come; it comes
    ``soon`` where many shall."""

    def __init__(
        self, pool: ProcessPool, url: str, folder: Path, seed: int, longest: float = 2.5, *, soon: bool = False
    ) -> None:
        self._pool, self._url, self._folder, self._longest, self._soon = (
            pool,
            url,
            folder,
            longest,
            soon,
        )
        self._random = Random(f"night {seed}")
        hasty = frozenset(table for table, (_, terms) in TABLES.items() if terms.deciding)
        self.group = PlayerGroup(tuple(TABLES), hasty)
        self.guests = [Guest(f"{seed}-{n}", Random(f"guest {n} of {seed}"), self.group) for n in range(GUESTS)]
        self.room = Room({table: (game, bool(terms.deciding)) for table, (game, terms) in TABLES.items()})
        self.office = Office(self._random, self.room)
        self._starts = 0
        """Of the house, since the model was compared with it."""
        self.deaths: Counter[str] = Counter()
        self.tally: Counter[str] = Counter()
        self.met: Counter[str] = Counter()

    async def live(self, deaths: int, *, real: int = 0, lost: int = 0) -> None:
        """So many deaths, so many of them of the real program, and then a life in which everybody goes home. There are
        more deaths until so many commands were sent of which no user knew whether they were stored."""

        def is_enough() -> bool:
            assert self.deaths["all"] < MOST_MORE * deaths, f"{lost} commands without an answer never came"
            return self.deaths["all"] >= deaths and self.lost >= lost

        await self._die_until(is_enough, real)
        await self._last_life()

    async def live_until(self, kills: int) -> None:
        """So many kills; houses that the system ends are not counted."""
        await self._die_until(lambda: self.tally[KILLS] >= kills)
        await self._last_life()

    async def _die_until(self, is_enough: Callable[[], bool], real: int = 0) -> None:
        while not is_enough():
            everybody_came = all(guest.player for guest in self.guests)
            if everybody_came and self.office.knows and self.deaths["of the real program"] < real:
                await self._life(RealLife(self._url, self._folder), None, self._random.uniform(0.1, 1.0))
            else:
                last, longest = self._draw(self.deaths["all"])
                await self._life(Life(self._pool, self._url, self._folder, last), last, longest)
            if self.deaths["all"] <= VERIFIED_AT_FIRST or self.deaths["all"] % VERIFIED_EVERY == 0:
                await self._verify()

    async def _last_life(self) -> None:
        """Everybody goes home."""
        await self._life(Life(self._pool, self._url, self._folder, None), None, 0, closing=True)
        assert not any(at.state.seats for at in self.room.tables.values()), "Somebody did not get home."
        assert not self.room.waiting
        assert '"level":"error"' not in self.noted, self.noted

    async def _verify(self) -> None:
        """As the house left them, before anything is sent again, the books are whole."""
        report = await asyncio.to_thread(verify, self._url)
        assert report.is_consistent, report.discrepancy
        self.met["verified"] += 1

    def _draw(self, number: int) -> tuple[LastMoment | None, float]:
        """How a house dies: in the middle of something, on opening, or at any moment; and the longest that it lives."""
        chance = self._random.random()
        if chance < 0.25:
            return None, self._random.uniform(0.0, min(0.8, self._longest))
        if chance < 0.3 and number > 1:
            return draw_opening(self._random), self._longest
        moment = list(Moment)[number % len(Moment)]
        return draw_moment(self._random, moment, self._url.startswith("sqlite"), self._soon), self._longest

    async def _life(
        self, server: Life | RealLife, last: LastMoment | None, longest: float, *, closing: bool = False
    ) -> None:
        """One life; the last one of the night is for going home."""
        self.group.memory.life += 1
        self._starts += 1
        try:
            address = await server.opened()
            if address is not None:
                line = Line(address)
                try:
                    await (self._go_home(line) if closing else self._open(server, line, longest))
                finally:
                    await line.close()
        finally:
            server.kill()
            killed = await server.ended()
        if not closing:
            self._count_death(last, killed, isinstance(server, RealLife))

    def _count_death(self, last: LastMoment | None, killed: int, real: bool) -> None:
        sheet = self._folder / "sheet"
        # What a house has stored and not answered is found out by those who have sent it.
        life = noted(transactions_of(sheet))._replace(stored=0)
        count_life(self.tally, killed, last.way if last else None, life)
        self.deaths["all"] += 1
        self.deaths["of the real program"] += real
        if last is not None:
            self.deaths[f"by {last.way}"] += 1
        met = met_at_death(sheet)
        for moment in met:
            self.deaths[str(moment)] += 1
        if not met:
            self.deaths["on opening" if last and not last.moment else "between deeds"] += 1

    # Between two deaths.

    async def _open(self, server: Life | RealLife, line: Line, longest: float) -> None:
        """Everybody finds out what has become of what was sent, and plays until the house dies."""
        try:
            await self._find_out(line)
        except ServerDied:
            self.met["died again at once"] += 1
            return
        self.group.opens()
        dying = asyncio.get_running_loop().call_later(longest, server.kill)
        try:
            async with asyncio.TaskGroup() as together:
                together.create_task(self.office.work(line))
                for guest in self.guests:
                    together.create_task(guest.play(line))
        finally:
            dying.cancel()

    async def _go_home(self, line: Line) -> None:
        await self._find_out(line)
        for guest in self.guests:
            for table in list(guest.tables):
                await guest.leave(line, table)
        await self._check(line)
        for round_id in list(self.room.waiting):
            await self.office.pay(line, round_id)
        await self._check(line)

    async def _find_out(self, line: Line) -> None:
        """Whatever was lost is sent again with its id; then everything is compared, and some of old is sent again."""
        before = await check_seats(line, self.group.tokens, TABLES)
        for guest in self.guests:
            if not guest.player:
                await guest.come_in(line)
        await self.office.ask_again(line)
        for guest in self.guests:
            found = await guest.ask_again(line)
            if found is not None:
                was_stored = found.version <= before[found.command.table]
                self.met["stored, and never answered" if was_stored else "never stored"] += 1
        await self._check(line)
        for one in self.group.log.some(self._random, OF_OLD):
            await self.guests[0].again(line, one.command, one.answer)

    async def _check(self, line: Line) -> None:
        """Everything is as the model says."""
        found = await look_at_everything(line, self.group.tokens, self.room, self.group.memory)
        for player in self.group.tokens.keys() - self.room.balances.keys():
            self.room.admit(player)
        news = self.group.log.news()
        for table in TABLES:
            self.room.catch_up(table, news.get(table, ()), found.tables[table], found.ended[table], self._starts)
        self._starts = 0
        self.office.book()
        for me in found.mine:
            self.room.check_player(me)
        self.met["compared"] += 1

    @property
    def lost(self) -> int:
        """Commands that a house which died has never answered."""
        return self.met["stored, and never answered"] + self.met["never stored"]

    @property
    def noted(self) -> str:
        """The logs of all lives."""
        log = self._folder / "log"
        return log.read_text() if log.exists() else ""

    def report(self) -> str:
        """What was met, for people."""
        parts = {
            "deaths": self.deaths,
            "found out": self.met + self.office.met,
            "sent": self.group.log.met,
            "at the tables": sum((at.met for at in self.room.tables.values()), Counter[str]()),
            "seen": self.group.memory.met,
        }
        result = {
            name: ", ".join(f"{what} {many}" for what, many in sorted(one.items())) for name, one in parts.items()
        }
        return "\n".join(f"{name}: {one}" for name, one in result.items())
