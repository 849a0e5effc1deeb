"""Numbers as a report prints them: rounded from the exact fraction, never from a float of it, with a true minus sign.

>>> fixed(Fraction(-1, 3), 4), percent(Fraction(1, 8), 2), signed(Fraction(1, 2), 1)
('−0.3333', '12.50%', '+0.5')
"""

from __future__ import annotations

from fractions import Fraction

MINUS = "\N{MINUS SIGN}"

Number = Fraction | float | int


def fixed(value: Number, digits: int) -> str:
    """So many digits after the point, thousands apart; half to even.

    >>> fixed(Fraction(1234567, 100), 2), fixed(Fraction(-1, 1000), 2)
    ('12,345.67', '0.00')
    """
    scaled = round(Fraction(value) * 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    return (MINUS if scaled < 0 else "") + f"{whole:,}" + (f".{rest:0{digits}}" if digits else "")


def signed(value: Number, digits: int) -> str:
    """With its sign, except for zero."""
    told = fixed(value, digits)
    return f"+{told}" if value > 0 else told


def percent(value: Number, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return f"{fixed(Fraction(value) * 100, digits)}%"


def dollars(units: Number, wager_cents: int) -> str:
    """An amount in wagers as dollars and cents.

    >>> dollars(Fraction(2693700, 13), 100)
    '$207,207.69'
    """
    return f"${fixed(Fraction(units) * wager_cents / 100, 2)}"


def fraction(value: Fraction) -> str:
    """The exact value.

    >>> fraction(Fraction(-3, 7)), fraction(Fraction(5))
    ('−3/7', '5')
    """
    return str(value).replace("-", MINUS)


def exactly(value: Fraction) -> str:
    """The exact value with its sign, as a decimal where that has an end.

    >>> exactly(Fraction(-1, 2)), exactly(Fraction(3)), exactly(Fraction(1, 3)), exactly(Fraction(0))
    ('−0.5', '+3', '+1/3', '0')
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    digits = 0
    while rest == 1 and (value * 10**digits).denominator > 1:
        digits += 1
    told = fixed(value, digits) if rest == 1 else fraction(value)
    return f"+{told}" if value > 0 else told


def spoken(slug: str) -> str:
    """A slug as people say it.

    >>> spoken("flush-and-lower")
    'flush and lower'
    """
    return slug.replace("-", " ")


def sentence(slug: str) -> str:
    """A slug as a sentence begins.

    >>> sentence("flush-and-lower")
    'Flush and lower'
    """
    words = spoken(slug)
    return words[:1].upper() + words[1:]
