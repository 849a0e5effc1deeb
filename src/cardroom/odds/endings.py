"""A paytable applied to counts: how often a hand meets which events, and what the table pays for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from cardroom.odds.result import Ending
from cardroom.paytables import (
    Basis,
    Dollars,
    ForOne,
    Line,
    Loss,
    OperatorBonus,
    Pay,
    Paytable,
    Percent,
    Push,
    ToOne,
    words,
)

Kinds: TypeAlias = Mapping[tuple[str, ...], int]
"""How many combinations meet exactly these events, the best one first."""


def net_units(pay: Pay, basis: Basis, wager_cents: int) -> tuple[Fraction, Fraction, bool]:
    """What one unit of wager wins or loses, the percentage of a meter beside it, and whether it is a hit.

    >>> net_units(ToOne(Fraction(3)), Basis.TO_ONE, 100), net_units(ForOne(Fraction(3)), Basis.FOR_ONE, 100)
    ((Fraction(3, 1), Fraction(0, 1), True), (Fraction(2, 1), Fraction(0, 1), True))
    """
    match pay:
        case ToOne(odds):
            return odds, Fraction(0), True
        case ForOne(odds):
            return odds - 1, Fraction(0), odds > 0
        case Push():
            return Fraction(0), Fraction(0), False
        case Loss():
            return Fraction(-1), Fraction(0), False
        case Percent(share):
            return Fraction(-1), share, True
        case Dollars(cents):
            prize = Fraction(cents, wager_cents)
            return (prize if basis is Basis.TO_ONE else prize - 1), Fraction(0), cents > 0
        case OperatorBonus():
            # Nothing until the operator says what it is.
            return Fraction(-1), Fraction(0), False


def endings(kinds: Kinds, table: Paytable, *, jackpot: bool = False, wager_cents: int = 100) -> Iterator[Ending]:
    """How a wager on this table ends, from the top line down, and last what no line pays.

    On a jackpot's table an open top line stands for the meter: its amount is what break-even asks for.
    """
    by_line: dict[Line | None, int] = dict.fromkeys(table.lines, 0)
    for events, count in kinds.items():
        line = table.first(events)
        by_line[line] = by_line.get(line, 0) + count
    for line, count in by_line.items():
        if line is None:
            yield Ending("other", "loss", count, Fraction(-1))
        elif count:
            net, percent, hit = net_units(line.pay, table.basis, wager_cents)
            if jackpot and line is table.lines[0] and isinstance(line.pay, OperatorBonus):
                percent, hit = Fraction(1), True
            yield Ending(line.event, words(line.pay), count, net, percent=percent, hit=hit)
