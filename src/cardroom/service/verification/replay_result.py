"""The sums and states that a replay collects, chain by chain, and what is left to compare when all chains are
replayed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.room.claim.prior_claims import PriorClaim
from cardroom.room.jackpot.event_values import OtherJackpotPayment
from cardroom.room.jackpot.events import WagersReversed
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.player.account import PlayerAccount
from cardroom.room.promotion.state import PromotionRecord
from cardroom.room.site.events import ChainEnd, JackpotDayEnd
from cardroom.room.site.state import SiteState
from cardroom.room.table.state import TableState
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.user.permissions import Role
from cardroom.room.user.state import UserState
from cardroom.service.verification.agreement import ChainPair
from cardroom.service.verification.report import Discrepancy

ReplayRow = tuple[Any, ...]
"""An event as the ledger stores it: chain, sequence, id, kind, version, time, payload, and the other columns."""
StoredEvent = tuple[ReplayRow, list[ReplayRow], tuple[str, ...]]
"""An event, its entries, and its unique keys, as ``cardroom.ledger.verification`` yields them."""
PostingLines = list[tuple[str, str, int]]
"""The entries of an event: debited account, credited account, amount."""


class DayClose(NamedTuple):
    """The close of a day, which records the head of every chain."""

    chain: str
    sequence: int
    id: str
    ends: tuple[ChainEnd, ...]
    jackpots: tuple[JackpotDayEnd, ...]


class JudgedClaim(NamedTuple):
    """An event by which prizes were claimed: who won, and which event of the tabulator counted the wagers."""

    chain: str
    sequence: int
    id: str
    claim: str
    jackpot: str
    table: str
    round: str
    count_sequence: int
    seats: frozenset[int]
    wagers: tuple[tuple[int, int], ...]
    """The seats of a typed hand and their counted wagers, in cents."""
    sharing_seats: int
    """How many seats the table has, if a typed hand may win for all of them; else none."""
    dealer: str
    """The dealer that the claim names."""
    is_automatic: bool
    """Whether an automatic table claimed what it had dealt itself."""
    players: Mapping[int, str]
    """By seat, the players whom the claim of an automatic table names."""


class DealerLimitUse(NamedTuple):
    """An event by which prizes were claimed, with its limit of what a dealer may pay alone."""

    chain: str
    sequence: int
    id: str
    time: int
    limit_cents: int


class ReportReference(NamedTuple):
    """An event that refers to a malfunction report."""

    chain: str
    sequence: int
    id: str
    time: int
    report: str


class ReportPeriod(NamedTuple):
    """When a report was opened and closed; None while it is open."""

    since: int
    until: int | None


class ImmediatePrizes(NamedTuple):
    """An event by which prizes were claimed: what a dealer paid alone, and what was counted from other jackpots."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str
    limit_cents: int
    paid: Mapping[int, int]
    """By seat, in cents; negative for reversed prizes."""
    other_jackpots: tuple[OtherJackpotPayment, ...]


class PromotionPrizeEvent(NamedTuple):
    """An event by which a promotion paid a hand of a round."""

    chain: str
    sequence: int
    id: str
    money: Currency
    table: str
    round: str
    seat: int
    is_automatic: bool


