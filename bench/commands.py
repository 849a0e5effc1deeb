"""Commands: the time to a result, compared with the startup time of Python."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.measure import Figure, Promise, in_turns
from bench.result_table import Sheet
from cardroom.games.example_rounds import example_json

SUBJECT: Final = "commands"
CORES: Final = 1
CARDROOM: Final = Path(sys.executable).with_name("cardroom")
BARE: Final = (sys.executable, "-c", "import typer, rich.console")
YARDSTICK: Final = "Python with its command-line library"
QUICK: Final = 7.0
"""About 0.6 seconds on a machine with two cores at 2.8 GHz."""
MOST: Final[dict[tuple[str, ...], float | None]] = {
    ("--help",): 2.5,
    ("games",): None,
    ("paytables", "--json"): 4.0,
    ("settle", "--example", "texas-shootout"): QUICK,
    ("settle", "FILE"): QUICK,
    ("strategy", "three-card-prime", "--hand", "Qh 6d 4c"): QUICK,
    ("strategy", "deuces-wild", "--hand", "2c Jk 9h"): QUICK,
    ("strategy", "dueling-for-dollars", "--hand", "8c 8d"): QUICK,
    ("strategy", "three-card-double-play", "--hand", "As Ks 9d 9c 5h 4h"): QUICK,
    ("strategy", "texas-shootout", "--hand", "Kh Qh As Tc"): QUICK,
    ("odds", "texas-shootout", "--no-cache"): 17.0,
}
"""The words of each command and its time limit; FILE is a finished round of Texas Shootout."""


def sheets() -> list[Sheet]:
    with TemporaryDirectory() as folder:
        finished = Path(folder, "round.json")
        finished.write_text(example_json("texas-shootout"), "utf-8")
        figures = tuple(_figure(words, most, finished) for words, most in MOST.items())
    return [Sheet("Commands, from start to result, one core", figures)]


def _figure(words: tuple[str, ...], most: float | None, finished: Path) -> Figure:
    typed = [finished if word == "FILE" else word for word in words]
    timed = in_turns(lambda: _run(CARDROOM, *typed), lambda: _run(*BARE), clock=_work_of_others)
    promise = None if most is None else Promise(YARDSTICK, timed.yardsticks, most, at_least=False)
    return Figure(f"cardroom {' '.join(words)}", timed.seconds, "s", promise)


def _run(*words: str | Path) -> None:
    subprocess.run(words, check=True, capture_output=True)


def _work_of_others() -> float:
    """Processor seconds of finished child processes, without waiting times."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
