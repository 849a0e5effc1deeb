"""Commands that get Ctrl-C while they work."""

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
    """What came of it."""

    code: int
    out: str
    """Standard output."""
    shown: str
    """What the terminal showed."""


def interrupted(*words: str, when: str) -> Interrupted:
    """Give a command, and press Ctrl-C when its terminal shows something."""
    outside, inside = pty.openpty()
    process = subprocess.Popen(
        [*CARDROOM, *words], stdout=subprocess.PIPE, stderr=inside, env={**os.environ, "COLUMNS": "120"}
    )
    os.close(inside)
    shown, deadline = b"", Deadline()
    try:
        while when.encode() not in shown:
            deadline.check(f"{when!r} (this did: {shown[-500:]!r})")
            if select.select([outside], [], [], 0.2)[0]:
                shown += os.read(outside, 65536)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=LIMIT)
        while select.select([outside], [], [], 0)[0]:
            try:
                shown += os.read(outside, 65536)
            except OSError:  # the other end is closed, and everything is read
                break
    finally:
        process.kill()
        process.communicate()
        os.close(outside)
    return Interrupted(process.returncode, out.decode(), shown.decode("utf-8", "replace"))
