"""What the seats of one round win off a meter, together.

The seats of a round are dealt from one deck and may play on one board, so their wins are not independent. Winners of
one line share its percentage (BJ-4). Two lines pay their percentages in full, also beyond what the meter has (BJ-8).
When they take all of it, the meter is reset, once (BJ-12). So the meter only asks which lines were won in a round, and
with what chance which of them were won together.

>>> royal, flush = Prize("royal", Fraction(1), Fraction(1, 100)), Prize("flush", Fraction(1, 10), Fraction(1, 20))
>>> alone = one_seat((royal, flush))
>>> alone.hit, alone.prizes, alone.reset, alone.taken
(Fraction(3, 50), Fraction(3, 50), Fraction(1, 100), Fraction(3, 200))
>>> both = RoundWins((*alone.ways, Won((royal, flush), Fraction(1, 1000))))
>>> both.prizes - alone.prizes, both.taken - alone.taken, both.paid - alone.paid
(Fraction(1, 500), Fraction(1, 1000), Fraction(11, 10000))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class Prize(NamedTuple):
    """A line that pays a share of the meter, where 1 is all of it, and how probable it is for one wager."""

    event: str
    share: Fraction
    probability: Fraction


@dataclass(frozen=True, slots=True)
class Won:
    """Lines that are won together in a round, each by one seat or by several that share it, and how probable it is that
    a round wins these and no others."""

    prizes: tuple[Prize, ...]
    probability: Fraction

    @property
    def paid(self) -> Fraction:
        """To the players, as a part of what the meter showed."""
        return sum((prize.share for prize in self.prizes), Fraction(0))

    @property
    def taken(self) -> Fraction:
        """Off the meter, which has no more than all of it."""
        return min(self.paid, Fraction(1))

    @property
    def resets(self) -> bool:
        return self.paid >= 1


@dataclass(frozen=True)
class RoundWins:
    """Every way in which a round can win something off the meter."""

    ways: tuple[Won, ...]

    def _mean(self, value: Callable[[Won], int | Fraction]) -> Fraction:
        return sum((way.probability * value(way) for way in self.ways), Fraction(0))

    @property
    def hit(self) -> Fraction:
        """The chance that a round wins anything."""
        return sum((way.probability for way in self.ways), Fraction(0))

    @property
    def prizes(self) -> Fraction:
        """How many prizes a round pays on average; one that is shared counts once."""
        return self._mean(lambda way: len(way.prizes))

    @property
    def reset(self) -> Fraction:
        """The chance that a round takes the whole meter."""
        return self._mean(lambda way: int(way.resets))

    @property
    def taken(self) -> Fraction:
        """The part of the meter that a round takes on average."""
        return self._mean(lambda way: way.taken)

    @property
    def paid(self) -> Fraction:
        """What a round pays on average, as a part of the meter."""
        return self._mean(lambda way: way.paid)


def one_seat(prizes: Sequence[Prize]) -> RoundWins:
    """A round in which one seat makes the wager: exact. So is it for seats that win all together or not at all."""
    return RoundWins(tuple(Won((prize,), prize.probability) for prize in prizes))


def never_two(prizes: Sequence[Prize], seats: int) -> RoundWins:
    """A round of several seats of which never two win. No cards give more prizes or resets by single lines."""
    return RoundWins(tuple(Won((prize,), seats * prize.probability) for prize in prizes))
