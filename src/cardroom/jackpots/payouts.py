"""The record of a payout: who was paid, how, and under which number."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.people import named
from cardroom.jackpots.references import PaidBy, payment_name, payment_words, reference_told

DECLINED: Final = "declined"
"""In place of the name of a player who does not give one."""


class PlayerPaid(NamedTuple):
    """What a cashier tells of one winner."""

    player: str
    """The name, or ``declined``."""
    payment: PaidBy
    reference: str
    """The number of the cheque, the cash slip or the transfer; of a balance, the claim and the seat."""

    @property
    def name(self) -> str:
        """What the jackpot's chain knows the payment by for ever."""
        return payment_name(self.payment, self.reference)

    @property
    def words(self) -> str:
        return payment_words(self.payment, self.reference)


class Payout(NamedTuple):
    """What one winner of a claim got, and from where."""

    seat: int
    player: str
    payment: PaidBy
    reference: str
    cents: int
    escrow: Amount
    """From the jackpot's bank account: a check or transfer that is drawn on it, in full."""
    undeposited: Amount
    """From the cage, for the jackpot; below zero, what the house has to bring to the bank for its part of a check."""

    @property
    def house(self) -> Amount:
        return self.cents * CENT - self.escrow - self.undeposited

    @property
    def name(self) -> str:
        return payment_name(self.payment, self.reference)

    @property
    def words(self) -> str:
        return payment_words(self.payment, self.reference)


def player_paid(player: str, payment: PaidBy, reference: str) -> PlayerPaid:
    """What was told, as the books keep it.

    >>> player_paid(" Ann  Lee", PaidBy.CHEQUE, "1077 "), player_paid("Declined", PaidBy.CASH, "9").player
    (PlayerPaid(player='Ann Lee', payment=<PaidBy.CHEQUE: 'cheque'>, reference='1077'), 'declined')
    """
    if payment is PaidBy.BALANCE:
        return PlayerPaid(named(player, "player's name"), payment, " ".join(reference.split()))
    who = named(player, "player's name (or that it was declined)")
    return PlayerPaid(DECLINED if who.casefold() == DECLINED else who, payment, reference_told(reference, str(payment)))


def to_balance(player: str, claim: str, seat: int) -> PlayerPaid:
    """What a player of an automatic table won goes to the player's balance.

    >>> to_balance("ada", "prime-1.17", 3).words
    'balance prime-1.17 seat 3'
    """
    return player_paid(player, PaidBy.BALANCE, f"{claim} seat {seat}")
