"""Equipment that speaks over the network: the kinds of device, and which of them a table's model has (BJ-1)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from cardroom.errors import BadInput, quote
from cardroom.jackpots.setup.models import DisplayKind, Model

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
    def counts(self) -> bool:
        """Whether wagers come in through it: a table has one such device."""
        return self in (DeviceKind.TABULATOR, DeviceKind.DATA_LOGGER)

    @property
    def words(self) -> str:
        """
        >>> DeviceKind.DATA_LOGGER.words
        'data logger'
        """
        return {"data-logger": "data logger", "led": "LED sign", "console": "dealer's console"}.get(self, str(self))


def device_name(text: str) -> str:
    """A name that may stand in a token and in an address.

    >>> device_name("A1-77")
    'A1-77'
    """
    if not _NAME.fullmatch(text):
        raise BadDevice(
            f"{quote(text)} is no name for a device: use up to 40 letters without accents, digits, dashes and "
            "underscores, such as the number on its case."
        )
    return text


def device_kind(text: str) -> DeviceKind:
    """The kind by its name."""
    if text not in set(DeviceKind):
        raise BadDevice(f"There is no kind of device {quote(text)}: choose one of {', '.join(DeviceKind)}.")
    return DeviceKind(text)


def refuse_unfit(kind: DeviceKind, table: str, model: Model) -> None:
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
        those = ", ".join(one for one in DeviceKind if has.get(one))
        raise BadDevice(f"The {model.name} of {table} has no {kind.words} that speaks for itself: register {those}.")
