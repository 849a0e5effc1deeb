"""The models of the bet tabulator (BJ-1), and the kinds of devices that each model has.

>>> bet_tabulator_model(TabulatorType.ANDROMEDA_3D).sensors, bet_tabulator_model(TabulatorType.MILKY_WAY).lights.value
(6, 'dealer-panel')
"""

from __future__ import annotations

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput, quote
from cardroom.games import TabulatorType


class LightLocation(StrEnum):
    """Where the lights of counted wagers are."""

    DEALER_PANEL = "dealer-panel"
    SENSORS = "sensors"


class DisplayKind(StrEnum):
    """The kinds of display that TableVision drives."""

    LED_LINE = "led-line"
    PICTURE_FRAME = "picture-frame"
    MONITOR = "monitor"


class UpdateMethod(StrEnum):
    """How the content of a display is updated."""

    BY_HAND = "by-hand"
    REMOTELY = "from-afar"
    BY_SERVER = "by-server"


class DisplayScreenModel(NamedTuple):
    """One display of a model."""

    kind: DisplayKind
    update_method: UpdateMethod


class BetTabulatorModel(NamedTuple):
    """The capabilities of a model."""

    tabulator: TabulatorType
    name: str
    sensors: int
    """The number of sensors at each position; one sensor detects one wager."""
    positions: int
    lights: LightLocation
    data_logger: bool
    screens: tuple[DisplayScreenModel, ...]


@cache
def bet_tabulator_model(tabulator: TabulatorType) -> BetTabulatorModel:
    """The model by its name."""
    entry = _load_models()[tabulator]
    return BetTabulatorModel(
        tabulator=tabulator,
        name=entry["name"],
        sensors=entry["sensors"],
        positions=entry["positions"],
        lights=LightLocation(entry["lights"]),
        data_logger=entry["data-logger"],
        screens=tuple(
            DisplayScreenModel(DisplayKind(display["kind"]), UpdateMethod(display["changed"]))
            for display in entry["displays"]
        ),
    )


@cache
def _load_models() -> dict[str, Any]:
    return tomllib.loads((files("cardroom.room.setup") / "models.toml").read_text("utf-8"))


_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


class BadDevice(BadInput):
    """A device that the table cannot have, or a device name that is not allowed."""


class DeviceKind(StrEnum):
    """The kinds of devices."""

    TABULATOR = "tabulator"
    """Sends each press of the dealer's button."""
    DATA_LOGGER = "data-logger"
    """Forwards stored records of presses."""
    LED = "led"
    """Shows one line and a running text."""
    MONITOR = "monitor"
    """Shows all of TableVision."""
    CONSOLE = "console"
    """The dealer's console, which runs a live table step by step."""

    @property
    def is_counting(self) -> bool:
        """Whether it counts wagers: a table has one such device."""
        return self in (DeviceKind.TABULATOR, DeviceKind.DATA_LOGGER)

    @property
    def text(self) -> str:
        """
        >>> DeviceKind.DATA_LOGGER.text
        'data logger'
        """
        return {"data-logger": "data logger", "led": "LED sign", "console": "dealer's console"}.get(self, str(self))


def require_device_name(text: str) -> str:
    """The name of a device; refuse one that does not fit into a token or an address.

    >>> require_device_name("A1-77")
    'A1-77'
    """
    if not _NAME.fullmatch(text):
        raise BadDevice(
            f"{quote(text)} cannot be the name of a device: use up to 40 letters without accents, digits, hyphens, and "
            "underscores, such as the number on its case."
        )
    return text


def parse_device_kind(text: str) -> DeviceKind:
    """The kind by its name."""
    if text not in set(DeviceKind):
        raise BadDevice(f"There is no kind of device {quote(text)}: choose {', '.join(DeviceKind)}.")
    return DeviceKind(text)


def refuse_unfit_device(kind: DeviceKind, table: str, model: BetTabulatorModel) -> None:
    """Refuse a kind of device that the model does not have: a model with a data logger counts through it (BJ-25), and
    each model has its displays. A dealer's console is not part of the tabulator."""
    if kind is DeviceKind.CONSOLE:
        return
    kinds = {screen.kind for screen in model.screens}
    has = {
        DeviceKind.TABULATOR: not model.data_logger,
        DeviceKind.DATA_LOGGER: model.data_logger,
        DeviceKind.LED: DisplayKind.LED_LINE in kinds,
        DeviceKind.MONITOR: DisplayKind.MONITOR in kinds,
    }
    if not has[kind]:
        kinds_text = ", ".join(device_kind for device_kind in DeviceKind if has.get(device_kind))
        raise BadDevice(
            f"The {model.name} of {table} has no {kind.text} with a network connection: register {kinds_text}."
        )
