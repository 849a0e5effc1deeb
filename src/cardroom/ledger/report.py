"""What a verification found: how much was checked, and the first thing that is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardroom.ledger.records import Time


class Finding(NamedTuple):
    """The first thing that is wrong, and where it stands."""

    table: str
    """events, entries, names, heads, balances, commands or triggers."""
    field: str
    """The column that is wrong; several if the hash cannot tell them apart."""
    sentence: str
    chain: str | None = None
    sequence: int | None = None
    id: str | None = None
    """The id of the event or command, or the account."""

    def __str__(self) -> str:
        return self.sentence


class Report(NamedTuple):
    """How much was checked, and what was found."""

    chains: int
    events: int
    entries: int
    accounts: int
    commands: int
    finding: Finding | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing was found."""
        return self.finding is None


def report_entry(report: Report) -> dict[str, Any]:
    """How much was checked, as JSON."""
    return {name: getattr(report, name) for name in ("chains", "events", "entries", "accounts", "commands")}


def heads_entry(chains: int, time: Time, found: Sequence[Finding]) -> dict[str, Any]:
    """Whether heads that were exported still stand, as JSON."""
    findings = {"findings": [one._asdict() for one in found]} if found else {}
    return {"holds": not found, "chains": chains, "time": time, **findings}
