"""A Milky Way or an Andromeda-3 at work: each press goes to the server under an id of its own until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cardroom.ledger import Clock
from cardroom.web.equipment.line import GaveUp, Line, NoAnswer, Refused, refuse_another
from cardroom.web.equipment.unit import Layout, Places, Unit

_REMEMBERED: Final = 20


class TabulatorAtWork:
    """The presses that no server has answered are kept here, the oldest first."""

    def __init__(self, unit: Unit, line: Line, clock: Clock, run: str, tell: Callable[[str], None]) -> None:
        self.unit, self._line, self._clock, self._run, self._tell = unit, line, clock, run, tell
        self._trouble = line.trouble
        self._waiting: list[dict[str, Any]] = []
        self._answered: list[tuple[dict[str, Any], Any]] = []
        self._told = ""

    def press(self, number: int, layout: Layout) -> None:
        """The dealer presses the button in a round."""
        failures = self._trouble.failures
        if failures.jump.at == number:
            self.unit = self.unit.jumped(failures.jump.by)
            self._trouble.note("jump")
        self.unit = self.unit.pressed(layout)
        if failures.forget == number:
            self._trouble.note("forget")
            return
        self._waiting.append(
            {
                "id": f"{self._run}-{number}",
                "covered": _places(layout.covered),
                "lammers": _places(layout.lammers),
                "counter": {str(sensor): shows for sensor, shows in self.unit.counters.items()},
                "at": self._clock(),
            }
        )
        if not self._trouble.comes("late"):
            self.send()

    def send(self) -> None:
        """Send everything that waits. What was late comes behind the press after it; a press that does not follow is
        sent again, until the ones before it are known or people have read the counter."""
        order = self._waiting[::-1]
        for _ in self._line.pauses():
            refusal: Refused | None = None
            for press in order:
                try:
                    self._send(press)
                except Refused as fault:
                    if not fault.may_change:
                        raise
                    refusal = fault
                except NoAnswer:
                    break
            if not self._waiting:
                return
            if refusal is not None and order == self._waiting and str(refusal) != self._told:
                self._told = str(refusal)
                self._tell(f"held up: {refusal}")
            order = list(self._waiting)
        waits = f"{len(self._waiting)} press{'es wait' if len(self._waiting) != 1 else ' waits'}"
        raise GaveUp(f"{waits} at {self.unit.number}. {refusal or 'Nobody answers.'}")

    def _send(self, press: dict[str, Any]) -> None:
        if self._trouble.comes("lost_lines"):
            raise NoAnswer("The press was lost on the way.")
        answer = self._line.once("POST", "/presses", press).content
        self._waiting.remove(press)
        self._answered = [*self._answered, (press, answer)][-_REMEMBERED:]
        self.unit = self.unit.with_lights((one["position"], one["sensor"]) for one in answer["lights"])
        if self._trouble.comes("repeat"):
            self._repeat(*self._answered[self._trouble.any_of(len(self._answered))])

    def _repeat(self, press: dict[str, Any], first: Any) -> None:
        """Send once more what was answered before: the first answer comes again."""
        refuse_another(press["id"], first, self._line.patiently("POST", "/presses", press).content)

    def finish(self) -> None:
        """The evening is over: nothing waits any longer."""
        if self._waiting:
            self.send()


def _places(places: Places) -> dict[str, list[int]]:
    return {str(sensor): list(positions) for sensor, positions in places.items()}
