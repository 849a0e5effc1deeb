"""An amount in words, as it stands on a cheque, so that nobody can add a digit to it.

>>> amount_words(5_000_60)
'Five thousand dollars and sixty cents'
>>> amount_words(1_00), amount_words(21_01), amount_words(1_234_567_00)[:45]
('One dollar', 'Twenty-one dollars and one cent', 'One million two hundred thirty-four thousand ')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS: Final = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))


def amount_words(cents: int) -> str:
    """Dollars and cents in words."""
    dollars, rest = divmod(cents, 100)
    told = _counted(dollars, "dollar") + (f" and {_counted(rest, 'cent')}" if rest else "")
    return told[:1].upper() + told[1:]


def _counted(number: int, what: str) -> str:
    return f"{number_words(number)} {what}{'s' * (number != 1)}"


def number_words(number: int) -> str:
    """
    >>> number_words(0), number_words(90), number_words(112), number_words(40_000)
    ('zero', 'ninety', 'one hundred twelve', 'forty thousand')
    """
    return " ".join(_parts(number)) or _SMALL[0]


def _parts(number: int) -> Iterator[str]:
    for size, name in _GROUPS:
        if number >= size:
            yield f"{number_words(number // size)} {name}"
            number %= size
    if number >= 100:
        yield f"{_SMALL[number // 100]} hundred"
        number %= 100
    if number >= 20:
        ones = f"-{_SMALL[number % 10]}" if number % 10 else ""
        yield f"{_TENS[number // 10 - 2]}{ones}"
    elif number:
        yield _SMALL[number]
