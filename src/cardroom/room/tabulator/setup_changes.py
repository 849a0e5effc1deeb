"""The differences between two setups of a table, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from cardroom.room.jackpot.event_values import SetupChange

NO_VALUE: Final = "none"
UNIT: Final = "unit"
"""The label of a change of the unit."""


class SetupText(NamedTuple):
    """A table's setups as JSON, and the number of its unit."""

    setup: dict[str, Any]
    """With the wagers in the order of the layout."""
    sensors: dict[str, Any]
    unit: str


def list_setup_changes(before: SetupText, after: SetupText) -> tuple[SetupChange, ...]:
    """Each changed line.

    >>> sensors = {"location": "Lakewood", "sensors": [{"wager": "final-four", "jackpot": "final-four"}]}
    >>> unlinked = {"location": "Lakewood", "sensors": [{"wager": "final-four"}]}
    >>> before, after = SetupText({"seats": 6}, sensors, "T-1"), SetupText({"seats": 5}, unlinked, "T-1")
    >>> for change in list_setup_changes(before, after):
    ...     print(*change, sep=", ")
    seats, 6, 5
    sensor 1 jackpot, final-four, none
    """
    old_lines, new_lines = _list_lines(before), _list_lines(after)
    return tuple(
        SetupChange(label, old_lines.get(label, NO_VALUE), new_lines.get(label, NO_VALUE))
        for label in dict.fromkeys((*old_lines, *new_lines))
        if old_lines.get(label) != new_lines.get(label)
    )


def _list_lines(text: SetupText) -> dict[str, str]:
    sensors = dict(text.sensors)
    numbered = {f"sensor {number}": sensor for number, sensor in enumerate(sensors.pop("sensors"), 1)}
    layout = {"layout": ", ".join(text.setup.get("wagers", ()))}
    return dict(_flatten({**text.setup, **sensors, **numbered, UNIT: text.unit} | layout))


def _flatten(entry: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in entry.items():
        label = f"{prefix} {name}".strip()
        if isinstance(value, dict):
            yield from _flatten(value, label.removeprefix("wagers").strip())
        else:
            yield label, str(value).lower() if isinstance(value, bool) else str(value)
