"""A simulated run of one table's equipment: some rounds with configured failures."""

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
from cardroom.room.setup.tabulator_models import BetTabulatorModel, bet_tabulator_model
from cardroom_equipment_simulators import connection as device_connection
from cardroom_equipment_simulators.connection import DeviceConnection, FailureInjector, FailurePlan
from cardroom_equipment_simulators.data_logger import DataLoggerSimulator, create_log_file
from cardroom_equipment_simulators.tabulator import (
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
    """The token's table does not have this equipment."""


@dataclass(frozen=True, slots=True)
class EquipmentRun:
    """The options of a run."""

    model: str
    server: str
    token: str
    rounds: int = 10
    seed: int = 1
    run: str = "run"
    """The prefix of request ids. Another run with the same seed needs another prefix."""
    failures: FailurePlan = field(default_factory=FailurePlan)
    every: float = 0.0
    """Seconds between two rounds."""
    timeout: float = 300.0
    """Seconds that the unit waits for the server or for people."""
    log: Path | None = None
    """The data logger's file; by default named after the unit, in the current folder."""
    dealer: str = "Kim"


class PlannedRound(NamedTuple):
    """One simulated round."""

    number: int
    layout: WagerLayout
    unit: TabulatorUnit
    waiting: int
    """Records that the server has not stored yet."""


class RunResult(NamedTuple):
    """The result of a run."""

    table: str
    unit: str
    ahead: int
    """Microseconds by which the unit's clock was ahead of the server's."""
    rounds: int
    wagers: Mapping[str, int]
    """The number of each wager placed."""
    counters: Mapping[int, int]
    calls: int
    """The number of requests."""
    failures: Mapping[str, int]
    """The number of times that each failure occurred."""


def run_equipment(
    run: EquipmentRun,
    report: Callable[[str], None] = lambda _: None,
    on_round: Callable[[PlannedRound], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
    clock: Clock = system_clock,
) -> RunResult:
    """Run the equipment. ``report`` receives the reasons for holds, and ``on_round`` is called after every round."""
    models = find_models(run.model)
    failures = FailureInjector(run.failures, Random(f"{run.seed} failures"))  # noqa: S311
    dice = Random(f"{run.seed} wagers")  # noqa: S311
    unit_clock = _shifted_clock(clock, run.failures.clock)
    with httpx.Client(base_url=run.server, timeout=device_connection.RESPONSE_SECONDS) as client:
        connection = DeviceConnection(client, run.token, failures, pause, run.timeout)
        hello = connection.send_with_retries("POST", "/hello", {"time": unit_clock()}).content
        unit = unit_from_hello(_find_model(hello, models, run.model), hello)
        simulator = _create_simulator(run, unit, connection, unit_clock, report, hello)
        wagers = {wired.wager: 0 for wired in unit.sensors}
        try:
            for number in range(1, run.rounds + 1):
                layout = place_wagers(simulator.unit, dice)
                simulator.press(number, layout)
                for wired in unit.sensors:
                    wagers[wired.wager] += len(layout.covered.get(wired.sensor, ()))
                on_round(PlannedRound(number, layout, simulator.unit, _pending_count(simulator)))
                if run.every and number < run.rounds:
                    connection.wait(run.every)
            simulator.finish()
        finally:
            if isinstance(simulator, DataLoggerSimulator):
                simulator.close()
    counters = dict(simulator.unit.counters)
    return RunResult(
        hello["table"],
        unit.number,
        hello["ahead"],
        run.rounds,
        wagers,
        counters,
        connection.calls,
        dict(failures.counts),
    )


def find_models(name: str) -> tuple[TabulatorType, ...]:
    """The tabulator types of a model name."""
    if name not in MODELS:
        raise CannotRun(f"There is no model {quote(name)}. Choose {', '.join(MODELS)}.")
    return MODELS[name]


def _find_model(hello: Mapping[str, Any], models: tuple[TabulatorType, ...], name: str) -> BetTabulatorModel:
    """The table's model, if it is the requested one."""
    if hello["kind"] not in ("tabulator", "data-logger"):
        raise CannotRun(
            f"{hello['device']} is a {hello['kind']}. Simulate with the token of a tabulator or a data logger. Use "
            "cardroom device watch for a screen."
        )
    if hello["model"] not in models:
        raise CannotRun(f"{hello['table']} has the model {hello['model']}, not {name}. Simulate its own model.")
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
