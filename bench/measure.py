"""A measured figure: beside what is promised, and beside what others do in the same time."""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

MILLION = 1_000_000
_MEMORY_OF_THIS_PROCESS = Path("/proc/self/status")


@dataclass(frozen=True)
class Promise:
    """A promise is a ratio to a yardstick that was measured in the same run: what else the machine does meets both, so
    that it holds on a busy machine too."""

    yardstick: str
    """What it is a ratio to, in words."""
    ratio: float
    """As measured: of two rates, or of two times."""
    bound: float
    at_least: bool = True

    @property
    def kept(self) -> bool:
        return self.ratio >= self.bound if self.at_least else self.ratio <= self.bound

    @property
    def bound_words(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {in_words(self.bound)} × {self.yardstick}"

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
    """What was measured; more is better for a rate, less for a time."""

    what: str
    measured: float
    unit: str
    promise: Promise | None = None
    ratios: Mapping[str, float] = field(default_factory=dict)
    """Of two rates, by the heading that says which."""

    @property
    def kept(self) -> bool:
        return self.promise is None or self.promise.kept

    @property
    def measured_words(self) -> str:
        return in_words(self.measured)

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


def in_words(number: float) -> str:
    """Three digits that matter.

    >>> in_words(113_456_789), in_words(45_678), in_words(0.34567)
    ('113 million', '45,700', '0.346')
    """
    if abs(number) >= MILLION:
        return f"{_three_digits(number / MILLION)} million"
    return _three_digits(number)


def _three_digits(number: float) -> str:
    rounded = float(f"{number:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:.3g}"


def second_run(work: Callable[[], object], at_least: float = 0.0) -> float:
    """Seconds for the work when everything is compiled and warm: the best run after the first one, of two or of as many
    as ``at_least`` so many seconds hold."""
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
    """Some work and a yardstick, run one after the other several times."""

    seconds: float
    """Of the work's best run."""
    yardsticks: float
    """How many yardsticks the work takes: the middle one of the pairs."""


def in_turns(work: Work, yardstick: Work, at_least: float = 1.0, clock: Clock = time.perf_counter) -> InTurns:
    """Measure work beside its yardstick, in pairs, so that a busy minute meets both. The first pair only warms up.
    ``clock`` is what the two are compared by: time, or the work of this process or of others, which no waiting adds
    to."""

    def once(one: Work) -> tuple[float, float]:
        start, began = time.perf_counter(), clock()
        one()
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
    """The plain loop that Python's own work is held against."""
    counted = 0
    while counted < most:
        counted += 1
    return counted


def peak_megabytes() -> float:
    """The most memory that this process has had."""
    # A process begins with its parent's peak in getrusage; Linux keeps one that is the process's own.
    if _MEMORY_OF_THIS_PROCESS.exists():
        lines = _MEMORY_OF_THIS_PROCESS.read_text("utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


@contextmanager
def on_cores(count: int | None) -> Iterator[None]:
    """Keep this process, and what it starts, to so many cores; None leaves it all of them."""
    if count is None or not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(allowed)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
