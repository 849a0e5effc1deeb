"""A claim from its lock to its outcome, by the jackpot's chain.

The claims of one round of a jackpot, seat by seat, and their outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple

from cardroom.ledger import Event, Ledger, Time
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    PrizesPaid,
    PrizesReversed,
    PrizesWon,
    WagersCounted,
)
from cardroom.room.jackpot.pending_claims import Claim, JackpotPrize, cents_by_seat
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import Payout
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.queries.chain_history import list_newest_first, payload_of, read_domain_event


class ClaimHistory(NamedTuple):
    """The events of one claim."""

    claim: str
    order: int
    """Its place among the jackpot's claims."""
    locked: Event
    lock: PrizesWon
    """As it was claimed."""
    prizes: tuple[JackpotPrize, ...]
    """As they were valued last, those of a refused seat before its refusal: other claims may have changed them."""
    paid: Event | None
    payment: ClaimPaid | None
    refused: Event | None
    """The last refusal of it, for all or for some seats."""
    refusals: tuple[ClaimRefused, ...]

    @property
    def refused_seats(self) -> frozenset[int]:
        return frozenset(seat for refusal in self.refusals for seat in refusal.seats)


def _group_by_seat(prizes: tuple[JackpotPrize, ...]) -> dict[int, tuple[JackpotPrize, ...]]:
    seats = dict.fromkeys(prize.seat for prize in prizes)
    return {seat: tuple(prize for prize in prizes if prize.seat == seat) for seat in seats}


def find_claim_history(ledger: Ledger, jackpot: str, claim: str) -> ClaimHistory | None:
    """Search a claim from the end of its jackpot's chain back to where it was made; None when it was never made."""
    valued: dict[int, tuple[JackpotPrize, ...]] = {}
    paid: tuple[Event, ClaimPaid] | None = None
    refused: list[tuple[Event, ClaimRefused]] = []
    for event in list_newest_first(ledger, jackpot_chain(jackpot)):
        domain_event = read_domain_event(event)
        if isinstance(domain_event, ClaimPaid) and domain_event.claim == claim:
            paid = event, domain_event
        elif isinstance(domain_event, ClaimRefused) and domain_event.claim == claim:
            refused.append((event, domain_event))
        pending: tuple[Claim, ...] = getattr(domain_event, "claims", ())
        for pending_claim in pending:
            if pending_claim.id == claim:
                valued = _group_by_seat(pending_claim.prizes) | valued
        if isinstance(domain_event, ClaimLocked | ClaimJoined) and domain_event.claim == claim:
            return ClaimHistory(
                claim=claim,
                order=domain_event.order,
                locked=event,
                lock=domain_event,
                prizes=tuple(chain.from_iterable((_group_by_seat(domain_event.prizes) | valued).values())),
                paid=paid[0] if paid else None,
                payment=paid[1] if paid else None,
                refused=refused[0][0] if refused else None,
                refusals=tuple(refusal for _, refusal in refused),
            )
    return None


class PrizeDecision(NamedTuple):
    """What became of the prizes that one seat had claimed."""

    time: Time
    by: ClaimPaid | ClaimRefused
    payout: Payout | None
    """None where it was refused."""


def find_prize_decision(ledger: Ledger, jackpot: str, claim: str, seat: int, since: Time) -> PrizeDecision | None:
    """Search what became of a seat's prizes from the time at which they were claimed; None while they wait."""
    chain = jackpot_chain(jackpot)
    for event in ledger.events(chain, _find_last_before(ledger, chain, since)):
        if event.kind not in (ClaimPaid.kind, ClaimRefused.kind) or payload_of(event)["claim"] != claim:
            continue
        decision = read_domain_event(event)
        if isinstance(decision, ClaimPaid):
            return PrizeDecision(
                event.time, decision, next((payout for payout in decision.payouts if payout.seat == seat), None)
            )
        if isinstance(decision, ClaimRefused) and seat in decision.seats:
            return PrizeDecision(event.time, decision, None)
    return None


def _find_last_before(ledger: Ledger, chain: str, time: Time) -> int:
    """The place of the last event before a time, found by bisection: no event is older than the one before it."""
    head = ledger.head(chain)
    first, last = 0, head.sequence if head else 0
    while first < last:
        middle = (first + last + 1) // 2
        if next(ledger.events(chain, middle - 1, 1)).time < time:
            first = middle
        else:
            last = middle - 1
    return first


class ImmediatePayment(NamedTuple):
    """What a command had a dealer pay at once."""

    paid: PrizesPaid
    is_reversed: bool


def find_immediate_payment(ledger: Ledger, jackpot: str, claim: str) -> ImmediatePayment | None:
    """Search the prizes that a command paid at once; None when it paid none."""
    taken_back = False
    for event in list_newest_first(ledger, jackpot_chain(jackpot)):
        if event.kind == PrizesReversed.kind:
            taken_back |= payload_of(event)["claim"] == claim
        elif event.kind == PrizesPaid.kind and payload_of(event)["claim"] == claim:
            paid = read_domain_event(event)
            assert isinstance(paid, PrizesPaid)
            return ImmediatePayment(paid, taken_back)
    return None


