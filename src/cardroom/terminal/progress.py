"""Long computations in the terminal: a progress bar on standard error, and Ctrl-C that stops with results so far."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import FrameType
from typing import Final

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.table import Column
from rich.text import Text

from cardroom.terminal.console import QUIET, page_console

UPDATE_SECONDS: Final = 0.1


def rate_text(rate: float) -> str:
    """A rate per second.

    >>> rate_text(24_130_000), rate_text(4321)
    ('24.1 million/s', '4,321/s')
    """
    return f"{rate / 1e6:,.1f} million/s" if rate >= 1e6 else f"{rate:,.0f}/s"


class _FiguresColumn(ProgressColumn):
    """The finished amount, the rate, and the remaining time."""

    def render(self, task: Task) -> Text:
        unit, parts = task.fields["unit"], []
        if unit:
            parts.append(f"{int(task.completed):,} of {int(task.total or 0):,} {unit}")
            parts.append(rate_text(task.speed) if task.speed else "")
        else:
            parts.append(f"{task.percentage:.0f}%")
        if task.time_remaining is not None:
            parts.append(f"{timedelta(seconds=int(task.time_remaining))} left")
        return Text("  ".join(filter(None, parts)), QUIET)


class ProgressBar:
    """Shows the current work. It appears with the first long computation and disappears at its end; a terminal then
    shows the rate."""

    def __init__(self) -> None:
        self._console = page_console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            BarColumn(None, table_column=Column(min_width=8, max_width=30)),
            _FiguresColumn(table_column=Column(no_wrap=True)),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task: tuple[str, TaskID] | None = None

    def set_share(self, label: str, share: float) -> None:
        """Set the finished share of the work, from 0 to 1."""
        self._progress.update(self._ensure_task(label, 1.0, ""), completed=share)

    @contextmanager
    def track_count(self, label: str, total: int, unit: str) -> Iterator[Callable[[int], None]]:
        """Track counted work: yields a function that takes the finished count."""
        task, started, last_update, completed = self._ensure_task(label, total, unit), time.monotonic(), 0.0, 0

        def update(count: int) -> None:
            nonlocal last_update, completed
            completed, now = count, time.monotonic()
            if count == total or now - last_update >= UPDATE_SECONDS:
                last_update = now
                self._progress.update(task, completed=count)

        yield update
        self.close()
        seconds = time.monotonic() - started
        if self._console.is_terminal and completed and seconds:
            line = f"{completed:,} {unit} in {seconds:,.1f} s, {rate_text(completed / seconds)}"
            self._console.print(Text(line, QUIET))

    def _ensure_task(self, label: str, total: float, unit: str) -> TaskID:
        if self._task is None or self._task[0] != label:
            if self._task is not None:
                self._progress.update(self._task[1], visible=False)
            self._task = label, self._progress.add_task(label, total=total, unit=unit)
            self._progress.start()
        return self._task[1]

    def close(self) -> None:
        """Remove the bar."""
        if self._task is not None:
            self._progress.stop()


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A progress bar during the work."""
    bar = ProgressBar()
    try:
        yield bar
    finally:
        bar.close()


@contextmanager
def catch_interrupt() -> Iterator[Callable[[], bool]]:
    """Ctrl-C stops the work after its current step, with the results so far; a second Ctrl-C stops at once."""
    interrupted = threading.Event()
    previous_handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous_handler is signal.SIG_IGN:
        yield interrupted.is_set  # Ctrl-C does not reach this thread
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, previous_handler)

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted.is_set
    finally:
        signal.signal(signal.SIGINT, previous_handler)
