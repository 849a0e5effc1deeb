"""A claim: prizes of one round on one jackpot, locked until a second person has verified them.

Each winner of a round may be claimed on its own. Claims of one round on one level are a group: they are valued
together, at the place of the first of them (BJ-26).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.people import same_person
from cardroom.jackpots.plain import in_a_row
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange


@in_a_row
class Wagers(NamedTuple):
    """Wagers of one amount."""

    cents: int
    number: int


def added(wagers: tuple[Wagers, ...], more: Iterable[Wagers]) -> tuple[Wagers, ...]:
    """Wagers and more wagers, from the smallest amount up.

    >>> added((Wagers(200, 1),), (Wagers(100, 3), Wagers(200, 2)))
    (Wagers(cents=100, number=3), Wagers(cents=200, number=3))
    """
    numbers = dict(wagers)
    for cents, number in more:
        numbers[cents] = numbers.get(cents, 0) + number
    return tuple(Wagers(cents, numbers[cents]) for cents in sorted(numbers) if numbers[cents])


def lessened(wagers: tuple[Wagers, ...], fewer: Iterable[Wagers]) -> tuple[Wagers, ...]:
    """Wagers without some of them.

    >>> lessened((Wagers(100, 3), Wagers(200, 2)), (Wagers(200, 2),))
    (Wagers(cents=100, number=3),)
    """
    return added(wagers, (Wagers(cents, -number) for cents, number in fewer))


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
    hand: int | None = None
    """The seat whose hand won it, where that is another player's: Envy and Share the Wealth."""

    @property
    def by(self) -> int:
        """The seat whose hand won it."""
        return self.seat if self.hand is None else self.hand


def by_seat(prizes: Iterable[Prize]) -> dict[int, int]:
    """What each seat wins, in cents."""
    sums: dict[int, int] = {}
    for prize in prizes:
        sums[prize.seat] = sums.get(prize.seat, 0) + prize.cents
    return sums


@in_a_row
class Counting(NamedTuple):
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
    wagers: tuple[Wagers, ...]
    parameters: Parameters
    """By which it was counted."""
    made: int
    """How many claims there had been when it was declared void: those that were made later do not remember it."""


class Before(NamedTuple):
    """A level as it stood when a claim was locked: what it goes back to, should the claim be refused."""

    display: Amount
    reserve: Amount
    overflow: Amount
    seed_owed: Amount
    parameters: Parameters
    waiting: WaitingChange | None
    counting: Counting


class Part(NamedTuple):
    """What a claim did to one level, and what came in on that level since, until the next claim on it."""

    level: str
    before: Before
    taken: Amount
    since: tuple[Wagers, ...] = ()
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


@in_a_row
class SatAt(NamedTuple):
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
    prizes: tuple[Prize, ...]
    parts: tuple[Part, ...]
    """One for each level of a progressive that it takes from."""
    dealt: str
    """Who counted the round."""
    automatic: bool = False
    """Whether an automatic table claimed it: two people decide about it (BJ-50)."""
    sat: tuple[SatAt, ...] = ()
    """Who sat at the winning seats of an automatic table."""

    def player_at(self, seat: int) -> str | None:
        """Who sat at a seat of an automatic table; None where nobody with a balance did."""
        return dict(self.sat).get(seat)

    @property
    def claimed_by_another(self) -> bool:
        """Whether somebody else than who dealt has claimed it."""
        return not same_person(self.dealt, self.dealer)

    def part(self, level: str) -> Part | None:
        """What the claim did to a level."""
        return next((part for part in self.parts if part.level == level), None)

    @property
    def of(self) -> tuple[str, str]:
        """The table and the round: claims of one round on one level are a group."""
        return self.table, self.round

    def taken(self, level: str) -> Amount:
        """What the claim took on a level."""
        part = self.part(level)
        return part.taken if part else 0

    def on(self, level: str) -> tuple[Prize, ...]:
        """The prizes that come off a level."""
        return tuple(prize for prize in self.prizes if prize.level == level)

    def with_part(self, changed: Part) -> Claim:
        """The claim with the part of one level replaced."""
        return self._replace(parts=tuple(changed if one.level == changed.level else one for one in self.parts))

    def without_part(self, level: str) -> Claim:
        """The claim once it has no prize on a level any more."""
        return self._replace(parts=tuple(one for one in self.parts if one.level != level))

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
        """Every seat that claims a prize, in the order of the claim."""
        return tuple(dict.fromkeys(prize.seat for prize in self.prizes))
