"""What a verification found: how much was checked, and the first thing that is wrong."""

from __future__ import annotations

from typing import Any, NamedTuple

from cardroom.ledger import Finding
from cardroom.ledger import LedgerReport as LedgerReport
from cardroom.ledger.types import report_to_json as ledger_report_entry


class Discrepancy(NamedTuple):
    """The first thing that is wrong: where it stands, what was expected there and what was found."""

    sentence: str
    chain: str | None = None
    sequence: int | None = None
    id: str | None = None
    """The id of the event."""
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        return self.sentence


class FloorReport(NamedTuple):
    """Everything that was verified: by the ledger its chains, hashes, entries, balances and commands; by a replay of so
    many events the tables, jackpots and promotions, and the claims, whose hands were judged again."""

    ledger: LedgerReport
    tables: int
    jackpots: int
    promotions: int
    events: int
    claims: int
    discrepancy: Discrepancy | None
    felts: int = 0
    players: int = 0
    rounds: int = 0
    """Rounds that were dealt again from their keys, played and settled."""
    recoveries: tuple[str, ...] = ()
    """Every operator who was recovered at the machine, in sentences: nothing is wrong with the books, and every reader
    has to know."""
    unopened: int = 0
    """Secrets that were not compared with their seals, because the room's key is not here."""

    @property
    def is_whole(self) -> bool:
        """Whether everything was as the events say."""
        return self.discrepancy is None

    def events_a_second(self, seconds: float) -> int:
        """How fast it went."""
        return int(self.events / seconds) if seconds > 0 else 0


def report_entry(report: FloorReport, seconds: float) -> dict[str, Any]:
    """What was verified, in so many seconds, as JSON."""
    names = ("tables", "jackpots", "promotions", "claims", "felts", "players", "rounds")
    counts = ledger_report_entry(report.ledger) | {name: getattr(report, name) for name in names}
    speed = {"seconds": round(seconds, 3), "events_per_second": report.events_a_second(seconds)}
    wrong = {} if report.discrepancy is None else {"discrepancy": report.discrepancy._asdict()}
    counts["unopened_secrets"] = report.unopened
    return {"whole": report.is_whole, **counts, **speed, **wrong, "recoveries": list(report.recoveries)}


class NotAsReplayed(Exception):
    """A replay comes to something else than what is stored."""

    def __init__(self, discrepancy: Discrepancy) -> None:
        super().__init__(discrepancy.sentence)
        self.discrepancy = discrepancy


def of_ledger(finding: Finding) -> Discrepancy:
    """What the ledger itself found."""
    return Discrepancy(
        finding.sentence, finding.chain, finding.sequence, finding.id, "what was written", f"another {finding.field}"
    )


def wrong(what: str, chain: str, sequence: int, id: str, expected: object, found: object) -> NotAsReplayed:
    """An event that a replay contradicts."""
    told = f"Event {sequence} of {chain} ({id}): {what}. Expected was {expected}; found was {found}."
    return NotAsReplayed(Discrepancy(told, chain, sequence, id, str(expected), str(found)))
