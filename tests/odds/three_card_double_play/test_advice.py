"""The coach: the value of each decision at the table, from the cards that the seat may see."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from cardroom.cards import Card, format_cards, parse_cards
from cardroom.games import Decide, Decision, IllegalAction, Onlooker, Pile, Place, Round, SeatTurn, Verb, View, view
from cardroom.games.registry import default_setup
from tests.games.double_play import RULES, begin_round, deal_round, override_paytable
from tests.odds.three_card_double_play.by_hand import (
    PRICER,
    SLUG,
    TELLING_HANDS,
    expected_nets,
    printed_pays,
    random_hands,
)

PAYS = printed_pays("LWB1")  # the table of the default setup


def asked(six: tuple[Card, ...], unit: int = 1000) -> Round:
    """A round of one seat that has to set these cards; the dealer's cards come between them."""
    others = iter(card for card in RULES.facts.decks[0].cards() if card not in six)
    order = [card for own in six for card in (own, next(others))][:-1]
    round_ = deal_round(begin_round({1: {"high-low": unit}}), format_cards(order))
    assert round_.hand(1) == six
    return round_


def advice(seen: View, seat: int = 1, round_: Round | None = None) -> dict[Decision, Fraction]:
    table = round_.table if round_ else RULES.open(default_setup(SLUG))
    options = PRICER.advise(table, seen, seat, {})
    assert all(one.standard_error is None for one in options)
    assert [one.value for one in options] == sorted((one.value for one in options), reverse=True)
    return {one.decision: one.value for one in options}


@pytest.mark.parametrize("six", [*TELLING_HANDS[:3], *random_hands(2, seed=3)], ids=format_cards)
def test_the_value_of_a_setting_includes_the_better_decision_about_doubling(six: tuple[Card, ...]) -> None:
    round_ = asked(six)
    assert isinstance(round_.turn, SeatTurn)
    expected = expected_nets(six, PAYS)
    given = advice(view(round_, 1))
    assert set(given) == set(round_.turn.options)
    for decision, value in given.items():
        net = expected[frozenset(map(frozenset, decision.groups))]
        assert value == 1000 * max(net, 2 * net)


@pytest.mark.parametrize("six", TELLING_HANDS[:3], ids=format_cards)
def test_doubling_has_twice_the_value_of_standing_for_any_setting(six: tuple[Card, ...]) -> None:
    expected = expected_nets(six, PAYS)
    round_ = asked(six)
    assert isinstance(round_.turn, SeatTurn)
    for way in round_.turn.options:
        after = round_.apply(Decide(1, way))
        net = 1000 * expected[frozenset(map(frozenset, way.groups))]
        assert advice(view(after, 1)) == {Decision(Verb.STAND): net, Decision(Verb.DOUBLE): 2 * net}


def test_doubling_is_worth_the_same_with_equal_hands_in_either_box() -> None:
    round_ = asked(parse_cards("Kh 7d 2c Ks 7h 2d"))
    either = [Decision.parse(way) for way in ("set Ks 7h 2d | Kh 7d 2c", "set Kh 7d 2c | Ks 7h 2d")]
    one, other = (advice(view(round_.apply(Decide(1, way)), 1)) for way in either)
    assert one == other


def test_face_up_cards_elsewhere_are_gone_from_the_deck() -> None:
    six, open_cards = TELLING_HANDS[0], parse_cards("Ac Ad Ah Kc Kd 9s")
    seen = view(asked(six), 1)
    shown = replace(seen, piles={**seen.piles, Place(Pile.HAND, 2): (*open_cards, None)})
    expected = expected_nets(six, PAYS, open_cards)
    assert expected != expected_nets(six, PAYS)
    for decision, value in advice(shown).items():
        net = expected[frozenset(map(frozenset, decision.groups))]
        assert value == 1000 * max(net, 2 * net)


def test_hidden_cards_of_other_seats_change_nothing() -> None:
    round_ = deal_round(begin_round({1: {"high-low": 1000}, 2: {"high-low": 1000}}))
    seen = view(round_, 1)
    alone = replace(seen, piles={Place(Pile.HAND, 1): seen.piles[Place(Pile.HAND, 1)]})
    assert advice(seen) == advice(alone)


def test_the_value_grows_with_the_wager() -> None:
    small, large = (advice(view(asked(TELLING_HANDS[5], unit), 1)) for unit in (1000, 5000))
    assert large == {decision: 5 * value for decision, value in small.items()}


def test_a_prize_in_dollars_has_the_same_value_for_any_wager() -> None:
    six = TELLING_HANDS[3]  # two straight flushes, or straights, or pairs
    bonuses = dict.fromkeys(["mini_royal", "straight_flush", "trips", "straight", "flush", "pair", "high_cards"], "$20")
    setup = default_setup(SLUG)
    setup = replace(setup, wagers={**setup.wagers, **override_paytable("high-low", "LWB7", **bonuses)})
    for unit in (1000, 4000):
        seen = view(asked(six, unit), 1)
        options = PRICER.advise(RULES.open(setup), seen, 1, {})
        expected = expected_nets(six, dict.fromkeys(PAYS, Fraction(2000, unit)))
        for one in options:
            net = expected[frozenset(map(frozenset, one.decision.groups))]
            assert one.value == unit * max(net, 2 * net)


def test_following_the_advice_wins_the_stated_value_of_the_hand() -> None:
    """The best setting and then the best decision about doubling, against ``hand_values``."""
    six = TELLING_HANDS[2]
    round_ = asked(six)
    ((best, value), *_) = PRICER.hand_values("high-low", round_.table.offers["high-low"].paytable, {}, six)
    way, worth = next(iter(advice(view(round_, 1)).items()))
    after, last = next(iter(advice(view(round_.apply(Decide(1, way)), 1)).items()))
    assert (after.verb, way.groups) == (best.verb, best.groups)
    assert worth == last == 1000 * value


def test_a_seat_without_a_decision_gets_no_advice() -> None:
    round_ = deal_round(begin_round({1: {"high-low": 1000}, 2: {"high-low": 1000}}))
    with pytest.raises(IllegalAction, match="Seat 2"):
        PRICER.advise(round_.table, view(round_, 2), 2, {})


def test_a_viewer_without_the_cards_gets_no_advice() -> None:
    round_ = asked(TELLING_HANDS[0])
    with pytest.raises(IllegalAction, match="display"):
        PRICER.advise(round_.table, view(round_, Onlooker.DISPLAY), 1, {})


def test_a_viewer_of_the_dealers_cards_gets_no_advice() -> None:
    round_ = asked(TELLING_HANDS[0])
    with pytest.raises(IllegalAction, match="auditor"):
        PRICER.advise(round_.table, view(round_, Onlooker.AUDITOR), 1, {})
