"""A measured figure beside the promised one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """What was measured; more is better for a rate, less for a time."""

    what: str
    measured: float
    unit: str
    promised: float | None = None
    more_is_better: bool = True

    @property
    def kept(self) -> bool:
        if self.promised is None:
            return True
        return self.measured >= self.promised if self.more_is_better else self.measured <= self.promised

    @property
    def measured_words(self) -> str:
        return f"{self.measured:,.3g} {self.unit}" if self.measured < 1000 else f"{self.measured:,.0f} {self.unit}"

    @property
    def promised_words(self) -> str:
        if self.promised is None:
            return ""
        return f"{'≥' if self.more_is_better else '≤'} {self.promised:,.3g} {self.unit}"

    @property
    def entry(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "measured": self.measured,
            "unit": self.unit,
            "promised": self.promised,
            "kept": self.kept,
        }


def second_run(work: Callable[[], object]) -> float:
    """Seconds for the work when everything is compiled and warm: the better of the second and the third run."""
    work()
    times = []
    for _ in range(2):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
