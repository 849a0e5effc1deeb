"""A jackpot's bank account, movement by movement, as the entries of a happening tell it."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.accounts import Account, AccountKind, Amount
from cardroom.jackpots.happenings import ClaimPaid, Deposited, Happening
from cardroom.jackpots.meter.posting import jackpot_postings
from cardroom.jackpots.references import slip_words
from cardroom.jackpots.statements import Movement


def booked(happening: Happening, kind: AccountKind, jackpot: str) -> Amount:
    """What a happening brings an account of a jackpot, or takes from it below zero."""
    account = Account(kind, jackpot)
    postings = jackpot_postings(happening)
    gained = sum(one.amount for one in postings if one.debit == account)
    return gained - sum(one.amount for one in postings if one.credit == account)


def movements(happening: Happening, sequence: int, jackpot: str) -> Iterator[Movement]:
    """What a happening moves on the bank account; ``sequence`` is the number of its event."""
    if isinstance(happening, Deposited):
        yield Movement(slip_words(happening.reference), happening.amount)
        return
    if isinstance(happening, ClaimPaid) and happening.payouts:
        yield from (Movement(one.words, -one.escrow) for one in happening.payouts if one.escrow)
        return
    moved = booked(happening, AccountKind.ESCROW, jackpot)
    if moved:
        yield Movement(f"event {sequence}", moved)
