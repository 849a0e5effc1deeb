"""Commands: how long a person waits for an answer, beside the time in which Python itself gets going."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.measure import Figure, Promise, in_turns
from bench.sheet import Sheet

SUBJECT: Final = "commands"
CORES: Final = 1
CARDROOM: Final = Path(sys.executable).with_name("cardroom")
BARE: Final = (sys.executable, "-c", "import typer, rich.console")
YARDSTICK: Final = "Python with its command-line library"
MOST: Final = {"--help": 2.5, "games": None, "paytables --json": 4.0, "settle --example texas-shootout": None}


def sheets() -> list[Sheet]:
    figures = tuple(_figure(words, most) for words, most in MOST.items())
    return [Sheet("Commands, from the key to the answer, one core", figures)]


def _figure(words: str, most: float | None) -> Figure:
    timed = in_turns(lambda: _run(CARDROOM, *words.split()), lambda: _run(*BARE), clock=_work_of_others)
    promise = None if most is None else Promise(YARDSTICK, timed.yardsticks, most, at_least=False)
    return Figure(f"cardroom {words}", timed.seconds, "s", promise)


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True)


def _work_of_others() -> float:
    """Seconds that finished processes have worked, whatever they had to wait for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
