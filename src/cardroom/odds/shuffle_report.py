"""Tests of shuffles against chance: counts over many shuffles, each with its probability, all judged together.

The shuffled items are the places of a fresh deck, so every card is distinct, in several decks too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards.shuffle import RandomSource, shuffle_items
from cardroom.errors import BadInput
from cardroom.odds.statistics import adjust_p_values, chi_square_p, normal_p, poisson_p

LEVEL: Final = 0.01
"""99% confidence, as testing laboratories use."""
MIN_CARDS_PER_CELL: Final = 5
"""The cards that a chi-square needs in each cell on average."""
_CHUNK_SHUFFLES: Final = 2_000
_CELLS_PER_SHUFFLE: Final = 100
"""The least ratio of possible beginnings to shuffles, so that equal beginnings are rare."""

Shuffle: TypeAlias = Callable[[Sequence[int], RandomSource], Sequence[int]]
Permutations: TypeAlias = NDArray[np.int64]


class TooFewShuffles(BadInput):
    """Too few shuffles for the tests."""


class ShuffleTestResult(NamedTuple):
    """One test: a count compared with chance."""

    name: str
    counted: str
    statistic: str
    p: float
    """The probability that chance alone gives this count or one as far off."""
    adjusted: float = 1.0
    """The probability adjusted for all tests made together, by Holm's method."""

    @property
    def passes(self) -> bool:
        return self.adjusted >= LEVEL


@dataclass(frozen=True, slots=True)
class ShuffleReport:
    """The test results of many shuffles."""

    cards: int
    shuffles: int
    key: str
    tests: tuple[ShuffleTestResult, ...]

    @property
    def passes(self) -> bool:
        """Whether all tests together pass, as in 99 of 100 reports on fair shuffles."""
        return all(test.passes for test in self.tests)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "cards": self.cards,
            "shuffles": self.shuffles,
            "key": self.key,
            "level": LEVEL,
            "tests": [{**test._asdict(), "holds": test.passes} for test in self.tests],
            "holds": self.passes,
        }


def minimum_shuffles(cards: int) -> int:
    """The least number of shuffles for a report."""
    return MIN_CARDS_PER_CELL * cards


def shuffle_report(
    cards: int, shuffles: int, source: RandomSource, key: str, shuffle: Shuffle = shuffle_items
) -> ShuffleReport:
    """Shuffle a deck of this many cards this many times, and test the counts."""
    if shuffles < minimum_shuffles(cards):
        raise TooFewShuffles(
            f"{shuffles:,} shuffles of {cards} cards are too few: take {minimum_shuffles(cards):,} or more."
        )
    counts = _Counts(cards, shuffles)
    orders = (shuffle(range(cards), source) for _ in range(shuffles))
    while chunk := list(islice(orders, _CHUNK_SHUFFLES)):
        counts.add(np.array(chunk, np.int64))
    tests = tuple(counts.tests())
    adjusted = adjust_p_values([test.p for test in tests])
    results = tuple(test._replace(adjusted=p_value) for test, p_value in zip(tests, adjusted, strict=True))
    return ShuffleReport(cards, shuffles, key, results)


