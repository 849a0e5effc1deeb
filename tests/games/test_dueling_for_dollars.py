"""Dueling for Dollars, rule by rule (sheet 003). 6/4 is rule 6 with PLAYER and DEALER spots, rule 4 with PLAY only."""

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
from tests.games.dueling import RULES, Seat, by_stake, dealt, places_dealt, played, settled, table, war

# The game and its setup


def test_six_decks_are_usual_and_five_and_eight_are_allowed() -> None:
    assert RULES.open(default_setup("dueling-for-dollars")).deck is Deck.SIX
    assert {RULES.open(table(decks=n)).deck for n in (5, 6, 8)} == {Deck.FIVE, Deck.SIX, Deck.EIGHT}
    with pytest.raises(BadSetup):
        RULES.open(table(decks=4))


@pytest.mark.parametrize("model", ["milky-way", "andromeda-1", "andromeda-3c"])
def test_only_andromeda_3d_counts_the_jackpot_wagers(model: str) -> None:
    RULES.open(replace(table(), tabulator="andromeda-3d"))
    with pytest.raises(BadSetup):
        RULES.open(replace(table(), tabulator=model))


@pytest.mark.parametrize(
    ("name", "decks", "only"), [("TP-02", 5, "6 or 8"), ("TP-03", 5, "6"), ("TP-03", 8, "6"), ("TP-01", 6, None)]
)
def test_a_tie_plus_table_is_for_the_decks_printed_above_it(name: str, decks: int, only: str | None) -> None:
    setup = table(decks=decks, tables={"tie-plus": f"PT-FLT-DFD-{name}"})
    if only is None:
        assert RULES.open(setup).offers["tie-plus"].paytable.name == f"PT-FLT-DFD-{name}"
        return
    with pytest.raises(BadSetup):
        RULES.open(setup)


def test_a_duel_that_a_surrender_cannot_halve_to_the_cent_is_refused_at_set_up() -> None:
    odd = replace(table(), wagers={"duel": WagerSetup(WagerLimits(5_05, 100_00 + 99, 1))})
    with pytest.raises(BadSetup):
        RULES.open(odd)


def test_a_jackpot_wager_is_one_fixed_amount() -> None:
    setup = table()
    two = replace(setup.wagers["tie-after-tie"], limits=WagerLimits(1_00, 2_00, 1_00))
    with pytest.raises(BadSetup):
        RULES.open(replace(setup, wagers={**setup.wagers, "tie-after-tie": two}))


# Rule 1: the wagers


def test_a_player_wagers_on_player_or_dealer_and_not_on_both() -> None:
    opened = RULES.open(table())
    assert RULES.begin(opened, {1: {"player": 1000}, 2: {"dealer": 1000}}).seats == (1, 2)
    with pytest.raises(BadBet):
        RULES.begin(opened, {1: {"player": 1000}, 2: {"player": 1000, "dealer": 1000}})


def test_every_player_duels() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(table()), {1: {"tie-plus": 500}})


def test_the_other_version_has_the_play_spot_only() -> None:
    opened = RULES.open(table(duel_spots="play"))
    assert tuple(opened.spots) == ("play", "tie-plus", "combo", "tie-after-tie", "two-plus-two")
    assert RULES.begin(opened, {1: {"play": 1000}}).wager_cents(1, "play") == 1000
    with pytest.raises(BadBet):
        RULES.begin(opened, {1: {"player": 1000}})
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(table()), {1: {"play": 1000}})


FIVE_SPOTS = {"player": 1000, "tie-plus": 500, "combo": 500, "tie-after-tie": 100, "two-plus-two": 100}


def test_a_fifth_spot_is_refused_in_a_card_room_and_taken_in_a_tribal_casino() -> None:
    with pytest.raises(BadBet):
        RULES.begin(RULES.open(table()), {1: FIVE_SPOTS})
    assert RULES.begin(RULES.open(table(jurisdiction="tribal")), {1: FIVE_SPOTS}).bets[1] == FIVE_SPOTS


# Rule 2: the deal


def test_each_player_gets_one_card_and_then_one_community_card_falls() -> None:
    begun = RULES.begin(RULES.open(table()), {2: {"player": 1000}, 5: {"dealer": 1000}, 3: {"player": 1000}})
    assert places_dealt(begun, "Ks 5d 4h 9c") == ["seat 2 hand", "seat 3 hand", "seat 5 hand", "community"]


