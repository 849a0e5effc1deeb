"""What commands answer. An answer is stored with its command, so that a repeated command gets the very same one.

Amounts are whole cents where people are paid or displays show them, and hundredths of a cent in a jackpot's books.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from cardroom.accounts import Amount, Currency
from cardroom.floor.kept.table import TableState
from cardroom.jackpots import read_as, written
from cardroom.jackpots.contents import SetUpChange
from cardroom.jackpots.happenings import Reconciled
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.payouts import Payout
from cardroom.jackpots.pending import Claim, Prize
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.setup.jackpot import JackpotKind, money_entry
from cardroom.jackpots.setup.room import RoomSettings, settings_from
from cardroom.jackpots.statements import Movement, total
from cardroom.jackpots.tabulator.replay import Mark, lammers_in_place_of_lights, lights, stay_on_layout

Entry = dict[str, Any]


class MeterStanding(NamedTuple):
    """One level of a jackpot."""

    level: str
    shown: int
    """What displays show, in cents."""
    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount


class JackpotStanding(NamedTuple):
    """A jackpot after a command."""

    jackpot: str
    unavailable: str | None
    """Why it can be neither wagered on nor won; None when it can."""
    meters: tuple[MeterStanding, ...]
    tables: tuple[str, ...]
    claims: tuple[str, ...]
    """Pending, in the order in which they were made."""
    waiting: tuple[str, ...]
    """The levels for whose reset a change waits."""
    owed: Amount
    """To the players: display, reserve, overflow and pending prizes."""
    escrow: Amount
    undeposited: Amount
    short: Amount
    """By how much the bank account falls short."""
    surplus: Amount = 0
    """By how much it had more than the books when they were last held against each other."""
    money: Currency = Currency.REAL
    """What it is played for. Answers say so where it is play money."""
    given_up: tuple[str, ...] = ()
    """What waited for a reset and does not any more, because a change of it holds at once."""
    cage_advance: Amount = 0
    """What the bank account owes the cage."""

    def shown(self, level: str | None = None) -> int:
        """What a level shows, in cents; the highest level when none is named."""
        return next(one.shown for one in self.meters if level in (None, one.level))


class TableStanding(NamedTuple):
    """A table after a command."""

    table: str
    jackpots: tuple[str, ...]
    unit: str
    counters: tuple[int, ...]
    """What the unit's counter shows for each wager that it counts."""
    broken: str | None
    closed: str | None = None
    """Why it is closed; None while it is open."""
    changes: tuple[SetUpChange, ...] = ()
    """What the command has changed in its set-up."""
    money: Currency = Currency.REAL


class RoundCounted(NamedTuple):
    """A round whose wagers were counted, or taken back because it is void."""

    table: str
    round: str
    counts: Mapping[str, int]
    """How many of each wager; below zero when they were taken back."""
    counters: tuple[int, ...]
    lights: tuple[Mark, ...]
    """The lights that are on now."""
    lammers: tuple[Mark, ...]
    """Where a lammer stands in for a light that has failed."""
    stay: tuple[Mark, ...]
    """The wagers that are not collected before the deal."""
    meters: Mapping[str, tuple[int, ...]]
    """What the table's jackpots show now, in cents, from the highest level down."""
    bonus: tuple[str, ...] = ()
    """Those of them that are bonus jackpots: they do not grow with play (BJ-5)."""
    money: Currency = Currency.REAL


class LightsReported(NamedTuple):
    """A table whose lights were reported: which are dark now, and where a lammer stands in for one (BJ-21)."""

    standing: TableStanding
    dark: tuple[Mark, ...]
    lammers: tuple[Mark, ...]
    """At the wagers of the round that was counted last."""


class RecordsTaken(NamedTuple):
    """How far the records of a data logger have been taken over: what the logger may let go of."""

    table: str
    number: int
    seal: str
    rounds: tuple[str, ...]
    """The rounds that were new."""


class ClaimMade(NamedTuple):
    """What was won: fixed prizes that are paid at once, and prizes that wait for a second person."""

    claim: str
    order: int | None
    """Its place among the jackpot's claims; None when nothing has to be verified."""
    paid: tuple[Prize, ...]
    pending: tuple[Prize, ...]
    standing: JackpotStanding
    anew: Mapping[str, int] = {}
    """Other claims that are of another amount now, in cents: winners of the same line share it, and so on."""

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.paid + self.pending)


class ClaimDecided(NamedTuple):
    """A claim that was paid, or refused for some seats or all."""

    claim: str
    prizes: tuple[Prize, ...]
    """What was paid, or what was refused."""
    standing: JackpotStanding
    payouts: tuple[Payout, ...] = ()
    """To whom it was paid, and how."""

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.prizes)


