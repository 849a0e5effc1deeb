"""A tabulator's unit on the table: sensors, a counter for each wager that never goes back, lights. Logic only.

A Milky Way or an Andromeda-3 at work: each press goes to the server under an id of its own until it is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.ledger import Clock
from cardroom.room.setup.equipment import BetTabulatorModel
from cardroom.web.equipment_simulators.connection import (
    CallRefused,
    DeviceConnection,
    NoAnswer,
    RetriesExhausted,
    check_same_response,
)

Places = Mapping[int, tuple[int, ...]]
"""By the number of the sensor: positions."""
_WAGER_SHARE: Final = 0.6
"""How often a wager lies on a spot."""
_LAMMERS: Final = 0.3


class SensorWiring(NamedTuple):
    """A sensor that looks at a wager at every position."""

    sensor: int
    wager: str
    lammer_sensor: int | None = None
    """The sensor that sees the wager's lammers."""
    lammers: bool = False
    """Whether a lammer may lie beside the wager."""
    dark: bool = False
    """Whether nobody can make the wager."""


class WagerLayout(NamedTuple):
    """What lies on the table when the dealer presses the button."""

    covered: Places
    """By sensor, also by those that see lammers."""
    lammers: Places
    """Beside which wagers lammers lie that no sensor sees."""


class TabulatorUnit(NamedTuple):
    """A unit between two presses."""

    model: BetTabulatorModel
    number: str
    """On its case."""
    positions: int
    sensors: tuple[SensorWiring, ...]
    counters: Mapping[int, int]
    """By sensor. They never go back."""
    lit: frozenset[tuple[int, int]] = frozenset()
    """Position and sensor of each light that is on."""

    def press(self, layout: WagerLayout) -> TabulatorUnit:
        """The unit after a press: its counters went on. The lights follow when the count is safe.

        >>> from cardroom.games import TabulatorType
        >>> from cardroom.room.setup.equipment import bet_tabulator_model
        >>> model = bet_tabulator_model(TabulatorType.MILKY_WAY)
        >>> unit = TabulatorUnit(model, "T-1001", 6, (SensorWiring(1, "final-four"),), {1: 40})
        >>> unit.press(WagerLayout({1: (2, 5)}, {})).counters
        {1: 42}
        """
        on = {sensor: shows + len(layout.covered.get(sensor, ())) for sensor, shows in self.counters.items()}
        return self._replace(counters=on, lit=frozenset())

    def jump_counters(self, amount: int) -> TabulatorUnit:
        """The unit after its first counter went on by itself: a chip rolled over a sensor."""
        first = self.sensors[0].sensor
        return self._replace(counters={**self.counters, first: self.counters[first] + amount})

    def with_lights(self, lit: Iterable[tuple[int, int]]) -> TabulatorUnit:
        """The unit with these lights on."""
        return self._replace(lit=frozenset(lit))


def unit_from_hello(model: BetTabulatorModel, hello: Mapping[str, Any]) -> TabulatorUnit:
    """The unit that a room knows, by what it answers to a hello: its counter goes on from what is known."""
    sensors = tuple(
        SensorWiring(sensor["sensor"], sensor["wager"], sensor["lammer_sensor"], sensor["lammers"], sensor["dark"])
        for sensor in hello["sensors"]
    )
    counters = {sensor["sensor"]: sensor["counter"] for sensor in hello["sensors"]}
    return TabulatorUnit(model, hello["unit"], hello["positions"], sensors, counters)


def place_wagers(unit: TabulatorUnit, dice: Random) -> WagerLayout:
    """What players lay in one round."""
    covered, lammers = dict[int, tuple[int, ...]](), dict[int, tuple[int, ...]]()
    for wired in unit.sensors:
        positions = _sample(range(1, unit.positions + 1), _WAGER_SHARE, dice)
        marked = _sample(positions, _LAMMERS, dice)
        if wired.dark:
            continue
        covered[wired.sensor] = positions
        if wired.lammers and wired.lammer_sensor is not None:
            covered[wired.lammer_sensor] = marked
        elif wired.lammers:
            lammers[wired.sensor] = marked
    return WagerLayout(covered, lammers)


def _sample(positions: Sequence[int], share: float, dice: Random) -> tuple[int, ...]:
    return tuple(position for position in positions if dice.random() < share)


_REMEMBERED: Final = 20


class TabulatorSimulator:
    """The presses that no server has answered are kept here, the oldest first."""

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
                "counter": {str(sensor): shows for sensor, shows in self.unit.counters.items()},
                "at": self._clock(),
            }
        )
        if not self._failures.occurs("late"):
            self.send()

    def send(self) -> None:
        """Send everything that waits. What was late comes behind the press after it; a press that does not follow is
        sent again, until the ones before it are known or people have read the counter."""
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
                self._report(f"held up: {refusal}")
            order = list(self._pending)
        waits = f"{len(self._pending)} press{'es wait' if len(self._pending) != 1 else ' waits'}"
        raise RetriesExhausted(f"{waits} at {self.unit.number}. {refusal or 'Nobody answers.'}")

    def _send(self, press: dict[str, Any]) -> None:
        if self._failures.occurs("lost_lines"):
            raise NoAnswer("The press was lost on the way.")
        answer = self._connection.send_once("POST", "/presses", press).content
        self._pending.remove(press)
        self._responses = [*self._responses, (press, answer)][-_REMEMBERED:]
        self.unit = self.unit.with_lights((light["position"], light["sensor"]) for light in answer["lights"])
        if self._failures.occurs("repeat"):
            self._repeat(*self._responses[self._failures.pick(len(self._responses))])

    def _repeat(self, press: dict[str, Any], first: Any) -> None:
        """Send once more what was answered before: the first answer comes again."""
        check_same_response(press["id"], first, self._connection.send_with_retries("POST", "/presses", press).content)

    def finish(self) -> None:
        """The evening is over: nothing waits any longer."""
        if self._pending:
            self.send()


def _places(places: Places) -> dict[str, list[int]]:
    return {str(sensor): list(positions) for sensor, positions in places.items()}
