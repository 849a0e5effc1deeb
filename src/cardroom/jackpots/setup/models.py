"""The models of the bet tabulator and what each can do (BJ-1).

>>> model(TabulatorType.ANDROMEDA_3D).sensors, model(TabulatorType.MILKY_WAY).lights.value
(6, 'dealer-panel')
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from cardroom.games import TabulatorType


class Lights(StrEnum):
    """Where the lights are that show a counted wager."""

    DEALER_PANEL = "dealer-panel"
    SENSORS = "sensors"


class DisplayKind(StrEnum):
    """The kinds of display that TableVision drives."""

    LED_LINE = "led-line"
    PICTURE_FRAME = "picture-frame"
    MONITOR = "monitor"


class Changed(StrEnum):
    """How a new picture gets on a display."""

    BY_HAND = "by-hand"
    FROM_AFAR = "from-afar"
    BY_SERVER = "by-server"


class Screen(NamedTuple):
    """One display of a model."""

    kind: DisplayKind
    changed: Changed


class Model(NamedTuple):
    """What a model can do."""

    tabulator: TabulatorType
    name: str
    sensors: int
    """At each position; one sensor detects one wager."""
    positions: int
    lights: Lights
    data_logger: bool
    screens: tuple[Screen, ...]


@cache
def model(tabulator: TabulatorType) -> Model:
    """The model by its name."""
    entry = _models()[tabulator]
    return Model(
        tabulator=tabulator,
        name=entry["name"],
        sensors=entry["sensors"],
        positions=entry["positions"],
        lights=Lights(entry["lights"]),
        data_logger=entry["data-logger"],
        screens=tuple(Screen(DisplayKind(one["kind"]), Changed(one["changed"])) for one in entry["displays"]),
    )


@cache
def _models() -> dict[str, Any]:
    return tomllib.loads((files("cardroom.jackpots.setup") / "models.toml").read_text("utf-8"))
