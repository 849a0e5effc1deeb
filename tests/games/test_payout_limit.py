"""The aggregate payout limit of a table (WAC 230-15-490, GEN-5): what a setup may say, and what a deal then pays."""

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
from tests.games.shootout_rounds import RULES, Seat, played

LIMIT = 20_000_00
FIVE_ACES = "As As As 5h 3c"
SUITED = Seat("As As 2c 7d", "keep As As", {"shootout-bonus": 100_00})  # five suited aces: 5,000 to 1
MIXED = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 60_00, "quick-draw": 10_00})


def limited(slug: str = "texas-shootout", cents: int | None = LIMIT) -> TableSetup:
    return replace(default_setup(slug), payout_limit=cents)


def fault(setup: TableSetup) -> str:
    with pytest.raises(BadSetup) as refused:
        game(setup.game).open(setup)
    (found,) = refused.value.faults
    assert found.section == "payout_limit"
    return str(found)


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
    assert game(slug).open(limited(slug, least)).payout_limit is not None
    sentence = fault(limited(slug, least - 1))
    assert f"is below {format_cents(least)}" in sentence
    assert "WAC 230-15-490" in sentence


def test_a_table_whose_odds_are_shorter_than_fifty_to_one_has_no_limit() -> None:
    assert "No wager of this table pays 50 to 1 or more" in fault(limited("dueling-for-dollars"))


def test_the_law_of_another_place_sets_no_least_limit() -> None:
    setup = replace(limited(cents=1_00), jurisdiction="tribal")
    assert game(setup.game).open(setup).payout_limit is not None
    assert "more than zero" in fault(replace(setup, payout_limit=0))


def test_a_limit_is_written_read_and_kept() -> None:
    setup = limited()
    assert 'payout_limit = "$20,000"' in setup_to_toml(setup)
    assert read_setup(setup_to_toml(setup)) == setup == setup_from_json(setup_to_json(setup))
    assert "payout_limit" not in setup_to_json(limited(cents=None))


def test_a_table_covers_odds_based_wagers_with_long_odds_and_no_jackpot() -> None:
    table = game("deuces-wild").open(limited("deuces-wild"))
    assert table.payout_limit is not None
    assert table.payout_limit.spots == {"ante-play-raise", "five-card-fortune"}  # Treasure pays 20 to 1 at most here


# Settlement


def test_a_deal_pays_no_more_than_the_limit_and_gives_every_wager_back() -> None:
    end = played(SUITED, MIXED, board=FIVE_ACES, setup=limited())
    free = played(SUITED, MIXED, board=FIVE_ACES, setup=limited(cents=None))
    paid, full = RULES.settle(end), RULES.settle(free)
    covered = [one for one in paid.payments if one.unlimited_return is not None]
    assert {one.spot for one in covered} == {"shootout-bonus", "quick-draw"}
    assert sum(one.known_return - one.wagered for one in covered) == LIMIT
    won = {(one.seat, one.stake): one.known_return - one.wagered for one in full.payments}
    total = sum(won[one.seat, one.stake] for one in covered)
    for one in covered:
        exact = Fraction(won[one.seat, one.stake] * LIMIT, total)
        assert 0 <= one.known_return - one.wagered - int(exact) <= 1
        assert one.unlimited_return == won[one.seat, one.stake] + one.wagered
        assert "by the table's payout limit of $20,000 a deal" in one.text
    others = [one for one in paid.payments if one.unlimited_return is None]
    assert others == [one for one in full.payments if one.spot not in ("shootout-bonus", "quick-draw")]


def test_a_deal_below_the_limit_is_paid_in_full() -> None:
    seat = Seat("As Ks 2c 7d", "keep As Ks", {"shootout-bonus": 100_00})
    assert RULES.settle(played(seat, setup=limited())) == RULES.settle(played(seat, setup=limited(cents=None)))


