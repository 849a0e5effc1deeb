"""The chart of accounts, and amounts to a hundredth of a cent.

There are two currencies: the card room's dollars and play money. Each has its own accounts, and no posting moves an
amount from one to the other.

A jackpot's money is the players' (BJ-5). What is owed to them (display, reserve, overflow, pending prizes) is covered
by the escrow account at the bank and by what the cage has still to deposit there. Where the cage paid a prize in cash,
or gave money back, beyond what it had for the jackpot, the account owes the cage that much:

    display + reserve + overflow + pending = escrow + undeposited - cage advance

Every posting debits one account and credits another by the same amount, so debits equal credits whatever happens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

Amount: TypeAlias = int
"""Hundredths of a cent: fine enough for the share of a one-dollar wager that goes on a meter."""

HOUSE: Final = "house"
"""The owner of accounts that belong to no table and no jackpot."""

CENT: Final = 100
DOLLAR: Final = 100 * CENT

MOST_CENTS: Final = 10**13
"""A hundred billion dollars, the largest single amount: sums of such amounts fit into the database's integers."""


class Currency(StrEnum):
    """The currency of an amount."""

    REAL = "room"
    """The card room's own: dollars."""
    PLAY = "play"
    """Play money without value, for guests, practice, and demonstrations."""

    @property
    def label(self) -> str:
        """The currency for people.

        >>> Currency.PLAY.label, Currency.REAL.label
        ('play money', "the room's money")
        """
        return "play money" if self is Currency.PLAY else "the room's money"


class AccountKind(StrEnum):
    """The kind of an account. Its owner is a table, a seat, a player, a jackpot level, or the house."""

    CHIP_TRAY = "chip-tray"
    """Chips at a table; an asset."""
    HOUSE_CASH = "house-cash"
    """Cash in the cage that belongs to the house; an asset."""
    UNDEPOSITED = "undeposited"
    """A jackpot's cash in the cage until the next deposit; an asset."""
    ESCROW = "escrow"
    """A jackpot's bank account; an asset."""
    CAGE_ADVANCE = "cage-advance"
    """The debt of a jackpot's bank account to the cage, which paid or returned more than it had for the jackpot."""
    SEED_OWED = "seed-owed"
    """Seed money that the house put on a meter and may recover; an asset."""
    ISSUED = "issued"
    """Chips that the house issued at automatic tables, and play money that it gave away; an asset."""
    PLAYER = "player"
    """A player's balance; owed to the player."""
    SEAT = "seat"
    """Chips of a seat at an automatic table; owed to the player in the seat."""
    LAYOUT = "layout"
    """Wagers on the layout of an automatic table until take or pay; owed to the players who made them."""
    FLOAT = "float"
    """The house's own chips at an automatic table."""
    DISPLAY = "display"
    """The amount on a meter; owed to the players."""
    RESERVE = "reserve"
    """The amount saved for the next reset; owed to the players."""
    OVERFLOW = "overflow"
    """Contributions above the ceiling; owed to the players."""
    PENDING = "pending"
    """Prizes that are locked until they are verified; owed to the players."""
    GROSS_RECEIPTS = "gross-receipts"
    """The house's receipts without the jackpots' contributions; income."""
    PRIZES = "prizes"
    """Prizes that the house paid from its own money; an expense."""

    @property
    def is_debit(self) -> bool:
        """Whether a debit increases the balance: assets and expenses."""
        return self in _DEBIT_KINDS


_DEBIT_KINDS: Final = frozenset(
    {
        AccountKind.CHIP_TRAY,
        AccountKind.HOUSE_CASH,
        AccountKind.UNDEPOSITED,
        AccountKind.ESCROW,
        AccountKind.SEED_OWED,
        AccountKind.ISSUED,
        AccountKind.PRIZES,
    }
)


_PLAY_PREFIX: Final = f"{Currency.PLAY}-"


@dataclass(frozen=True, slots=True, order=True)
class Account:
    """One account.

    >>> str(Account(AccountKind.DISPLAY, "milky-way-1")), str(Account(AccountKind.PLAYER, "ada", Currency.PLAY))
    ('display:milky-way-1', 'play-player:ada')
    >>> Account.parse("display:milky-way-1").kind.is_debit, Account.parse("play-player:ada").currency
    (False, <Currency.PLAY: 'play'>)
    """

    kind: AccountKind
    owner: str
    currency: Currency = Currency.REAL
    _text: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        prefix = _PLAY_PREFIX if self.currency is Currency.PLAY else ""
        object.__setattr__(self, "_text", f"{prefix}{self.kind}:{self.owner}")

    def __str__(self) -> str:
        return self._text

    @classmethod
    def parse(cls, text: str) -> Account:
        kind, _, owner = text.partition(":")
        if kind.startswith(_PLAY_PREFIX):
            return cls(AccountKind(kind.removeprefix(_PLAY_PREFIX)), owner, Currency.PLAY)
        return cls(AccountKind(kind), owner)

    def with_currency(self, currency: Currency) -> Account:
        """The same account in this currency."""
        return self if currency is self.currency else Account(self.kind, self.owner, currency)


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that moves from the credited account to the debited one, both in one currency."""

    debit: Account
    credit: Account
    amount: Amount

    def __post_init__(self) -> None:
        if self.amount <= 0:
            raise ValueError(f"A posting moves a positive amount, not {self.amount}.")
        if self.debit.currency is not self.credit.currency:
            raise ValueError(f"A posting has one currency: {self.debit} and {self.credit} have two.")

    def with_currency(self, currency: Currency) -> Posting:
        """The same amount between the same accounts in this currency.

        >>> prize = Posting(Account(AccountKind.PRIZES, "prime-1"), Account(AccountKind.CHIP_TRAY, "prime-1"), 25_00)
        >>> str(prize.with_currency(Currency.PLAY).credit)
        'play-chip-tray:prime-1'
        """
        return (
            self
            if currency is self.debit.currency
            else Posting(self.debit.with_currency(currency), self.credit.with_currency(currency), self.amount)
        )
