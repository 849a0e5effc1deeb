"""Games priced from their rules: figures computed by hand, with hidden cards above all."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from cardroom.cards import Deck
from cardroom.odds.generic.lazy_cards import cards_in, count_deals
from cardroom.odds.generic.pricer import GenericPricer
from tests.odds.generic.toys import (
    BET,
    DealerPeeks,
    DealerPeeksAfterTheDeal,
    HiddenCard,
    NextIsAHeart,
    QueenOfSpades,
    TwoColors,
    odds,
)


def test_no_decision_uses_a_hidden_card() -> None:
    # Six of thirteen ranks win: playing loses a thirteenth on average, so folding is best. Peeking would win 6/13.
    assert odds(HiddenCard()).expected_return == 0


def test_what_the_dealer_looked_at_before_stays_hidden_from_the_player() -> None:
    # Without the ace, seven ranks win and five lose: 2/13, less the ace's 1/13. Who could peek would win 7/13 - 1/13.
    assert odds(DealerPeeks()).expected_return == Fraction(1, 13)


def test_a_visible_card_gives_information_about_the_dealers_look() -> None:
    # The ace costs 1/13. Low and high are six ranks each: who holds a high card faces 24 low ones and 23 high ones.
    assert odds(DealerPeeksAfterTheDeal()).expected_return == Fraction(24, 52) * Fraction(24 - 23, 51) - Fraction(1, 13)


def test_a_player_uses_visible_cards_that_the_rules_never_look_at() -> None:
    # Without a heart in hand 13 of 51 are hearts: 3 x 13 - 38 = 1. With one, 3 x 12 - 39 = -3, and folding is best.
    assert odds(NextIsAHeart()).expected_return == Fraction(3, 4) * Fraction(1, 51)


def test_the_best_play_of_that_game_folds_hearts() -> None:
    strategy = GenericPricer(NextIsAHeart()).basic_strategy("bet", BET, {})
    assert strategy.cost == 0
    assert [rule.text for rule in strategy.rules][-1] == "otherwise play"
    assert "fold with" in strategy.rules[0].text


def test_a_game_with_a_named_suit_is_priced_by_suit() -> None:
    assert odds(QueenOfSpades()).expected_return == Fraction(50 - 51, 52)


def test_ranks_and_colors_together_are_counted_right() -> None:
    # An ace first pushes. A red card that is no ace is one of 24; then 25 and 24 of the other reds.
    won = Fraction(24 * 25 * 24, 52 * 51 * 50)
    assert odds(TwoColors()).expected_return == 3 * won - (1 - Fraction(1, 13) - won)


def test_partly_known_deals_are_counted_as_if_listed() -> None:
    chance = random.Random(4)

    def those(fits: object) -> int:
        return sum(1 << card.code for card in Deck.ONE.distinct_cards() if fits(card))  # type: ignore[operator]

    sets = [
        those(lambda one: one.rank == 14),
        those(lambda one: one.rank == 13),
        those(lambda one: one.suit == 0),
        those(lambda one: one.is_red),
        1 << 51,
    ]
    crossed = 0
    for _ in range(60):
        kinds = tuple(chance.choice(sets) for _ in range(3))
        listed = sum(len(set(deal)) == 3 for deal in product(*map(cards_in, kinds)))
        assert count_deals(kinds, Deck.ONE) == listed
        crossed += any(one & other not in (0, one, other) for one, other in product(kinds, kinds))
    assert crossed
