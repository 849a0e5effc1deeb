"""A tabulator's unit on the table: sensors, a counter for each wager that never goes back, lights. Logic only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.jackpots.setup.models import Model

Places = Mapping[int, tuple[int, ...]]
"""By the number of the sensor: positions."""
_OFTEN: Final = 0.6
"""How often a wager lies on a spot."""
_LAMMERS: Final = 0.3


class Wired(NamedTuple):
    """A sensor that looks at a wager at every position."""

    sensor: int
    wager: str
    lammer_sensor: int | None = None
    """The sensor that sees the wager's lammers."""
    lammers: bool = False
    """Whether a lammer may lie beside the wager."""
    dark: bool = False
    """Whether nobody can make the wager."""


class Layout(NamedTuple):
    """What lies on the table when the dealer presses the button."""

    covered: Places
    """By sensor, also by those that see lammers."""
    lammers: Places
    """Beside which wagers lammers lie that no sensor sees."""


class Unit(NamedTuple):
    """A unit between two presses."""

    model: Model
    number: str
    """On its case."""
    positions: int
    sensors: tuple[Wired, ...]
    counters: Mapping[int, int]
    """By sensor. They never go back."""
    lit: frozenset[tuple[int, int]] = frozenset()
    """Position and sensor of each light that is on."""

    def pressed(self, layout: Layout) -> Unit:
        """The unit after a press: its counters went on. The lights follow when the count is safe.

        >>> from cardroom.games import TabulatorType
        >>> from cardroom.jackpots.setup.models import model
        >>> unit = Unit(model(TabulatorType.MILKY_WAY), "T-1001", 6, (Wired(1, "final-four"),), {1: 40})
        >>> unit.pressed(Layout({1: (2, 5)}, {})).counters
        {1: 42}
        """
        on = {sensor: shows + len(layout.covered.get(sensor, ())) for sensor, shows in self.counters.items()}
        return self._replace(counters=on, lit=frozenset())

    def jumped(self, by: int) -> Unit:
        """The unit after its first counter went on by itself: a chip rolled over a sensor."""
        first = self.sensors[0].sensor
        return self._replace(counters={**self.counters, first: self.counters[first] + by})

    def with_lights(self, lit: Iterable[tuple[int, int]]) -> Unit:
        """The unit with these lights on."""
        return self._replace(lit=frozenset(lit))


def unit_told(model: Model, told: Mapping[str, Any]) -> Unit:
    """The unit that a room knows, by what it answers to a hello: its counter goes on from what is known."""
    sensors = tuple(
        Wired(one["sensor"], one["wager"], one["lammer_sensor"], one["lammers"], one["dark"]) for one in told["sensors"]
    )
    counters = {one["sensor"]: one["counter"] for one in told["sensors"]}
    return Unit(model, told["unit"], told["positions"], sensors, counters)


def lay_wagers(unit: Unit, dice: Random) -> Layout:
    """What players lay in one round."""
    covered, lammers = dict[int, tuple[int, ...]](), dict[int, tuple[int, ...]]()
    for wired in unit.sensors:
        laid = _some(range(1, unit.positions + 1), _OFTEN, dice)
        marked = _some(laid, _LAMMERS, dice)
        if wired.dark:
            continue
        covered[wired.sensor] = laid
        if wired.lammers and wired.lammer_sensor is not None:
            covered[wired.lammer_sensor] = marked
        elif wired.lammers:
            lammers[wired.sensor] = marked
    return Layout(covered, lammers)


def _some(positions: Sequence[int], share: float, dice: Random) -> tuple[int, ...]:
    return tuple(position for position in positions if dice.random() < share)
