"""Run a command and press Ctrl-C while it works."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from typing import NamedTuple

from tests.deadline import LIMIT, Deadline

CARDROOM = [sys.executable, "-c", "from cardroom.cli import main; main()"]


class Interrupted(NamedTuple):
    """The exit code and the output of an interrupted command."""

    code: int
    out: str
    """Standard output."""
    shown: str
    """What appeared on the terminal."""


def interrupt_command(*words: str, when: str) -> Interrupted:
    """Run a command, and press Ctrl-C when its terminal shows the text ``when``."""
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [*CARDROOM, *words], stdout=subprocess.PIPE, stderr=terminal, env={**os.environ, "COLUMNS": "120"}
    )
    os.close(terminal)
    shown, deadline = b"", Deadline()
    try:
        while when.encode() not in shown:
            deadline.check(f"the terminal to show {when!r}; it showed {shown[-500:]!r}")
            if select.select([controller], [], [], 0.2)[0]:
                shown += os.read(controller, 65536)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT)
        while select.select([controller], [], [], 0)[0]:
            try:
                shown += os.read(controller, 65536)
            except OSError:  # the process closed its end, and all output is read
                break
    finally:
        process.kill()
        process.communicate()
        os.close(controller)
    return Interrupted(process.returncode, out.decode(), shown.decode("utf-8", "replace"))
