"""What was claimed of a round before: by which hands, what became of it, and which cards were told.

It is put together from the happenings of a jackpot in their order, by a desk from the log and by a verification along
the chain, so both know the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from shlex import quote
from typing import NamedTuple

from cardroom.accounts import CENT
from cardroom.jackpots.claim.anew import leader
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    Happening,
    PrizesPaid,
    PrizesTakenBack,
    PrizesWon,
)
from cardroom.jackpots.pending import Claim, Prize

Cards = Mapping[str, tuple[str, ...]]
"""By place."""


class EarlierClaim(NamedTuple):
    """A claim of a round, or what was paid of it at once."""

    claim: str
    """Empty for what was paid at once."""
    prizes: tuple[Prize, ...]
    """Without those that were refused."""
    paid: bool
    cards: Cards
    """As they were told."""
    command: str = ""
    """The id of the command that made it."""
    wagers: Mapping[int, Mapping[str, int]] = {}
    """By the seats that win by their hands: what they wagered, in cents, as it was told."""
    answers: Mapping[tuple[int, str], str] = {}
    """By seat and question, as they were told."""

    @classmethod
    def of(cls, won: PrizesWon, claim: str, *, paid: bool = False) -> EarlierClaim:
        """What one event has claimed."""
        cards = {place: tuple(pile) for place, pile in won.record["cards"].items()}
        command = claim or (won.claim if isinstance(won, PrizesPaid) else "")
        hands = {prize.by for prize in won.prizes}
        wagers = {int(seat): spots for seat, spots in won.record["wagers"].items() if int(seat) in hands}
        said = {(one["seat"], one["question"]): one["answer"] for one in won.record["decisions"]}
        answers = {of: answer for of, answer in said.items() if of[0] in hands}
        return cls(claim, won.prizes, paid, cards, command, wagers, answers)

    def advice(self, jackpot: str) -> str:
        """What is done first, where it was claimed wrongly."""
        if self.claim:
            return f"Refuse it first: cardroom jackpot refuse {quote(jackpot)} {quote(self.claim)}"
        return f"Take it back first: cardroom jackpot take-back-prize {quote(jackpot)} {quote(self.command)}"


class ClaimedBefore(NamedTuple):
    """What was claimed of a round on one jackpot and not refused."""

    earlier: tuple[EarlierClaim, ...] = ()
    shown: Mapping[str, int] = {}
    """By level, what it showed in cents when the claims of the round were locked on it."""

    @property
    def won(self) -> frozenset[tuple[int, int, str]]:
        """Who has won by whose hand on which stake."""
        return frozenset(_won(prize) for one in self.earlier for prize in one.prizes)

    def is_new(self, prize: Prize) -> bool:
        """Whether a prize has not been claimed."""
        return _won(prize) not in self.won

    def paid_alone(self, seat: int) -> int:
        """What the dealer has paid a seat at once, in cents."""
        return sum(prize.cents for one in self.earlier if not one.claim for prize in one.prizes if prize.seat == seat)

    @property
    def seats_paid_at_once(self) -> frozenset[int]:
        """The seats to which the dealer has paid something at once."""
        return frozenset(prize.seat for one in self.earlier if not one.claim for prize in one.prizes)

    @property
    def unverified(self) -> frozenset[int]:
        """The seats whose hands are claimed and not paid yet."""
        return frozenset(prize.by for one in self.earlier if not one.paid for prize in one.prizes)

    def paid_on(self, level: str) -> tuple[str, ...]:
        """The events whose lines were paid to a winner on a level, so that their amounts stand."""
        paid = (prize for one in self.earlier if one.paid for prize in one.prizes if prize.level == level)
        return tuple(dict.fromkeys(prize.event for prize in paid))

    def on(self, level: str) -> tuple[Prize, ...]:
        """All prizes of the round that come off a level."""
        return tuple(prize for one in self.earlier for prize in one.prizes if prize.level == level)

    def claim_of(self, prize: Prize) -> str:
        """The claim that has the prize; empty when it was paid at once."""
        return self.holding(prize).claim

    def holding(self, prize: Prize) -> EarlierClaim:
        """What has the prize."""
        return next(one for one in self.earlier for other in one.prizes if _won(other) == _won(prize))

    def after(self, happening: Happening, table: str, round_id: str) -> ClaimedBefore:
        """What was claimed of the round after another happening of the jackpot."""
        match happening:
            case PrizesPaid() if (happening.table, happening.round) == (table, round_id):
                return self._with("", happening, paid=True)
            case PrizesTakenBack() if (happening.table, happening.round) == (table, round_id):
                return self._without(happening)
            case ClaimLocked() if (happening.table, happening.round) == (table, round_id):
                shown = {level: taken.before // CENT for level, taken in happening.levels.items()}
                return self._with(happening.claim, happening)._replace(shown={**self.shown, **shown})
            case ClaimJoined():
                is_of_it = (happening.table, happening.round) == (table, round_id)
                more = self._with(happening.claim, happening) if is_of_it else self
                return more._valued_anew(happening.claims, (table, round_id))
            case ClaimRefused(claim=claim, seats=seats):
                left = tuple(
                    one._replace(
                        prizes=tuple(prize for prize in one.prizes if prize.seat not in seats),
                        cards=_without_seats(one, seats),
                        wagers={seat: spots for seat, spots in one.wagers.items() if seat not in seats},
                        answers={of: answer for of, answer in one.answers.items() if of[0] not in seats},
                    )
                    if one.claim == claim
                    else one
                    for one in self.earlier
                )
                kept = tuple(one for one in left if one.prizes)
                return self._replace(earlier=kept)._valued_anew(happening.claims, (table, round_id))
            case ClaimPaid(claim=claim):
                paid = tuple(one._replace(paid=True) if one.claim == claim else one for one in self.earlier)
                return self._replace(earlier=paid)
        return self

    def _with(self, claim: str, won: PrizesWon, *, paid: bool = False) -> ClaimedBefore:
        return self._replace(earlier=(*self.earlier, EarlierClaim.of(won, claim, paid=paid)))

    def _without(self, taken: PrizesTakenBack) -> ClaimedBefore:
        """Without prizes that were taken back. A record tells of all hands: those that have no other prize of it are
        not told any more."""
        gone = next(one for one in self.earlier if not one.claim and one.prizes == taken.prizes)
        hands = {prize.by for prize in taken.prizes}
        left = (one for one in self.earlier if one is not gone)
        kept = (one._replace(cards=_without_seats(one, hands - {prize.by for prize in one.prizes})) for one in left)
        return self._replace(earlier=tuple(kept))

    def _valued_anew(self, pending: Iterable[Claim], of: tuple[str, str]) -> ClaimedBefore:
        """With the prizes, and what the levels showed, as they are after a level was played again."""
        claims = [claim for claim in pending if claim.of == of]
        if not claims:
            return self
        prizes = {claim.id: claim.prizes for claim in claims}
        shown = dict(self.shown)
        for claim in claims:
            for part in claim.parts:
                first = leader(claims, claim, part.level)
                if first is claim:
                    shown[part.level] = part.before.display // CENT
        earlier = tuple(one._replace(prizes=prizes.get(one.claim, one.prizes)) for one in self.earlier)
        return self._replace(earlier=earlier, shown=shown)


def _won(prize: Prize) -> tuple[int, int, str]:
    return prize.seat, prize.by, prize.stake


def _without_seats(earlier: EarlierClaim, seats: Iterable[int]) -> Cards:
    """The cards of a player whose hand was refused are not told any more."""
    own = tuple(f"seat {seat} " for seat in seats)
    return {place: pile for place, pile in earlier.cards.items() if not place.startswith(own)}
