"""The numbers by which a bank account's movements are told apart: deposit slips, cheques, cash slips, transfers.

Each is used once for a jackpot. How it is typed makes no difference:

>>> reference_told("  10 77 ", "cheque"), payment_name(PaidBy.CHEQUE, "A-77"), slip_name("4471")
('10 77', 'cheque a-77', 'slip 4471')
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from cardroom.faults import BadInput, quoted
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


def reference_told(typed: str, of: str) -> str:
    """A number as the books keep it."""
    told = named(typed, f"number of the {of}")
    if len(told) > LONGEST_REFERENCE or not told.isprintable():
        raise BadReference(
            f"{quoted(told)} cannot be the number of a {of}: use at most {LONGEST_REFERENCE} printable characters."
        )
    return told


def slip_name(reference: str) -> str:
    """What a jackpot's chain knows a deposit by for ever."""
    return f"slip {_plain(reference)}"


def payment_name(payment: PaidBy, reference: str) -> str:
    """What a jackpot's chain knows a payment by for ever."""
    return f"{payment} {_plain(reference)}"


def _plain(reference: str) -> str:
    """However it was typed; older books kept every blank."""
    return " ".join(reference.split()).casefold()
