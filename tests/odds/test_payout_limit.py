"""Figures with a payout limit: exact for one player, compared with what the rules pay."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from cardroom.games import default_setup, game, round_from_json
from cardroom.games.setup import setup_to_json, with_custom_paytables
from cardroom.odds import compute_odds
from cardroom.odds.result import Odds, to_json
from cardroom.odds.table_prices import request_at
from cardroom.paytables import PaytableSpec, build_custom_paytable
from tests.games.shootout_rounds import Seat, play_round

LIMIT = 20_000_00


def odds(slug: str, wager: str, limit: int | None = LIMIT) -> Odds:
    table = game(slug).open(replace(default_setup(slug), payout_limit=limit))
    return compute_odds(request_at(table, wager))


@pytest.mark.parametrize(
    ("slug", "wager", "units"),
    [
        ("deuces-wild", "ante-play-raise", 4),
        ("deuces-wild", "five-card-fortune", 1),
        ("texas-shootout", "quick-draw", 1),
    ],
)
def test_each_prize_counts_up_to_the_payout_limit(slug: str, wager: str, units: int) -> None:
    free, found = odds(slug, wager, None), odds(slug, wager)
    largest = found.largest_wager_odds
    assert largest is not None
    assert found.limit is not None
    most = Fraction(LIMIT, found.limit.largest_cents)
    expected = (
        sum((outcome.combinations * min(outcome.net, most) for outcome in free.distribution), Fraction(0))
        / free.combinations
    )
    assert largest.expected_return == expected
    assert free.expected_return is not None
    assert expected < free.expected_return
    assert max(outcome.net for outcome in largest.distribution) == most
    assert (
        most
        < max(outcome.net for outcome in free.distribution)
        == units * max(outcome.net / units for outcome in free.distribution)
    )


def test_a_limit_that_one_player_cannot_reach_changes_no_figure() -> None:
    free, found = odds("three-card-prime", "prime", None), odds("three-card-prime", "prime")
    assert found == free, "a wager with short odds is not covered"
    free, found = odds("three-card-prime", "pair-bonus", None), odds("three-card-prime", "pair-bonus")
    assert found.expected_return == free.expected_return
    assert found.largest_wager_odds is not None
    assert found.largest_wager_odds.expected_return == free.expected_return


def test_two_hands_of_a_matched_bonus_share_the_limit_as_the_rules_pay_it() -> None:
    priced = odds("texas-shootout", "shootout-bonus").largest_wager_odds
    assert priced is not None
    setup = replace(default_setup("texas-shootout"), payout_limit=LIMIT)
    seat = Seat("As As Ks Ks", "split As As | Ks Ks", {"shootout-bonus": 100_00}, bonus="match")
    end = play_round(seat, board="As As As 5h 3c", setup=setup)
    paid = [payment for payment in end.game.settle(end).seat_payments(1) if payment.spot == "shootout-bonus"]
    net = sum(payment.known_return - payment.wagered for payment in paid)
    assert net < 500_000_00
    names = {payment.event for payment in paid}
    alike = [
        outcome
        for outcome in priced.distribution
        if outcome.stake_wins and {event for event, _ in outcome.stake_wins} == names
    ]
    assert [one.net * 100_00 for one in alike] == [net]


def test_a_single_hand_is_paid_what_its_outcome_says() -> None:
    priced = odds("texas-shootout", "shootout-bonus").largest_wager_odds
    assert priced is not None
    top = priced.distribution[0]
    assert top.net * 100_00 == LIMIT
    assert top.pays.endswith(", limited to $20,000")


def test_a_prize_for_1_counts_over_the_wager_as_the_rules_pay_it() -> None:
    """51 for 1 is 50 to 1, so a limit of 50 times the largest wager changes no figure, and a lower one the net."""
    rules = game("texas-shootout")
    own = build_custom_paytable(
        "texas-shootout", "quick-draw", PaytableSpec("For 1", "for 1", (("four-of-a-kind", "51"),))
    )
    setup = with_custom_paytables(default_setup("texas-shootout"), [own], rules.facts)
    for cents, units in ((5_000_00, 50), (2_000_00, 20)):
        at = replace(setup, payout_limit=cents, jurisdiction="tribal")
        priced = compute_odds(request_at(rules.open(at), "quick-draw")).largest_wager_odds
        assert priced is not None
        assert max(outcome.net for outcome in priced.distribution) == units
        winner = Seat("As Ah Ad Ac", "keep As Ah", {"quick-draw": 100_00})
        end = play_round(winner, setup=at)
        assert [payment.net for payment in rules.settle(end).seat_payments(1) if payment.spot == "quick-draw"] == [
            units * 100_00
        ]


def test_the_json_has_the_limit_the_wagers_and_the_figures_for_the_largest_wager() -> None:
    priced = odds("deuces-wild", "five-card-fortune")
    entry = to_json(priced)["payout_limit"]
    assert (entry["cents"], entry["wager_cents"], entry["largest_wager_cents"]) == (LIMIT, 1_00, 100_00)
    largest = priced.largest_wager_odds
    assert largest is not None
    assert largest.house_edge is not None
    assert entry["at_largest_wager"]["house_edge"] == float(largest.house_edge) > to_json(priced)["house_edge"]
    assert "payout_limit" not in to_json(odds("deuces-wild", "five-card-fortune", None))


def test_the_rules_pay_one_player_of_deuces_wild_what_the_figures_say() -> None:
    """A raised Natural Royal Flush: four Antes at 250 to 1, reduced to the limit."""
    setup = replace(default_setup("deuces-wild"), payout_limit=LIMIT)
    record = {
        "table": setup_to_json(setup),
        "wagers": {"1": {"ante-play-raise": 200_00}},
        "cards": {
            "seat 1 hand": ["Ah", "Kh", "Qh"],
            "seat 1 fourth": ["Jh"],
            "seat 1 fifth": ["Th"],
            "community": ["3c", "4d", "5s", "7c"],
        },
        "decisions": [
            {"seat": 1, "question": "play", "answer": "play"},
            {"seat": 1, "question": "raise", "answer": "raise"},
        ],
    }
    end = round_from_json(record)
    assert end.game.settle(end).net(1) == LIMIT
    largest = odds("deuces-wild", "ante-play-raise").largest_wager_odds
    assert largest is not None
    assert max(outcome.net for outcome in largest.distribution) * 200_00 == LIMIT
