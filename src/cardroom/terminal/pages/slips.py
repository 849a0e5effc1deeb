"""Slips that were written to a file."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from cardroom.accounts import Money
from cardroom.reports.books import Slip


def slips_text(slips: Sequence[Slip], file: str) -> RenderableType:
    """Whose they are, and where they are."""
    told = "; ".join(f"seat {slip.seat}, {_amount(slip)}, {slip.status.lower()}" for slip in slips)
    return Text(f"{file}: {told}")


def _amount(slip: Slip) -> str:
    return f"{slip.amount} of {slip.money.words}" if slip.money is Money.PLAY else slip.amount
