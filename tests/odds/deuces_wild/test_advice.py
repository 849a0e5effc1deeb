"""The coach of Deuces Wild: every decision, from the cards that the seat may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Onlooker,
    Pile,
    Round,
    SeatTurn,
    TakeStep,
    Verb,
    default_setup,
    game,
    view,
)
from cardroom.odds import advise
from cardroom.odds.deuces_wild.pricer import PRICER
from tests.odds.deuces_wild import by_hand

SLUG = "deuces-wild"
RULES = game(SLUG)
ANTE, TREASURE, FORTUNE, JACKPOT = "ante-play-raise", "three-card-treasure", "five-card-fortune", "bonus-jackpot"
COMMUNITY = "6h Th Qh 7s"


def asked(
    seat: int, question: str, bets: Mapping[int, Mapping[str, int]], hands: Mapping[int, str], tables: str = "A"
) -> Round:
    """The position in which a seat has this decision. Other seats fold; the seat itself continues until then."""
    setup = default_setup(SLUG)
    wagers = {slug: replace(one, paytable=tables) for slug, one in setup.wagers.items()}
    table = RULES.open(replace(setup, wagers=wagers))
    round_ = RULES.begin(table, bets)
    while True:
        match round_.turn:
            case ChanceTurn(place):
                names = COMMUNITY if place.seat is None else hands[place.seat]
                # A seat's fourth card has its own pile behind the first three.
                at = len(round_.piles.get(place, ())) + (3 if place.pile is Pile.FOURTH else 0)
                round_ = round_.apply(Deal(parse_cards(names)[at]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case SeatTurn(asked_seat, asked_question, options):
                if (asked_seat, asked_question) == (seat, question):
                    return round_
                decision = options[0] if asked_seat != seat else options[-1]
                round_ = round_.apply(Decide(asked_seat, decision))
            case turn:
                raise AssertionError(turn)


def advice(round_: Round, seat: int) -> dict[Decision, Fraction]:
    options = advise(round_.table, view(round_, seat))
    assert [one.value for one in options] == sorted((one.value for one in options), reverse=True)
    assert isinstance(round_.turn, SeatTurn)
    assert {one.decision for one in options} == set(round_.turn.options)
    assert all(one.standard_error is None for one in options)
    return {one.decision: one.value for one in options}


def test_the_value_of_a_play_wager_from_the_seats_three_cards() -> None:
    round_ = asked(1, "play", {1: {ANTE: 2000}}, {1: "9s Ts Js"})
    three = parse_cards("9s Ts Js")
    table = round_.table.offers[ANTE].paytable
    assert advice(round_, 1) == {
        Decision(Verb.FOLD): -2000,
        Decision(Verb.PLAY): 2000 * by_hand.played(table, three, by_hand.left(three)),
    }


def test_the_value_of_a_raise_from_the_seats_four_cards() -> None:
    round_ = asked(1, "raise", {1: {ANTE: 1000}}, {1: "9s Ts Js 4d"}, tables="B")
    four = parse_cards("9s Ts Js 4d")
    table = round_.table.offers[ANTE].paytable
    assert advice(round_, 1) == {
        Decision(Verb.FOLD): -2000,
        Decision(Verb.RAISE): 1000 * by_hand.raised(table, four, by_hand.left(four)),
    }


# Seats 2 to 6 win Three Card Treasure, so their cards are face up (rule 20b); seat 2 has a flush.
OPEN = {2: "3c 8c Kc", 3: "4d 5d 6d", 4: "7h 8h 9c", 5: "Js Jd Jc", 6: "2c 3h 4h"}
SHOWN: tuple[Card, ...] = tuple(card for hand in OPEN.values() for card in parse_cards(hand))


def open_table(wagers: Mapping[str, int], hand: str, seat_asked: str) -> Round:
    bets = {1: wagers, **{seat: {TREASURE: 100} for seat in OPEN}}
    return asked(1, seat_asked, bets, {1: hand, **OPEN})


@pytest.mark.parametrize("hand", ["5s 5h Qd", "9s Ts Qs", "2d Kd 8s"])
def test_face_up_cards_of_other_seats_are_gone_from_the_deck(hand: str) -> None:
    round_ = open_table({ANTE: 1000}, hand, "play")
    three = parse_cards(hand)
    table = round_.table.offers[ANTE].paytable
    value = 1000 * by_hand.played(table, three, by_hand.left(three, SHOWN))
    assert advice(round_, 1)[Decision(Verb.PLAY)] == value != 1000 * by_hand.played(table, three, by_hand.left(three))


def test_open_cards_count_for_the_raise_too() -> None:
    hand = "5s 5h Qd Tc"
    round_ = open_table({ANTE: 1000}, hand, "raise")
    table = round_.table.offers[ANTE].paytable
    value = by_hand.raised(table, parse_cards(hand), by_hand.left(parse_cards(hand), SHOWN))
    assert advice(round_, 1)[Decision(Verb.RAISE)] == 1000 * value


def test_each_card_for_five_card_fortune_with_open_cards_gone() -> None:
    hand = "2d Ks 8s"
    round_ = open_table({FORTUNE: 500}, hand, "fortune")
    table = round_.table.offers[FORTUNE].paytable
    rest = by_hand.left(parse_cards(hand), SHOWN)
    assert advice(round_, 1) == {
        Decision(Verb.CHOOSE, ((card,),)): 500 * by_hand.fortune(table, (card,), rest) for card in parse_cards(hand)
    }


def test_wild_cards_may_be_chosen_together_and_are_worth_most() -> None:
    worth = advice(asked(1, "fortune", {1: {FORTUNE: 100}}, {1: "2d Ks Jk"}), 1)
    assert len(worth) == 4
    assert str(max(worth, key=worth.__getitem__)) == "choose Jk 2d"
    assert worth[Decision(Verb.CHOOSE, (parse_cards("2d"),))] == worth[Decision(Verb.CHOOSE, (parse_cards("Jk"),))]


def test_face_down_cards_change_nothing() -> None:
    alone = asked(1, "play", {1: {ANTE: 1000}}, {1: "9s Ts Js"})
    beside = asked(1, "play", {1: {ANTE: 1000, JACKPOT: 100}, 2: {ANTE: 1000}}, {1: "9s Ts Js", 2: "8s Qs Ks"})
    assert advice(alone, 1) == advice(beside, 1)


def test_the_value_of_a_typed_hand_is_the_advice_at_an_empty_table() -> None:
    round_ = asked(1, "play", {1: {ANTE: 1000}}, {1: "5s 5h Qd"})
    typed = PRICER.hand_values(ANTE, round_.table.offers[ANTE].paytable, {}, parse_cards("5s 5h Qd"))
    assert advice(round_, 1) == {decision: 1000 * value for decision, value in typed}


def test_there_is_no_advice_for_a_seat_without_a_decision() -> None:
    round_ = asked(1, "play", {1: {ANTE: 1000}, 2: {ANTE: 1000}}, {1: "9s Ts Js", 2: "8s Qs Ks"})
    for viewer in (2, Onlooker.DEALER):
        with pytest.raises(BadInput, match="Seat 2"):
            PRICER.advise(round_.table, view(round_, viewer), 2, {})