class _Counts:
    """The counts, updated for some shuffles at a time."""

    def __init__(self, cards: int, shuffles: int) -> None:
        self._cards, self._shuffles = cards, shuffles
        self._at_places = np.zeros(cards * cards, np.int64)
        self._rises = 0
        # Twice the distance from the middle, so that sums are integers.
        self._value = 2 * np.arange(cards) - (cards - 1)
        self._neighbors = 0
        self._next_shuffle = 0
        self._last: Permutations | None = None
        enough = (length for length in range(1, cards) if self._beginnings(length) >= _CELLS_PER_SHUFFLE * shuffles)
        self._prefix = next(enough, cards)
        self._prefixes: list[Permutations] = []

    def _beginnings(self, length: int) -> int:
        return math.perm(self._cards, length)

    def add(self, orders: Permutations) -> None:
        cards = self._cards
        self._at_places += np.bincount((orders + cards * np.arange(cards)).ravel(), minlength=cards * cards)
        self._rises += int((orders[:, 1:] > orders[:, :-1]).sum())
        values = self._value[orders]
        self._neighbors += int((values * np.roll(values, -1, axis=1)).sum())
        rows = values if self._last is None else np.vstack((self._last, values))
        self._next_shuffle += int((rows[1:] * rows[:-1]).sum())
        self._last = values[-1:]
        powers = cards ** np.arange(self._prefix, dtype=np.int64)
        self._prefixes.append(orders[:, : self._prefix] @ powers)

    def tests(self) -> Iterator[ShuffleTestResult]:
        yield self._positions()
        yield self._runs()
        yield from self._serial()
        yield self._collisions()

    def _positions(self) -> ShuffleTestResult:
        """Each card at each place: a table in which every row and column sums to the number of shuffles."""
        cards, shuffles = self._cards, self._shuffles
        degrees = (cards - 1) ** 2
        squared_deviation = float(((self._at_places - shuffles / cards) ** 2).sum())
        chi_square = squared_deviation * (cards - 1) / shuffles
        counted = f"each of {cards} cards at each of {cards} places"
        statistic = f"chi-square {chi_square:,.1f} of {degrees:,} degrees"
        # Counts that are too even are as unlikely as counts that are too uneven.
        p = chi_square_p(chi_square, degrees)
        return ShuffleTestResult("positions", counted, statistic, min(1.0, 2 * min(p, 1 - p)))

    def _runs(self) -> ShuffleTestResult:
        """Rises in a random order have the mean (n - 1) / 2 and the variance (n + 1) / 12."""
        mean, variance = (self._cards - 1) / 2, (self._cards + 1) / 12
        runs = self._shuffles * self._cards - self._rises
        z = (self._rises - self._shuffles * mean) / math.sqrt(self._shuffles * variance)
        return _normal("runs", f"{runs:,} rising runs, {runs / self._shuffles:.3f} a shuffle", z)

    def _serial(self) -> Iterator[ShuffleTestResult]:
        """A card and the next one (Wald-Wolfowitz moments), and the cards at one place in consecutive shuffles."""
        n, square = self._cards, int((self._value**2).sum())
        fourth = int((self._value**4).sum())
        mean = -square / (n - 1)
        variance = (square**2 - fourth) / (n - 1) + (square**2 - 2 * fourth) / ((n - 1) * (n - 2)) - mean**2
        z = (self._neighbors - self._shuffles * mean) / math.sqrt(self._shuffles * variance)
        correlation = self._neighbors / (self._shuffles * square)
        yield _normal("serial correlation", f"neighbors in a shuffle, {correlation:+.6f}", z)
        pairs = self._shuffles - 1
        z = self._next_shuffle / math.sqrt(pairs * square**2 / (n - 1))
        description = f"the same place in the next shuffle, {self._next_shuffle / (pairs * square):+.6f}"
        yield _normal("serial correlation", description, z)

    def _collisions(self) -> ShuffleTestResult:
        """Shuffles that begin like an earlier one; rare enough for a Poisson distribution."""
        shuffles, cells = self._shuffles, self._beginnings(self._prefix)
        repeated = shuffles - len(np.unique(np.concatenate(self._prefixes)))
        # Shuffles minus distinct beginnings: n - m (1 - (1 - 1/m)^n), computed without loss of precision.
        mean = shuffles + cells * math.expm1(shuffles * math.log1p(-1 / cells))
        counted = f"{repeated:,} begin with the same {self._prefix} cards as an earlier one"
        return ShuffleTestResult("collisions", counted, f"{mean:.2f} expected", poisson_p(repeated, mean))


def _normal(name: str, counted: str, z: float) -> ShuffleTestResult:
    return ShuffleTestResult(name, counted, f"z {z:+.2f}", normal_p(z))
