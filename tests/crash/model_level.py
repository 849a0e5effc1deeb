"""One meter in plain arithmetic. It keeps all that ever happened to it: to undo a claim it begins again with the seed,
leaves the claim out, and lets everything else happen once more.

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
    pending: dict[str, dict[int, int]] = field(default_factory=dict)
    """Cents by claim and seat."""

    @property
    def pending_amount(self) -> int:
        return CENT * sum(sum(seats.values()) for seats in self.pending.values())

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
    exact: Fraction = NOTHING
    exact_saved: Fraction = NOTHING
    claimed: list[str] = field(default_factory=list)
    """The claims that were ever made on it."""

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.terms = self.opening
        self.later: Terms | None = None
        self.held = Held(self.opening.seed, self.opening.seed if self.is_progressive else 0)

    def happen(self, what: str, *how: Any) -> None:
        """Something more happens to the meter."""
        self.history.append((what, how))
        self._apply(what, how)

    def without(self, claim: str, instead: dict[str, list[int]] | None = None) -> None:
        """As if a claim had never been made, or with other winners than it had."""
        again: list[Step] = []
        for what, how in self.history:
            if what != "won" or how[0] != claim:
                again.append((what, how))
            elif instead:
                again.append((what, (claim, instead)))
        self.history = again
        self._begin()
        for what, how in again:
            self._apply(what, how)

    def _apply(self, what: str, how: tuple[Any, ...]) -> None:
        getattr(self, f"_{what}")(*how)

    # Wagers.

    def contribution(self, cents: int) -> tuple[int, int]:
        """What wagers bring the meter and the reserve; called once for each round."""
        before, before_saved = self.exact, self.exact_saved
        self.exact += CENT * cents * self.terms.rate
        self.exact_saved += CENT * cents * self.terms.saved
        return floor(self.exact) - floor(before), floor(self.exact_saved) - floor(before_saved)

    def split(self, gained: int) -> tuple[int, int]:
        """How much of a gain is shown, and how much is above the ceiling."""
        ceiling = self.terms.ceiling
        shown = gained if ceiling is None else min(gained, max(ceiling - self.held.display, 0))
        return shown, gained - shown

    def _came_in(self, gained: int, saved: int) -> None:
        shown, above = self.split(gained)
        self.held.display += shown
        self.held.overflow += above
        self.held.reserve += saved

    # Prizes.

    def prizes(self, winners: dict[str, list[int]]) -> dict[int, int]:
        """Cents by seat: every line pays its part of what the meter shows in full; equal winners share, and odd cents
        go to the first of them from the dealer's left."""
        shown = cents_of(self.held.display)
        won: dict[int, int] = {}
        for event in (one for one in self.shares if one in winners):
            each, odd = divmod(floor(shown * self.shares[event]), len(winners[event]))
            for place, seat in enumerate(sorted(winners[event])):
                won[seat] = each + (1 if place < odd else 0)
        return won

    def _won(self, claim: str, winners: dict[str, list[int]]) -> None:
        won = self.prizes(winners)
        self.held.pending[claim] = won
        off_the_display = min(sum(won.values()), cents_of(self.held.display))
        self.held.display -= CENT * off_the_display
        self._from_elsewhere(sum(won.values()) - off_the_display)
        if sum(self.shares[event] for event in winners) >= 1:
            self._reset()

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
        del self.held.pending[claim]

    # The office.

    def _set(self, terms: Terms, later: Terms | None) -> None:
        self.terms, self.later = terms, later
        if not self.is_progressive:
            self.held.display = terms.seed

    def _wait(self, terms: Terms | None) -> None:
        self.later = terms

    def _moved(self, changes: Mapping[str, int]) -> None:
        self.held = replace(self.held, **{name: getattr(self.held, name) + amount for name, amount in changes.items()})
