"""Promotions: announced with their written rules, paid by the house, ended."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from cardroom.faults import BadInput
from cardroom.floor.desks.answers import PromotionPaid, PromotionStanding, promotion_paid, promotion_standing
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import promotion_chain, table_chain
from cardroom.floor.kept.subjects import PROMOTIONS
from cardroom.jackpots import (
    Promotion,
    RunningPromotion,
    begin_promotion,
    end_promotion,
    open_promotion,
    pay_hands,
    promotion_entry,
)
from cardroom.ledger import Json


class PromotionIsRunning(BadInput):
    """A promotion is announced once."""


class PromotionDesk(Desk):
    """An operator's extra prizes."""

    def announce_promotion(self, id: str, who: str, promotion: Promotion) -> PromotionStanding:
        """Begin a promotion: its rules are displayed from now on, and it pays between its dates."""
        open_promotion(promotion)
        body: dict[str, Json] = {"do": "announce-promotion", "who": who, "promotion": promotion_entry(promotion)}

        def decide(draft: Draft) -> Json:
            if draft.has(PROMOTIONS, promotion.id):
                raise PromotionIsRunning(f"Promotion {promotion.id} was announced already: give this one another name.")
            return _standing(draft.at_promotion(promotion.id, begin_promotion(promotion, who=who)))

        return self._do(id, body, (promotion_chain(promotion.id),), decide, promotion_standing)

    def pay_promotion(
        self,
        id: str,
        who: str,
        promotion: str,
        table: str,
        round_id: str,
        record: Mapping[str, Any],
        *,
        when: date | None = None,
    ) -> PromotionPaid:
        """Pay every hand of a finished round that meets the promotion's event. Without a day it is today, here."""
        body: dict[str, Json] = {
            "do": "pay-promotion",
            "who": who,
            "promotion": promotion,
            "table": table,
            "round": round_id,
            "record": dict(record),
            "when": when.isoformat() if when else None,
        }

        def decide(draft: Draft) -> Json:
            draft.table(table)
            running = draft.promotion(promotion)
            paid = tuple(pay_hands(running, table, round_id, record, when or self._today(), who))
            return {
                "seats": [one.seat for one in paid],
                "cents": sum(one.cents for one in paid),
                "standing": _standing(draft.at_promotion(promotion, paid)),
            }

        return self._do(id, body, (promotion_chain(promotion), table_chain(table)), decide, promotion_paid)

    def end_promotion(self, id: str, who: str, promotion: str, why: str) -> PromotionStanding:
        """End a promotion before its time."""
        body: dict[str, Json] = {"do": "end-promotion", "who": who, "promotion": promotion, "why": why}

        def decide(draft: Draft) -> Json:
            running = draft.promotion(promotion)
            return _standing(draft.at_promotion(promotion, end_promotion(running, who=who, why=why)))

        return self._do(id, body, (promotion_chain(promotion),), decide, promotion_standing)

    def _today(self) -> date:
        """The day in the card room's own time."""
        return self.calendar.local(self._clock()).date()


def _standing(running: RunningPromotion) -> dict[str, Json]:
    state = running.state
    promotion = state.promotion
    return {
        "promotion": promotion.id,
        "ended": state.ended,
        "prizes": state.paid.prizes,
        "cents": state.paid.cents,
        "prizes_left": promotion.most_prizes - state.paid.prizes,
        "cents_left": promotion.most_cents - state.paid.cents,
    }
