"""A strategy for Ante and Play that a person can remember: one hand, and play it or better."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from cardroom.cards import Rank
from cardroom.hands import THREE_CARD, Category
from cardroom.hands.words import words
from cardroom.odds.pricer import Rule, SimpleStrategy
from cardroom.odds.three_card_prime.play import PlayPays, matchups
from cardroom.odds.three_card_prime.results import folded

DEALS = comb(52, 3) * comb(49, 3)


def play_or_better(pays: PlayPays) -> SimpleStrategy:
    """Play one hand or better: the best strategy of that kind."""
    returns, best = _returns(pays)
    lowest = _best_lowest(returns)
    return SimpleStrategy(_rules(lowest), returns[lowest] / DEALS, best / DEALS)


def lowest_to_play(pays: PlayPays) -> int:
    """The strength of the lowest hand that the simple strategy plays."""
    return _best_lowest(_returns(pays)[0])


def _best_lowest(returns: dict[int, Fraction]) -> int:
    return max(returns, key=returns.__getitem__)


def _returns(pays: PlayPays) -> tuple[dict[int, Fraction], Fraction]:
    """What every strength as the lowest hand to play returns over all deals, and what the best play returns. Folding
    everything need not be tried: a mini-royal never loses its Ante."""
    gained = [Fraction(0)] * (len(THREE_CARD.classes) + 1)  # by playing the hands of a strength
    fold = folded().net
    best = fold * DEALS
    for strength, hands, dealer in matchups():
        gain = hands * (pays.playing(strength, dealer) - fold * dealer.total)
        gained[strength] += gain
        best += max(gain, Fraction(0))
    total, returns = fold * DEALS, {}
    for strength in range(len(THREE_CARD.classes), 0, -1):
        total += gained[strength]
        returns[strength] = total
    return returns, best


def _rules(lowest: int) -> tuple[Rule, ...]:
    if lowest == 1:
        return (Rule("play every hand"),)
    return Rule(f"play {hand_name(lowest)} or better"), Rule("fold everything else")


def hand_name(strength: int) -> str:
    """A hand as players say it.

    >>> hand_name(1), hand_name(len(THREE_CARD.classes))
    ('5-3-2', 'mini-royal')
    """
    one = THREE_CARD.classes[strength - 1]
    if one.category is Category.HIGH_CARD:
        return "-".join(Rank(rank).letter for rank in one.ranks)
    return words(one)