class AccountReconciled(NamedTuple):
    """A bank statement that was held against the books."""

    standing: JackpotStanding
    day: date
    statement: Amount
    in_transit: tuple[Movement, ...]
    outstanding: tuple[Movement, ...]
    later: tuple[Movement, ...]
    """What moved since the end of that day."""
    books: Amount
    """What the account had at the end of that day, by the books; of a statement of today, when it was entered."""
    at: str | None = None
    """When a statement of today was entered, by the room's clock; None for one of an earlier day."""
    entered: Mapping[str, str] = {}
    """By its number, the day on which the books have what the statement lacks."""
    unnamed: tuple[Movement, ...] = ()
    """Beside a surplus: what the books have before that, no earlier statement had, and nobody named as missing."""

    @property
    def adjusted(self) -> Amount:
        """What the bank has once everything has arrived that was under way."""
        return self.statement + total((*self.in_transit, *self.outstanding))

    @property
    def surplus(self) -> Amount:
        """By how much the bank has more than the books."""
        return max(self.adjusted - self.books, 0)


class PromotionStanding(NamedTuple):
    """A promotion after a command."""

    promotion: str
    ended: bool
    prizes: int
    """How many it has paid, and what they came to in cents."""
    cents: int
    prizes_left: int
    cents_left: int
    money: Currency = Currency.REAL


class PromotionPaid(NamedTuple):
    """What a promotion paid for a round; nothing once its limit is reached or outside its dates."""

    seats: tuple[int, ...]
    cents: int
    standing: PromotionStanding


class RoomStanding(NamedTuple):
    """The room after a command."""

    settings: RoomSettings


# As plain values, and back again.


def money_told(entry: Mapping[str, Any]) -> Currency:
    """Of which money an answer tells."""
    return Currency(entry.get("money", Currency.REAL))


def jackpot_standing_entry(state: JackpotState) -> Entry:
    return {
        "jackpot": state.id,
        "unavailable": state.unavailable,
        "meters": [_meter_entry(meter) for meter in state.meters],
        "tables": list(state.tables),
        "claims": [claim.id for claim in state.claims],
        "waiting": [one.level for one in state.waiting],
        "owed": state.owed,
        "escrow": state.escrow,
        "undeposited": state.undeposited,
        "short": state.short,
        "surplus": state.surplus,
        "cage_advance": state.cage_advance,
        **money_entry(state.money),
    }


def _meter_entry(meter: Meter) -> Entry:
    return {"level": meter.name, "shown": meter.shown, **meter.held._asdict()}


def jackpot_standing(entry: Any) -> JackpotStanding:
    names = ("tables", "claims", "waiting", "given_up")
    read = {name: tuple(entry.get(name, ())) for name in names}
    meters = tuple(MeterStanding(**meter) for meter in entry["meters"])
    return JackpotStanding(**{**entry, **read, "meters": meters, "money": money_told(entry)})


def table_standing_entry(state: TableState, changes: tuple[SetUpChange, ...] = ()) -> Entry:
    tabulator = state.tabulator
    return {
        "table": state.id,
        "jackpots": list(state.jackpots),
        "unit": tabulator.unit,
        "counters": list(tabulator.counters),
        "broken": tabulator.broken,
        "closed": state.closed or None,
        "changes": [list(one) for one in changes],
        **money_entry(state.money),
    }


def table_standing(entry: Any) -> TableStanding:
    read = {name: tuple(entry[name]) for name in ("jackpots", "counters")}
    changes = tuple(SetUpChange(*one) for one in entry.get("changes", ()))
    return TableStanding(**{**entry, **read, "changes": changes, "money": money_told(entry)})


def round_counted_entry(
    state: TableState, round_id: str, counts: Mapping[str, int], meters: Mapping[str, list[int]]
) -> Entry:
    tabulator = state.tabulator
    works = tabulator.broken is None and not any(tabulator.dark)
    by_hand = tabulator.round is not None and tabulator.round.by_hand
    collects = all(wager.removed for wager in tabulator.table.wagers) and not by_hand
    bonus = [one.jackpot for one in tabulator.table.wagers if one.kind is JackpotKind.BONUS]
    return {
        "table": state.id,
        "round": round_id,
        "counts": dict(counts),
        "counters": list(tabulator.counters),
        "lights": _marks_entry(lights(tabulator)),
        "lammers": [] if works else _marks_entry(lammers_in_place_of_lights(tabulator)),
        "stay": [] if collects else _marks_entry(stay_on_layout(tabulator)),
        "meters": dict(meters),
        **({"bonus": bonus} if bonus else {}),
        **money_entry(state.money),
    }


