"""The bonus wagers of 3 Card Double Play Poker, appendix by appendix (sheet 004, B to E)."""

from __future__ import annotations

import pytest

from cardroom.cards import parse_cards
from cardroom.games import default_setup, round_from_json
from cardroom.games.setup import setup_to_json
from cardroom.games.three_card_double_play.rules import LOW_HAND_EVENTS, PICK_5_EVENTS, SUPER_SIX_EVENTS
from cardroom.paytables import Percent, ToOne, paytables
from tests.games.double_play import PAIR_OF_NINES_DEALER, RULES, SLUG, compute_nets, play_round, settle_bonus

# Pick-3 (Appendix B)

P3_1_EVENTS = [
    ("As Ks Qs Ah Kh Qh", "double-mini-royal", 500),
    ("As Ks Qs 7c 7d 7h", "mini-royal-and-trips-or-straight-flush", 100),
    ("As Ks Qs Js Ts 9s", "mini-royal-and-trips-or-straight-flush", 100),
    ("Jc Jd Jh 6c 6d 6h", "double-trips-or-straight-flush", 50),
    ("Jc Jd Jh 6c 7c 8c", "double-trips-or-straight-flush", 50),
    ("As Ks Qs 9d 6h 2c", "one-mini-royal", 20),
    ("Jc Jd Jh 6c 6d 2h", "single-trips-or-straight-flush", 5),
    ("Jc Jd Jh Js 6d 2h", "single-trips-or-straight-flush", 5),
    ("5s 6s 7s Kd 9c 2h", "single-trips-or-straight-flush", 5),
    ("Kc Kd 9h 9s 4c 2d", "double-pairs", 2),
    ("Kc Kd 9h 9s 4c 4d", "double-pairs", 2),
    ("Js 8s 6s Qh 9h 2h", "other", None),
    ("Kc Kd 9h 7s 4c 2d", "other", None),
]
P3_10_EVENTS = [
    *[(six, event, odds) for six, event, odds in P3_1_EVENTS if event not in ("double-pairs", "other")],
    ("Js 8s 6s Qh 9h 2h", "double-flush-or-straight", 5),
    ("Js Td 9s 5h 4c 3h", "double-flush-or-straight", 5),
    ("Js 8s 6s 5h 4c 3h", "double-flush-or-straight", 5),
    ("Ks Js 9s 6s 4s 2s", "double-flush-or-straight", 5),
    ("Kc Kd 9h 9s 4c 2d", "other", None),
    ("Js 8s 6s 5h 4c 2h", "other", None),
]


@pytest.mark.parametrize(
    ("table", "six", "event", "odds"),
    [("P3-1", *case) for case in P3_1_EVENTS] + [("P3-10", *case) for case in P3_10_EVENTS],
)
def test_pick_3_pays_the_highest_line_that_some_division_meets(
    table: str, six: str, event: str, odds: int | None
) -> None:
    payment = settle_bonus("pick-3", six, table)
    assert payment.event == event
    assert payment.net == (500 * odds if odds else -500)


def test_a_card_counts_in_one_hand_only() -> None:
    """Appendix B, note 2; the sheet prints the queen of hearts of the first hand twice."""
    pair_beside = settle_bonus("pick-3", "As Ks Qs Qd Qh 2c")
    assert pair_beside.event == "one-mini-royal"
    assert set(pair_beside.cards) == set(parse_cards("As Ks Qs"))
    jack_beside = settle_bonus("pick-3", "As Ks Qs Js 9d 6h")
    assert jack_beside.event == "one-mini-royal"


def test_pick_3_does_not_depend_on_how_the_hands_are_set() -> None:
    broken_up = "set Jd Jc 9h | 8s Jh 2c"
    assert settle_bonus("pick-3", "Jc Jd Jh 9h 8s 2c", way=broken_up).event == "single-trips-or-straight-flush"


def test_pick_3_falls_through_a_line_that_the_paytable_does_not_have() -> None:
    straights_or_pairs = "5s 5h 6d 6c 7s 7h"
    assert settle_bonus("pick-3", straights_or_pairs, "P3-1").event == "double-pairs"
    assert set(settle_bonus("pick-3", straights_or_pairs, "P3-1").cards) == set(parse_cards(straights_or_pairs))
    assert settle_bonus("pick-3", straights_or_pairs, "P3-10").event == "double-flush-or-straight"


def test_the_higher_line_pays_even_if_a_lower_one_would_pay_more() -> None:
    # P3-16 prints 5 for double trips or straight flush and 30 for one mini-royal below it.
    payment = settle_bonus("pick-3", "As Ad Ah Ks Qs Js", "P3-16")
    assert payment.event == "double-trips-or-straight-flush"
    assert payment.net == 500 * 5


def test_pick_3_names_the_hands_that_make_the_win() -> None:
    payment = settle_bonus("pick-3", "As Ks Qs 7c 7d 7h")
    assert payment.text == "mini-royal and three of a kind, sevens"
    assert payment.cards == parse_cards("As Ks Qs 7h 7d 7c")
    loss = settle_bonus("pick-3", "Kc Kd 9h 7s 4c 2d")
    assert loss.text == "the six cards, however divided; no win"


# Pick-5 (Appendix C)