class TableRoundEvent(NamedTuple):
    """An event of a table about a round at its tabulator: it was counted there, or is void."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str


class RoundVoidEvent(NamedTuple):
    """An event of a tabulator by which a round is void, and how many wagers it reverses."""

    chain: str
    sequence: int
    id: str
    table: str
    round: str
    wagers: Mapping[str, int]


class WagerReversal(NamedTuple):
    """An event of a jackpot that reverses the wagers of a void round, or of a wrong reading."""

    chain: str
    sequence: int
    id: str
    state_before: JackpotState
    event: WagersReversed


class TypedCardsEvent(NamedTuple):
    """An event by which a dealer entered something of a round."""

    chain: str
    sequence: int
    id: str
    time: int
    table: str
    round: str


class LoneDecision(NamedTuple):
    """A decision about a user that names no second person."""

    chain: str
    sequence: int
    id: str
    time: int
    who: str
    is_first: bool
    """Whether it adds the first operator of the room, who adds themselves."""


class VoidDetails(NamedTuple):
    """Which round is void, in whose names, and why."""

    table: str
    round: str
    who: str
    second: str
    why: str


class SecondPersonEvent(NamedTuple):
    """An event that needs a second person."""

    chain: str
    sequence: int
    id: str
    time: int
    login: str
    """Empty where the event takes two people and names only one."""
    signers: frozenset[Role]
    """The roles that may sign for it."""
    void: VoidDetails | None = None
    """The round whose wagers it reverses, if any."""


class StoredSignature(NamedTuple):
    """The signature of a second person on a command."""

    chain: str
    sequence: int
    id: str
    login: str
    digest: str
    role: Role
    """The role of the person at that time."""


def generate_salt() -> bytes:
    """A random number that no person could know when the events were stored."""
    return secrets.token_bytes(16)


_MERGED_FIELDS: Final = (
    "tabulators",
    "jackpots",
    "promotions",
    "tables",
    "player_accounts",
    "users",
    "signing_changes",
    "tabulator_counts",
    "jackpot_counts",
    "table_chips",
    "player_chips",
    "jackpot_credits",
    "player_credits",
    "table_wagers",
    "tabulator_wagers",
    "table_prizes",
    "jackpot_prizes",
    "jackpots_at_close",
    "report_periods",
    "round_claims",
)


@dataclass(slots=True)
class ReplayResult:
    """What the events of some chains add up to."""

    tabulators: dict[str, TabulatedTableState] = field(default_factory=dict)
    jackpots: dict[str, JackpotState] = field(default_factory=dict)
    promotions: dict[str, PromotionRecord] = field(default_factory=dict)
    tables: dict[str, TableState] = field(default_factory=dict)
    player_accounts: dict[str, PlayerAccount] = field(default_factory=dict)
    users: dict[str, UserState] = field(default_factory=dict)
    lone_decisions: list[LoneDecision] = field(default_factory=list)
    signing_changes: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)
    """By login, when a user became able to sign for decisions about users, and when that ended."""
    second_person_events: list[SecondPersonEvent] = field(default_factory=list)
    signatures: list[StoredSignature] = field(default_factory=list)
    table_chips: dict[ChainPair, bytes] = field(default_factory=dict)
    player_chips: dict[ChainPair, bytes] = field(default_factory=dict)
    jackpot_credits: dict[ChainPair, bytes] = field(default_factory=dict)
    player_credits: dict[ChainPair, bytes] = field(default_factory=dict)
    table_wagers: dict[ChainPair, bytes] = field(default_factory=dict)
    tabulator_wagers: dict[ChainPair, bytes] = field(default_factory=dict)
    canceled_rounds: list[TableRoundEvent] = field(default_factory=list)
    """Rounds that were voided after their jackpot wagers had been counted."""
    counted_live_rounds: list[TableRoundEvent] = field(default_factory=list)
    """Rounds that were counted according to a dealer's step."""
    voids: list[RoundVoidEvent] = field(default_factory=list)
    wager_reversals: list[WagerReversal] = field(default_factory=list)
    typed_cards: list[TypedCardsEvent] = field(default_factory=list)
    salt: bytes = field(default_factory=generate_salt)
    """The salt; all parts of a verification have the same."""
    table_prizes: Counter[str] = field(default_factory=Counter)
    """By table, the weighted sum of the prizes on its own chain; the sums of parts are added up."""
    jackpot_prizes: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    """Rounds that were dealt, played, and settled again."""
    unopened_secrets: int = 0
    """Secrets that could not be decrypted, because the room's key is not on this machine."""
    room: SiteState | None = None
    tabulator_counts: dict[ChainPair, bytes] = field(default_factory=dict)
    jackpot_counts: dict[ChainPair, bytes] = field(default_factory=dict)
    judged_claims: list[JudgedClaim] = field(default_factory=list)
    round_claims: dict[tuple[str, str, str], tuple[PriorClaim, ...]] = field(default_factory=dict)
    """By table, round, and jackpot: the claims that were made with cards at live tables, and neither refused nor
    reversed."""
    day_ends: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By the chain of a jackpot, the events after which its money is recorded."""
    jackpots_at_close: dict[tuple[str, int], JackpotDayEnd] = field(default_factory=dict)
    day_closes: list[DayClose] = field(default_factory=list)
    dealer_limits: list[tuple[int, int]] = field(default_factory=list)
    """What a dealer may pay alone, in cents, and since when."""
    dealer_limit_uses: list[DealerLimitUse] = field(default_factory=list)
    report_periods: dict[str, ReportPeriod] = field(default_factory=dict)
    """The reports by their numbers."""
    report_references: list[ReportReference] = field(default_factory=list)
    immediate_prizes: list[ImmediatePrizes] = field(default_factory=list)
    promotion_prizes: list[PromotionPrizeEvent] = field(default_factory=list)
    events: int = 0
    claims: int = 0
    discrepancy: Discrepancy | None = None
    """The first discrepancy; nothing after it was replayed."""

    def add(self, addend: ReplayResult) -> None:
        """Add the result of another part of the chains."""
        for name in _MERGED_FIELDS:
            getattr(self, name).update(getattr(addend, name))
        self.room = self.room or addend.room
        self.judged_claims += addend.judged_claims
        self.day_closes += addend.day_closes
        self.dealer_limits += addend.dealer_limits
        self.dealer_limit_uses += addend.dealer_limit_uses
        self.report_references += addend.report_references
        self.immediate_prizes += addend.immediate_prizes
        self.promotion_prizes += addend.promotion_prizes
        self.canceled_rounds += addend.canceled_rounds
        self.counted_live_rounds += addend.counted_live_rounds
        self.typed_cards += addend.typed_cards
        self.voids += addend.voids
        self.wager_reversals += addend.wager_reversals
        self.lone_decisions += addend.lone_decisions
        self.second_person_events += addend.second_person_events
        self.signatures += addend.signatures
        self.events += addend.events
        self.rounds += addend.rounds
        self.claims += addend.claims
        discrepancies = [
            discrepancy for discrepancy in (self.discrepancy, addend.discrepancy) if discrepancy is not None
        ]
        self.discrepancy = min(
            discrepancies, key=lambda discrepancy: (discrepancy.chain or "", discrepancy.sequence or 0), default=None
        )


def find_value_difference(expected: Any, actual: Any, path: str = "") -> tuple[str, str, str]:
    """The first path at which two JSON values differ.

    >>> find_value_difference({"a": [1, 2]}, {"a": [1, 3]})
    ('a.2', '2', '3')
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in sorted(expected.keys() | actual.keys()):
            if name not in expected or name not in actual or expected[name] != actual[name]:
                expected_item, actual_item = expected.get(name, "nothing"), actual.get(name, "nothing")
                return find_value_difference(expected_item, actual_item, f"{path}.{name}" if path else name)
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for number, (expected_item, actual_item) in enumerate(zip(expected, actual, strict=True), 1):
            if expected_item != actual_item:
                return find_value_difference(expected_item, actual_item, f"{path}.{number}" if path else str(number))
    return path or "the value", repr(expected), repr(actual)
