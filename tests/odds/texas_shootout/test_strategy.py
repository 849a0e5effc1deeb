"""The basic strategy: its cost, and that its text says what it plays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import parse_cards
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.texas_shootout.basic_strategy import POINTS, PairPoints, choices_by_points, strategy_rules
from cardroom.odds.texas_shootout.hand_values import hand_classes
from cardroom.odds.texas_shootout.hands_and_boards import CHOICE_COUNT, CHOICE_PAIRS, every_hand
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.shoe import SUIT_ORDERS
from cardroom.odds.texas_shootout.tablebase.wide_integers import Limbs, argmax_limbs, to_int, weighted_sum

ROOT = Path(__file__).parents[3]
NETS = {"lose": (-1, -1, 1), "push": (-1, 0, 1)}
"""The nets of a loss, a tie, and a win."""


# The cost


@cache
def values(ties: str) -> Limbs:
    """The total result over all deals of a class, by class and choice."""
    joint = tablebase().all_joint_counts()
    joint = joint.reshape(len(joint), 3, 3, 3, -1)
    nets = np.array(NETS[ties])
    first, second = (np.tensordot(joint.sum(axis=other), nets, axes=(2, 0)) for other in (3, 2))
    # Keeps are numbered so that the last leaves what the first keeps.
    found: Limbs = np.concatenate([first, second[:, ::-1], first + second], axis=1)
    return found


def won(chosen: NDArray[np.int64], ties: str) -> int:
    each = values(ties)[np.arange(len(chosen)), chosen]
    return to_int(weighted_sum(each, hand_classes().combinations))


def cost(points: PairPoints, ties: str) -> Fraction:
    """Units lost per round against the best strategy."""
    chosen = choices_by_points(hand_classes().hands, points).astype(np.int64)
    best = won(argmax_limbs(values(ties)), ties)
    return Fraction(best - won(chosen, ties), tablebase().deals * comb(312, 4))


def test_the_basic_strategy_costs_what_the_guide_says() -> None:
    assert values("lose").shape == (22_022, CHOICE_COUNT, 3)
    found = [f"{float(100 * cost(POINTS, ties)):.4f}%" for ties in NETS]
    assert found == ["0.0378%", "0.0472%"]
    guide = " ".join((ROOT / "docs" / "odds.md").read_text().split())
    assert f"it costs {found[0]} of a unit when ties lose and {found[1]} when they push" in guide
    sooner = f"{float(100 * cost(POINTS._replace(split=38), 'push')):.4f}%"
    assert f"Splitting from 38 points on when they push would cost {sooner}." in guide
    assert all(f"{number}. {rule.text}" in guide for number, rule in enumerate(strategy_rules(POINTS), 1))


def steps(points: PairPoints) -> Iterator[PairPoints]:
    """One figure changed by one."""
    for name, value in points._asdict().items():
        yield from (points._replace(**{name: value + step}) for step in (-1, 1))


def both(points: PairPoints) -> Fraction:
    return cost(points, "lose") + cost(points, "push")


@pytest.mark.parametrize("name", ["ace", "pair", "split"])
def test_a_figure_that_is_one_off_costs_more(name: str) -> None:
    value = getattr(POINTS, name)
    assert all(both(POINTS._replace(**{name: value + step})) > both(POINTS) for step in (-1, 1))


@pytest.mark.long
def test_no_two_steps_away_from_the_points_cost_less() -> None:
    least = both(POINTS)
    near = {other for one in steps(POINTS) for other in (one, *steps(one))} - {POINTS}
    assert len(near) > 150
    assert all(both(other) > least for other in near)


# The play


class Reader:
    """A player with nothing but the text. A sentence that it cannot parse is an error."""

    def __init__(self, rules: Sequence[str]) -> None:
        counting, keeping, splitting = rules
        match = re.fullmatch(
            r"Points for two cards: both ranks added up \(jack (\d+), queen (\d+), king (\d+), ace (\d+)\); "
            r"add (\d+) for suited cards, (\d+) for cards one to (\w+) ranks apart \(ace high\), (\d+) for a pair\.",
            counting,
        )
        assert match
        self.faces = dict(zip((11, 12, 13, 14), map(int, match.groups()[:4]), strict=True))
        self.suited, self.close, self.pair = int(match[5]), int(match[6]), int(match[8])
        self.apart = ("one", "two", "three", "four").index(match[7]) + 1
        assert keeping == (
            "Keep the two cards with the most points; of equals those with the highest card, then the higher "
            "second card, then those that leave suited cards."
        )
        split = re.fullmatch(r"If the other two have (\d+) points or more, split\.", splitting)
        assert split
        self.split = int(split[1])

    def points(self, two: Sequence[int]) -> int:
        (one, suit), (other, other_suit) = (divmod(code, 4) for code in two)
        one, other = one + 2, other + 2
        total = self.faces.get(one, one) + self.faces.get(other, other)
        if suit == other_suit:
            total += self.suited
        if one == other:
            return total + self.pair
        return total + (self.close if abs(one - other) <= self.apart else 0)

    def wanted(self, kept: Sequence[int], left: Sequence[int]) -> tuple[int, int, int, bool]:
        low, high = sorted(code // 4 for code in kept)
        return self.points(kept), high, low, left[0] % 4 == left[1] % 4

    def played(self, four: Sequence[int]) -> set[tuple[bool, tuple[int, ...], tuple[int, ...]]]:
        """Whether to split, the cards kept, and the others; several if the text leaves a choice."""
        ways = [(kept, tuple(sorted(set(range(4)) - set(kept)))) for kept in combinations(range(4), 2)]
        named = [tuple(tuple(four[place] for place in places) for places in way) for way in ways]
        best = max(self.wanted(*one) for one in named)
        return {
            (self.points(left) >= self.split, kept, left) for kept, left in named if self.wanted(kept, left) == best
        }


def reader() -> Reader:
    return Reader([rule.text for rule in strategy_rules(POINTS)])


def some_hands(count: int) -> NDArray[np.uint8]:
    """Random hands, every third one with few ranks and suits, so that there are pairs and identical cards."""
    draw = np.random.default_rng(15)
    hands = draw.integers(52, size=(count, 4))
    hands[::3] = draw.integers(9, 13, size=(len(hands[::3]), 4)) * 4 + draw.integers(2, size=(len(hands[::3]), 4))
    return np.sort(hands, axis=1).astype(np.uint8)


def as_played(four: Sequence[int], choice: int) -> tuple[bool, tuple[int, ...], tuple[int, ...]]:
    keep = CHOICE_PAIRS[choice][0]
    kept, left = (tuple(four[place] for place in CHOICES[pair]) for pair in (keep, 5 - keep))
    return choice >= 6, kept, left


def test_the_text_says_what_is_played() -> None:
    hands, person = some_hands(6_000), reader()
    splits = identical = 0
    for four, choice in zip(hands.tolist(), choices_by_points(hands, POINTS).tolist(), strict=True):
        split, kept, left = as_played(four, choice)
        # Both hands of a split are played, so their order does not matter.
        assert {(split, kept, left), (split, left, kept)} & person.played(four), four
        splits, identical = splits + split, identical + (len(set(four)) < 4)
    assert splits > 100
    assert identical > 1_000


def test_choices_that_the_text_leaves_open_differ_in_suits_only() -> None:
    """Two choices of equal ranks need two cards of one rank."""
    person, hands = reader(), hand_classes().hands
    ranks = hands >> 2
    played = [person.played(four) for four in hands[(ranks[:, 1:] == ranks[:, :-1]).any(axis=1)].tolist()]
    opened = [one for one in played if len(one) > 1]
    assert len(opened) > 100
    assert all(len({renamed(*one) for one in some}) == 1 for some in opened)


def renamed(split: bool, kept: Sequence[int], left: Sequence[int]) -> tuple[object, ...]:
    """The hand with suits exchanged so that it comes first."""
    return min(
        (split, *(tuple(sorted(code // 4 * 4 + suits[code % 4] for code in two)) for two in (kept, left)))
        for suits in SUIT_ORDERS
    )


@pytest.mark.parametrize(
    ("held", "kept", "split"),
    [
        ("Ah Ad Ks Kc", "Ah Ad", True),
        ("Ah Kh 7c 2d", "Ah Kh", False),
        ("9h 8h 9c 2d", "9h 9c", False),
        ("7c 7d As Qh", "As Qh", True),  # 40 points each: the higher cards first, and the others are enough
        ("6c 6d As Kh", "As Kh", False),  # sixes have 38
        ("Jd 8c 6c 2h", "Jd 8c", False),  # 23 like 8c 6c
        ("9d 9h 9s 4d", "9h 9s", False),  # leaves suited cards
        ("9s 9s 9d 4s", "9s 9s", False),
    ],
)
def test_example_hands(held: str, kept: str, *, split: bool) -> None:
    hand = np.array([sorted(card.code for card in parse_cards(held))], np.uint8)
    value = as_played(hand[0].tolist(), int(choices_by_points(hand, POINTS)[0]))
    wanted = tuple(sorted(card.code for card in parse_cards(kept)))
    assert value[0] == split
    assert wanted in (value[1:] if split else value[1:2])


def test_every_hand_is_played_as_its_class_is() -> None:
    classes = hand_classes()
    by_class = classes.choices_by_hand(choices_by_points(classes.hands, POINTS))
    by_hand = choices_by_points(every_hand(), POINTS)
    differ = np.flatnonzero(by_class != by_hand)
    for at in differ[::97].tolist():
        four = every_hand()[at].tolist()
        one, other = (as_played(four, int(choices[at])) for choices in (by_class, by_hand))
        assert renamed(*one) in (renamed(*other), renamed(other[0], other[2], other[1])), four
