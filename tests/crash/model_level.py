"""One meter in plain arithmetic. It keeps all that ever happened to it: to undo a claim, or to put one beside others of
its round, it begins again with the seed, and lets everything happen once more.

Money is in hundredths of a cent. What wagers bring in is summed up exactly; what was credited is that sum, rounded
down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Any

CENT = 100
NOTHING = Fraction(0)

Step = tuple[str, tuple[Any, ...]]
"""What happened, and how."""
Winners = dict[str, list[int]]
"""Seats by event."""
Round = tuple[str, str]
"""A table and the id of one of its rounds."""


@dataclass(frozen=True)
class Terms:
    """What the operator set."""

    rate: Fraction
    saved: Fraction
    seed: int
    ceiling: int | None
    minimum: int
    """In cents."""

    def worse_than(self, now: Terms) -> bool:
        """Whether players who paid in under the terms of now would lose by these."""
        lower = self.ceiling is not None and (now.ceiling is None or self.ceiling < now.ceiling)
        less = self.rate < now.rate or self.seed < now.seed
        return less or lower or self.saved > now.saved or self.minimum > now.minimum


@dataclass
class Held:
    """Where a meter's money is."""

    display: int
    seed_owed: int
    reserve: int = 0
    overflow: int = 0
    pending_amount: int = 0

    @property
    def owed(self) -> int:
        return self.display + self.reserve + self.overflow + self.pending_amount


def cents_of(amount: int) -> int:
    """The whole cents of an amount."""
    return amount // CENT


