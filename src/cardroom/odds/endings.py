"""A paytable applied to counts: how often a hand meets which events, and what the table pays for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from cardroom.odds.result import Ending
from cardroom.paytables import (
    Basis,
    Dollars,
    ForOne,
    Line,
    OperatorBonus,
    Pay,
    Paytable,
    Percent,
    ToOne,
    given_back,
    words,
)

EventCounts: TypeAlias = Mapping[tuple[str, ...], int]
"""How many combinations meet exactly these events, the best one first."""


class Net(NamedTuple):
    """What a wager of one unit wins or loses."""

    units: Fraction
    """Without what comes off a meter."""
    percent: Fraction
    """Of the meter."""
    hit: bool
    """Whether it wins a prize, however small."""


def net_units(pay: Pay, basis: Basis, wager_cents: int) -> Net:
    """What a pay is worth; prizes in dollars are held against this wager.

    >>> [str(net_units(pay, Basis.TO_ONE, 100).units) for pay in (ToOne(Fraction(3)), ForOne(Fraction(3)), Dollars(50))]
    ['3', '2', '1/2']
    """
    match pay:
        case Percent(share):
            return Net(Fraction(-1), share, True)
        case OperatorBonus():
            return Net(Fraction(-1), Fraction(0), False)  # nothing until the operator says what it is
        case _:
            back = Fraction(given_back(pay, wager_cents, basis))
            return Net(back / wager_cents - 1, Fraction(0), _is_prize(pay))


def _is_prize(pay: Pay) -> bool:
    match pay:
        case ToOne(amount) | ForOne(amount) | Dollars(amount):
            return amount > 0
        case _:
            return False


def endings(kinds: EventCounts, table: Paytable, *, jackpot: bool = False, wager_cents: int = 100) -> Iterator[Ending]:
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
