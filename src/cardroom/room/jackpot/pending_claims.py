"""A claim: prizes of one round on one jackpot, locked until a second person verifies them.

Each winner of a round may have a claim. The claims of one round on one level are a group: they are valued together, at
the position of the first of them (BJ-26).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from cardroom.chart_of_accounts import Amount
from cardroom.room.codec import array_like
from cardroom.room.dual_control import is_same_person
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


@array_like
class EqualWagers(NamedTuple):
    """Wagers of one amount."""

    cents: int
    number: int


def add_wagers(wagers: tuple[EqualWagers, ...], added_groups: Iterable[EqualWagers]) -> tuple[EqualWagers, ...]:
    """The sum of two groups of wagers, from the smallest amount up.

    >>> add_wagers((EqualWagers(200, 1),), (EqualWagers(100, 3), EqualWagers(200, 2)))
    (EqualWagers(cents=100, number=3), EqualWagers(cents=200, number=3))
    """
    numbers = dict(wagers)
    for cents, number in added_groups:
        numbers[cents] = numbers.get(cents, 0) + number
    return tuple(EqualWagers(cents, numbers[cents]) for cents in sorted(numbers) if numbers[cents])


def subtract_wagers(wagers: tuple[EqualWagers, ...], removed_groups: Iterable[EqualWagers]) -> tuple[EqualWagers, ...]:
    """The wagers without the removed ones.

    >>> subtract_wagers((EqualWagers(100, 3), EqualWagers(200, 2)), (EqualWagers(200, 2),))
    (EqualWagers(cents=100, number=3),)
    """
    return add_wagers(wagers, (EqualWagers(cents, -number) for cents, number in removed_groups))


class JackpotPrize(NamedTuple):
    """A prize that one hand won."""

    seat: int
    stake: str
    event: str
    words: str
    cards: tuple[str, ...]
    pays: str
    """The paytable line in words."""
    level: str | None
    """The level that it comes from; None for a fixed prize, which the house pays."""
    share: Fraction | None
    """The share of the meter, before it is divided among equal winners (BJ-4)."""
    cents: int
    hand: int | None = None
    """The seat whose hand won it, if that is another player's: Envy and Share the Wealth."""

    @property
    def hand_seat(self) -> int:
        """The seat whose hand won it."""
        return self.seat if self.hand is None else self.hand


def cents_by_seat(prizes: Iterable[JackpotPrize]) -> dict[int, int]:
    """The cents that each seat wins."""
    sums: dict[int, int] = {}
    for prize in prizes:
        sums[prize.seat] = sums.get(prize.seat, 0) + prize.cents
    return sums


@array_like
class MeterCounting(NamedTuple):
    """The counting state of a level: its carries, and the total contributed by wagers."""

    carry: int
    over: int
    reserve_carry: int
    reserve_over: int
    contributed: Amount


class VoidRound(NamedTuple):
    """A round that was counted before a claim and voided after it: its contribution is part of the pending prize, and
    comes off only if the claim is refused (BJ-18)."""

    table: str
    round: str
    wagers: tuple[EqualWagers, ...]
    parameters: MeterParameters
    """The parameters by which it was counted."""
    made: int
    """The number of claims when it was voided: later claims do not remember it."""


class LevelSnapshot(NamedTuple):
    """A level before a claim was locked: a refusal restores it."""

    display: Amount
    reserve: Amount
    overflow: Amount
    seed_owed: Amount
    parameters: MeterParameters
    waiting: WaitingChange | None
    counting: MeterCounting


class ClaimPart(NamedTuple):
    """A claim's effect on one level, and the wagers counted on that level until the next claim on it."""

    level: str
    before: LevelSnapshot
    taken: Amount
    since: tuple[EqualWagers, ...] = ()
    """The wagers counted since, so that they can be counted again at other rates."""
    fixed: bool = False
    """Whether another claim of the group was paid: the group takes nothing else from the level."""
    late: bool = False
    """Whether another claim of the group was paid before this one came: it takes nothing from the display (BJ-27)."""
    void: tuple[VoidRound, ...] = ()
    """Void rounds that were counted before this claim and after the previous one."""
    held: tuple[str, ...] = ()
    """Triggers of a late claim whose lines other claims took from the level before: it shares their prizes."""
    paid: tuple[str, ...] = ()
    """Triggers of the round with a paid winner on this level: the other winners' prizes are final (BJ-27)."""

    @property
    def is_open(self) -> bool:
        """Whether it is valued together with its group."""
        return not self.fixed and not self.late

    def holds(self, event: str) -> bool:
        """Whether the prize of a trigger's line is set aside already."""
        return self.fixed or event in self.held


@array_like
class SeatedPlayer(NamedTuple):
    """The player at a seat of an automatic table."""

    seat: int
    player: str


class Claim(NamedTuple):
    """A pending claim."""

    id: str
    order: int
    table: str
    round: str
    game: str
    dealer: str
    """The person who made the claim."""
    prizes: tuple[JackpotPrize, ...]
    parts: tuple[ClaimPart, ...]
    """One for each level of a progressive that pays it."""
    dealt: str
    """The dealer who counted the round."""
    automatic: bool = False
    """Whether an automatic table made the claim: two people decide it (BJ-50)."""
    sat: tuple[SeatedPlayer, ...] = ()
    """The players at the winning seats of an automatic table."""

    def player_at(self, seat: int) -> str | None:
        """The player at a seat of an automatic table; None if no player with a balance sat there."""
        return dict(self.sat).get(seat)

    @property
    def is_claimed_by_another(self) -> bool:
        """Whether another person than the dealer made the claim."""
        return not is_same_person(self.dealt, self.dealer)

    def part(self, level: str) -> ClaimPart | None:
        """The claim's effect on a level."""
        return next((part for part in self.parts if part.level == level), None)

    @property
    def round_key(self) -> tuple[str, str]:
        """The table and the round: claims of one round on one level are a group."""
        return self.table, self.round

    def taken_on(self, level: str) -> Amount:
        """The amount that the claim took from a level."""
        part = self.part(level)
        return part.taken if part else 0

    def prizes_on(self, level: str) -> tuple[JackpotPrize, ...]:
        """The prizes that come from a level."""
        return tuple(prize for prize in self.prizes if prize.level == level)

    def with_part(self, changed: ClaimPart) -> Claim:
        """The claim with the part of one level replaced."""
        return self._replace(parts=tuple(changed if part.level == changed.level else part for part in self.parts))

    def without_part(self, level: str) -> Claim:
        """The claim without its part on a level."""
        return self._replace(parts=tuple(part for part in self.parts if part.level != level))

    @property
    def cents(self) -> int:
        """The total of all prizes, in cents."""
        return sum(prize.cents for prize in self.prizes)

    @property
    def largest_win(self) -> int:
        """The most that one seat wins, in cents."""
        return max(sum(prize.cents for prize in self.prizes if prize.seat == seat) for seat in self.seats)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that claims a prize, in the order of the claim."""
        return tuple(dict.fromkeys(prize.seat for prize in self.prizes))
