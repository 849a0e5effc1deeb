"""The odds of Dueling for Dollars: figures for every table and number of decks, and the pricer's errors."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import perm, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import Rank, TooManyCopies, parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, Verb
from cardroom.hands import BadHand
from cardroom.odds.dueling_for_dollars.best_strategy import (
    SPOTS,
    best_duel_outcomes,
    duel_payoffs,
    war_counts,
    war_value,
)
from cardroom.odds.dueling_for_dollars.pricer import bonus_event_counts
from cardroom.odds.pricer import Settings, pricer
from cardroom.odds.result import Odds
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.enumeration import section

SLUG = "dueling-for-dollars"
PRICER = pricer(SLUG)
DUEL = paytable(SLUG, "duel", "")
DECKS = (6, 5, 8)
BONUS_WAGERS = {"tie-plus": 2, "combo": 2, "tie-after-tie": 4, "two-plus-two": 4}
EVERY = [
    (table, settings)
    for wager in ("duel", *BONUS_WAGERS)
    for table in paytables(SLUG, wager)
    for settings in PRICER.settings(wager)
    if not table.decks or settings["decks"] in table.decks
]

every_duel = pytest.mark.parametrize(("decks", "bonus"), list(product(DECKS, (False, True))))
shoes = st.fixed_dictionaries({rank: st.integers(0, 32) for rank in Rank}).filter(lambda left: sum(left.values()) > 1)
"""Cards that can be left in a shoe, by rank."""


def odds(table: Paytable, settings: Settings) -> Odds:
    priced = PRICER.price(table.wager, table, settings)
    jackpot = table.wager in ("tie-after-tie", "two-plus-two")
    return Odds(SLUG, table.wager, table.name, settings, priced.outcomes, priced.initial_wager, is_jackpot=jackpot)


def duel(decks: int, bonus: bool = False) -> Odds:
    return odds(DUEL, {"decks": decks, "tie_after_tie_bonus": bonus})


# The duel


@pytest.mark.parametrize(("decks", "published"), [(5, 2.8604), (6, 2.8771), (8, 2.8978)])
def test_the_duel_has_the_published_house_edge(decks: int, published: float) -> None:
    edge = duel(decks).house_edge
    assert edge is not None
    assert round(float(edge) * 100, 4) == published


@every_duel
def test_the_duel_counts_as_arithmetic_does(decks: int, bonus: bool) -> None:
    """A tie of n = 52 D cards comes with 13 x perm(4 D, 2); a second one with either the same rank or another."""
    n, rank = 52 * decks, 4 * decks
    ties = 13 * perm(rank, 2)
    second_ties = 13 * perm(rank, 4) + 13 * 12 * perm(rank, 2) ** 2
    outcomes = {outcome.trigger: outcome.combinations for outcome in duel(decks, bonus).outcomes}
    no_tie = (perm(n, 2) - ties) * perm(n - 2, 2) // 2
    uneven_war = (ties * perm(n - 2, 2) - second_ties) // 2
    assert outcomes == {
        "win": no_tie,
        "war-win": uneven_war,
        "war-tie": second_ties,
        "war-loss": uneven_war,
        "loss": no_tie,
    }


@pytest.mark.parametrize("decks", DECKS)
def test_the_bonus_adds_two_units_for_every_tie_after_a_tie(decks: int) -> None:
    without, with_bonus = duel(decks), duel(decks, True)
    ties = next(outcome.combinations for outcome in without.distribution if outcome.trigger == "war-tie")
    assert with_bonus.net_without_meter - without.net_without_meter == Fraction(2 * ties, without.combinations)
    assert with_bonus.average_wager == without.average_wager


@every_duel
def test_the_player_dealer_and_play_spots_have_equal_figures(decks: int, bonus: bool) -> None:
    first, *others = (tuple(best_duel_outcomes(spot, bonus, decks)) for spot in SPOTS)
    assert all(other == first for other in others)
    assert sum(one.combinations for one in first) == perm(52 * decks, 4)


@given(shoes)
def test_at_war_the_spots_are_equal_for_any_cards_left_in_the_shoe(left: dict[Rank, int]) -> None:
    player, dealer = war_counts("player", left), war_counts("dealer", left)
    assert player == dealer
    assert player[1] == player[-1]
    assert player.total() == perm(sum(left.values()), 2)


@given(shoes, st.booleans())
def test_the_value_of_a_war_follows_from_the_probability_of_a_tie(left: dict[Rank, int], bonus: bool) -> None:
    """Half of the wars without a tie win one unit and half lose two; a tie wins one, or three with the bonus."""
    tie = Fraction(sum(perm(copies, 2) for copies in left.values()), perm(sum(left.values()), 2))
    assert war_value("player", bonus, left) == (1 - tie) / 2 * (1 - 2) + tie * (3 if bonus else 1)


def test_three_burned_cards_change_nothing() -> None:
    """Over all cards that can be burned unseen after a tie of eights, from six decks."""
    left = {rank: 24 - 2 * (rank is Rank.EIGHT) for rank in Rank}
    burnt_ways: Counter[int] = Counter()
    for burnt in combinations_with_replacement(Rank, 3):
        taken = Counter(burnt)
        # Ordered ways to burn these ranks: which card each is, times the orders of the ranks.
        orders = 6 // prod((1, 1, 2, 6)[count] for count in taken.values())
        ways = orders * prod(perm(left[rank], count) for rank, count in taken.items())
        for lead, count in war_counts("player", {rank: left[rank] - taken[rank] for rank in Rank}).items():
            burnt_ways[lead] += ways * count
    assert burnt_ways.total() == perm(310, 5)
    plain = war_counts("player", left)
    for lead in (1, 0, -1):
        assert Fraction(burnt_ways[lead], burnt_ways.total()) == Fraction(plain[lead], plain.total())


@every_duel
def test_always_going_to_war_is_the_best_play_and_costs_nothing(decks: int, bonus: bool) -> None:
    settings: Settings = {"decks": decks, "tie_after_tie_bonus": bonus}
    strategy = PRICER.basic_strategy("duel", DUEL, settings)
    assert [rule.text for rule in strategy.rules] == ["always go to war on a tie"]
    assert strategy.cost == 0
    assert strategy.best_return == duel(decks, bonus).expected_return


@every_duel
def test_a_tie_is_worth_more_at_war_than_surrendered(decks: int, bonus: bool) -> None:
    shoe = [*parse_cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac")] * (4 * decks)
    for card in parse_cards("8c 8c"):
        shoe.remove(card)
    tie = Fraction(sum(mine == other for mine, other in product(shoe, repeat=2)) - len(shoe), perm(len(shoe), 2))
    expected = (3 * tie - 1) / 2 + (2 * tie if bonus else 0)
    values = PRICER.hand_values("duel", DUEL, {"decks": decks, "tie_after_tie_bonus": bonus}, parse_cards("8c 8d"))
    assert values == ((Decision(Verb.WAR), expected), (Decision(Verb.SURRENDER), Fraction(-1, 2)))


@pytest.mark.parametrize("spot", SPOTS)
def test_each_outcome_wins_or_loses_what_the_sheet_says(spot: str) -> None:
    """Rules 4 to 12 in units of the initial wager."""
    for bonus in (False, True):
        win, war, surrender, loss = duel_payoffs(spot, bonus)
        assert (win.net, loss.net, surrender.net) == (1, -1, Fraction(-1, 2))
        assert (war[1].net, war[0].net, war[-1].net) == (1, 3 if bonus else 1, -2)
        assert {one.wagered for one in (win, loss, surrender)} == {1}
        assert {one.wagered for one in war.values()} == {2}


# The bonus wagers


@pytest.mark.parametrize(("wager", "decks"), list(product(BONUS_WAGERS, DECKS)))
def test_each_kind_of_cards_is_as_frequent_as_the_data_file_says(wager: str, decks: int) -> None:
    total, expected = section(SLUG, f"{wager}-{decks}-decks")
    found: Counter[str] = Counter()
    for lines, count in bonus_event_counts(wager, decks).items():
        found[lines[0]] += count
    assert found == expected
    assert found.total() == total == perm(52 * decks, BONUS_WAGERS[wager])


@pytest.mark.parametrize(("table", "settings"), EVERY, ids=lambda one: getattr(one, "name", None) or str(one))
def test_the_outcomes_of_every_table_sum_to_all_deals(table: Paytable, settings: Settings) -> None:
    priced = odds(table, settings)
    assert priced.combinations == perm(52 * int(settings["decks"]), BONUS_WAGERS.get(table.wager, 4))
    assert priced.distribution == odds(table, settings).distribution


@pytest.mark.parametrize(
    ("wager", "name", "edge"),
    [
        # (1560 x 20 + 5616 x 10 - 89,856) / 97,032 and so on: by hand from the counts of six decks
        ("tie-plus", "PT-FLT-DFD-TP-03", Fraction(89_856 - 1_560 * 20 - 5_616 * 10, 97_032)),
        ("tie-plus", "PT-FLT-DFD-TP-01", Fraction(89_856 - 7_176 * 12, 97_032)),
        ("combo", "PT-FLT-DFD-CB-02", Fraction(56_160 - 7_176 * 3 // 2 - 3_744 * 3 - 29_952, 97_032)),
        ("combo", "PT-FLT-DFD-CB-04", Fraction(56_160 + 7_176 - 3_744 * 5 - 11_232 * 2 - 18_720, 97_032)),
    ],
)
def test_the_edge_follows_from_the_counts(wager: str, name: str, edge: Fraction) -> None:
    assert odds(paytable(SLUG, wager, name), {"decks": 6}).house_edge == edge


def test_a_pair_loses_on_combo_tables_four_and_five() -> None:
    """DD-2: a suited pair is no flush."""
    for name in ("PT-FLT-DFD-CB-04", "PT-FLT-DFD-CB-05"):
        for outcome in odds(paytable(SLUG, "combo", name), {"decks": 6}).distribution:
            assert outcome.trigger != "pair" or outcome.net == -1
            assert outcome.trigger != "flush" or outcome.combinations == 18_720


def test_a_tie_plus_table_is_refused_with_decks_that_it_is_not_for() -> None:
    table = paytable(SLUG, "tie-plus", "PT-FLT-DFD-TP-03")
    for decks in (5, 8):
        with pytest.raises(BadInput, match="6 decks"):
            PRICER.price("tie-plus", table, {"decks": decks})


def test_the_share_of_the_meter_that_tie_after_tie_wins_follows_from_the_counts() -> None:
    _, counts = section(SLUG, "tie-after-tie-6-decks")
    priced = odds(paytable(SLUG, "tie-after-tie", "PT-BJS-DFD-TAT-04"), {"decks": 6})
    share = counts["quads-same-suit"] + Fraction(20, 100) * counts["quads-same-color"]
    assert priced.meter_part == share / priced.combinations
    assert priced.expected_return is None
    assert priced.break_even_meter == (1 - priced.fixed_return) / priced.meter_part


def test_tie_after_tie_is_priced_under_war_and_says_so() -> None:
    for table in paytables(SLUG, "tie-after-tie"):
        notes = PRICER.price("tie-after-tie", table, {"decks": 6}).notes
        assert any("Every tie goes to war" in note for note in notes)


def test_a_custom_paytable_is_priced_with_its_lines() -> None:
    """Without a line for four of a kind the hand falls through to three of a kind."""
    table = load_paytable(
        """
        game = "dueling-for-dollars"
        wager = "two-plus-two"
        name = "short"
        basis = "for 1"
        lines = { three-of-a-kind = "20", starting-pair = "5:2" }
        """
    )
    _, counts = section(SLUG, "two-plus-two-6-decks")
    outcomes = {outcome.trigger: outcome.combinations for outcome in odds(table, {"decks": 6}).outcomes}
    assert outcomes["three-of-a-kind"] == counts["three-of-a-kind"] + counts["four-of-a-kind"]
    # A three-card straight flush that started as a pair is paid as the pair.
    assert outcomes["starting-pair"] > counts["starting-pair"]
    assert sum(outcomes.values()) == perm(312, 4)


# The pricer's notes and errors


def test_the_usual_setting_comes_first() -> None:
    assert PRICER.settings("duel")[0] == {"decks": 6, "tie_after_tie_bonus": False}
    assert len(PRICER.settings("duel")) == 6
    for wager in BONUS_WAGERS:
        assert PRICER.settings(wager) == ({"decks": 6}, {"decks": 5}, {"decks": 8})


@pytest.mark.parametrize("hand", ["8c", "8c 8d 8h", "8c 9c"])
def test_cards_that_do_not_tie_are_refused(hand: str) -> None:
    with pytest.raises(BadHand, match="8c 8d"):
        PRICER.hand_values("duel", DUEL, {"decks": 6}, parse_cards(hand))


def test_a_joker_is_refused() -> None:
    with pytest.raises(TooManyCopies):
        PRICER.hand_values("duel", DUEL, {"decks": 6}, parse_cards("Jk Jk"))


@pytest.mark.parametrize("wager", BONUS_WAGERS)
def test_a_bonus_wager_has_no_decision(wager: str) -> None:
    table = paytables(SLUG, wager)[0]
    with pytest.raises(BadInput, match=wager):
        PRICER.hand_values(wager, table, {"decks": 6}, parse_cards("8c 8d"))
    with pytest.raises(BadInput, match=wager):
        PRICER.basic_strategy(wager, table, {"decks": 6})


def test_seven_decks_are_refused() -> None:
    with pytest.raises(BadInput, match="5, 6 or 8"):
        PRICER.price("duel", DUEL, {"decks": 7})
