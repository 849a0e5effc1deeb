"""Answers and states of the floor as JSON, for programs.

Names that end in ``cents`` are whole cents; the other amounts are hundredths of a cent.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from cardroom.floor.desks.answers import (
    ClaimDecided,
    ClaimMade,
    JackpotStanding,
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
from cardroom.floor.kept.table import TableState
from cardroom.jackpots import Claim, JackpotState, PromotionState, promotion_entry
from cardroom.jackpots.plain import written
from cardroom.jackpots.setup.room import RoomSettings

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
    return {name: list(value) if isinstance(value, tuple) else value for name, value in entry.items()}


@answer_entry.register
def _(standing: TableStanding) -> dict[str, Any]:
    return {**standing._asdict(), "jackpots": list(standing.jackpots), "counters": list(standing.counters)}


@answer_entry.register
def _(standing: RoomStanding) -> dict[str, Any]:
    return {"settings": settings_page_entry(standing.settings)}


def settings_page_entry(settings: RoomSettings) -> dict[str, Any]:
    """What holds in the whole room; amounts are cents."""
    entry = settings._asdict()
    return {"dealer_pays_cents" if name == "dealer_pays" else name: value for name, value in entry.items()}


@answer_entry.register
def _(counted: RoundCounted) -> dict[str, Any]:
    marks = {
        name: [{"position": mark.position, "sensor": mark.sensor} for mark in getattr(counted, name)]
        for name in ("lights", "lammers", "stay")
    }
    return {
        "table": counted.table,
        "round": counted.round,
        "counts": dict(counted.counts),
        "counters": list(counted.counters),
        **marks,
        "shown_cents": {jackpot: list(levels) for jackpot, levels in counted.meters.items()},
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
        "standing": answer_entry(decided.standing),
    }


@answer_entry.register
def _(standing: PromotionStanding) -> dict[str, Any]:
    return standing._asdict()


@answer_entry.register
def _(paid: PromotionPaid) -> dict[str, Any]:
    return {"seats": list(paid.seats), "cents": paid.cents, "standing": answer_entry(paid.standing)}


# How things stand, as the commands answer it, and more.


def jackpot_stands(state: JackpotState) -> JackpotStanding:
    """A jackpot as the commands answer it."""
    return jackpot_standing(jackpot_standing_entry(state))


def promotion_stands(state: PromotionState) -> PromotionStanding:
    """A promotion as the commands answer it."""
    promotion, paid = state.promotion, state.paid
    left = promotion.most_prizes - paid.prizes, promotion.most_cents - paid.cents
    return PromotionStanding(promotion.id, state.ended, paid.prizes, paid.cents, *left)


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


def pending_claim_entry(claim: Claim) -> dict[str, Any]:
    """A claim that waits for a second person."""
    named = {"claim": claim.id, "order": claim.order, "table": claim.table, "round": claim.round}
    prizes = list(map(written, claim.prizes))
    return {**named, "dealer": claim.dealer, "prizes": prizes, "cents": claim.cents}


def whole_table_entry(state: TableState) -> dict[str, Any]:
    """One table with its game."""
    return {"game": state.tabulator.table.game, **answer_entry(table_standing(table_standing_entry(state)))}


def whole_promotion_entry(state: PromotionState) -> dict[str, Any]:
    """One promotion with its rules."""
    return {**answer_entry(promotion_stands(state)), "setup": promotion_entry(state.promotion)}


def floor_entry(floor: Floor) -> dict[str, Any]:
    """The whole floor."""
    return {
        "jackpots": [whole_jackpot_entry(floor.jackpot(one)) for one in floor.jackpots()],
        "tables": [whole_table_entry(floor.table(one)) for one in floor.tables()],
        "promotions": [whole_promotion_entry(floor.promotion(one).state) for one in floor.promotions()],
    }
