"""Signs that do not follow by themselves: a person carries a picture there, or changes them from afar (BJ-1, BJ-24)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardroom.jackpots.displays import Display, LedLine, Panel, Status, exact_money, wording
from cardroom.jackpots.setup.models import Changed, DisplayKind


class Sign(NamedTuple):
    """A sign that a person has to change, and what it has to say."""

    table: str
    changed: Changed
    display: Display

    @property
    def kind(self) -> DisplayKind:
        return self.display.kind

    @property
    def says(self) -> str:
        """In a few words: what is on it, or that it is dark."""
        if isinstance(self.display, LedLine):
            return _line_says(self.display)
        panels = [*map(_panel_says, self.display.panels), *self.display.promotions]
        return "; ".join(panels) or "no jackpot"

    @property
    def is_out_of_the_ordinary(self) -> bool:
        """Whether a jackpot there cannot be played for as usual."""
        if isinstance(self.display, LedLine):
            return self.display.status is not Status.OPEN
        return any(panel.status is not Status.OPEN for panel in self.display.panels)


def _line_says(line: LedLine) -> str:
    if line.status is Status.DARK:
        return "dark"
    return f"{line.name}: {_now(line.status, line.amount)}"


def _panel_says(panel: Panel) -> str:
    amounts = [exact_money(level.cents) for level in panel.amounts]
    prizes = [f"{line.event} {line.prize}" for table in panel.prizes for line in table.lines if line.prize[0] == "$"]
    return f"{panel.name}: {panel.headline or ', '.join(amounts + prizes) or 'its paytable'}"


def _now(status: Status, amount: str) -> str:
    """What an LED line shows; the amount of a progressive is the meter's."""
    words = wording()["status"]
    match status:
        case Status.PENDING:
            return words["pending"]
        case Status.UNAVAILABLE:
            return words["unavailable"]
    return "what the meter shows" if amount == exact_money(0) else amount or "its wager"


def to_change(before: Sequence[Sign], after: Sequence[Sign]) -> tuple[Sign, ...]:
    """The signs that have to say something else than before."""
    return tuple(one for one in after if one not in before)
