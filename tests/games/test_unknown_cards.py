"""Unknown cards: a payment that does not depend on them is certain; any other has a smallest and a largest amount."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from cardroom.cards import parse_card
from cardroom.games import BadRecord, IllegalAction, game_slugs, round_to_json
from cardroom.games import record_settlement as search
from cardroom.games.example_rounds import example_json
from cardroom.games.record import parse_place
from cardroom.games.record_settlement import CERTAIN_TEXT, SettledRecord, UncertainStake, settle_record
from cardroom.games.serialization import settled_record_to_json
from cardroom_conformance.sample_rounds import play_random_round

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


def settle_entry(slug_or_entry: str | dict[str, Any], **cards: list[str]) -> SettledRecord:
    entry = json.loads(example_json(slug_or_entry)) if isinstance(slug_or_entry, str) else slug_or_entry
    piles = {place.replace("_", " "): pile for place, pile in cards.items()}
    return settle_record(json.dumps({**entry, "cards": entry["cards"] | piles}))


def index_uncertain_stakes(record: SettledRecord) -> dict[tuple[int, str, str], UncertainStake]:
    return {(doubt.seat, doubt.spot, doubt.stake): doubt for doubt in record.uncertain_stakes}


def test_unknown_cards_that_no_wager_depends_on_change_nothing() -> None:
    record = settle_entry(PRIME)
    assert record.is_certain
    known = settle_entry(PRIME, burn=["2c"], seat_1_fourth=["2d"])
    assert record.stake_results == known.stake_results
    assert "K♣ 8♠ 3♠, king high, K-8-3, qualifies" in record.dealer_description
    assert known.unknown_counts is None


@pytest.mark.parametrize("slug", game_slugs())
def test_a_payment_that_is_certain_without_a_card_is_the_same_with_it(slug: str) -> None:
    """Hide one card of each game's example at a time. Certain payments stay the same; ranges include the payment."""
    entry = json.loads(example_json(slug))
    complete = settle_record(json.dumps(entry)).settlement
    uncertain_count = 0
    for place, pile in entry["cards"].items():
        record = settle_entry(slug, **{place: ["?", *pile[1:]]})
        for payment in record.settlement.payments:
            same_stake = [
                line
                for line in complete.seat_payments(payment.seat)
                if (line.spot, line.stake) == (payment.spot, payment.stake)
            ]
            assert sum(line.known_return for line in same_stake) == payment.known_return or len(same_stake) > 1
        for stake, doubt in index_uncertain_stakes(record).items():
            returned = sum(
                line.known_return for line in complete.seat_payments(stake[0]) if (line.spot, line.stake) == stake[1:]
            )
            assert doubt.is_exact
            assert doubt.least.returned <= returned <= doubt.most.returned
            assert doubt.least.returned < doubt.most.returned
        uncertain_count += len(record.uncertain_stakes)
    assert uncertain_count


def test_the_range_of_a_stake_is_that_of_a_search_over_sampled_cards() -> None:
    record = settle_entry(PRIME, dealer=["Kc", "?", "?"])
    known = {"9h", "9d", "4c", "Kc"}
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    amounts_by_stake: dict[str, set[int]] = {"ante": set(), "play": set()}
    dice = random.Random(5)
    for two in dice.sample(list(combinations([card for card in deck if card not in known], 2)), 200):
        burn, fourth = [card for card in deck if card not in known and card not in two][:2]
        for payment in settle_entry(
            PRIME, dealer=["Kc", *two], burn=[burn], seat_1_fourth=[fourth]
        ).settlement.payments:
            amounts_by_stake[payment.stake].add(payment.known_return)
    uncertain = index_uncertain_stakes(record)
    for stake, amounts in amounts_by_stake.items():
        doubt = uncertain[1, "ante-play", stake]
        assert doubt.trial_count == 48 * 47 // 2
        assert (doubt.least.returned, doubt.most.returned) == (min(amounts), max(amounts))


def test_the_cards_shown_for_the_least_and_the_most_pay_these_amounts() -> None:
    record = settle_entry("three-card-prime", dealer=["?", "6d", "Tc"])
    assert record.uncertain_stakes
    for doubt in record.uncertain_stakes:
        for extreme in (doubt.least, doubt.most):
            ((place, (filled,)),) = extreme.cards.items()
            refilled = settle_entry("three-card-prime", **{str(place): [str(filled), "6d", "Tc"]})
            same_stake = [line for line in refilled.settlement.seat_payments(doubt.seat) if line.stake == doubt.stake]
            assert same_stake == list(extreme.payments)
            assert extreme.returned == same_stake[0].known_return


