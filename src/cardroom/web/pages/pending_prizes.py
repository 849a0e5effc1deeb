"""Prizes that had to wait for people: what a round has locked, and what became of it, in one sentence each.

All of it is read from the books whenever a page is drawn, so a page that is opened years later tells the same.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.games.money import format_cents
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.payments import PaymentMethod
from cardroom.service import CardRoom
from cardroom.service.queries.claims import PrizeDecision
from cardroom.service.queries.past_rounds import PastRound


class PendingPrize(NamedTuple):
    """What one seat had locked on one jackpot, and what became of it."""

    round: str
    seat: int
    claim: str
    cents: int
    is_pending: bool
    sentence: str


def list_pending_prizes(floor: CardRoom, past_round: PastRound, seat: int | None = None) -> tuple[PendingPrize, ...]:
    """The prizes that a round has locked: of one seat, or of all."""
    locked: dict[tuple[int, str, str], int] = {}
    for prize_lock in past_round.waiting:
        if seat in (None, prize_lock.seat):
            key = prize_lock.seat, prize_lock.jackpot, prize_lock.claim
            locked[key] = locked.get(key, 0) + prize_lock.cents
    return tuple(_pending_prize(floor, past_round, *key, cents) for key, cents in locked.items())


def _pending_prize(
    floor: CardRoom, past_round: PastRound, seat: int, jackpot: str, claim: str, cents: int
) -> PendingPrize:
    decided = floor.find_prize_decision(jackpot, claim, seat, past_round.time)
    if decided is None:
        sentence = f"A prize of {format_cents(cents)} from {jackpot} is locked and waits for two people who verify it."
        return PendingPrize(past_round.id, seat, claim, cents, True, sentence)
    paid = decided.payout.cents if decided.payout else cents
    when = floor.calendar.format_time(decided.time)
    return PendingPrize(
        past_round.id, seat, claim, paid, False, _sentence(jackpot, paid, decided, when, past_round.players[seat])
    )


def _sentence(jackpot: str, cents: int, decided: PrizeDecision, decided_at: str, player: str) -> str:
    prize, user = f"The prize of {format_cents(cents)} from {jackpot}", responsible_people(decided.by.payload)
    if not isinstance(decided.by, ClaimPaid):
        back = " The money went back to the meter." if decided.by.levels else ""
        return f"{prize} was refused by {user} on {decided_at}: {decided.by.why.rstrip('.')}.{back}"
    return f"{prize} is paid: {user} verified it on {decided_at}. {_payment_place(decided, player)}".rstrip()


def _payment_place(decided: PrizeDecision, player: str) -> str:
    """How it was paid, as far as somebody has entered it."""
    payout = decided.payout
    if payout is None:
        return ""
    if payout.payment is PaymentMethod.BALANCE:
        return f"It went to the balance of {player}."
    return f"It was paid by {payout.payment}."
