"""Runs the tests again and again, some of the times next to busy processes: ``make test-soak``.

The result of each run is printed as it ends: how long it took, how many tests passed, and which failed. The exit code
is 1 when any run failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS, LOADED, LOAD = 6, 2, 4


@dataclass(frozen=True)
class Run:
    """What came of one run."""

    code: int
    seconds: float
    summary: str
    """The last line of pytest, such as ``8806 passed in 690.12s``."""
    failed: tuple[str, ...]
    """The tests that failed, as pytest names them."""

    def describe(self) -> str:
        """
        >>> print(Run(1, 754.2, "1 failed, 8805 passed", ("tests/web/test_lab.py::test_x",)).describe())
        FAILED in 12:34 (1 failed, 8805 passed)
          tests/web/test_lab.py::test_x
        """
        minutes, seconds = divmod(round(self.seconds), 60)
        word = "FAILED" if self.code else "passed"
        return "\n  ".join([f"{word} in {minutes}:{seconds:02d} ({self.summary})", *self.failed])


def read(output: str, code: int, seconds: float) -> Run:
    """A run, from what it printed.

    >>> read("FAILED tests/a.py::test_b - assert 1\\n1 failed, 2 passed in 3.00s\\n", 1, 3.1).failed
    ('tests/a.py::test_b',)
    """
    failed = tuple(re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE))
    summaries = re.findall(r"^=*\s*(\d+ (?:passed|failed|error).*?)\s*=*$", output, re.MULTILINE)
    return Run(code, seconds, summaries[-1] if summaries else "no summary", failed)


def stay_busy(parent: int) -> None:
    """Use a core until the process that began this one is gone."""
    while os.getppid() == parent:
        sum(range(100_000))


@contextmanager
def load(number: int) -> Iterator[None]:
    """So many busy processes beside; they end with this one, however it ends."""
    spawn = multiprocessing.get_context("spawn")
    busy = [spawn.Process(target=stay_busy, args=(os.getpid(),), daemon=True) for _ in range(number)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def run(command: Sequence[str], log: Path) -> Run:
    """Run the tests once; everything that they print goes to a file."""
    began = time.monotonic()  # cannot fail: only printed
    with log.open("w", encoding="utf-8") as out:
        done = subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=False)
    return read(log.read_text("utf-8"), done.returncode, time.monotonic() - began)  # cannot fail: only printed


def soak(command: Sequence[str], runs: int, loaded: int, busy: int, folder: Path) -> bool:
    """Run the tests so many times, the last of them next to busy processes; whether every run passed."""
    folder.mkdir(parents=True, exist_ok=True)
    passed = 0
    for number in range(1, runs + 1):
        beside = busy if number > runs - loaded else 0
        log = folder / f"run-{number}.log"
        with load(beside):
            result = run(command, log)
        passed += not result.code
        next_to = f", next to {beside} busy processes" if beside else ""
        print(f"Run {number} of {runs}{next_to}: {result.describe()}", flush=True)
    print(f"{passed} of {runs} runs passed. Their output is in {folder}.", flush=True)
    return passed == runs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help="how often the tests run (%(default)s)")
    parser.add_argument("--loaded", type=int, default=LOADED, help="how many of the runs are loaded (%(default)s)")
    parser.add_argument("--load", type=int, default=LOAD, help="busy processes beside a loaded run (%(default)s)")
    parser.add_argument("--output", type=Path, default=ROOT / ".soak", help="folder for what each run prints")
    parser.add_argument("command", nargs="*", default=["make", "test"], help="what is run (make test)")
    asked = parser.parse_args()
    if not 0 <= asked.loaded <= asked.runs or asked.load < 0:
        parser.error("Load no more runs than there are, and name no negative number.")
    return 0 if soak(asked.command, asked.runs, asked.loaded, asked.load, asked.output) else 1


if __name__ == "__main__":
    sys.exit(main())
