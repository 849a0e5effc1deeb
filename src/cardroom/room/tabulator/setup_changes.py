"""The differences between two setups of a table, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cardroom.games import TableSetup, game
from cardroom.room.jackpot.event_values import SetupChange

NO_VALUE: Final = "none"
UNIT: Final = "unit"
"""The label of a change of the unit."""


class SetupText(NamedTuple):
    """A table's setups as JSON, the number of its unit, and its terms of play; empty where it has none."""

    setup: dict[str, Any]
    """With the wagers in the order of the layout."""
    sensors: Mapping[str, Any] = {}
    unit: str = ""
    play: Mapping[str, Any] = {}


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
    numbered = {f"sensor {number}": sensor for number, sensor in enumerate(sensors.pop("sensors", ()), 1)}
    layout = {"layout": ", ".join(text.setup.get("wagers", ()))}
    unit = {UNIT: text.unit} if text.unit else {}
    play = {"play": text.play} if text.play else {}
    return dict(_flatten({**text.setup, **sensors, **numbered, **unit, **layout, **play}))


def _flatten(entry: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, value in entry.items():
        label = f"{prefix} {name}".strip()
        if isinstance(value, Mapping):
            yield from _flatten(value, label.removeprefix("wagers").strip())
        else:
            yield label, str(value).lower() if isinstance(value, bool) else str(value)


def takes_two_people(before: TableSetup, after: TableSetup) -> bool:
    """Whether a change of a table changes what a wager costs or pays. The bonuses of a jackpot wager follow its
    jackpot, where two people change them.

    >>> from cardroom.games import default_setup
    >>> setup = default_setup("three-card-prime")
    >>> takes_two_people(setup, replace(setup, seats=5)), takes_two_people(setup, replace(setup, decks=2))
    (False, True)
    """
    return _priced_part(before) != _priced_part(replace(after, seats=before.seats, tabulator=before.tabulator))


def _priced_part(setup: TableSetup) -> TableSetup:
    facts = game(setup.game).facts
    wagers = {
        slug: replace(wager, bonuses={}) if facts.wager(slug).jackpot else wager for slug, wager in setup.wagers.items()
    }
    return replace(setup, wagers=wagers)
