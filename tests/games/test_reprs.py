"""The repr of a public value is Python code that evaluates to an equal value."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom import cards, games, hands, paytables
from cardroom.cards import Card, ChaCha20Source, Deck, Shoe, shuffle_shoe
from cardroom.games import Onlooker, Place, default_setup, game, game_slugs, view
from cardroom.games.card_places import Pile
from cardroom.games.settlement import HandComparison
from cardroom.games.texas_shootout.side_wagers import FeatureKind
from cardroom.paytables import BonusKind, Dollars, ForOne, Loss, OperatorBonus, Pay, Percent, Push, ToOne
from cardroom_conformance.sample_rounds import positions

NAMES = {name: getattr(module, name) for module in (cards, hands, paytables, games) for name in module.__all__} | {
    "Fraction": Fraction,
    "HandComparison": HandComparison,
    "FeatureKind": FeatureKind,
}
every_game = pytest.mark.parametrize("slug", game_slugs())

odds = st.fractions(min_value=0, max_value=1000)
pays: st.SearchStrategy[Pay] = st.one_of(
    st.builds(ToOne, odds),
    st.builds(ForOne, odds),
    st.builds(Dollars, st.integers(0, 10**9)),
    st.builds(Percent, st.fractions(Fraction(1, 100), 1)),
    st.builds(OperatorBonus, st.sampled_from(BonusKind)),
    st.just(Push()),
    st.just(Loss()),
)
shoes = st.builds(
    lambda deck, seed, burned: shuffle_shoe(deck, ChaCha20Source.from_seed(seed)).burn(burned),
    st.sampled_from(Deck),
    st.integers(),
    st.integers(0, 5),
)


def evaluate_repr(value: object) -> object:
    return eval(repr(value), dict(NAMES))


@given(value=st.one_of(pays, shoes, st.builds(Place, st.sampled_from(Pile), st.none() | st.integers(1, 7))))
def test_the_repr_of_a_pay_a_shoe_or_a_place_evaluates_to_it(value: Pay | Shoe | Place) -> None:
    assert evaluate_repr(value) == value


@given(cards=st.lists(st.builds(Card, st.integers(0, 52))), verb=st.sampled_from(games.Verb))
def test_the_repr_of_a_decision_evaluates_to_it(cards: list[Card], verb: games.Verb) -> None:
    decision = games.Decision(verb, [cards[:2], cards[2:]] if len(cards) > 2 else [])
    assert evaluate_repr(decision) == decision
    assert evaluate_repr(games.Decide(1, decision)) == games.Decide(1, decision)


def test_the_repr_of_a_member_of_a_public_enumeration_evaluates_to_it() -> None:
    enumerations = [value for value in NAMES.values() if isinstance(value, type) and issubclass(value, Enum)]
    assert len(enumerations) > 8
    for member in (member for enumeration in enumerations for member in enumeration):
        assert evaluate_repr(member) is member


def test_the_repr_of_a_printed_paytable_is_a_lookup_and_that_of_another_is_complete() -> None:
    for slug in paytables.games():
        for wager in paytables.wagers(slug):
            for table in paytables.paytables(slug, wager):
                assert evaluate_repr(table) == table
                assert len(repr(table)) < 120 or not table.columns
    open_table = paytables.paytable("deuces-wild", "bonus-jackpot", "A")
    filled_table = open_table.with_bonuses({"five-wild-cards": "$5,000"})
    assert evaluate_repr(filled_table) == filled_table != open_table


@every_game
def test_the_reprs_of_rounds_turns_views_and_settlements_evaluate_to_them(slug: str) -> None:
    for seed in range(3):
        for position in positions(slug, seed):
            assert evaluate_repr(position) == position
            assert evaluate_repr(position.turn) == position.turn
            assert evaluate_repr(view(position, Onlooker.DISPLAY)) == view(position, Onlooker.DISPLAY)
        settlement = game(slug).settle(position, dict.fromkeys(position.table.spots, 10_000_00))
        assert evaluate_repr(settlement) == settlement


@every_game
def test_the_reprs_of_setups_games_and_tables_evaluate_to_them(slug: str) -> None:
    setup = default_setup(slug)
    assert evaluate_repr(setup) == setup
    assert evaluate_repr(game(slug)) is game(slug)
    assert evaluate_repr(game(slug).open(setup)) == game(slug).open(setup)
