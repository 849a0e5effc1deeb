"""A jackpot's bank account, movement by movement, as the entries of a happening tell it."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.accounts import Account, AccountKind, Amount
from cardroom.jackpots.happenings import CageReimbursed, ClaimPaid, Deposited, Happening
from cardroom.jackpots.meter.posting import jackpot_postings
from cardroom.jackpots.references import PaidBy, payment_words, slip_words
from cardroom.jackpots.statements import Movement


def booked(happening: Happening, kind: AccountKind, jackpot: str) -> Amount:
    """What a happening brings an account of a jackpot, or takes from it below zero."""
    account = Account(kind, jackpot)
    postings = jackpot_postings(happening)
    gained = sum(one.amount for one in postings if one.debit == account)
    return gained - sum(one.amount for one in postings if one.credit == account)


def movements(happening: Happening) -> Iterator[Movement]:
    """What a happening moves on the bank account. Nothing moves there without a number."""
    match happening:
        case Deposited(reference=reference, amount=amount):
            yield Movement(slip_words(reference), amount)
        case CageReimbursed(reference=reference, amount=amount):
            yield Movement(payment_words(PaidBy.TRANSFER, reference), -amount)
        case ClaimPaid(payouts=payouts):
            yield from (Movement(one.words, -one.escrow) for one in payouts if one.escrow)
