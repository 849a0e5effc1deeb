"""What each decision is worth to a player who sees some cards: every card that may still come is dealt out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.games import Decision, Verb
from cardroom.games.deuces_wild.rules import FORTUNE_EVENTS, MAIN_EVENTS, fortune_selections
from cardroom.hands import is_wild
from cardroom.odds.deuces_wild.counts import DECK, categories, hands_with, tally
from cardroom.odds.deuces_wild.fortune import COMMUNITY_CARDS
from cardroom.odds.deuces_wild.results import folded_after_four, folded_after_three, fortune, raised
from cardroom.odds.deuces_wild.stakes import Scaled, nets
from cardroom.paytables import Paytable

Codes = NDArray[np.uint8]
Values = dict[Decision, Fraction]
"""In units of the wager: an Ante, or a Five Card Fortune wager."""


def ante_values(
    table: Paytable, held: tuple[Card, ...], rest: Codes, unit_cents: int = 100, meter_cents: int = 0
) -> Values:
    """Fold or play with three cards, fold or raise with four; ``rest`` are the cards that may still come."""
    scaled = Scaled.of(nets(table, MAIN_EVENTS, raised(), unit_cents, meter_cents), (folded_after_four().net,))
    if len(held) == 3:
        return {Decision(Verb.FOLD): folded_after_three().net, Decision(Verb.PLAY): _played(scaled, held, rest)}
    raising = Fraction(scaled.total(tally(hands_with(_codes(held), rest, 1))), scaled.scale * len(rest))
    return {Decision(Verb.FOLD): folded_after_four().net, Decision(Verb.RAISE): raising}


def _played(scaled: Scaled, held: tuple[Card, ...], rest: Codes) -> Fraction:
    """The Play wager, with the better of fold and raise after each fourth card."""
    hands = hands_with(_codes(held), rest, 2)
    net = scaled.nets[categories(hands)]
    by_fourth = np.zeros(DECK.size, net.dtype)
    for drawn in (3, 4):  # each of the two cards may be the fourth, and the other one then is the fifth
        np.add.at(by_fourth, hands[:, drawn], net)
    fifth_cards = len(rest) - 1
    folded = int(folded_after_four().net * scaled.scale) * fifth_cards
    best = np.maximum(by_fourth[rest], folded).sum()
    return Fraction(int(best), scaled.scale * len(rest) * fifth_cards)


def fortune_values(
    table: Paytable,
    three: tuple[Card, ...],
    rest: Codes,
    unit_cents: int = 100,
    meter_cents: int = 0,
    shown: tuple[Card, ...] = (),
) -> Values:
    """Each selection from the first three cards. Community cards that are ``shown`` are in every hand."""
    scaled = Scaled.of(nets(table, FORTUNE_EVENTS, fortune(), unit_cents, meter_cents))
    of_alike: dict[tuple[Card | None, ...], Fraction] = {}
    values = {}
    for selection in fortune_selections(three):
        (group,) = selection.groups
        alike = tuple(None if is_wild(card) else card for card in group)  # one wild card is as good as another
        if alike not in of_alike:
            hands = hands_with(_codes((*group, *shown)), rest, COMMUNITY_CARDS - len(shown))
            of_alike[alike] = Fraction(scaled.total(tally(hands)), scaled.scale * len(hands))
        values[selection] = of_alike[alike]
    return values


def best_first(values: Values) -> tuple[tuple[Decision, Fraction], ...]:
    """The decisions in order of their values; equal ones as they came."""
    return tuple(sorted(values.items(), key=lambda one: -one[1]))


def _codes(cards: tuple[Card, ...]) -> list[int]:
    return [card.code for card in cards]
