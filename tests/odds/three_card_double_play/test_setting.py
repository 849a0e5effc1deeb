"""The value of a setting, compared with the settlement of real rounds, and the outcomes of the best strategy."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest

from cardroom.cards import STANDARD_DECK, Card, format_cards, parse_cards
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.games.three_card_double_play.rules import LOW_HAND_EVENTS
from cardroom.hands import Category, best_three
from cardroom.odds.three_card_double_play.best_strategy import KIND_BY_STRENGTH, KINDS, LowHandPays
from cardroom.paytables import paytables
from tests.games.double_play import RULES, override_paytable, play_round
from tests.odds.three_card_double_play.by_hand import NUMERIC, SLUG, low_hand_table

BOTH_WIN, HIGH_ALONE, DEALER = ENDS = ("both win", "high alone", "dealer")


def ending(division: Division, dealer: tuple[Card, ...]) -> str:
    best = best_three(dealer).strength
    if division.low.strength >= best:
        return BOTH_WIN
    return HIGH_ALONE if division.high.strength >= best else DEALER


Played = tuple[tuple[Card, ...], Division, tuple[Card, ...]]


@cache
def rounds_of_every_class() -> dict[tuple[Category, str], Played]:
    """For each kind of low hand and each outcome: a player's six cards, their setting, and a dealer's hand."""
    players = ["Ad Kd Qd Ac Kc Qc", "9d 8d 7d 5s 4s 3s", "9d 9s 9c 5s 5h 5d", "9d 8s 7c 5s 4h 3d", "Ad 7d 3d 9s 5s 2s"]
    dealers = [
        "Ah Kh Qh 2c 2d",
        "8h 7h 6h 2c 2d",
        "7h 7d 7c 2h 2d",
        "8c 7d 6h 2c 2d",
        "Th 8h 3h 2c 2d",
        "Js Tc 6d 4c 2h",
    ]
    chance = random.Random(7)
    sixes = [*map(parse_cards, players), *(tuple(chance.sample(STANDARD_DECK, 6)) for _ in range(20))]
    found: dict[tuple[Category, str], Played] = {}
    for six, dealer in product(sixes, map(parse_cards, dealers)):
        if not set(six) & set(dealer):
            for division in divisions(six):
                found.setdefault((division.low.category, ending(division, dealer)), (six, division, dealer))
    return found


def test_every_kind_of_low_hand_reaches_each_possible_outcome() -> None:
    played_to = {end: {kind for kind, one in rounds_of_every_class() if one == end} for end in ENDS}
    # Nothing beats a mini-royal.
    assert played_to == {BOTH_WIN: set(KINDS), HIGH_ALONE: set(KINDS[:-1]), DEALER: set(KINDS[:-1])}


@pytest.mark.parametrize("double", [False, True], ids=["stand", "double"])
@pytest.mark.parametrize("name", NUMERIC)
def test_the_value_of_a_setting_equals_the_settlement(name: str, double: bool) -> None:
    pays = LowHandPays(low_hand_table(name))
    for (kind, end), (six, division, dealer) in rounds_of_every_class().items():
        net = pays.net(kind, int(end == BOTH_WIN), int(end != DEALER), 1)
        round_ = play_round(
            format_cards(six),
            dealer=format_cards(dealer),
            way=str(division.decision),
            double=double,
            tables=override_paytable("high-low", name),
        )
        assert RULES.settle(round_).net(1) == 1000 * net * (2 if double else 1)


def test_a_prize_in_dollars_is_settled_as_it_is_counted() -> None:
    bonuses = dict.fromkeys(LOW_HAND_EVENTS.values(), "$7.50")
    table = low_hand_table("LWB7").with_bonuses(bonuses)
    written = {event.replace("-", "_"): amount for event, amount in bonuses.items()}
    for (kind, end), (six, division, dealer) in rounds_of_every_class().items():
        net = LowHandPays(table, wager_cents=1000).net(kind, int(end == BOTH_WIN), int(end != DEALER), 1)
        tables = override_paytable("high-low", "LWB7", **written)
        round_ = play_round(
            format_cards(six), dealer=format_cards(dealer), way=str(division.decision), double=True, tables=tables
        )
        assert RULES.settle(round_).net(1) == 2 * 1000 * net


def test_every_strength_has_the_kind_of_its_hand() -> None:
    for table in paytables(SLUG, "high-low"):
        assert [line.trigger for line in table.lines] == [LOW_HAND_EVENTS[kind] for kind in reversed(KINDS)]
    assert (np.diff(KIND_BY_STRENGTH[1:].astype(int)) >= 0).all()
    assert KINDS[KIND_BY_STRENGTH[best_three(parse_cards("9c 9d 2h")).strength]] is Category.PAIR


@pytest.mark.parametrize("name", NUMERIC)
def test_the_integers_for_the_kernels_equal_the_pays(name: str) -> None:
    pays = LowHandPays(low_hand_table(name))
    for strength in range(1, len(KIND_BY_STRENGTH)):
        exact = Fraction(int(pays.scaled_payoffs.both_win[strength]), pays.scale)
        assert exact == pays.both_win[KINDS[KIND_BY_STRENGTH[strength]]]
