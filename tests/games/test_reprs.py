"""What a public value prints in a session can be typed back in, and gives the same value."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom import cards, games, hands, paytables
from cardroom.cards import Card, ChaCha20Source, Deck, Shoe, shuffle_shoe
from cardroom.conformance.sample_rounds import positions
from cardroom.games import Onlooker, Place, default_setup, game, game_slugs, view
from cardroom.games.card_places import Pile
from cardroom.games.settlement import HandComparison
from cardroom.games.texas_shootout.side_wagers import FeatureKind
from cardroom.paytables import BonusKind, Dollars, ForOne, Loss, OperatorBonus, Pay, Percent, Push, ToOne

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


def type_back_in(value: object) -> object:
    return eval(repr(value), dict(NAMES))


@given(value=st.one_of(pays, shoes, st.builds(Place, st.sampled_from(Pile), st.none() | st.integers(1, 7))))
def test_pays_shoes_and_places(value: Pay | Shoe | Place) -> None:
    assert type_back_in(value) == value


@given(cards=st.lists(st.builds(Card, st.integers(0, 52))), verb=st.sampled_from(games.Verb))
def test_decisions(cards: list[Card], verb: games.Verb) -> None:
    decision = games.Decision(verb, [cards[:2], cards[2:]] if len(cards) > 2 else [])
    assert type_back_in(decision) == decision
    assert type_back_in(games.Decide(1, decision)) == games.Decide(1, decision)


def test_members_of_public_enumerations() -> None:
    enumerations = [value for value in NAMES.values() if isinstance(value, type) and issubclass(value, Enum)]
    assert len(enumerations) > 8
    for member in (member for enumeration in enumerations for member in enumeration):
        assert type_back_in(member) is member


def test_printed_paytables_are_looked_up_and_others_are_written_in_full() -> None:
    for slug in paytables.games():
        for wager in paytables.wagers(slug):
            for table in paytables.paytables(slug, wager):
                assert type_back_in(table) == table
                assert len(repr(table)) < 120 or not table.columns
    open_table = paytables.paytable("deuces-wild", "bonus-jackpot", "A")
    filled_table = open_table.with_bonuses({"five-wild-cards": "$5,000"})
    assert type_back_in(filled_table) == filled_table != open_table


@every_game
def test_rounds_and_everything_in_them(slug: str) -> None:
    for seed in range(3):
        for position in positions(slug, seed):
            assert type_back_in(position) == position
            assert type_back_in(position.turn) == position.turn
            assert type_back_in(view(position, Onlooker.DISPLAY)) == view(position, Onlooker.DISPLAY)
        settlement = game(slug).settle(position, dict.fromkeys(position.table.spots, 10_000_00))
        assert type_back_in(settlement) == settlement


@every_game
def test_setups_and_tables(slug: str) -> None:
    setup = default_setup(slug)
    assert type_back_in(setup) == setup
    assert type_back_in(game(slug)) is game(slug)
    assert type_back_in(game(slug).open(setup)) == game(slug).open(setup)