@dataclass
class Level:
    """A meter. ``shares`` are the lines that come off it, from the top of the printed table down."""

    name: str
    pays: tuple[str, ...]
    shares: Mapping[str, Fraction]
    opening: Terms
    is_progressive: bool
    history: list[Step] = field(default_factory=list)
    claimed: list[str] = field(default_factory=list)
    """The claims that were ever made on it."""
    paid: set[str] = field(default_factory=set)
    paid_lines: set[tuple[Round, str]] = field(default_factory=set)
    """Rounds and events of which one winner was paid: what the others get stands."""
    remembered: list[tuple[Round, str, int]] = field(default_factory=list)
    """Void rounds that were counted before a claim that is pending, the claim, and how many had been made then."""

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.terms = self.opening
        self.later: Terms | None = None
        self.held = Held(self.opening.seed, self.opening.seed if self.is_progressive else 0)
        self.exact = self.exact_saved = NOTHING
        self.pending: dict[str, dict[int, int]] = {}
        """Cents by claim and seat."""
        self.shown_for: dict[Round, int] = {}
        """What was shown when the winners of a round were locked."""
        self.counted_by: dict[Round, tuple[Terms, dict[int, int]]] = {}

    def happen(self, what: str, *how: Any) -> None:
        """Something more happens to the meter."""
        self.history.append((what, how))
        self._apply(what, how)

    def _again(self, first: int) -> None:
        """Everything happens once more. Rounds that were counted from a certain place on and are void are left out."""
        void = {how[0] for what, how in self.history[first:] if what == "void"}
        counted = {how[0] for what, how in self.history[first:] if what == "came_in"}
        gone = void & counted
        kept = [
            (what, how)
            for at, (what, how) in enumerate(self.history)
            if at < first or what not in ("came_in", "void") or how[0] not in gone
        ]
        self.history = kept
        self._begin()
        for what, how in kept:
            self._apply(what, how)

    def _apply(self, what: str, how: tuple[Any, ...]) -> None:
        getattr(self, f"_{what}")(*how)
        self.held.pending_amount = CENT * sum(sum(seats.values()) for seats in self.pending.values())
        if not self.is_progressive:
            self.held.pending_amount = 0

    def _place(self, claim: str) -> int:
        """Where in the history a claim was made."""
        return next(at for at, (what, how) in enumerate(self.history) if what in ("won", "late") and how[0] == claim)

    # Wagers.

    def _came_in(self, round_: Round, each: dict[int, int]) -> None:
        cents = sum(amount * number for amount, number in each.items() if amount >= self.terms.minimum)
        before, before_saved = self.exact, self.exact_saved
        self.exact += CENT * cents * self.terms.rate
        self.exact_saved += CENT * cents * self.terms.saved
        self._shown(floor(self.exact) - floor(before))
        self.held.reserve += floor(self.exact_saved) - floor(before_saved)
        self.counted_by[round_] = self.terms, each

    def _shown(self, gained: int) -> None:
        """At the ceiling the rest is overflow."""
        ceiling = self.terms.ceiling
        shown = gained if ceiling is None else min(gained, max(ceiling - self.held.display, 0))
        self.held.display += shown
        self.held.overflow += gained - shown

    def _void(self, round_: Round) -> None:
        """As if the round had never been counted; at the ceiling the overflow goes down first."""
        terms, each = self.counted_by[round_]
        cents = sum(amount * number for amount, number in each.items() if amount >= terms.minimum)
        before, before_saved = self.exact, self.exact_saved
        self.exact -= CENT * cents * terms.rate
        self.exact_saved -= CENT * cents * terms.saved
        gone, held = floor(before) - floor(self.exact), self.held
        is_full = self.terms.ceiling is not None and held.display >= self.terms.ceiling
        above = min(gone, held.overflow) if is_full else 0
        held.overflow -= above
        held.display -= min(gone - above, held.display)
        held.reserve -= min(floor(before_saved) - floor(self.exact_saved), held.reserve)

    # Prizes.

    def share(self, event: str, seats: list[int], seat: int, shown: int) -> int:
        """What one of the winners of a line gets: equal winners share, odd cents go to the first from the left."""
        each, odd = divmod(floor(shown * self.shares[event]), len(seats))
        return each + (1 if sorted(seats).index(seat) < odd else 0)

    def _won(self, claim: str, of: Round, _: Winners) -> None:
        """At the place of the first claim of a round all its winners take their prizes."""
        group = {how[0]: how[2] for what, how in self.history if what == "won" and how[1] == of}
        if claim != next(iter(group)):
            return
        shown, total = cents_of(self.held.display), 0
        self.shown_for[of] = shown
        lines = {event for one in group.values() for event in one}
        for event in lines:
            seats = [seat for one in group.values() for seat in one.get(event, ())]
            for name, one in group.items():
                for seat in one.get(event, ()):
                    prize = self.share(event, seats, seat, shown)
                    self.pending.setdefault(name, {})[seat] = prize
                    total += prize
        if not self.is_progressive:
            return
        off_the_display = min(total, shown)
        self.held.display -= CENT * off_the_display
        self._from_elsewhere(total - off_the_display)
        if sum(self.shares[event] for event in lines) >= 1:
            self._reset()

    def _late(self, claim: str, _: Round, __: Mapping[int, str], prizes: dict[int, int], own: set[int]) -> None:
        """Others of the round were paid before: the display is left alone. What its line did not hold before comes from
        elsewhere."""
        self.pending[claim] = dict(prizes)
        if self.is_progressive:
            self._from_elsewhere(sum(prizes[seat] for seat in own if seat in prizes))

    def _shared(self, claim: str, prizes: dict[int, int]) -> None:
        """A line was divided again."""
        self.pending[claim] |= prizes

    def _reset(self) -> None:
        """What waited comes into force; the reset value comes from the overflow, the reserve, and then the house."""
        if self.later is not None:
            self.terms, self.later = self.later, None
        held, wanted = self.held, cents_of(self.terms.seed)
        if self.terms.ceiling is not None:
            wanted = min(wanted, cents_of(max(self.terms.ceiling - held.display, 0)))
        self._from_elsewhere(wanted)
        held.display += CENT * wanted

    def _from_elsewhere(self, wanted: int) -> None:
        """Cents that the display has not: from the overflow, the reserve, and then the house, which is owed them."""
        held = self.held
        overflow = min(wanted, cents_of(held.overflow))
        reserve = min(wanted - overflow, cents_of(held.reserve))
        held.overflow -= CENT * overflow
        held.reserve -= CENT * reserve
        held.seed_owed += CENT * (wanted - overflow - reserve)

    def _paid(self, claim: str) -> None:
        del self.pending[claim]

    def _given_up(self, claim: str, seats: list[int]) -> None:
        """Seats of a claim whose group was paid: the others keep what they have."""
        self.pending[claim] = {seat: prize for seat, prize in self.pending[claim].items() if seat not in seats}

    def _returned(self, amount: int) -> None:
        self._shown(amount)

    # A claim is made, paid or refused.

    def claim(self, claim: str, of: Round, winners: Winners) -> None:
        """One claim more; what was claimed of the round before is valued with it."""
        self.claimed.append(claim)
        self.history.append(("won", (claim, of, winners)))
        first = next(at for at, (what, how) in enumerate(self.history) if what == "won" and how[1] == of)
        self._again(first)

    def claim_late(self, claim: str, of: Round, winners: Winners, shares: Mapping[str, dict[int, int]]) -> None:
        """``shares`` are by event and seat, of all winners of the lines: those of whom none was paid share again."""
        prizes, own = dict[int, int](), set[int]()
        for event, seats in winners.items():
            prizes |= {seat: shares[event][seat] for seat in seats}
            mates = [] if (of, event) in self.paid_lines else self._line(of, event)
            if not any(self._is_held(*one) for one in mates):
                own |= set(seats)
            self._divide(mates, shares[event])
        self.claimed.append(claim)
        events = {seat: event for event, seats in winners.items() for seat in seats}
        self.history.append(("late", (claim, of, events, prizes, own)))
        self._again(next(at for at, (what, how) in enumerate(self.history) if what == "late" and how[1] == of))

    def _line(self, of: Round, event: str) -> list[tuple[str, int]]:
        """The claims and seats that are pending on a line."""
        claims = [how[0] for what, how in self.history if what in ("won", "late") and how[1] == of]
        pending = [(claim, seat) for claim in claims for seat in self.pending.get(claim, ())]
        return [one for one in pending if self._event(*one) == event]

    def _event(self, claim: str, seat: int) -> str:
        what, how = self.history[self._place(claim)]
        return how[2][seat] if what == "late" else next(event for event, seats in how[2].items() if seat in seats)

    def _is_held(self, claim: str, seat: int) -> bool:
        """Whether the money was there before the claim was made, or before its round was paid."""
        what, how = self.history[self._place(claim)]
        return what == "won" or seat not in how[4]

    def _divide(self, line: list[tuple[str, int]], shares: Mapping[int, int]) -> None:
        for claim, seat in line:
            place = self._place(claim)
            what, how = self.history[place]
            if what == "late":
                self.history[place] = what, (*how[:3], how[3] | {seat: shares[seat]}, how[4])
            else:
                self.history.append(("shared", (claim, {seat: shares[seat]})))

    def pay(self, claim: str) -> None:
        """What a void round brought was won with the claim that remembers it."""
        self.paid.add(claim)
        of = self.history[self._place(claim)][1][1]
        self.paid_lines |= {(of, self._event(claim, seat)) for seat in self.pending[claim]}
        self.happen("paid", claim)
        self.remembered = [one for one in self.remembered if one[1] != claim]

    def refuse(self, claim: str, seats: set[int], pending: list[str]) -> None:
        """As if these seats had never been claimed. ``pending`` are the claims on the level, in their order."""
        place = self._place(claim)
        what, how = self.history[place]
        group = [one[1][0] for one in self.history if what == "won" and one[0] == "won" and one[1][1] == how[1]]
        if what == "late" or self.paid & set(group):
            self._give_up(claim, how[1], seats & set(self.pending[claim]), pending)
        else:
            first = self._place(group[0])
            left = {event: [seat for seat in some if seat not in seats] for event, some in how[2].items()}
            left = {event: some for event, some in left.items() if some}
            self.history[place : place + 1] = [("won", (claim, how[1], left))] if left else []
            self._again(first)
        if not self.pending.get(claim):
            self.pending.pop(claim, None)
            self._move_on(claim, pending)

    def _give_up(self, claim: str, of: Round, seats: set[int], pending: list[str]) -> None:
        """Another of the round was paid. Who is left of a line of which no user was paid shares it; other money comes
        back to the level, before the first claim whose value is still open, or to where a late claim has it from."""
        amount = 0
        for event in {self._event(claim, seat) for seat in seats}:
            line = self._line(of, event)
            gone = [one for one in line if one[0] == claim and one[1] in seats]
            left = [one for one in line if one not in gone]
            if left and (of, event) not in self.paid_lines:
                each, odd = divmod(sum(self.pending[name][seat] for name, seat in line), len(left))
                in_order = sorted(seat for _, seat in left)
                self._divide(left, {seat: each + (at < odd) for at, seat in enumerate(in_order)})
            else:
                amount += sum(self.pending[name][seat] for name, seat in gone if self._is_held(name, seat))
        still_open = [self._place(one) for one in pending if not self.is_fixed(one)]
        place = self._place(claim)
        what, how = self.history[place]
        if what == "late":
            kept = {seat: prize for seat, prize in how[3].items() if seat not in seats}
            self.history[place] = what, (*how[:3], kept, how[4])
        else:
            self.history.append(("given_up", (claim, sorted(seats))))
        at = min(still_open, default=len(self.history))
        if self.is_progressive and amount:
            self.history.insert(at, ("returned", (CENT * amount,)))
        self._again(at)

    def is_fixed(self, claim: str) -> bool:
        what, how = self.history[self._place(claim)]
        group = {one[1][0] for one in self.history if what == "won" and one[0] == "won" and one[1][1] == how[1]}
        return bool(self.paid & group)

    def is_held(self, claim: str) -> bool:
        """Whether it takes nothing more, wherever it stands."""
        if self.is_late(claim):
            return all(self._is_held(claim, seat) for seat in self.pending[claim])
        return self.is_fixed(claim)

    def is_late(self, claim: str) -> bool:
        return self.history[self._place(claim)][0] == "late"

    def _move_on(self, claim: str, pending: list[str]) -> None:
        """Void rounds before a claim that is gone are now before the next one, if that was made when they were not void
        yet; else they come off before it."""
        behind = next((one for one in pending[pending.index(claim) + 1 :]), None)
        moved = [one for one in self.remembered if one[1] == claim]
        kept = [one for one in moved if behind is not None and self.claimed.index(behind) < one[2]]
        others = [one for one in self.remembered if one[1] not in (claim, behind)]
        if behind is not None:
            others += [(round_, behind, made) for round_, _, made in kept]
        self.remembered = others + [one for one in self.remembered if one[1] == behind]
        for one in moved:
            if one not in kept:
                place = len(self.history) if behind is None else self._place(behind)
                self.history.insert(place, ("void", (one[0],)))
                self._again(place)

    # The office.

    def _set(self, terms: Terms, later: Terms | None) -> None:
        self.terms, self.later = terms, later
        if not self.is_progressive:
            self.held.display = terms.seed

    def _wait(self, terms: Terms | None) -> None:
        self.later = terms

    def _moved(self, changes: Mapping[str, int]) -> None:
        self.held = replace(self.held, **{name: getattr(self.held, name) + amount for name, amount in changes.items()})
