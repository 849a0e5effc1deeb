"""Money: integer cents in the program, ``$`` amounts for people, and chips.

>>> parse_dollars("$2.50"), parse_dollars("$1,000"), format_cents(1_000_00), format_cents(250), format_cents(-500)
(250, 100000, '$1,000', '$2.50', '-$5')

Chips are counted from the largest down, as a dealer cuts them out of the rack.

>>> split_into_chips(137_50)
((10000, 1), (2500, 1), (500, 2), (100, 2), (50, 1))
>>> describe_chips(137_50)
'$100 x 1, $25 x 1, $5 x 2, $1 x 2, 50c x 1'
"""

from __future__ import annotations

import re
from typing import Final

from cardroom.chart_of_accounts import MOST_CENTS
from cardroom.errors import BadInput, quote

# The lengths are limited, so that an endless number is refused.
_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3}){1,300}|[0-9]{1,1000})(?:\.([0-9]{2}))?")


class BadAmount(BadInput):
    """A text that is not an amount of money."""


def format_cents(cents: int) -> str:
    """Cents as a dollar amount for people."""
    sign = "-" if cents < 0 else ""
    whole, cents_part = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{cents_part:02}" if cents_part else f"{sign}${whole:,}"


def parse_dollars(text: object) -> int:
    """Read a dollar amount as cents."""
    match = _AMOUNT.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise BadAmount(f'{quote(text)} is not an amount: write dollars as text, such as "$5" or "$2.50".')
    return _check_amount(int(match[1].replace(",", "")) * 100 + int(match[2] or 0), text)


def parse_signed_dollars(text: object) -> int:
    """Read a balance as cents; it may be negative.

    >>> parse_signed_dollars("-5"), parse_signed_dollars("-$1,250.40"), parse_signed_dollars("5")
    (-500, -125040, 500)
    """
    if isinstance(text, str) and (stripped_text := text.strip()).startswith(("-", "\N{MINUS SIGN}")):
        return -parse_dollars(stripped_text[1:])
    return parse_dollars(text)


def _check_amount(cents: int, text: object) -> int:
    if abs(cents) > MOST_CENTS:
        raise BadAmount(f"{quote(text)} is too much: an amount is {format_cents(MOST_CENTS)} at most.")
    return cents


def parse_amount(value: object) -> int:
    """Read a whole number of cents, or a dollar amount written with its sign.

    >>> parse_amount(1000), parse_amount("$10")
    (1000, 1000)
    """
    if isinstance(value, bool) or not isinstance(value, int | str) or (isinstance(value, str) and "$" not in value):
        raise BadAmount(f'{quote(value)} is not an amount: write whole cents such as 500, or dollars such as "$5".')
    return _check_amount(value, value) if isinstance(value, int) else parse_dollars(value)


DENOMINATIONS: Final = (500_00, 100_00, 25_00, 5_00, 1_00, 50, 25, 10, 5, 1)
"""In cents: chips, and coins below a dollar."""


def split_into_chips(cents: int) -> tuple[tuple[int, int], ...]:
    """The number of chips or coins of each denomination, in cents, for an amount.

    >>> sum(value * number for value, number in split_into_chips(1_234_56)), split_into_chips(0)
    (123456, ())
    """
    stacks, remainder = [], cents
    for value in DENOMINATIONS:
        number, remainder = divmod(remainder, value)
        if number:
            stacks.append((value, number))
    return tuple(stacks)


def describe_chips(cents: int) -> str:
    """An amount in chips, for people."""
    return ", ".join(
        f"{format_cents(value) if value >= 100 else f'{value}c'} x {number}"
        for value, number in split_into_chips(cents)
    )
