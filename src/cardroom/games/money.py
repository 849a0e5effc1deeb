"""Money: integer cents inside, ``$`` amounts for people.

>>> dollars("$2.50"), dollars("$1,000"), money(1_000_00), money(250), money(-500)
(250, 100000, '$1,000', '$2.50', '-$5')
"""

from __future__ import annotations

import re

from cardroom.accounts import MOST_CENTS
from cardroom.faults import BadInput, quoted

# A number without end is no amount.
_AMOUNT = re.compile(r"\$?([0-9]{1,3}(?:,[0-9]{3}){1,300}|[0-9]{1,1000})(?:\.([0-9]{2}))?")


class BadAmount(BadInput):
    """A text that is no amount of money."""


def money(cents: int) -> str:
    """Cents as a dollar amount for people."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02}" if rest else f"{sign}${whole:,}"


def dollars(text: object) -> int:
    """Read a dollar amount as cents."""
    found = _AMOUNT.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise BadAmount(f'{quoted(text)} is not an amount: write dollars as text, such as "$5" or "$2.50".')
    return _no_more_than_there_is(int(found[1].replace(",", "")) * 100 + int(found[2] or 0), text)


def signed_dollars(text: object) -> int:
    """Read a balance as cents, which may be below zero.

    >>> signed_dollars("-5"), signed_dollars("-$1,250.40"), signed_dollars("5")
    (-500, -125040, 500)
    """
    if isinstance(text, str) and (below := text.strip()).startswith(("-", "\N{MINUS SIGN}")):
        return -dollars(below[1:])
    return dollars(text)


def _no_more_than_there_is(cents: int, text: object) -> int:
    if abs(cents) > MOST_CENTS:
        raise BadAmount(f"{quoted(text)} is more money than there is: an amount is {money(MOST_CENTS)} at most.")
    return cents


def cents_or_dollars(value: object) -> int:
    """Read a whole number of cents, or a dollar amount written with its sign.

    >>> cents_or_dollars(1000), cents_or_dollars("$10")
    (1000, 1000)
    """
    if isinstance(value, bool) or not isinstance(value, int | str) or (isinstance(value, str) and "$" not in value):
        raise BadAmount(f'{quoted(value)} is not an amount: write whole cents such as 500, or dollars such as "$5".')
    return _no_more_than_there_is(value, value) if isinstance(value, int) else dollars(value)
