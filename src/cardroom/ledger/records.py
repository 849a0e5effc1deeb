"""What goes into a ledger and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

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
    names: tuple[str, ...] = ()
    """By which its chain knows it for ever, and no other event of the chain. The command has asked for them."""


def command_of(event_id: str) -> str:
    """The id of the command that caused an event.

    >>> command_of("evening/7/2")
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
    seal: bytes
    """The seal of the command that caused it, so that the answer that was given is under the hash too."""

    @property
    def command(self) -> str:
        """The id of the command that brought it about."""
        return command_of(self.id)


def event_entry(event: Event) -> dict[str, Json]:
    """An event as JSON."""
    names = ("chain", "sequence", "id", "kind", "time")
    return {name: getattr(event, name) for name in names} | {"hash": event.hash.hex(), "payload": event.payload}


class Entry(NamedTuple):
    """One posting of an event: the amount goes from the credited account to the debited one."""

    chain: str
    sequence: int
    line: int
    """From 1 within the event."""
    debit: Account
    credit: Account
    amount: Amount


class Name(NamedTuple):
    """What an event of a chain may be called."""

    chain: str
    name: str


class Named(NamedTuple):
    """The event that has a name."""

    sequence: int
    id: str
    time: Time


class Note(NamedTuple):
    """What was noted last about something, beside the books."""

    about: str
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
    names: Mapping[str, Named] = field(default_factory=dict, compare=False)
    """Of the names that the command asked for, those that an event of the chain has."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decision comes to: the events to store, the new states of their chains, and the answer to the sender.

    A chain whose events change no state needs no snapshot; it keeps the one it has.
    """

    events: tuple[NewEvent, ...]
    snapshots: Mapping[str, Json]
    answer: Json
    secrets: Mapping[Name, bytes] = field(default_factory=dict)
    """What must stay hidden for a while, to be kept beside the events under a name of its chain, encrypted under the
    room's key."""
    hashes: Mapping[Name, bytes] = field(default_factory=dict)
    """Password hashes, which are kept in the same place. They are not encrypted: a lost key must lock no one out."""
    told: tuple[Name, ...] = ()
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
    decide: Callable[[Mapping[str, Head | None]], Outcome]
    names: tuple[Name, ...] = ()
    """The names that its events may get: the heads tell which of them are given already."""
    under: Lease | None = None
    """What it is done under, if not for a person: it is refused when the lease has gone to somebody else."""
    confirms_clock: bool = False
    """Whether an operator says with it that the clock is right, although it jumped ahead."""
    sent: str = ""
    """The id as its sender wrote it, for sentences; empty where that is the id itself."""


@dataclass(frozen=True, slots=True)
class Carried:
    """The answer to a command, now durable."""

    answer: Json
    events: tuple[str, ...]
    """The ids of its events."""
    repeated: bool
    """The command had been carried out before; this is the first answer again."""
