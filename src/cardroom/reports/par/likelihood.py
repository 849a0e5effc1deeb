"""How often something happens, told as "once in so many rounds"."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from cardroom.reports.paper.numbers import fixed

LONG_ODDS: Final = 10**9
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def one_in(probability: Fraction) -> str:
    """How many rounds an outcome takes on average.

    >>> one_in(Fraction(1, 8)), one_in(Fraction(1, 3 * 10**9)), one_in(Fraction(0))
    ('8.00', '3.000 × 10⁹', 'never')
    """
    if not probability:
        return "never"
    odds = 1 / probability
    if odds < LONG_ODDS:
        return fixed(odds, 2)
    digits, _, power = f"{float(odds):.3e}".partition("e+")
    return f"{digits} × 10{str(int(power)).translate(_RAISED)}"
