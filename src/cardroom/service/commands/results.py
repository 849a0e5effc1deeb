"""Results of commands. A result is stored with its command, so that a repeated command returns the same one.

Amounts are whole cents where people are paid or displays show them, and hundredths of a cent in a jackpot's accounts.

The result of a command at a table, and the locks that it may still need.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from cardroom.chart_of_accounts import Amount, Currency
from cardroom.ledger import Json
from cardroom.room.codec import decode, encode
from cardroom.room.jackpot.event_values import BankMovement, SetupChange, total_movements
from cardroom.room.jackpot.events import JackpotReconciled
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.payment_references import Payout
from cardroom.room.setup.jackpot import JackpotKind, currency_to_mapping
from cardroom.room.setup.site import SiteSettings, site_settings_from_mapping
from cardroom.room.site.state import SiteState
from cardroom.room.table.state import TablePhase, TableState
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.state import LayoutMark, lammers_for_failed_lights, lit_lights, wagers_left_on_layout

JsonObject = dict[str, Any]


class MeterSummary(NamedTuple):
    """One level of a jackpot."""

    level: str
    shown: int
    """What displays show, in cents."""
    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount


class JackpotSummary(NamedTuple):
    """A jackpot after a command."""

    jackpot: str
    unavailable: str | None
    """Why it takes no wagers and cannot be won; None when it is available."""
    meters: tuple[MeterSummary, ...]
    tables: tuple[str, ...]
    claims: tuple[str, ...]
    """Pending claims, in the order in which they were made."""
    waiting: tuple[str, ...]
    """The levels with a change that waits for their reset."""
    owed: Amount
    """What the jackpot owes the players: display, reserve, overflow, and pending prizes."""
    escrow: Amount
    undeposited: Amount
    short: Amount
    """The shortage of the bank account."""
    surplus: Amount = 0
    """The surplus of the bank account over the ledger at the last reconciliation."""
    money: Currency = Currency.REAL
    """The currency of the jackpot. Results say so where it is play money."""
    given_up: tuple[str, ...] = ()
    """Changes that waited for a reset and were dropped, because a later change applies at once."""
    cage_advance: Amount = 0
    """What the bank account owes the cage."""

    def shown_cents(self, level: str | None = None) -> int:
        """What a level shows, in cents; the highest level when none is named."""
        return next(meter.shown for meter in self.meters if level in (None, meter.level))


class TabulatorSummary(NamedTuple):
    """A table after a command."""

    table: str
    jackpots: tuple[str, ...]
    unit: str
    counters: tuple[int, ...]
    """What the unit's counter shows for each wager that it counts."""
    broken: str | None
    closed: str | None = None
    """Why it is closed; None while it is open."""
    changes: tuple[SetupChange, ...] = ()
    """What the command has changed in its setup."""
    money: Currency = Currency.REAL


class RoundCountResult(NamedTuple):
    """A round whose wagers were counted, or reversed because it is void."""

    table: str
    round: str
    counts: Mapping[str, int]
    """How many of each wager; negative when they were reversed."""
    counters: tuple[int, ...]
    lights: tuple[LayoutMark, ...]
    """The lights that are on now."""
    lammers: tuple[LayoutMark, ...]
    """Where a lammer replaces a light that has failed."""
    stay: tuple[LayoutMark, ...]
    """The wagers that are not collected before the deal."""
    meters: Mapping[str, tuple[int, ...]]
    """What the table's jackpots show now, in cents, from the highest level down."""
    bonus: tuple[str, ...] = ()
    """Those of them that are bonus jackpots, which do not grow with play (BJ-5)."""
    money: Currency = Currency.REAL


class LightsResult(NamedTuple):
    """A table whose lights were reported: which are dark now, and where a lammer replaces one (BJ-21)."""

    summary: TabulatorSummary
    dark: tuple[LayoutMark, ...]
    lammers: tuple[LayoutMark, ...]
    """At the wagers of the round that was counted last."""


