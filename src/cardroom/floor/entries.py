"""Answers and states of the floor as JSON, for programs.

Names that end in ``cents`` are whole cents; the other amounts are hundredths of a cent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from cardroom.floor.desks.answers import (
    AccountReconciled,
    ClaimDecided,
    ClaimMade,
    JackpotStanding,
    LightsReported,
    PromotionPaid,
    PromotionStanding,
    RoomStanding,
    RoundCounted,
    TableStanding,
    jackpot_standing,
    jackpot_standing_entry,
    table_standing,
    table_standing_entry,
)
from cardroom.floor.desks.days import DayStanding
from cardroom.floor.desks.devices import DeviceStanding, TokenGiven
from cardroom.floor.desks.felt_answers import FeltStanding
from cardroom.floor.desks.heads import HeadsOut
from cardroom.floor.desks.signs import Sign
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.days import KeptDay
from cardroom.floor.kept.room_history import RoomChange
from cardroom.floor.kept.table import TableState
from cardroom.floor.kept.waiting import DepositDue
from cardroom.jackpots import Claim, JackpotState, PromotionState, promotion_entry
from cardroom.jackpots.day_end import OpenMatter
from cardroom.jackpots.plain import written
from cardroom.jackpots.room.reports import MalfunctionReport, clock_words
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.jackpots.tabulator.replay import Mark

if TYPE_CHECKING:
    from cardroom.floor.floor import Floor


@singledispatch
def answer_entry(answer: object) -> dict[str, Any]:
    """What a command answers."""
    raise TypeError(f"{type(answer).__name__} is not an answer of the floor.")


@answer_entry.register
def _(standing: JackpotStanding) -> dict[str, Any]:
    entry = standing._asdict()
    entry["meters"] = [
        {"shown_cents" if name == "shown" else name: value for name, value in meter._asdict().items()}
        for meter in standing.meters
    ]
    if not standing.given_up:
        del entry["given_up"]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in entry.items()}


@answer_entry.register
def _(standing: TableStanding) -> dict[str, Any]:
    changes = [change._asdict() for change in standing.changes]
    told = {"jackpots": list(standing.jackpots), "counters": list(standing.counters), "changes": changes}
    return {**standing._asdict(), **told}


@answer_entry.register
def _(reported: LightsReported) -> dict[str, Any]:
    marks = {"dark": _marks(reported.dark), "lammers": _marks(reported.lammers)}
    return {**answer_entry(reported.standing), **marks}


def _marks(marks: Iterable[Mark]) -> list[dict[str, int]]:
    return [{"position": mark.position, "sensor": mark.sensor} for mark in marks]


@answer_entry.register
def _(standing: RoomStanding) -> dict[str, Any]:
    return {"settings": settings_page_entry(standing.settings)}


def settings_page_entry(settings: RoomSettings) -> dict[str, Any]:
    """What holds in the whole room; amounts are cents."""
    entry = settings._asdict()
    return {"dealer_pays_cents" if name == "dealer_pays" else name: value for name, value in entry.items()}


@answer_entry.register
def _(counted: RoundCounted) -> dict[str, Any]:
    marks = {name: _marks(getattr(counted, name)) for name in ("lights", "lammers", "stay")}
    return {
        "table": counted.table,
        "round": counted.round,
        "counts": dict(counted.counts),
        "counters": list(counted.counters),
        **marks,
        "shown_cents": {jackpot: list(levels) for jackpot, levels in counted.meters.items()},
        "bonus": list(counted.bonus),
        "money": str(counted.money),
    }


@answer_entry.register
def _(made: ClaimMade) -> dict[str, Any]:
    return {
        "claim": made.claim,
        "order": made.order,
        "paid": list(map(written, made.paid)),
        "pending": list(map(written, made.pending)),
        "anew_cents": dict(made.anew),
        "cents": made.cents,
        "standing": answer_entry(made.standing),
    }


@answer_entry.register
def _(decided: ClaimDecided) -> dict[str, Any]:
    prizes = list(map(written, decided.prizes))
    return {
        "claim": decided.claim,
        "prizes": prizes,
        "cents": decided.cents,
        "payouts": list(map(written, decided.payouts)),
        "standing": answer_entry(decided.standing),
    }


@answer_entry.register
def _(reconciled: AccountReconciled) -> dict[str, Any]:
    """The standing, as every command on a jackpot answers it, and the statement beside it."""
    moved = {
        name: [one._asdict() for one in getattr(reconciled, name)]
        for name in ("in_transit", "outstanding", "later", "unnamed")
    }
    told = {
        "day": reconciled.day.isoformat(),
        "statement": reconciled.statement,
        **moved,
        "adjusted": reconciled.adjusted,
        "books": reconciled.books,
        "at": reconciled.at,
    }
    standing = answer_entry(reconciled.standing)
    return {**standing, "surplus": reconciled.surplus, "reconciliation": told}


@answer_entry.register
def _(standing: PromotionStanding) -> dict[str, Any]:
    return standing._asdict()


@answer_entry.register
def _(paid: PromotionPaid) -> dict[str, Any]:
    return {"seats": list(paid.seats), "cents": paid.cents, "standing": answer_entry(paid.standing)}


@answer_entry.register
def _(standing: DeviceStanding) -> dict[str, Any]:
    entry: dict[str, Any] = written(standing)
    del entry["digest"]
    seen = {"withdrawn": standing.withdrawn or None, "held_up": standing.held_up or None}
    return {**entry, **seen, "shown_once": True}


@answer_entry.register
def _(given: TokenGiven) -> dict[str, Any]:
    return {**answer_entry(given.standing), "token": given.token}


# How things stand, as the commands answer it, and more.


def jackpot_stands(state: JackpotState) -> JackpotStanding:
    """A jackpot as the commands answer it."""
    return jackpot_standing(jackpot_standing_entry(state))


def promotion_stands(state: PromotionState) -> PromotionStanding:
    """A promotion as the commands answer it."""
    promotion, paid = state.promotion, state.paid
    left = promotion.most_prizes - paid.prizes, promotion.most_cents - paid.cents
    return PromotionStanding(promotion.id, state.ended, paid.prizes, paid.cents, *left, promotion.money)


def whole_jackpot_entry(state: JackpotState) -> dict[str, Any]:
    """One jackpot in full."""
    return {
        **answer_entry(jackpot_stands(state)),
        "setup": state.setup,
        "counted": state.counted,
        "wagered": state.wagered,
        "parameters": {meter.name: written(meter.parameters) for meter in state.meters},
        "waiting": {one.level: written(one.after) for one in state.waiting},
        "claims": [pending_claim_entry(claim) for claim in state.claims],
    }


def deposit_due_entry(due: DepositDue | None) -> dict[str, Any] | None:
    """What waits for the bank; the amount is in hundredths of a cent."""
    if due is None:
        return None
    days = {"since": due.since.isoformat(), "by": due.by.isoformat(), "overdue_days": due.overdue_days}
    return {"amount": due.amount, **days, "is_due": due.is_due}


def pending_claim_entry(claim: Claim) -> dict[str, Any]:
    """A claim that waits for a second person."""
    named = {"claim": claim.id, "order": claim.order, "table": claim.table, "round": claim.round}
    prizes = list(map(written, claim.prizes))
    sat = {str(one.seat): one.player for one in claim.sat}
    by = {"dealer": claim.dealer, "dealt": claim.dealt, "automatic": claim.automatic, "sat": sat}
    return {**named, **by, "prizes": prizes, "cents": claim.cents}


def whole_table_entry(state: TableState) -> dict[str, Any]:
    """One table with its game. A closed one has no unit: that is free."""
    entry = {"game": state.tabulator.table.game, **answer_entry(table_standing(table_standing_entry(state)))}
    return entry | {"unit": "", "counters": []} if state.closed else entry


def whole_promotion_entry(state: PromotionState) -> dict[str, Any]:
    """One promotion with its rules."""
    return {**answer_entry(promotion_stands(state)), "setup": promotion_entry(state.promotion)}


def floor_entry(floor: Floor, now: Time) -> dict[str, Any]:
    """The whole floor."""
    return {
        "jackpots": [
            {**whole_jackpot_entry(floor.jackpot(one)), "deposit_due": deposit_due_entry(floor.deposit_due(one))}
            for one in floor.jackpots()
        ],
        "tables": [whole_table_entry(floor.table(one)) for one in floor.tables()],
        "promotions": [whole_promotion_entry(floor.promotion(one).state) for one in floor.promotions()],
        "signs": [sign_entry(one) for one in floor.signs() if one.is_out_of_the_ordinary],
        "malfunctions": reports_entry(floor.room().reports, now),
    }


def day_standing_entry(standing: DayStanding) -> dict[str, Any]:
    """A gaming day after a command."""
    entry: dict[str, Any] = written(standing)
    return entry


def room_history_entry(changes: Sequence[RoomChange]) -> list[dict[str, Any]]:
    """Set-ups of the room; their times are microseconds since 1970, UTC."""
    return [{**one._asdict(), "changes": [each._asdict() for each in one.changes]} for one in changes]


def heads_out_entry(heads: HeadsOut) -> dict[str, Any]:
    """Heads that went out."""
    entry: dict[str, Any] = written(heads)
    return entry


def kept_day_entry(day: KeptDay | None, matters: Sequence[OpenMatter]) -> dict[str, Any]:
    """A gaming day as it stands; without one, what is open all the same."""
    if day is None:
        return {"day": None, "is_open": False, "open": list(map(written, matters))}
    closed = day.closed
    entry = {"day": str(day.day), "opened": day.opened, "opened_by": day.opened_by, "is_open": closed is None}
    if closed is None:
        return {**entry, "open": list(map(written, matters))}
    told = closed.told
    return {
        **entry,
        "closed": closed.time,
        "closed_by": told.who,
        "open": list(map(written, told.open)),
        "jackpots": [one._asdict() for one in told.jackpots],
        "ends": [one._asdict() for one in told.ends],
        "digest": told.digest,
    }


def reports_entry(reports: Sequence[MalfunctionReport], now: Time) -> list[dict[str, Any]]:
    """Reports of malfunctions with their clocks."""
    return [report_entry(report, now) for report in reports]


def report_entry(report: MalfunctionReport, now: Time) -> dict[str, Any]:
    """One of them; its times are microseconds since 1970, UTC."""
    return {**written(report), "clock": clock_words(report, now)}


def sign_entry(sign: Sign) -> dict[str, Any]:
    """A sign that a person changes, and what it has to say."""
    return {"table": sign.table, "display": str(sign.kind), "changed": str(sign.changed), "says": sign.says}


@answer_entry.register
def _(standing: FeltStanding) -> dict[str, Any]:
    return {
        "table": standing.table,
        "version": standing.version,
        "state": str(standing.state),
        "seat": standing.seat,
        "chips_cents": standing.chips,
        "round": standing.round,
    }


def felt_entry(state: FeltState) -> dict[str, Any]:
    """A table to play at, and its terms; times are seconds."""
    terms = state.terms
    return {
        "table": state.table,
        "game": state.game.facts.slug,
        "mode": str(terms.mode),
        "money": str(terms.money),
        "state": str(state.phase),
        "why": state.closed or state.paused or None,
        "round": state.round,
        "seats": state.at.table.seats,
        "seated": {str(one.seat): one.player for one in state.seats},
        "betting": terms.betting,
        "deciding": terms.deciding,
        "buy_in_cents": terms.buy_in,
    }
