"""A card that is exposed too early: the coach prices it by the rules, or says why it cannot.

The expected values are plain averages: every card that can be face down is filled in, and the game's own rules settle
each round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Game,
    Pile,
    Place,
    Round,
    SeatTurn,
    TakeStep,
    View,
    default_setup,
    game,
    view,
)
from cardroom.games.card_places import COMMUNITY, DEALER_HAND
from cardroom.odds import advise
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.odds.generic.pricing_table import build_pricing_table
from tests.odds.generic.toys import BET, HiddenCard, NextIsAHeart

OWN = Place(Pile.HAND, 1)


def at_question(
    rules: Game, wagers: Mapping[str, int], hand: str, question: str, options: Mapping[Place, str]
) -> Round:
    """A round of one seat with these cards at this decision; other cards are any that fit."""
    given = {OWN: parse_cards(hand), **{place: parse_cards(names) for place, names in options.items()}}
    round_ = rules.begin(rules.open(default_setup(rules.facts.slug)), {1: wagers})
    named = [card for pile in given.values() for card in pile]
    spare = iter([card for card in round_.table.deck.distinct_cards() if card not in named])
    while True:
        match round_.turn:
            case ChanceTurn(place):
                number = len(round_.piles.get(place, ()))
                pile = given.get(place, ())
                round_ = round_.apply(Deal(pile[number] if number < len(pile) else next(spare)))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case SeatTurn(_, asked, answers):
                if asked == question:
                    return round_
                round_ = round_.apply(Decide(1, answers[-1]))
            case turn:
                raise AssertionError(turn)


def with_exposed(seen: View, place: Place, exposed: tuple[Card, ...], size: int) -> View:
    return replace(seen, piles={**seen.piles, place: (*exposed, *(None,) * (size - len(exposed)))})


def fillings(round_: Round, place: Place, exposed: tuple[Card, ...], size: int) -> Iterator[Round]:
    """The round with every set of cards that can be face down beside the exposed ones. The seat's own hand stays; all
    other piles get any cards that fit, because no decision depends on them."""
    others = {pile_place: len(pile) for pile_place, pile in round_.piles.items() if pile_place not in (OWN, place)}
    left = [card for card in round_.table.deck.distinct_cards() if card not in (*round_.hand(1), *exposed)]
    for hidden in combinations(left, size - len(exposed)):
        spare = iter([card for card in left if card not in hidden])
        filled = {one: tuple(next(spare) for _ in range(number)) for one, number in others.items()}
        yield round_.with_piles({OWN: round_.hand(1), **filled, place: (*exposed, *hidden)})


def played_out(round_: Round, decision: Decision, spots: tuple[str, ...]) -> Fraction:
    """The average result of these wagers after a decision, over every card that is still to be dealt."""

    def mean(now: Round) -> Fraction:
        match now.turn:
            case ChanceTurn(Place(Pile.BURN)):  # which card is burned changes nothing
                return mean(now.apply(Deal(now.chance_outcomes()[0][0])))
            case ChanceTurn():
                return sum(
                    (chance * mean(now.apply(Deal(card))) for card, chance in now.chance_outcomes()), Fraction(0)
                )
            case DealerTurn(step):
                return mean(now.apply(TakeStep(step)))
            case SeatTurn(_, _, options):
                return max(mean(now.apply(Decide(1, option))) for option in options)
            case _:
                payments = now.game.settle(now).seat_payments(1)
                return Fraction(sum(payment.net for payment in payments if payment.spot in spots))

    return mean(round_.apply(Decide(1, decision)))


def checked(round_: Round, place: Place, exposed: str, size: int, spot: str) -> dict[str, Fraction]:
    """The coach's values with some cards exposed, compared with a plain average over every round that can follow."""
    seen = with_exposed(view(round_, 1), place, parse_cards(exposed), size)
    advice = {option.decision: option.value for option in advise(round_.table, seen)}
    rounds = list(fillings(round_, place, parse_cards(exposed), size))
    for decision, value in advice.items():
        expected = sum((played_out(one, decision, (spot,)) for one in rounds), Fraction(0)) / len(rounds)
        assert value == expected, decision
    return {str(decision): value for decision, value in advice.items()}


@pytest.mark.parametrize(
    ("hand", "exposed"), [("Qc Kd Kh", "2c"), ("Qh 6d 4c", "As"), ("9h 7d 2c", "Kd Kc"), ("5h 6d 7c", "8d 9d Td")]
)
def test_an_exposed_card_of_the_dealer_in_three_card_prime_is_in_the_dealers_hand(hand: str, exposed: str) -> None:
    round_ = at_question(game("three-card-prime"), {"ante-play": 1000}, hand, "play", {})
    found = checked(round_, DEALER_HAND, exposed, 3, "ante-play")
    if exposed == "2c":
        assert round(float(found["play"]), 2) == 1201.24  # 1225.08 if the deuce were dead


