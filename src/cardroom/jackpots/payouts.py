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
    """Of it, from the jackpot's bank account."""
    undeposited: Amount
    """Of it, from what the cage had not deposited yet; the rest is the house's."""

    @property
    def house(self) -> Amount:
        return self.cents * CENT - self.escrow - self.undeposited

    @property
    def uncovered(self) -> Amount:
        """What the bank will charge beyond what the account had for it; cash is paid from the cage anyway, and of a
        balance the bank does not hear."""
        return 0 if self.payment in (PaidBy.CASH, PaidBy.BALANCE) else self.undeposited

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
