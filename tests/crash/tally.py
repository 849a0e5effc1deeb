"""How many deaths there were, and of what they were in the middle."""

from __future__ import annotations

import signal
from collections import Counter

from tests.crash.kill_points import Way
from tests.crash.kill_report import Noted

KILLS = "killed (SIGKILL)"
TORN = "torn by the system in the middle of a write (SIGXFSZ), beside the kills"
CHOSEN, RANDOM = "killed at a chosen moment", "killed at a random moment"
WRITING = "killed within a transaction that writes"
COMMITTING = "killed within the commit"
STORED = "killed between the commit and the answer"
FOUND_OUT = "commands that were stored and not answered, as was found out after the kill"
AGAIN = "commands sent again with their id that got their first answer"
ACKNOWLEDGED = "commands answered"
VERIFIED = "verifications of the whole books, all whole"


def count_life(tally: Counter[str], killed: int, way: Way | None, noted: Noted) -> None:
    """Count a life that has ended, by a signal or at the end of its script."""
    tally[AGAIN] += noted.again
    if killed == signal.SIGXFSZ:
        tally[TORN] += 1
    if killed != signal.SIGKILL:
        return
    tally[KILLS] += 1
    tally[CHOSEN if noted.struck else RANDOM] += 1
    if noted.struck and way is not None:
        tally[f"chosen: {way}"] += 1
    if noted.writing:
        tally[WRITING] += 1
    if noted.committing:
        tally[COMMITTING] += 1
    if noted.stored and not noted.writing:
        tally[STORED] += 1
