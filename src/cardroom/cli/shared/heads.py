"""Heads of chains that were exported, to keep elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cardroom.cli.shared.answers import Answer
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.exported_heads import Outside
from cardroom.floor.verification.heads_text import against_words, outside_words
from cardroom.heads.signed_heads import HEADS, read_heads
from cardroom.jackpots.setup.calendar import Calendar, open_calendar
from cardroom.ledger import Finding, Ledger, LedgerDamaged, Time
from cardroom.ledger.types import heads_check_to_json
from cardroom.machine_config import load_machine_config
from cardroom.terminal.pages.verification import heads_check_text


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
    return Answer(
        heads_check_to_json(chains, time, found), heads_check_text(chains, time, found, calendar), holds=not found
    )


def given_heads_answer(ledger: Ledger, document: Any, calendar: Calendar) -> Answer:
    """Whether heads in a file that was named are still on their chains: signed ones, or a plain export."""
    if isinstance(document, dict) and document.get("document") == HEADS:
        head, leaves = read_heads(document)
        wrong = Floor(ledger).check_signed_heads(head, leaves)
        found = tuple(Finding("events", "hash", sentence) for sentence in wrong)
        return heads_answer({"heads": leaves, "time": head.time}, found, calendar)
    return heads_answer(document, ledger.check_heads(document), calendar)


def told_outside(ledger: Ledger) -> Outside:
    """Exported heads compared with the database; a damaged database cannot say which heads it signed."""
    to = load_machine_config().heads
    try:
        return Floor(ledger).outside_heads(to)
    except (BadInput, LedgerDamaged):
        return Outside(known=False)


def outside_answer(outside: Outside, now: Time, calendar: Calendar, *, findings: bool = False) -> Answer:
    """How old the newest exported heads are, and whether the database agrees with them. With ``findings``, everything
    that does not agree is on the page too."""
    entry = {
        "holds": outside.holds,
        "where": outside.where,
        "time": outside.time,
        "age_seconds": None if outside.time is None else (now - outside.time) // 1_000_000,
        "checked": outside.checked,
        "findings": list(outside.wrong),
        "missing": outside.missing,
        "files": outside.files,
        "unreadable": [where for where, _ in outside.unreadable],
        "leaves": outside.leaves,
        "key": outside.key,
        "cosigned": outside.cosigned,
        "witness_key": outside.witness_key,
    }
    lines = [*(against_words(outside) if findings else ()), *outside_words(outside, now, calendar)]
    return Answer(entry, "\n".join(lines), holds=outside.holds)


def in_whose_time(answer: Answer, calendar: Calendar) -> Answer:
    """An answer that tells times, and below it whose they are."""
    return replace(answer, page=f"{answer.page}\n{calendar.said}")


def both(answer: Answer, name: str, other: Answer) -> Answer:
    """One answer below another, which may have nothing more to say."""
    page = "\n".join(str(page) for page in (answer.page, other.page) if page)
    return Answer({**answer.entry, name: other.entry}, page, answer.holds and other.holds)
