"""What is another in a table's set-up, line by line, as its operator would say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cardroom.jackpots.contents import SetUpChange

NOTHING: Final = "none"
UNIT: Final = "unit"
"""What a change of the unit is called."""


class AsWritten(NamedTuple):
    """A table's set-ups as they are written down, and the number of its unit."""

    setup: dict[str, Any]
    """With the wagers in the order of the layout."""
    sensors: dict[str, Any]
    unit: str


def set_up_changes(before: AsWritten, after: AsWritten) -> tuple[SetUpChange, ...]:
    """Each line that is another now.

    >>> sensors = {"location": "Lakewood", "sensors": [{"wager": "final-four", "jackpot": "final-four"}]}
    >>> unlinked = {"location": "Lakewood", "sensors": [{"wager": "final-four"}]}
    >>> for change in set_up_changes(AsWritten({"seats": 6}, sensors, "T-1"), AsWritten({"seats": 5}, unlinked, "T-1")):
    ...     print(*change, sep=", ")
    seats, 6, 5
    sensor 1 jackpot, final-four, none
    """
    one, other = _lines(before), _lines(after)
    return tuple(
        SetUpChange(what, one.get(what, NOTHING), other.get(what, NOTHING))
        for what in dict.fromkeys((*one, *other))
        if one.get(what) != other.get(what)
    )


def _lines(written: AsWritten) -> dict[str, str]:
    sensors = dict(written.sensors)
    numbered = {f"sensor {number}": one for number, one in enumerate(sensors.pop("sensors"), 1)}
    layout = {"layout": ", ".join(written.setup.get("wagers", ()))}
    return dict(_flat({**written.setup, **sensors, **numbered, UNIT: written.unit} | layout))


def _flat(entry: dict[str, Any], where: str = "") -> Iterator[tuple[str, str]]:
    for name, value in entry.items():
        what = f"{where} {name}".strip()
        if isinstance(value, dict):
            yield from _flat(value, what.removeprefix("wagers").strip())
        else:
            yield what, str(value).lower() if isinstance(value, bool) else str(value)
