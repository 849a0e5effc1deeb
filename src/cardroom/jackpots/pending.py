"""A claim: the prizes of one round on one jackpot, locked until a second person has verified them."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange


class Prize(NamedTuple):
    """What one hand has won."""

    seat: int
    stake: str
    event: str
    words: str
    cards: tuple[str, ...]
    pays: str
    """The line of the table in words."""
    level: str | None
    """The meter that it comes off; None for a fixed prize, which the house pays."""
    share: Fraction | None
    """Of the meter, before it is divided among equal winners (BJ-4)."""
    cents: int


class Before(NamedTuple):
    """A level as it stood when a claim was locked: what it goes back to, should the claim be refused."""

    display: Amount
    reserve: Amount
    overflow: Amount
    seed_owed: Amount
    parameters: Parameters
    waiting: WaitingChange | None


class Part(NamedTuple):
    """What a claim did to one level, and what came in on that level since, until the next claim on it."""

    level: str
    before: Before
    taken: Amount
    counted: Amount
    """From wagers, for the meter: display and overflow together."""
    reserved: Amount
    """From wagers, for the reserve."""


class Claim(NamedTuple):
    """A claim in its order."""

    id: str
    order: int
    table: str
    round: str
    game: str
    dealer: str
    prizes: tuple[Prize, ...]
    parts: tuple[Part, ...]
    """One for each level of a progressive that it takes from."""

    def part(self, level: str) -> Part | None:
        """What the claim did to a level."""
        return next((part for part in self.parts if part.level == level), None)

    def with_part(self, changed: Part) -> Claim:
        """The claim with the part of one level replaced."""
        return self._replace(parts=tuple(changed if one.level == changed.level else one for one in self.parts))

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.prizes)

    @property
    def largest_win(self) -> int:
        """The most that one seat wins, in cents."""
        return max(sum(one.cents for one in self.prizes if one.seat == seat) for seat in self.seats)

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(prize.seat for prize in self.prizes))