@pytest.mark.parametrize(
    ("hand", "exposed"),
    [
        ("As Ks Qs Qd Qh 2c", "3c 4c 5c 9h"),
        ("Kh 7d 2c Ks 7h 3d", "Ac Ad Jh 9s"),
        ("5h 5d 5c 9s 8s 7s", "2c 2d 2h 3d 4s"),
    ],
)
def test_exposed_cards_of_the_dealer_in_double_play_are_in_the_dealers_hand(hand: str, exposed: str) -> None:
    round_ = at_question(game("three-card-double-play"), {"high-low": 1000}, hand, "set", {})
    checked(round_, DEALER_HAND, exposed, 5, "high-low")
    after = round_.apply(Decide(1, round_.seat_turn.options[0]))
    checked(after, DEALER_HAND, exposed, 5, "high-low")


@pytest.mark.parametrize("exposed", ["Th Jh Qh", "2s 9d 9s"])
def test_exposed_community_cards_in_deuces_wild_are_in_the_five_card_fortune_hand(exposed: str) -> None:
    round_ = at_question(game("deuces-wild"), {"five-card-fortune": 500}, "Kh Ah 9c", "fortune", {})
    checked(round_, COMMUNITY, exposed, 3, "five-card-fortune")


def test_an_exposed_community_card_in_deuces_wild_is_only_gone_from_the_antes_deck() -> None:
    round_ = at_question(
        game("deuces-wild"), {"ante-play-raise": 1000}, "Kh Ah 9c", "raise", {Place(Pile.FOURTH, 1): "Qh"}
    )
    seen = with_exposed(view(round_, 1), COMMUNITY, parse_cards("Th Jh 2c"), 4)
    value = {str(option.decision): option.value for option in advise(round_.table, seen)}["raise"]
    gone = parse_cards("Kh Ah 9c Qh Th Jh 2c")
    left = [card for card in round_.table.deck.distinct_cards() if card not in gone]
    base = round_.with_piles({**round_.piles, COMMUNITY: (*parse_cards("Th Jh 2c"), left[0])}).apply(
        Decide(1, Decision.parse("raise"))
    )
    nets = []
    for last in left:
        community = (*parse_cards("Th Jh 2c"), next(card for card in left if card != last))
        end = base.with_piles({**base.piles, COMMUNITY: community}).apply(Deal(last))
        while isinstance(end.turn, DealerTurn):
            end = end.apply(TakeStep(end.turn.step))
        nets.append(sum(payment.net for payment in end.game.settle(end).seat_payments(1)))
    assert value == Fraction(sum(nets), len(nets))


@pytest.mark.parametrize(
    ("slug", "wagers", "hand", "question", "place", "exposed", "size"),
    [
        ("deuces-wild", {"ante-play-raise": 1000}, "Kh Ah 9c", "play", Place(Pile.FOURTH, 1), "Qh", 1),
        ("deuces-wild", {"ante-play-raise": 1000}, "Kh Ah 9c", "raise", Place(Pile.FIFTH, 1), "Qh", 1),
        ("dueling-for-dollars", {"player": 1000}, "8c", "tie", Place(Pile.WAR, 1), "Kh", 1),
        ("dueling-for-dollars", {"player": 1000}, "8c", "tie", Place(Pile.WAR_COMMUNITY), "Kh", 1),
        ("texas-shootout", {"shootout": 1000}, "As Ks 9d 8d", "hand", DEALER_HAND, "Kh", 4),
        ("texas-shootout", {"shootout": 1000}, "As Ks 9d 8d", "hand", COMMUNITY, "Kh", 5),
    ],
)
def test_an_exposed_card_without_an_exact_price_is_refused(
    slug: str, wagers: Mapping[str, int], hand: str, question: str, place: Place, exposed: str, size: int
) -> None:
    round_ = at_question(game(slug), wagers, hand, question, {COMMUNITY: "8d"} if slug.startswith("dueling") else {})
    seen = view(round_, 1)
    assert advise(round_.table, seen)
    with pytest.raises(BadInput) as refused:
        advise(round_.table, with_exposed(seen, place, parse_cards(exposed), size))
    assert Counter(str(refused.value))["."] == 1


def test_the_pricer_of_any_game_takes_an_exposed_card_for_the_card_it_is() -> None:
    rules = HiddenCard()
    table = build_pricing_table(rules, "bet", BET, {}).table
    round_ = rules.begin(table, {1: {"bet": 100}}).apply(Deal(parse_cards("9c")[0]))
    for exposed, value in (("7h", 100), ("8h", -100)):
        seen = with_exposed(view(round_, 1), DEALER_HAND, parse_cards(exposed), 1)
        advice = GenericPricer(rules).advise(table, seen, 1, {})
        assert {str(option.decision): option.value for option in advice} == {"play": value, "fold": 0}


def test_the_pricer_of_any_game_refuses_a_card_that_is_not_dealt_yet() -> None:
    rules = NextIsAHeart()
    table = build_pricing_table(rules, "bet", BET, {}).table
    round_ = rules.begin(table, {1: {"bet": 100}}).apply(Deal(parse_cards("9c")[0]))
    assert GenericPricer(rules).advise(table, view(round_, 1), 1, {})
    seen = with_exposed(view(round_, 1), DEALER_HAND, parse_cards("7h"), 1)
    with pytest.raises(BadInput, match="'dealer'"):
        GenericPricer(rules).advise(table, seen, 1, {})
