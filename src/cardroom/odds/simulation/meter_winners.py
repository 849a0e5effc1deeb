"""What the seats of one round win from a meter together, counted exactly.

The seats of a round are dealt from one shoe and may share a board, so their wins are not independent. Winners of one
line share its percentage (BJ-4). Two lines pay their percentages in full, even beyond what the meter has (BJ-8). When
they take all of it, the meter is reset once (BJ-12). So the meter only needs which lines were won in a round, and the
probability that they were won together.

>>> royal, flush = (
...     MeterPrize("royal", Fraction(1), Fraction(1, 100)), MeterPrize("flush", Fraction(1, 10), Fraction(1, 20))
... )
>>> alone = single_seat_wins((royal, flush))
>>> alone.hit_probability, alone.mean_prizes, alone.reset_probability, alone.mean_taken
(Fraction(3, 50), Fraction(3, 50), Fraction(1, 100), Fraction(3, 200))
>>> both = RoundWins((*alone.combinations, WinCombination((royal, flush), Fraction(1, 1000))))
>>> both.mean_prizes - alone.mean_prizes, both.mean_taken - alone.mean_taken, both.mean_paid - alone.mean_paid
(Fraction(1, 500), Fraction(1, 1000), Fraction(11, 10000))

A game counts the probability that given seats win given lines. How many of all seats win follows by inclusion and
exclusion.

>>> coin = MeterPrize("heads", Fraction(1), Fraction(1, 2))
>>> two = JointProbabilities((coin,), {(1,): Fraction(1, 2), (2,): Fraction(1, 4)}).winners(2)
>>> {count: str(chance) for (count,), chance in sorted(two.counts.items())}
{1: '1/2', 2: '1/4'}
>>> two.average_share(0)
Fraction(3, 4)

Winning hands of one deck that several seats can have at the same time:

>>> some = WinningHand(0b0011, 0), WinningHand(0b0110, 0), WinningHand(0b1100, 1)
>>> sorted(count_joint_hands(some, 2).items())
[((0, 1), 1), ((1, 0), 2), ((1, 1), 1)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.kernels import kernel
from cardroom.odds.pricer import PluginSpec, Settings, load_plugin
from cardroom.odds.prices import PriceRequest
from cardroom.paytables import Paytable, Percent


class MeterPrize(NamedTuple):
    """A line that pays a share of the meter, where 1 is all of it, and how probable it is for one wager."""

    trigger: str
    share: Fraction
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WinCombination:
    """Lines that are won together in a round, each by one seat or by several that share it, and how probable it is that
    a round wins these and no others."""

    prizes: tuple[MeterPrize, ...]
    probability: Fraction

    @property
    def paid_share(self) -> Fraction:
        """To the players, as a part of what the meter showed."""
        return sum((prize.share for prize in self.prizes), Fraction(0))

    @property
    def taken_share(self) -> Fraction:
        """Off the meter, which has no more than all of it."""
        return min(self.paid_share, Fraction(1))

    @property
    def resets_meter(self) -> bool:
        return self.paid_share >= 1


@dataclass(frozen=True)
class RoundWins:
    """Every way in which a round can win something off the meter."""

    combinations: tuple[WinCombination, ...]

    def _mean(self, value: Callable[[WinCombination], int | Fraction]) -> Fraction:
        return sum((combination.probability * value(combination) for combination in self.combinations), Fraction(0))

    @property
    def hit_probability(self) -> Fraction:
        """The chance that a round wins anything."""
        return sum((combination.probability for combination in self.combinations), Fraction(0))

    @property
    def mean_prizes(self) -> Fraction:
        """How many prizes a round pays on average; one that is shared counts once."""
        return self._mean(lambda combination: len(combination.prizes))

    @property
    def reset_probability(self) -> Fraction:
        """The chance that a round takes the whole meter."""
        return self._mean(lambda combination: int(combination.resets_meter))

    @property
    def mean_taken(self) -> Fraction:
        """The part of the meter that a round takes on average."""
        return self._mean(lambda combination: combination.taken_share)

    @property
    def mean_paid(self) -> Fraction:
        """What a round pays on average, as a part of the meter."""
        return self._mean(lambda combination: combination.paid_share)


def single_seat_wins(prizes: Sequence[MeterPrize]) -> RoundWins:
    """A round in which one seat makes the wager: exact. So is it for seats that win all together or not at all."""
    return RoundWins(tuple(WinCombination((prize,), prize.probability) for prize in prizes))


def exclusive_wins(prizes: Sequence[MeterPrize], seats: int) -> RoundWins:
    """A round of several seats of which never two win. No cards give more prizes or resets by single lines."""
    return RoundWins(tuple(WinCombination((prize,), seats * prize.probability) for prize in prizes))


MAX_SEATS: Final = 12
"""At one table: winners are counted up to here."""
LineCounts: TypeAlias = tuple[int, ...]
"""How many seats win each percentage line, from the top line down."""


@dataclass(frozen=True)
class RoundWinners:
    """What the seats of one round win together."""

    seats: int
    lines: tuple[MeterPrize, ...]
    counts: Mapping[LineCounts, Fraction]
    """The chance that exactly so many seats win each line; without the rounds in which nobody wins."""

    def winner_counts(self, line: int) -> dict[int, Fraction]:
        """The chance of so many winners of one line, from one winner up."""
        counts: dict[int, Fraction] = {}
        for line_counts, chance in self.counts.items():
            if line_counts[line]:
                counts[line_counts[line]] = counts.get(line_counts[line], Fraction(0)) + chance
        return dict(sorted(counts.items()))

    def win_probability(self, line: int) -> Fraction:
        """The chance that a round has a winner of the line."""
        return sum(self.winner_counts(line).values(), Fraction(0))

    def average_share(self, line: int) -> Fraction:
        """What a winner of the line gets of its percentage, on average."""
        return self.win_probability(line) / (self.seats * self.lines[line].probability)

    @property
    def round_wins(self) -> RoundWins:
        """Which lines are won together: all that a meter asks."""
        combinations: dict[tuple[MeterPrize, ...], Fraction] = {}
        for line_counts, chance in self.counts.items():
            prizes = tuple(prize for prize, count in zip(self.lines, line_counts, strict=True) if count)
            combinations[prizes] = combinations.get(prizes, Fraction(0)) + chance
        return RoundWins(tuple(WinCombination(prizes, chance) for prizes, chance in combinations.items()))


@dataclass(frozen=True)
class JointProbabilities:
    """The chance that some seats win, each a line that is named for it. Seats are equals, so numbers are enough."""

    lines: tuple[MeterPrize, ...]
    probabilities: Mapping[LineCounts, Fraction]
    """The first (1, 2) seats win the first line once and the second line twice; no entry where that cannot be."""

    def winners(self, seats: int) -> RoundWinners:
        """How many of so many seats win each line."""
        groups = {
            line_counts: chance
            * Fraction(factorial(seats), prod(map(factorial, line_counts)) * factorial(seats - sum(line_counts)))
            for line_counts, chance in self.probabilities.items()
            if sum(line_counts) <= seats
        }
        counts = {line_counts: _exactly(line_counts, groups) for line_counts in groups}
        return RoundWinners(
            seats, self.lines, {line_counts: chance for line_counts, chance in counts.items() if chance}
        )


def _exactly(line_counts: LineCounts, groups: Mapping[LineCounts, Fraction]) -> Fraction:
    """Inclusion and exclusion: ``groups`` has the expected number of groups of winners of each make."""
    total = Fraction(0)
    for larger_counts, expected in groups.items():
        if all(count >= minimum for count, minimum in zip(larger_counts, line_counts, strict=True)):
            choices = prod(comb(count, minimum) for count, minimum in zip(larger_counts, line_counts, strict=True))
            total += (-1) ** (sum(larger_counts) - sum(line_counts)) * choices * expected
    return total


class UnknownWinners(NamedTuple):
    """Why nobody has counted it."""

    reason: str


class WinnersCounter(ABC):
    """Who counts the winners of a game's jackpots."""

    @abstractmethod
    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        """The chances of seats that are named; the table has a percentage line at least."""


