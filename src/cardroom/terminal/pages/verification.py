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
    "heads_stand",
    "outside_words",
    "verified",
]


def heads_stand(chains: int, time: Time, found: Sequence[Finding], calendar: Calendar) -> str:
    """Whether heads are still on their chains."""
    if found:
        more = f" And {len(found) - 1} more." if len(found) > 1 else ""
        return f"History was rewritten. {found[0].sentence}{more}"
    return f"The heads of {calendar.told(time)} still stand in {chains_in_words(chains)}."
