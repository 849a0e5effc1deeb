"""Unknown cards: payments that do not depend on them are certain; others have a least and a most."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from cardroom.cards import parse_card
from cardroom.conformance.sample_rounds import play_random_round
from cardroom.games import BadRecord, IllegalAction, game_slugs, round_to_json
from cardroom.games import record_settlement as search
from cardroom.games.example_rounds import example_json
from cardroom.games.record import parse_place
from cardroom.games.record_settlement import CERTAIN_TEXT, SettledRecord, UncertainStake, settle_record
from cardroom.games.serialization import settled_record_to_json

PRIME: dict[str, Any] = {
    "table": {
        "game": "three-card-prime",
        "wagers": {
            "ante-play": {"paytable": "PW/BB 1", "limits": {"min": "$10", "max": "$100"}},
            "prime": {"paytable": "PRW-1", "limits": {"min": "$1", "max": "$100"}},
            "final-four": {"paytable": "F4P-1", "limits": {"min": "$1", "max": "$1"}},
        },
    },
    "wagers": {"1": {"ante-play": "$10"}},
    "cards": {"seat 1 hand": ["9h", "9d", "4c"], "seat 1 fourth": ["?"], "burn": ["?"], "dealer": ["Kc", "8s", "3s"]},
    "decisions": [{"seat": 1, "question": "play", "answer": "play"}],
    "meters": {"final-four": "$1,000"},
}


def settled(slug_or_entry: str | dict[str, Any], **cards: list[str]) -> SettledRecord:
    entry = json.loads(example_json(slug_or_entry)) if isinstance(slug_or_entry, str) else slug_or_entry
    piles = {place.replace("_", " "): pile for place, pile in cards.items()}
    return settle_record(json.dumps({**entry, "cards": entry["cards"] | piles}))


def doubts(answer: SettledRecord) -> dict[tuple[int, str, str], UncertainStake]:
    return {(one.seat, one.spot, one.stake): one for one in answer.uncertain_stakes}


def test_burnt_cards_and_a_card_that_no_wager_looks_at_change_nothing() -> None:
    answer = settled(PRIME)
    assert answer.is_certain
    known = settled(PRIME, burn=["2c"], seat_1_fourth=["2d"])
    assert answer.stake_results == known.stake_results
    assert "K♣ 8♠ 3♠, king high, K-8-3, qualifies" in answer.dealer_description
    assert known.unknown_counts is None


@pytest.mark.parametrize("slug", game_slugs())
def test_what_is_certain_without_a_card_is_what_it_was_with_it(slug: str) -> None:
    """One card of each game's example at a time: what is certain is what it was, and what is not holds it."""
    entry = json.loads(example_json(slug))
    whole = settle_record(json.dumps(entry)).settlement
    backs = 0
    for place, pile in entry["cards"].items():
        answer = settled(slug, **{place: ["?", *pile[1:]]})
        for one in answer.settlement.payments:
            same = [each for each in whole.seat_payments(one.seat) if (each.spot, each.stake) == (one.spot, one.stake)]
            assert sum(each.known_return for each in same) == one.known_return or len(same) > 1
        for stake, doubt in doubts(answer).items():
            paid = sum(
                each.known_return for each in whole.seat_payments(stake[0]) if (each.spot, each.stake) == stake[1:]
            )
            assert doubt.is_exact
            assert doubt.least.returned <= paid <= doubt.most.returned
            assert doubt.least.returned < doubt.most.returned
        backs += len(answer.uncertain_stakes)
    assert backs


def test_the_least_and_the_most_are_those_of_every_card_tried_by_hand() -> None:
    answer = settled(PRIME, dealer=["Kc", "?", "?"])
    known = {"9h", "9d", "4c", "Kc"}
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    found: dict[str, set[int]] = {"ante": set(), "play": set()}
    dice = random.Random(5)
    for two in dice.sample(list(combinations([one for one in deck if one not in known], 2)), 200):
        burn, fourth = [one for one in deck if one not in known and one not in two][:2]
        for one in settled(PRIME, dealer=["Kc", *two], burn=[burn], seat_1_fourth=[fourth]).settlement.payments:
            found[one.stake].add(one.known_return)
    uncertain = doubts(answer)
    for stake, amounts in found.items():
        doubt = uncertain[1, "ante-play", stake]
        assert doubt.trial_count == 48 * 47 // 2
        assert (doubt.least.returned, doubt.most.returned) == (min(amounts), max(amounts))


def test_the_cards_that_are_shown_really_make_the_least_and_the_most() -> None:
    answer = settled("three-card-prime", dealer=["?", "6d", "Tc"])
    assert answer.uncertain_stakes
    for doubt in answer.uncertain_stakes:
        for one in (doubt.least, doubt.most):
            ((place, (filled,)),) = one.cards.items()
            again = settled("three-card-prime", **{str(place): [str(filled), "6d", "Tc"]})
            same = [each for each in again.settlement.seat_payments(doubt.seat) if each.stake == doubt.stake]
            assert same == list(one.payments)
            assert one.returned == same[0].known_return


