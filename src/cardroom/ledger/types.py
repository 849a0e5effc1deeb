"""The input and output of a ledger, and the report of a verification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from cardroom.chart_of_accounts import Account, Amount, Posting

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""JSON values. There are no floats: an amount that was rounded cannot be explained."""

Time: TypeAlias = int
"""Microseconds since 1970, UTC."""


class NewEvent(NamedTuple):
    """An event with its postings; the ledger adds its place, id, time, and hash."""

    chain: str
    kind: str
    version: int
    payload: Mapping[str, Json]
    postings: tuple[Posting, ...] = ()
    unique_keys: tuple[str, ...] = ()
    """The keys of the event, unique on its chain permanently. The command has requested them."""


def command_id_of(event_id: str) -> str:
    """The id of the command that caused an event.

    >>> command_id_of("evening/7/2")
    'evening/7'
    """
    return event_id.rpartition("/")[0]


class Event(NamedTuple):
    """One event of a chain."""

    chain: str
    sequence: int
    id: str
    """The id of the command that caused it, a slash, and its number among the command's events from 1."""
    kind: str
    version: int
    time: Time
    payload: Mapping[str, Json]
    previous: bytes
    """The hash of the event before it; 32 zero bytes for the first."""
    hash: bytes
    command_digest: bytes
    """The digest of the command that caused it, so that the hash covers the command's result too."""

    @property
    def command_id(self) -> str:
        """The id of the command that caused it."""
        return command_id_of(self.id)


def event_to_json(event: Event) -> dict[str, Json]:
    """An event as JSON."""
    fields = ("chain", "sequence", "id", "kind", "time")
    return {field_name: getattr(event, field_name) for field_name in fields} | {
        "hash": event.hash.hex(),
        "payload": event.payload,
    }


class Entry(NamedTuple):
    """One posting of an event: the amount debits one account and credits another."""

    chain: str
    sequence: int
    line: int
    """From 1 within the event."""
    debit: Account
    credit: Account
    amount: Amount


class UniqueKey(NamedTuple):
    """A key of an event, unique on its chain."""

    chain: str
    key: str


class KeyedEvent(NamedTuple):
    """The event with a unique key."""

    sequence: int
    id: str
    time: Time


class Note(NamedTuple):
    """A note: the last known state of something, beside the events."""

    key: str
    time: Time
    text: str


class Lease(NamedTuple):
    """The right of one server to run the automatic work of a chain. It lasts until another server takes it over, after
    the holder has been silent for too long."""

    chain: str
    holder: str
    epoch: int
    """Grows with each new holder."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a chain: its last event, and the state to which its events add up."""

    chain: str
    sequence: int
    hash: bytes
    snapshot: Json
    time: Time
    """When the last event happened."""
    keyed_events: Mapping[str, KeyedEvent] = field(default_factory=dict, compare=False)
    """The requested unique keys that an event of the chain has."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """The outcome of a decision: the events to store, the new states of their chains, and the result for the sender.

    A chain whose events change no state needs no snapshot; it keeps the one it has.
    """

    events: tuple[NewEvent, ...]
    snapshots: Mapping[str, Json]
    response: Json
    secrets: Mapping[UniqueKey, bytes] = field(default_factory=dict)
    """Secrets to store beside the events under a name of their chain, encrypted under the room's key."""
    password_hashes: Mapping[UniqueKey, bytes] = field(default_factory=dict)
    """Password hashes, which are stored in the same place. They are not encrypted: a lost key must lock no user out."""
    revealed_secrets: tuple[UniqueKey, ...] = ()
    """Secrets that an event now reveals: they are deleted."""
    time: Time | None = None
    """When it was decided, where the decision depends on it; else the ledger uses its clock."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command with an id that its sender makes, so that a repeated command is carried out once.

    `decide` receives the heads of the chains, which are locked until its outcome is stored. It may be called more than
    once (when a connection breaks halfway), so it has no side effects. A `BadInput` that it raises is the refusal.
    """

    id: str
    chains: tuple[str, ...]
    body: Json
    decide: Callable[[Mapping[str, Head | None]], CommandOutcome]
    unique_keys: tuple[UniqueKey, ...] = ()
    """The unique keys that its events may use: the heads show which of them are used already."""
    lease: Lease | None = None
    """The lease under which it acts, if it acts for no person: it is refused when another server has the lease."""
    confirms_clock: bool = False
    """Whether an operator confirms with it that the clock is right, although it jumped ahead."""
    displayed_id: str = ""
    """The id as its sender wrote it, for sentences; empty where that is the id itself."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command, now durable."""

    response: Json
    event_ids: tuple[str, ...]
    """The ids of its events."""
    is_repeat: bool
    """The command had been carried out before; this is the first result again."""


class Finding(NamedTuple):
    """The first discrepancy, and where it is."""

    table: str
    """events, entries, names, heads, balances, commands, or triggers."""
    field: str
    """The column that is wrong; several if the hash cannot distinguish them."""
    sentence: str
    chain: str | None = None
    sequence: int | None = None
    id: str | None = None
    """The id of the event or command, or the account."""

    def __str__(self) -> str:
        return self.sentence


class LedgerReport(NamedTuple):
    """How much was checked, and the first discrepancy."""

    chains: int
    events: int
    entries: int
    accounts: int
    commands: int
    finding: Finding | None = None

    @property
    def is_intact(self) -> bool:
        """Whether there is no discrepancy."""
        return self.finding is None


def report_to_json(report: LedgerReport) -> dict[str, Any]:
    """How much was checked, as JSON."""
    return {name: getattr(report, name) for name in ("chains", "events", "entries", "accounts", "commands")}


def heads_check_to_json(chains: int, time: Time, findings: Sequence[Finding]) -> dict[str, Any]:
    """Whether exported heads are still on their chains, as JSON."""
    findings_json = {"findings": [finding._asdict() for finding in findings]} if findings else {}
    return {"holds": not findings, "chains": chains, "time": time, **findings_json}
