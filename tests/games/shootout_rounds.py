"""Finished rounds of Texas Shootout for the tests, from the cards and the answers."""

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
    """What a player brings: four cards, what is played of them, and the wagers in cents."""

    hand: str
    answer: str
    wagers: Mapping[str, int] = field(default_factory=dict)
    bonus: str | None = None


def setup_with(
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


def played(*seats: Seat, dealer: str = NINE_HIGH, board: str = BOARD, setup: TableSetup | None = None) -> Round:
    """A finished round; the seats are numbered from 1, and each has ten dollars on Texas Shootout."""
    decisions: list[dict[str, Any]] = []
    for number, seat in enumerate(seats, 1):
        decisions.append({"seat": number, "question": "hand", "answer": seat.answer})
        if seat.bonus:
            decisions.append({"seat": number, "question": "bonus", "answer": seat.bonus})
    record: dict[str, Any] = {
        "table": setup_to_json(setup or setup_with()),
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


def paid(end: Round, spot: str, seat: int = 1, meters: dict[str, int] | None = None) -> list[Payment]:
    return [one for one in RULES.settle(end, meters).seat_payments(seat) if one.spot == spot]


def net(end: Round, spot: str, seat: int = 1) -> list[int]:
    return [one.net for one in paid(end, spot, seat)]


def prizes(end: Round, stake: str, seat: int = 1) -> list[int]:
    """What a feature pays; nothing is wagered for it."""
    won = [one for one in RULES.settle(end).seat_payments(seat) if one.stake == stake]
    assert all(one.wagered == 0 for one in won)
    return [one.returned for one in won]
