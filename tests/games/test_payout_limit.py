"""The aggregate payout limit of a table (WAC 230-15-490, GEN-5): its limits in a setup and its effect on a deal."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import parse_cards
from cardroom.games import BadSetup, Decision, TableSetup, default_setup, game, read_setup, round_from_json
from cardroom.games.card_places import Pile, Place
from cardroom.games.money import format_cents
from cardroom.games.partial_settlement import PartialRound, settle_partial_round
from cardroom.games.payout_limit import PayoutLimit, list_payout_warnings, list_prizes
from cardroom.games.record import round_to_json
from cardroom.games.record_settlement import settle_record
from cardroom.games.serialization import settled_record_to_json
from cardroom.games.settlement import Payment, Settlement, allocate_cents, apply_payout_limit
from cardroom.games.setup import (
    FeatureSetup,
    WagerLimits,
    setup_from_json,
    setup_to_json,
    setup_to_toml,
    with_custom_paytables,
)
from cardroom.paytables import Dollars, ForOne, Loss, Pay, PaytableSpec, Percent, ToOne, build_custom_paytable
from tests.games.shootout_rounds import RULES, Seat, play_round

LIMIT = 20_000_00
FIVE_ACES = "As As As 5h 3c"
SUITED = Seat("As As 2c 7d", "keep As As", {"shootout-bonus": 100_00})  # five suited aces: 5,000 to 1
MIXED = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 60_00, "quick-draw": 10_00})


def make_limited_setup(slug: str = "texas-shootout", cents: int | None = LIMIT) -> TableSetup:
    return replace(default_setup(slug), payout_limit=cents)


def find_fault(setup: TableSetup) -> str:
    with pytest.raises(BadSetup) as refused:
        game(setup.game).open(setup)
    (setup_fault,) = refused.value.faults
    assert setup_fault.section == "payout_limit"
    return str(setup_fault)


# The setup


@pytest.mark.parametrize(
    ("slug", "least"),
    [
        ("texas-shootout", 100_00 * 50),
        ("deuces-wild", 400_00 * 50),  # the Raise is one wager of twice the Ante (GEN-2)
        ("three-card-prime", 100_00 * 50),
        ("three-card-double-play", 200_00 * 50),
    ],
)
def test_a_limit_covers_at_least_the_largest_wager_at_fifty_to_one(slug: str, least: int) -> None:
    assert game(slug).open(make_limited_setup(slug, least)).payout_limit is not None
    sentence = find_fault(make_limited_setup(slug, least - 1))
    assert f"is below {format_cents(least)}" in sentence
    assert "WAC 230-15-490" in sentence


def test_a_table_whose_odds_are_shorter_than_fifty_to_one_has_no_limit() -> None:
    assert "No wager of this table pays 50 to 1 or more" in find_fault(make_limited_setup("dueling-for-dollars"))


def test_a_tribal_table_may_have_any_limit_above_zero() -> None:
    setup = replace(make_limited_setup(cents=1_00), jurisdiction="tribal")
    assert game(setup.game).open(setup).payout_limit is not None
    assert "more than zero" in find_fault(replace(setup, payout_limit=0))


def test_a_limit_survives_round_trips_through_toml_and_json() -> None:
    setup = make_limited_setup()
    assert 'payout_limit = "$20,000"' in setup_to_toml(setup)
    assert read_setup(setup_to_toml(setup)) == setup == setup_from_json(setup_to_json(setup))
    assert "payout_limit" not in setup_to_json(make_limited_setup(cents=None))


def test_the_limit_covers_wagers_with_long_odds_but_no_jackpot() -> None:
    table = game("deuces-wild").open(make_limited_setup("deuces-wild"))
    assert table.payout_limit is not None
    assert table.payout_limit.spots == {"ante-play-raise", "five-card-fortune"}  # Treasure pays 20 to 1 at most here


# Settlement


def test_a_deal_pays_no_more_than_the_limit_and_returns_every_wager() -> None:
    end = play_round(SUITED, MIXED, board=FIVE_ACES, setup=make_limited_setup())
    unlimited_end = play_round(SUITED, MIXED, board=FIVE_ACES, setup=make_limited_setup(cents=None))
    settlement, unlimited = RULES.settle(end), RULES.settle(unlimited_end)
    covered = [line for line in settlement.payments if line.unlimited_return is not None]
    assert {line.spot for line in covered} == {"shootout-bonus", "quick-draw"}
    assert sum(line.known_return - line.wagered for line in covered) == LIMIT
    won_without_limit = {(line.seat, line.stake): line.known_return - line.wagered for line in unlimited.payments}
    total = sum(won_without_limit[line.seat, line.stake] for line in covered)
    for line in covered:
        exact = Fraction(won_without_limit[line.seat, line.stake] * LIMIT, total)
        assert 0 <= line.known_return - line.wagered - int(exact) <= 1
        assert line.unlimited_return == won_without_limit[line.seat, line.stake] + line.wagered
        assert "by the table's payout limit of $20,000 a deal" in line.text
    others = [line for line in settlement.payments if line.unlimited_return is None]
    assert others == [line for line in unlimited.payments if line.spot not in ("shootout-bonus", "quick-draw")]


def test_a_deal_below_the_limit_is_paid_in_full() -> None:
    seat = Seat("As Ks 2c 7d", "keep As Ks", {"shootout-bonus": 100_00})
    assert RULES.settle(play_round(seat, setup=make_limited_setup())) == RULES.settle(
        play_round(seat, setup=make_limited_setup(cents=None))
    )


def test_the_limit_counts_the_winnings_of_a_for_1_prize_without_the_wager() -> None:
    """51 for 1 is 50 to 1: the lowest allowed limit pays the largest wager in full."""
    custom = build_custom_paytable(
        "texas-shootout", "shootout-bonus", PaytableSpec("For 1", "for 1", (("five-of-a-kind", "51"),))
    )
    setup = with_custom_paytables(make_limited_setup(cents=5_000_00), [custom], RULES.facts)
    assert RULES.open(setup).payout_limit is not None
    winner = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 100_00})
    (payment,) = [
        line
        for line in RULES.settle(play_round(winner, board=FIVE_ACES, setup=setup)).seat_payments(1)
        if line.spot == custom.wager
    ]
    assert (payment.returned, payment.unlimited_return) == (5_100_00, None)
    half = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 50_00})
    shared = RULES.settle(play_round(winner, half, board=FIVE_ACES, setup=setup))
    shares = [(line.wagered, line.known_return - line.wagered) for line in shared.payments if line.spot == custom.wager]
    assert shares == [(100_00, 3_333_34), (50_00, 1_666_66)]


def make_payment(at: int, spot: str, pay: Pay, wagered: int) -> Payment:
    return_by_pay = {ToOne: lambda: wagered + int(wagered * pay.odds), ForOne: lambda: int(wagered * pay.odds)}  # type: ignore[union-attr]
    returned = return_by_pay[type(pay)]() if type(pay) in return_by_pay else 700_00 if isinstance(pay, Dollars) else 0
    return Payment(at, spot, spot, "event", "words", (), pay, wagered, returned)


PAYS = st.one_of(
    st.integers(1, 5000).map(lambda odds: ToOne(Fraction(odds))),
    st.integers(1, 10_000).map(lambda halves: ForOne(Fraction(halves, 2))),
    st.just(Loss()),
    st.just(Dollars(700_00)),
)
STAKES = st.lists(
    st.tuples(st.sampled_from(["long", "early", "short"]), PAYS, st.integers(1, 400).map(lambda d: d * 100))
)


@given(STAKES, st.integers(1, 1_000_000_00))
def test_covered_winnings_never_exceed_the_limit_and_other_prizes_are_unchanged(
    stakes: list[tuple[str, Pay, int]], cents: int
) -> None:
    unlimited = Settlement(tuple(make_payment(at, *stake) for at, stake in enumerate(stakes)))
    limit = PayoutLimit(cents, frozenset({"long", "early"}))
    limited = apply_payout_limit(unlimited, limit, {"early"})

    def sum_won(settlement: Settlement, *spots: str) -> int:
        return sum(
            max(line.known_return - line.wagered, 0)
            for line in settlement.payments
            if line.spot in spots and isinstance(line.pay, ToOne | ForOne)
        )

    assert sum_won(limited, "long", "early") == min(sum_won(unlimited, "long", "early"), cents)
    assert sum_won(limited, "early") == min(sum_won(unlimited, "early"), cents), (
        "a payment before the end of the deal has priority"
    )
    for old, new in zip(unlimited.payments, limited.payments, strict=True):
        if new != old:
            assert old.spot != "short"
            assert isinstance(old.pay, ToOne | ForOne)
            assert new.unlimited_return == old.returned
            assert new.known_return >= old.wagered


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=20), st.integers(0, 10**9))
def test_a_limit_is_shared_in_proportion_and_odd_cents_go_to_the_first(amounts: list[int], limit: int) -> None:
    parts = allocate_cents(amounts, limit)
    assert sum(parts) == min(sum(amounts), limit)
    assert all(part <= amount for part, amount in zip(parts, amounts, strict=True))
    if sum(amounts) > limit:
        odd = [part - amount * limit // sum(amounts) for part, amount in zip(parts, amounts, strict=True)]
        assert odd == sorted(odd, reverse=True)
        assert set(odd) <= {0, 1}


def test_the_limit_does_not_reduce_a_percentage_of_a_meter() -> None:
    share = Payment(1, "long", "long", "royal", "royal", (), Percent(Fraction(1)), 100, 50_000_00)
    assert apply_payout_limit(Settlement((share,)), PayoutLimit(1_00, frozenset({"long"}))).payments == (share,)


# All the ways to settle


def test_a_recorded_round_is_settled_with_the_limit_and_its_json_shows_the_reduction() -> None:
    end = play_round(SUITED, MIXED, board=FIVE_ACES, setup=make_limited_setup())
    entry = settled_record_to_json(settle_record(json.dumps(round_to_json(end))))
    bonus = next(line for line in entry["payments"] if line["seat"] == 1 and line["spot"] == "shootout-bonus")
    assert bonus["before_limit"] == 100_00 + 500_000_00
    assert bonus["returned"] == RULES.settle(end).seat_payments(1)[-1].known_return < bonus["before_limit"]
    assert round_from_json(round_to_json(end)).table.payout_limit == end.table.payout_limit


def test_the_dealers_take_or_pay_is_limited_too() -> None:
    rules = game("texas-shootout")
    table = rules.open(make_limited_setup())
    hand, board = Place(Pile.HAND, 1), Place(Pile.COMMUNITY)
    entered = PartialRound(
        {1: {"shootout": 10_00, "shootout-bonus": 100_00}},
        {hand: parse_cards("As As 2c 7d"), board: parse_cards(FIVE_ACES)},
        {(1, "hand"): Decision.parse("keep As As")},
    )
    (bonus,) = [line for line in settle_partial_round(rules, table, entered).payments if line.spot == "shootout-bonus"]
    assert (bonus.returned, bonus.unlimited_return) == (100_00 + LIMIT, 100_00 + 500_000_00)


def test_an_unknown_card_of_one_seat_makes_limited_payments_of_other_seats_uncertain() -> None:
    end = play_round(SUITED, MIXED, board=FIVE_ACES, setup=make_limited_setup())
    record = round_to_json(end)
    record["cards"]["seat 2 hand"] = ["?", "Ah", "2d", "7h"]
    record["decisions"] = [decision for decision in record["decisions"] if decision["seat"] == 1] + [
        {"seat": 2, "question": "hand", "answer": "keep Ah 2d"}
    ]
    entry = settled_record_to_json(settle_record(json.dumps(record)))
    quick = next(line for line in entry["payments"] if line["seat"] == 2 and line["spot"] == "quick-draw")
    assert not quick["certain"]
    bonus = next(line for line in entry["payments"] if line["seat"] == 1 and line["spot"] == "shootout-bonus")
    assert not bonus["certain"], "the prize of seat 2 changes the payment of seat 1"


# The largest payouts of a table


def test_the_default_texas_shootout_setup_gets_a_warning_about_a_million_dollars() -> None:
    top, funded = list_payout_warnings(game("texas-shootout").open(make_limited_setup(cents=None)))
    assert "One player can win $1,000,000 in one deal (Shootout Bonus" in top
    assert "3 prizes are over $25,000: keep the second highest, $100,000, in the bank or in a line of credit" in funded
    assert "They are $1,000,000 (Shootout Bonus, 5 of a Kind, Suited), $100,000 (Shootout Bonus, Royal Flush)" in funded
    assert "WAC 230-15-455" in funded


def test_a_limit_removes_the_first_warning_and_lowers_the_amount_of_the_second() -> None:
    (funded,) = list_payout_warnings(game("texas-shootout").open(make_limited_setup(cents=60_000_00)))
    assert "keep the second highest, $60,000," in funded
    assert list_payout_warnings(game("texas-shootout").open(make_limited_setup())) == ()
    assert (
        list_payout_warnings(
            game("texas-shootout").open(replace(make_limited_setup(cents=None), jurisdiction="tribal"))
        )
        == ()
    )


def make_fixed_prize_setup() -> TableSetup:
    """Return a setup whose Pair Bonus has fixed prizes, two of them large."""
    setup = default_setup("three-card-prime")
    fixed = {"mini-royal-with-deuce": "$90,000", "straight-flush-with-deuce": "$80,000"}
    fixed |= dict.fromkeys((f"{event}-with-deuce" for event in ("trips", "straight", "flush", "pair")), "$100")
    bonus = replace(setup.wagers["pair-bonus"], paytable="PB 1+PB/LD 5", bonuses=fixed)
    return replace(setup, wagers={**setup.wagers, "pair-bonus": bonus})


def test_fixed_prizes_of_the_operator_get_warnings_with_their_amounts() -> None:
    top, funded = list_payout_warnings(game("three-card-prime").open(make_fixed_prize_setup()))
    assert "One player can win $90,000 in one deal (Pair Bonus, Mini Royal (with a deuce))" in top
    assert "no payout limit covers a fixed prize: lower the prize, or make sure that the card room can pay it" in top
    assert "2 prizes are over $25,000: keep the second highest, $80,000, in the bank" in funded


def test_a_limit_does_not_remove_the_warning_about_a_fixed_prize() -> None:
    with_limit = replace(make_fixed_prize_setup(), payout_limit=10_000_00)
    assert list_payout_warnings(game("three-card-prime").open(with_limit)) == list_payout_warnings(
        game("three-card-prime").open(make_fixed_prize_setup())
    )


def test_the_prize_of_a_feature_gets_a_warning_like_prizes_by_odds() -> None:
    frenzy = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 2_00, {"five-aces": "$50,000"})
    setup = make_limited_setup(cents=20_000_00)
    jackpot = replace(setup.wagers["jackpot"], limits=WagerLimits(2_00, 2_00, 1_00), feature=frenzy)
    (top,) = list_payout_warnings(RULES.open(replace(setup, wagers={**setup.wagers, "jackpot": jackpot})))
    assert "One player can win $50,000 in one deal (Five Ace Frenzy, 5 Aces)" in top


def test_a_prize_in_dollars_counts_on_every_stake_of_its_line() -> None:
    custom = build_custom_paytable(
        "deuces-wild", "ante-play-raise", PaytableSpec("Fixed", "to 1", (("natural-royal-flush", "$9,000"),))
    )
    rules = game("deuces-wild")
    table = rules.open(with_custom_paytables(default_setup("deuces-wild"), [custom], rules.facts))
    assert max(prize.cents for prize in list_prizes(table) if prize.wager == "Ante / Play / Raise") == 27_000_00
