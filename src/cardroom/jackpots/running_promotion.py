"""A promotion of the floor: what it has paid, and for which hands, so that none is paid twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from cardroom.faults import BadInput
from cardroom.games import Payment, round_from
from cardroom.jackpots import (
    Happening,
    PromotionState,
    apply_promotion,
    pay_promotion,
    promotion_state_entry,
    promotion_state_from,
)
from cardroom.jackpots.layout import told

PRIZE_PAID = "promotion-prize-paid"


class BadPromotionClaim(BadInput):
    """A round for which a promotion pays nothing."""


class RunningPromotion(NamedTuple):
    """A promotion between two happenings."""

    state: PromotionState
    hands: tuple[str, ...] = ()
    """The hands that were paid: table, round and seat."""


def pay_hands(
    running: RunningPromotion, table: str, round_id: str, record: Mapping[str, Any], when: date, dealer: str
) -> Iterator[Happening]:
    """Pay every hand of a finished round that meets the promotion's event; the rules of the game decide."""
    promotion = running.state.promotion
    for payment in winning_hands(running, record):
        hand = hand_key(table, round_id, payment.seat)
        if hand in running.hands:
            raise BadPromotionClaim(f"{promotion.name} was paid already for round {round_id} of {table}.")
        for happening in pay_promotion(
            running.state, table, payment.event, when, wagered=payment.wagered, round_id=round_id, dealer=dealer
        ):
            why = {"seat": payment.seat, "words": payment.words, "when": when.isoformat(), "record": dict(record)}
            explained = Happening(happening.kind, happening.version, told(happening.payload | why))
            running = apply(running, explained)
            yield explained


def winning_hands(running: RunningPromotion, record: Mapping[str, Any]) -> list[Payment]:
    """The payments of a finished round that the promotion is for."""
    promotion, played = running.state.promotion, round_from(record)
    if not played.is_over:
        raise BadPromotionClaim(f"The round is not over: {played.due}.")
    offered = played.table.offered.get(promotion.wager)
    if played.table.facts.slug != promotion.game or offered is None or offered.paytable.name != promotion.paytable:
        raise BadPromotionClaim(
            f"{promotion.name} is for {promotion.wager} of {promotion.game} with table {promotion.paytable}."
        )
    hands = [
        one
        for one in played.game.settle(played).payments
        if one.spot == promotion.wager and one.event == promotion.event
    ]
    if not hands:
        raise BadPromotionClaim(f"Nobody has {promotion.event} on {promotion.wager}: {promotion.name} pays nothing.")
    return hands


def hand_key(table: str, round_id: str, seat: int) -> str:
    """How a hand that was paid is remembered."""
    return f"{table} {round_id} {seat}"


def apply(running: RunningPromotion | None, happening: Happening) -> RunningPromotion:
    """The promotion after a happening."""
    state = apply_promotion(running.state if running else None, happening)
    hands = running.hands if running else ()
    if happening.kind == PRIZE_PAID:
        paid = happening.payload
        hands = (*hands, hand_key(paid["table"], paid["round"], paid["seat"]))
    return RunningPromotion(state, hands)


def running_entry(running: RunningPromotion) -> dict[str, Any]:
    """A state as plain values."""
    return {"state": promotion_state_entry(running.state), "hands": list(running.hands)}


def running_from(entry: dict[str, Any]) -> RunningPromotion:
    """The state that ``running_entry`` wrote down."""
    return RunningPromotion(promotion_state_from(entry["state"]), tuple(entry["hands"]))
