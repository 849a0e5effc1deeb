"""Heads of chains that were exported, to keep elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cardroom.cli.shared.answers import Answer
from cardroom.faults import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.outside import Outside
from cardroom.jackpots.setup.calendar import Calendar, open_calendar
from cardroom.ledger import Finding, Ledger, LedgerDamaged, Time
from cardroom.ledger.report import heads_entry
from cardroom.terminal.pages.verification import heads_stand, outside_words


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


def told_outside(ledger: Ledger) -> Outside:
    """The newest heads outside; of books that are damaged nobody can tell where they are."""
    try:
        return Floor(ledger).outside_heads()
    except (BadInput, LedgerDamaged):
        return Outside(known=False)


def outside_answer(outside: Outside, now: Time, calendar: Calendar) -> Answer:
    """How old the newest heads outside are, and whether they still stand."""
    entry = {
        "holds": outside.holds,
        "where": outside.where,
        "time": outside.time,
        "age_seconds": None if outside.time is None else (now - outside.time) // 1_000_000,
        "checked": outside.checked,
        "findings": list(outside.wrong),
        "missing": outside.missing,
        "files": outside.files,
        "unreadable": [folder for folder, _ in outside.unreadable],
    }
    return Answer(entry, "\n".join(outside_words(outside, now, calendar)), holds=outside.holds)


def in_whose_time(answer: Answer, calendar: Calendar) -> Answer:
    """An answer that tells times, and below it whose they are."""
    return replace(answer, page=f"{answer.page}\n{calendar.said}")


def both(answer: Answer, name: str, other: Answer) -> Answer:
    """One answer below another, which may have nothing more to say."""
    page = "\n".join(str(page) for page in (answer.page, other.page) if page)
    return Answer({**answer.entry, name: other.entry}, page, answer.holds and other.holds)
