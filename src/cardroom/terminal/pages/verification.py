"""What a verification found, in sentences; and whether heads that were kept elsewhere still stand."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.floor import FloorReport
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Finding, Time
from cardroom.ledger import Report as LedgerReport


def verified(report: FloorReport, seconds: float) -> str:
    """What a verification of everything came to."""
    if report.discrepancy is not None:
        return f"Not whole. {report.discrepancy.sentence}"
    judged = f"{report.claims:,} claim{'s' * (report.claims != 1)} judged again"
    rate = f"{report.events_a_second(seconds):,} events a second"
    return f"Whole: {copied(report.ledger)}, {judged}, in {seconds:.1f} s ({rate})."


def copied(report: LedgerReport) -> str:
    """How much books hold, such as those of a backup."""
    return (
        f"{report.events:,} event{'s' * (report.events != 1)} in {chains_in_words(report.chains)}, "
        f"{report.entries:,} entries in {report.accounts:,} accounts, {report.commands:,} commands"
    )


def chains_in_words(count: int) -> str:
    """
    >>> chains_in_words(1), chains_in_words(2)
    ('1 chain', '2 chains')
    """
    return f"{count:,} chain{'s' * (count != 1)}"


def heads_stand(chains: int, time: Time, found: Sequence[Finding], calendar: Calendar) -> str:
    """Whether heads are still on their chains."""
    if found:
        more = f" And {len(found) - 1} more." if len(found) > 1 else ""
        return f"History was rewritten. {found[0].sentence}{more}"
    return f"The heads of {calendar.told(time)} ({calendar.name}) still stand in {chains_in_words(chains)}."
