"""What a verification found, in sentences and as JSON; and heads of chains that were kept elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cardroom.floor import FloorReport
from cardroom.ledger import Finding
from cardroom.ledger import Report as LedgerReport
from cardroom.ledger.clock import in_words


@dataclass(frozen=True, slots=True)
class Told:
    """An answer for people and for programs."""

    sentence: str
    entry: dict[str, Any]
    holds: bool


def verified(report: FloorReport, seconds: float) -> Told:
    """What a verification of everything came to."""
    rate = int(report.events / seconds) if seconds > 0 else 0
    counts = {**_counts(report.ledger), "tables": report.tables, "jackpots": report.jackpots}
    counts |= {"promotions": report.promotions, "claims": report.claims}
    entry = {"whole": report.is_whole, **counts, "seconds": round(seconds, 3), "events_per_second": rate}
    if report.discrepancy is None:
        judged = f"{report.claims:,} claim{'s' * (report.claims != 1)} judged again"
        sentence = f"Whole: {_in_words(report.ledger)}, {judged}, in {seconds:.1f} s ({rate:,} events a second)."
        return Told(sentence, entry, holds=True)
    return Told(
        f"Not whole. {report.discrepancy.sentence}", {**entry, "discrepancy": asdict(report.discrepancy)}, holds=False
    )


def copied(report: LedgerReport) -> str:
    """How much a backup holds."""
    return _in_words(report)


def copied_entry(report: LedgerReport) -> dict[str, Any]:
    """The same as JSON."""
    return _counts(report)


def _counts(report: LedgerReport) -> dict[str, Any]:
    names = ("chains", "events", "entries", "accounts", "commands")
    return {name: getattr(report, name) for name in names}


def _in_words(report: LedgerReport) -> str:
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


# Heads that were kept elsewhere.


def heads_text(document: dict[str, Any]) -> str:
    """The document as a file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def heads_told(document: Any, found: Sequence[Finding]) -> Told:
    """Whether heads are still on their chains."""
    chains, time = len(document["heads"]), in_words(document["time"])
    entry = {"holds": not found, "chains": chains, "time": document["time"]}
    if found:
        more = f" And {len(found) - 1} more." if len(found) > 1 else ""
        findings = [asdict(one) for one in found]
        return Told(f"History was rewritten. {found[0].sentence}{more}", {**entry, "findings": findings}, holds=False)
    return Told(f"The heads of {time} still stand in {chains_in_words(chains)}.", entry, holds=True)
