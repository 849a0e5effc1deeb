"""The exact counts of what the seats of one round win together from a meter.

The seats of a round are dealt from one shoe and may share a board, so their wins are not independent. Winners of one
line share its percentage (BJ-4). Two lines pay their percentages in full, even if together they exceed the meter
(BJ-8). If they take all of it, the meter resets once (BJ-12). So the meter needs only the lines won in a round, and the
probability that they are won together.

>>> royal, flush = (
...     MeterPrize("royal", Fraction(1), Fraction(1, 100)), MeterPrize("flush", Fraction(1, 10), Fraction(1, 20))
... )
>>> alone = single_seat_wins((royal, flush))
>>> alone.hit_probability, alone.mean_prizes, alone.reset_probability, alone.mean_taken
(Fraction(3, 50), Fraction(3, 50), Fraction(1, 100), Fraction(3, 200))
>>> both = RoundWins((*alone.combinations, WinCombination((royal, flush), Fraction(1, 1000))))
>>> both.mean_prizes - alone.mean_prizes, both.mean_taken - alone.mean_taken, both.mean_paid - alone.mean_paid
(Fraction(1, 500), Fraction(1, 1000), Fraction(11, 10000))

A game counts the probability that given seats win given lines. The number of winners among all seats follows by
inclusion and exclusion.

>>> coin = MeterPrize("heads", Fraction(1), Fraction(1, 2))
>>> two = JointProbabilities((coin,), {(1,): Fraction(1, 2), (2,): Fraction(1, 4)}).winners(2)
>>> {count: str(chance) for (count,), chance in sorted(two.counts.items())}
{1: '1/2', 2: '1/4'}
>>> two.average_share(0)
Fraction(3, 4)

Winning hands of one deck that several seats can have together:

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
    """A line that pays a share of the meter (1 is all of it), and its probability for one wager."""

    trigger: str
    share: Fraction
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WinCombination:
    """Lines won together in a round, each by one seat or by several that share it, and the probability that a round
    wins these lines and no others."""

    prizes: tuple[MeterPrize, ...]
    probability: Fraction

    @property
    def paid_share(self) -> Fraction:
        """Paid to the players, as a part of the meter."""
        return sum((prize.share for prize in self.prizes), Fraction(0))

    @property
    def taken_share(self) -> Fraction:
        """Taken from the meter, at most all of it."""
        return min(self.paid_share, Fraction(1))

    @property
    def resets_meter(self) -> bool:
        return self.paid_share >= 1


@dataclass(frozen=True)
class RoundWins:
    """Every way in which a round can win from the meter."""

    combinations: tuple[WinCombination, ...]

    def _mean(self, value: Callable[[WinCombination], int | Fraction]) -> Fraction:
        return sum((combination.probability * value(combination) for combination in self.combinations), Fraction(0))

    @property
    def hit_probability(self) -> Fraction:
        """The probability that a round wins anything."""
        return sum((combination.probability for combination in self.combinations), Fraction(0))

    @property
    def mean_prizes(self) -> Fraction:
        """The average number of prizes per round; a shared prize counts once."""
        return self._mean(lambda combination: len(combination.prizes))

    @property
    def reset_probability(self) -> Fraction:
        """The probability that a round takes the whole meter."""
        return self._mean(lambda combination: int(combination.resets_meter))

    @property
    def mean_taken(self) -> Fraction:
        """The average part of the meter that a round takes."""
        return self._mean(lambda combination: combination.taken_share)

    @property
    def mean_paid(self) -> Fraction:
        """The average payment of a round, as a part of the meter."""
        return self._mean(lambda combination: combination.paid_share)


def single_seat_wins(prizes: Sequence[MeterPrize]) -> RoundWins:
    """A round in which one seat makes the wager: exact. It is also exact for seats that win all together or not at
    all."""
    return RoundWins(tuple(WinCombination((prize,), prize.probability) for prize in prizes))


def exclusive_wins(prizes: Sequence[MeterPrize], seats: int) -> RoundWins:
    """A round of several seats of which at most one wins. No cards give more prizes or resets by single lines."""
    return RoundWins(tuple(WinCombination((prize,), seats * prize.probability) for prize in prizes))


MAX_SEATS: Final = 12
"""The most seats at one table for which winners are counted."""
LineCounts: TypeAlias = tuple[int, ...]
"""The number of winning seats of each percentage line, from the top line down."""


@dataclass(frozen=True)
class RoundWinners:
    """The prizes that the seats of one round win together."""

    seats: int
    lines: tuple[MeterPrize, ...]
    counts: Mapping[LineCounts, Fraction]
    """The probability that exactly this many seats win each line, without rounds that have no winner."""

    def winner_counts(self, line: int) -> dict[int, Fraction]:
        """The probability of each number of winners of one line, from one winner up."""
        counts: dict[int, Fraction] = {}
        for line_counts, chance in self.counts.items():
            if line_counts[line]:
                counts[line_counts[line]] = counts.get(line_counts[line], Fraction(0)) + chance
        return dict(sorted(counts.items()))

    def win_probability(self, line: int) -> Fraction:
        """The probability that a round has a winner of the line."""
        return sum(self.winner_counts(line).values(), Fraction(0))

    def average_share(self, line: int) -> Fraction:
        """The average share of its percentage that a winner of the line gets."""
        return self.win_probability(line) / (self.seats * self.lines[line].probability)

    @property
    def round_wins(self) -> RoundWins:
        """The lines won together, which is all that a meter depends on."""
        combinations: dict[tuple[MeterPrize, ...], Fraction] = {}
        for line_counts, chance in self.counts.items():
            prizes = tuple(prize for prize, count in zip(self.lines, line_counts, strict=True) if count)
            combinations[prizes] = combinations.get(prizes, Fraction(0)) + chance
        return RoundWins(tuple(WinCombination(prizes, chance) for prizes, chance in combinations.items()))


@dataclass(frozen=True)
class JointProbabilities:
    """The probability that given seats win given lines. Seats are interchangeable, so the numbers are enough."""

    lines: tuple[MeterPrize, ...]
    probabilities: Mapping[LineCounts, Fraction]
    """The key (1, 2): three seats of which one wins the first line and two win the second. An impossible key has no
    entry."""

    def winners(self, seats: int) -> RoundWinners:
        """The number of winners of each line among this many seats."""
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
    """Inclusion and exclusion: ``groups`` has the expected number of groups of winners by their lines."""
    total = Fraction(0)
    for larger_counts, expected in groups.items():
        if all(count >= minimum for count, minimum in zip(larger_counts, line_counts, strict=True)):
            choices = prod(comb(count, minimum) for count, minimum in zip(larger_counts, line_counts, strict=True))
            total += (-1) ** (sum(larger_counts) - sum(line_counts)) * choices * expected
    return total


class UnknownWinners(NamedTuple):
    """The reason why the joint winners are not counted."""

    reason: str


class WinnersCounter(ABC):
    """Counts the joint winners of a game's jackpots."""

    @abstractmethod
    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        """The joint probabilities of given seats. The table has at least one percentage line."""


