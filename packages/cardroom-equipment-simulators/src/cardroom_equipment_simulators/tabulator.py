"""The logic of a tabulator's unit, and a simulated Milky Way or Andromeda-3 that sends each press until it is
stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.ledger import Clock
from cardroom.room.setup.tabulator_models import BetTabulatorModel
from cardroom_equipment_simulators.connection import (
    CallRefused,
    DeviceConnection,
    NoAnswer,
    RetriesExhausted,
    check_same_response,
)

Places = Mapping[int, tuple[int, ...]]
"""Positions by sensor number."""
_WAGER_SHARE: Final = 0.6
"""The probability of a wager on a spot."""
_LAMMERS: Final = 0.3


class SensorWiring(NamedTuple):
    """A sensor that counts a wager at every position."""

    sensor: int
    wager: str
    lammer_sensor: int | None = None
    """The sensor that detects the wager's lammers."""
    lammers: bool = False
    """Whether the wager may have a lammer."""
    dark: bool = False
    """Whether the wager is not available."""


class WagerLayout(NamedTuple):
    """The wagers when the dealer presses the button."""

    covered: Places
    """Positions by sensor, including sensors for lammers."""
    lammers: Places
    """Positions of lammers that no sensor detects, by sensor of the wager."""


class TabulatorUnit(NamedTuple):
    """A unit between two presses."""

    model: BetTabulatorModel
    number: str
    """The number on its case."""
    positions: int
    sensors: tuple[SensorWiring, ...]
    counters: Mapping[int, int]
    """By sensor. Counters never decrease."""
    lit: frozenset[tuple[int, int]] = frozenset()
    """The position and sensor of each light that is on."""

    def press(self, layout: WagerLayout) -> TabulatorUnit:
        """The unit after a press, with higher counters. The lights follow when the count is stored.

        >>> from cardroom.games import TabulatorType
        >>> from cardroom.room.setup.tabulator_models import bet_tabulator_model
        >>> model = bet_tabulator_model(TabulatorType.MILKY_WAY)
        >>> unit = TabulatorUnit(model, "T-1001", 6, (SensorWiring(1, "final-four"),), {1: 40})
        >>> unit.press(WagerLayout({1: (2, 5)}, {})).counters
        {1: 42}
        """
        counters = {sensor: reading + len(layout.covered.get(sensor, ())) for sensor, reading in self.counters.items()}
        return self._replace(counters=counters, lit=frozenset())

    def jump_counters(self, amount: int) -> TabulatorUnit:
        """The unit after its first counter advanced by itself, as when a chip rolls over a sensor."""
        first = self.sensors[0].sensor
        return self._replace(counters={**self.counters, first: self.counters[first] + amount})

    def with_lights(self, lit: Iterable[tuple[int, int]]) -> TabulatorUnit:
        """The unit with these lights on."""
        return self._replace(lit=frozenset(lit))


def unit_from_hello(model: BetTabulatorModel, hello: Mapping[str, Any]) -> TabulatorUnit:
    """The unit from the server's response to a hello. Its counters continue from the server's."""
    sensors = tuple(
        SensorWiring(sensor["sensor"], sensor["wager"], sensor["lammer_sensor"], sensor["lammers"], sensor["dark"])
        for sensor in hello["sensors"]
    )
    counters = {sensor["sensor"]: sensor["counter"] for sensor in hello["sensors"]}
    return TabulatorUnit(model, hello["unit"], hello["positions"], sensors, counters)


def place_wagers(unit: TabulatorUnit, dice: Random) -> WagerLayout:
    """Random wagers of one round."""
    covered, lammers = dict[int, tuple[int, ...]](), dict[int, tuple[int, ...]]()
    for wiring in unit.sensors:
        positions = _sample(range(1, unit.positions + 1), _WAGER_SHARE, dice)
        marked = _sample(positions, _LAMMERS, dice)
        if wiring.dark:
            continue
        covered[wiring.sensor] = positions
        if wiring.lammers and wiring.lammer_sensor is not None:
            covered[wiring.lammer_sensor] = marked
        elif wiring.lammers:
            lammers[wiring.sensor] = marked
    return WagerLayout(covered, lammers)


def _sample(positions: Sequence[int], share: float, dice: Random) -> tuple[int, ...]:
    return tuple(position for position in positions if dice.random() < share)


_REMEMBERED: Final = 20


class TabulatorSimulator:
    """A tabulator that keeps unanswered presses, oldest first."""

    def __init__(
        self, unit: TabulatorUnit, connection: DeviceConnection, clock: Clock, run: str, report: Callable[[str], None]
    ) -> None:
        self.unit, self._connection, self._clock, self._run, self._report = unit, connection, clock, run, report
        self._failures = connection.failures
        self._pending: list[dict[str, Any]] = []
        self._responses: list[tuple[dict[str, Any], Any]] = []
        self._reported = ""

    def press(self, number: int, layout: WagerLayout) -> None:
        """The dealer presses the button in a round."""
        failures = self._failures.plan
        if failures.jump.at == number:
            self.unit = self.unit.jump_counters(failures.jump.by)
            self._failures.record("jump")
        self.unit = self.unit.press(layout)
        if failures.forget == number:
            self._failures.record("forget")
            return
        self._pending.append(
            {
                "id": f"{self._run}-{number}",
                "covered": _places(layout.covered),
                "lammers": _places(layout.lammers),
                "counter": {str(sensor): reading for sensor, reading in self.unit.counters.items()},
                "at": self._clock(),
            }
        )
        if not self._failures.occurs("late"):
            self.send()

    def send(self) -> None:
        """Send all pending presses. A late press follows the next one. A press that does not match the counter is
        repeated until the earlier ones are stored or people have read the counter."""
        order = self._pending[::-1]
        for _ in self._connection.pauses():
            refusal: CallRefused | None = None
            for press in order:
                try:
                    self._send(press)
                except CallRefused as fault:
                    if not fault.may_change:
                        raise
                    refusal = fault
                except NoAnswer:
                    break
            if not self._pending:
                return
            if refusal is not None and order == self._pending and str(refusal) != self._reported:
                self._reported = str(refusal)
                self._report(f"on hold: {refusal}")
            order = list(self._pending)
        pending = f"{len(self._pending)} press{'es are' if len(self._pending) != 1 else ' is'} pending"
        raise RetriesExhausted(f"{pending} at {self.unit.number}. {refusal or 'The server does not respond.'}")

    def _send(self, press: dict[str, Any]) -> None:
        if self._failures.occurs("lost_lines"):
            raise NoAnswer("The press was lost on the way.")
        result = self._connection.send_once("POST", "/presses", press).content
        self._pending.remove(press)
        self._responses = [*self._responses, (press, result)][-_REMEMBERED:]
        self.unit = self.unit.with_lights((light["position"], light["sensor"]) for light in result["lights"])
        if self._failures.occurs("repeat"):
            self._repeat(*self._responses[self._failures.pick(len(self._responses))])

    def _repeat(self, press: dict[str, Any], first: Any) -> None:
        """Repeat an earlier press, which must get the first response again."""
        check_same_response(press["id"], first, self._connection.send_with_retries("POST", "/presses", press).content)

    def finish(self) -> None:
        """Send what is still pending at the end of a run."""
        if self._pending:
            self.send()


def _places(places: Places) -> dict[str, list[int]]:
    return {str(sensor): list(positions) for sensor, positions in places.items()}