class LoggerRecordsResult(NamedTuple):
    """How far the records of a data logger have been taken over: the logger may drop those."""

    table: str
    number: int
    seal: str
    rounds: tuple[str, ...]
    """The rounds that were new."""


class ClaimResult(NamedTuple):
    """What was won: fixed prizes that are paid at once, and prizes that wait for a second person."""

    claim: str
    order: int | None
    """Its place among the jackpot's claims; None when nothing needs verification."""
    paid: tuple[JackpotPrize, ...]
    pending: tuple[JackpotPrize, ...]
    summary: JackpotSummary
    revalued: Mapping[str, int] = {}
    """Other claims whose amounts changed, in cents: for example, winners of the same line share it."""

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.paid + self.pending)


class ClaimDecisionResult(NamedTuple):
    """A claim that was paid, or refused for some seats or all."""

    claim: str
    prizes: tuple[JackpotPrize, ...]
    """What was paid, or what was refused."""
    summary: JackpotSummary
    payouts: tuple[Payout, ...] = ()
    """To whom it was paid, and how."""

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.prizes)


class ReconciliationResult(NamedTuple):
    """A bank statement compared with the ledger."""

    summary: JackpotSummary
    day: date
    statement: Amount
    in_transit: tuple[BankMovement, ...]
    outstanding: tuple[BankMovement, ...]
    later: tuple[BankMovement, ...]
    """What moved since the end of that day."""
    books: Amount
    """The account in the ledger at the end of that day; for a statement of today, when it was entered."""
    at: str | None = None
    """When a statement of today was entered, by the room's clock; None for one of an earlier day."""
    entered: Mapping[str, str] = {}
    """By its number, the day on which the ledger has what the statement lacks."""
    unnamed: tuple[BankMovement, ...] = ()
    """Beside a surplus: movements that the ledger has before that, no earlier statement had, and the caller did not
    name as missing."""

    @property
    def adjusted(self) -> Amount:
        """What the bank has once everything on its way has arrived."""
        return self.statement + total_movements((*self.in_transit, *self.outstanding))

    @property
    def surplus(self) -> Amount:
        """The surplus of the bank over the ledger."""
        return max(self.adjusted - self.books, 0)


class PromotionSummary(NamedTuple):
    """A promotion after a command."""

    promotion: str
    ended: bool
    prizes: int
    """How many prizes it has paid, and their sum in cents."""
    cents: int
    prizes_left: int
    cents_left: int
    money: Currency = Currency.REAL


class PromotionPaymentResult(NamedTuple):
    """What a promotion paid for a round; nothing once its limit is reached or outside its dates."""

    seats: tuple[int, ...]
    cents: int
    summary: PromotionSummary


class RoomSummary(NamedTuple):
    """The room after a command."""

    settings: SiteSettings


# Results as JSON, and back again.


def decode_currency(data: Mapping[str, Any]) -> Currency:
    """The currency of a result."""
    return Currency(data.get("money", Currency.REAL))


def encode_jackpot_summary(state: JackpotState) -> JsonObject:
    return {
        "jackpot": state.id,
        "unavailable": state.unavailability,
        "meters": [_encode_meter_summary(meter) for meter in state.meters],
        "tables": list(state.tables),
        "claims": [claim.id for claim in state.claims],
        "waiting": [change.level for change in state.waiting],
        "owed": state.owed,
        "escrow": state.escrow,
        "undeposited": state.undeposited,
        "short": state.short,
        "surplus": state.surplus,
        "cage_advance": state.cage_advance,
        **currency_to_mapping(state.money),
    }


def _encode_meter_summary(meter: Meter) -> JsonObject:
    return {"level": meter.name, "shown": meter.displayed_cents, **meter.balances._asdict()}


def decode_jackpot_summary(data: Any) -> JackpotSummary:
    names = ("tables", "claims", "waiting", "given_up")
    lists = {name: tuple(data.get(name, ())) for name in names}
    meters = tuple(MeterSummary(**meter) for meter in data["meters"])
    return JackpotSummary(**{**data, **lists, "meters": meters, "money": decode_currency(data)})


