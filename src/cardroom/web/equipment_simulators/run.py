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
from cardroom.ledger import Clock, Time, system_clock
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.setup.equipment import BetTabulatorModel, bet_tabulator_model
from cardroom.web.equipment_simulators import connection as calls
from cardroom.web.equipment_simulators.connection import DeviceConnection, FailureInjector, FailurePlan
from cardroom.web.equipment_simulators.data_logger import DataLoggerSimulator, create_log_file
from cardroom.web.equipment_simulators.tabulator import (
    TabulatorSimulator,
    TabulatorUnit,
    WagerLayout,
    place_wagers,
    unit_from_hello,
)

MODELS: Final[Mapping[str, tuple[TabulatorType, ...]]] = {
    "milky-way": (TabulatorType.MILKY_WAY,),
    "andromeda-1": (TabulatorType.ANDROMEDA_1,),
    "andromeda-3": (TabulatorType.ANDROMEDA_3C, TabulatorType.ANDROMEDA_3D),
}
_LATEST: Final = (1 << 53) - 1


class CannotRun(BadInput):
    """Equipment that the table of the token does not have."""


@dataclass(frozen=True, slots=True)
class EquipmentRun:
    """What is played."""

    model: str
    server: str
    token: str
    rounds: int = 10
    seed: int = 1
    run: str = "run"
    """Stands before the ids of what is sent: another evening with the same seed has another one."""
    failures: FailurePlan = field(default_factory=FailurePlan)
    every: float = 0.0
    """Seconds between two rounds."""
    timeout: float = 300.0
    """Seconds for which the unit waits for a server or for people."""
    log: Path | None = None
    """The data logger's file; one with the unit's number in the present folder when left out."""
    dealer: str = "Kim"


class SimulatedRound(NamedTuple):
    """One round of the evening."""

    number: int
    layout: WagerLayout
    unit: TabulatorUnit
    waiting: int
    """Records that the server has not taken yet."""


class RunResult(NamedTuple):
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


def run_equipment(
    run: EquipmentRun,
    report: Callable[[str], None] = lambda _: None,
    on_round: Callable[[SimulatedRound], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
    clock: Clock = system_clock,
) -> RunResult:
    """Play an evening: ``report`` hears what holds the unit up, ``on_round`` is called after every round."""
    models = find_models(run.model)
    trouble = FailureInjector(run.failures, Random(f"{run.seed} failures"))  # noqa: S311
    dice = Random(f"{run.seed} wagers")  # noqa: S311
    unit_clock = _shifted_clock(clock, run.failures.clock)
    with httpx.Client(base_url=run.server, timeout=calls.RESPONSE_SECONDS) as client:
        line = DeviceConnection(client, run.token, trouble, pause, run.timeout)
        hello = line.send_with_retries("POST", "/hello", {"time": unit_clock()}).content
        unit = unit_from_hello(_find_model(hello, models, run.model), hello)
        at_work = _create_simulator(run, unit, line, unit_clock, report, hello)
        wagers = {wired.wager: 0 for wired in unit.sensors}
        try:
            for number in range(1, run.rounds + 1):
                layout = place_wagers(at_work.unit, dice)
                at_work.press(number, layout)
                for wired in unit.sensors:
                    wagers[wired.wager] += len(layout.covered.get(wired.sensor, ()))
                on_round(SimulatedRound(number, layout, at_work.unit, _pending_count(at_work)))
                if run.every and number < run.rounds:
                    line.wait(run.every)
            at_work.finish()
        finally:
            if isinstance(at_work, DataLoggerSimulator):
                at_work.close()
    counters = dict(at_work.unit.counters)
    return RunResult(
        hello["table"], unit.number, hello["ahead"], run.rounds, wagers, counters, line.calls, dict(trouble.counts)
    )


def find_models(name: str) -> tuple[TabulatorType, ...]:
    """The models that are played under a name."""
    if name not in MODELS:
        raise CannotRun(f"There is no {quote(name)} to play: choose {', '.join(MODELS)}.")
    return MODELS[name]


def _find_model(hello: Mapping[str, Any], models: tuple[TabulatorType, ...], name: str) -> BetTabulatorModel:
    """The model that stands at the table, if it is the one to be played."""
    if hello["kind"] not in ("tabulator", "data-logger"):
        raise CannotRun(
            f"{hello['device']} is a {hello['kind']}: play with the token of a tabulator or a data logger, and look "
            "at a "
            "screen with cardroom device watch."
        )
    if hello["model"] not in models:
        raise CannotRun(f"{hello['table']} has the model {hello['model']}: play that, not {name}.")
    return bet_tabulator_model(TabulatorType(hello["model"]))


def _create_simulator(
    run: EquipmentRun,
    unit: TabulatorUnit,
    connection: DeviceConnection,
    clock: Clock,
    report: Callable[[str], None],
    hello: Mapping[str, Any],
) -> TabulatorSimulator | DataLoggerSimulator:
    if not unit.model.data_logger:
        return TabulatorSimulator(unit, connection, clock, run.run, report)
    path = run.log or Path(f"{unit.number}.log")
    create_log_file(path, unit, LoggerMark(hello["taken"], hello["seal"]))
    return DataLoggerSimulator(unit, connection, clock, run.run, report, path=path, dealer=run.dealer)


def _pending_count(simulator: TabulatorSimulator | DataLoggerSimulator) -> int:
    return simulator.pending_count if isinstance(simulator, DataLoggerSimulator) else 0


def _shifted_clock(clock: Clock, ahead: int) -> Clock:
    """A clock that is ahead of another one."""

    def shifted() -> Time:
        return min(max(clock() + ahead, 0), _LATEST)

    return shifted
