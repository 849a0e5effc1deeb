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
from typing import Any

MILLION = 1_000_000
_MEMORY_OF_THIS_PROCESS = Path("/proc/self/status")


@dataclass(frozen=True)
class Figure:
    """What was measured; more is better for a rate, less for a time."""

    what: str
    measured: float
    unit: str
    promised: float | None = None
    more_is_better: bool = True
    ratios: Mapping[str, float] = field(default_factory=dict)
    """Of two rates, by the heading that says which."""

    @property
    def kept(self) -> bool:
        if self.promised is None:
            return True
        return self.measured >= self.promised if self.more_is_better else self.measured <= self.promised

    @property
    def measured_words(self) -> str:
        return in_words(self.measured)

    @property
    def promised_words(self) -> str:
        if self.promised is None:
            return ""
        return f"{'≥' if self.more_is_better else '≤'} {in_words(self.promised)}"

    @property
    def entry(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "measured": self.measured,
            "unit": self.unit,
            "promised": self.promised,
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