def test_the_dealer_tabulates_before_the_deal_when_there_is_a_jackpot_wager() -> None:
    opened = RULES.open(table())
    assert isinstance(RULES.begin(opened, {1: {"player": 1000, "combo": 500}}).turn, ChanceTurn)
    begun = RULES.begin(opened, {1: {"player": 1000}, 2: {"player": 1000, "two-plus-two": 100}})
    assert begun.turn == DealerTurn(DealerStep.TABULATE)
    with pytest.raises(IllegalAction):
        begun.apply(Deal(parse_cards("As")[0]))


def test_a_seventh_copy_of_a_card_is_refused_from_six_decks() -> None:
    round_ = RULES.begin(RULES.open(table()), {seat: {"player": 1000} for seat in range(1, 7)})
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
    assert by_stake(settled(Seat(card, spot), community=community)) == {spot: net}


@pytest.mark.parametrize(("card", "net"), [("9c", 1000), ("7c", -1000)])
def test_play_wins_even_money_with_the_higher_card(card: str, net: int) -> None:
    assert by_stake(settled(Seat(card, "play"), community="8d", setup=table(duel_spots="play"))) == {"play": net}


def test_the_ace_is_high() -> None:
    assert by_stake(settled(Seat("As"), community="Kd")) == {"player": 1000}
    assert by_stake(settled(Seat("As", "dealer"), community="2d")) == {"dealer": -1000}
    assert by_stake(settled(Seat("2s", "dealer"), community="Ad")) == {"dealer": 1000}


def test_player_and_dealer_wagers_meet_the_same_community_card_at_one_table() -> None:
    settlement = settled(
        Seat("9c"), Seat("9d", "dealer"), Seat("4h"), Seat("4s", "dealer", wager=20_00), community="8d"
    )
    assert [settlement.net(seat) for seat in settlement.seats] == [1000, -1000, -1000, 2000]
    assert settlement.house_net == -1000


# Rule 6/4: the tie


def test_each_player_who_ties_in_rank_is_asked_for_war_or_surrender() -> None:
    round_ = dealt("8c Kd 8d 8h", "8d")
    asked = []
    while isinstance(round_.turn, SeatTurn):
        assert round_.turn.question == "tie"
        assert round_.turn.options == (Decision(Verb.WAR), Decision(Verb.SURRENDER))
        asked.append(round_.turn.seat)
        round_ = round_.apply(Decide(asked[-1], Decision(Verb.SURRENDER)))
    assert asked == [1, 3, 4]
    assert round_.is_terminal, "nobody went to war, so no more cards are dealt"


def test_without_a_tie_no_user_is_asked_anything() -> None:
    assert dealt("9c 7d", "8d").is_terminal


def test_a_tie_cannot_be_answered_with_a_fold() -> None:
    with pytest.raises(IllegalAction):
        dealt("8c", "8d").apply(Decide(1, Decision(Verb.FOLD)))


@pytest.mark.parametrize("spot", ["player", "dealer"])
def test_a_surrender_forfeits_half_of_the_initial_wager(spot: str) -> None:
    (payment,) = settled(Seat("8c", spot, answer="surrender"), community="8d").payments
    assert (payment.stake, payment.event, payment.text) == (spot, "surrender", "Eight ties eight; surrendered")
    assert (payment.wagered, payment.returned, payment.pay) == (1000, 500, SURRENDER_PAY)


def test_a_surrender_is_paid_to_the_cent() -> None:
    setup = replace(table(duel_spots="play"), wagers={"duel": WagerSetup(WagerLimits(5_02, 100_40, 2))})
    (payment,) = settled(Seat("8c", "play", answer="surrender", wager=7_30), community="8d", setup=setup).payments
    assert (payment.returned, payment.net) == (3_65, -3_65)


# Rules 7 to 9 / 5 to 7: going to war


def test_the_war_wager_equals_the_initial_wager() -> None:
    end = played(Seat("8c", answer="war", war="Kc", wager=70_00), community="8d", war_community="2c")
    assert [(one.stake, one.wagered) for one in RULES.settle(end).payments] == [("player", 70_00), ("war", 70_00)]


def test_each_seat_at_war_gets_a_card_and_then_all_share_one_community_card() -> None:
    begun = RULES.begin(RULES.open(table()), {seat: {"player": 1000} for seat in range(1, 5)})
    answers = {1: Verb.WAR, 3: Verb.SURRENDER, 4: Verb.WAR}
    order = "8c 5d 8d 8h 8s Kc 2c 9c"
    assert places_dealt(begun, order, answers)[5:] == ["seat 1 war", "seat 4 war", "war community"]


