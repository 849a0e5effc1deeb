"""The chart of accounts, and amounts to a hundredth of a cent.

A jackpot's money is the players' (BJ-5). What is owed to them (display, reserve, overflow, pending prizes) is covered
by the escrow account at the bank and by what the cage has still to deposit there:

    display + reserve + overflow + pending = escrow + undeposited

Every posting debits one account and credits another by the same amount, so debits equal credits whatever happens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

Amount: TypeAlias = int
"""Hundredths of a cent: fine enough for the share of a one-dollar wager that goes on a meter."""

HOUSE: Final = "house"
"""Owns what belongs to no table and no jackpot."""

CENT: Final = 100
DOLLAR: Final = 100 * CENT


class AccountKind(StrEnum):
    """What an account keeps. The owner is a table, a player, a jackpot level or the house."""

    CHIP_TRAY = "chip-tray"
    """Chips at a table; an asset."""
    HOUSE_CASH = "house-cash"
    """What the cage holds for the house; an asset."""
    UNDEPOSITED = "undeposited"
    """What the cage holds for a jackpot until the next deposit; an asset."""
    ESCROW = "escrow"
    """A jackpot's bank account; an asset."""
    SEED_OWED = "seed-owed"
    """Seed money that the house put on a meter and may recover; an asset."""
    PLAYER = "player"
    """A player's balance; owed to the player."""
    DISPLAY = "display"
    """What a meter shows; owed to the players."""
    RESERVE = "reserve"
    """What is saved for the next reset; owed to the players."""
    OVERFLOW = "overflow"
    """What came in above the ceiling; owed to the players."""
    PENDING = "pending"
    """Prizes that are locked until they are verified; owed to the players."""
    GROSS_RECEIPTS = "gross-receipts"
    """What the house took in, with the share of the jackpots taken out; income."""
    PRIZES = "prizes"
    """Prizes that the house paid out of its own money; an expense."""

    @property
    def is_debit(self) -> bool:
        """Whether a debit makes the balance larger: what the house has, and what it has spent."""
        return self in _DEBIT


_DEBIT: Final = frozenset(
    {
        AccountKind.CHIP_TRAY,
        AccountKind.HOUSE_CASH,
        AccountKind.UNDEPOSITED,
        AccountKind.ESCROW,
        AccountKind.SEED_OWED,
        AccountKind.PRIZES,
    }
)


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """One account.

    >>> str(Account(AccountKind.DISPLAY, "milky-way-1"))
    'display:milky-way-1'
    >>> Account.parse("display:milky-way-1").kind.is_debit
    False
    """

    kind: AccountKind
    owner: str
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_text", f"{self.kind}:{self.owner}")

    def __str__(self) -> str:
        return self._text

    @classmethod
    def parse(cls, text: str) -> Account:
        kind, _, owner = text.partition(":")
        return cls(AccountKind(kind), owner)


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that moves from the credited account to the debited one."""

    debit: Account
    credit: Account
    amount: Amount

    def __post_init__(self) -> None:
        if self.amount <= 0:
            raise ValueError(f"A posting moves a positive amount, not {self.amount}.")
