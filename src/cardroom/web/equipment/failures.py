"""Failures on demand: what goes wrong, how often, and in which round.

>>> read_failures(["lost-lines=0.1,repeat=0.25", "jump=2@17,clock=-90s"])
Failures(lost_lines=0.1, garbled=0.0, late=0.0, repeat=0.25, cut=0.0, jump=Jump(by=2, at=17), forget=0, clock=-90000000)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput, quote

_OFTEN: Final = {
    "lost-lines": "a press, or a line of the logger, is lost on the way there",
    "garbled": "a line of the logger is changed on the way",
    "late": "a press or a record comes behind the ones after it",
    "repeat": "what was answered is sent once more",
    "cut": "the connection breaks before the answer is read",
}
_CLOCK: Final = re.compile(r"([+-]?)([0-9]{1,9})(s|m|h|d)?")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class BadFailure(BadInput):
    """A failure that nobody can make happen."""


class Jump(NamedTuple):
    """A counter that goes on by itself."""

    by: int
    at: int
    """The round before whose press it does; 0 for none."""


class Failures(NamedTuple):
    """What goes wrong. The first five say how often, from 0 to 1."""

    lost_lines: float = 0.0
    garbled: float = 0.0
    late: float = 0.0
    repeat: float = 0.0
    cut: float = 0.0
    jump: Jump = Jump(0, 0)
    forget: int = 0
    """The round of which the unit forgets to tell; 0 for none."""
    clock: int = 0
    """Microseconds by which the unit's clock is ahead."""


def read_failures(typed: Iterable[str]) -> Failures:
    """The failures that somebody has typed, such as ``lost-lines=0.1,late=0.2``."""
    told: dict[str, Any] = {}
    for one in (part.strip() for text in typed for part in text.split(",")):
        name, _, value = one.partition("=")
        if name in _OFTEN:
            told[name.replace("-", "_")] = _share(one, value)
        elif name == "jump":
            by, _, at = value.partition("@")
            told[name] = Jump(_number(one, by), _number(one, at))
        elif name == "forget":
            told[name] = _number(one, value.removeprefix("@"))
        elif name == "clock":
            told[name] = _microseconds(one, value)
        else:
            often = ", ".join(f"{name}=0.1 ({what})" for name, what in _OFTEN.items())
            raise BadFailure(
                f"{quote(one)} is no failure: choose {often}, jump=1@17 (the counter goes on by one before round 17), "
                "forget=17 (round 17 is never told of), clock=+90s."
            )
    return Failures()._replace(**told)


def _share(typed: str, value: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 0.9:
        raise BadFailure(f"{quote(typed)} does not say how often: give a share from 0 to 0.9, such as 0.1.")
    return share


def _number(typed: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or not int(value[:9]) > 0 or len(value) > 9:
        raise BadFailure(f"{quote(typed)} needs whole numbers from 1, such as jump=1@17 or forget=17.")
    return int(value)


def _microseconds(typed: str, value: str) -> int:
    found = _CLOCK.fullmatch(value)
    if not found:
        raise BadFailure(f"{quote(typed)} is no difference of clocks: write it as +90s, -5m, 2h or 1d.")
    sign, number, unit = found.groups()
    return int(f"{sign}{number}") * _UNITS[unit or "s"] * 1_000_000


class Trouble:
    """The dice by which failures happen. They are apart from those of the wagers, so that the same seed lays the same
    wagers whatever goes wrong."""

    def __init__(self, failures: Failures, dice: Random) -> None:
        self.failures, self._dice = failures, dice
        self.met: dict[str, int] = {}
        """How often each failure came."""

    def comes(self, name: str) -> bool:
        """Whether a failure that happens now and then happens now."""
        share: float = getattr(self.failures, name)
        # One throw for each question, so that one failure more or less does not change when the others come.
        met = self._dice.random() < share
        if met:
            self.note(name)
        return met

    def note(self, name: str) -> None:
        """Remember that it came."""
        self.met[name] = self.met.get(name, 0) + 1

    def any_of(self, number: int) -> int:
        """One of so many."""
        return self._dice.randrange(number)
