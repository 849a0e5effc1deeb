"""What a jackpot's chain knows a happening by for ever: the slip of a deposit, the number of each payment.

A number is given once, so a cheque cannot be entered for two winners, nor a slip for two deposits.
"""

from __future__ import annotations

from cardroom.jackpots.happenings import CageReimbursed, ClaimPaid, Deposited, Happening
from cardroom.jackpots.references import PaidBy, payment_name, slip_name


def jackpot_names(happening: Happening) -> tuple[str, ...]:
    """
    >>> jackpot_names(Deposited("final-four", 100, 0, "Rosa", "4471"))
    ('slip 4471',)
    """
    match happening:
        case Deposited(reference=reference):
            return (slip_name(reference),)
        case CageReimbursed(reference=reference):
            return (payment_name(PaidBy.TRANSFER, reference),)
        case ClaimPaid(payouts=payouts):
            return tuple(sorted(payout.name for payout in payouts))
    return ()
