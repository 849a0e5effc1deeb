"""What a replay of the floor adds up to, chain by chain, and what is left to compare when all of it is done."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.table import TableState
from cardroom.floor.people.roles import Role
from cardroom.floor.people.state import PersonState
from cardroom.floor.players.state import PlayerState
from cardroom.floor.verification.agreement import Pair
from cardroom.floor.verification.report import Discrepancy
from cardroom.jackpots import RunningPromotion
from cardroom.jackpots.claim.earlier import EarlierClaim
from cardroom.jackpots.contents import PaidElsewhere
from cardroom.jackpots.day_end import ChainEnd, StoodAt
from cardroom.jackpots.happenings import WagersTakenBack
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.room.state import RoomState

Row = tuple[Any, ...]
"""An event as the ledger stores it: chain, sequence, id, kind, version, time, payload and the rest."""
Stored = tuple[Row, list[Row], tuple[str, ...]]
"""An event, its entries and its names, as ``cardroom.ledger.verification`` gives them out."""
Lines = list[tuple[str, str, int]]
"""The entries of an event: debited account, credited account, amount."""


class LineDrawn(NamedTuple):
    """The close of a day, which says where every chain ended."""

    chain: str
    sequence: int
    id: str
    ends: tuple[ChainEnd, ...]
    jackpots: tuple[StoodAt, ...]


class ClaimJudged(NamedTuple):
    """An event by which prizes were claimed: who won, and which event of the table is said to have counted them."""

    chain: str
    sequence: int
    id: str
    claim: str
    jackpot: str
    table: str
    round: str
    counted: int
    seats: frozenset[int]
    wagers: tuple[tuple[int, int], ...]
    """Seats and cents that were said to be counted with a typed hand."""
    seats_there: int
    """How many seats the table has, if a typed hand may win for all of them; else none."""
    dealt: str
    """Who is said to have dealt."""
    automatic: bool
    """Whether an automatic table claimed what it had dealt itself."""
    sat: Mapping[int, str]
    """By seat, who is said to have sat there at an automatic table."""


class LimitUsed(NamedTuple):
    """An event by which prizes were claimed, and what it says that a dealer may pay alone."""

    chain: str
    sequence: int
    id: str
    time: int
    alone: int


class ReportNamed(NamedTuple):
    """An event that rests on the report of a malfunction."""

    chain: str
    sequence: int
    id: str
    time: int
    report: str


class ReportOpen(NamedTuple):
    """From when until when a report was open; None while it is."""

    since: int
    until: int | None


class AtOnce(NamedTuple):
    """An event by which prizes were claimed: what a dealer paid alone, and what was counted from other jackpots."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str
    alone: int
    paid: Mapping[int, int]
    """By seat, in cents; below zero for what was taken back."""
    elsewhere: tuple[PaidElsewhere, ...]


class PrizePromoted(NamedTuple):
    """An event by which a promotion paid a hand of a round."""

    chain: str
    sequence: int
    id: str
    money: Currency
    table: str
    round: str
    seat: int
    automatic: bool


class OfARound(NamedTuple):
    """An event of a felt that tells of a round at its tabulator: it was counted there, or is void."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str


class RoundVoid(NamedTuple):
    """An event of a table by which a round is void, and how many wagers it takes back."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str
    wagers: Mapping[str, int]


class WagersOff(NamedTuple):
    """An event of a jackpot by which the wagers of a void round, or of a reading that was wrong, came off it."""

    chain: str
    sequence: int
    id: str
    before: JackpotState
    taken_back: WagersTakenBack


class TypedLive(NamedTuple):
    """An event by which a dealer typed something of a round."""

    chain: str
    sequence: int
    id: str
    time: int
    table: str
    round: str


class DecidedAlone(NamedTuple):
    """A decision about a user that names no second person."""

    chain: str
    sequence: int
    id: str
    time: int
    who: str
    is_first: bool
    """Whether it registers the first operator of the room, who registers themselves."""


class VoidBy(NamedTuple):
    """Which round is void, in whose names, and why."""

    table: str
    round: str
    who: str
    second: str
    why: str


class Answered(NamedTuple):
    """An event for which a second person answers."""

    chain: str
    sequence: int
    id: str
    time: int
    login: str
    """Empty where nobody is named, though it takes two people."""
    signers: frozenset[Role]
    """The roles that may sign for it."""
    void: VoidBy | None = None
    """The round whose wagers it takes back, where it does."""


class Signed(NamedTuple):
    """The signature of a second person on a command."""

    chain: str
    sequence: int
    id: str
    login: str
    digest: str
    role: Role
    """Of the person at that time."""


def fresh_salt() -> bytes:
    """What nobody could know when the books were written."""
    return secrets.token_bytes(16)


_BY_NAME: Final = (
    "tables",
    "jackpots",
    "promotions",
    "felts",
    "players",
    "people",
    "can_sign",
    "told_by_tables",
    "told_by_jackpots",
    "told_by_felts",
    "told_by_players",
    "credited_by_jackpots",
    "credited_by_players",
    "laid_at_felts",
    "counted_by_tables",
    "prized_by_felts",
    "prized_by_jackpots",
    "stood",
    "reports",
    "claims_of_rounds",
)