_CLAIM_EVENT_TYPES: Final = frozenset(
    one.kind for one in (PrizesPaid, PrizesReversed, ClaimLocked, ClaimJoined, ClaimRefused, ClaimPaid)
)


class ClaimOutcome(StrEnum):
    """What became of a seat's prizes."""

    PAID_IMMEDIATELY = "paid at once"
    REVERSED = "taken back"
    PENDING = "waits"
    PAID = "paid"
    REFUSED = "refused"

    @property
    def can_be_claimed_again(self) -> bool:
        """Whether the result is as if it had never been claimed."""
        return self in (ClaimOutcome.REVERSED, ClaimOutcome.REFUSED)


class SeatClaim(NamedTuple):
    """The prizes of a seat that were claimed together."""

    seat: int
    wager: str
    cents: int
    outcome: ClaimOutcome
    who: tuple[str, ...]
    """Who decided it; while it waits, who dealt and claimed: neither may verify it (BJ-48)."""
    why: str = ""
    needs_surveillance: bool = False
    """Whether it needs surveillance's verification too."""


def list_round_claims(
    ledger: Ledger, jackpot: JackpotState, wager: str, table: str, round_id: str
) -> tuple[SeatClaim, ...]:
    """The claims of a round that was counted for a jackpot, in their order."""
    claims_by_seat: dict[tuple[str, int], SeatClaim] = {}
    for event in reversed(list(_list_claim_events(ledger, jackpot.id, table, round_id))):
        match event:
            case PrizesPaid():
                claims_by_seat |= _add_claims(
                    event.claim, wager, event.prizes, ClaimOutcome.PAID_IMMEDIATELY, (event.dealer,)
                )
            case ClaimLocked() | ClaimJoined():
                people = dict.fromkeys((event.dealt, event.dealer))
                claims_by_seat |= _add_claims(event.claim, wager, event.prizes, ClaimOutcome.PENDING, tuple(people))
            case PrizesReversed(claim=claim, who=who, second=second, why=why):
                seats = {prize.seat for prize in event.prizes}
                claims_by_seat |= _decide_claims(
                    claims_by_seat, claim, seats, ClaimOutcome.REVERSED, (who, second), why
                )
            case ClaimRefused(claim=claim, seats=refused, refused_by=who, second=second, why=why):
                claims_by_seat |= _decide_claims(
                    claims_by_seat, claim, refused, ClaimOutcome.REFUSED, (who, second), why
                )
            case ClaimPaid(claim=claim, verified_by=who, second=second, payouts=payouts):
                open_ = {
                    seat
                    for id, seat in claims_by_seat
                    if id == claim and claims_by_seat[id, seat].outcome is ClaimOutcome.PENDING
                }
                claims_by_seat |= _decide_claims(claims_by_seat, claim, open_, ClaimOutcome.PAID, (who, second))
                paid = {(claim, item.seat): item.cents for item in payouts}
                claims_by_seat |= {
                    key: claims_by_seat[key]._replace(cents=cents)
                    for key, cents in paid.items()
                    if key in claims_by_seat
                }
    over = jackpot.law.surveillance_threshold
    for item in jackpot.claims:  # others may have changed their amounts
        new_cents = {(item.id, seat): cents for seat, cents in cents_by_seat(item.prizes).items()}
        watched = over is not None and item.largest_win > over
        claims_by_seat |= {
            key: claims_by_seat[key]._replace(cents=cents, needs_surveillance=watched)
            for key, cents in new_cents.items()
            if key in claims_by_seat
        }
    return tuple(claims_by_seat.values())


def _list_claim_events(ledger: Ledger, jackpot: str, table: str, round_id: str) -> Iterator[DomainEvent]:
    """The events of claims, back to the round itself; of other rounds only those that decide a claim."""
    for event in list_newest_first(ledger, jackpot_chain(jackpot)):
        payload = payload_of(event)
        of = payload.get("table"), payload.get("round", round_id)
        if event.kind == WagersCounted.kind and of == (table, round_id):
            return
        if event.kind in _CLAIM_EVENT_TYPES and (event.kind == ClaimRefused.kind or of == (table, round_id)):
            yield read_domain_event(event)


def _add_claims(
    claim: str, wager: str, prizes: Iterable[JackpotPrize], became: ClaimOutcome, who: tuple[str, ...]
) -> dict[tuple[str, int], SeatClaim]:
    won = cents_by_seat(prizes)
    return {(claim, seat): SeatClaim(seat, wager, cents, became, who) for seat, cents in won.items()}


def _decide_claims(
    claims_by_seat: dict[tuple[str, int], SeatClaim],
    claim: str,
    seats: Iterable[int],
    became: ClaimOutcome,
    who: tuple[str, str],
    why: str = "",
) -> dict[tuple[str, int], SeatClaim]:
    people = tuple(filter(None, who))
    keys = ((claim, seat) for seat in seats if (claim, seat) in claims_by_seat)
    return {key: claims_by_seat[key]._replace(outcome=became, who=people, why=why) for key in keys}
