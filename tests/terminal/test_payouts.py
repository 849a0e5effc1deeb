from __future__ import annotations

import json
from fractions import Fraction

import pytest

from cardroom.games import BadRecord, MeterShare, RoundNotOver, UnknownMeter, game_slugs, load_round
from cardroom.games.example_rounds import example_json, example_round
from cardroom.games.record_settlement import settle_record
from cardroom.games.serialization import settlement_to_json
from cardroom.terminal.pages.settlements import settlement_table
from tests.terminal.typist import quiet_console, shown


@pytest.mark.parametrize("slug", game_slugs())
def test_the_example_of_every_game_settles_and_every_chip_is_somewhere(slug: str) -> None:
    shown_of = settle_record(example_json(slug))
    facts, settlement = shown_of.facts, shown_of.settlement
    entry = settlement_to_json(settlement, facts)
    assert entry["game"] == slug
    assert len(entry["seats"]) == 3
    assert entry["house"] + sum(seat["net"] for seat in entry["seats"].values()) == 0
    for seat, totals in entry["seats"].items():
        of_seat = [payment for payment in entry["payments"] if payment["seat"] == int(seat)]
        for amount in ("wagered", "returned", "net"):
            assert totals[amount] == sum(payment[amount] for payment in of_seat)


@pytest.mark.parametrize("slug", game_slugs())
def test_an_example_shows_winners_losers_and_different_answers(slug: str) -> None:
    played = example_round(slug)
    payments = played.game.settle(played).payments
    assert any(payment.net > 0 for payment in payments)
    assert any(payment.net < 0 for payment in payments)
    assert len({decision.verb for decision in played.decisions.values()}) > 1
    assert {payment.spot for payment in payments} >= {spot for spots in played.bets.values() for spot in spots}


@pytest.mark.parametrize("width", [80, 120])
def test_the_table_for_people_names_every_seat_and_the_house(width: int) -> None:
    shown_of = settle_record(example_json("three-card-prime"))
    facts, settlement = shown_of.facts, shown_of.settlement
    console = quiet_console(width)
    console.print(settlement_table(settlement, facts))
    text = shown(console)
    for words in ("Seat 1", "Seat 3 total", "The card room", "Ante and Play · ante", "win-or-copy"):
        assert words in text
    assert max(map(len, text.splitlines())) <= width


DIAMOND_ROYAL = {
    "table": {
        "game": "three-card-prime",
        "wagers": {
            "ante-play": {"paytable": "PW/BB 1", "limits": {"min": "$10", "max": "$100"}},
            "final-four": {"paytable": "F4P-1", "limits": {"min": "$1", "max": "$1"}},
        },
    },
    "wagers": {"1": {"ante-play": "$10", "final-four": 100}},
    "cards": {
        "seat 1 hand": ["Ad", "Kd", "Qd"],
        "seat 1 fourth": ["Jd"],
        "burn": ["2c"],
        "dealer": ["9c", "7h", "3s"],
    },
    "decisions": [{"seat": 1, "question": "play", "answer": "play"}],
}


def settled(**changes: object) -> dict[str, object]:
    shown_of = settle_record(json.dumps(DIAMOND_ROYAL | changes))
    facts, settlement = shown_of.facts, shown_of.settlement
    return settlement_to_json(settlement, facts)["payments"][-1]


def test_a_meter_that_is_given_is_paid_from() -> None:
    jackpot = settled(meters={"final-four": "$12,345"})
    assert jackpot["meter"] == {"percent": 100, "winners": 1, "share": "1", "cents": 12_345_00}
    assert jackpot["returned"] == 12_345_00


def test_a_percentage_winner_without_a_meter_is_refused_and_shown_what_to_add() -> None:
    with pytest.raises(UnknownMeter) as refused:
        settled()
    for result in ("Seat 1", "100% of the meter", "final-four", "four-card-diamond-royal", '"meters": {"final-four": '):
        assert result in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_meter_that_no_user_has_won_from_is_not_needed() -> None:
    cards = DIAMOND_ROYAL["cards"]
    assert isinstance(cards, dict)
    lost = settled(cards=cards | {"seat 1 fourth": ["3c"]})
    assert (lost["event"], lost["net"]) != ("four-card-diamond-royal", -100)
    assert lost["meter"] is None


def test_the_rules_alone_do_not_know_the_net_of_a_share_whose_meter_was_not_given() -> None:
    played = load_round(json.dumps(DIAMOND_ROYAL))
    settlement = played.game.settle(played)
    jackpot = settlement.payments[-1]
    assert jackpot.meter == MeterShare(Fraction(1), 1, None)
    assert jackpot.returned is jackpot.net is None
    for total in (lambda: settlement.net(1), lambda: settlement.returned, lambda: settlement.house_net):
        with pytest.raises(UnknownMeter, match="final-four"):
            total()
    known = played.game.settle(played, {"final-four": 500_00})
    assert known.payments[-1].net == 499_00
    assert known.house_net == -known.net(1)


@pytest.mark.parametrize(
    ("meters", "sentence"),
    [
        ({"jackpot": 100}, "There is no meter for 'jackpot'"),
        ({"ante-play": 100}, "There is no meter for 'ante-play': this table has one for final-four"),
        ({"final-four": "12"}, "is not an amount"),
        ({"final-four": True}, "is not an amount"),
        ({"final-four": None}, "is not an amount"),
        ({"final-four": "$-5"}, "is not an amount"),
        ({"final-four": -1}, "cannot show -1 cents"),
        ({"final-four": 1.5}, "is not an amount"),
        ([5], "'meters' names spots and amounts"),
    ],
)
def test_meters_that_cannot_be_are_refused(meters: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        settled(meters=meters)


def test_a_round_that_is_not_over_says_which_card_or_answer_is_due() -> None:
    cards = DIAMOND_ROYAL["cards"]
    assert isinstance(cards, dict)
    with pytest.raises(RoundNotOver, match=r"^At 'dealer' a card is missing, and the round is not over"):
        settled(cards=cards | {"dealer": ["9c", "7h"]}, decisions=[])
    with pytest.raises(RoundNotOver):
        settled(decisions=[])
    with pytest.raises(RoundNotOver):
        settled(steps=["tabulate"])


def test_a_record_nested_without_end_is_refused() -> None:
    with pytest.raises(BadRecord, match="nested too deeply"):
        settle_record("[" * 100_000)
