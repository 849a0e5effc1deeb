"""The whole room: commands that were acknowledged, in the order of the tables' events, and every balance after them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.crash.live.model.settling import JACKPOTS
from tests.crash.live.model.table import (
    Command,
    DoesNotFit,
    Story,
    TableModel,
    Waits,
    after,
    after_a_start,
    after_the_clock,
)

GUESTS_MONEY = 1_000_00
SEED_OF_A_METER = 5_000_00
OF_EACH_WAGER = 20
"""What a wager of a dollar adds to the meter, in cents."""


class Acknowledged(NamedTuple):
    """A command, and what it was answered."""

    command: Command
    answer: Mapping[str, Any]

    @property
    def version(self) -> int:
        version: int = self.answer["version"]
        return version

    def __str__(self) -> str:
        return f"{self.command} -> {dict(self.answer)}"


class Seen(NamedTuple):
    """What can be seen of a table at one moment, by all who sit there together."""

    version: int
    state: str
    number: int
    """Of the round that is played, or comes next."""
    seats: Mapping[int, tuple[str, int]]
    """Who sits there, with how many chips."""
    laid: Mapping[int, Mapping[str, int]]
    """The wagers of the coming round."""
    meters: Mapping[str, int]
    story: Story | None
    """Of the round that is played."""


@dataclass
class Table:
    """What the model knows of a table."""

    state: TableModel
    has_clock: bool
    met: Counter[str] = field(default_factory=Counter)


class _Way(NamedTuple):
    """One way in which a table may have come to where it is seen."""

    state: TableModel
    done: int
    """How many of the commands that were acknowledged."""
    starts: int
    """How many starts of a server may have drawn a new key here still."""
    steps: tuple[tuple[str, TableModel], ...]

    def then(self, what: str, state: TableModel, *, done: int = 0, starts: int = 0) -> _Way:
        return _Way(state, self.done + done, self.starts - starts, (*self.steps, (what, state)))


class Room:
    """Predicts every balance, every chip and every meter."""

    def __init__(self, tables: Mapping[str, tuple[str, bool]]) -> None:
        """``tables`` are their games, and whether they have a clock."""
        self.tables = {table: Table(TableModel(table, game), clock) for table, (game, clock) in tables.items()}
        self.balances: dict[str, int] = {}
        self.waiting: dict[str, tuple[Waits, ...]] = {}
        """Prizes that wait for two people, by the round that won them."""

    def admit(self, player: str) -> None:
        self.balances[player] = GUESTS_MONEY

    def pay(self, round_id: str) -> tuple[Waits, ...]:
        """Two people have verified what a round won."""
        if round_id not in self.waiting:
            raise DoesNotFit(f"Nothing waits for two people that {round_id} has won.")
        prizes = self.waiting.pop(round_id)
        for one in prizes:
            self.balances[one.player] += one.cents
        return prizes

    def catch_up(
        self, table: str, commands: Iterable[Acknowledged], seen: Seen, ended: Mapping[int, Story], starts: int = 0
    ) -> None:
        """Do what was acknowledged at a table since the last time, in the order of its events; in between its clock
        may have decided, and each of so many starts of a server may have drawn a new key. Afterwards the table must be
        as it is seen: not one event more or less."""
        at, left = self.tables[table], sorted(commands, key=lambda one: one.version)
        ways: list[_Way] = [_Way(at.state, 0, starts, ())]
        fault: DoesNotFit | None = None
        while ways:
            way = ways.pop()
            waiting = left[way.done] if way.done < len(left) else None
            try:
                if waiting is None and way.state.version >= seen.version:
                    _check(way.state, seen)
                    break
                ways += self._next(way, waiting, at.has_clock, seen, ended)
            except DoesNotFit as no:
                fault = fault or no
        else:
            assert fault is not None
            raise fault
        for what, state in way.steps:
            at.met[what] += 1
            self._book(at, state)

    def _next(
        self, way: _Way, waiting: Acknowledged | None, has_clock: bool, seen: Seen, ended: Mapping[int, Story]
    ) -> list[_Way]:
        """What may have happened next; the likeliest last."""
        state = way.state
        story = ended.get(state.number) if state.number < seen.number else seen.story
        fits, why = _after(state, waiting, story) if waiting else (None, "nothing else was acknowledged")
        if waiting is not None and fits is not None:
            return [way.then(waiting.command.do, fits, done=1)]
        ways = []
        if way.starts and not state.playing:
            ways.append(way.then("starts", after_a_start(state), starts=1))
        try:
            decided = self._by_the_clock(state, has_clock, waiting, story, why, seen)
        except DoesNotFit:
            if not ways:
                raise
            return ways
        return [*ways, way.then("clock answers" if state.playing else "clock begins", decided)]

    def _by_the_clock(
        self,
        state: TableModel,
        has_clock: bool,
        waiting: Acknowledged | None,
        story: Story | None,
        why: str,
        seen: Seen,
    ) -> TableModel:
        """What was acknowledged next does not fit yet: the clock must have decided before it."""
        result = f"after {state}, {waiting or 'what is seen'} does not follow ({why}); seen is {seen}"
        if not has_clock:
            raise DoesNotFit(f"At {state.table}, {result}")
        try:
            decided = after_the_clock(state, story)
        except DoesNotFit as no:
            raise DoesNotFit(f"At {state.table}, {result}; nor did the clock decide ({no})") from None
        if decided.version > (waiting.version if waiting else seen.version):
            raise DoesNotFit(f"At {state.table}, {result}; and the clock had no time to decide")
        return decided

    def _book(self, at: Table, state: TableModel) -> None:
        for player, cents in state.paid:
            self.balances[player] += cents
        if state.waits:
            self.waiting[state.waits[0].round] = state.waits
        at.met["rounds"] += state.number - at.state.number
        at.state = state

    def check_player(self, me: Mapping[str, Any]) -> None:
        """What a player is shown of balance and seats is what the model says."""
        player = me["player"]
        seats = {
            table: (seat, here.chips)
            for table, at in self.tables.items()
            for seat, here in at.state.seats.items()
            if here.player == player
        }
        result = {one["table"]: (one["seat"], one["chips_cents"]) for one in me["seats"]}
        if self.balances[player] < 0 or (me["balance_cents"], result) != (self.balances[player], seats):
            raise DoesNotFit(f"{player} should have {self.balances[player]} cents and {seats}, and is told {me}.")


def _after(state: TableModel, one: Acknowledged, story: Story | None) -> tuple[TableModel | None, str]:
    """The table after a command, if the answer that was acknowledged tells of that very table; else why not."""
    try:
        now = after(state, one.command, one.answer, story)
    except DoesNotFit as no:
        return None, str(no)
    here = next(((seat, it.chips) for seat, it in now.seats.items() if it.player == one.command.player), (None, 0))
    expected = {"version": now.version, "state": now.state, "round": now.round, "seat": here[0], "chips_cents": here[1]}
    wrong = {name: one.answer[name] for name, value in expected.items() if one.answer[name] != value}
    return (None, f"expected was {expected}, answered {wrong}") if wrong else (now, "")


def _check(state: TableModel, seen: Seen) -> None:
    """The table is as it is seen."""
    mine = (
        state.version,
        state.state,
        state.number,
        {seat: (it.player, it.chips) for seat, it in state.seats.items()},
    )
    if mine != (seen.version, seen.state, seen.number, dict(seen.seats)):
        raise DoesNotFit(f"{state.table} should be {mine}, and is {seen}.")
    if not state.playing and dict(state.laid) != dict(seen.laid):
        raise DoesNotFit(f"On {state.table} {state.laid} was laid, and there lies {seen.laid}.")
    if state.playing and seen.story is not None:
        asked = state.seats.get(seen.story.asked)
        if state.said != len(seen.story.decisions) or asked is None or asked.leaving:
            raise DoesNotFit(f"{state.round}: {state.said} answers were acknowledged, and seen are {seen.story}.")
    meter = SEED_OF_A_METER + OF_EACH_WAGER * state.counted
    if not state.meter_was_won and seen.meters != {JACKPOTS[state.game]: meter}:
        raise DoesNotFit(f"The meter of {state.table} should show {meter}, and shows {seen.meters}.")