WINNERS: Final = "cardroom.winners"
"""The entry points by which a package announces a count of its game's winners."""


@cache
def winners_counter(slug: str) -> WinnersCounter:
    """Who counts the winners of a game."""
    spec = PluginSpec("winners", "WINNERS", WINNERS, "count winners", "simulator", "UncountedWinners")
    plugin: WinnersCounter = load_plugin(slug, spec, WinnersCounter)
    return plugin


def percentage_triggers(table: Paytable) -> tuple[str, ...]:
    """The lines that come off a meter."""
    return tuple(line.trigger for line in table.lines if isinstance(line.pay, Percent))


def line_indexes(table: Paytable, kinds: Sequence[tuple[str, ...]]) -> tuple[int | None, ...]:
    """For each kind of cards, by the events that they meet: the place of the percentage line that pays them, if one
    does."""
    events = percentage_triggers(table)
    firsts = (table.find_matching_line(kind) for kind in kinds)
    return tuple(events.index(line.trigger) if line and line.trigger in events else None for line in firsts)


def build_joint(table: Paytable, probabilities: Mapping[LineCounts, Fraction]) -> JointProbabilities:
    """With the lines of the table; how probable each is for one seat stands in ``probabilities`` itself."""
    pays = {line.trigger: line.pay.share for line in table.lines if isinstance(line.pay, Percent)}
    units = [tuple(int(index == place) for index in range(len(pays))) for place in range(len(pays))]
    lines = tuple(
        MeterPrize(event, share, probabilities.get(unit, Fraction(0)))
        for unit, (event, share) in zip(units, pays.items(), strict=True)
    )
    return JointProbabilities(
        lines, {line_counts: chance for line_counts, chance in probabilities.items() if any(line_counts) and chance}
    )


