"""Shootout Bonus, Jackpot and their features, rule by rule (sheet 002, Appendices B and C)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from cardroom.cards import parse_cards
from cardroom.games import BadSetup, FeatureSetup, TableSetup
from cardroom.games.texas_shootout.side_wagers import lammer_spots
from cardroom.paytables import Push
from tests.games.shootout_rounds import RULES, Seat, net, paid, played, prizes, setup_with

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
        (payment,) = paid(played(seat, board=board, setup=setup_with({"shootout-bonus": table})), "shootout-bonus")
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
def test_after_a_split_the_bonus_rides_on_the_chosen_hand_or_on_both(bonus: str, expected: list[Any]) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    payments = paid(played(seat, board=SPADES), "shootout-bonus")
    assert [(one.stake, one.net) for one in payments] == expected
    assert all(one.wagered == 500 for one in payments)


@pytest.mark.parametrize(("bonus", "net_of_it"), [("first hand", -500), ("second hand", 3500)])
def test_first_and_second_hand_are_those_that_the_player_named_so(bonus: str, net_of_it: int) -> None:
    seat = Seat("8h 7c 8s 6c", "split 7c 6c | 8h 8s", {"shootout-bonus": 500}, bonus)
    setup = setup_with({"shootout-bonus": "TS/SB 4"})
    (payment,) = paid(played(seat, board="8d 8c Kd 2s 3h", setup=setup), "shootout-bonus")
    assert (payment.stake, payment.net) == (bonus, net_of_it)  # quads of eights pay 7 to 1


def test_the_dealers_hand_takes_nothing_from_the_bonus() -> None:
    seat = Seat("8s 4d 6d 5c", "keep 8s 4d", {"shootout-bonus": 500})
    end = played(seat, dealer="As Ks 3d 2h", board="Qs Js Ts 9s 2d")
    assert net(end, "shootout") == [-1000]
    assert net(end, "shootout-bonus") == [500 * 100]


# Jackpot

ROYAL_BOARD = "As Ks Qs 4d 3c"


def test_jackpot_prizes_are_for_one_and_grow_with_the_wager() -> None:
    for wager in (100, 200):
        end = played(Seat("Js Ts 9s 8d", "keep Js Ts", {"jackpot": wager}), board="9s 8s 7s 2d 2c")
        (payment,) = paid(end, "jackpot")
        assert (payment.wagered, payment.returned) == (wager, 100 * wager)


def test_each_hand_of_a_split_wins_the_jackpot_on_the_one_wager() -> None:
    seat = Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s", {"jackpot": 200})
    payments = paid(played(seat, board=SPADES), "jackpot")
    assert [(one.stake, one.wagered, one.returned) for one in payments] == [
        ("first hand", 200, 20_000),
        ("second hand", 0, 20_000),
    ]


def test_the_second_hand_of_a_split_wins_although_the_first_does_not() -> None:
    payments = paid(played(Seat(SPLIT, SPLIT_ANSWER, {"jackpot": 100}), board=SPADES), "jackpot")
    assert [(one.wagered, one.returned) for one in payments] == [(100, 0), (0, 10_000)]


def test_a_wager_that_an_operators_odds_give_back_goes_back_once() -> None:
    # TS/JP 2 leaves every line open, so an operator may pay "to 1".
    amounts = dict.fromkeys(["five-of-a-kind-suited", "royal-flush", "five-of-a-kind", "four-of-a-kind"], "$100")
    setup = setup_with(
        {"jackpot": "TS/JP 2"}, {"jackpot": {**amounts, "straight-flush": "10 to 1", "full-house": "2 to 1"}}
    )
    both = played(Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s", {"jackpot": 100}), board=SPADES, setup=setup)
    assert sum(net(both, "jackpot")) == 2 * 10 * 100
    one = played(Seat(SPLIT, SPLIT_ANSWER, {"jackpot": 100}), board=SPADES, setup=setup)
    assert sum(net(one, "jackpot")) == 10 * 100


def test_a_table_without_a_full_house_line_takes_the_wager() -> None:
    seat = Seat("7s 7d Qh Jc", "keep 7s 7d", {"jackpot": 100})
    for table, back in (("TS/JP 3", 300), ("TS/JP 6", 0)):
        (payment,) = paid(played(seat, board="7s 3s 4s 2d 3h", setup=setup_with({"jackpot": table})), "jackpot")
        assert payment.returned == back


TWO_ROYALS = Seat("Js Ts Js Ts", "split Js Ts | Js Ts", {"jackpot": 100})


def test_a_percentage_is_divided_among_players_and_two_hands_of_one_have_one_share() -> None:
    end = played(
        TWO_ROYALS,
        Seat("Js Ts 9d 8d", "keep Js Ts", {"jackpot": 200}),
        Seat("Js Ts 9d 8d", "keep Js Ts"),  # no wager, no share
        board=ROYAL_BOARD,
    )
    meter = 10_000_01  # a quarter of it among two players
    payments = [one for seat in (1, 2, 3) for one in paid(end, "jackpot", seat, {"jackpot": meter})]
    assert [(one.stake, one.returned) for one in payments] == [
        ("first hand", 1_250_00),
        ("second hand", 0),
        ("jackpot", 1_250_00),
    ]
    assert [(one.meter.winners, one.meter.share, one.meter.cents) for one in payments if one.meter] == [
        (2, Fraction(1, 8), 1_250_00),
        (2, 0, 0),
        (2, Fraction(1, 8), 1_250_00),
    ]
    assert [one.text for one in payments] == [
        "royal flush; one share for both hands",
        "royal flush; its share is paid on the first hand",
        "royal flush",
    ]


def test_a_player_alone_with_two_hands_on_one_line_has_all_of_it_once() -> None:
    for meters, parts in (({"jackpot": 10_000_00}, [2_500_00, 0]), ({}, [None, 0])):
        payments = paid(played(TWO_ROYALS, board=ROYAL_BOARD), "jackpot", 1, meters)
        assert [one.meter.cents for one in payments if one.meter] == parts
        assert [one.meter.winners for one in payments if one.meter] == [1, 1]


# The bonus features


def envy(kind: str = "envy") -> TableSetup:
    return setup_with(features={"shootout-bonus": FeatureSetup(kind, "TS/BF 1", 500)})


WATCHER = Seat("As Ad 3d 4c", "keep As Ad", {"shootout-bonus": 500})
STRAIGHT_FLUSH = Seat("Js Ts 3d 4c", "keep Js Ts")  # without the wager


def test_envy_pays_for_another_players_hand_with_or_without_the_wager() -> None:
    end = played(WATCHER, STRAIGHT_FLUSH, board=SPADES, setup=envy())
    assert prizes(end, "envy") == [50_00]
    (payment,) = (one for one in RULES.settle(end).seat_payments(1) if one.stake == "envy")
    assert payment.text == "seat 2's hand: straight flush, jack high"
    assert payment.event == "straight-flush"
    assert payment.cards == parse_cards("Js Ts 9s 8s 7s")
    assert prizes(end, "envy", seat=2) == []


def test_a_qualifying_wager_is_needed_for_a_feature_and_the_lammer_records_it() -> None:
    below = replace(WATCHER, wagers={"shootout-bonus": 400})
    end = played(below, STRAIGHT_FLUSH, WATCHER, board=SPADES, setup=envy())
    assert prizes(end, "envy", seat=1) == []
    assert prizes(end, "envy", seat=3) == [50_00]
    assert lammer_spots(end) == ((3, "shootout-bonus"),)


@pytest.mark.parametrize(
    ("bonus", "expected"),
    [
        ("first hand", [50_00, 50_00]),  # the player's own second hand and seat 2's
        ("second hand", [50_00]),  # never for the hand that the wager rides on
        ("match", [50_00, 50_00, 50_00]),
    ],
)
def test_envy_never_pays_for_the_hand_with_the_wager_but_for_the_other_one(bonus: str, expected: list[int]) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    assert prizes(played(seat, STRAIGHT_FLUSH, board=SPADES, setup=envy()), "envy") == expected


@pytest.mark.parametrize(
    ("bonus", "expected"), [("first hand", [50_00] * 2), ("second hand", [50_00] * 2), ("match", [50_00] * 4)]
)
def test_share_the_wealth_pays_for_the_own_hand_too(bonus: str, expected: list[int]) -> None:
    seat = Seat(SPLIT, SPLIT_ANSWER, {"shootout-bonus": 500}, bonus)
    end = played(seat, STRAIGHT_FLUSH, board=SPADES, setup=envy("share-the-wealth"))
    assert prizes(end, "share the wealth") == expected


@pytest.mark.parametrize("kind", ["envy", "share-the-wealth"])
def test_the_dealers_hand_wins_no_user_a_prize(kind: str) -> None:
    end = played(WATCHER, dealer="Js Ts 4h 2h", board=SPADES, setup=envy(kind))
    assert prizes(end, kind.replace("-", " ")) == []


def test_both_hands_of_a_split_count_for_the_other_players() -> None:
    split = Seat("Js Ts 6s 5s", "split Js Ts | 6s 5s")
    assert prizes(played(split, WATCHER, board=SPADES, setup=envy()), "envy", seat=2) == [50_00, 50_00]


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
    assert prizes(played(watcher, lucky, board=board, setup=envy()), "envy") == prize


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
    setup = setup_with(features={"shootout-bonus": FeatureSetup("color", "TS/CB 1", 500)})
    assert prizes(played(seat, board=RED_BOARD, setup=setup), "color") == expected


def test_seven_black_cards_are_one_color_too() -> None:
    setup = setup_with(features={"shootout-bonus": FeatureSetup("color", "TS/CB 3", 500)})
    seat = Seat("As Qc 6d 2h", "keep As Qc", {"shootout-bonus": 500})
    end = played(seat, board="Kc Js 8c 5s 3c", setup=setup)
    (payment,) = (one for one in RULES.settle(end).payments if one.stake == "color")
    assert (payment.returned, payment.text, len(payment.cards)) == (20_00, "seat 1's hand: seven black cards", 7)


def frenzy() -> TableSetup:
    feature = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 200, {"five-aces": "$2,000"})
    return setup_with(features={"jackpot": feature})


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
    assert prizes(played(seat, board=board, setup=frenzy()), "five ace frenzy") == expected


def test_a_one_dollar_jackpot_wager_does_not_qualify_for_the_feature() -> None:
    end = played(Seat("Ah Ah 5d 4c", "keep Ah Ah", {"jackpot": 100}), board="As Ad Ac Kh 9c", setup=frenzy())
    assert prizes(end, "five ace frenzy") == []
    assert net(end, "jackpot") == [50 * 100 - 100]


def test_each_hand_of_a_split_carries_the_jackpots_envy() -> None:
    feature = FeatureSetup("envy", "TS/BF 3", 200, {"five-of-a-kind-suited": "$500", "royal-flush": "$100"})
    seat = Seat("Js Ts 9d 8d", "split Js Ts | 9d 8d", {"jackpot": 200})
    other = Seat("Js Ts 9d 8d", "keep Js Ts")
    end = played(seat, other, board=ROYAL_BOARD, setup=setup_with(features={"jackpot": feature}))
    # The first hand envies seat 2's; the second envies the first hand's royal and seat 2's.
    assert prizes(end, "envy") == [100_00, 100_00, 100_00]
    assert [one.text for one in paid(end, "jackpot") if one.stake == "envy"] == [
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
        RULES.open(setup_with(features=features))
    features["jackpot"] = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 200, {"five-aces": "$2,000"})
    assert RULES.open(setup_with(features=features)).offers["jackpot"].feature is not None


@pytest.mark.parametrize(
    ("slug", "kind", "table", "bonuses", "least"),
    [
        ("jackpot", "five-ace-frenzy", "TS/FAF 1", {"five-aces": "$2,000"}, 200),
        ("jackpot", "envy", "TS/BF 3", {"five-of-a-kind-suited": "$500", "royal-flush": "$100"}, 200),
        ("shootout-bonus", "color", "TS/CB 1", {}, 500),
        ("shootout-bonus", "share-the-wealth", "TS/BF 1", {}, 500),
    ],
)
def test_a_feature_never_qualifies_for_less_than_the_sheet_asks(
    slug: str, kind: str, table: str, bonuses: dict[str, str], least: int
) -> None:
    for amount in (0, 100, least - 100):
        with pytest.raises(BadSetup) as refused:
            RULES.open(setup_with(features={slug: FeatureSetup(kind, table, amount, bonuses)}))
        (fault,) = refused.value.faults
        assert (fault.section, fault.rule) == (slug, "TS-6")
        assert fault.sentence.startswith(f"A wager of ${least // 100} or more qualifies for the feature")
    feature = RULES.open(setup_with(features={slug: FeatureSetup(kind, table, least, bonuses)})).offers[slug].feature
    assert feature is not None
    assert feature.qualifying == least


def test_the_operator_may_ask_for_more_than_five_dollars_but_not_for_more_than_the_spot_takes() -> None:
    for amount in (25_00, 100_00):
        assert RULES.open(setup_with(features={"shootout-bonus": FeatureSetup("color", "TS/CB 1", amount)}))
    for slug, feature in (
        ("shootout-bonus", FeatureSetup("color", "TS/CB 1", 101_00)),
        ("jackpot", FeatureSetup("five-ace-frenzy", "TS/FAF 1", 300, {"five-aces": "$2,000"})),
    ):
        with pytest.raises(BadSetup) as refused:
            RULES.open(setup_with(features={slug: feature}))
        assert [fault.rule for fault in refused.value.faults] == ["TS-6"]


@pytest.mark.parametrize(
    ("slug", "kind", "table"),
    [
        ("jackpot", "color", "TS/CB 1"),
        ("shootout-bonus", "five-ace-frenzy", "TS/FAF 1"),
        ("quick-draw", "envy", "TS/BF 1"),
    ],
)
def test_a_feature_belongs_to_its_wager(slug: str, kind: str, table: str) -> None:
    with pytest.raises(BadSetup):
        RULES.open(setup_with(features={slug: FeatureSetup(kind, table, 100)}))
