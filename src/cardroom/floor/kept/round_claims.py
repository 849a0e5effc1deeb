"""What was claimed of one round of a jackpot, seat by seat, and what has become of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import happened, newest_first, payload_of
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    Happening,
    PrizesPaid,
    PrizesTakenBack,
    WagersCounted,
)
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Prize, by_seat
from cardroom.ledger import Ledger

_TOLD_OF: Final = frozenset(
    one.kind for one in (PrizesPaid, PrizesTakenBack, ClaimLocked, ClaimJoined, ClaimRefused, ClaimPaid)
)


class Became(StrEnum):
    """What has become of a seat's prizes."""

    PAID_AT_ONCE = "paid at once"
    TAKEN_BACK = "taken back"
    WAITS = "waits"
    PAID = "paid"
    REFUSED = "refused"

    @property
    def may_be_claimed_again(self) -> bool:
        """Whether all is as if it had never been claimed."""
        return self in (Became.TAKEN_BACK, Became.REFUSED)


class SeatClaim(NamedTuple):
    """The prizes of a seat that were claimed at once."""

    seat: int
    wager: str
    cents: int
    became: Became
    who: tuple[str, ...]
    """Who decided it; while it waits, who dealt and claimed, of whom nobody verifies it (BJ-48)."""
    why: str = ""
    watched: bool = False
    """Whether it waits for the surveillance besides."""


def round_claims(ledger: Ledger, jackpot: JackpotState, wager: str, table: str, round_id: str) -> tuple[SeatClaim, ...]:
    """The claims of a round that was counted for a jackpot, in their order."""
    made: dict[tuple[str, int], SeatClaim] = {}
    for told in reversed(list(_since_counted(ledger, jackpot.id, table, round_id))):
        match told:
            case PrizesPaid():
                made |= _new(told.claim, wager, told.prizes, Became.PAID_AT_ONCE, (told.dealer,))
            case ClaimLocked() | ClaimJoined():
                people = dict.fromkeys((told.dealt, told.dealer))
                made |= _new(told.claim, wager, told.prizes, Became.WAITS, tuple(people))
            case PrizesTakenBack(claim=claim, who=who, second=second, why=why):
                seats = {prize.seat for prize in told.prizes}
                made |= _decided(made, claim, seats, Became.TAKEN_BACK, (who, second), why)
            case ClaimRefused(claim=claim, seats=refused, refused_by=who, second=second, why=why):
                made |= _decided(made, claim, refused, Became.REFUSED, (who, second), why)
            case ClaimPaid(claim=claim, verified_by=who, second=second, payouts=payouts):
                open_ = {seat for id, seat in made if id == claim and made[id, seat].became is Became.WAITS}
                made |= _decided(made, claim, open_, Became.PAID, (who, second))
                paid = {(claim, one.seat): one.cents for one in payouts}
                made |= {key: made[key]._replace(cents=cents) for key, cents in paid.items() if key in made}
    over = jackpot.law.surveillance_threshold
    for one in jackpot.claims:  # others may have changed their amounts
        anew = {(one.id, seat): cents for seat, cents in by_seat(one.prizes).items()}
        watched = over is not None and one.largest_win > over
        made |= {key: made[key]._replace(cents=cents, watched=watched) for key, cents in anew.items() if key in made}
    return tuple(made.values())


def _since_counted(ledger: Ledger, jackpot: str, table: str, round_id: str) -> Iterator[Happening]:
    """What happened to claims, back to the round itself; of other rounds only what decides about a claim."""
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        told = payload_of(event)
        of = told.get("table"), told.get("round", round_id)
        if event.kind == WagersCounted.kind and of == (table, round_id):
            return
        if event.kind in _TOLD_OF and (event.kind == ClaimRefused.kind or of == (table, round_id)):
            yield happened(event)


def _new(
    claim: str, wager: str, prizes: Iterable[Prize], became: Became, who: tuple[str, ...]
) -> dict[tuple[str, int], SeatClaim]:
    won = by_seat(prizes)
    return {(claim, seat): SeatClaim(seat, wager, cents, became, who) for seat, cents in won.items()}


def _decided(
    made: dict[tuple[str, int], SeatClaim],
    claim: str,
    seats: Iterable[int],
    became: Became,
    who: tuple[str, str],
    why: str = "",
) -> dict[tuple[str, int], SeatClaim]:
    people = tuple(filter(None, who))
    there = ((claim, seat) for seat in seats if (claim, seat) in made)
    return {key: made[key]._replace(became=became, who=people, why=why) for key in there}
