"""Amounts of the jackpot system for people: every cent, and hundredths of a cent only where there are any.

>>> format_amount(1_234_5600), format_amount(1_234_5678), format_dollars(512_345), format_change(-50_00)
('$1,234.56', '$1,234.5678', '$5,123.45', '-$0.50')
"""

from __future__ import annotations

from cardroom.accounts import CENT, DOLLAR, Amount


def format_amount(amount: Amount) -> str:
    """An amount of the books, which count hundredths of a cent."""
    sign, dollars, rest = "-" * (amount < 0), abs(amount) // DOLLAR, abs(amount) % DOLLAR
    return f"{sign}${dollars:,}.{rest // CENT:02}" if rest % CENT == 0 else f"{sign}${dollars:,}.{rest:04}"


def format_dollars(cents: int) -> str:
    """Whole cents, as displays show them and prizes are paid."""
    return format_amount(cents * CENT)


def format_change(amount: Amount) -> str:
    """An amount with its sign."""
    return f"+{format_amount(amount)}" if amount > 0 else format_amount(amount)


def describe_surplus(amount: Amount) -> str:
    """What a bank account has too much.

    >>> describe_surplus(12_40_00)
    '$12.40 more than the books: find out whose it is'
    """
    return f"{format_amount(amount)} more than the books: find out whose it is"
