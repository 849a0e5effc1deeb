"""The basic strategies: their text, and their cost to the last combination."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import card_from_code
from cardroom.errors import BadInput
from cardroom.odds.deuces_wild.best_strategy import AnteGame, AntePolicy, FortuneGame
from cardroom.odds.deuces_wild.counts import all_sets
from cardroom.odds.deuces_wild.pricer import PRICER
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.odds.deuces_wild import by_hand

SLUG, ANTE, FORTUNE = "deuces-wild", "ante-play-raise", "five-card-fortune"
RAISES = {
    "Raise with a pair or better (a wild card makes one).",
    "Raise with four to a straight, the ace high only.",
    "Raise with four to a flush.",
}
PLAYS = {"Play a pair or better (a wild card makes one).", "Play three to a straight flush."}
ROWS = "Play three in a row, none below a five or above a queen."


@pytest.mark.parametrize("table", paytables(SLUG, ANTE), ids=lambda table: table.name)
def test_six_or_seven_rules_are_all_that_the_best_play_of_the_printed_tables_needs(table: Paytable) -> None:
    strategy = PRICER.basic_strategy(ANTE, table, {})
    straights_pay_three = table.name in "ABC"
    assert {rule.text for rule in strategy.rules} == {
        *RAISES,
        *PLAYS,
        *({ROWS} if straights_pay_three else set()),
        "Fold every other hand of three cards.",
        "Fold every other hand of four cards.",
    }
    assert strategy.cost == 0
    assert strategy.expected_return == AnteGame(table).expected_return(AnteGame(table).best_policy)


@pytest.fixture(scope="module")
def raising() -> NDArray[np.bool_]:
    return np.array([by_hand.raises([card_from_code(code) for code in four]) for four in all_sets(4).tolist()])


@pytest.mark.parametrize(("name", "rows"), [("A", True), ("F", False)])
def test_the_rules_mean_the_hands_that_they_name(name: str, rows: bool, raising: NDArray[np.bool_]) -> None:
    playing = np.array(
        [by_hand.plays([card_from_code(code) for code in three], rows=rows) for three in all_sets(3).tolist()]
    )
    ante = AnteGame(paytable(SLUG, ANTE, name))
    assert (playing == ante.best_policy.play).all()
    assert (raising == ante.best_policy.raise_).all()
    assert PRICER.basic_strategy(ANTE, ante.table, {}).expected_return == ante.expected_return(
        AntePolicy(playing, raising)
    )


def lines(pays: str) -> str:
    return f'game = "{SLUG}"\nwager = "{ANTE}"\nname = "what if"\nbasis = "to 1"\n[lines]\n{pays}\n'


def test_where_nothing_pays_every_hand_is_folded() -> None:
    strategy = PRICER.basic_strategy(ANTE, load_paytable(lines('natural-royal-flush = "1"')), {})
    assert "Fold every hand of three cards." in [rule.text for rule in strategy.rules]
    assert strategy.expected_return == strategy.best_return == -1


def test_on_a_table_with_odd_pays_the_strategy_tells_its_cost() -> None:
    table = load_paytable(lines('full-house = "7:3"\nstraight = "12.5"\nthree-of-a-kind = "push"\nflush = "loss"'))
    strategy = PRICER.basic_strategy(ANTE, table, {})
    assert strategy.best_return == AnteGame(table).expected_return(AnteGame(table).best_policy)
    assert 0 <= strategy.cost < Fraction(1, 50)
    assert (
        sum("Play" in rule.text for rule in strategy.rules) <= 4 >= sum("Raise" in rule.text for rule in strategy.rules)
    )


def test_the_choice_for_five_card_fortune_in_three_rules() -> None:
    table = paytable(SLUG, FORTUNE, "A")
    strategy = PRICER.basic_strategy(FORTUNE, table, {})
    assert [rule.text for rule in strategy.rules] == [
        "First look for wild cards, and choose all of them.",
        "Then look for a card that is not in a pair.",
        "Then look for the card nearest to a nine.",
    ]
    assert strategy.expected_return == by_those_rules(FortuneGame(table))
    assert 0 < strategy.cost < Fraction(1, 1000)


def by_those_rules(fortune: FortuneGame) -> Fraction:
    """All wild cards; else a card whose rank comes once, nearest to a nine; of equal ones any."""
    total = Fraction(0)
    for number, codes in enumerate(all_sets(3).tolist()):
        three = [card_from_code(code) for code in codes]
        wild = tuple(sorted((card for card in three if by_hand.is_wild(card)), reverse=True))
        if len(wild) > 1:
            total += fortune.group_totals[number][wild]
            continue
        ranks = [0 if by_hand.is_wild(card) else int(card.rank) for card in three]
        wanted = [(rank == 0, -ranks.count(rank), -abs(rank - 9)) for rank in ranks]
        equal = [at for at in range(3) if wanted[at] == max(wanted)]
        total += Fraction(sum(int(fortune.single_totals[number, at]) for at in equal), len(equal))
    return fortune.expected_return(total)


@pytest.mark.parametrize("name", ["B", "C"])
def test_the_choice_on_the_other_tables_costs_less_than_a_thousandth(name: str) -> None:
    strategy = PRICER.basic_strategy(FORTUNE, paytable(SLUG, FORTUNE, name), {})
    assert strategy.rules[0].text == "First look for wild cards, and choose all of them."
    assert len(strategy.rules) <= 4
    assert 0 < strategy.cost < Fraction(1, 1000)


def test_a_wager_without_a_decision_has_no_strategy() -> None:
    with pytest.raises(BadInput, match="three-card-treasure"):
        PRICER.basic_strategy("three-card-treasure", paytable(SLUG, "three-card-treasure", "A"), {})