def joint_round_wins(request: PriceRequest, seats: int) -> RoundWins | None:
    """What so many seats at one table win together in a round; None where nobody has counted it."""
    joint = winners_counter(request.game).joint_probabilities(request.wager, request.table, request.settings)
    return None if isinstance(joint, UnknownWinners) or seats > MAX_SEATS else joint.winners(seats).round_wins


_MAX_WINNERS: Final = 8
"""Winners of one round that are counted: no table has more seats with cards of one deck."""


class WinningHand(NamedTuple):
    """Cards with which a seat wins."""

    cards: int
    """As bits, by code."""
    line: int
    arrangements: int = 1
    """In which they may lie before the seat."""


def card_bits(cards: Iterable[Card]) -> int:
    """Cards of one deck as a set."""
    return sum(1 << card.code for card in cards)


def count_joint_hands(hands: Sequence[WinningHand], lines: int) -> dict[LineCounts, int]:
    """In how many ways seats that are named hold winning hands that share no card, by the lines that they win."""
    if not hands:
        return {}
    sets = np.zeros((_MAX_WINNERS + 1) ** lines, np.int64)
    _count_sets(_arrange_hands(hands), sets)
    counts: dict[LineCounts, int] = {}
    for place in np.flatnonzero(sets).tolist():
        line_counts = tuple(place // (_MAX_WINNERS + 1) ** line % (_MAX_WINNERS + 1) for line in range(lines))
        counts[line_counts] = int(sets[place]) * prod(map(factorial, line_counts))
    return counts


class _HandArrays(NamedTuple):
    """Holdings for the kernel, those with many cards in common behind one another."""

    cards: NDArray[np.uint64]
    steps: NDArray[np.int64]
    """What a holding of its line adds to the place among the sets."""
    arrangements: NDArray[np.int64]
    common: NDArray[np.uint64]
    """What all holdings of the group have: once one of them is taken, no other can be."""
    next_group: NDArray[np.int64]
    """Where the next group begins."""


def _arrange_hands(hands: Sequence[WinningHand]) -> _HandArrays:
    groups: list[tuple[int, list[WinningHand]]] = []
    for hand in hands:
        for index, (common, members) in enumerate(groups):
            if 2 * (common & hand.cards).bit_count() >= hand.cards.bit_count():
                groups[index] = common & hand.cards, [*members, hand]
                break
        else:
            groups.append((hand.cards, [hand]))
    ordered = [hand for _, members in groups for hand in members]
    ends = np.cumsum([len(members) for _, members in groups]).tolist()
    sizes = [len(members) for _, members in groups]
    return _HandArrays(
        cards=np.array([hand.cards for hand in ordered], np.uint64),
        steps=np.array([(_MAX_WINNERS + 1) ** hand.line for hand in ordered], np.int64),
        arrangements=np.array([hand.arrangements for hand in ordered], np.int64),
        common=np.repeat(np.array([common for common, _ in groups], np.uint64), sizes),
        next_group=np.repeat(np.array(ends, np.int64), sizes),
    )


@kernel
def _count_sets(arrays: _HandArrays, sets: NDArray[np.int64]) -> None:
    """Every set of holdings without a common card: a step each to its place in ``sets``."""
    cards, steps, arrangements, common, next_group = (
        arrays.cards,
        arrays.steps,
        arrays.arrangements,
        arrays.common,
        arrays.next_group,
    )
    next_hand = np.zeros(_MAX_WINNERS + 1, np.int64)
    taken = np.zeros(_MAX_WINNERS + 2, np.uint64)
    places = np.zeros(_MAX_WINNERS + 2, np.int64)
    products = np.ones(_MAX_WINNERS + 2, np.int64)
    depth = 0
    while depth >= 0:
        hand = next_hand[depth]
        if hand == len(cards) or depth == _MAX_WINNERS:
            depth -= 1
            continue
        if taken[depth] & common[hand]:
            next_hand[depth] = next_group[hand]
            continue
        next_hand[depth] += 1
        if taken[depth] & cards[hand]:
            continue
        taken[depth + 1] = taken[depth] | cards[hand]
        places[depth + 1] = places[depth] + steps[hand]
        products[depth + 1] = products[depth] * arrangements[hand]
        sets[places[depth + 1]] += products[depth + 1]
        next_hand[depth + 1] = hand + 1
        depth += 1


def joint_hand_probabilities(
    counts: Mapping[LineCounts, int], deck: int, hand: int, orders: int = 1
) -> dict[LineCounts, Fraction]:
    """Ways as chances, when every seat is dealt so many cards of the deck; ``orders`` is in how many ways they may lie
    that count as different."""
    return {
        line_counts: Fraction(count, prod(comb(deck - hand * seat, hand) * orders for seat in range(sum(line_counts))))
        for line_counts, count in counts.items()
    }
