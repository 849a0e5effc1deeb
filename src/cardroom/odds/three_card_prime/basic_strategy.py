"""The basic strategy for Ante and Play: play one hand or better."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from cardroom.cards import Rank
from cardroom.hands import THREE_CARD, Category
from cardroom.hands.ranking import describe_hand_class
from cardroom.odds.pricer import BasicStrategy, StrategyRule
from cardroom.odds.three_card_prime.best_strategy import PlayPays, fold_payoff, matchups
from cardroom.translation import gettext

DEALS = comb(52, 3) * comb(49, 3)


def basic_strategy(pays: PlayPays) -> BasicStrategy:
    """The best strategy that plays one hand or better."""
    returns, best = _returns(pays)
    lowest = _best_lowest(returns)
    return BasicStrategy(_rules(lowest), returns[lowest] / DEALS, best / DEALS)


def lowest_playable_strength(pays: PlayPays) -> int:
    """The strength of the lowest hand that the basic strategy plays."""
    return _best_lowest(_returns(pays)[0])


def _best_lowest(returns: dict[int, Fraction]) -> int:
    return max(returns, key=returns.__getitem__)


def _returns(pays: PlayPays) -> tuple[dict[int, Fraction], Fraction]:
    """The return over all deals for every strength as the lowest hand to play, and the return of the best strategy.
    Folding everything is not a candidate: a mini-royal never loses its Ante."""
    gains = [Fraction(0)] * (len(THREE_CARD.classes) + 1)  # the gain of playing the hands of a strength
    fold = fold_payoff().net
    best = fold * DEALS
    for strength, hands, dealer in matchups():
        gain = hands * (pays.play_total(strength, dealer) - fold * dealer.total)
        gains[strength] += gain
        best += max(gain, Fraction(0))
    total, returns = fold * DEALS, {}
    for strength in range(len(THREE_CARD.classes), 0, -1):
        total += gains[strength]
        returns[strength] = total
    return returns, best


def _rules(lowest: int) -> tuple[StrategyRule, ...]:
    if lowest == 1:
        return (StrategyRule(gettext("play every hand")),)
    least = gettext("play {hand} or better").format(hand=hand_name(lowest))
    return StrategyRule(least), StrategyRule(gettext("fold everything else"))


def hand_name(strength: int) -> str:
    """A hand in players' terms.

    >>> hand_name(1), hand_name(len(THREE_CARD.classes))
    ('5-3-2', 'mini-royal')
    """
    hand_class = THREE_CARD.classes[strength - 1]
    if hand_class.category is Category.HIGH_CARD:
        return "-".join(Rank(rank).letter for rank in hand_class.ranks)
    return describe_hand_class(hand_class)
