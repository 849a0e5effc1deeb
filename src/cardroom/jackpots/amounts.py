"""Amounts of the jackpot system for people: every cent, and hundredths of a cent only where there are any.

>>> books(1_234_5600), books(1_234_5678), shown(512_345), change(-50_00)
('$1,234.56', '$1,234.5678', '$5,123.45', '-$0.50')
"""

from __future__ import annotations

from cardroom.accounts import CENT, DOLLAR, Amount


def books(amount: Amount) -> str:
    """An amount of the books, which count hundredths of a cent."""
    sign, whole, rest = "-" * (amount < 0), abs(amount) // DOLLAR, abs(amount) % DOLLAR
    return f"{sign}${whole:,}.{rest // CENT:02}" if rest % CENT == 0 else f"{sign}${whole:,}.{rest:04}"


def shown(cents: int) -> str:
    """Whole cents, as displays show them and prizes are paid."""
    return books(cents * CENT)


def change(amount: Amount) -> str:
    """An amount with its sign."""
    return f"+{books(amount)}" if amount > 0 else books(amount)


def surplus_words(amount: Amount) -> str:
    """What a bank account has too much.

    >>> surplus_words(12_40_00)
    '$12.40 more than the books: find out whose it is'
    """
    return f"{books(amount)} more than the books: find out whose it is"
