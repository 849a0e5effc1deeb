"""The clock and the keys of a card room that carries out a script: a command may bring its own."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardroom.ledger import Clock, system_clock
from cardroom.service.commands.handler import generate_key

TIME_BYTES = 8


class SharedClock:
    """One clock for all processes of an evening. Each reading is later than every reading before it, in any process,
    although the machine's clock may go back or stand still. A command reads it while everything that it looks at is
    locked, so the times of the events tell the order of all commands, also of those that share no chain."""

    def __init__(self, path: Path, machine: Clock = system_clock) -> None:
        self._path, self._machine = path, machine

    def __call__(self) -> int:
        """In microseconds."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            last = int.from_bytes(os.pread(file, TIME_BYTES, 0), "big")
            now = max(last + 1, self._machine())
            os.pwrite(file, now.to_bytes(TIME_BYTES, "big"), 0)
        finally:
            os.close(file)
        return now


class ScriptInputs:
    """Sets the clock of whatever is done now. What was cut short is done again at the time at which it was."""

    def __init__(self, clock: Clock = system_clock) -> None:
        self.command: Mapping[str, Any] = {}
        self._clock = clock

    def clock(self) -> int:
        """In microseconds."""
        return int(self.command["time"]) if "time" in self.command else self._clock()

    def key(self) -> bytes:
        return bytes.fromhex(self.command["key"]) if "key" in self.command else generate_key()
