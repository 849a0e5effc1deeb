"""The result of a verification: how much was checked, and the first discrepancy.

The result in sentences, the same on every page that shows it.

The comparison of signed heads with the database, in sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from cardroom.ledger import Finding, LedgerReport
from cardroom.ledger.types import report_to_json as ledger_report_to_json
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.site.malfunction_reports import HOUR
from cardroom.service.queries.heads import ExportedHeads


class Discrepancy(NamedTuple):
    """The first discrepancy: which chain, which event, what was expected, and what was found."""

    sentence: str
    chain: str | None = None
    sequence: int | None = None
    id: str | None = None
    """The id of the event."""
    expected: str = ""
    found: str = ""
    invariant: str = ""
    """The name of the invariant that does not hold."""
    must_hold: str = ""
    """Its sentence."""

    def __str__(self) -> str:
        return self.sentence


class VerificationReport(NamedTuple):
    """Everything that was verified: by the ledger its chains, hashes, entries, balances, and commands; by a replay of
    so many events the tables, jackpots, and promotions, and the claims, whose hands were judged again."""

    ledger: LedgerReport
    tables: int
    jackpots: int
    promotions: int
    events: int
    claims: int
    discrepancy: Discrepancy | None
    play_tables: int = 0
    players: int = 0
    rounds: int = 0
    """Rounds that were dealt again from their keys, played, and settled."""
    recoveries: tuple[str, ...] = ()
    """Every operator who was recovered at the machine, in sentences: this is no discrepancy, and every reader must see
    it."""
    unopened_secrets: int = 0
    """Secrets that were not compared with their seals, because the room's key is not on this machine."""

    @property
    def is_consistent(self) -> bool:
        """Whether everything is as the events say."""
        return self.discrepancy is None

    def events_per_second(self, seconds: float) -> int:
        """The speed of the verification."""
        return int(self.events / seconds) if seconds > 0 else 0


def verification_report_to_json(report: VerificationReport, seconds: float) -> dict[str, Any]:
    """What was verified, in so many seconds, as JSON."""
    counts = ledger_report_to_json(report.ledger) | {
        "tables": report.play_tables,
        "tabulators": report.tables,
        "jackpots": report.jackpots,
        "promotions": report.promotions,
        "claims": report.claims,
        "players": report.players,
        "rounds": report.rounds,
    }
    speed = {"seconds": round(seconds, 3), "events_per_second": report.events_per_second(seconds)}
    wrong = {} if report.discrepancy is None else {"discrepancy": report.discrepancy._asdict()}
    counts["unopened_secrets"] = report.unopened_secrets
    return {"whole": report.is_consistent, **counts, **speed, **wrong, "recoveries": list(report.recoveries)}


class ReplayMismatch(Exception):
    """A replay whose result differs from what is stored."""

    def __init__(self, discrepancy: Discrepancy) -> None:
        super().__init__(discrepancy.sentence)
        self.discrepancy = discrepancy


def convert_ledger_finding(finding: Finding) -> Discrepancy:
    """A finding of the ledger's own check."""
    return Discrepancy(
        finding.sentence,
        finding.chain,
        finding.sequence,
        finding.id,
        "the value that was written",
        f"a different {finding.field}",
    )


def replay_mismatch(
    problem: str, chain: str, sequence: int, id: str, expected: object, actual: object, invariant: str = ""
) -> ReplayMismatch:
    """An event that a replay contradicts."""
    expected_text, actual_text = (str(value).removesuffix(".") for value in (expected, actual))
    sentence = f"Event {sequence} of {chain} ({id}): {problem}. Expected: {expected_text}. Found: {actual_text}."
    return ReplayMismatch(Discrepancy(sentence, chain, sequence, id, str(expected), str(actual), invariant))


def describe_verification(report: VerificationReport, seconds: float, contradictions: Sequence[str] = ()) -> str:
    """The result of a verification; ``contradictions`` is what speaks against a ledger that is consistent in itself.
    Discrepancies come first."""
    wrong = [*([report.discrepancy.sentence] if report.discrepancy is not None else []), *contradictions]
    if report.discrepancy is not None:
        must_hold = f"This must hold ({report.discrepancy.invariant}): {report.discrepancy.must_hold}"
        return "\n".join([f"Verification failed. {wrong[0]}", must_hold, *wrong[1:]])
    rate = f"{report.events_per_second(seconds):,} events a second"
    summary = (
        f"{describe_ledger_size(report.ledger)}, {', '.join(_describe_replay(report))}, in {seconds:.1f} s ({rate})."
    )
    marks = [f"Recovered at the machine: {recovery}" for recovery in report.recoveries]
    if wrong:
        return "\n".join(
            [f"Verification failed. {wrong[0]}", *wrong[1:], (f"The ledger by itself is consistent: {summary}"), *marks]
        )
    return "\n".join([f"Verified: {summary}", *_describe_unchecked(report), *marks])


