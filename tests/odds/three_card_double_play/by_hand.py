"""A second computation of 3 Card Double Play's main game for the tests: every hand of the dealer, one by one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations as choose

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, parse_cards
from cardroom.hands import THREE_CARD, Category, best_three, evaluate_many
from cardroom.odds.pricer import pricer
from cardroom.odds.result import Odds
from cardroom.paytables import Paytable, load_paytable, paytable
from tests.enumeration import combinations

SLUG = "three-card-double-play"
PRICER = pricer(SLUG)
JACKPOTS = ("super-3s", "super-six")
NUMERIC = tuple(f"LWB{number}" for number in range(1, 7))

# Rule 5 in the words of Appendix A.
NAMES = {
    Category.MINI_ROYAL: "mini-royal",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.THREE_OF_A_KIND: "trips",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.PAIR: "pair",
    Category.HIGH_CARD: "high-cards",
}

# Inverted pays, fractional odds, a line that pushes, one that loses, and dollars.
UPSIDE_DOWN = load_paytable(
    f'game = "{SLUG}"\nwager = "high-low"\nname = "upside down"\nbasis = "to 1"\n[lines]\n'
    'pair = "7:3"\nhigh-cards = "12"\nflush = "push"\nstraight = "loss"\ntrips = "$4.50"\nmini-royal = "0.1"\n'
)
UPSIDE_DOWN_PAYS = {
    "pair": Fraction(7, 3),
    "high-cards": Fraction(12),
    "flush": Fraction(0),
    "straight": Fraction(-1),
    "trips": Fraction(9, 2),
    "straight-flush": Fraction(-1),  # it has no line
    "mini-royal": Fraction(1, 10),
}
"""For a wager of one dollar."""


def low_hand_table(name: str) -> Paytable:
    return paytable(SLUG, "high-low", name)


def printed_pays(name: str) -> dict[str, Fraction]:
    """The pays of a printed table, read from its cells."""
    return {line.trigger: Fraction(line.cell) for line in low_hand_table(name).lines}


def odds(table: Paytable) -> Odds:
    priced = PRICER.price(table.wager, table, {})
    jackpot = table.wager in JACKPOTS
    return Odds(SLUG, table.wager, table.name, {}, priced.outcomes, priced.initial_wager, is_jackpot=jackpot)


def random_hands(count: int, seed: int) -> list[tuple[Card, ...]]:
    chance = random.Random(seed)
    return [tuple(chance.sample(STANDARD_DECK, 6)) for _ in range(count)]


# Hands with real choices: pairs, trips, flushes, and straights that exclude each other.
TELLING_HANDS = [
    parse_cards(text)
    for text in (
        "As Ks Qs Qd Qh 2c",
        "9s 9h 9d 9c 2d 2s",
        "Ac Kc Qc Jd Td 5h",
        "7c 6c 5c 7d 6d 5d",
        "Ah Kd Jc 9s 7h 5d",
        "Jc 4c 3c Kd 5d 5c",
    )
]


@cache
def _places(cards_left: int) -> NDArray[np.uint8]:
    return np.concatenate(list(combinations(cards_left, 5)))


def dealer_strengths(gone: Iterable[Card]) -> NDArray[np.uint16]:
    """The best three cards of every hand that the dealer can have."""
    return _dealer_strengths(frozenset(gone))


@lru_cache(maxsize=4)
def _dealer_strengths(gone: frozenset[Card]) -> NDArray[np.uint16]:
    left = np.array([card.code for card in STANDARD_DECK if card not in gone], np.uint8)
    return evaluate_many(THREE_CARD, left[_places(len(left))])


Setting = frozenset[frozenset[Card]]


def expected_nets(six: Sequence[Card], pays: dict[str, Fraction], gone: Iterable[Card] = ()) -> dict[Setting, Fraction]:
    """Every setting's expected net result without doubling, in units, directly from rules 7 to 10."""
    dealer = dealer_strengths((*six, *gone))
    nets = {}
    for one in choose(six, 3):
        other = tuple(card for card in six if card not in one)
        low, high = sorted((best_three(one), best_three(other)), key=lambda hand: hand.strength)
        low_wins = int((dealer <= low.strength).sum())
        high_wins = int((dealer <= high.strength).sum())
        net = (
            high_wins  # rules 9(a) and 10(a): even money
            - (len(dealer) - high_wins)  # rule 8
            + pays[NAMES[low.category]] * low_wins  # rule 10(b)
            - (len(dealer) - low_wins)  # rules 8 and 9(b)
        )
        nets[frozenset((frozenset(one), frozenset(other)))] = Fraction(net) / len(dealer)
    return nets
