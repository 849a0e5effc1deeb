"""Heads of chains that were exported, to keep elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cardroom.cli.shared.answers import Answer
from cardroom.faults import BadInput
from cardroom.floor import Floor
from cardroom.jackpots.setup.calendar import Calendar, open_calendar
from cardroom.ledger import Finding, Ledger, LedgerDamaged
from cardroom.ledger.report import heads_entry
from cardroom.terminal.pages.verification import heads_stand


def heads_text(document: dict[str, Any]) -> str:
    """The document as a file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def told_calendar(ledger: Ledger) -> Calendar:
    """The room's clock; books that are damaged are told about by the clock that every room begins with."""
    try:
        return Floor(ledger).calendar
    except (BadInput, LedgerDamaged):
        return open_calendar()


def heads_answer(document: Any, found: Sequence[Finding], calendar: Calendar) -> Answer:
    """Whether heads are still on their chains."""
    chains, time = len(document["heads"]), document["time"]
    return Answer(heads_entry(chains, time, found), heads_stand(chains, time, found, calendar), holds=not found)
