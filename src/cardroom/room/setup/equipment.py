"""The models of the bet tabulator and what each can do (BJ-1).

>>> bet_tabulator_model(TabulatorType.ANDROMEDA_3D).sensors, bet_tabulator_model(TabulatorType.MILKY_WAY).lights.value
(6, 'dealer-panel')

Equipment that speaks over the network: the kinds of device, and which of them a table's model has (BJ-1).
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
    """Where the lights are that show a counted wager."""

    DEALER_PANEL = "dealer-panel"
    SENSORS = "sensors"


class DisplayKind(StrEnum):
    """The kinds of display that TableVision drives."""

    LED_LINE = "led-line"
    PICTURE_FRAME = "picture-frame"
    MONITOR = "monitor"


class UpdateMethod(StrEnum):
    """How a new picture gets on a display."""

    BY_HAND = "by-hand"
    REMOTELY = "from-afar"
    BY_SERVER = "by-server"


class DisplayScreenModel(NamedTuple):
    """One display of a model."""

    kind: DisplayKind
    update_method: UpdateMethod


class BetTabulatorModel(NamedTuple):
    """What a model can do."""

    tabulator: TabulatorType
    name: str
    sensors: int
    """At each position; one sensor detects one wager."""
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
    """A device that a table cannot have, or that is called what no device is called."""


class DeviceKind(StrEnum):
    """What a device is for."""

    TABULATOR = "tabulator"
    """Posts each press of the dealer's button."""
    DATA_LOGGER = "data-logger"
    """Forwards what it kept while the server was away."""
    LED = "led"
    """Shows one line and a text that runs past."""
    MONITOR = "monitor"
    """Shows the whole of TableVision."""
    CONSOLE = "console"
    """The dealer's: runs a live table step by step."""

    @property
    def is_counting(self) -> bool:
        """Whether wagers come in through it: a table has one such device."""
        return self in (DeviceKind.TABULATOR, DeviceKind.DATA_LOGGER)

    @property
    def text(self) -> str:
        """
        >>> DeviceKind.DATA_LOGGER.text
        'data logger'
        """
        return {"data-logger": "data logger", "led": "LED sign", "console": "dealer's console"}.get(self, str(self))


def require_device_name(text: str) -> str:
    """A name that may stand in a token and in an address.

    >>> require_device_name("A1-77")
    'A1-77'
    """
    if not _NAME.fullmatch(text):
        raise BadDevice(
            f"{quote(text)} is no name for a device: use up to 40 letters without accents, digits, dashes and "
            "underscores, such as the number on its case."
        )
    return text


def parse_device_kind(text: str) -> DeviceKind:
    """The kind by its name."""
    if text not in set(DeviceKind):
        raise BadDevice(f"There is no kind of device {quote(text)}: choose one of {', '.join(DeviceKind)}.")
    return DeviceKind(text)


def refuse_unfit_device(kind: DeviceKind, table: str, model: BetTabulatorModel) -> None:
    """Refuse what the model has not: counts come through a data logger where there is one (BJ-25), and each kind of
    display belongs to its models. A dealer's console is no part of the tabulator."""
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
        kinds_text = ", ".join(device_kind_ for device_kind_ in DeviceKind if has.get(device_kind_))
        raise BadDevice(
            f"The {model.name} of {table} has no {kind.text} that speaks for itself: register {kinds_text}."
        )
