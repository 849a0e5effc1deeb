"""A claim: prizes of one round on one jackpot, locked until a second person has verified them.

Each winner of a round may be claimed on its own. Claims of one round on one level are a group: they are valued
together, at the place of the first of them (BJ-26).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.room.codec import array_like
from cardroom.room.dual_control import is_same_person
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


@array_like
class EqualWagers(NamedTuple):
    """Wagers of one amount."""

    cents: int
    number: int


def add_wagers(wagers: tuple[EqualWagers, ...], added_groups: Iterable[EqualWagers]) -> tuple[EqualWagers, ...]:
    """Wagers and more wagers, from the smallest amount up.

    >>> add_wagers((EqualWagers(200, 1),), (EqualWagers(100, 3), EqualWagers(200, 2)))
    (EqualWagers(cents=100, number=3), EqualWagers(cents=200, number=3))
    """
    numbers = dict(wagers)
    for cents, number in added_groups:
        numbers[cents] = numbers.get(cents, 0) + number
    return tuple(EqualWagers(cents, numbers[cents]) for cents in sorted(numbers) if numbers[cents])


def subtract_wagers(wagers: tuple[EqualWagers, ...], removed_groups: Iterable[EqualWagers]) -> tuple[EqualWagers, ...]:
    """Wagers without some of them.

    >>> subtract_wagers((EqualWagers(100, 3), EqualWagers(200, 2)), (EqualWagers(200, 2),))
    (EqualWagers(cents=100, number=3),)
    """
    return add_wagers(wagers, (EqualWagers(cents, -number) for cents, number in removed_groups))


class JackpotPrize(NamedTuple):
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
    hand: int | None = None
    """The seat whose hand won it, where that is another player's: Envy and Share the Wealth."""

    @property
    def hand_seat(self) -> int:
        """The seat whose hand won it."""
        return self.seat if self.hand is None else self.hand


def cents_by_seat(prizes: Iterable[JackpotPrize]) -> dict[int, int]:
    """What each seat wins, in cents."""
    sums: dict[int, int] = {}
    for prize in prizes:
        sums[prize.seat] = sums.get(prize.seat, 0) + prize.cents
    return sums


@array_like
class MeterCounting(NamedTuple):
    """How far a level has counted: what is carried, and all that came in from wagers."""

    carry: int
    over: int
    reserve_carry: int
    reserve_over: int
    contributed: Amount


class VoidRound(NamedTuple):
    """A round that was counted before a claim and is void since: what it put on the meter is part of what is pending,
    and comes off only when the claim is refused (BJ-18)."""

    table: str
    round: str
    wagers: tuple[EqualWagers, ...]
    parameters: MeterParameters
    """By which it was counted."""
    made: int
    """How many claims there had been when it was declared void: those that were made later do not remember it."""


class LevelSnapshot(NamedTuple):
    """A level as it stood when a claim was locked: what it goes back to, should the claim be refused."""

    display: Amount
    reserve: Amount
    overflow: Amount
    seed_owed: Amount
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting


class ClaimPart(NamedTuple):
    """What a claim did to one level, and what came in on that level since, until the next claim on it."""

    level: str
    before: LevelSnapshot
    taken: Amount
    since: tuple[EqualWagers, ...] = ()
    """The wagers that came in, so that they can be counted anew by other rates."""
    fixed: bool = False
    """Whether another claim of the group was paid: the group does not take anything else off the level any more."""
    late: bool = False
    """Whether another of the group was paid before this claim came: it takes nothing off the display (BJ-27)."""
    void: tuple[VoidRound, ...] = ()
    """Void rounds that were counted before this claim, and after the one before it."""
    held: tuple[str, ...] = ()
    """Events of a late claim whose lines others had taken off the level before: it shares what they hold."""
    paid: tuple[str, ...] = ()
    """Events of the round of whose winners on this level one was paid: what the others of them get stands (BJ-27)."""

    @property
    def is_open(self) -> bool:
        """Whether it is valued together with the others of its group."""
        return not self.fixed and not self.late

    def holds(self, event: str) -> bool:
        """Whether what the line of an event pays is set aside already, wherever the claim stands."""
        return self.fixed or event in self.held


@array_like
class SeatedPlayer(NamedTuple):
    """Who sat at a seat of an automatic table."""

    seat: int
    player: str


class Claim(NamedTuple):
    """A claim in its order."""

    id: str
    order: int
    table: str
    round: str
    game: str
    dealer: str
    """Who claimed it."""
    prizes: tuple[JackpotPrize, ...]
    parts: tuple[ClaimPart, ...]
    """One for each level of a progressive that it takes from."""
    dealt: str
    """Who counted the round."""
    automatic: bool = False
    """Whether an automatic table claimed it: two people decide about it (BJ-50)."""
    sat: tuple[SeatedPlayer, ...] = ()
    """Who sat at the winning seats of an automatic table."""

    def player_at(self, seat: int) -> str | None:
        """Who sat at a seat of an automatic table; None where nobody with a balance did."""
        return dict(self.sat).get(seat)

    @property
    def is_claimed_by_another(self) -> bool:
        """Whether somebody else than who dealt has claimed it."""
        return not is_same_person(self.dealt, self.dealer)

    def part(self, level: str) -> ClaimPart | None:
        """What the claim did to a level."""
        return next((part for part in self.parts if part.level == level), None)

    @property
    def round_key(self) -> tuple[str, str]:
        """The table and the round: claims of one round on one level are a group."""
        return self.table, self.round

    def taken_on(self, level: str) -> Amount:
        """What the claim took on a level."""
        part = self.part(level)
        return part.taken if part else 0

    def prizes_on(self, level: str) -> tuple[JackpotPrize, ...]:
        """The prizes that come off a level."""
        return tuple(prize for prize in self.prizes if prize.level == level)

    def with_part(self, changed: ClaimPart) -> Claim:
        """The claim with the part of one level replaced."""
        return self._replace(parts=tuple(changed if part.level == changed.level else part for part in self.parts))

    def without_part(self, level: str) -> Claim:
        """The claim once it has no prize on a level any more."""
        return self._replace(parts=tuple(part for part in self.parts if part.level != level))

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(prize.cents for prize in self.prizes)

    @property
    def largest_win(self) -> int:
        """The most that one seat wins, in cents."""
        return max(sum(prize.cents for prize in self.prizes if prize.seat == seat) for seat in self.seats)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that claims a prize, in the order of the claim."""
        return tuple(dict.fromkeys(prize.seat for prize in self.prizes))