def test_a_prize_for_1_is_counted_over_the_wager_as_in_the_setup() -> None:
    """51 for 1 is 50 to 1: the least limit pays the largest wager in full."""
    own = build_custom_paytable(
        "texas-shootout", "shootout-bonus", PaytableSpec("For 1", "for 1", (("five-of-a-kind", "51"),))
    )
    setup = with_custom_paytables(limited(cents=5_000_00), [own], RULES.facts)
    assert RULES.open(setup).payout_limit is not None
    winner = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 100_00})
    (paid,) = [
        one
        for one in RULES.settle(played(winner, board=FIVE_ACES, setup=setup)).seat_payments(1)
        if one.spot == own.wager
    ]
    assert (paid.returned, paid.unlimited_return) == (5_100_00, None)
    half = Seat("As Ah 2d 7h", "keep As Ah", {"shootout-bonus": 50_00})
    both = RULES.settle(played(winner, half, board=FIVE_ACES, setup=setup))
    shares = [(one.wagered, one.known_return - one.wagered) for one in both.payments if one.spot == own.wager]
    assert shares == [(100_00, 3_333_34), (50_00, 1_666_66)]


def payment(at: int, spot: str, pay: Pay, wagered: int) -> Payment:
    back = {ToOne: lambda: wagered + int(wagered * pay.odds), ForOne: lambda: int(wagered * pay.odds)}  # type: ignore[union-attr]
    returned = back[type(pay)]() if type(pay) in back else 700_00 if isinstance(pay, Dollars) else 0
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
def test_whatever_is_won_the_limit_holds_to_the_cent_and_other_prizes_are_untouched(
    stakes: list[tuple[str, Pay, int]], cents: int
) -> None:
    before = Settlement(tuple(payment(at, *stake) for at, stake in enumerate(stakes)))
    limit = PayoutLimit(cents, frozenset({"long", "early"}))
    after = apply_payout_limit(before, limit, {"early"})

    def won(settlement: Settlement, *spots: str) -> int:
        return sum(
            max(one.known_return - one.wagered, 0)
            for one in settlement.payments
            if one.spot in spots and isinstance(one.pay, ToOne | ForOne)
        )

    assert won(after, "long", "early") == min(won(before, "long", "early"), cents)
    assert won(after, "early") == min(won(before, "early"), cents), "what is paid before the deal is over comes first"
    for old, new in zip(before.payments, after.payments, strict=True):
        if new != old:
            assert old.spot != "short"
            assert isinstance(old.pay, ToOne | ForOne)
            assert new.unlimited_return == old.returned
            assert new.known_return >= old.wagered


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=20), st.integers(0, 10**9))
def test_a_limit_is_shared_in_proportion_and_odd_cents_go_to_the_first(won: list[int], most: int) -> None:
    parts = allocate_cents(won, most)
    assert sum(parts) == min(sum(won), most)
    assert all(part <= one for part, one in zip(parts, won, strict=True))
    if sum(won) > most:
        odd = [part - one * most // sum(won) for part, one in zip(parts, won, strict=True)]
        assert odd == sorted(odd, reverse=True)
        assert set(odd) <= {0, 1}


def test_a_meters_percentage_is_another_kind_of_prize() -> None:
    share = Payment(1, "long", "long", "royal", "royal", (), Percent(Fraction(1)), 100, 50_000_00)
    assert apply_payout_limit(Settlement((share,)), PayoutLimit(1_00, frozenset({"long"}))).payments == (share,)


# Every way to settle


def test_a_written_round_is_settled_with_the_limit_and_its_json_says_so() -> None:
    end = played(SUITED, MIXED, board=FIVE_ACES, setup=limited())
    entry = settled_record_to_json(settle_record(json.dumps(round_to_json(end))))
    bonus = next(one for one in entry["payments"] if one["seat"] == 1 and one["spot"] == "shootout-bonus")
    assert bonus["before_limit"] == 100_00 + 500_000_00
    assert bonus["returned"] == RULES.settle(end).seat_payments(1)[-1].known_return < bonus["before_limit"]
    assert round_from_json(round_to_json(end)).table.payout_limit == end.table.payout_limit


def test_the_dealers_take_or_pay_is_limited_too() -> None:
    rules = game("texas-shootout")
    table = rules.open(limited())
    hand, board = Place(Pile.HAND, 1), Place(Pile.COMMUNITY)
    typed = PartialRound(
        {1: {"shootout": 10_00, "shootout-bonus": 100_00}},
        {hand: parse_cards("As As 2c 7d"), board: parse_cards(FIVE_ACES)},
        {(1, "hand"): Decision.parse("keep As As")},
    )
    (bonus,) = [one for one in settle_partial_round(rules, table, typed).payments if one.spot == "shootout-bonus"]
    assert (bonus.returned, bonus.unlimited_return) == (100_00 + LIMIT, 100_00 + 500_000_00)


def test_where_cards_are_unknown_the_limit_depends_on_everybodys_cards() -> None:
    end = played(SUITED, MIXED, board=FIVE_ACES, setup=limited())
    record = round_to_json(end)
    record["cards"]["seat 2 hand"] = ["?", "Ah", "2d", "7h"]
    record["decisions"] = [one for one in record["decisions"] if one["seat"] == 1] + [
        {"seat": 2, "question": "hand", "answer": "keep Ah 2d"}
    ]
    entry = settled_record_to_json(settle_record(json.dumps(record)))
    quick = next(one for one in entry["payments"] if one["seat"] == 2 and one["spot"] == "quick-draw")
    assert not quick["certain"]
    bonus = next(one for one in entry["payments"] if one["seat"] == 1 and one["spot"] == "shootout-bonus")
    assert not bonus["certain"], "what seat 2 wins changes what seat 1 gets"


# What a table can come to owe


def test_the_default_texas_shootout_is_warned_of_a_million() -> None:
    top, funded = list_payout_warnings(game("texas-shootout").open(limited(cents=None)))
    assert "One player can win $1,000,000 in one deal (Shootout Bonus" in top
    assert "3 prizes are over $25,000: keep the second highest, $100,000, in the bank or in a line of credit" in funded
    assert "They are $1,000,000 (Shootout Bonus, 5 of a Kind, Suited), $100,000 (Shootout Bonus, Royal Flush)" in funded
    assert "WAC 230-15-455" in funded


def test_a_limit_settles_the_first_warning_and_the_second_counts_it() -> None:
    (funded,) = list_payout_warnings(game("texas-shootout").open(limited(cents=60_000_00)))
    assert "keep the second highest, $60,000," in funded
    assert list_payout_warnings(game("texas-shootout").open(limited())) == ()
    assert list_payout_warnings(game("texas-shootout").open(replace(limited(cents=None), jurisdiction="tribal"))) == ()


def with_dollars() -> TableSetup:
    """A Pair Bonus with two prizes that the operator has fixed."""
    setup = default_setup("three-card-prime")
    fixed = {"mini-royal-with-deuce": "$90,000", "straight-flush-with-deuce": "$80,000"}
    fixed |= dict.fromkeys((f"{one}-with-deuce" for one in ("trips", "straight", "flush", "pair")), "$100")
    bonus = replace(setup.wagers["pair-bonus"], paytable="PB 1+PB/LD 5", bonuses=fixed)
    return replace(setup, wagers={**setup.wagers, "pair-bonus": bonus})


def test_prizes_that_the_operator_fixed_are_warned_of_with_their_amounts() -> None:
    top, funded = list_payout_warnings(game("three-card-prime").open(with_dollars()))
    assert "One player can win $90,000 in one deal (Pair Bonus, Mini Royal (with a deuce))" in top
    assert "no payout limit covers a fixed prize: lower the prize, or make sure that the card room can pay it" in top
    assert "2 prizes are over $25,000: keep the second highest, $80,000, in the bank" in funded


def test_a_limit_does_not_settle_the_warning_of_a_fixed_prize() -> None:
    limited_too = replace(with_dollars(), payout_limit=10_000_00)
    assert list_payout_warnings(game("three-card-prime").open(limited_too)) == list_payout_warnings(
        game("three-card-prime").open(with_dollars())
    )


def test_the_prize_of_a_feature_is_warned_of_beside_those_by_odds() -> None:
    frenzy = FeatureSetup("five-ace-frenzy", "TS/FAF 1", 2_00, {"five-aces": "$50,000"})
    setup = limited(cents=20_000_00)
    jackpot = replace(setup.wagers["jackpot"], limits=WagerLimits(2_00, 2_00, 1_00), feature=frenzy)
    (top,) = list_payout_warnings(RULES.open(replace(setup, wagers={**setup.wagers, "jackpot": jackpot})))
    assert "One player can win $50,000 in one deal (Five Ace Frenzy, 5 Aces)" in top


def test_a_prize_in_dollars_is_paid_on_every_stake_of_its_line() -> None:
    own = build_custom_paytable(
        "deuces-wild", "ante-play-raise", PaytableSpec("Fixed", "to 1", (("natural-royal-flush", "$9,000"),))
    )
    rules = game("deuces-wild")
    table = rules.open(with_custom_paytables(default_setup("deuces-wild"), [own], rules.facts))
    assert max(one.cents for one in list_prizes(table) if one.wager == "Ante / Play / Raise") == 27_000_00
