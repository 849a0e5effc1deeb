"""An evening of one table's equipment: so many rounds, with the failures that were asked for."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import httpx

from cardroom.errors import BadInput, quote
from cardroom.games import TabulatorType
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.setup.models import Model, model
from cardroom.ledger import Clock, Time, system_clock
from cardroom.web.equipment import line as calls
from cardroom.web.equipment.data_logger import DataLoggerAtWork, begin_file
from cardroom.web.equipment.failures import Failures, Trouble
from cardroom.web.equipment.line import Line
from cardroom.web.equipment.tabulator import TabulatorAtWork
from cardroom.web.equipment.unit import Layout, Unit, lay_wagers, unit_told

MODELS: Final[Mapping[str, tuple[TabulatorType, ...]]] = {
    "milky-way": (TabulatorType.MILKY_WAY,),
    "andromeda-1": (TabulatorType.ANDROMEDA_1,),
    "andromeda-3": (TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D),
}
_LATEST: Final = (1 << 53) - 1


class CannotPlay(BadInput):
    """Equipment that the table of the token does not have."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What is played."""

    model: str
    server: str
    token: str
    rounds: int = 10
    seed: int = 1
    run: str = "run"
    """Stands before the ids of what is sent: another evening with the same seed has another one."""
    failures: Failures = field(default_factory=Failures)
    every: float = 0.0
    """Seconds between two rounds."""
    patience: float = 300.0
    """Seconds for which the unit waits for a server or for people."""
    log: Path | None = None
    """The data logger's file; one with the unit's number in the present folder when left out."""
    dealer: str = "Kim"


class Round(NamedTuple):
    """One round of the evening."""

    number: int
    layout: Layout
    unit: Unit
    waiting: int
    """Records that the server has not taken yet."""


class Played(NamedTuple):
    """What became of the evening."""

    table: str
    unit: str
    ahead: int
    """Microseconds by which the unit's clock was ahead of the server's."""
    rounds: int
    wagers: Mapping[str, int]
    """How many of each wager were laid."""
    counters: Mapping[int, int]
    calls: int
    """How often the server was called."""
    failures: Mapping[str, int]
    """How often each failure came."""


def play(
    evening: Evening,
    tell: Callable[[str], None] = lambda _: None,
    after: Callable[[Round], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
    clock: Clock = system_clock,
) -> Played:
    """Play an evening: ``tell`` hears what holds the unit up, ``after`` is called after every round."""
    models = model_named(evening.model)
    trouble = Trouble(evening.failures, Random(f"{evening.seed} failures"))  # noqa: S311
    dice = Random(f"{evening.seed} wagers")  # noqa: S311
    unit_clock = _differing(clock, evening.failures.clock)
    with httpx.Client(base_url=evening.server, timeout=calls.ANSWER_WITHIN) as client:
        line = Line(client, evening.token, trouble, pause, evening.patience)
        told = line.patiently("POST", "/hello", {"time": unit_clock()}).content
        unit = unit_told(_model(told, models, evening.model), told)
        at_work = _at_work(evening, unit, line, unit_clock, tell, told)
        wagers = {wired.wager: 0 for wired in unit.sensors}
        try:
            for number in range(1, evening.rounds + 1):
                layout = lay_wagers(at_work.unit, dice)
                at_work.press(number, layout)
                for wired in unit.sensors:
                    wagers[wired.wager] += len(layout.covered.get(wired.sensor, ()))
                after(Round(number, layout, at_work.unit, _waiting(at_work)))
                if evening.every and number < evening.rounds:
                    line.wait(evening.every)
            at_work.finish()
        finally:
            if isinstance(at_work, DataLoggerAtWork):
                at_work.close()
    counters = dict(at_work.unit.counters)
    return Played(
        told["table"], unit.number, told["ahead"], evening.rounds, wagers, counters, line.calls, dict(trouble.met)
    )


def model_named(name: str) -> tuple[TabulatorType, ...]:
    """The models that are played under a name."""
    if name not in MODELS:
        raise CannotPlay(f"There is no {quote(name)} to play: choose {', '.join(MODELS)}.")
    return MODELS[name]


def _model(told: Mapping[str, Any], models: tuple[TabulatorType, ...], name: str) -> Model:
    """The model that stands at the table, if it is the one to be played."""
    if told["kind"] not in ("tabulator", "data-logger"):
        raise CannotPlay(
            f"{told['device']} is a {told['kind']}: play with the token of a tabulator or a data logger, and look at a "
            "screen with cardroom device watch."
        )
    if told["model"] not in models:
        raise CannotPlay(f"{told['table']} has the model {told['model']}: play that, not {name}.")
    return model(TabulatorType(told["model"]))


def _at_work(
    evening: Evening, unit: Unit, line: Line, clock: Clock, tell: Callable[[str], None], told: Mapping[str, Any]
) -> TabulatorAtWork | DataLoggerAtWork:
    if not unit.model.data_logger:
        return TabulatorAtWork(unit, line, clock, evening.run, tell)
    path = evening.log or Path(f"{unit.number}.log")
    begin_file(path, unit, LoggerMark(told["taken"], told["seal"]))
    return DataLoggerAtWork(unit, line, clock, evening.run, tell, path=path, dealer=evening.dealer)


def _waiting(at_work: TabulatorAtWork | DataLoggerAtWork) -> int:
    return at_work.waiting if isinstance(at_work, DataLoggerAtWork) else 0


def _differing(clock: Clock, ahead: int) -> Clock:
    """A clock that is ahead of another one."""

    def differing() -> Time:
        return min(max(clock() + ahead, 0), _LATEST)

    return differing