def test_a_stake_that_pays_the_same_with_every_card_is_described_as_certain() -> None:
    record = settle_entry("three-card-prime", dealer=["?", "6d", "Tc"])
    (all_six,) = [payment for payment in record.settlement.seat_payments(1) if payment.stake == "all-six"]
    assert (all_six.text, all_six.cards, all_six.known_return) == (CERTAIN_TEXT, (), 0)


def test_only_tying_cards_are_possible_for_a_seat_that_surrendered() -> None:
    """A decision in the record limits the possible cards."""
    record = settle_entry("dueling-for-dollars", **{"seat 1 hand": ["?"]})
    (tie_after_tie,) = record.uncertain_stakes
    assert tie_after_tie.trial_count == 4
    assert {
        str(card)[0] for possible in (tie_after_tie.least, tie_after_tie.most) for card in possible.cards.popitem()[1]
    } == {"6"}


def test_cards_that_a_decision_names_are_known() -> None:
    entry = json.loads(example_json("texas-shootout"))
    entry["wagers"] = {"2": entry["wagers"]["2"]}
    entry["decisions"] = [decision for decision in entry["decisions"] if decision["seat"] == 2]
    entry["cards"] = {place: pile for place, pile in entry["cards"].items() if place[:6] not in ("seat 1", "seat 3")}
    record = settle_entry(entry, **{"seat 2 hand": ["?", "?", "?", "?"]})
    assert set(index_uncertain_stakes(record)) == {(2, "quick-draw", "quick-draw")}
    (doubt,) = record.uncertain_stakes
    assert doubt.trial_count == 52 * 53 // 2
    assert sum(map(len, doubt.most.cards.values())) == 2


def test_a_known_card_of_the_round_cannot_be_the_unknown_card() -> None:
    record = settle_entry(PRIME, dealer=["Kc", "8s", "?"])
    assert all(doubt.trial_count == 52 - 5 for doubt in record.uncertain_stakes)
    assert record.uncertain_stakes


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


def test_an_unknown_card_of_another_seat_can_decide_how_a_percentage_is_divided() -> None:
    """A royal wins 10% of $1,000. With the ace of spades there are two royals."""
    uncertain = index_uncertain_stakes(settle_entry(SHARED))
    mine, other = uncertain[1, "final-four", "final-four"], uncertain[2, "final-four", "final-four"]
    assert (mine.least.returned, mine.most.returned) == (50_00, 100_00)
    assert mine.least.cards == {parse_place("seat 2 fourth"): (parse_card("As"),)}
    assert (other.least.returned, other.most.returned) == (40_00, 1_000_00)
    alone = settle_entry(SHARED, seat_2_fourth=["2d"])
    assert [payment.known_return for payment in alone.settlement.seat_payments(1)] == [0, 100_00]


def test_the_text_of_a_sampled_range_says_that_not_all_cards_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SETTLED_SEATS", 40)
    monkeypatch.setattr(search, "SAMPLE_SIZE", 30)
    record = settle_entry(PRIME, dealer=["?", "?", "?"])
    document = settled_record_to_json(record)
    assert not document["certain"]
    assert {doubt.is_exact for doubt in record.uncertain_stakes} == {False}
    assert "30 ways were tried, not all" in document["payments"][0]["words"]
    assert record.stake_results == settle_entry(PRIME, dealer=["?", "?", "?"]).stake_results


def test_a_stake_that_is_the_same_in_all_samples_is_not_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MAX_SETTLED_SEATS", 10)
    monkeypatch.setattr(search, "SAMPLE_SIZE", 2)
    entry = PRIME | {"wagers": {"1": {"ante-play": "$10", "prime": "$1"}}}
    record = settle_entry(entry, seat_1_hand=["9h", "9d", "4h"], dealer=["Kc", "8s", "?"])
    prime = index_uncertain_stakes(record)[1, "prime", "prime"]
    assert not prime.is_exact
    assert not prime.has_range
    assert settled_record_to_json(record)["payments"][-1]["words"].startswith("not decided: ")