def encode_tabulator_summary(state: TabulatedTableState, changes: tuple[SetupChange, ...] = ()) -> JsonObject:
    tabulator = state.tabulator
    return {
        "table": state.id,
        "jackpots": list(state.jackpots),
        "unit": tabulator.unit,
        "counters": list(tabulator.counters),
        "broken": tabulator.broken,
        "closed": state.closed or None,
        "changes": [list(change) for change in changes],
        **currency_to_mapping(state.money),
    }


def decode_tabulator_summary(data: Any) -> TabulatorSummary:
    lists = {name: tuple(data[name]) for name in ("jackpots", "counters")}
    changes = tuple(SetupChange(*change) for change in data.get("changes", ()))
    return TabulatorSummary(**{**data, **lists, "changes": changes, "money": decode_currency(data)})


def encode_round_count(
    state: TabulatedTableState, round_id: str, counts: Mapping[str, int], meters: Mapping[str, list[int]]
) -> JsonObject:
    tabulator = state.tabulator
    works = tabulator.broken is None and not any(tabulator.dark)
    by_hand = tabulator.round is not None and tabulator.round.by_hand
    collects = all(wager.removed for wager in tabulator.table.wagers) and not by_hand
    bonus = [
        counted_wager.jackpot for counted_wager in tabulator.table.wagers if counted_wager.kind is JackpotKind.BONUS
    ]
    return {
        "table": state.id,
        "round": round_id,
        "counts": dict(counts),
        "counters": list(tabulator.counters),
        "lights": _encode_marks(lit_lights(tabulator)),
        "lammers": [] if works else _encode_marks(lammers_for_failed_lights(tabulator)),
        "stay": [] if collects else _encode_marks(wagers_left_on_layout(tabulator)),
        "meters": dict(meters),
        **({"bonus": bonus} if bonus else {}),
        **currency_to_mapping(state.money),
    }


def decode_round_count(data: Any) -> RoundCountResult:
    marks = {name: _decode_marks(data[name]) for name in ("lights", "lammers", "stay")}
    meters = {jackpot: tuple(shown) for jackpot, shown in data["meters"].items()}
    lists = {"counters": tuple(data["counters"]), "bonus": tuple(data.get("bonus", ()))}
    return RoundCountResult(**{**data, **marks, **lists, "meters": meters, "money": decode_currency(data)})


def encode_lights_result(state: TabulatedTableState) -> JsonObject:
    pairs = zip(state.tabulator.table.wagers, state.tabulator.dark, strict=True)
    dark = frozenset(LayoutMark(position, wager.sensor) for wager, places in pairs for position in places)
    lammers = lammers_for_failed_lights(state.tabulator)
    return {**encode_tabulator_summary(state), "dark": _encode_marks(dark), "lammers": _encode_marks(lammers)}


def decode_lights_result(data: Any) -> LightsResult:
    marks = {name: _decode_marks(data[name]) for name in ("dark", "lammers")}
    table = {name: value for name, value in data.items() if name not in marks}
    return LightsResult(decode_tabulator_summary(table), **marks)


def _encode_marks(marks: frozenset[LayoutMark]) -> list[list[int]]:
    return sorted([mark.position, mark.sensor] for mark in marks)


def _decode_marks(data: list[list[int]]) -> tuple[LayoutMark, ...]:
    return tuple(LayoutMark(position, sensor) for position, sensor in data)


def decode_logger_records_result(data: Any) -> LoggerRecordsResult:
    return LoggerRecordsResult(**{**data, "rounds": tuple(data["rounds"])})


def _decode_prize(data: Any) -> JackpotPrize:
    return decode(JackpotPrize, data)


def encode_claim_result(
    claim: str, paid: tuple[JackpotPrize, ...], pending: Claim | None, state: JackpotState, revalued: Mapping[str, int]
) -> JsonObject:
    return {
        "claim": claim,
        "order": pending.order if pending else None,
        "paid": list(map(encode, paid)),
        "pending": list(map(encode, pending.prizes)) if pending else [],
        "summary": encode_jackpot_summary(state),
        "revalued": dict(revalued),
    }


