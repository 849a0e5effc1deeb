"""The second bookkeeper and promotions: a hand is paid once, by the house, and a large prize by two people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.crash.model_level import CENT
from tests.crash.model_room import Answer, Command, Room, allow, cents

DAY = "2026-07-04"
"""On which all of it happens."""
NEEDS_CONSENT = ("dueling-for-dollars",)


@dataclass
class Promotion:
    """An extra prize, and the hands that it was paid for."""

    id: str
    name: str
    event: str
    prize: int
    most_prizes: int
    most_cents: int
    days: tuple[str, str]
    ended: bool = False
    prizes: int = 0
    paid: set[tuple[str, str, int]] = field(default_factory=set)
    """Tables, rounds and seats."""
    hands: set[tuple[Any, ...]] = field(default_factory=set)
    """The cards that made them."""

    def answer(self) -> Answer:
        spent = self.prizes * self.prize
        return {
            "promotion": self.id,
            "ended": self.ended,
            "prizes": self.prizes,
            "cents": spent,
            "prizes_left": self.most_prizes - self.prizes,
            "cents_left": self.most_cents - spent,
        }


def dealt(cards: Mapping[str, list[str]], seats: Iterable[int]) -> set[tuple[Any, ...]]:
    """A hand is what a seat has and what all share; a second one alike in the same round is another."""
    hands: Counter[tuple[Any, ...]] = Counter()
    for seat in seats:
        own = f"seat {seat} "
        seen = [(place.removeprefix(own), tuple(sorted(pile))) for place, pile in cards.items() if own in place]
        shared = [(place, tuple(sorted(pile))) for place, pile in cards.items() if place[:5] not in ("seat ", "burn")]
        hands[(tuple(sorted(seen)), tuple(sorted(shared)))] += 1
    return {(*hand, number) for hand, times in hands.items() for number in range(times)}


class Promotions(Room):
    """Announced, paid, ended."""

    def __init__(self) -> None:
        super().__init__()
        self.promotions: dict[str, Promotion] = {}

    def _announce_promotion(self, command: Command) -> Answer:
        result = command["promotion"]
        new = Promotion(
            result["id"],
            "".join(result["name"].split()).casefold(),
            result["event"],
            cents(result["prize"]),
            result["most_prizes"],
            cents(result["most_dollars"]),
            (result["first"], result["last"]),
        )
        allow(result["game"] not in NEEDS_CONSENT or result.get("consent"), "the owner has not agreed")
        allow(new.id not in self.promotions, "it was announced already")
        for one in self.promotions.values():
            beside = one.days[0] <= new.days[1] and new.days[0] <= one.days[1]
            allow(one.ended or one.name != new.name or not beside, "another one has the name")
        self.promotions[new.id] = new
        return new.answer()

    def _end_promotion(self, command: Command) -> Answer:
        promotion = self.promotions[command["promotion"]]
        allow(not promotion.ended, "it has ended")
        promotion.ended = True
        return promotion.answer()

    def _pay_promotion(self, command: Command) -> Answer:
        promotion, table, round_id = (
            self.promotions[command["promotion"]],
            self.tables[command["table"]],
            command["round"],
        )
        winners = sorted(int(seat) for seat, event in command["hands"].items() if event == promotion.event)
        allow(winners, "nobody has won")
        for seat in winners:
            allow((table.id, round_id, seat) not in promotion.paid, "it was paid for this round")
        allow(not command["again"] or command["second"], "two people say that the cards came again")
        left = min(promotion.most_prizes, promotion.most_cents // promotion.prize) - promotion.prizes
        runs = not promotion.ended and promotion.days[0] <= DAY <= promotion.days[1]
        paid = winners[: max(left, 0)] if runs else []
        allow(not paid or promotion.prize <= self.dealer_pays or command["second"], "two people pay so much")
        allow(round_id not in table.voided, "the round is void")
        if paid:
            allow(round_id in table.rounds, "the round was not counted")
            allow(set(paid) <= set().union(*table.rounds[round_id].places.values()), "no wager was counted there")
        hands = dealt(command["record"]["cards"], paid)
        known = bool(hands & promotion.hands)
        allow(known == bool(command["again"]), "a hand is paid once, unless its cards came again")
        promotion.prizes += len(paid)
        promotion.paid |= {(table.id, round_id, seat) for seat in paid}
        promotion.hands |= hands
        self._post(f"prizes:{table.id}", f"chip-tray:{table.id}", len(paid) * promotion.prize * CENT)
        return {"seats": paid, "cents": len(paid) * promotion.prize, "summary": promotion.answer()}