def test_the_json_keeps_its_fields_and_adds_the_uncertain_ones() -> None:
    document = settled_record_to_json(settle_entry(PRIME, dealer=["?", "8s", "3s"]))
    assert (document["certain"], document["house"]) == (False, None)
    assert document["unknown"] == {"seat 1 fourth": 1, "burn": 1, "dealer": 1}
    assert document["seats"] == {"1": {"wagered": 2000, "returned": None, "net": None}}
    for line in document["payments"]:
        assert (line["returned"], line["certain"], line["exact"]) == (None, False, True)
        assert line["least"]["returned"] < line["most"]["returned"]
        assert set(line["least"]["with"]) == {"dealer"}
        assert {"seat", "spot", "stake", "event", "words", "cards", "pays", "wagered", "net", "meter"} <= set(line)
    assert settled_record_to_json(settle_entry(PRIME))["certain"] is True
    complete = settled_record_to_json(settle_entry(PRIME, burn=["2c"], seat_1_fourth=["2d"]))
    assert not {"certain", "unknown"} & set(complete)


def test_a_record_that_no_cards_can_make_right_is_refused() -> None:
    with pytest.raises(BadRecord):
        settle_entry(PRIME, burn=[])
    with pytest.raises(BadRecord):
        settle_entry(PRIME, seat_1_fourth=["?", "?"])
    wrong = PRIME | {"decisions": [{"seat": 1, "question": "play", "answer": "raise"}]}
    with pytest.raises(IllegalAction):
        settle_entry(wrong)
    with pytest.raises(BadRecord):
        settle_entry("dueling-for-dollars", **{"seat 1 hand": ["?"], "community": ["7d"]})


def test_a_printed_card_can_be_read() -> None:
    printed = settle_entry(PRIME, dealer=["K♣", "8♠", "3♠"], seat_1_hand=["9♥", "9d", "4C"])
    assert printed.stake_results == settle_entry(PRIME).stake_results
    assert parse_card("10♥") == parse_card("Th")


@pytest.mark.parametrize("slug", game_slugs())
def test_the_true_payments_of_a_random_round_with_a_hidden_card_are_within_the_ranges(slug: str) -> None:
    dice, certain, doubtful = random.Random(slug), 0, 0
    for seed in range(8):
        end = play_random_round(slug, seed)
        meters = {spot: 1_234_56 for spot, offered in end.table.spots.items() if offered.has_meter}
        entry = round_to_json(end) | {"meters": meters}
        place, pile = dice.choice([item for item in entry["cards"].items() if item[0] != "burn"])
        pile[dice.randrange(len(pile))] = "?"
        returns = Counter[tuple[int, str, str]]()
        for payment in end.game.settle(end, meters).payments:
            returns[payment.seat, payment.spot, payment.stake] += payment.known_return
        record = settle_record(json.dumps(entry))
        payments = Counter[tuple[int, str, str]]()
        for payment in record.settlement.payments:
            payments[payment.seat, payment.spot, payment.stake] += payment.known_return
        for stake, doubt in index_uncertain_stakes(record).items():
            assert doubt.least.returned <= returns[stake] <= doubt.most.returned, (place, doubt)
            payments[stake] = returns[stake]
        assert payments == returns
        certain += len(record.settlement.payments)
        doubtful += len(record.uncertain_stakes)
    assert certain
    assert doubtful


# The order of the deal if the dealer of Texas Shootout has equal choices (TS-1)

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
"""Three kings lose only to a flush, and the dealer has a flush only with the last ace of spades."""


def test_an_unknown_card_of_the_dealer_counts_at_its_place_in_the_deal() -> None:
    assert settle_entry(SHOOTOUT, dealer=["Ah", "Ad", "9c", "?"]).is_certain
    (doubt,) = settle_entry(SHOOTOUT, dealer=["?", "Ah", "Ad", "9c"]).uncertain_stakes
    assert doubt.seat == 1
    assert (doubt.least.returned, doubt.most.returned, doubt.trial_count) == (0, 20_00, 52)
    assert [*doubt.least.cards.values()] == [(parse_card("As"),)]


def test_unknown_cards_of_the_dealer_are_tried_in_every_order_that_makes_a_difference() -> None:
    (doubt,) = settle_entry(SHOOTOUT, dealer=["?", "Ah", "Ad", "?"]).uncertain_stakes
    assert (doubt.seat, doubt.least.returned, doubt.most.returned, doubt.is_exact) == (1, 0, 20_00, True)
    ((first, _),) = doubt.least.cards.values()
    assert first == parse_card("As")
    # Any two cards except two aces of spades. These pairs count in both orders: an ace of clubs or spades with a card
    # of another rank, an ace of clubs with an ace of spades, and an ace of hearts with an ace of diamonds.
    assert doubt.trial_count == 52 * 53 // 2 - 1 + 2 * 48 + 1 + 1


def test_a_record_with_a_missing_card_of_the_dealer_is_refused() -> None:
    with pytest.raises(BadRecord):
        settle_entry(SHOOTOUT, dealer=["?", "Ah", "Ad"])
