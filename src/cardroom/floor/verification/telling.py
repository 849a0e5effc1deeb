"""What a verification came to, in sentences: the same on every page that tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardroom.floor.verification.report import FloorReport
from cardroom.ledger import LedgerReport as LedgerReport


def verified(report: FloorReport, seconds: float, against: Sequence[str] = ()) -> str:
    """What a verification of everything came to; ``against`` is what speaks against books that agree with themselves.
    What is wrong is said first."""
    wrong = [*([report.discrepancy.sentence] if report.discrepancy is not None else []), *against]
    if report.discrepancy is not None:
        return "\n".join([f"Not whole. {wrong[0]}", *wrong[1:]])
    rate = f"{report.events_a_second(seconds):,} events a second"
    read = f"{copied(report.ledger)}, {', '.join(_done_again(report))}, in {seconds:.1f} s ({rate})."
    marks = [f"Recovered at the machine: {one}" for one in report.recoveries]
    if wrong:
        return "\n".join([f"Not whole. {wrong[0]}", *wrong[1:], f"The books agree with themselves: {read}", *marks])
    return "\n".join([f"Whole: {read}", *_without_key(report), *marks])


def _without_key(report: FloorReport) -> Iterator[str]:
    """What was not checked because the room's key is not here."""
    if report.unopened:
        count = f"{report.unopened:,} secret{'s' * (report.unopened != 1)}"
        yield (
            f"The room's key is not here, so {count} (keys of coming rounds, the room's secret) could not be compared "
            "with the seals that were shown. Everything else was checked."
        )


def _done_again(report: FloorReport) -> Iterator[str]:
    """What was judged, dealt and added up again."""
    yield f"{report.claims:,} claim{'s' * (report.claims != 1)} judged again"
    if report.felts:
        at = f"{report.felts:,} felt{'s' * (report.felts != 1)}"
        yield f"{report.rounds:,} round{'s' * (report.rounds != 1)} of {at} dealt and settled again"
    if report.players:
        yield f"{report.players:,} player{'s' * (report.players != 1)} with what they have"


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
