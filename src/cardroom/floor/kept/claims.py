"""A claim from its lock to what became of it, as the jackpot's chain tells it."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import happened, newest_first, payload_of
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    PrizesPaid,
    PrizesTakenBack,
    PrizesWon,
)
from cardroom.jackpots.payouts import Payout
from cardroom.jackpots.pending import Claim, Prize
from cardroom.ledger import Event, Ledger, Time


class ClaimStory(NamedTuple):
    """What is known of one claim."""

    claim: str
    order: int
    """Its place among the jackpot's claims."""
    locked: Event
    lock: PrizesWon
    """As it was claimed."""
    prizes: tuple[Prize, ...]
    """As they were valued last, those of a refused seat before its refusal: other claims may have changed them."""
    paid: Event | None
    payment: ClaimPaid | None
    refused: Event | None
    """The last refusal of it, whole or for some seats."""
    refusals: tuple[ClaimRefused, ...]

    @property
    def refused_seats(self) -> frozenset[int]:
        return frozenset(seat for refusal in self.refusals for seat in refusal.seats)


def _by_seat(prizes: tuple[Prize, ...]) -> dict[int, tuple[Prize, ...]]:
    seats = dict.fromkeys(prize.seat for prize in prizes)
    return {seat: tuple(prize for prize in prizes if prize.seat == seat) for seat in seats}


def claim_story(ledger: Ledger, jackpot: str, claim: str) -> ClaimStory | None:
    """Look for a claim from the end of its jackpot's chain back to where it was made; None when it never was."""
    valued: dict[int, tuple[Prize, ...]] = {}
    paid: tuple[Event, ClaimPaid] | None = None
    refused: list[tuple[Event, ClaimRefused]] = []
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        happening = happened(event)
        if isinstance(happening, ClaimPaid) and happening.claim == claim:
            paid = event, happening
        elif isinstance(happening, ClaimRefused) and happening.claim == claim:
            refused.append((event, happening))
        pending: tuple[Claim, ...] = getattr(happening, "claims", ())
        for one in pending:
            if one.id == claim:
                valued = _by_seat(one.prizes) | valued
        if isinstance(happening, ClaimLocked | ClaimJoined) and happening.claim == claim:
            return ClaimStory(
                claim=claim,
                order=happening.order,
                locked=event,
                lock=happening,
                prizes=tuple(chain.from_iterable((_by_seat(happening.prizes) | valued).values())),
                paid=paid[0] if paid else None,
                payment=paid[1] if paid else None,
                refused=refused[0][0] if refused else None,
                refusals=tuple(refusal for _, refusal in refused),
            )
    return None


class PrizeDecided(NamedTuple):
    """What became of the prizes that one seat had claimed."""

    time: Time
    by: ClaimPaid | ClaimRefused
    payout: Payout | None
    """None where it was refused."""


def prize_decided(ledger: Ledger, jackpot: str, claim: str, seat: int, since: Time) -> PrizeDecided | None:
    """Look for what became of a seat's prizes from the moment on at which they were claimed; None while they wait."""
    chain = jackpot_chain(jackpot)
    for event in ledger.events(chain, _last_before(ledger, chain, since)):
        if event.kind not in (ClaimPaid.kind, ClaimRefused.kind) or payload_of(event)["claim"] != claim:
            continue
        told = happened(event)
        if isinstance(told, ClaimPaid):
            return PrizeDecided(event.time, told, next((one for one in told.payouts if one.seat == seat), None))
        if isinstance(told, ClaimRefused) and seat in told.seats:
            return PrizeDecided(event.time, told, None)
    return None


def _last_before(ledger: Ledger, chain: str, time: Time) -> int:
    """The place of the last event before a moment, found by halves: no event is older than the one before it."""
    head = ledger.head(chain)
    first, last = 0, head.sequence if head else 0
    while first < last:
        middle = (first + last + 1) // 2
        if next(ledger.events(chain, middle - 1, 1)).time < time:
            first = middle
        else:
            last = middle - 1
    return first


class PaidAtOnce(NamedTuple):
    """What a command had a dealer pay at once."""

    paid: PrizesPaid
    taken_back: bool


def paid_at_once(ledger: Ledger, jackpot: str, claim: str) -> PaidAtOnce | None:
    """Look for the prizes that were paid at once by a command; None when there never were any."""
    taken_back = False
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        if event.kind == PrizesTakenBack.kind:
            taken_back |= payload_of(event)["claim"] == claim
        elif event.kind == PrizesPaid.kind and payload_of(event)["claim"] == claim:
            paid = happened(event)
            assert isinstance(paid, PrizesPaid)
            return PaidAtOnce(paid, taken_back)
    return None
