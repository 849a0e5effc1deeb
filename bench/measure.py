"""A measured figure, with its promise and its ratios to other measurements."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

MILLION = 1_000_000
_MEMORY_OF_THIS_PROCESS = Path("/proc/self/status")


@dataclass(frozen=True)
class Promise:
    """A promise is a ratio to a yardstick from the same run. Other load on the machine affects both, so the promise
    also applies on a busy machine."""

    yardstick: str
    """What the ratio refers to, as text."""
    ratio: float
    """The measured ratio of two rates, or of two times."""
    bound: float
    at_least: bool = True

    @property
    def kept(self) -> bool:
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound

    @property
    def bound_text(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {format_number(self.bound)} × {self.yardstick}"

    @property
    def entry(self) -> dict[str, Any]:
        return {
            "yardstick": self.yardstick,
            "ratio": self.ratio,
            "at_least" if self.at_least else "at_most": self.bound,
            "kept": self.kept,
        }


@dataclass(frozen=True)
class Figure:
    """A measured figure; more is better for a rate, less for a time."""

    what: str
    measured: float
    unit: str
    promise: Promise | None = None
    ratios: Mapping[str, float] = field(default_factory=dict)
    """Ratios of two rates, by column heading."""

    @property
    def kept(self) -> bool:
        return self.promise is None or self.promise.kept

    @property
    def measured_text(self) -> str:
        return format_number(self.measured)

    @property
    def entry(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "measured": self.measured,
            "unit": self.unit,
            "promise": self.promise.entry if self.promise else None,
            "kept": self.kept,
            "ratios": dict(self.ratios),
        }


def format_number(number: float) -> str:
    """The number with three significant digits.

    >>> format_number(113_456_789), format_number(45_678), format_number(0.34567)
    ('113 million', '45,700', '0.346')
    """
    if abs(number) >= MILLION:
        return f"{_three_digits(number / MILLION)} million"
    return _three_digits(number)


def _three_digits(number: float) -> str:
    rounded = float(f"{number:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:.3g}"


def second_run(work: Callable[[], object], at_least: float = 0.0) -> float:
    """Seconds for the work when everything is compiled and warm: the best run after the first one, of at least two runs
    and ``at_least`` seconds."""
    work()
    times: list[float] = []
    while len(times) < 2 or sum(times) < at_least:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


Work: TypeAlias = Callable[[], object]
Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True)
class InTurns:
    """The times of some work and a yardstick, run alternately several times."""

    seconds: float
    """Seconds of the work's best run."""
    yardsticks: float
    """The ratio of the work to the yardstick: the median of the pairs."""


def in_turns(work: Work, yardstick: Work, at_least: float = 1.0, clock: Clock = time.perf_counter) -> InTurns:
    """Measure work and its yardstick alternately, so that other load affects both. The first pair only warms up.
    ``clock`` compares the two: elapsed time, or processor time of this process or of others, which excludes waiting."""

    def once(task: Work) -> tuple[float, float]:
        start, began = time.perf_counter(), clock()
        task()
        return clock() - began, time.perf_counter() - start

    once(work)
    once(yardstick)
    ratios: list[float] = []
    seconds: list[float] = []
    spent = 0.0
    while len(ratios) < 3 or spent < at_least:
        (done, took), (other, beside) = once(work), once(yardstick)
        ratios.append(done / other)
        seconds.append(took)
        spent += took + beside
    return InTurns(min(seconds), median(ratios))


def count_to(most: int) -> int:
    """A plain loop, the yardstick for work in Python."""
    counted = 0
    while counted < most:
        counted += 1
    return counted


def peak_megabytes() -> float:
    """The peak memory of this process."""
    # In getrusage a process starts with its parent's peak; /proc has the peak of the process alone.
    if _MEMORY_OF_THIS_PROCESS.exists():
        lines = _MEMORY_OF_THIS_PROCESS.read_text("utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def list_processes(root: int) -> list[int]:
    """A process and all its child processes (Linux)."""
    processes = [root]
    for process in processes:
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            for file in Path(f"/proc/{process}/task").glob("*/children"):
                processes += map(int, file.read_text("utf-8").split())
    return processes


def proportional_megabytes(root: int) -> float:
    """The memory of a process and its child processes now (Linux); memory that several processes share counts once."""
    kilobytes = 0
    for process in list_processes(root):
        with suppress(FileNotFoundError, ProcessLookupError):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text("utf-8").splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


@contextmanager
def limit_cores(count: int | None) -> Iterator[None]:
    """Limit this process, and its child processes, to this many cores; None leaves it all cores."""
    if count is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