def decode_claim_result(data: Any) -> ClaimResult:
    prizes = {name: tuple(map(_decode_prize, data[name])) for name in ("paid", "pending")}
    return ClaimResult(**{**data, **prizes, "summary": decode_jackpot_summary(data["summary"])})


def encode_claim_decision(
    claim: str, prizes: tuple[JackpotPrize, ...], state: JackpotState, payouts: tuple[Payout, ...] = ()
) -> JsonObject:
    return {
        "claim": claim,
        "prizes": list(map(encode, prizes)),
        "summary": encode_jackpot_summary(state),
        "payouts": list(map(encode, payouts)),
    }


def decode_claim_decision(data: Any) -> ClaimDecisionResult:
    prizes = tuple(map(_decode_prize, data["prizes"]))
    payouts = tuple(decode(Payout, payout) for payout in data.get("payouts", ()))
    return ClaimDecisionResult(data["claim"], prizes, decode_jackpot_summary(data["summary"]), payouts)


def encode_reconciliation(
    state: JackpotState, reconciled: JackpotReconciled, at: str | None, entered: Mapping[str, str]
) -> JsonObject:
    assert reconciled.day is not None
    return {
        "summary": encode_jackpot_summary(state),
        "day": encode(reconciled.day),
        "statement": reconciled.statement,
        **{name: list(map(encode, getattr(reconciled, name))) for name in ("in_transit", "outstanding", "later")},
        "books": reconciled.escrow - total_movements(reconciled.later),
        "at": at,
        "entered": dict(entered),
    }


def decode_reconciliation(data: Any) -> ReconciliationResult:
    moved = {
        name: tuple(decode(BankMovement, movement) for movement in data[name])
        for name in ("in_transit", "outstanding", "later")
    }
    decoded = {"summary": decode_jackpot_summary(data["summary"]), "day": date.fromisoformat(data["day"])}
    return ReconciliationResult(**{**data, **moved, **decoded})


def decode_promotion_summary(data: Any) -> PromotionSummary:
    return PromotionSummary(**{**data, "money": decode_currency(data)})


def decode_promotion_payment(data: Any) -> PromotionPaymentResult:
    return PromotionPaymentResult(tuple(data["seats"]), data["cents"], decode_promotion_summary(data["summary"]))


def encode_room_summary(state: SiteState) -> JsonObject:
    return {"settings": encode(state.settings)}


def decode_room_summary(data: Any) -> RoomSummary:
    return RoomSummary(site_settings_from_mapping(data["settings"]))


class TableResult(NamedTuple):
    """A table after a command, from the view of one seat. It is stored with the command, so it never contains a
    card."""

    table: str
    version: int
    """The number of events of the table."""
    state: TablePhase
    seat: int | None
    chips: int
    """The seat's chips, in cents."""
    round: str
    """The round in progress, or the next one."""


class RoomTableResult(NamedTuple):
    """A table after its setup was stored or changed."""

    table: str
    play: TableResult | None
    """None where no round is dealt in the program."""
    tabulator: TabulatorSummary | None
    """None where no jackpot wager is counted."""
    changes: tuple[SetupChange, ...] = ()


def encode_table_result(state: TableState, version: int, seat: int | None) -> dict[str, Json]:
    seated_player = None if seat is None else state.occupant(seat)
    return {
        "table": state.table,
        "version": version,
        "state": str(state.phase),
        "seat": seat if seated_player else None,
        "chips": seated_player.chips if seated_player else 0,
        "round": state.round,
    }


def decode_table_result(data: Any) -> TableResult:
    return TableResult(**{**data, "state": TablePhase(data["state"])})


def decode_room_table_result(data: Any) -> RoomTableResult:
    play, tabulator = data["play"], data["tabulator"]
    return RoomTableResult(
        data["table"],
        None if play is None else decode_table_result(play),
        None if tabulator is None else decode_tabulator_summary(tabulator),
        tuple(SetupChange(*change) for change in data["changes"]),
    )