def test_an_amount_that_is_the_same_with_every_card_is_certain_and_says_so() -> None:
    answer = settled("three-card-prime", dealer=["?", "6d", "Tc"])
    (all_six,) = [one for one in answer.settlement.seat_payments(1) if one.stake == "all-six"]
    assert (all_six.text, all_six.cards, all_six.known_return) == (CERTAIN_TEXT, (), 0)


def test_only_a_tie_fits_a_seat_that_surrendered() -> None:
    """Whether a question was asked says something of the cards."""
    ties = settled("dueling-for-dollars", **{"seat 1 hand": ["?"]})
    (tie_after_tie,) = ties.uncertain_stakes
    assert tie_after_tie.trial_count == 4
    assert {
        str(one)[0] for possible in (tie_after_tie.least, tie_after_tie.most) for one in possible.cards.popitem()[1]
    } == {"6"}


def test_cards_that_an_answer_names_are_known_with_it() -> None:
    entry = json.loads(example_json("texas-shootout"))
    entry["wagers"] = {"2": entry["wagers"]["2"]}
    entry["decisions"] = [one for one in entry["decisions"] if one["seat"] == 2]
    entry["cards"] = {place: pile for place, pile in entry["cards"].items() if place[:6] not in ("seat 1", "seat 3")}
    answer = settled(entry, **{"seat 2 hand": ["?", "?", "?", "?"]})
    assert set(doubts(answer)) == {(2, "quick-draw", "quick-draw")}
    (doubt,) = answer.uncertain_stakes
    assert doubt.trial_count == 52 * 53 // 2
    assert sum(map(len, doubt.most.cards.values())) == 2


def test_no_card_of_another_seat_can_be_the_unknown_one() -> None:
    answer = settled(PRIME, dealer=["Kc", "8s", "?"])
    assert all(doubt.trial_count == 52 - 5 for doubt in answer.uncertain_stakes)
    assert answer.uncertain_stakes


SHARED = PRIME | {
    "wagers": {"1": {"ante-play": "$10", "final-four": "$1"}, "2": {"ante-play": "$10", "final-four": "$1"}},
    "cards": {
        "seat 1 hand": ["Kh", "Qh", "Jh"],
        "seat 1 fourth": ["Ah"],
        "seat 2 hand": ["Ks", "Qs", "Js"],
        "seat 2 fourth": ["?"],
        "burn": ["2c"],
        "dealer": ["9c", "7h", "3s"],
    },
    "decisions": [{"seat": seat, "question": "play", "answer": "fold"} for seat in (1, 2)],
}


def test_another_seats_unknown_card_decides_how_a_share_of_a_meter_is_divided() -> None:
    """A royal wins 10 % of $1,000; with the ace of spades there are two of them."""
    uncertain = doubts(settled(SHARED))
    mine, other = uncertain[1, "final-four", "final-four"], uncertain[2, "final-four", "final-four"]
    assert (mine.least.returned, mine.most.returned) == (50_00, 100_00)
    assert mine.least.cards == {parse_place("seat 2 fourth"): (parse_card("As"),)}
    assert (other.least.returned, other.most.returned) == (40_00, 1_000_00)
    alone = settled(SHARED, seat_2_fourth=["2d"])
    assert [one.known_return for one in alone.settlement.seat_payments(1)] == [0, 100_00]


def test_where_there_are_too_many_cards_it_says_that_not_all_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SETTLED_SEATS", 40)
    monkeypatch.setattr(search, "SAMPLE_SIZE", 30)
    answer = settled(PRIME, dealer=["?", "?", "?"])
    document = settled_record_to_json(answer)
    assert not document["certain"]
    assert {doubt.is_exact for doubt in answer.uncertain_stakes} == {False}
    assert "30 ways were tried, not all" in document["payments"][0]["words"]
    assert answer.stake_results == settled(PRIME, dealer=["?", "?", "?"]).stake_results


def test_a_stake_that_all_tries_leave_the_same_is_still_not_called_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SETTLED_SEATS", 10)
    monkeypatch.setattr(search, "SAMPLE_SIZE", 2)
    entry = PRIME | {"wagers": {"1": {"ante-play": "$10", "prime": "$1"}}}
    answer = settled(entry, seat_1_hand=["9h", "9d", "4h"], dealer=["Kc", "8s", "?"])
    prime = doubts(answer)[1, "prime", "prime"]
    assert not prime.is_exact
    assert not prime.has_range
    assert settled_record_to_json(answer)["payments"][-1]["words"].startswith("not decided: ")


def test_json_keeps_its_fields_and_adds_what_is_in_doubt() -> None:
    document = settled_record_to_json(settled(PRIME, dealer=["?", "8s", "3s"]))
    assert (document["certain"], document["house"]) == (False, None)
    assert document["unknown"] == {"seat 1 fourth": 1, "burn": 1, "dealer": 1}
    assert document["seats"] == {"1": {"wagered": 2000, "returned": None, "net": None}}
    for one in document["payments"]:
        assert (one["returned"], one["certain"], one["exact"]) == (None, False, True)
        assert one["least"]["returned"] < one["most"]["returned"]
        assert set(one["least"]["with"]) == {"dealer"}
        assert {"seat", "spot", "stake", "event", "words", "cards", "pays", "wagered", "net", "meter"} <= set(one)
    assert settled_record_to_json(settled(PRIME))["certain"] is True
    whole = settled_record_to_json(settled(PRIME, burn=["2c"], seat_1_fourth=["2d"]))
    assert not {"certain", "unknown"} & set(whole)


