"""What stands under a gaming day when it is closed: where every chain ended, and what was open."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.plain import in_a_row


@in_a_row
class ChainEnd(NamedTuple):
    """The last event of a chain that belongs to the day."""

    chain: str
    sequence: int
    hash: str


@in_a_row
class StoodAt(NamedTuple):
    """A jackpot at the end of the day: what was counted since it was opened, what it owes and what covers it."""

    jackpot: str
    counted: int
    wagered: Amount
    owed: Amount
    escrow: Amount
    undeposited: Amount
    cage_advance: Amount


class Matter(StrEnum):
    """What may be open when a day is closed."""

    RECOVERY = "operator recovered at the machine"
    CLAIM = "claim pending"
    REPORT = "malfunction"
    BROKEN = "tabulator broken"
    HELD_UP = "device held up"
    DEPOSIT = "deposit due"
    CAGE = "cage to be paid back"
    RECONCILIATION = "reconciliation due"
    SURPLUS = "surplus at the bank"
    CHANGE = "change waits"


class OpenMatter(NamedTuple):
    """Something that was open, and of what."""

    what: Matter
    of: str
    words: str


def digest_of(ends: Sequence[ChainEnd]) -> str:
    """All ends in one number, to copy by hand.

    >>> digest_of([ChainEnd("table:prime-1", 7, "ab")])[:16]
    'a8d99777278b9baf'
    """
    lines = "".join(f"{one.chain}\t{one.sequence}\t{one.hash}\n" for one in sorted(ends))
    return sha256(lines.encode()).hexdigest()
