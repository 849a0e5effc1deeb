"""What a verification found, in sentences; and whether heads that were exported before are still on their chains."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.floor.verification.heads_text import against_words, age_words, outside_words
from cardroom.floor.verification.telling import chains_in_words, copied, verified
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Finding, Time

__all__ = [
    "against_words",
    "age_words",
    "chains_in_words",
    "copied",
    "heads_check_text",
    "outside_words",
    "verified",
]


def heads_check_text(chains: int, time: Time, findings: Sequence[Finding], calendar: Calendar) -> str:
    """Whether heads are still on their chains."""
    if findings:
        rest_text = f" And {len(findings) - 1} more." if len(findings) > 1 else ""
        return f"History was rewritten. {findings[0].sentence}{rest_text}"
    return f"The heads of {calendar.told(time)} still stand in {chains_in_words(chains)}."
