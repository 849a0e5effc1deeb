"""Finished rounds of Texas Shootout for the tests, made from cards and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cardroom.games import FeatureSetup, Payment, Round, TableSetup, default_setup, game, round_from_json
from cardroom.games.setup import setup_to_json

RULES = game("texas-shootout")
NINE_HIGH = "9c 7d 4h 2s"  # the dealer plays 9c 7d (line 14)
BOARD = "Kd Jc 8s 5h 3c"  # helps no hand
STRAIGHT_ON_THE_BOARD = "As Kd Qc Jh Ts"  # all tie


@dataclass(frozen=True)
class Seat:
    """One player: four cards, the decision about them, and the wagers in cents."""

    hand: str
    answer: str
    wagers: Mapping[str, int] = field(default_factory=dict)
    bonus: str | None = None


def make_setup(
    tables: Mapping[str, str] | None = None,
    bonuses: Mapping[str, Mapping[str, str]] | None = None,
    features: Mapping[str, FeatureSetup] | None = None,
) -> TableSetup:
    setup = default_setup("texas-shootout")
    wagers = dict(setup.wagers)
    for slug, name in (tables or {}).items():
        wagers[slug] = replace(wagers[slug], paytable=name, bonuses=(bonuses or {}).get(slug, {}))
    for slug, feature in (features or {}).items():
        wagers[slug] = replace(wagers[slug], feature=feature)
    return replace(setup, wagers=wagers)


def play_round(*seats: Seat, dealer: str = NINE_HIGH, board: str = BOARD, setup: TableSetup | None = None) -> Round:
    """Return a finished round. The seats are numbered from 1, and each wagers ten dollars on Texas Shootout."""
    decisions: list[dict[str, Any]] = []
    for number, seat in enumerate(seats, 1):
        decisions.append({"seat": number, "question": "hand", "answer": seat.answer})
        if seat.bonus:
            decisions.append({"seat": number, "question": "bonus", "answer": seat.bonus})
    record: dict[str, Any] = {
        "table": setup_to_json(setup or make_setup()),
        "wagers": {str(number): {"shootout": 1000, **seat.wagers} for number, seat in enumerate(seats, 1)},
        "cards": {
            **{f"seat {number} hand": seat.hand.split() for number, seat in enumerate(seats, 1)},
            "dealer": dealer.split(),
            "community": board.split(),
        },
        "decisions": decisions,
    }
    end = round_from_json(record)
    assert end.is_terminal
    return end


def find_payments(end: Round, spot: str, seat: int = 1, meters: dict[str, int] | None = None) -> list[Payment]:
    return [payment for payment in RULES.settle(end, meters).seat_payments(seat) if payment.spot == spot]


def compute_nets(end: Round, spot: str, seat: int = 1) -> list[int]:
    return [payment.net for payment in find_payments(end, spot, seat)]


def find_prizes(end: Round, stake: str, seat: int = 1) -> list[int]:
    """Return what a feature pays, and check that it takes no wager of its own."""
    payments = [payment for payment in RULES.settle(end).seat_payments(seat) if payment.stake == stake]
    assert all(payment.wagered == 0 for payment in payments)
    return [payment.returned for payment in payments]
