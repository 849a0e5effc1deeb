"""Three Card Prime, rule by rule (sheet 001)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardroom.cards import parse_card
from cardroom.games import (
    BadBet,
    BadSetup,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Payment,
    Pile,
    Place,
    Round,
    Verb,
    default_setup,
    game,
    round_from_json,
    view,
)
from cardroom.games.setup import WagerLimits, WagerSetup, setup_to_json
from cardroom.games.view import can_see
from cardroom.paytables import Loss, Push

RULES = game("three-card-prime")
JUNK = "9h 6d 3c"
QUEEN_HIGH_DEALER = "Qc Th 5h"


def play_round(
    hand: str,
    *,
    dealer: str = QUEEN_HIGH_DEALER,
    fourth: str = "Kc",
    wagers: dict[str, int] | None = None,
    answer: str = "play",
    tables: dict[str, str] | None = None,
) -> Round:
    """Return a finished round of one seat."""
    setup = default_setup("three-card-prime")
    for slug, name in (tables or {}).items():
        setup = replace(setup, wagers={**setup.wagers, slug: replace(setup.wagers[slug], paytable=name)})
    record: dict[str, Any] = {
        "table": setup_to_json(setup),
        "wagers": {"1": wagers or {"ante-play": 1000}},
        "cards": {
            "seat 1 hand": hand.split(),
            "seat 1 fourth": [fourth],
            "burn": ["2d"] if "2d" not in f"{hand} {dealer} {fourth}" else ["2s"],
            "dealer": dealer.split(),
        },
        "decisions": [{"seat": 1, "question": "play", "answer": answer}],
    }
    return round_from_json(record)


def find_payment(round_: Round, stake: str, meters: dict[str, int] | None = None) -> Payment:
    (payment,) = (payment for payment in RULES.settle(round_, meters).payments if payment.stake == stake)
    return payment


def settle_bonus(spot: str, hand: str, **more: Any) -> Payment:
    amount = 100 if spot in ("final-four", "all-seven") else 500
    return find_payment(play_round(hand, wagers={"ante-play": 1000, spot: amount}, **more), spot, {spot: 10_000_00})


# Rules 3 to 5: Ante and Play


def test_an_unqualified_dealer_pushes_the_ante_and_pays_play_by_win_or_copy() -> None:
    round_ = play_round("9s 8s 7s", dealer="Jc 8d 4h")
    assert find_payment(round_, "ante").pay == Push()
    assert find_payment(round_, "play").returned == 1000 + 6 * 1000


def test_play_wins_against_an_unqualified_dealer_even_with_the_lower_hand() -> None:
    round_ = play_round("9s 6d 3c", dealer="Jc 8d 4h")
    assert (find_payment(round_, "ante").returned, find_payment(round_, "play").returned) == (1000, 2000)


def test_the_lowest_queen_high_qualifies_and_the_highest_jack_high_does_not() -> None:
    assert find_payment(play_round(JUNK, dealer="Qc 3d 2h"), "ante").pay == Loss()
    assert find_payment(play_round(JUNK, dealer="Jc Td 8h"), "ante").pay == Push()


def test_equal_hands_win_for_the_player() -> None:
    round_ = play_round("Qs 8c 4d", dealer="Qc 8d 4h")
    assert find_payment(round_, "ante").net == 1000
    assert find_payment(round_, "play").net == 1000


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("As Ks Qs", 10),
        ("9s 8s 7s", 6),
        ("7s 7d 7c", 5),
        ("9s 8d 7c", 2),
        ("As 9s 3s", 1),
        ("As Ad 3s", 1),
        ("As 9d 3s", 1),
    ],
)
def test_a_winning_play_wager_is_paid_by_its_hand(hand: str, odds: int) -> None:
    round_ = play_round(hand)
    assert find_payment(round_, "play").net == odds * 1000
    assert find_payment(round_, "ante").net == 1000


@pytest.mark.parametrize(("table", "odds"), [("PW/BB 1", 4), ("PW/BB 2", 4), ("PW/BB 3", 2), ("PW/BB 4", 2)])
def test_a_losing_straight_wins_the_bad_beat_and_loses_its_ante(table: str, odds: int) -> None:
    round_ = play_round("9s 8d 7c", dealer="Ts 9c 8h", tables={"ante-play": table})
    assert find_payment(round_, "play").net == odds * 1000
    assert find_payment(round_, "ante").net == -1000


@pytest.mark.parametrize("table", ["PW/BB 1", "PW/BB 2", "PW/BB 3", "PW/BB 4"])
@pytest.mark.parametrize("hand", ["As 9s 3s", "As Ad 3s", "As 9d 3s"])
def test_a_losing_flush_or_lower_never_gets_the_bad_beat(table: str, hand: str) -> None:
    round_ = play_round(hand, dealer="Ks Qd Jh", tables={"ante-play": table})
    assert find_payment(round_, "play").pay == Loss()


def test_a_fold_loses_the_ante_and_makes_no_play_wager() -> None:
    settlement = RULES.settle(play_round(JUNK, answer="fold"))
    assert [(payment.stake, payment.net) for payment in settlement.payments] == [("ante", -1000)]


# The bonus wagers


def test_prime_pays_one_color_and_pays_more_if_the_dealer_has_that_color_too() -> None:
    assert settle_bonus("prime", "Ah 9d 3h").net == 3 * 500
    assert settle_bonus("prime", "Ah 9d 3h", dealer="Qd 8h 4d").net == 4 * 500
    assert settle_bonus("prime", "Ah 9d 3h", dealer="Qs 8c 4s").net == 3 * 500
    assert settle_bonus("prime", "Ah 9s 3h", dealer="Qd 8h 4d").net == -500


def test_a_deuce_as_the_fourth_card_pays_the_better_pair_bonus_column() -> None:
    options = {"tables": {"pair-bonus": "PB 1+PB/LD 3"}}
    assert settle_bonus("pair-bonus", "9s 8s 7s", **options).net == 40 * 500
    assert settle_bonus("pair-bonus", "9s 8s 7s", fourth="2c", **options).net == 50 * 500
    assert settle_bonus("pair-bonus", "As Ad 3s", **options).net == 500
    assert settle_bonus("pair-bonus", "As Ad 3s", fourth="2c", **options).net == 2 * 500
    assert settle_bonus("pair-bonus", "As 9d 3s", fourth="2c", **options).net == -500


def test_the_deuce_counts_only_as_the_fourth_card_and_never_as_part_of_the_hand() -> None:
    assert settle_bonus("pair-bonus", "As 2d 3s", fourth="2c").event == "straight-with-deuce"
    assert settle_bonus("pair-bonus", "As 5d 2s", fourth="2c").event == "high-card-with-deuce"


@pytest.mark.parametrize(
    ("hand", "dealer", "event"),
    [
        ("9d Td Jd", "Qd Kd Ad", "six-card-royal-diamonds"),
        ("9s Ts Js", "Qs Ks As", "six-card-royal"),
        ("8d Td Jd", "Qd Kd Ad", "five-card-royal"),
        ("4s 5s 6s", "7s 8s 9s", "five-card-straight-flush"),
        ("As 2s 3s", "4s 5s Kd", "five-card-straight-flush"),
        ("7s 7d 7c", "7h Ks Kd", "four-of-a-kind"),
        ("7s 7d 7c", "Kh Ks Kd", "full-house"),
        ("As 9s 3s", "Ks 4s 8d", "flush"),
        ("As 2d 3c", "4h 5s Kd", "straight"),
        ("7s 7d 7c", "Qh Ks 3d", "three-of-a-kind"),
        ("7s 7d Kc", "Kh Qs Qd", "two-pair-or-less"),
    ],
)
def test_all_six_counts_the_best_five_cards_of_both_hands(hand: str, dealer: str, event: str) -> None:
    assert settle_bonus("all-six", hand, dealer=dealer, fourth="2h").event == event


@pytest.mark.parametrize(
    ("hand", "fourth", "event"),
    [
        ("Qd Kd Ad", "Jd", "four-card-diamond-royal"),
        ("Js Qs Ks", "As", "four-card-royal"),
        ("Js Qs As", "Ks", "below-straight"),  # the first three are only a flush (TP-5)
        ("As 2s 3s", "4s", "four-card-straight-flush"),
        ("7s 7d 7c", "7h", "four-of-a-kind"),
        ("Qs Ks As", "4d", "initial-straight-flush"),
        ("9s 8s 7s", "Td", "initial-straight-flush"),  # the fourth only extends the straight (TP-5)
        ("Qs Ks As", "2s", "initial-straight-flush"),  # never around the corner
        ("7s 7d 7c", "Kh", "three-of-a-kind"),
        ("9s 8d 7c", "6h", "four-card-straight"),
        ("9s 8d 7c", "9h", "initial-straight"),
        ("As 9s 3s", "Ks", "below-straight"),
    ],
)
def test_final_four_requires_a_straight_or_better_in_the_first_three_cards(hand: str, fourth: str, event: str) -> None:
    assert settle_bonus("final-four", hand, fourth=fourth).event == event


@pytest.mark.parametrize(
    ("hand", "fourth", "dealer", "event"),
    [
        ("As 2s 3s", "4s", "5s 6s 7s", "seven-card-straight-flush"),
        ("8s 9s Ts", "Js", "Qs Ks As", "seven-card-straight-flush"),
        ("7s 9s Ts", "Js", "Qs Ks As", "royal-flush"),
        ("2s 9s Ts", "Js", "Qs Ks 4d", "straight-flush"),
        ("7s 7d 7c", "7h", "Ks Kd Kc", "four-of-a-kind"),
        ("7s 7d 7c", "8h", "Ks Kd Kc", "full-house"),
        ("As 9s 3s", "Ks", "4s 8d 8c", "flush"),
        ("As 2d 3c", "4h", "5s Kd Kc", "straight-or-less"),
    ],
)
def test_all_seven_requires_no_start_and_counts_all_seven_cards(
    hand: str, fourth: str, dealer: str, event: str
) -> None:
    assert settle_bonus("all-seven", hand, fourth=fourth, dealer=dealer).event == event


def test_jackpot_prizes_are_for_one_and_percentages_are_paid_from_the_meter() -> None:
    royal = settle_bonus("final-four", "Js Qs Ks", fourth="As")
    assert royal.returned == 1_000_00
    assert royal.meter is not None
    assert royal.meter.share.as_integer_ratio() == (1, 10)
    assert settle_bonus("final-four", "9s 8d 7c", fourth="9h").returned == 6_00


def test_folding_keeps_every_bonus_wager_in_action() -> None:
    assert settle_bonus("pair-bonus", "As Ad 3s", answer="fold", fourth="2c").net == 500
    assert settle_bonus("all-six", "7s 7d 7c", answer="fold").event == "three-of-a-kind"


# Wagers


def test_a_player_may_use_four_spots_and_not_five() -> None:
    table = RULES.open(default_setup("three-card-prime"))
    four = {"ante-play": 1000, "prime": 500, "pair-bonus": 500, "all-six": 500}
    RULES.begin(table, {1: four})
    with pytest.raises(BadBet):
        RULES.begin(table, {1: {**four, "final-four": 100}})


def test_a_player_must_make_the_ante_wager() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(default_setup("three-card-prime")), {1: {"prime": 500}})


def test_a_jackpot_wager_is_one_dollar_only() -> None:
    setup = default_setup("three-card-prime")
    two = WagerSetup(WagerLimits(200, 200, 200), "F4P-1")
    with pytest.raises(BadSetup, match=r"\$1"):
        RULES.open(replace(setup, wagers={**setup.wagers, "final-four": two}))


# What each viewer sees


def test_no_player_may_see_the_fourth_card_before_the_reveal() -> None:
    from cardroom_conformance.sample_rounds import positions

    for position in positions("three-card-prime", 3):
        for seat in position.seats:
            place = Place(Pile.FOURTH, seat)
            if place in position.piles and not position.is_terminal:
                assert not any(can_see(position, place, viewer) for viewer in (*position.seats, Onlooker.DEALER))


def test_a_folded_hand_is_shown_only_for_the_bonus_wagers_on_it() -> None:
    without_bonus = play_round(JUNK, answer="fold")
    assert view(without_bonus, Onlooker.DISPLAY).piles[Place(Pile.HAND, 1)] == (None, None, None)
    with_bonus = play_round(JUNK, answer="fold", wagers={"ante-play": 1000, "prime": 500})
    assert view(with_bonus, Onlooker.DISPLAY).piles[Place(Pile.HAND, 1)] == tuple(map(parse_card, JUNK.split()))


def test_a_player_who_folded_has_no_further_decision() -> None:
    with pytest.raises(IllegalAction):
        play_round(JUNK, answer="fold").apply(Decide(1, Decision(Verb.PLAY)))
