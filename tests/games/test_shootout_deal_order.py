"""Suits have no rank in Texas Shootout: in a round with all suits exchanged every wager wins what it won (TS-1)."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import permutations
from typing import Any

from cardroom.cards import parse_cards
from cardroom.conformance.sample_rounds import play_random_round
from cardroom.games import round_from_json, round_to_json
from cardroom.games.texas_shootout.house_way import equal_choices
from tests.games.shootout_equals import with_equal_choices

SLUG = "texas-shootout"
EXCHANGES = [dict(zip("cdhs", order, strict=True)) for order in permutations("cdhs")]
WITHIN_COLORS = [one for one in EXCHANGES if {one["c"], one["s"]} in ({"c", "s"}, {"d", "h"})]
"""Those after which cards of one color are still of one color, which Color Bonus asks for."""
A_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")

Entry = dict[str, Any]


def a_round(seed: int) -> Entry:
    """Any round, and every second time one in which the dealer has equal choices before a flush on the board."""
    entry = round_to_json(play_random_round(SLUG, seed))
    if seed % 2:
        dealt = with_equal_choices(random.Random(seed))
        entry["cards"] |= {"dealer": list(map(str, dealt.dealer)), "community": list(map(str, dealt.board))}
    return entry


def exchanged(entry: Entry, suits: dict[str, str]) -> Entry:
    """The same round with other suits: the cards that were dealt, and those that answers name."""

    def other(text: str) -> str:
        return A_CARD.sub(lambda found: found[1] + suits[found[2]], text)

    piles = {place: list(map(other, pile)) for place, pile in entry["cards"].items()}
    decisions = [one | {"answer": other(one["answer"])} for one in entry["decisions"]]
    return entry | {"cards": piles, "decisions": decisions}


def won(entry: Entry) -> list[tuple[int, str, str, str, int]]:
    """What every stake and every feature of the round brings."""
    end = round_from_json(entry)
    assert end.is_terminal
    settlement = end.game.settle(end, dict.fromkeys(end.table.spots, 10_000_00))
    return [(one.seat, one.spot, one.stake, one.event, one.known_return) for one in settlement.payments]


def keeps_colors(entry: Entry) -> bool:
    return any(wager.get("feature", {}).get("kind") == "color" for wager in entry["table"]["wagers"].values())


def test_with_the_suits_of_a_round_exchanged_every_wager_wins_what_it_won() -> None:
    dice, met = random.Random(1), Counter[str]()
    for seed in range(160):
        entry = a_round(seed)
        before = won(entry)
        for suits in dice.sample(WITHIN_COLORS if keeps_colors(entry) else EXCHANGES, 4):
            assert won(exchanged(entry, suits)) == before, (entry, suits)
        dealer = entry["cards"]["dealer"]
        met["equal choices"] += len(equal_choices(parse_cards(dealer))) > 1
        turned = entry["cards"] | {"dealer": dealer[::-1]}
        met["the order of dealing decides"] += won(entry | {"cards": turned}) != before
        met["color bonus"] += keeps_colors(entry)
        met.update(spot for _, spot, *_ in before)
    # Had suits a rank, an exchange would change who wins in rounds of this kind.
    assert met["equal choices"] >= 80
    assert met["the order of dealing decides"] >= 15
    assert met["color bonus"] >= 10
    assert min(met[spot] for spot in ("shootout", "quick-draw", "shootout-bonus", "jackpot")) >= 100