def test_what_is_wrong_whatever_the_cards_were_is_refused() -> None:
    with pytest.raises(BadRecord):
        settled(PRIME, burn=[])
    with pytest.raises(BadRecord):
        settled(PRIME, seat_1_fourth=["?", "?"])
    wrong = PRIME | {"decisions": [{"seat": 1, "question": "play", "answer": "raise"}]}
    with pytest.raises(IllegalAction):
        settled(wrong)
    with pytest.raises(BadRecord):
        settled("dueling-for-dollars", **{"seat 1 hand": ["?"], "community": ["7d"]})


def test_a_card_is_read_as_it_is_printed() -> None:
    printed = settled(PRIME, dealer=["K♣", "8♠", "3♠"], seat_1_hand=["9♥", "9d", "4C"])
    assert printed.stake_results == settled(PRIME).stake_results
    assert parse_card("10♥") == parse_card("Th")


@pytest.mark.parametrize("slug", game_slugs())
def test_whatever_card_of_a_random_round_is_hidden_the_truth_is_among_what_is_shown(slug: str) -> None:
    dice, certain, doubtful = random.Random(slug), 0, 0
    for seed in range(8):
        end = play_random_round(slug, seed)
        meters = {spot: 1_234_56 for spot, offered in end.table.spots.items() if offered.has_meter}
        entry = round_to_json(end) | {"meters": meters}
        place, pile = dice.choice([one for one in entry["cards"].items() if one[0] != "burn"])
        pile[dice.randrange(len(pile))] = "?"
        paid = Counter[tuple[int, str, str]]()
        for one in end.game.settle(end, meters).payments:
            paid[one.seat, one.spot, one.stake] += one.known_return
        answer = settle_record(json.dumps(entry))
        payments = Counter[tuple[int, str, str]]()
        for payment in answer.settlement.payments:
            payments[payment.seat, payment.spot, payment.stake] += payment.known_return
        for stake, doubt in doubts(answer).items():
            assert doubt.least.returned <= paid[stake] <= doubt.most.returned, (place, doubt)
            payments[stake] = paid[stake]
        assert payments == paid
        certain += len(answer.settlement.payments)
        doubtful += len(answer.uncertain_stakes)
    assert certain
    assert doubtful


# The order of the deal, where the dealer of Texas Shootout has equal choices (TS-1)

SHOOTOUT: dict[str, Any] = {
    "table": {"game": "texas-shootout", "wagers": {"shootout": {"limits": {"min": "$10", "max": "$100"}}}},
    "wagers": {"1": {"shootout": "$10"}, "2": {"shootout": "$10"}},
    "cards": {
        "seat 1 hand": ["Kc", "Kd", "As", "7c"],
        "seat 2 hand": ["As", "As", "As", "As"],
        "community": ["Ks", "8s", "6s", "2s", "3d"],
    },
    "decisions": [
        {"seat": 1, "question": "hand", "answer": "keep Kd Kc"},
        {"seat": 2, "question": "hand", "answer": "keep As As"},
    ],
}
"""Three kings lose to a flush only, and the dealer has one with the last ace of spades only."""


def test_an_unknown_card_of_the_dealer_counts_where_it_was_dealt() -> None:
    assert settled(SHOOTOUT, dealer=["Ah", "Ad", "9c", "?"]).is_certain
    (doubt,) = settled(SHOOTOUT, dealer=["?", "Ah", "Ad", "9c"]).uncertain_stakes
    assert doubt.seat == 1
    assert (doubt.least.returned, doubt.most.returned, doubt.trial_count) == (0, 20_00, 52)
    assert [*doubt.least.cards.values()] == [(parse_card("As"),)]


def test_unknown_cards_of_the_dealer_are_tried_in_every_order_that_makes_a_difference() -> None:
    (doubt,) = settled(SHOOTOUT, dealer=["?", "Ah", "Ad", "?"]).uncertain_stakes
    assert (doubt.seat, doubt.least.returned, doubt.most.returned, doubt.is_exact) == (1, 0, 20_00, True)
    ((first, _),) = doubt.least.cards.values()
    assert first == parse_card("As")
    # Any two cards, but for two aces of spades; twice each an ace of clubs or spades with a card of another rank, both
    # of them, and another ace of hearts and of diamonds.
    assert doubt.trial_count == 52 * 53 // 2 - 1 + 2 * 48 + 1 + 1


def test_a_missing_card_of_the_dealer_is_named_before_anything_is_tried() -> None:
    with pytest.raises(BadRecord):
        settled(SHOOTOUT, dealer=["?", "Ah", "Ad"])
