"""What each category of hand wins or loses on a wager of Deuces Wild, and the same as integers for long sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.hands import Category
from cardroom.odds.deuces_wild.counts import CATEGORIES
from cardroom.odds.settled import Settled
from cardroom.paytables import Paytable

# The longest sums run over the 53C3 x 50C4 deals of Five Card Fortune, each in up to 420 shares: fewer than 2**42.
_LARGEST_IN_64_BITS: Final = 2**63 // 2**42 - 1


def nets(
    table: Paytable,
    events: Mapping[Category, str],
    stakes: Settled,
    unit_cents: int = 100,
    meter_cents: int = 0,
) -> tuple[Fraction, ...]:
    """By category: the net result in units of a wager whose stakes all stand."""
    found = []
    for category in CATEGORIES:
        net = stakes.net_when(table.pay((events[category],)), table.basis, unit_cents)
        found.append(net.units + net.percent * Fraction(meter_cents, unit_cents))
    return tuple(found)


@dataclass(frozen=True)
class Scaled:
    """Net results as integers: so many times the units. Python's own integers stand in where 64 bits may overflow."""

    nets: NDArray[Any]
    scale: int

    @classmethod
    def of(cls, fractions: Sequence[Fraction], others: Sequence[Fraction] = ()) -> Scaled:
        """The ``others`` are amounts that are to be whole by the same scale."""
        scale = lcm(*(net.denominator for net in (*fractions, *others)))
        integers = [int(net * scale) for net in fractions]
        small = max(map(abs, [scale, *integers])) <= _LARGEST_IN_64_BITS
        return cls(np.array(integers, np.int64 if small else object), scale)

    def totals(self, counts: NDArray[Any]) -> NDArray[Any]:
        """The net results of many hands, one row of counts by category a sum."""
        total = np.zeros(len(counts), self.nets.dtype)
        for at, net in enumerate(self.nets):
            total += counts[:, at].astype(self.nets.dtype) * net
        return total

    def total(self, counts: NDArray[Any]) -> int:
        """The net result of hands counted by category."""
        return sum(count * net for count, net in zip(counts.tolist(), self.nets.tolist(), strict=True))
