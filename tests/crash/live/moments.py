"""Moments: what the house is doing, noted where its death does not reach, and the moment at which it dies.

None of it is known to the program: a card room that is watched from outside tells what it is asked to do.
"""

from __future__ import annotations

import mmap
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.service import CardRoom
from tests.crash.kill_points import Killer, KillPoint, Way
from tests.crash.kill_report import Sheet


class Moment(StrEnum):
    """What a house may be in the middle of."""

    BETTING = "betting"
    DEALING = "dealing"
    ANSWERING = "answering"
    SETTLING = "settling"
    SITTING = "sitting down"
    LEAVING = "leaving"
    CLOCK = "the clock decides"
    LOCKING = "a claim is locked"
    PAYING = "a claim is paid"


_OF_COMMANDS: Final = {
    "place-wagers": Moment.BETTING,
    "answer": Moment.ANSWERING,
    "take-seat": Moment.SITTING,
    "leave-seat": Moment.LEAVING,
    "apply-timeout": Moment.CLOCK,
}
_OFTEN: Final = {Moment.BETTING: 25, Moment.ANSWERING: 25, Moment.DEALING: 12, Moment.SETTLING: 12, Moment.SITTING: 2}
"""Moments that come so often in a life of some seconds."""
_ALL: Final = tuple(Moment)
_COUNTS: Final = struct.Struct(f"={len(_ALL)}I")


def begun_nowhere(path: Path) -> None:
    """A clean sheet to note moments on; none of transactions, before a life makes its own."""
    transactions_of(path).unlink(missing_ok=True)
    path.write_bytes(_COUNTS.pack(*[0] * len(_ALL)))


def transactions_of(path: Path) -> Path:
    """Beside a sheet of moments, that of the transactions."""
    return path.with_suffix(".transactions")


def met_at_death(path: Path) -> tuple[Moment, ...]:
    """What a house was in the middle of when it died."""
    return tuple(one for one, count in zip(_ALL, _COUNTS.unpack(path.read_bytes()), strict=True) if count)


@dataclass(frozen=True)
class LastMoment:
    """When a house dies: in which way, and after which moment has come how often. Without a moment it is on opening."""

    way: Way
    number: int
    """Of the call of a function or of the database; or microseconds; or bytes."""
    moment: Moment | None
    times: int

    def entry(self) -> dict[str, Any]:
        return {"way": self.way, "number": self.number, "moment": self.moment, "times": self.times}


def last_moment(entry: dict[str, Any]) -> LastMoment:
    moment = entry["moment"]
    return LastMoment(Way(entry["way"]), entry["number"], Moment(moment) if moment else None, entry["times"])


def draw_moment(random: Random, moment: Moment, is_file: bool, soon: bool = False) -> LastMoment:
    """A death in the middle of something; the first or second time that it comes, if it shall be soon."""
    ways = [Way.CALL, Way.CALL, Way.STATEMENT, Way.ANSWERED, Way.COMMIT, Way.COMMIT, Way.UNACKNOWLEDGED]
    way = random.choice([*ways, Way.TORN] if is_file else ways)
    number = {
        Way.CALL: int(random.expovariate(1 / 300)),
        Way.STATEMENT: random.randint(1, 10),
        Way.ANSWERED: random.randint(1, 10),
        Way.COMMIT: random.randint(0, 2_500),
        Way.TORN: random.randint(0, 40_000),
        Way.UNACKNOWLEDGED: 0,
    }[way]
    often = _OFTEN.get(moment, 1)
    return LastMoment(way, number, moment, random.randint(1, min(often, 2) if soon else often))


def draw_opening(random: Random) -> LastMoment:
    """A death while the house opens."""
    return LastMoment(Way.CALL, random.randint(1, 4_000), None, 0)


class Watched(CardRoom):
    """A card room that notes what it is in the middle of, and dies when its moment has come."""

    def watch(self, sheet: Path, last: LastMoment | None, killer: Killer) -> None:
        with sheet.open("r+b") as file:
            self._sheet = mmap.mmap(file.fileno(), _COUNTS.size)
        self._last, self._killer = last, killer
        self._under_way: Counter[Moment] = Counter()
        self._met: Counter[Moment] = Counter()
        self._noting = threading.Lock()
        self._deciding = threading.local()

    @contextmanager
    def _during(self) -> Iterator[set[Moment]]:
        """The moments of a command, until it is stored and about to be answered."""
        moments: set[Moment] = set()
        try:
            yield moments
        finally:
            with self._noting:
                self._under_way.subtract(moments)
                self._write()

    def _save_destination_state(self, moments: set[Moment], moment: Moment) -> None:
        if moment in moments:
            return
        with self._noting:
            moments.add(moment)
            self._under_way[moment] += 1
            self._met[moment] += 1
            self._write()
            last = self._last
            comes = last is not None and last.moment is moment and self._met[moment] == last.times
        if comes:
            self._killer.begins(1)

    def _write(self) -> None:
        self._sheet[:] = _COUNTS.pack(*(self._under_way[one] for one in _ALL))

    def _note_here(self, moment: Moment) -> None:
        """Within the decision of some command, by whichever thread decides it."""
        moments = getattr(self._deciding, "moments", None)
        if moments is not None:
            self._save_destination_state(moments, moment)

    def _execute_at_table(
        self, id: str, table: str, body: dict[str, Any], decide: Callable[[Any], Any], *result: Any, **more: Any
    ) -> Any:
        moment = _OF_COMMANDS.get(body["do"])
        if moment is None:
            return super()._execute_at_table(id, table, body, decide, *result, **more)
        with self._during() as moments:

            def watched(draft: Any) -> Any:
                self._deciding.moments = moments
                try:
                    return decide(draft)
                finally:
                    self._deciding.moments = None

            self._save_destination_state(moments, moment)
            answer = super()._execute_at_table(id, table, body, watched, *result, **more)
            self._killer.stored()
            return answer

    def _begin_round(self, *result: Any) -> Any:
        self._note_here(Moment.DEALING)
        return super()._begin_round(*result)

    def _end_round(self, *result: Any) -> Any:
        self._note_here(Moment.SETTLING)
        return super()._end_round(*result)

    def _pay_round_prizes(self, *result: Any) -> Any:
        prizes = super()._pay_round_prizes(*result)
        if prizes.waiting:
            self._note_here(Moment.LOCKING)
        return prizes

    def pay_claim(self, *result: Any, **more: Any) -> Any:
        with self._during() as moments:
            self._save_destination_state(moments, Moment.PAYING)
            answer = super().payments.pay(*result, **more)
            self._killer.stored()
            return answer


def killer_of(last: LastMoment | None, database: str, transactions: Sheet | None = None) -> Killer:
    """What ends a house; its opening is number 0, and its moment number 1."""
    kill_point = KillPoint(last.way, 1 if last.moment else 0, last.number) if last else None
    killer = Killer(kill_point, database, transactions)
    killer.begins(0)
    return killer
