"""The best strategy of Deuces Wild against a plain computation of single hands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.cards import Card, TooManyCopies, card_from_code, parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, Verb, WagerLimits, game
from cardroom.games.deuces_wild.rules import FORTUNE_EVENTS, MAIN_EVENTS, fortune_selections
from cardroom.games.playable_table import WagerOffer
from cardroom.games.settlement import paytable_payment
from cardroom.hands import Category
from cardroom.odds.deuces_wild.best_strategy import (
    AnteGame,
    FortuneGame,
    category_nets,
    fortune_payoff,
    group_counts,
    raise_payoff,
    single_counts,
)
from cardroom.odds.deuces_wild.counts import (
    CATEGORIES,
    all_sets,
    count_categories,
    enumerate_hands,
    extensions,
    remaining_codes,
)
from cardroom.odds.deuces_wild.pricer import PRICER, fortune_values
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.odds.deuces_wild import by_hand

SLUG, ANTE, FORTUNE = "deuces-wild", "ante-play-raise", "five-card-fortune"
ODD_PAYS = """
game = "deuces-wild"
wager = "WAGER"
name = "odd pays"
basis = "to 1"
[lines]
three-of-a-kind = "7:3"
natural-royal-flush = "0.25"
straight = "push"
two-pair = "5 for 2"
flush = "loss"
full-house = "1,000"
"""


def odd_pays(wager: str) -> Paytable:
    """Odds in fractions, a push, a flush that loses, and pays that do not rise with the hands."""
    return load_paytable(ODD_PAYS.replace("WAGER", wager))


def sets_of(size: int, count: int, seed: int) -> list[tuple[int, tuple[Card, ...]]]:
    """Some sets of cards with their numbers."""
    rows = all_sets(size)
    chosen = random.Random(seed).sample(range(len(rows)), count)
    return [(number, tuple(card_from_code(code) for code in rows[number].tolist())) for number in chosen]


@pytest.mark.parametrize("name", ["A", "F", "odd"])
def test_a_raise_is_worth_what_its_49_last_cards_bring(name: str) -> None:
    table = odd_pays(ANTE) if name == "odd" else paytable(SLUG, ANTE, name)
    ante = AnteGame(table)
    for number, four in sets_of(4, 150, seed=4):
        value = by_hand.raised(table, four, by_hand.left(four))
        assert Fraction(int(ante.raise_totals[number]), ante.scale * 49) == value
        assert dict(PRICER.hand_values(ANTE, table, {}, four)) == {
            Decision(Verb.RAISE): value,
            Decision(Verb.FOLD): -2,
        }
        assert ante.best_policy.raise_[number] == (value > -2)


@pytest.mark.parametrize("name", ["A", "D", "odd"])
def test_a_play_wager_is_worth_what_the_best_decision_after_each_fourth_card_brings(name: str) -> None:
    table = odd_pays(ANTE) if name == "odd" else paytable(SLUG, ANTE, name)
    ante = AnteGame(table)
    sums = ante.play_totals(ante.best_policy.raise_)
    for number, three in sets_of(3, 12, seed=3):
        value = by_hand.played(table, three, by_hand.left(three))
        assert Fraction(int(sums[number]), ante.scale * 50 * 49) == value
        values = PRICER.hand_values(ANTE, table, {}, three)
        assert dict(values) == {Decision(Verb.PLAY): value, Decision(Verb.FOLD): -1}
        assert values[0][1] >= values[1][1]
        assert ante.best_policy.play[number] == (value > -1)


@pytest.mark.parametrize("table", paytables(SLUG, ANTE), ids=lambda table: table.name)
def test_the_outcomes_and_the_values_give_the_same_return(table: Paytable) -> None:
    ante = AnteGame(table)
    outcomes = list(ante.outcomes(ante.best_policy))
    deals = sum(outcome.combinations for outcome in outcomes)
    from_endings = sum((outcome.net * outcome.combinations for outcome in outcomes), Fraction(0)) / deals
    assert from_endings == ante.expected_return(ante.best_policy)


def test_three_cards_lead_to_the_fifty_sets_of_four_around_them() -> None:
    fours = all_sets(4)
    for number, three in sets_of(3, 40, seed=34):
        reached = {frozenset(fours[four].tolist()) for four in extensions(3)[number].tolist()}
        assert reached == {frozenset(card.code for card in (*three, fourth)) for fourth in by_hand.left(three)}


@pytest.mark.parametrize("name", ["A", "odd"])
def test_selections_for_five_card_fortune_among_few_cards(name: str) -> None:
    """Every community that a short rest of the deck can give, with one, two and three chosen cards."""
    table = odd_pays(FORTUNE) if name == "odd" else paytable(SLUG, FORTUNE, name)
    dice = random.Random(5)
    for hand in ("Kd 8h 8c", "2s 7c As", "2c Jk Td", "2h 2d Jk"):
        three = parse_cards(hand)
        rest = dice.sample(by_hand.left(three), 11)
        values = fortune_values(table, three, np.array([card.code for card in rest], np.uint8))
        assert values == {
            selection: by_hand.fortune(table, selection.groups[0], rest) for selection in fortune_selections(three)
        }


def dealt_out(chosen: Sequence[Card], three: Sequence[Card]) -> list[int]:
    """By category: every community with the chosen cards."""
    found: list[int] = count_categories(
        enumerate_hands([card.code for card in chosen], remaining_codes(three), 4)
    ).tolist()
    return found


def test_inclusion_and_exclusion_counts_what_dealing_out_counts() -> None:
    for number, three in sets_of(3, 25, seed=33):
        for at, card in enumerate(three):
            assert single_counts()[number, at].tolist() == dealt_out((card,), three)


def test_wild_cards_chosen_together_are_counted_whichever_they_are() -> None:
    several = group_counts()
    assert len(several) == 10 * 48 + 10
    for number in random.Random(2).sample(sorted(several), 12):
        three = tuple(card_from_code(code) for code in all_sets(3)[number].tolist())
        together = [selection.groups[0] for selection in fortune_selections(three) if len(selection.groups[0]) > 1]
        assert list(several[number]) == together
        for group in together:
            assert several[number][group].tolist() == dealt_out(group, three)


def test_three_wild_cards_chosen_together_are_best_and_counted_as_dealt_out() -> None:
    three = parse_cards("2c 2d 2h")
    (decision, best), *_ = PRICER.hand_values(FORTUNE, paytable(SLUG, FORTUNE, "C"), {}, three)
    assert str(decision) == "choose 2h 2d 2c"
    made = dict(zip(CATEGORIES, dealt_out(three, three), strict=True))
    assert made[Category.FIVE_WILD_CARDS] == comb(48, 2)  # the other two wild cards and two others
    assert best > 1


def test_the_best_selections_and_their_outcomes_give_the_same_return() -> None:
    table = paytable(SLUG, FORTUNE, "A")
    fortune = FortuneGame(table)
    best = fortune.single_totals.max(axis=1).tolist()
    for number, groups in fortune.group_totals.items():
        best[number] = max(best[number], *groups.values())
    outcomes = PRICER.price(FORTUNE, table, {}).outcomes
    assert sum(best) == sum(outcome.net * outcome.combinations for outcome in outcomes)
    assert fortune.best_return == fortune.expected_return(Fraction(sum(best)))


def test_a_typed_hand_for_five_card_fortune_has_the_value_used_in_the_price() -> None:
    table = paytable(SLUG, FORTUNE, "B")
    fortune = FortuneGame(table)
    for number, three in sets_of(3, 8, seed=8):
        values = PRICER.hand_values(FORTUNE, table, {}, three)
        singles = {decision.groups[0]: value for decision, value in values if len(decision.groups[0]) == 1}
        assert singles == {
            (card,): Fraction(int(fortune.single_totals[number, at]), fortune.scaled_nets.scale * 230_300)
            for at, card in enumerate(three)
        }
        assert [value for _, value in values] == sorted((value for _, value in values), reverse=True)


# Every category of hand, as the game settles it.

PAYS = ["250", "3:2", "4 for 1", "push", "loss", "$25"]


@pytest.mark.parametrize("basis", ["to 1", "for 1"])
@pytest.mark.parametrize("pay", PAYS)
def test_the_net_of_a_category_equals_the_settlement(pay: str, basis: str) -> None:
    ante = 10_00
    for wager, events, stakes in ((ANTE, MAIN_EVENTS, raise_payoff()), (FORTUNE, FORTUNE_EVENTS, fortune_payoff())):
        table = load_paytable(
            f'game = "{SLUG}"\nwager = "{wager}"\nname = "one pay"\nbasis = "{basis}"\n[lines]\nstraight = "{pay}"\n'
        )
        offered = WagerOffer(game(SLUG).facts.wager(wager), table, WagerLimits(ante, ante, ante), None)
        for category, net in zip(CATEGORIES, category_nets(table, events, stakes, ante), strict=True):
            payments = [
                paytable_payment(offered, 1, wager, stake.name, int(ante * stake.wagered), (events[category],), "", ())
                for stake in stakes.stakes
            ]
            assert net * ante == sum(payment.net for payment in payments)


@pytest.mark.parametrize(
    ("wager", "hand", "detail"),
    [
        (ANTE, "Kd Ks", r"ante-play-raise.*\b2\b"),
        (FORTUNE, "Kd Ks 3c 4c", r"five-card-fortune.*\b4\b"),
        ("three-card-treasure", "Kd Ks 3c", "three-card-treasure"),
        ("bonus-jackpot", "Kd Ks 3c", "ante-play-raise or five-card-fortune"),
    ],
)
def test_a_hand_without_a_decision_is_refused(wager: str, hand: str, detail: str) -> None:
    with pytest.raises(BadInput, match=detail):
        PRICER.hand_values(wager, paytables(SLUG, wager)[0], {}, parse_cards(hand))


def test_a_hand_with_the_same_card_twice_is_refused() -> None:
    with pytest.raises(TooManyCopies):
        PRICER.hand_values(ANTE, paytable(SLUG, ANTE, "A"), {}, parse_cards("Kd Kd 3c"))
