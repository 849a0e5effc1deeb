"""The values of the choices from the counts of every deal, computed in several ways."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.cards import card_from_code
from cardroom.games import Decision
from cardroom.odds.texas_shootout.best_strategy import best_choices, best_outcome_counts
from cardroom.odds.texas_shootout.hand_values import (
    class_values,
    count_outcomes,
    hand_choice_values,
    hand_classes,
    mean_net,
)
from cardroom.odds.texas_shootout.hands_and_boards import CHOICE_COUNT, KEEPS, SPLITS, choice_decision
from cardroom.odds.texas_shootout.payoffs import TIES, example_payoff, outcome_results
from cardroom.odds.texas_shootout.pricer import PRICER
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.wide_integers import to_int
from cardroom.paytables import paytables

DEALS = comb(312, 4) * comb(308, 5) * comb(303, 4)


@pytest.mark.parametrize("ties", TIES)
def test_the_best_play_wins_in_all_deals_together_what_its_choices_win_hand_by_hand(ties: str) -> None:
    values, chosen = class_values(ties), best_choices(ties)
    best = values[np.arange(len(chosen)), chosen].tolist()
    won = sum(int(ways) * to_int(one) for ways, one in zip(hand_classes().combinations, best, strict=True))
    assert mean_net(best_outcome_counts(ties), ties) == Fraction(won, 6 * DEALS)


@pytest.mark.parametrize("ties", TIES)
def test_no_choice_of_any_hand_is_worth_more_than_the_best_one(ties: str) -> None:
    chosen = best_choices(ties)
    met = set()
    for number, values in list(enumerate(class_values(ties).tolist()))[::101]:
        worth = [to_int(number) for number in values]
        # The first of equal choices.
        assert worth.index(max(worth)) == chosen[number]
        met.add(int(chosen[number]))
    assert len(met) > SPLITS


@pytest.mark.parametrize("choice", range(CHOICE_COUNT))
def test_any_choices_account_for_every_deal(choice: int) -> None:
    ends = count_outcomes(np.full(len(hand_classes()), choice, np.uint8))
    assert sum(ends) == DEALS
    assert all(count > 0 for end, count in enumerate(ends) if (len(outcome_results(end)) == 1) is (choice < KEEPS))
    assert not any(count for end, count in enumerate(ends) if (len(outcome_results(end)) == 1) is (choice >= KEEPS))


@pytest.mark.parametrize("ties", TIES)
def test_a_mean_is_what_the_rules_pay_for_each_end(ties: str) -> None:
    ends = best_outcome_counts(ties)
    won = sum(count * example_payoff(outcome_results(end), ties).net for end, count in enumerate(ends))
    assert mean_net(ends, ties) == Fraction(won) / DEALS


@pytest.mark.parametrize("ties", TIES)
def test_each_hand_of_a_split_plays_the_dealer_for_a_wager_of_its_own(ties: str) -> None:
    values = class_values(ties)
    for split in range(SPLITS):
        assert (values[:, KEEPS + split] == values[:, split] + values[:, KEEPS - 1 - split]).all()


def test_hands_that_differ_in_their_suits_are_worth_the_same_choice_by_choice() -> None:
    dice, hands = random.Random(3), tablebase().hands
    for _ in range(60):
        one, suits = hands[dice.randrange(len(hands))].tolist(), dice.sample(range(4), 4)
        for ties in TIES:
            mine, other = (
                {
                    (what.verb, _groups(what, suits if codes is one else range(4))): value
                    for what, value in PRICER.hand_values(
                        "shootout", MAIN, {"ties": ties}, tuple(map(card_from_code, codes))
                    )
                }
                for codes in (one, [code & ~3 | suits[code & 3] for code in one])
            )
            assert mine == other


def _groups(one: Decision, suits: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The cards of each played hand with exchanged suits, in any order."""
    return tuple(sorted(tuple(sorted(c.code & ~3 | suits[c.code & 3] for c in group)) for group in one.groups))


def test_a_hand_is_worth_what_its_class_is() -> None:
    values = class_values("push")
    for number in range(0, len(hand_classes()), 1501):
        codes = hand_classes().hands[number]
        by_choice = {
            choice_decision(codes, choice): value
            for choice, value in enumerate(hand_choice_values(codes.tolist(), "push"))
        }
        for choice in range(CHOICE_COUNT):
            expected = Fraction(to_int(values[number, choice]), tablebase().deals)
            assert by_choice[choice_decision(codes, choice)] == expected


MAIN = paytables("texas-shootout", "shootout")[0]
