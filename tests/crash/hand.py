"""The clock and the keys of a floor that carries out a script: a deed may bring its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardroom.floor.desks.desk import fresh_key
from cardroom.ledger import system_clock


class Hand:
    """Sets the clock of whatever is done now. What was cut short is done again at the time at which it was."""

    def __init__(self) -> None:
        self.deed: Mapping[str, Any] = {}

    def clock(self) -> int:
        """In microseconds."""
        return int(self.deed["time"]) if "time" in self.deed else system_clock()

    def key(self) -> bytes:
        return bytes.fromhex(self.deed["key"]) if "key" in self.deed else fresh_key()