WINNERS: Final = "cardroom.winners"
"""The group of entry points in which a package announces a winners counter for its game."""


@cache
def winners_counter(slug: str) -> WinnersCounter:
    """The winners counter of a game."""
    spec = PluginSpec("joint_jackpot_winners", "WINNERS", WINNERS, "count winners", "simulator", "UncountedWinners")
    plugin: WinnersCounter = load_plugin(slug, spec, WinnersCounter)
    return plugin


def percentage_triggers(table: Paytable) -> tuple[str, ...]:
    """The lines that pay from a meter."""
    return tuple(line.trigger for line in table.lines if isinstance(line.pay, Percent))


def line_indexes(table: Paytable, kinds: Sequence[tuple[str, ...]]) -> tuple[int | None, ...]:
    """For each set of events: the index of the percentage line that pays it, if one does."""
    events = percentage_triggers(table)
    firsts = (table.find_matching_line(kind) for kind in kinds)
    return tuple(events.index(line.trigger) if line and line.trigger in events else None for line in firsts)


def build_joint(table: Paytable, probabilities: Mapping[LineCounts, Fraction]) -> JointProbabilities:
    """Build the joint probabilities with the lines of the table; ``probabilities`` includes those of one seat."""
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
    """What this many seats at one table win together in a round; None if it is not counted."""
    joint = winners_counter(request.game).joint_probabilities(request.wager, request.table, request.settings)
    return None if isinstance(joint, UnknownWinners) or seats > MAX_SEATS else joint.winners(seats).round_wins


_MAX_WINNERS: Final = 8
"""The most winners of one round that are counted: a table with one deck has no more seats."""


class WinningHand(NamedTuple):
    """Cards that win for a seat."""

    cards: int
    """As bits, by code."""
    line: int
    arrangements: int = 1
    """The number of orders in which the seat may have them."""


def card_bits(cards: Iterable[Card]) -> int:
    """A set of cards of one deck, as bits."""
    return sum(1 << card.code for card in cards)


def count_joint_hands(hands: Sequence[WinningHand], lines: int) -> dict[LineCounts, int]:
    """The number of ways in which given seats have winning hands without a common card, by the lines that they win."""
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
    """Winning hands for the kernel, those with many common cards next to each other."""

    cards: NDArray[np.uint64]
    steps: NDArray[np.int64]
    """What a winning hand of its line adds to the index among the sets."""
    arrangements: NDArray[np.int64]
    common: NDArray[np.uint64]
    """The cards that all hands of the group have in common: at most one of these hands can be taken."""
    next_group: NDArray[np.int64]
    """The index of the next group."""


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
    """Count every set of hands without a common card at its index in ``sets``."""
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
    """Ways as probabilities if every seat is dealt this many cards of the deck; ``orders`` is the number of orders that
    count as different."""
    return {
        line_counts: Fraction(count, prod(comb(deck - hand * seat, hand) * orders for seat in range(sum(line_counts))))
        for line_counts, count in counts.items()
    }
