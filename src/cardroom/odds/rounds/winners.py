"""How many seats at one table win each percentage line of a jackpot in one round, counted exactly.

The seats of a round are dealt from one shoe, and in some games they share cards, so their wins hang together: equal
winners share a percentage (BJ-4). A game counts with what probability seats that are named win lines that are named;
how many of all seats win follows from that by inclusion and exclusion.

>>> coin = Prize("heads", Fraction(1), Fraction(1, 2))
>>> two = Joint((coin,), {(1,): Fraction(1, 2), (2,): Fraction(1, 4)}).at(2)
>>> {count: str(chance) for (count,), chance in sorted(two.counts.items())}
{1: '1/2', 2: '1/4'}
>>> two.share(0)
Fraction(3, 4)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod
from typing import Final, NamedTuple, TypeAlias

from cardroom.odds.own import Own, brought
from cardroom.odds.pricer import Settings
from cardroom.odds.question import Question
from cardroom.odds.rounds.wins import Prize, RoundWins, Won
from cardroom.paytables import Paytable, Percent

MOST_SEATS: Final = 12
"""At one table: winners are counted up to here."""
Each: TypeAlias = tuple[int, ...]
"""How many seats win each percentage line, from the top line down."""


@dataclass(frozen=True)
class Winners:
    """What the seats of one round win together."""

    seats: int
    lines: tuple[Prize, ...]
    counts: Mapping[Each, Fraction]
    """The chance that exactly so many seats win each line; without the rounds in which nobody wins."""

    def of_line(self, line: int) -> dict[int, Fraction]:
        """The chance of so many winners of one line, from one winner up."""
        found: dict[int, Fraction] = {}
        for each, chance in self.counts.items():
            if each[line]:
                found[each[line]] = found.get(each[line], Fraction(0)) + chance
        return dict(sorted(found.items()))

    def won(self, line: int) -> Fraction:
        """The chance that a round has a winner of the line."""
        return sum(self.of_line(line).values(), Fraction(0))

    def share(self, line: int) -> Fraction:
        """What a winner of the line gets of its percentage, on average."""
        return self.won(line) / (self.seats * self.lines[line].probability)

    @property
    def round_wins(self) -> RoundWins:
        """Which lines are won together: all that a meter asks."""
        ways: dict[tuple[Prize, ...], Fraction] = {}
        for each, chance in self.counts.items():
            prizes = tuple(prize for prize, count in zip(self.lines, each, strict=True) if count)
            ways[prizes] = ways.get(prizes, Fraction(0)) + chance
        return RoundWins(tuple(Won(prizes, chance) for prizes, chance in ways.items()))


@dataclass(frozen=True)
class Joint:
    """The chance that some seats win, each a line that is named for it. Seats are equals, so numbers are enough."""

    lines: tuple[Prize, ...]
    together: Mapping[Each, Fraction]
    """The first (1, 2) seats win the first line once and the second line twice; no entry where that cannot be."""

    def at(self, seats: int) -> Winners:
        """How many of so many seats win each line."""
        groups = {
            each: chance * Fraction(factorial(seats), prod(map(factorial, each)) * factorial(seats - sum(each)))
            for each, chance in self.together.items()
            if sum(each) <= seats
        }
        counts = {each: _exactly(each, groups) for each in groups}
        return Winners(seats, self.lines, {each: chance for each, chance in counts.items() if chance})


def _exactly(each: Each, groups: Mapping[Each, Fraction]) -> Fraction:
    """Inclusion and exclusion: ``groups`` has the expected number of groups of winners of each make."""
    total = Fraction(0)
    for more, expected in groups.items():
        if all(one >= least for one, least in zip(more, each, strict=True)):
            ways = prod(comb(one, least) for one, least in zip(more, each, strict=True))
            total += (-1) ** (sum(more) - sum(each)) * ways * expected
    return total


class Uncounted(NamedTuple):
    """Why nobody has counted it."""

    words: str


class WinnersCount(ABC):
    """Who counts the winners of a game's jackpots."""

    @abstractmethod
    def joint(self, wager: str, table: Paytable, settings: Settings) -> Joint | Uncounted:
        """The chances of seats that are named; the table has a percentage line at least."""


WINNERS: Final = "cardroom.winners"
"""The entry points by which a package announces a count of its game's winners."""


@cache
def winners_count(slug: str) -> WinnersCount:
    """Who counts the winners of a game."""
    own = Own("winners", "WINNERS", WINNERS, "count winners", "NobodyCounts")
    found: WinnersCount = brought(slug, own, WinnersCount)
    return found


def percentage_events(table: Paytable) -> tuple[str, ...]:
    """The lines that come off a meter."""
    return tuple(line.event for line in table.lines if isinstance(line.pay, Percent))


def line_places(table: Paytable, kinds: Sequence[tuple[str, ...]]) -> tuple[int | None, ...]:
    """For each kind of cards, by the events that they meet: the place of the percentage line that pays them, if one
    does."""
    events = percentage_events(table)
    firsts = (table.first(kind) for kind in kinds)
    return tuple(events.index(line.event) if line and line.event in events else None for line in firsts)


def joint_of(table: Paytable, together: Mapping[Each, Fraction]) -> Joint:
    """With the lines of the table; how probable each is for one seat stands in ``together`` itself."""
    pays = {line.event: line.pay.share for line in table.lines if isinstance(line.pay, Percent)}
    ones = [tuple(int(at == place) for at in range(len(pays))) for place in range(len(pays))]
    lines = tuple(
        Prize(event, share, together.get(one, Fraction(0)))
        for one, (event, share) in zip(ones, pays.items(), strict=True)
    )
    return Joint(lines, {each: chance for each, chance in together.items() if any(each) and chance})


def wins_together(question: Question, seats: int) -> RoundWins | None:
    """What so many seats at one table win together in a round; None where nobody has counted it."""
    joint = winners_count(question.game).joint(question.wager, question.table, question.settings)
    return None if isinstance(joint, Uncounted) or seats > MOST_SEATS else joint.at(seats).round_wins
