"""Winners of one round are counted together, exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, perm

import pytest

from cardroom.cards import card_from_code
from cardroom.games.dueling_for_dollars.bonuses import matching_lines
from cardroom.odds import PriceRequest, compute_odds
from cardroom.odds.simulation.meter_winners import (
    JointProbabilities,
    UnknownWinners,
    exclusive_wins,
    joint_round_wins,
    winners_counter,
)
from cardroom.paytables import Paytable, paytable

JACKPOTS = [
    ("three-card-prime", "final-four", "F4P-1", {}),
    ("three-card-prime", "all-seven", "A7P-1", {}),
    ("three-card-double-play", "super-six", "S6J-1", {}),
    ("dueling-for-dollars", "tie-after-tie", "PT-BJS-DFD-TAT-04", {"decks": 6}),
    ("dueling-for-dollars", "two-plus-two", "PT-BJS-DFD-22-03", {"decks": 5}),
]
LONG_ONES = [
    ("three-card-double-play", "super-3s", "S3J-2", {}),
    ("dueling-for-dollars", "tie-after-tie", "PT-BJS-DFD-TAT-03", {"decks": 8}),
]


def joint(game: str, wager: str, table: Paytable, settings: dict[str, int]) -> JointProbabilities:
    joint_winners = winners_counter(game).joint_probabilities(wager, table, settings)
    assert isinstance(joint_winners, JointProbabilities)
    return joint_winners


@pytest.mark.parametrize(
    ("game", "wager", "name", "settings"),
    [*JACKPOTS, *(pytest.param(*one, marks=pytest.mark.long) for one in LONG_ONES)],
)
def test_one_seat_wins_as_often_as_the_odds_say_and_all_seats_as_often_on_average(
    game: str, wager: str, name: str, settings: dict[str, int]
) -> None:
    table = paytable(game, wager, name)
    joint_winners = joint(game, wager, table, settings)
    odds = compute_odds(PriceRequest(game, wager, table, settings))
    chances = {outcome.trigger: outcome.probability for outcome in odds.outcomes}
    assert [prize.probability for prize in joint_winners.lines] == [
        chances.get(prize.trigger, 0) for prize in joint_winners.lines
    ]
    for seats in (1, 2, 6):
        at = joint_winners.winners(seats)
        assert all(chance > 0 for chance in at.counts.values())
        for place, prize in enumerate(joint_winners.lines):
            counted = at.winner_counts(place)
            assert sum(count * chance for count, chance in counted.items()) == seats * prize.probability
            assert at.average_share(place) <= 1
    assert joint_winners.winners(6).round_wins.mean_prizes <= exclusive_wins(joint_winners.lines, 6).mean_prizes


def test_two_royals_of_final_four_are_counted_by_hand() -> None:
    joint_winners = joint("three-card-prime", "final-four", paytable("three-card-prime", "final-four", "F4P-1"), {})
    deals = comb(52, 4) * 4 * comb(48, 4) * 4
    # Two of the three suits other than diamonds, each with the ace or the jack as fourth card, for either seat.
    assert joint_winners.winners(2).winner_counts(1)[2] == Fraction(3 * 2 * 2 * 2, deals)
    assert joint_winners.winners(2).counts[1, 1] == Fraction(2 * 3 * 2 * 2, deals)


def test_two_seats_of_two_plus_two_are_counted_card_by_card() -> None:
    """One suit represents all: a royal or four in a row needs four suited cards."""
    table = paytable("dueling-for-dollars", "two-plus-two", "PT-BJS-DFD-22-03")
    decks, suited = 5, [card_from_code(code) for code in range(0, 52, 4)]
    both = 0
    for board in product(suited, repeat=3):
        if len(set(board)) < 3:
            continue
        wins = [
            card for card in suited if matching_lines("two-plus-two", (card, *board))[0] == "four-card-straight-flush"
        ]
        cards = decks * len(wins)
        both += 4 * decks**3 * cards * (cards - 1)
    joint_winners = joint("dueling-for-dollars", "two-plus-two", table, {"decks": decks})
    assert joint_winners.winners(2).winner_counts(1)[2] == Fraction(both, perm(52 * decks, 5))


def test_two_quads_of_one_suit_take_six_of_six_cards() -> None:
    table = paytable("dueling-for-dollars", "tie-after-tie", "PT-BJS-DFD-TAT-02")
    joint_winners = joint("dueling-for-dollars", "tie-after-tie", table, {"decks": 6})
    assert joint_winners.winners(2).winner_counts(0)[2] == Fraction(52 * perm(6, 6), perm(312, 6))
    assert max(joint_winners.winners(6).winner_counts(0)) == 2


def test_five_wild_cards_are_won_by_one_seat() -> None:
    table = paytable("deuces-wild", "bonus-jackpot", "A").with_bonuses({"five-wild-cards": "100%"})
    joint_winners = joint("deuces-wild", "bonus-jackpot", table, {})
    assert joint_winners.winners(6).counts == {(1,): Fraction(6, comb(53, 5))}


def test_uncounted_joint_winners_state_the_reason() -> None:
    table = paytable("texas-shootout", "jackpot", "TS/JP 3")
    joint_winners = winners_counter("texas-shootout").joint_probabilities("jackpot", table, {})
    assert isinstance(joint_winners, UnknownWinners)
    assert "26,000 kinds" in joint_winners.reason
    assert joint_round_wins(PriceRequest("texas-shootout", "jackpot", table, {}), 6) is None
