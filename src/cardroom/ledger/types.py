"""What goes into a ledger, what comes out of it, and the report of a verification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from cardroom.accounts import Account, Amount, Posting

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
"""Plain values. There are no floats: an amount that was rounded cannot be explained."""

Time: TypeAlias = int
"""Microseconds since 1970, UTC."""


class NewEvent(NamedTuple):
    """Something that happened, with the money that it moved; the ledger gives it its place, id, time and hash."""

    chain: str
    kind: str
    version: int
    payload: Mapping[str, Json]
    postings: tuple[Posting, ...] = ()
    unique_keys: tuple[str, ...] = ()
    """By which its chain knows it for ever, and no other event of the chain. The command has asked for them."""


def command_id_of(event_id: str) -> str:
    """The id of the command that caused an event.

    >>> command_id_of("evening/7/2")
    'evening/7'
    """
    return event_id.rpartition("/")[0]


class Event(NamedTuple):
    """One link of a chain."""

    chain: str
    sequence: int
    id: str
    """The id of the command that caused it, a stroke, and its number among the command's events from 1."""
    kind: str
    version: int
    time: Time
    payload: Mapping[str, Json]
    previous: bytes
    """The hash of the event before it; 32 zero bytes for the first."""
    hash: bytes
    command_digest: bytes
    """The seal of the command that caused it, so that the answer that was given is under the hash too."""

    @property
    def command_id(self) -> str:
        """The id of the command that brought it about."""
        return command_id_of(self.id)


def event_to_json(event: Event) -> dict[str, Json]:
    """An event as JSON."""
    fields = ("chain", "sequence", "id", "kind", "time")
    return {field_name: getattr(event, field_name) for field_name in fields} | {
        "hash": event.hash.hex(),
        "payload": event.payload,
    }


class Entry(NamedTuple):
    """One posting of an event: the amount goes from the credited account to the debited one."""

    chain: str
    sequence: int
    line: int
    """From 1 within the event."""
    debit: Account
    credit: Account
    amount: Amount


class UniqueKey(NamedTuple):
    """What an event of a chain may be called."""

    chain: str
    key: str


class KeyedEvent(NamedTuple):
    """The event that has a name."""

    sequence: int
    id: str
    time: Time


class Note(NamedTuple):
    """What was noted last about something, beside the books."""

    key: str
    time: Time
    text: str


class Lease(NamedTuple):
    """That one server, and no other, acts for a chain by itself. It holds until another server takes it over, which one
    may that has waited for the holder in vain."""

    chain: str
    holder: str
    epoch: int
    """Grows with each new holder."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a chain ends, and the state that its events add up to."""

    chain: str
    sequence: int
    hash: bytes
    snapshot: Json
    time: Time
    """When the last event happened."""
    keyed_events: Mapping[str, KeyedEvent] = field(default_factory=dict, compare=False)
    """Of the names that the command asked for, those that an event of the chain has."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """What a decision comes to: the events to store, the new states of their chains, and the answer to the sender.

    A chain whose events change no state needs no snapshot; it keeps the one it has.
    """

    events: tuple[NewEvent, ...]
    snapshots: Mapping[str, Json]
    response: Json
    secrets: Mapping[UniqueKey, bytes] = field(default_factory=dict)
    """What must stay hidden for a while, to be kept beside the events under a name of its chain, encrypted under the
    room's key."""
    password_hashes: Mapping[UniqueKey, bytes] = field(default_factory=dict)
    """Password hashes, which are kept in the same place. They are not encrypted: a lost key must lock no one out."""
    revealed_secrets: tuple[UniqueKey, ...] = ()
    """Secrets that an event now tells: they are kept no longer."""
    time: Time | None = None
    """When it was decided, where the decision depends on it; else the ledger asks its clock."""


@dataclass(frozen=True, slots=True)
class Command:
    """A wish with an id of the sender's making, so that sending it twice does it once.

    `decide` is given the heads of the chains, which nobody else can move until its outcome is stored. It may be asked
    more than once (when a connection is lost half way), so it only decides. A `BadInput` that it raises is the refusal.
    """

    id: str
    chains: tuple[str, ...]
    body: Json
    decide: Callable[[Mapping[str, Head | None]], CommandOutcome]
    unique_keys: tuple[UniqueKey, ...] = ()
    """The names that its events may get: the heads tell which of them are given already."""
    lease: Lease | None = None
    """What it is done under, if not for a person: it is refused when the lease has gone to somebody else."""
    confirms_clock: bool = False
    """Whether an operator says with it that the clock is right, although it jumped ahead."""
    displayed_id: str = ""
    """The id as its sender wrote it, for sentences; empty where that is the id itself."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The answer to a command, now durable."""

    response: Json
    event_ids: tuple[str, ...]
    """The ids of its events."""
    is_repeat: bool
    """The command had been carried out before; this is the first answer again."""


class Finding(NamedTuple):
    """The first thing that is wrong, and where it stands."""

    table: str
    """events, entries, names, heads, balances, commands or triggers."""
    field: str
    """The column that is wrong; several if the hash cannot tell them apart."""
    sentence: str
    chain: str | None = None
    sequence: int | None = None
    id: str | None = None
    """The id of the event or command, or the account."""

    def __str__(self) -> str:
        return self.sentence


class LedgerReport(NamedTuple):
    """How much was checked, and what was found."""

    chains: int
    events: int
    entries: int
    accounts: int
    commands: int
    finding: Finding | None = None

    @property
    def is_intact(self) -> bool:
        """Whether nothing was found."""
        return self.finding is None


def report_to_json(report: LedgerReport) -> dict[str, Any]:
    """How much was checked, as JSON."""
    return {name: getattr(report, name) for name in ("chains", "events", "entries", "accounts", "commands")}


def heads_check_to_json(chains: int, time: Time, findings: Sequence[Finding]) -> dict[str, Any]:
    """Whether heads that were exported still stand, as JSON."""
    findings_json = {"findings": [finding._asdict() for finding in findings]} if findings else {}
    return {"holds": not findings, "chains": chains, "time": time, **findings_json}
