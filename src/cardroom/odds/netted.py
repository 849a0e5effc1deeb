"""How a wager ends, by what it wins or loses: everything that return, deviation and hit frequency follow from.

Outcomes that pay the same on one table may still differ in what the round wins, where a raise or a second hand hangs on
them. Resolved by the net result nothing is left to look up: a reader can compute each figure again.

>>> from cardroom.odds.result import Ending
>>> won = Ending("pair", "1 to 1", 2, Fraction(1)), Ending("flush", "1 to 1", 1, Fraction(1))
>>> ends = *won, Ending("other", "loss", 5, Fraction(-1))
>>> [(str(line.net), line.combinations, line.hit) for line in netted(Odds("", "", "", {}, ends))]
[('1', 3, True), ('-1', 5, False)]
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from cardroom.odds.result import Odds


@dataclass(frozen=True, slots=True)
class NetLine:
    """All endings with one net result, in units of the base wager."""

    net: Fraction
    """Without what comes off a meter."""
    percent: Fraction
    """Of the meter, where a prize is a percentage of it."""
    wagered: Fraction
    """In the end, raises included."""
    hit: bool
    """Whether it counts for the hit frequency."""
    combinations: int

    def at(self, meter: Fraction) -> Fraction:
        """The net result when the meter shows so many wagers."""
        return self.net + self.percent * meter


def netted(odds: Odds) -> tuple[NetLine, ...]:
    """Every net result that can happen, the best one first."""
    counts: dict[tuple[Fraction, Fraction, Fraction, bool], int] = {}
    for one in odds.endings:
        if one.combinations:
            key = one.percent, one.net, one.wagered, one.is_hit or bool(one.percent)
            counts[key] = counts.get(key, 0) + one.combinations
    return tuple(
        NetLine(net, percent, wagered, hit, counts[percent, net, wagered, hit])
        for percent, net, wagered, hit in sorted(counts, reverse=True)
    )