def _describe_unchecked(report: VerificationReport) -> Iterator[str]:
    """What was not checked because the room's key is not on this machine."""
    if report.unopened_secrets:
        count = f"{report.unopened_secrets:,} secret{'s' * (report.unopened_secrets != 1)}"
        yield (
            f"The room's key is not on this machine, so {count} (keys of coming rounds, the room's secret) could not "
            "be compared with the published seals. Everything else was checked."
        )


def _describe_replay(report: VerificationReport) -> Iterator[str]:
    """What was judged, dealt, and added up again."""
    yield f"{report.claims:,} claim{'s' * (report.claims != 1)} judged again"
    if report.play_tables:
        at = f"{report.play_tables:,} table{'s' * (report.play_tables != 1)}"
        yield f"{report.rounds:,} round{'s' * (report.rounds != 1)} of {at} dealt and settled again"
    if report.players:
        yield f"{report.players:,} player balance{'s' * (report.players != 1)} recomputed"


def describe_ledger_size(report: LedgerReport) -> str:
    """The size of a ledger, such as that of a backup."""
    return (
        f"{report.events:,} event{'s' * (report.events != 1)} in {format_chain_count(report.chains)}, "
        f"{report.entries:,} entries in {report.accounts:,} accounts, {report.commands:,} commands"
    )


def format_chain_count(count: int) -> str:
    """
    >>> format_chain_count(1), format_chain_count(2)
    ('1 chain', '2 chains')
    """
    return f"{count:,} chain{'s' * (count != 1)}"


MAX_HEADS_AGE: Final = 48 * HOUR
"""Heads are exported every few minutes and with every day's close: older ones show that this does not happen."""
NO_HEADS: Final = (
    "No heads are exported: name a folder, a command, or a witness under [heads] in the machine's configuration "
    "(machine.toml)."
)

UNKNOWN_HEADS: Final = (
    "The database no longer shows which heads it signed: compare it with a file of heads that you have."
)


def describe_contradictions(outside: ExportedHeads) -> Iterator[str]:
    """What contradicts the database: the first difference, and a missing file."""
    if outside.wrong:
        more = len(outside.wrong) - 1
        rest = f" {more:,} more findings." if more > 1 else " 1 more finding." if more else ""
        yield f"The signed heads do not agree with the database. {outside.wrong[0]}{rest}"
    if outside.missing:
        yield f"Exported heads are missing from their folder: {outside.missing}."


def describe_exported_heads(outside: ExportedHeads, now: Time, calendar: Calendar) -> Iterator[str]:
    """How old the newest exported heads are, what could not be read, and what they do not protect."""
    for address, why in outside.unreadable:
        yield f"Exported heads at {address} were not checked: {why.removesuffix('.')}."
    if not outside.known:
        yield UNKNOWN_HEADS
    elif outside.time is None and outside.is_consistent and not outside.unreadable:
        yield NO_HEADS
    if outside.time is None:
        return
    age = now - outside.time
    when = calendar.format_time(outside.time)[:16]
    yield f"The newest exported heads are {format_age(age)} old: {when}, at {outside.where}, {outside.leaves:,} leaves."
    if outside.cosigned is not None:
        yield (
            f"The witness cosigned last at {calendar.format_time(outside.cosigned)[:16]}, public key "
            f"{outside.witness_key}."
        )
    if outside.key:
        yield f"The room signs with the public key {outside.key}."
    if age > MAX_HEADS_AGE:
        yield f"They do not protect what happened in the last {format_age(age)}: export heads now."


def format_age(age: Time) -> str:
    """
    >>> format_age(14 * HOUR), format_age(90 * 1_000_000), format_age(72 * HOUR)
    ('14 hours', '1 minute', '3 days')
    """
    for length, name, most in ((HOUR // 60, "minute", HOUR), (HOUR, "hour", MAX_HEADS_AGE), (24 * HOUR, "day", None)):
        if most is None or age < most:
            count = max(age, 0) // length
            return f"{count:,} {name}{'s' * (count != 1)}"
    raise AssertionError("The last unit has no limit.")