def round_counted(entry: Any) -> RoundCounted:
    marks = {name: _marks(entry[name]) for name in ("lights", "lammers", "stay")}
    meters = {jackpot: tuple(shown) for jackpot, shown in entry["meters"].items()}
    lists = {"counters": tuple(entry["counters"]), "bonus": tuple(entry.get("bonus", ()))}
    return RoundCounted(**{**entry, **marks, **lists, "meters": meters, "money": money_told(entry)})


def lights_reported_entry(state: TableState) -> Entry:
    pairs = zip(state.tabulator.table.wagers, state.tabulator.dark, strict=True)
    dark = frozenset(Mark(position, wager.sensor) for wager, places in pairs for position in places)
    lammers = lammers_in_place_of_lights(state.tabulator)
    return {**table_standing_entry(state), "dark": _marks_entry(dark), "lammers": _marks_entry(lammers)}


def lights_reported(entry: Any) -> LightsReported:
    marks = {name: _marks(entry[name]) for name in ("dark", "lammers")}
    table = {name: told for name, told in entry.items() if name not in marks}
    return LightsReported(table_standing(table), **marks)


def _marks_entry(marks: frozenset[Mark]) -> list[list[int]]:
    return sorted([mark.position, mark.sensor] for mark in marks)


def _marks(entry: list[list[int]]) -> tuple[Mark, ...]:
    return tuple(Mark(position, sensor) for position, sensor in entry)


def records_taken(entry: Any) -> RecordsTaken:
    return RecordsTaken(**{**entry, "rounds": tuple(entry["rounds"])})


def _prize(entry: Any) -> Prize:
    return read_as(Prize, entry)


def claim_made_entry(
    claim: str, paid: tuple[Prize, ...], pending: Claim | None, state: JackpotState, anew: Mapping[str, int]
) -> Entry:
    return {
        "claim": claim,
        "order": pending.order if pending else None,
        "paid": list(map(written, paid)),
        "pending": list(map(written, pending.prizes)) if pending else [],
        "standing": jackpot_standing_entry(state),
        "anew": dict(anew),
    }


def claim_made(entry: Any) -> ClaimMade:
    prizes = {name: tuple(map(_prize, entry[name])) for name in ("paid", "pending")}
    return ClaimMade(**{**entry, **prizes, "standing": jackpot_standing(entry["standing"])})


def claim_decided_entry(
    claim: str, prizes: tuple[Prize, ...], state: JackpotState, payouts: tuple[Payout, ...] = ()
) -> Entry:
    return {
        "claim": claim,
        "prizes": list(map(written, prizes)),
        "standing": jackpot_standing_entry(state),
        "payouts": list(map(written, payouts)),
    }


def claim_decided(entry: Any) -> ClaimDecided:
    prizes = tuple(map(_prize, entry["prizes"]))
    payouts = tuple(read_as(Payout, one) for one in entry.get("payouts", ()))
    return ClaimDecided(entry["claim"], prizes, jackpot_standing(entry["standing"]), payouts)


def account_reconciled_entry(
    state: JackpotState, reconciled: Reconciled, at: str | None, entered: Mapping[str, str]
) -> Entry:
    assert reconciled.day is not None
    return {
        "standing": jackpot_standing_entry(state),
        "day": written(reconciled.day),
        "statement": reconciled.statement,
        **{name: list(map(written, getattr(reconciled, name))) for name in ("in_transit", "outstanding", "later")},
        "books": reconciled.escrow - total(reconciled.later),
        "at": at,
        "entered": dict(entered),
    }


def account_reconciled(entry: Any) -> AccountReconciled:
    moved = {
        name: tuple(read_as(Movement, one) for one in entry[name]) for name in ("in_transit", "outstanding", "later")
    }
    read = {"standing": jackpot_standing(entry["standing"]), "day": date.fromisoformat(entry["day"])}
    return AccountReconciled(**{**entry, **moved, **read})


def promotion_standing(entry: Any) -> PromotionStanding:
    return PromotionStanding(**{**entry, "money": money_told(entry)})


def promotion_paid(entry: Any) -> PromotionPaid:
    return PromotionPaid(tuple(entry["seats"]), entry["cents"], promotion_standing(entry["standing"]))


def room_standing_entry(state: RoomState) -> Entry:
    return {"settings": written(state.settings)}


def room_standing(entry: Any) -> RoomStanding:
    return RoomStanding(settings_from(entry["settings"]))