@pytest.mark.parametrize(
    ("six", "event", "odds"),
    [
        ("As Ks Qs Js Ts 9s", "royal-flush", 500),
        ("Kd Qs Js Ts 9s 8s", "straight-flush", 100),
        ("7c 7d 7h 7s Kc Kd", "quads", 40),
        ("7c 7d 7h Kc Kd Kh", "full-house", 15),
        ("Ks Js 9s 6s 4s 2d", "flush", 10),
        ("9c 8d 7h 6s 5c 5d", "straight", 5),
        ("7c 7d 7h Kc Td 4h", "trips", 3),
        ("7c 7d Kh Kc Td Th", "two-pairs", 2),
        ("Ac Ad Kh Jc Td 4h", "other", None),
        ("Ac 2d 3h 4c 6d 8h", "other", None),
    ],
)
def test_pick_5_pays_the_best_five_of_the_six_cards(six: str, event: str, odds: int | None) -> None:
    payment = settle_bonus("pick-5", six)
    assert payment.event == event
    assert payment.net == (500 * odds if odds else -500)
    assert len(payment.cards) == 5


# Super-3's and Super-Six (Appendices D and E)


@pytest.mark.parametrize(
    ("six", "event", "prize"),
    [
        ("As Ks Qs Ah Kh Qh", "double-mini-royal", 10_000_00),
        ("As Ks Qs Js Ts 9s", "mini-royal-with-straight-flush", 1_000_00),
        ("As Ks Qs 5h 4h 3h", "mini-royal-with-straight-flush", 1_000_00),
        ("As Ks Qs Ac Ad Ah", "mini-royal-with-trips", 1_000_00),
        ("Jc Jd Jh 6c 6d 6h", "double-trips-or-straight-flush", 400_00),
        ("As Ad Ah Ks Qs Js", "double-trips-or-straight-flush", 400_00),
        ("As Ks Qs Qd Qh 2c", "one-mini-royal", 50_00),
        ("Jc Jd Jh 6c 6d 2h", "one-trips-or-straight-flush", 3_00),
        ("Js 8s 6s Qh 9h 2h", "other", 0),
        ("Kc Kd 9h 9s 4c 2d", "other", 0),
    ],
)
def test_super_3s_pays_the_highest_line_that_some_division_meets(six: str, event: str, prize: int) -> None:
    payment = settle_bonus("super-3s", six)
    assert payment.event == event
    assert payment.returned == prize


@pytest.mark.parametrize(
    ("six", "event", "prize"),
    [
        ("Ac 2c 3c 4c 5c 6c", "six-card-straight-flush", 10_000_00),
        ("9d Td Jd Qd Kd Ad", "six-card-straight-flush", 10_000_00),
        ("9c Td Jd Qd Kd Ad", "five-card-royal-flush", 1_000_00),
        ("Ac 2c 3c 4c 5c 7c", "five-card-straight-flush", 400_00),
        ("Kc Ac 2c 3c 4c 5c", "five-card-straight-flush", 400_00),
        ("7c 7d 7h 7s Kc Kd", "four-of-a-kind", 75_00),
        ("7c 7d 7h Kc Kd 2h", "full-house", 15_00),
        ("Ks Js 9s 6s 4s 2d", "flush", 12_00),
        ("Qc Kd Ah Ts Jc 2d", "straight", 10_00),
        ("7c 7d 7h Kc Td 4h", "three-of-a-kind-or-less", 0),
        ("Qc Kd Ah 2s 3c 4d", "three-of-a-kind-or-less", 0),
    ],
)
def test_super_six_pays_the_best_hand_in_the_six_cards(six: str, event: str, prize: int) -> None:
    payment = settle_bonus("super-six", six)
    assert payment.event == event
    assert payment.returned == prize
    assert len(payment.cards) == (6 if event == "six-card-straight-flush" else 5)


def test_equal_winners_of_a_percentage_share_it() -> None:
    """Appendix D, note 4."""
    wagers = {"high-low": 1000, "super-3s": 100}
    ways = {1: "set As Ks Qs | Ah Kh Qh", 2: "set Ad Kd Qd | Ac Kc Qc"}
    record = {
        "table": setup_to_json(default_setup(SLUG)),
        "wagers": {"1": wagers, "2": wagers},
        "cards": {
            "seat 1 hand": ["As", "Ks", "Qs", "Ah", "Kh", "Qh"],
            "seat 2 hand": ["Ac", "Kc", "Qc", "Ad", "Kd", "Qd"],
            "dealer": PAIR_OF_NINES_DEALER.split(),
        },
        "decisions": [{"seat": seat, "question": "set", "answer": way} for seat, way in ways.items()]
        + [{"seat": seat, "question": "double", "answer": "stand"} for seat in ways],
    }
    settlement = RULES.settle(round_from_json(record), {"super-3s": 10_000_01})
    shares = [payment.returned for payment in settlement.payments if payment.spot == "super-3s"]
    assert shares == [5_000_01, 5_000_00]


def test_the_bonus_wagers_are_settled_when_the_main_game_is_lost() -> None:
    wagers = {"high-low": 1000, "pick-3": 500, "pick-5": 500, "super-six": 100}
    round_ = play_round("9c 8d 7h 6s 5c 5d", dealer="Kc Kd Kh 4s 2d", wagers=wagers)
    assert compute_nets(round_) == {"high": -1000, "low": -1000, "pick-3": -500, "pick-5": 2500, "super-six": 900}


def test_every_event_of_the_rules_is_a_printed_line() -> None:
    for wager, events in [
        ("high-low", list(LOW_HAND_EVENTS.values())),
        ("pick-5", [*PICK_5_EVENTS.values(), "other"]),
        ("super-six", ["six-card-straight-flush", *SUPER_SIX_EVENTS.values(), "three-of-a-kind-or-less"]),
    ]:
        for table in paytables(SLUG, wager):
            assert [line.trigger for line in table.lines] == events


def test_jackpots_pay_percentages_and_pick_5_pays_odds() -> None:
    assert isinstance(settle_bonus("super-six", "9d Td Jd Qd Kd Ad").pay, Percent)
    assert isinstance(settle_bonus("pick-5", "9d Td Jd Qd Kd Ad").pay, ToOne)
