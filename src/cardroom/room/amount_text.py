"""Dollar amounts of the jackpot system as text: every cent, and hundredths of a cent only if there are any.

>>> format_amount(1_234_5600), format_amount(1_234_5678), format_dollars(512_345), format_change(-50_00)
('$1,234.56', '$1,234.5678', '$5,123.45', '-$0.50')
"""

from __future__ import annotations

from cardroom.chart_of_accounts import CENT, DOLLAR, Amount


def format_amount(amount: Amount) -> str:
    """A ledger amount, which is in hundredths of a cent."""
    sign, dollars, rest = "-" * (amount < 0), abs(amount) // DOLLAR, abs(amount) % DOLLAR
    return f"{sign}${dollars:,}.{rest // CENT:02}" if rest % CENT == 0 else f"{sign}${dollars:,}.{rest:04}"


def format_dollars(cents: int) -> str:
    """An amount in cents, as displays show it and prizes are paid."""
    return format_amount(cents * CENT)


def format_change(amount: Amount) -> str:
    """An amount with its sign."""
    return f"+{format_amount(amount)}" if amount > 0 else format_amount(amount)


def describe_surplus(amount: Amount) -> str:
    """The money that a bank account has beyond the ledger's balance.

    >>> describe_surplus(12_40_00)
    '$12.40 more than the ledger (unexplained surplus: investigate)'
    """
    return f"{format_amount(amount)} more than the ledger (unexplained surplus: investigate)"
