"""Dueling for Dollars, rule by rule (sheet 003). 6/4 means rule 6 with PLAYER and DEALER spots, rule 4 with PLAY."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.cards import Deck, format_cards, parse_cards
from cardroom.games import (
    BadBet,
    BadRecord,
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
    SeatTurn,
    Verb,
    WagerLimits,
    WagerSetup,
    default_setup,
    view,
)
from cardroom.games.dueling_for_dollars.rules import SURRENDER_PAY
from cardroom.paytables import Push
from tests.games.dueling import (
    RULES,
    Seat,
    compute_nets,
    deal_first_cards,
    make_setup,
    play_round,
    settle_round,
    settle_war,
    trace_places,
)

# The game and its setup


def test_six_decks_are_the_default_and_five_and_eight_are_allowed() -> None:
    assert RULES.open(default_setup("dueling-for-dollars")).deck is Deck.SIX
    assert {RULES.open(make_setup(decks=n)).deck for n in (5, 6, 8)} == {Deck.FIVE, Deck.SIX, Deck.EIGHT}
    with pytest.raises(BadSetup):
        RULES.open(make_setup(decks=4))


@pytest.mark.parametrize("model", ["milky-way", "andromeda-1", "andromeda-3c"])
def test_only_andromeda_3d_may_count_the_jackpot_wagers(model: str) -> None:
    RULES.open(replace(make_setup(), tabulator="andromeda-3d"))
    with pytest.raises(BadSetup):
        RULES.open(replace(make_setup(), tabulator=model))


@pytest.mark.parametrize(
    ("name", "decks", "only"), [("TP-02", 5, "6 or 8"), ("TP-03", 5, "6"), ("TP-03", 8, "6"), ("TP-01", 6, None)]
)
def test_a_tie_plus_paytable_is_for_the_decks_printed_above_it(name: str, decks: int, only: str | None) -> None:
    setup = make_setup(decks=decks, tables={"tie-plus": f"PT-FLT-DFD-{name}"})
    if only is None:
        assert RULES.open(setup).offers["tie-plus"].paytable.name == f"PT-FLT-DFD-{name}"
        return
    with pytest.raises(BadSetup):
        RULES.open(setup)


def test_a_setup_whose_duel_cannot_be_halved_to_the_cent_is_refused() -> None:
    odd = replace(make_setup(), wagers={"duel": WagerSetup(WagerLimits(5_05, 100_00 + 99, 1))})
    with pytest.raises(BadSetup):
        RULES.open(odd)


def test_a_jackpot_wager_is_one_fixed_amount() -> None:
    setup = make_setup()
    two = replace(setup.wagers["tie-after-tie"], limits=WagerLimits(1_00, 2_00, 1_00))
    with pytest.raises(BadSetup):
        RULES.open(replace(setup, wagers={**setup.wagers, "tie-after-tie": two}))


# Rule 1: the wagers


def test_a_player_wagers_on_player_or_dealer_and_not_on_both() -> None:
    table = RULES.open(make_setup())
    assert RULES.begin(table, {1: {"player": 1000}, 2: {"dealer": 1000}}).seats == (1, 2)
    with pytest.raises(BadBet):
        RULES.begin(table, {1: {"player": 1000}, 2: {"player": 1000, "dealer": 1000}})


def test_a_player_must_wager_on_the_duel() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(make_setup()), {1: {"tie-plus": 500}})


def test_the_other_version_has_the_play_spot_only() -> None:
    table = RULES.open(make_setup(duel_spots="play"))
    assert tuple(table.spots) == ("play", "tie-plus", "combo", "tie-after-tie", "two-plus-two")
    assert RULES.begin(table, {1: {"play": 1000}}).wager_cents(1, "play") == 1000
    with pytest.raises(BadBet):
        RULES.begin(table, {1: {"player": 1000}})
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(make_setup()), {1: {"play": 1000}})


FIVE_SPOTS = {"player": 1000, "tie-plus": 500, "combo": 500, "tie-after-tie": 100, "two-plus-two": 100}


def test_a_fifth_spot_is_refused_in_a_card_room_and_accepted_in_a_tribal_casino() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(make_setup()), {1: FIVE_SPOTS})
    assert RULES.begin(RULES.open(make_setup(jurisdiction="tribal")), {1: FIVE_SPOTS}).bets[1] == FIVE_SPOTS


# Rule 2: the deal


def test_each_player_gets_one_card_and_then_one_community_card_is_dealt() -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {2: {"player": 1000}, 5: {"dealer": 1000}, 3: {"player": 1000}})
    assert trace_places(round_, "Ks 5d 4h 9c") == ["seat 2 hand", "seat 3 hand", "seat 5 hand", "community"]


def test_the_dealer_tabulates_before_the_deal_when_there_is_a_jackpot_wager() -> None:
    table = RULES.open(make_setup())
    assert isinstance(RULES.begin(table, {1: {"player": 1000, "combo": 500}}).turn, ChanceTurn)
    round_ = RULES.begin(table, {1: {"player": 1000}, 2: {"player": 1000, "two-plus-two": 100}})
    assert round_.turn == DealerTurn(DealerStep.TABULATE)
    with pytest.raises(IllegalAction):
        round_.apply(Deal(parse_cards("As")[0]))


def test_a_seventh_copy_of_a_card_is_refused_from_six_decks() -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {seat: {"player": 1000} for seat in range(1, 7)})
    (king,) = parse_cards("Ks")
    for _ in range(6):
        round_ = round_.apply(Deal(king))
    with pytest.raises(IllegalAction):
        round_.apply(Deal(king))
    assert dict(round_.chance_outcomes()).keys() == set(Deck.SIX.distinct_cards()) - {king}


# Rules 3 to 5 / 3: the comparison


@pytest.mark.parametrize(
    ("card", "community", "spot", "net"),
    [
        ("9c", "8d", "player", 1000),
        ("7c", "8d", "player", -1000),
        ("7c", "8d", "dealer", 1000),
        ("9c", "8d", "dealer", -1000),
    ],
)
def test_player_wins_even_money_with_the_higher_card_and_dealer_with_the_lower(
    card: str, community: str, spot: str, net: int
) -> None:
    assert compute_nets(settle_round(Seat(card, spot), community=community)) == {spot: net}


@pytest.mark.parametrize(("card", "net"), [("9c", 1000), ("7c", -1000)])
def test_play_wins_even_money_with_the_higher_card(card: str, net: int) -> None:
    assert compute_nets(settle_round(Seat(card, "play"), community="8d", setup=make_setup(duel_spots="play"))) == {
        "play": net
    }


def test_the_ace_is_high() -> None:
    assert compute_nets(settle_round(Seat("As"), community="Kd")) == {"player": 1000}
    assert compute_nets(settle_round(Seat("As", "dealer"), community="2d")) == {"dealer": -1000}
    assert compute_nets(settle_round(Seat("2s", "dealer"), community="Ad")) == {"dealer": 1000}


def test_player_and_dealer_wagers_meet_the_same_community_card_at_one_table() -> None:
    settlement = settle_round(
        Seat("9c"), Seat("9d", "dealer"), Seat("4h"), Seat("4s", "dealer", wager=20_00), community="8d"
    )
    assert [settlement.net(seat) for seat in settlement.seats] == [1000, -1000, -1000, 2000]
    assert settlement.house_net == -1000


# Rule 6/4: the tie


def test_each_player_who_ties_in_rank_is_asked_for_war_or_surrender() -> None:
    round_ = deal_first_cards("8c Kd 8d 8h", "8d")
    seats_asked = []
    while isinstance(round_.turn, SeatTurn):
        assert round_.turn.question == "tie"
        assert round_.turn.options == (Decision(Verb.WAR), Decision(Verb.SURRENDER))
        seats_asked.append(round_.turn.seat)
        round_ = round_.apply(Decide(seats_asked[-1], Decision(Verb.SURRENDER)))
    assert seats_asked == [1, 3, 4]
    assert round_.is_terminal, "no player went to war, so no more cards are dealt"


def test_without_a_tie_no_player_has_a_decision() -> None:
    assert deal_first_cards("9c 7d", "8d").is_terminal


def test_a_player_cannot_fold_after_a_tie() -> None:
    with pytest.raises(IllegalAction):
        deal_first_cards("8c", "8d").apply(Decide(1, Decision(Verb.FOLD)))


@pytest.mark.parametrize("spot", ["player", "dealer"])
def test_a_surrender_forfeits_half_of_the_initial_wager(spot: str) -> None:
    (payment,) = settle_round(Seat("8c", spot, answer="surrender"), community="8d").payments
    assert (payment.stake, payment.event, payment.text) == (spot, "surrender", "Eight ties eight; surrendered")
    assert (payment.wagered, payment.returned, payment.pay) == (1000, 500, SURRENDER_PAY)


def test_a_surrender_is_paid_to_the_cent() -> None:
    setup = replace(make_setup(duel_spots="play"), wagers={"duel": WagerSetup(WagerLimits(5_02, 100_40, 2))})
    (payment,) = settle_round(Seat("8c", "play", answer="surrender", wager=7_30), community="8d", setup=setup).payments
    assert (payment.returned, payment.net) == (3_65, -3_65)


# Rules 7 to 9 / 5 to 7: going to war


def test_the_war_wager_equals_the_initial_wager() -> None:
    end = play_round(Seat("8c", answer="war", war="Kc", wager=70_00), community="8d", war_community="2c")
    assert [(payment.stake, payment.wagered) for payment in RULES.settle(end).payments] == [
        ("player", 70_00),
        ("war", 70_00),
    ]


def test_each_seat_at_war_gets_a_card_and_then_all_share_one_community_card() -> None:
    round_ = RULES.begin(RULES.open(make_setup()), {seat: {"player": 1000} for seat in range(1, 5)})
    decisions = {1: Verb.WAR, 3: Verb.SURRENDER, 4: Verb.WAR}
    order = "8c 5d 8d 8h 8s Kc 2c 9c"
    assert trace_places(round_, order, decisions)[5:] == ["seat 1 war", "seat 4 war", "war community"]


def test_the_shared_war_card_decides_every_war_of_the_table() -> None:
    settlement = settle_round(
        Seat("8c", answer="war", war="Kc"),
        Seat("8h", "dealer", answer="war", war="Kc"),
        Seat("8s", answer="war", war="9h"),
        community="8d",
        war_community="9c",
    )
    assert [settlement.net(seat) for seat in settlement.seats] == [1000, -2000, 1000]


def test_three_cards_are_burned_before_the_war_if_the_table_burns() -> None:
    round_ = RULES.begin(RULES.open(make_setup(burn=True)), {1: {"player": 1000}})
    places = trace_places(round_, "8c 8d 2c 3c 4c Kc 9c", {1: Verb.WAR})
    assert places == ["seat 1 hand", "community", "burn", "burn", "burn", "seat 1 war", "war community"]


def test_nothing_is_burned_when_no_player_goes_to_war() -> None:
    round_ = RULES.begin(RULES.open(make_setup(burn=True)), {1: {"player": 1000}})
    assert "burn" not in trace_places(round_, "9c 8d")
    surrendered = deal_first_cards("8c", "8d", make_setup(burn=True)).apply(Decide(1, Decision(Verb.SURRENDER)))
    assert surrendered.is_terminal


def test_burned_cards_change_nothing_and_are_never_shown() -> None:
    seat = Seat("8c", answer="war", war="Kc")
    with_burn = play_round(seat, community="8d", war_community="9c", burn="As Ad Ah", setup=make_setup(burn=True))
    without_burn = play_round(seat, community="8d", war_community="9c")
    assert RULES.settle(with_burn) == RULES.settle(without_burn)
    for viewer in (1, Onlooker.DEALER, Onlooker.DISPLAY):
        assert view(with_burn, viewer).piles[Place(Pile.BURN)] == (None, None, None)


def test_every_other_card_is_face_up_for_all_viewers() -> None:
    end = play_round(
        Seat("8c", answer="war", war="Kc", bonuses={"two-plus-two": 100}),
        Seat("2c"),
        community="8d",
        war_community="9c",
        added="4s 5s",
    )
    for viewer in (1, 2, Onlooker.DEALER, Onlooker.DISPLAY):
        assert view(end, viewer).piles == end.piles


def test_a_war_card_for_a_seat_that_surrendered_is_refused() -> None:
    with pytest.raises(BadRecord):
        play_round(Seat("8c", answer="surrender", war="Kc"), community="8d")


# Rules 10, 11 / 8: the outcome of the war


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
@pytest.mark.parametrize("card", ["Kc", "8s", "3h"])
def test_an_equal_or_better_card_wins_even_money_on_war_and_pushes_the_initial_wager(spot: str, card: str) -> None:
    better = {"player": "3d", "dealer": "Kd", "play": "3d"}[spot]
    for community in (card[0] + "d", better):
        settlement = settle_war(card, community, spot)
        initial, raised = settlement.payments
        assert initial.pay == Push()
        assert compute_nets(settlement) == {spot: 0, "war": 1000}
        assert raised.event == ("war-tie" if card[0] == community[0] else "war-win")


@pytest.mark.parametrize(("card", "community", "spot"), [("3c", "4d", "player"), ("4c", "3d", "dealer")])
def test_a_worse_card_loses_both_wagers(card: str, community: str, spot: str) -> None:
    assert compute_nets(settle_war(card, community, spot)) == {spot: -1000, "war": -1000}


def test_a_worse_card_loses_both_wagers_on_the_play_spot_too() -> None:
    assert compute_nets(settle_war("3c", "Ad", "play")) == {"play": -1000, "war": -1000}


# Rule 12/9: the optional bonus


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
def test_a_tie_after_a_tie_also_wins_both_wagers_if_the_table_offers_it(spot: str) -> None:
    layout = "play" if spot == "play" else "player-dealer"
    settlement = settle_war("Kc", "Kd", spot, setup=make_setup(duel_spots=layout, tie_after_tie_bonus=True))
    assert compute_nets(settlement) == {spot: 0, "war": 1000, "tie after tie bonus": 2000}
    on_top = settlement.payments[-1]
    assert (on_top.wagered, format_cards(on_top.cards)) == (0, "8c 8d Kc Kd")


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
def test_a_tie_after_a_tie_is_an_ordinary_win_without_the_option(spot: str) -> None:
    assert compute_nets(settle_war("Kc", "Kd", spot)) == {spot: 0, "war": 1000}


def test_a_war_won_without_a_second_tie_gets_no_bonus() -> None:
    assert compute_nets(settle_war("Kc", "Qd", setup=make_setup(tie_after_tie_bonus=True))) == {
        "player": 0,
        "war": 1000,
    }
