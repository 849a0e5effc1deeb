"""The numbers by which a bank account's movements are told apart: deposit slips, cheques, cash slips, transfers.

Each is used once for a jackpot. It is shown as it was typed; in a comparison blanks and capitals make no difference:

>>> reference_told("  10 77 ", "cheque"), payment_words(PaidBy.CHEQUE, "A-77"), payment_name(PaidBy.CHEQUE, "A-77")
('10 77', 'cheque A-77', 'cheque a-77')
>>> slip_words("S  2"), slip_name("S  2")
('slip S 2', 'slip s 2')
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from cardroom.errors import BadInput, quote
from cardroom.jackpots.people import named

LONGEST_REFERENCE: Final = 60


class BadReference(BadInput):
    """A number that cannot be a reference, or is one already."""


class PaidBy(StrEnum):
    """How a winner is paid."""

    CASH = "cash"
    """With the number of the cash slip."""
    CHEQUE = "cheque"
    TRANSFER = "transfer"
    BALANCE = "balance"
    """To the balance of a player of an automatic table: no bank numbers it, so it is known by its claim and seat."""

    @property
    def by_the_bank(self) -> bool:
        """Whether the bank pays it; the cage pays the others."""
        return self in (PaidBy.CHEQUE, PaidBy.TRANSFER)


def reference_told(typed: str, of: str) -> str:
    """A number as the books keep it."""
    told = named(typed, f"number of the {of}")
    if len(told) > LONGEST_REFERENCE or not told.isprintable():
        raise BadReference(
            f"{quote(told)} cannot be the number of a {of}: use at most {LONGEST_REFERENCE} printable characters."
        )
    return told


def slip_words(reference: str) -> str:
    """A deposit as people see it."""
    return f"slip {' '.join(reference.split())}"


def payment_words(payment: PaidBy, reference: str) -> str:
    """A payment as people see it."""
    return f"{payment} {' '.join(reference.split())}"


def slip_name(reference: str) -> str:
    """What a jackpot's chain knows a deposit by for ever."""
    return plain_name(slip_words(reference))


def payment_name(payment: PaidBy, reference: str) -> str:
    """What a jackpot's chain knows a payment by for ever."""
    return plain_name(payment_words(payment, reference))


def other_payment_words(payment: PaidBy, reference: str) -> tuple[str, ...]:
    """Payments that cannot have the same number beside it: on a statement of the bank, checks and transfers are told
    apart by their number.

    >>> other_payment_words(PaidBy.TRANSFER, "1077"), other_payment_words(PaidBy.CASH, "1077")
    (('cheque 1077',), ())
    """
    if not payment.by_the_bank:
        return ()
    return tuple(payment_words(one, reference) for one in PaidBy if one.by_the_bank and one is not payment)


def plain_name(words: str) -> str:
    """The same however it was typed."""
    return " ".join(words.split()).casefold()
