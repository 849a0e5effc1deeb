"""The odds do not restate the rules of a game: if the game pays differently, the odds follow."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType

import pytest

from cardroom.cards import parse_cards
from cardroom.games import Decision, Verb
from cardroom.games.deuces_wild import rules as deuces_wild_rules
from cardroom.games.texas_shootout import rules as texas_shootout_rules
from cardroom.games.three_card_double_play import rules as double_play_rules
from cardroom.games.three_card_prime import rules as prime_rules
from cardroom.odds.deuces_wild import best_strategy as deuces_wild
from cardroom.odds.payoffs import net_units, settle_example
from cardroom.odds.pricer import pricer
from cardroom.odds.texas_shootout import payoffs as texas_shootout
from cardroom.odds.three_card_double_play import best_strategy as double_play
from cardroom.odds.three_card_prime import best_strategy as prime
from cardroom.paytables import Basis, Dollars, Push, ToOne, paytables

READ = (
    *(prime.play_payoff, prime.fold_payoff),
    *(
        deuces_wild.raise_payoff,
        deuces_wild.fold_after_three_payoff,
        deuces_wild.fold_after_four_payoff,
        deuces_wild.fortune_payoff,
    ),
    *(double_play.example_payoff, double_play.double_multiplier),
    texas_shootout.example_payoff,
)


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Rules changed for one test; payoffs from settled rounds are read again, then and afterward."""
    for read in READ:
        read.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    for read in READ:
        read.cache_clear()


def hand_value(game: str, wager: str, hand: str, verb: Verb) -> Fraction:
    values = dict(pricer(game).hand_values(wager, paytables(game, wager)[0], {}, parse_cards(hand)))
    return values[Decision(verb)]


def test_when_the_ante_of_three_card_prime_pays_more_a_played_hand_is_worth_more(
    other_rules: pytest.MonkeyPatch,
) -> None:
    before = hand_value("three-card-prime", "ante-play", "Qh 6d 4c", Verb.PLAY)
    other_rules.setattr(prime_rules, "EVEN_MONEY", ToOne(Fraction(2)))
    prime.play_payoff.cache_clear()
    more = hand_value("three-card-prime", "ante-play", "Qh 6d 4c", Verb.PLAY) - before
    assert 0 < more < 1  # one Ante more for each of the dealer's hands that qualifies and does not win
    assert prime.play_payoff(prime.Category.PAIR, prime.BEATEN).ante == 2


@pytest.mark.parametrize(
    ("game", "rules", "wager", "hand"),
    [
        ("three-card-prime", prime_rules, "ante-play", "Qh 6d 4c"),
        ("deuces-wild", deuces_wild_rules, "ante-play-raise", "Qh 6d 4c"),
        ("deuces-wild", deuces_wild_rules, "ante-play-raise", "Qh 6d 4c 3s"),
    ],
)
def test_when_a_fold_loses_nothing_folding_is_worth_nothing(
    other_rules: pytest.MonkeyPatch, game: str, rules: ModuleType, wager: str, hand: str
) -> None:
    assert hand_value(game, wager, hand, Verb.FOLD) in (-1, -2)
    other_rules.setattr(rules, "Loss", Push)
    for read in READ:
        read.cache_clear()
    assert hand_value(game, wager, hand, Verb.FOLD) == 0


def test_when_the_high_hand_of_double_play_pays_more_every_setting_is_worth_more(
    other_rules: pytest.MonkeyPatch,
) -> None:
    (_, before), *_ = pricer("three-card-double-play").hand_values(
        "high-low", paytables("three-card-double-play", "high-low")[0], {}, parse_cards("As Ks Qs Qd Qh 2c")
    )
    other_rules.setattr(double_play_rules, "EVEN_MONEY", ToOne(Fraction(3)))
    double_play.example_payoff.cache_clear()
    (_, after), *_ = pricer("three-card-double-play").hand_values(
        "high-low", paytables("three-card-double-play", "high-low")[0], {}, parse_cards("As Ks Qs Qd Qh 2c")
    )
    assert double_play.example_payoff(double_play.HIGH_WINS_ALONE).net == 2
    assert after > before


def test_when_ties_of_texas_shootout_push_without_a_quick_draw_wager_they_are_worth_nothing(
    other_rules: pytest.MonkeyPatch,
) -> None:
    assert [texas_shootout.example_payoff((1,), ties).net for ties in texas_shootout.TIES] == [-1, 0]
    other_rules.setattr(texas_shootout_rules, "ties_push", lambda *_: True)
    texas_shootout.example_payoff.cache_clear()
    assert [texas_shootout.example_payoff((1,), ties).net for ties in texas_shootout.TIES] == [0, 0]
    assert texas_shootout.example_payoff((1, 2), "lose").net == 1


def test_a_stake_that_the_paytable_decides_is_paid_by_another_table_and_the_others_stay() -> None:
    both = prime.play_payoff(prime.Category.PAIR, prime.BEATEN).payoff
    ante, play = both.stakes
    assert (ante.uses_paytable, play.uses_paytable) == (False, True)
    assert both.net_with_pay(ToOne(Fraction(7)), Basis.TO_ONE, 100).units == ante.net + 7
    assert both.net_with_pay(Dollars(50_00), Basis.TO_ONE, 10_00).units == ante.net + 5


def test_a_prize_in_dollars_brings_the_wager_back_on_a_to_one_table_only() -> None:
    assert net_units(Dollars(3_00), Basis.TO_ONE, 1_00).units == 3
    assert net_units(Dollars(3_00), Basis.FOR_ONE, 1_00).units == 2


def test_without_given_cards_any_cards_are_used() -> None:
    table = prime.example_table("three-card-prime")
    fold = settle_example(table, prime.MAIN, {}, {prime.PLAY_QUESTION: Decision(Verb.FOLD)})
    assert (fold.net, fold.wagered, fold.trigger) == (-1, 1, "fold")
