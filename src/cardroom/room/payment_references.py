"""The numbers that identify movements of a bank account: of deposit slips, checks, cash slips, and transfers.

A jackpot uses each number once. The number is shown as typed; comparisons ignore spacing and case:

>>> (require_reference("  10 77 ", "check"), payment_text(PaymentMethod.CHECK, "A-77"),
... payment_key(PaymentMethod.CHECK, "A-77"))
('10 77', 'check A-77', 'check a-77')
>>> slip_text("S  2"), slip_key("S  2")
('slip S 2', 'slip s 2')

A payout records who was paid, how, and under which number.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.errors import BadInput, quote
from cardroom.room.dual_control import require_text

LONGEST_REFERENCE: Final = 60


class BadReference(BadInput):
    """A number that cannot be a reference, or is used already."""


class PaymentMethod(StrEnum):
    """How a winner is paid."""

    CASH = "cash"
    """By the number of the cash slip."""
    CHECK = "check"
    TRANSFER = "transfer"
    BALANCE = "balance"
    """To the player account of a player at an automatic table. No bank numbers it; its claim and seat identify it."""

    @property
    def is_drawn_on_bank(self) -> bool:
        """Whether the bank pays it; the cage pays cash."""
        return self in (PaymentMethod.CHECK, PaymentMethod.TRANSFER)


def require_reference(text: str, document: str) -> str:
    """A number as the ledger stores it."""
    number = require_text(text, f"number of the {document}")
    if len(number) > LONGEST_REFERENCE or not number.isprintable():
        raise BadReference(
            f"{quote(number)} cannot be the number of a {document}: use at most {LONGEST_REFERENCE} printable "
            "characters."
        )
    return number


def slip_text(reference: str) -> str:
    """A deposit as text."""
    return f"slip {' '.join(reference.split())}"


def payment_text(payment: PaymentMethod, reference: str) -> str:
    """A payment as text."""
    return f"{payment} {' '.join(reference.split())}"


def slip_key(reference: str) -> str:
    """The unique key of a deposit on a jackpot's chain."""
    return normalize_reference(slip_text(reference))


def payment_key(payment: PaymentMethod, reference: str) -> str:
    """The unique key of a payment on a jackpot's chain."""
    return normalize_reference(payment_text(payment, reference))


def conflicting_payment_texts(payment: PaymentMethod, reference: str) -> tuple[str, ...]:
    """Payments that may not use the same number: a bank statement identifies checks and transfers by number alone.

    >>> conflicting_payment_texts(PaymentMethod.TRANSFER, "1077"), conflicting_payment_texts(PaymentMethod.CASH, "1077")
    (('check 1077',), ())
    """
    if not payment.is_drawn_on_bank:
        return ()
    return tuple(
        payment_text(method, reference) for method in PaymentMethod if method.is_drawn_on_bank and method is not payment
    )


def normalize_reference(text: str) -> str:
    """The text without differences of spacing and case."""
    return " ".join(text.split()).casefold()


DECLINED: Final = "declined"
"""Stored in place of the name of a player who declines to give it."""


class Payee(NamedTuple):
    """One winner as the cashier enters it."""

    player: str
    """The name, or ``declined``."""
    payment: PaymentMethod
    reference: str
    """The number of the check, the cash slip or the transfer; of a balance, the claim and the seat."""

    @property
    def unique_key(self) -> str:
        """The unique key of the payment on the jackpot's chain."""
        return payment_key(self.payment, self.reference)

    @property
    def text(self) -> str:
        return payment_text(self.payment, self.reference)


class Payout(NamedTuple):
    """What one winner of a claim was paid, and from which accounts."""

    seat: int
    player: str
    payment: PaymentMethod
    reference: str
    cents: int
    escrow: Amount
    """From the jackpot's bank account: the full amount of a check or transfer drawn on it."""
    undeposited: Amount
    """From the cage, for the jackpot; negative for what the house owes the bank account for its part of a check."""

    @property
    def house(self) -> Amount:
        return self.cents * CENT - self.escrow - self.undeposited

    @property
    def unique_key(self) -> str:
        return payment_key(self.payment, self.reference)

    @property
    def text(self) -> str:
        return payment_text(self.payment, self.reference)


def require_payee(player: str, payment: PaymentMethod, reference: str) -> Payee:
    """A payee as the ledger stores it.

    >>> (require_payee(" Ann  Lee", PaymentMethod.CHECK, "1077 "),
    ... require_payee("Declined", PaymentMethod.CASH, "9").player)
    (Payee(player='Ann Lee', payment=<PaymentMethod.CHECK: 'check'>, reference='1077'), 'declined')
    """
    if payment is PaymentMethod.BALANCE:
        return Payee(require_text(player, "player's name"), payment, " ".join(reference.split()))
    who = require_text(player, "player's name (or that it was declined)")
    return Payee(DECLINED if who.casefold() == DECLINED else who, payment, require_reference(reference, str(payment)))


def payee_by_balance(player: str, claim: str, seat: int) -> Payee:
    """The payee of a prize that goes to the balance of a player at an automatic table.

    >>> payee_by_balance("ada", "prime-1.17", 3).unique_key
    'balance prime-1.17 seat 3'
    """
    return require_payee(player, PaymentMethod.BALANCE, f"{claim} seat {seat}")
