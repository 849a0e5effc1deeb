"""Numbers as a report prints them: rounded from the exact fraction, never from a float, with a true minus sign.

>>> format_fixed(Fraction(-1, 3), 4), format_percent(Fraction(1, 8), 2), format_signed(Fraction(1, 2), 1)
('−0.3333', '12.50%', '+0.5')

An amount is spelled out as on a check, so that no digit can be added. A frequency is "once in N rounds".

>>> spell_amount(5_000_60)
'Five thousand dollars and sixty cents'
>>> spell_amount(1_00), spell_amount(21_01), spell_amount(1_234_567_00)[:45]
('One dollar', 'Twenty-one dollars and one cent', 'One million two hundred thirty-four thousand ')
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

MINUS = "\N{MINUS SIGN}"

Number = Fraction | float | int


def format_fixed(value: Number, digits: int) -> str:
    """The value with this many decimals and thousands separators, rounded half to even.

    >>> format_fixed(Fraction(1234567, 100), 2), format_fixed(Fraction(-1, 1000), 2)
    ('12,345.67', '0.00')
    """
    scaled = round(Fraction(value) * 10**digits)
    integer, rest = divmod(abs(scaled), 10**digits)
    return (MINUS if scaled < 0 else "") + f"{integer:,}" + (f".{rest:0{digits}}" if digits else "")


def format_signed(value: Number, digits: int) -> str:
    """With its sign, except for zero."""
    text = format_fixed(value, digits)
    return f"+{text}" if value > 0 else text


def format_percent(value: Number, digits: int = 4) -> str:
    """A fraction as a percentage."""
    return f"{format_fixed(Fraction(value) * 100, digits)}%"


def format_dollars(units: Number, wager_cents: int) -> str:
    """An amount in wagers as dollars and cents.

    >>> format_dollars(Fraction(2693700, 13), 100)
    '$207,207.69'
    """
    return f"${format_fixed(Fraction(units) * wager_cents / 100, 2)}"


def format_fraction(value: Fraction) -> str:
    """The exact value.

    >>> format_fraction(Fraction(-3, 7)), format_fraction(Fraction(5))
    ('−3/7', '5')
    """
    return str(value).replace("-", MINUS)


def format_exact(value: Fraction) -> str:
    """The exact value with its sign, as a decimal if that terminates.

    >>> [format_exact(value) for value in (Fraction(-1, 2), Fraction(3), Fraction(1, 3), Fraction(0))]
    ['−0.5', '+3', '+1/3', '0']
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    digits = 0
    while rest == 1 and (value * 10**digits).denominator > 1:
        digits += 1
    text = format_fixed(value, digits) if rest == 1 else format_fraction(value)
    return f"+{text}" if value > 0 else text


def humanize_slug(slug: str) -> str:
    """A slug in plain words.

    >>> humanize_slug("flush-and-lower")
    'flush and lower'
    """
    return slug.replace("-", " ")


def capitalize_slug(slug: str) -> str:
    """A slug in plain words, capitalized.

    >>> capitalize_slug("flush-and-lower")
    'Flush and lower'
    """
    words = humanize_slug(slug)
    return words[:1].upper() + words[1:]


_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS: Final = ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"))


def spell_amount(cents: int) -> str:
    """Dollars and cents in words."""
    dollars, rest = divmod(cents, 100)
    text = _spell_count(dollars, "dollar") + (f" and {_spell_count(rest, 'cent')}" if rest else "")
    return text[:1].upper() + text[1:]


def _spell_count(number: int, unit: str) -> str:
    return f"{spell_number(number)} {unit}{'s' * (number != 1)}"


def spell_number(number: int) -> str:
    """
    >>> spell_number(0), spell_number(90), spell_number(112), spell_number(40_000)
    ('zero', 'ninety', 'one hundred twelve', 'forty thousand')
    """
    return " ".join(_parts(number)) or _SMALL[0]


def _parts(number: int) -> Iterator[str]:
    for size, name in _GROUPS:
        if number >= size:
            yield f"{spell_number(number // size)} {name}"
            number %= size
    if number >= 100:
        yield f"{_SMALL[number // 100]} hundred"
        number %= 100
    if number >= 20:
        ones = f"-{_SMALL[number % 10]}" if number % 10 else ""
        yield f"{_TENS[number // 10 - 2]}{ones}"
    elif number:
        yield _SMALL[number]


LONG_ODDS: Final = 10**9
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_one_in(probability: Fraction) -> str:
    """The average number of rounds until an outcome.

    >>> format_one_in(Fraction(1, 8)), format_one_in(Fraction(1, 3 * 10**9)), format_one_in(Fraction(0))
    ('8.00', '3.000 × 10⁹', 'never')
    """
    if not probability:
        return "never"
    odds = 1 / probability
    if odds < LONG_ODDS:
        return format_fixed(odds, 2)
    digits, _, power = f"{float(odds):.3e}".partition("e+")
    return f"{digits} × 10{str(int(power)).translate(_RAISED)}"