@dataclass(slots=True)
class Replayed:
    """What the events of some chains add up to."""

    tables: dict[str, TableState] = field(default_factory=dict)
    jackpots: dict[str, JackpotState] = field(default_factory=dict)
    promotions: dict[str, RunningPromotion] = field(default_factory=dict)
    felts: dict[str, FeltState] = field(default_factory=dict)
    players: dict[str, PlayerState] = field(default_factory=dict)
    people: dict[str, PersonState] = field(default_factory=dict)
    alone: list[DecidedAlone] = field(default_factory=list)
    can_sign: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    """By login, when a user became able to sign for decisions about users, and when that ended."""
    answered: list[Answered] = field(default_factory=list)
    signed: list[Signed] = field(default_factory=list)
    told_by_felts: dict[Pair, bytes] = field(default_factory=dict)
    told_by_players: dict[Pair, bytes] = field(default_factory=dict)
    credited_by_jackpots: dict[Pair, bytes] = field(default_factory=dict)
    credited_by_players: dict[Pair, bytes] = field(default_factory=dict)
    laid_at_felts: dict[Pair, bytes] = field(default_factory=dict)
    counted_by_tables: dict[Pair, bytes] = field(default_factory=dict)
    called_off: list[OfARound] = field(default_factory=list)
    """Rounds that were called off after their jackpot wagers had been counted."""
    counted_live: list[OfARound] = field(default_factory=list)
    """Rounds of which a dealer's step says that they were counted."""
    voids: list[RoundVoid] = field(default_factory=list)
    wagers_off: list[WagersOff] = field(default_factory=list)
    typed_live: list[TypedLive] = field(default_factory=list)
    salt: bytes = field(default_factory=fresh_salt)
    """All parts of a verification have the same."""
    prized_by_felts: Counter[str] = field(default_factory=Counter)
    """By table, the weight of the prizes that its felt tells of; parts are added up."""
    prized_by_jackpots: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    """Rounds that were dealt, played and settled again."""
    unopened: int = 0
    """Secrets that could not be decrypted, because the room's key is not here."""
    room: RoomState | None = None
    told_by_tables: dict[Pair, bytes] = field(default_factory=dict)
    told_by_jackpots: dict[Pair, bytes] = field(default_factory=dict)
    claimed: list[ClaimJudged] = field(default_factory=list)
    claims_of_rounds: dict[tuple[str, str, str], tuple[EarlierClaim, ...]] = field(default_factory=dict)
    """By table, round, and jackpot: the claims that were made with cards at dealers' tables, and neither refused nor
    taken back."""
    ends: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By the chain of a jackpot, the events after which the money is looked at."""
    stood: dict[tuple[str, int], StoodAt] = field(default_factory=dict)
    lines: list[LineDrawn] = field(default_factory=list)
    limits: list[tuple[int, int]] = field(default_factory=list)
    """What a dealer may pay alone, in cents, and since when."""
    limits_used: list[LimitUsed] = field(default_factory=list)
    reports: dict[str, ReportOpen] = field(default_factory=dict)
    """By their numbers."""
    reports_named: list[ReportNamed] = field(default_factory=list)
    at_once: list[AtOnce] = field(default_factory=list)
    promoted: list[PrizePromoted] = field(default_factory=list)
    events: int = 0
    claims: int = 0
    discrepancy: Discrepancy | None = None
    """The first thing that is wrong; what comes after it was not replayed."""

    def add(self, other: Replayed) -> None:
        """Put another part of the floor beside this one."""
        for name in _BY_NAME:
            getattr(self, name).update(getattr(other, name))
        self.room = self.room or other.room
        self.claimed += other.claimed
        self.lines += other.lines
        self.limits += other.limits
        self.limits_used += other.limits_used
        self.reports_named += other.reports_named
        self.at_once += other.at_once
        self.promoted += other.promoted
        self.called_off += other.called_off
        self.counted_live += other.counted_live
        self.typed_live += other.typed_live
        self.voids += other.voids
        self.wagers_off += other.wagers_off
        self.alone += other.alone
        self.answered += other.answered
        self.signed += other.signed
        self.events += other.events
        self.rounds += other.rounds
        self.claims += other.claims
        found = [one for one in (self.discrepancy, other.discrepancy) if one is not None]
        self.discrepancy = min(found, key=lambda one: (one.chain or "", one.sequence or 0), default=None)


def difference(expected: Any, found: Any, where: str = "") -> tuple[str, str, str]:
    """The first place where two plain values differ.

    >>> difference({"a": [1, 2]}, {"a": [1, 3]})
    ('a.2', '2', '3')
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted(expected.keys() | found.keys()):
            if name not in expected or name not in found or expected[name] != found[name]:
                one, other = expected.get(name, "nothing"), found.get(name, "nothing")
                return difference(one, other, f"{where}.{name}" if where else name)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            if one != other:
                return difference(one, other, f"{where}.{number}" if where else str(number))
    return where or "the value", repr(expected), repr(found)
