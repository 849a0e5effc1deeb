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
from cardroom.odds.endings import net_units
from cardroom.paytables import Basis, Loss, Pay, Paytable

ANTE_PLAY_RAISE_STAKES: Final = (1, 1, 2)
"""In Antes: the Play wager equals the Ante, the Raise both together, and the table pays on each (rule 7, DW-3)."""
ONE_STAKE: Final = (1,)

# The longest sums run over the 53C3 x 50C4 deals of Five Card Fortune, each in up to 420 shares: fewer than 2**42.
_LARGEST_IN_64_BITS: Final = 2**63 // 2**42 - 1


def stakes_net(pay: Pay, basis: Basis, stakes: Sequence[int], unit_cents: int = 100) -> Fraction:
    """What the stakes of one wager win or lose together, in units, without a part of a meter."""
    return sum((stake * net_units(pay, basis, stake * unit_cents)[0] for stake in stakes), Fraction(0))


def nets(
    table: Paytable,
    events: Mapping[Category, str],
    stakes: Sequence[int],
    unit_cents: int = 100,
    meter_cents: int = 0,
) -> tuple[Fraction, ...]:
    """By category: the net result in units of a wager whose stakes all stand."""
    found = []
    for category in CATEGORIES:
        line = table.first((events[category],))
        pay = line.pay if line else Loss()
        of_meter = net_units(pay, table.basis, unit_cents)[1] * Fraction(meter_cents, unit_cents)
        found.append(stakes_net(pay, table.basis, stakes, unit_cents) + of_meter)
    return tuple(found)


@dataclass(frozen=True)
class Scaled:
    """Net results as integers: so many times the units. Python's own integers stand in where 64 bits may overflow."""

    nets: NDArray[Any]
    scale: int

    @classmethod
    def of(cls, fractions: Sequence[Fraction]) -> Scaled:
        scale = lcm(*(net.denominator for net in fractions))
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
