"""Shootout Bonus, Jackpot, and their features, rule by rule (sheet 002, Appendices B and C)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from cardroom.cards import parse_cards
from cardroom.games import BadSetup, FeatureSetup, TableSetup
from cardroom.games.texas_shootout.side_wagers import lammer_spots
from cardroom.paytables import Push
from tests.games.shootout_rounds import RULES, Seat, compute_nets, find_payments, find_prizes, make_setup, play_round

# Shootout Bonus


@pytest.mark.parametrize(
    ("keep", "board", "event", "odds"),
    [
        ("7s 7s", "7s 7s 7s 2d 3h", "five-of-a-kind-suited", (5000, 1000, 50)),
        ("As Ks", "Qs Js Ts 2d 3h", "royal-flush", (500, 200, 100)),
        ("9s Ks", "Qs Js Ts 2d 3h", "straight-flush", (100, 75, 75)),
        ("7s 7d", "7s 7s 7s 2d 3h", "five-of-a-kind", (50, 40, 50)),
        ("7s 7d", "7s 7s 4s 2d 3h", "four-of-a-kind", (5, 7, 7)),
        ("7s 7d", "7s 3s 4s 2d 3h", "full-house", (3, 3, 2)),
        ("7s 7s", "7s 3s 4s 2d Kh", "flush", (2, 2, 2)),
        ("7s 6d", "5s 3c 4s 2d Kh", "straight", (1, 1, 2)),
        ("7s 7d", "7s 3c 4s 2d Kh", "three-of-a-kind", (None, 0, 1)),
        ("7s 7d", "Ks 3c 4s 2d Kh", None, (None, None, None)),
    ],
)
def test_shootout_bonus_pays_the_best_five_of_seven(
    keep: str, board: str, event: str | None, odds: tuple[int | None, int | None, int | None]
) -> None:
    for table, pays in zip(("TS/SB 1", "TS/SB 4", "TS/SB 5"), odds, strict=True):
        seat = Seat(f"{keep} Qd Th", f"keep {keep}", {"shootout-bonus": 500})
        (payment,) = find_payments(
            play_round(seat, board=board, setup=make_setup({"shootout-bonus": table})), "shootout-bonus"
        )
        assert payment.net == (-500 if pays is None else 500 * pays)
        assert payment.event == (event or "nothing")
        assert isinstance(payment.pay, Push) == (pays == 0)


SPADES = "9s 8s 7s 2d 2c"  # J-T and 6-5 of spades make straight flushes
SPLIT = "As Ad 6s 5s"
SPLIT_ANSWER = "split As Ad | 6s 5s"


@pytest.mark.parametrize(
    ("bonus", "expected"),
    [
        ("match", [("first hand", -500), ("second hand", 50_000)]),
        ("first hand", [("first hand", -500)]),
        ("second hand", [("second hand", 50_000)]),
    ],
)
def test_after_a_split_the_bonus_wager_is_on_the_chosen_hand_or_on_both(bonus: str, expected: list[Any]) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    payments = find_payments(play_round(seat, board=SPADES), "shootout-bonus")
    assert [(payment.stake, payment.net) for payment in payments] == expected
    assert all(payment.wagered == 500 for payment in payments)


@pytest.mark.parametrize(("bonus", "net_of_it"), [("first hand", -500), ("second hand", 3500)])
def test_first_and_second_hand_are_the_hands_in_the_order_of_the_players_decision(bonus: str, net_of_it: int) -> None:
    seat = Seat("8h 7c 8s 6c", "split 7c 6c | 8h 8s", {"shootout-bonus": 500}, bonus)
    setup = make_setup({"shootout-bonus": "TS/SB 4"})
    (payment,) = find_payments(play_round(seat, board="8d 8c Kd 2s 3h", setup=setup), "shootout-bonus")
    assert (payment.stake, payment.net) == (bonus, net_of_it)  # quads of eights pay 7 to 1


def test_the_bonus_pays_even_if_the_dealers_hand_wins() -> None:
    seat = Seat("8s 4d 6d 5c", "keep 8s 4d", {"shootout-bonus": 500})
    end = play_round(seat, dealer="As Ks 3d 2h", board="Qs Js Ts 9s 2d")
    assert compute_nets(end, "shootout") == [-1000]
    assert compute_nets(end, "shootout-bonus") == [500 * 100]


# Jackpot

ROYAL_BOARD = "As Ks Qs 4d 3c"


def test_jackpot_prizes_are_for_one_and_proportional_to_the_wager() -> None:
    for wager in (100, 200):
        end = play_round(Seat("Js Ts 9s 8d", "keep Js Ts", {"jackpot": wager}), board="9s 8s 7s 2d 2c")
        (payment,) = find_payments(end, "jackpot")
        assert (payment.wagered, payment.returned) == (wager, 100 * wager)


def test_each_hand_of_a_split_wins_the_jackpot_on_the_one_wager() -> None:
    seat = Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s", {"jackpot": 200})
    payments = find_payments(play_round(seat, board=SPADES), "jackpot")
    assert [(payment.stake, payment.wagered, payment.returned) for payment in payments] == [
        ("first hand", 200, 20_000),
        ("second hand", 0, 20_000),
    ]


def test_the_second_hand_of_a_split_wins_although_the_first_does_not() -> None:
    payments = find_payments(play_round(Seat(SPLIT, SPLIT_ANSWER, {"jackpot": 100}), board=SPADES), "jackpot")
    assert [(payment.wagered, payment.returned) for payment in payments] == [(100, 0), (0, 10_000)]


def test_a_wager_is_returned_only_once_if_both_hands_win_odds() -> None:
    # TS/JP 2 leaves every line open, so an operator may pay "to 1".
    amounts = dict.fromkeys(["five-of-a-kind-suited", "royal-flush", "five-of-a-kind", "four-of-a-kind"], "$100")
    setup = make_setup(
        {"jackpot": "TS/JP 2"}, {"jackpot": {**amounts, "straight-flush": "10 to 1", "full-house": "2 to 1"}}
    )
    both_hands = play_round(Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s", {"jackpot": 100}), board=SPADES, setup=setup)
    assert sum(compute_nets(both_hands, "jackpot")) == 2 * 10 * 100
    second_hand_only = play_round(Seat(SPLIT, SPLIT_ANSWER, {"jackpot": 100}), board=SPADES, setup=setup)
    assert sum(compute_nets(second_hand_only, "jackpot")) == 10 * 100


def test_a_table_without_a_full_house_line_takes_the_wager() -> None:
    seat = Seat("7s 7d Qh Jc", "keep 7s 7d", {"jackpot": 100})
    for table, returned in (("TS/JP 3", 300), ("TS/JP 6", 0)):
        (payment,) = find_payments(
            play_round(seat, board="7s 3s 4s 2d 3h", setup=make_setup({"jackpot": table})), "jackpot"
        )
        assert payment.returned == returned


TWO_ROYALS = Seat("Js Ts Js Ts", "split Js Ts | Js Ts", {"jackpot": 100})


def test_a_percentage_is_divided_among_players_and_two_hands_of_one_player_have_one_share() -> None:
    end = play_round(
        TWO_ROYALS,
        Seat("Js Ts 9d 8d", "keep Js Ts", {"jackpot": 200}),
        Seat("Js Ts 9d 8d", "keep Js Ts"),  # no wager, no share
        board=ROYAL_BOARD,
    )
    meter = 10_000_01  # a quarter of it among two players
    payments = [payment for seat in (1, 2, 3) for payment in find_payments(end, "jackpot", seat, {"jackpot": meter})]
    assert [(payment.stake, payment.returned) for payment in payments] == [
        ("first hand", 1_250_00),
        ("second hand", 0),
        ("jackpot", 1_250_00),
    ]
    assert [
        (payment.meter.winners, payment.meter.share, payment.meter.cents) for payment in payments if payment.meter
    ] == [
        (2, Fraction(1, 8), 1_250_00),
        (2, 0, 0),
        (2, Fraction(1, 8), 1_250_00),
    ]
    assert [payment.text for payment in payments] == [
        "royal flush; one share for both hands",
        "royal flush; its share is paid on the first hand",
        "royal flush",
    ]


def test_a_single_winner_with_two_hands_on_one_line_wins_the_percentage_once() -> None:
    for meters, parts in (({"jackpot": 10_000_00}, [2_500_00, 0]), ({}, [None, 0])):
        payments = find_payments(play_round(TWO_ROYALS, board=ROYAL_BOARD), "jackpot", 1, meters)
        assert [payment.meter.cents for payment in payments if payment.meter] == parts
        assert [payment.meter.winners for payment in payments if payment.meter] == [1, 1]


# The bonus features


def make_envy_setup(kind: str = "envy") -> TableSetup:
    return make_setup(features={"shootout-bonus": FeatureSetup(kind, "TS/BF 1", 500)})


WATCHER = Seat("As Ad 3d 4c", "keep As Ad", {"shootout-bonus": 500})
STRAIGHT_FLUSH = Seat("Js Ts 3d 4c", "keep Js Ts")  # without the wager


def test_envy_pays_for_another_players_hand_with_or_without_the_wager() -> None:
    end = play_round(WATCHER, STRAIGHT_FLUSH, board=SPADES, setup=make_envy_setup())
    assert find_prizes(end, "envy") == [50_00]
    (payment,) = (payment for payment in RULES.settle(end).seat_payments(1) if payment.stake == "envy")
    assert payment.text == "seat 2's hand: straight flush, jack high"
    assert payment.event == "straight-flush"
    assert payment.cards == parse_cards("Js Ts 9s 8s 7s")
    assert find_prizes(end, "envy", seat=2) == []


def test_a_feature_requires_a_qualifying_wager_and_a_lammer_marks_it() -> None:
    below = replace(WATCHER, wagers={"shootout-bonus": 400})
    end = play_round(below, STRAIGHT_FLUSH, WATCHER, board=SPADES, setup=make_envy_setup())
    assert find_prizes(end, "envy", seat=1) == []
    assert find_prizes(end, "envy", seat=3) == [50_00]
    assert lammer_spots(end) == ((3, "shootout-bonus"),)


@pytest.mark.parametrize(
    ("bonus", "expected"),
    [
        ("first hand", [50_00, 50_00]),  # the player's own second hand and the hand of seat 2
        ("second hand", [50_00]),  # never for the hand with the wager
        ("match", [50_00, 50_00, 50_00]),
    ],
)
def test_envy_pays_for_the_players_other_hand_but_not_for_the_hand_with_the_wager(
    bonus: str, expected: list[int]
) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    assert find_prizes(play_round(seat, STRAIGHT_FLUSH, board=SPADES, setup=make_envy_setup()), "envy") == expected


@pytest.mark.parametrize(
    ("bonus", "expected"), [("first hand", [50_00] * 2), ("second hand", [50_00] * 2), ("match", [50_00] * 4)]
)
def test_share_the_wealth_pays_for_the_players_own_hands_too(bonus: str, expected: list[int]) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    end = play_round(seat, STRAIGHT_FLUSH, board=SPADES, setup=make_envy_setup("share-the-wealth"))
    assert find_prizes(end, "share the wealth") == expected


@pytest.mark.parametrize("kind", ["envy", "share-the-wealth"])
def test_no_player_wins_a_prize_for_the_dealers_hand(kind: str) -> None:
    end = play_round(WATCHER, dealer="Js Ts 4h 2h", board=SPADES, setup=make_envy_setup(kind))
    assert find_prizes(end, kind.replace("-", " ")) == []


def test_both_hands_of_a_split_count_for_the_other_players() -> None:
    split = Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s")
    assert find_prizes(play_round(split, WATCHER, board=SPADES, setup=make_envy_setup()), "envy", seat=2) == [
        50_00,
        50_00,
    ]


@pytest.mark.parametrize(
    ("hand", "board", "prize"),
    [
        ("7s 7s", "7s 7s 7s 2d 3h", [1_000_00]),
        ("As Ks", "Qs Js Ts 2d 3h", [250_00]),
        ("9s 8s", "Qs Js Ts 2d 3h", [50_00]),
        ("7s 7d", "7s 7s 7s 2d 3h", [10_00]),
        ("7s 7d", "7s 7s 4s 2d 3h", []),
    ],
)
def test_envy_begins_with_five_of_a_kind(hand: str, board: str, prize: list[int]) -> None:
    lucky = Seat(f"{hand} Kd Th", f"keep {hand}")
    watcher = Seat("Kc Kh 5d 4c", "keep 5d 4c", {"shootout-bonus": 500})
    assert find_prizes(play_round(watcher, lucky, board=board, setup=make_envy_setup()), "envy") == prize


RED_BOARD = "Kd Jh 8d 5h 3d"


@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        (Seat("Ah Qd 6c 2s", "keep Ah Qd", {"shootout-bonus": 500}), [30_00]),
        (Seat("Ah Qd 6c 2s", "keep Ah Qd", {"shootout-bonus": 400}), []),
        (Seat("Ah Qd 6c 2s", "keep Ah Qd"), []),
        (Seat("Ah Qd 6c 2s", "keep Ah 6c", {"shootout-bonus": 500}), []),
        (Seat("Ah Qd 6c 2s", "split Ah Qd | 6c 2s", {"shootout-bonus": 500}, "first hand"), [30_00]),
        (Seat("Ah Qd 6c 2s", "split Ah Qd | 6c 2s", {"shootout-bonus": 500}, "second hand"), []),
        (Seat("Ah Qd 6h 2d", "split Ah Qd | 6h 2d", {"shootout-bonus": 500}, "first hand"), [30_00]),
        (Seat("Ah Qd 6h 2d", "split Ah Qd | 6h 2d", {"shootout-bonus": 500}, "match"), [30_00, 30_00]),
    ],
)
def test_color_pays_each_hand_with_a_qualifying_wager_when_its_seven_cards_are_of_one_color(
    seat: Seat, expected: list[int]
) -> None:
    setup = make_setup(features={"shootout-bonus": FeatureSetup("color", "TS/CB 1", 500)})
    assert find_prizes(play_round(seat, board=RED_BOARD, setup=setup), "color") == expected


def test_seven_black_cards_are_one_color_too() -> None:
    setup = make_setup(features={"shootout-bonus": FeatureSetup("color", "TS/CB 3", 500)})
    seat = Seat("As Qc 6d 2h", "keep As Qc", {"shootout-bonus": 500})
    end = play_round(seat, board="Kc Js 8c 5s 3c", setup=setup)
    (payment,) = (payment for payment in RULES.settle(end).payments if payment.stake == "color")
    assert (payment.returned, payment.text, len(payment.cards)) == (20_00, "seat 1's hand: seven black cards", 7)


def make_frenzy_setup() -> TableSetup:
    feature = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 200, {"five-aces": "$2,000"})
    return make_setup(features={"jackpot": feature})


@pytest.mark.parametrize(
    ("hand", "answer", "board", "expected"),
    [
        ("Ah Ah 5d 4c", "keep Ah Ah", "As Ad Ac Kh 9c", [2_000_00]),
        ("As As 5d 4c", "keep As As", "As As As Kh 9c", [2_000_00]),  # suited
        ("Ah Ah Ac Ac", "split Ah Ah | Ac Ac", "As Ad Ac Kh 9c", [2_000_00, 2_000_00]),
        ("Ah Ac 5d 4c", "keep Ah 5d", "As Ad Ac Kh 9c", []),  # four aces
        ("Kd Kc 5d 4c", "keep Kd Kc", "Ks Ks Kh Ah 9c", []),  # five kings
    ],
)
def test_five_ace_frenzy_pays_five_aces_of_any_suits(hand: str, answer: str, board: str, expected: list[int]) -> None:
    seat = Seat(hand, answer, {"jackpot": 200})
    assert find_prizes(play_round(seat, board=board, setup=make_frenzy_setup()), "five ace frenzy") == expected


def test_a_one_dollar_jackpot_wager_does_not_qualify_for_the_feature() -> None:
    end = play_round(
        Seat("Ah Ah 5d 4c", "keep Ah Ah", {"jackpot": 100}), board="As Ad Ac Kh 9c", setup=make_frenzy_setup()
    )
    assert find_prizes(end, "five ace frenzy") == []
    assert compute_nets(end, "jackpot") == [50 * 100 - 100]


def test_each_hand_of_a_split_has_the_envy_of_the_jackpot() -> None:
    feature = FeatureSetup("envy", "TS/BF 3", 200, {"five-of-a-kind-suited": "$500", "royal-flush": "$100"})
    seat = Seat("Js Ts 9d 8d", "split Js Ts | 9d 8d", {"jackpot": 200})
    other = Seat("Js Ts 9d 8d", "keep Js Ts")
    end = play_round(seat, other, board=ROYAL_BOARD, setup=make_setup(features={"jackpot": feature}))
    # The first hand wins for seat 2's hand; the second hand wins for the first hand and for seat 2's hand.
    assert find_prizes(end, "envy") == [100_00, 100_00, 100_00]
    assert [payment.text for payment in find_payments(end, "jackpot") if payment.stake == "envy"] == [
        "seat 2's hand: royal flush, for the wager on the first hand",
        "seat 1's first hand: royal flush, for the wager on the second hand",
        "seat 2's hand: royal flush, for the wager on the second hand",
    ]


def test_envy_or_share_the_wealth_is_on_one_wager_of_the_table_only() -> None:
    amounts = {"five-of-a-kind-suited": "$500", "royal-flush": "$100"}
    features = {
        "shootout-bonus": FeatureSetup("envy", "TS/BF 1", 500),
        "jackpot": FeatureSetup("share-the-wealth", "TS/BF 3", 200, amounts),
    }
    with pytest.raises(BadSetup):
        RULES.open(make_setup(features=features))
    features["jackpot"] = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 200, {"five-aces": "$2,000"})
    assert RULES.open(make_setup(features=features)).offers["jackpot"].feature is not None


@pytest.mark.parametrize(
    ("slug", "kind", "table", "bonuses", "least"),
    [
        ("jackpot", "five-ace-frenzy", "TS/FAF 1", {"five-aces": "$2,000"}, 200),
        ("jackpot", "envy", "TS/BF 3", {"five-of-a-kind-suited": "$500", "royal-flush": "$100"}, 200),
        ("shootout-bonus", "color", "TS/CB 1", {}, 500),
        ("shootout-bonus", "share-the-wealth", "TS/BF 1", {}, 500),
    ],
)
def test_the_qualifying_wager_is_at_least_the_amount_on_the_sheet(
    slug: str, kind: str, table: str, bonuses: dict[str, str], least: int
) -> None:
    for amount in (0, 100, least - 100):
        with pytest.raises(BadSetup) as refused:
            RULES.open(make_setup(features={slug: FeatureSetup(kind, table, amount, bonuses)}))
        (fault,) = refused.value.faults
        assert (fault.section, fault.rule) == (slug, "TS-6")
        assert fault.sentence.startswith(f"A wager of ${least // 100} or more qualifies for the feature")
    feature = RULES.open(make_setup(features={slug: FeatureSetup(kind, table, least, bonuses)})).offers[slug].feature
    assert feature is not None
    assert feature.qualifying == least


def test_the_qualifying_wager_may_be_higher_up_to_the_maximum_of_the_spot() -> None:
    for amount in (25_00, 100_00):
        assert RULES.open(make_setup(features={"shootout-bonus": FeatureSetup("color", "TS/CB 1", amount)}))
    for slug, feature in (
        ("shootout-bonus", FeatureSetup("color", "TS/CB 1", 101_00)),
        ("jackpot", FeatureSetup("five-ace-frenzy", "TS/FAF 1", 300, {"five-aces": "$2,000"})),
    ):
        with pytest.raises(BadSetup) as refused:
            RULES.open(make_setup(features={slug: feature}))
        assert [fault.rule for fault in refused.value.faults] == ["TS-6"]


@pytest.mark.parametrize(
    ("slug", "kind", "table"),
    [
        ("jackpot", "color", "TS/CB 1"),
        ("shootout-bonus", "five-ace-frenzy", "TS/FAF 1"),
        ("quick-draw", "envy", "TS/BF 1"),
    ],
)
def test_a_feature_on_another_wager_is_refused(slug: str, kind: str, table: str) -> None:
    with pytest.raises(BadSetup):
        RULES.open(make_setup(features={slug: FeatureSetup(kind, table, 100)}))
