"""A deposit that is due, said wherever a jackpot is looked at."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from cardroom.floor import DepositDue
from cardroom.jackpots.amounts import books
from cardroom.terminal.palette import LOST, QUIET


def deposit_line(due: DepositDue | None) -> Iterator[RenderableType]:
    """Until when money has to be at the bank; nothing where none waits."""
    if due is None:
        return
    if due.is_due:
        yield from deposit_warning(due)
    else:
        yield Text(f"  to deposit by {due.by}: {books(due.amount)}", QUIET)


def deposit_warning(due: DepositDue | None) -> Iterator[RenderableType]:
    """Only once the last day has come."""
    if due is not None and due.is_due:
        late = due.overdue_days
        when = f"is overdue by {late} day{'s' * (late != 1)}" if late else "is due today"
        since = f"the oldest of it waits since {due.since}"
        yield indented(f"A deposit of {books(due.amount)} for {due.jackpot} {when}: {since}.", LOST)


def indented(words: str | Text, style: str = "") -> RenderableType:
    """A line under the meters; where it is too long, what follows stands under it."""
    return Padding(Text(words, style) if isinstance(words, str) else words, (0, 0, 0, 2), expand=False)
