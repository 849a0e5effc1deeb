"""3 Card Double Play Poker, rule by rule (sheet 004); ``test_double_play_bonuses.py`` covers its bonus wagers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from cardroom.cards import Card, format_cards, parse_cards
from cardroom.games import (
    BadBet,
    BadSetup,
    ChanceTurn,
    Deal,
    DealerStep,
    DealerTurn,
    Decide,
    Decision,
    IllegalAction,
    Onlooker,
    Pile,
    Place,
    Round,
    RoundEnd,
    SeatTurn,
    TakeStep,
    Verb,
    WagerSetup,
    default_setup,
    dump_round,
    load_round,
    view,
)
from cardroom.games.setup import WagerLimits
from cardroom.games.three_card_double_play.divisions import suggest_setting
from cardroom.games.view import can_see
from cardroom.hands import THREE_CARD
from cardroom.paytables import Paytable, compute_return, paytables
from tests.games.double_play import (
    DECK,
    JACKPOTS,
    RULES,
    SLUG,
    begin_round,
    compute_nets,
    deal_round,
    find_payment,
    override_paytable,
    play_round,
)
from tests.hands import reference
from tests.hands.dealing import SOME, hands_of

# Rule 1: two equal wagers


def test_the_amount_on_the_spot_is_wagered_on_each_of_the_two_hands() -> None:
    settlement = RULES.settle(play_round("Ac Ad 9h 9s 4c 2d"))
    assert [(payment.stake, payment.wagered) for payment in settlement.payments] == [("high", 1000), ("low", 1000)]
    assert settlement.wagered == 2000


def test_every_player_must_make_the_main_wager() -> None:
    with pytest.raises(BadBet):
        begin_round({1: {"pick-3": 500}})


# Rule 2: the deal


def test_cards_are_dealt_one_at_a_time_in_rotation_and_the_dealer_gets_five() -> None:
    round_, places = begin_round({2: {"high-low": 1000}, 5: {"high-low": 1000}}), []
    for card in DECK:
        if not isinstance(round_.turn, ChanceTurn):
            break
        places.append(str(round_.turn.place))
        round_ = round_.apply(Deal(card))
    assert places == ["seat 2 hand", "seat 5 hand", "dealer"] * 5 + ["seat 2 hand", "seat 5 hand"]


def test_jackpot_wagers_are_tabulated_before_the_deal() -> None:
    round_ = begin_round({1: {"high-low": 1000, "super-six": 100}})
    assert round_.turn == DealerTurn(DealerStep.TABULATE)
    assert isinstance(round_.apply(TakeStep(DealerStep.TABULATE)).turn, ChanceTurn)


def test_one_deck_serves_seven_seats() -> None:
    assert RULES.open(default_setup(SLUG, seats=7)).seats == 7
    with pytest.raises(BadSetup):
        RULES.open(replace(default_setup(SLUG, seats=8), tabulator="andromeda-3d"))


@pytest.mark.parametrize("model", ["milky-way", "andromeda-3c", "andromeda-3d"])
def test_the_approved_tabulators_are_accepted(model: str) -> None:
    assert RULES.open(replace(default_setup(SLUG), tabulator=model))


def test_andromeda_1_is_not_approved_for_this_game() -> None:
    with pytest.raises(BadSetup):
        RULES.open(replace(default_setup(SLUG), tabulator="andromeda-1"))


# Rule 3: setting the hands


def make_round_before_setting(six: str) -> Round:
    first = parse_cards(six)
    others = [card for card in DECK if card not in first]
    order = [card for mine, dealers in zip(first[:5], others, strict=False) for card in (mine, dealers)]
    return deal_round(begin_round(), format_cards([*order, first[5]]))


def test_a_player_may_set_the_six_cards_in_ten_ways() -> None:
    turn = make_round_before_setting("Ac Ad 9h 9s 4c 2d").turn
    assert isinstance(turn, SeatTurn)
    assert turn.question == "set"
    assert len(set(turn.options)) == 10
    assert {option.verb for option in turn.options} == {Verb.SET}


def test_setting_the_lower_hand_in_the_high_box_is_refused() -> None:
    round_ = make_round_before_setting("Ac Ad 9h 9s 4c 2d")
    lower_hand_high = Decide(1, Decision.parse("set 9s 9h 4c | Ad Ac 2d"))
    higher_hand_high = Decide(1, Decision.parse("set Ad Ac 2d | 9s 9h 4c"))
    with pytest.raises(IllegalAction):
        round_.apply(lower_hand_high)
    with pytest.raises(IllegalAction):
        round_.apply(Decide(1, Decision.parse("set 9s 9h 4c | Ad Ac 3d")))
    assert round_.can(higher_hand_high)


@pytest.mark.parametrize("way", ["set Ks 7h 2d | Kh 7d 2c", "set Kh 7d 2c | Ks 7h 2d"])
def test_two_equal_hands_may_be_in_either_box_and_stay_as_set(way: str) -> None:
    round_ = make_round_before_setting("Kh 7d 2c Ks 7h 2d")
    decision = Decide(1, Decision.parse(way))
    assert isinstance(round_.turn, SeatTurn)
    assert len(round_.turn.options) == 10
    assert round_.can(decision)
    assert round_.why_not(decision) is None
    after_setting = round_.apply(decision)
    assert after_setting.decision(1, "set") == Decision.parse(way)
    assert load_round(dump_round(after_setting)).decision(1, "set") == Decision.parse(way)
    high, low = (payment for payment in RULES.settle(play_round("Kh 7d 2c Ks 7h 2d", way=way)).payments)
    assert (high.net, low.net) == (-1000, -1000)


@pytest.mark.parametrize("way", ["set Ks 7h 2d | Kh 7d 2c", "set Kh 7d 2c | Ks 7h 2d"])
def test_equal_hands_are_paid_by_the_cards_in_each_box(way: str) -> None:
    payments = {
        payment.stake: payment
        for payment in RULES.settle(play_round("Kh 7d 2c Ks 7h 2d", way=way, dealer="Qc Jd 9s 4h 3s")).payments
    }
    high, low = Decision.parse(way).groups
    assert (set(payments["high"].cards), set(payments["low"].cards)) == (set(high), set(low))
    assert (payments["high"].net, payments["low"].net) == (1000, 1500)  # LWB1 pays a low hand of high cards 3 to 2


@pytest.mark.parametrize("way", ["set Ad Ac 2d", "set Ad Ac 2d | 9s 9h", "set Ad Ac 2d | 9s 9h 4s", "double", "stand"])
def test_a_setting_that_is_not_two_hands_of_three_cards_is_refused(way: str) -> None:
    assert not make_round_before_setting("Ac Ad 9h 9s 4c 2d").can(Decide(1, Decision.parse(way)))


# Rule 4: double down


def test_each_seat_sets_and_then_doubles_or_stands_before_the_next() -> None:
    round_ = deal_round(begin_round({1: {"high-low": 1000}, 3: {"high-low": 1000}}))
    decisions_due = []
    while isinstance(round_.turn, SeatTurn):
        decisions_due.append((round_.turn.seat, round_.turn.question))
        if round_.turn.question == "double":
            assert round_.turn.options == (Decision(Verb.DOUBLE), Decision(Verb.STAND))
        round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[0]))
    assert decisions_due == [(1, "set"), (1, "double"), (3, "set"), (3, "double")]
    assert round_.turn == DealerTurn(DealerStep.REVEAL)
    assert round_.apply(TakeStep(DealerStep.REVEAL)).turn == RoundEnd()


def test_doubling_adds_an_equal_wager_to_both_hands() -> None:
    round_ = play_round("Ac Ad Th Ts 4c 3d", double=True)
    settlement = RULES.settle(round_)
    stakes = {payment.stake: payment.wagered for payment in settlement.payments}
    assert stakes == {"high": 1000, "high double": 1000, "low": 1000, "low double": 1000}


# Rules 6 to 10: the comparison with the dealer's hand


def test_the_dealer_plays_the_best_three_of_five_cards() -> None:
    # The dealer also has a pair of kings, but 4-5-6 is a straight and beats the pair of aces.
    round_ = play_round("Ac Ad Qh Js 9c 7d", dealer="Kc 4h 5d 6s Kd")
    assert find_payment(round_, "high").event == "dealer-wins"
    assert "loses to the dealer's straight, six high" in find_payment(round_, "high").text
    assert set(find_payment(round_, "high").cards) == set(parse_cards("4h 5d 6s"))


def test_a_dealer_higher_than_both_hands_takes_both_and_their_doubles() -> None:
    round_ = play_round("Ac Ad 9h 9s 4c 2d", dealer="8c 8d 8h Kc Qd", double=True)
    assert compute_nets(round_) == {"high": -1000, "high double": -1000, "low": -1000, "low double": -1000}


def test_a_high_hand_alone_wins_even_money_and_the_low_side_loses() -> None:
    six = "Ac Ad 8h 8s 4c 3d"
    assert compute_nets(play_round(six)) == {"high": 1000, "low": -1000}
    assert compute_nets(play_round(six, double=True)) == {
        "high": 1000,
        "high double": 1000,
        "low": -1000,
        "low double": -1000,
    }


def test_when_both_win_the_high_hand_pays_even_money_and_the_low_hand_by_its_paytable() -> None:
    six = "Ac Ad Th Ts 4c 3d"
    assert compute_nets(play_round(six)) == {"high": 1000, "low": 1500}  # LWB1 pays a pair 1.5 to 1
    assert compute_nets(play_round(six, double=True)) == {
        "high": 1000,
        "high double": 1000,
        "low": 1500,
        "low double": 1500,
    }


def test_copies_win_for_the_player_on_the_high_hand() -> None:
    round_ = play_round("9h 9s 7c Kd 5c 3d", way="set 9s 9h 7c | Kd 5c 3d")
    assert compute_nets(round_) == {"high": 1000, "low": -1000}
    assert find_payment(round_, "high").event == "win-or-copy"


def test_copies_win_for_the_player_on_the_low_hand() -> None:
    assert compute_nets(play_round("9h 9s 7c Kd Ks 3d", way="set Kd Ks 3d | 9s 9h 7c")) == {"high": 1000, "low": 1500}


def test_copies_win_for_the_player_on_both_hands() -> None:
    straights = "set 7s 6h 5c | 7c 6d 5h"
    round_ = play_round("7s 6h 5c 7c 6d 5h", way=straights, dealer="7h 6s 5d Kc 2c")
    assert compute_nets(round_) == {"high": 1000, "low": 4000}


def test_the_setting_can_decide_the_main_game() -> None:
    six, dealer = "Ac Ad Kh Ts 6c 3d", "Jc 8d 7h 4s 2h"
    high = play_round(six, dealer=dealer, way="set Ad Ac Kh | Ts 6c 3d")
    even = play_round(six, dealer=dealer, way="set Ad Ac 3d | Kh Ts 6c")
    assert compute_nets(high) == {"high": 1000, "low": -1000}
    assert compute_nets(even) == {"high": 1000, "low": 1500}


LOW_HANDS = {
    "mini-royal": ("As Ks Qs Ah Kh Qh", "As Ks Qs | Ah Kh Qh"),
    "straight-flush": ("Js Ts 9s 5h 4h 3h", "Js Ts 9s | 5h 4h 3h"),
    "trips": ("Jc Jd Jh 6c 6d 6h", "Jh Jd Jc | 6h 6d 6c"),
    "straight": ("Js Td 9s 5h 4c 3h", "Js Td 9s | 5h 4c 3h"),
    "flush": ("Js 8s 6s Qh 9h 2h", "Qh 9h 2h | Js 8s 6s"),
    "pair": ("Kc Kd 3h Jc Jd 6s", "Kd Kc 3h | Jd Jc 6s"),
    "high-cards": ("Kc Kd 3h Jc Td 6s", "Kd Kc 3h | Jc Td 6s"),
}
TEN_HIGH_DEALER = "Tc 8d 7h 4s 2d"


@pytest.mark.parametrize(
    "table", [table for table in paytables(SLUG, "high-low") if table.is_numeric], ids=lambda table: table.name
)
def test_the_low_hand_and_its_double_are_paid_by_its_rank(table: Paytable) -> None:
    for line in table.lines:
        six, way = LOW_HANDS[line.trigger]
        round_ = play_round(
            six, dealer=TEN_HIGH_DEALER, way=f"set {way}", double=True, tables=override_paytable("high-low", table.name)
        )
        for stake in ("low", "low double"):
            payment = find_payment(round_, stake)
            assert payment.event == line.trigger
            assert payment.pay == line.pay
            assert payment.returned == compute_return(line.pay, 1000)
        assert find_payment(round_, "high").net == find_payment(round_, "high double").net == 1000


def test_an_operators_bonus_in_dollars_is_won_by_the_low_wager_and_by_its_double() -> None:
    filled = override_paytable(
        "high-low",
        "LWB7",
        mini_royal="$200",
        straight_flush="20",
        trips="10",
        straight="5",
        flush="3",
        pair="$12.50",
        high_cards="1",
    )
    assert compute_nets(play_round("Ac Ad Th Ts 4c 3d", double=True, tables=filled)) == {
        "high": 1000,
        "high double": 1000,
        "low": 1250,
        "low double": 1250,
    }


def test_a_setup_whose_pays_are_not_in_whole_cents_is_refused() -> None:
    def limits(step: int) -> dict[str, WagerSetup]:
        return {"high-low": WagerSetup(WagerLimits(step, 100 * step, step), "LWB1")}

    assert compute_nets(play_round("Ac Ad Th Ts 4c 3d", wagers={"high-low": 250}, tables=limits(250)))["low"] == 375
    setup = default_setup(SLUG)
    with pytest.raises(BadSetup):
        RULES.open(replace(setup, wagers={**setup.wagers, **limits(25)}))


@SOME
@given(eleven=hands_of(THREE_CARD, 5).flatmap(lambda five: hands_of(THREE_CARD, 6).map(lambda six: (six, five))))
def test_the_main_game_is_settled_as_by_a_simple_implementation_of_the_rules(
    eleven: tuple[tuple[Card, ...], tuple[Card, ...]],
) -> None:
    six, five = eleven
    five = tuple(dict.fromkeys(card for card in (*five, *DECK) if card not in six))[:5]
    high, low = suggest_setting(six).groups
    sheet = reference.THREE_CARD
    dealer = sheet.verdict(five)
    line = {"mini-royal": 50, "straight flush": 10, "three of a kind": 5, "straight": 4, "flush": 3}
    expected = {"high": 1000 if sheet.verdict(high) >= dealer else -1000, "low": -1000}
    if sheet.verdict(low) >= dealer:
        expected["low"] = line.get(sheet.verdict(low).line, 0) * 1000 or 1500
    assert compute_nets(play_round(format_cards(six), dealer=format_cards(five))) == expected


# Wagers


@pytest.mark.parametrize("spot", JACKPOTS)
def test_a_jackpot_wager_is_one_dollar_only(spot: str) -> None:
    setup = default_setup(SLUG)
    two_dollars = replace(setup.wagers[spot], limits=WagerLimits(100, 200, 100))
    with pytest.raises(BadSetup, match=r"\$1"):
        RULES.open(replace(setup, wagers={**setup.wagers, spot: two_dollars}))
    with pytest.raises(BadBet, match=r"\$1"):
        begin_round({1: {"high-low": 1000, spot: 200}})


def test_a_player_may_use_four_of_the_five_spots() -> None:
    four = {"high-low": 1000, "pick-3": 500, "pick-5": 500, "super-3s": 100}
    assert begin_round({1: four}).wager_cents(1, "pick-5") == 500
    with pytest.raises(BadBet):
        begin_round({1: {**four, "super-six": 100}})


def test_four_spots_are_the_most_in_tribal_casinos_too() -> None:
    five = {"high-low": 1000, "pick-3": 500, "pick-5": 500, "super-3s": 100, "super-six": 100}
    table = RULES.open(default_setup(SLUG, jurisdiction="tribal"))
    with pytest.raises(BadBet):
        RULES.begin(table, {1: five})


def test_a_layout_with_five_options_must_state_the_limit_of_four_spots() -> None:
    with pytest.raises(BadSetup):
        RULES.open(replace(default_setup(SLUG), spots_notice=False))


# What each viewer sees


def test_before_the_reveal_a_player_sees_only_the_players_own_cards() -> None:
    round_ = deal_round(begin_round({1: {"high-low": 1000}, 2: {"high-low": 1000}}))
    first_hand, second_hand, dealer = Place(Pile.HAND, 1), Place(Pile.HAND, 2), Place(Pile.HAND)
    assert can_see(round_, first_hand, 1)
    assert not can_see(round_, second_hand, 1)
    for viewer in (1, 2, Onlooker.DEALER, Onlooker.DISPLAY):
        assert not can_see(round_, dealer, viewer)
    for place in (first_hand, second_hand):
        assert not can_see(round_, place, Onlooker.DEALER)


def test_how_a_hand_was_set_is_hidden_from_others_until_the_reveal() -> None:
    round_ = deal_round(begin_round({1: {"high-low": 1000}, 2: {"high-low": 1000}}))
    while isinstance(round_.turn, SeatTurn):
        assert isinstance(view(round_, round_.turn.seat).turn, SeatTurn)
        other = view(round_, 3 - round_.turn.seat).turn
        assert isinstance(other, SeatTurn)
        assert not any(option.groups for option in other.options)
        round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[0]))
    assert view(round_, 2).decisions[1, "set"] is Verb.SET
    assert view(round_, 1).decisions[1, "set"] == round_.decision(1, "set")
    revealed = round_.apply(TakeStep(DealerStep.REVEAL))
    assert view(revealed, 2).decisions[1, "set"] == round_.decision(1, "set")
    for place in revealed.piles:
        for viewer in (1, 2, Onlooker.DEALER, Onlooker.DISPLAY):
            assert can_see(revealed, place, viewer)
