"""Suits have no rank in Texas Shootout: if all suits are exchanged, every wager wins the same amount (TS-1)."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations
from typing import Any

from cardroom.cards import parse_cards
from cardroom.games import round_from_json, round_to_json
from cardroom.games.texas_shootout.house_way import equal_choices
from cardroom_conformance.sample_rounds import play_random_round
from tests.games.shootout_equals import deal_equal_choices

SLUG = "texas-shootout"
EXCHANGES = [dict(zip("cdhs", order, strict=True)) for order in permutations("cdhs")]
WITHIN_COLORS = [exchange for exchange in EXCHANGES if {exchange["c"], exchange["s"]} in ({"c", "s"}, {"d", "h"})]
"""The exchanges that keep cards of one color in one color, as Color Bonus requires."""
A_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")

Entry = dict[str, Any]


def make_entry(seed: int) -> Entry:
    """Return a random round. Every second one has equal choices for the dealer and three or four suited board cards."""
    entry = round_to_json(play_random_round(SLUG, seed))
    if seed % 2:
        dealt = deal_equal_choices(random.Random(seed))
        entry["cards"] |= {"dealer": list(map(str, dealt.dealer)), "community": list(map(str, dealt.board))}
    return entry


def exchange_suits(entry: Entry, suits: dict[str, str]) -> Entry:
    """Return the same round with other suits, in the dealt cards and in the decisions that name cards."""

    def replace_suits(text: str) -> str:
        return A_CARD.sub(lambda found: found[1] + suits[found[2]], text)

    piles = {place: list(map(replace_suits, pile)) for place, pile in entry["cards"].items()}
    decisions = [decision | {"answer": replace_suits(decision["answer"])} for decision in entry["decisions"]]
    return entry | {"cards": piles, "decisions": decisions}


def list_returns(entry: Entry) -> list[tuple[int, str, str, str, int]]:
    """Return what every stake and every feature of the round pays."""
    end = round_from_json(entry)
    assert end.is_terminal
    settlement = end.game.settle(end, dict.fromkeys(end.table.spots, 10_000_00))
    return [
        (payment.seat, payment.spot, payment.stake, payment.event, payment.known_return)
        for payment in settlement.payments
    ]


def needs_colors(entry: Entry) -> bool:
    return any(wager.get("feature", {}).get("kind") == "color" for wager in entry["table"]["wagers"].values())


def test_every_wager_wins_the_same_amount_when_all_suits_are_exchanged() -> None:
    dice, rounds_of_kind = random.Random(1), Counter[str]()
    for seed in range(160):
        entry = make_entry(seed)
        returns = list_returns(entry)
        for suits in dice.sample(WITHIN_COLORS if needs_colors(entry) else EXCHANGES, 4):
            assert list_returns(exchange_suits(entry, suits)) == returns, (entry, suits)
        dealer = entry["cards"]["dealer"]
        rounds_of_kind["equal choices"] += len(equal_choices(parse_cards(dealer))) > 1
        cards_reversed = entry["cards"] | {"dealer": dealer[::-1]}
        rounds_of_kind["the order of dealing decides"] += list_returns(entry | {"cards": cards_reversed}) != returns
        rounds_of_kind["color bonus"] += needs_colors(entry)
        rounds_of_kind.update(spot for _, spot, *_ in returns)
    # If suits had a rank, an exchange would change the winner in rounds of these kinds.
    assert rounds_of_kind["equal choices"] >= 80
    assert rounds_of_kind["the order of dealing decides"] >= 15
    assert rounds_of_kind["color bonus"] >= 10
    assert min(rounds_of_kind[spot] for spot in ("shootout", "quick-draw", "shootout-bonus", "jackpot")) >= 100
