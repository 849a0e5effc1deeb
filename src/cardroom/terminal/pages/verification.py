"""Verification results and comparisons of exported heads as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.ledger import Finding, Time
from cardroom.room.setup.calendar import Calendar
from cardroom.service.verification.report import (
    describe_contradictions,
    describe_exported_heads,
    describe_ledger_size,
    describe_verification,
    format_age,
    format_chain_count,
)

__all__ = [
    "describe_contradictions",
    "describe_exported_heads",
    "describe_ledger_size",
    "describe_verification",
    "format_age",
    "format_chain_count",
    "heads_check_text",
]


def heads_check_text(chains: int, time: Time, findings: Sequence[Finding], calendar: Calendar) -> str:
    """The result of a comparison of heads with their chains."""
    if findings:
        rest_text = f" And {len(findings) - 1} more." if len(findings) > 1 else ""
        return f"History was rewritten. {findings[0].sentence}{rest_text}"
    return f"The heads of {calendar.format_time(time)} match {format_chain_count(chains)}."
