"""Prizes that had to wait for people: what a round has locked, and what became of it, in one sentence each.

All of it is read from the books whenever a page is drawn, so a page that is opened years later tells the same.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.floor import Floor
from cardroom.floor.kept.claims import PrizeDecided
from cardroom.floor.kept.felt_recall import PastRound
from cardroom.games.money import format_cents
from cardroom.jackpots.happenings import ClaimPaid
from cardroom.jackpots.references import PaidBy
from cardroom.jackpots.telling.words import answering


class PrizeTold(NamedTuple):
    """What one seat had locked on one jackpot, and what became of it."""

    round: str
    seat: int
    claim: str
    cents: int
    waits: bool
    sentence: str


def prizes_told(floor: Floor, past: PastRound, seat: int | None = None) -> tuple[PrizeTold, ...]:
    """The prizes that a round has locked: of one seat, or of all."""
    locked: dict[tuple[int, str, str], int] = {}
    for one in past.waiting:
        if seat in (None, one.seat):
            key = one.seat, one.jackpot, one.claim
            locked[key] = locked.get(key, 0) + one.cents
    return tuple(_told(floor, past, *key, cents) for key, cents in locked.items())


def _told(floor: Floor, past: PastRound, seat: int, jackpot: str, claim: str, cents: int) -> PrizeTold:
    decided = floor.prize_decided(jackpot, claim, seat, past.time)
    if decided is None:
        sentence = f"A prize of {format_cents(cents)} from {jackpot} is locked and waits for two people who verify it."
        return PrizeTold(past.id, seat, claim, cents, True, sentence)
    paid = decided.payout.cents if decided.payout else cents
    when = floor.calendar.told(decided.time)
    return PrizeTold(past.id, seat, claim, paid, False, _sentence(jackpot, paid, decided, when, past.players[seat]))


def _sentence(jackpot: str, cents: int, decided: PrizeDecided, when: str, player: str) -> str:
    prize, who = f"The prize of {format_cents(cents)} from {jackpot}", answering(decided.by.payload)
    if not isinstance(decided.by, ClaimPaid):
        back = " The money went back to the meter." if decided.by.levels else ""
        return f"{prize} was refused by {who} on {when}: {decided.by.why.rstrip('.')}.{back}"
    return f"{prize} is paid: {who} verified it on {when}. {_where(decided, player)}".rstrip()


def _where(decided: PrizeDecided, player: str) -> str:
    """How it was paid, as far as somebody has entered it."""
    payout = decided.payout
    if payout is None:
        return ""
    if payout.payment is PaidBy.BALANCE:
        return f"It went to the balance of {player}."
    return f"It was paid by {payout.payment}."