def test_the_shared_war_card_decides_every_war_of_the_table() -> None:
    settlement = settled(
        Seat("8c", answer="war", war="Kc"),
        Seat("8h", "dealer", answer="war", war="Kc"),
        Seat("8s", answer="war", war="9h"),
        community="8d",
        war_community="9c",
    )
    assert [settlement.net(seat) for seat in settlement.seats] == [1000, -2000, 1000]


def test_three_cards_are_burnt_before_the_war_where_the_table_does_so() -> None:
    begun = RULES.begin(RULES.open(table(burn=True)), {1: {"player": 1000}})
    places = places_dealt(begun, "8c 8d 2c 3c 4c Kc 9c", {1: Verb.WAR})
    assert places == ["seat 1 hand", "community", "burn", "burn", "burn", "seat 1 war", "war community"]


def test_nothing_is_burnt_when_no_user_goes_to_war() -> None:
    begun = RULES.begin(RULES.open(table(burn=True)), {1: {"player": 1000}})
    assert "burn" not in places_dealt(begun, "9c 8d")
    surrendered = dealt("8c", "8d", table(burn=True)).apply(Decide(1, Decision(Verb.SURRENDER)))
    assert surrendered.is_terminal


def test_burnt_cards_change_nothing_and_are_never_shown() -> None:
    seat = Seat("8c", answer="war", war="Kc")
    burnt = played(seat, community="8d", war_community="9c", burn="As Ad Ah", setup=table(burn=True))
    plain = played(seat, community="8d", war_community="9c")
    assert RULES.settle(burnt) == RULES.settle(plain)
    for viewer in (1, Onlooker.DEALER, Onlooker.DISPLAY):
        assert view(burnt, viewer).piles[Place(Pile.BURN)] == (None, None, None)


def test_every_other_card_lies_face_up_for_everybody() -> None:
    end = played(
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
        played(Seat("8c", answer="surrender", war="Kc"), community="8d")


# Rules 10, 11 / 8: the outcome of the war


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
@pytest.mark.parametrize("card", ["Kc", "8s", "3h"])
def test_an_equal_or_better_card_wins_even_money_on_war_and_pushes_the_initial_wager(spot: str, card: str) -> None:
    better = {"player": "3d", "dealer": "Kd", "play": "3d"}[spot]
    for community in (card[0] + "d", better):
        settlement = war(card, community, spot)
        initial, raised = settlement.payments
        assert initial.pay == Push()
        assert by_stake(settlement) == {spot: 0, "war": 1000}
        assert raised.event == ("war-tie" if card[0] == community[0] else "war-win")


@pytest.mark.parametrize(("card", "community", "spot"), [("3c", "4d", "player"), ("4c", "3d", "dealer")])
def test_a_worse_card_loses_both_wagers(card: str, community: str, spot: str) -> None:
    assert by_stake(war(card, community, spot)) == {spot: -1000, "war": -1000}


def test_a_worse_card_loses_both_wagers_on_the_play_spot_too() -> None:
    assert by_stake(war("3c", "Ad", "play")) == {"play": -1000, "war": -1000}


# Rule 12/9: the optional bonus


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
def test_a_tie_after_a_tie_wins_both_wagers_on_top_where_the_table_offers_it(spot: str) -> None:
    layout = "play" if spot == "play" else "player-dealer"
    settlement = war("Kc", "Kd", spot, setup=table(duel_spots=layout, tie_after_tie_bonus=True))
    assert by_stake(settlement) == {spot: 0, "war": 1000, "tie after tie bonus": 2000}
    on_top = settlement.payments[-1]
    assert (on_top.wagered, format_cards(on_top.cards)) == (0, "8c 8d Kc Kd")


@pytest.mark.parametrize("spot", ["player", "dealer", "play"])
def test_a_tie_after_a_tie_is_an_ordinary_win_without_the_option(spot: str) -> None:
    assert by_stake(war("Kc", "Kd", spot)) == {spot: 0, "war": 1000}


def test_a_war_won_without_a_second_tie_gets_no_bonus() -> None:
    assert by_stake(war("Kc", "Qd", setup=table(tie_after_tie_bonus=True))) == {"player": 0, "war": 1000}
