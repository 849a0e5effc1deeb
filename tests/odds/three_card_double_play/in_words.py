"""A player of the basic strategy with nothing but its text, without the program's hand rankings.

The reader parses the text clause by clause; a clause that it cannot parse is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

HIGH_CARDS, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH, MINI_ROYAL = range(7)
NAMES = {
    "high cards": HIGH_CARDS,
    "a pair": PAIR,
    "a flush": FLUSH,
    "a straight": STRAIGHT,
    "trips": TRIPS,
    "a straight flush": STRAIGHT_FLUSH,
    "a mini-royal": MINI_ROYAL,
}
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
PLURALS = tuple("sixes" if rank == "six" else f"{rank}s" for rank in RANKS)
SETTING = "set your cards so that both hands together count the most points you can make"
TIES = (
    (
        "of settings with equal points take the one with the better low hand, "
        "looking only at its kind and at its pair or highest card"
    ),
    (
        "of those still equal take the one with the best high hand if that is a flush or better, "
        "else the one with the best low hand, and then the best other hand"
    ),
)

Hand = tuple[int, tuple[int, ...]]
"""The kind and the ranks in order of comparison. The better of two hands is the larger."""


def hand(codes: Sequence[int]) -> Hand:
    """The hand of three cards: a code is four times the rank, from the twos, plus the suit."""
    ranks = sorted((code // 4 + 2 for code in codes), reverse=True)
    suited = len({code % 4 for code in codes}) == 1
    if ranks == [14, 3, 2]:
        return (STRAIGHT_FLUSH if suited else STRAIGHT), (3, 2, 1)
    if ranks[0] - ranks[1] == ranks[1] - ranks[2] == 1:
        kind = STRAIGHT if not suited else MINI_ROYAL if ranks[0] == 14 else STRAIGHT_FLUSH
        return kind, tuple(ranks)
    if len(set(ranks)) == 1:
        return TRIPS, tuple(ranks)
    if len(set(ranks)) == 2:
        pair = ranks[1]
        return PAIR, (pair, pair, next(rank for rank in ranks if rank != pair))
    return (FLUSH if suited else HIGH_CARDS), tuple(ranks)


@dataclass(frozen=True)
class Clause:
    """Points for a hand of this kind, or better if stated, from this rank on."""

    kinds: range
    rank: int
    points: int


class Reader:
    """A player who knows the text."""

    def __init__(self, rules: Sequence[str]) -> None:
        first, *counting, tie, then, doubling = rules
        assert (first, tie, then) == (SETTING, *TIES)
        self.clauses = {"high": self._clauses(counting, "high"), "low": self._clauses(counting, "low")}
        if found := re.fullmatch(r"double with (\d+) points or more, else stand", doubling):
            self.doubled_from = int(found[1])
        else:
            self.doubled_from = {"double always": -1, "never double": 1000}[doubling]

    def _clauses(self, rules: Sequence[str], which: str) -> list[Clause]:
        return [
            clause
            for rule in rules
            if rule.startswith(f"{which} hand: ")
            for clause in self._read(rule.removeprefix(f"{which} hand: ").removesuffix(" (A-2-3 is three high)"))
        ]

    def _read(self, rule: str) -> list[Clause]:
        if " if " not in rule:
            return [self._flat(part) for part in rule.split(", ")]
        match = re.fullmatch(r"(.*?) counts? (.*), else (\d+)", rule)
        assert match, rule
        kinds = range(NAMES[match[1]], NAMES[match[1]] + 1)
        parts = [re.fullmatch(r"(\d+) if (\w+)( high)?( or better)?", part) for part in match[2].split(", ")]
        clauses = []
        for part in parts:
            assert part, rule
            rank = 2 + (RANKS if part[3] else PLURALS).index(part[2])
            assert part[4] or rank == 14, "without ranks, no rank may be better"
            clauses.append(Clause(kinds, rank, int(part[1])))
        return [*clauses, Clause(kinds, 0, int(match[3]))]

    def _flat(self, part: str) -> Clause:
        match = re.fullmatch(r"(.*?)( or better)? counts? (\d+)", part)
        assert match, part
        kind = NAMES[match[1]]
        return Clause(range(kind, len(NAMES) if match[2] else kind + 1), 0, int(match[3]))

    def counted(self, which: str, one: Hand) -> int:
        """The first clause that fits."""
        kind, ranks = one
        return next(clause.points for clause in self.clauses[which] if kind in clause.kinds and ranks[0] >= clause.rank)

    def points(self, high: Hand, low: Hand) -> int:
        return self.counted("high", high) + self.counted("low", low)

    def chosen(self, settings: Sequence[tuple[Hand, Hand]]) -> tuple[Hand, Hand]:
        """The high hand and the low hand, from all possible settings."""
        most = max(self.points(*one) for one in settings)
        left = [one for one in settings if self.points(*one) == most]
        better_low = max((low[0], low[1][0]) for _, low in left)
        left = [(high, low) for high, low in left if (low[0], low[1][0]) == better_low]
        best_high = max(high for high, _ in left)
        if best_high[0] >= FLUSH:
            return max(left)
        return max(left, key=lambda one: (one[1], one[0]))

    def played(self, six: Sequence[int]) -> tuple[Hand, Hand, bool]:
        """Both hands, the high one first, and whether they are doubled."""
        settings = []
        for rest in combinations(six[1:], 2):
            one, other = hand((six[0], *rest)), hand([card for card in six[1:] if card not in rest])
            settings.append((max(one, other), min(one, other)))
        high, low = self.chosen(settings)
        return high, low, self.points(high, low) >= self.doubled_from
