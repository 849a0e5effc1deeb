"""Prizes that are locked until people verify them: what a round locked, and the outcome, in one sentence each.

Every page reads them from the ledger, so a page that is opened years later shows the same.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.games.money import format_cents
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.payment_references import PaymentMethod
from cardroom.service import CardRoom
from cardroom.service.queries.claims import PrizeDecision
from cardroom.service.queries.past_rounds import PastRound
from cardroom.translation import gettext
from cardroom.web.pages.templating import format_page_time


class PendingPrize(NamedTuple):
    """The locked prize of one seat on one jackpot, and its outcome."""

    round: str
    round_number: int
    seat: int
    claim: str
    cents: int
    is_pending: bool
    sentence: str


def list_pending_prizes(
    card_room: CardRoom, past_round: PastRound, seat: int | None = None
) -> tuple[PendingPrize, ...]:
    """The prizes that a round locked: of one seat, or of all."""
    locked: dict[tuple[int, str, str], int] = {}
    for prize_lock in past_round.waiting:
        if seat in (None, prize_lock.seat):
            key = prize_lock.seat, prize_lock.jackpot, prize_lock.claim
            locked[key] = locked.get(key, 0) + prize_lock.cents
    return tuple(_pending_prize(card_room, past_round, *key, cents) for key, cents in locked.items())


def _pending_prize(
    card_room: CardRoom, past_round: PastRound, seat: int, jackpot: str, claim: str, cents: int
) -> PendingPrize:
    decided = card_room.payments.find_prize_decision(jackpot, claim, seat, past_round.time)
    if decided is None:
        text = gettext("A prize of {amount} from {jackpot} is locked until two employees verify it.")
        sentence = text.format(amount=format_cents(cents), jackpot=jackpot)
        return PendingPrize(past_round.id, past_round.number, seat, claim, cents, True, sentence)
    paid = decided.payout.cents if decided.payout else cents
    when = format_page_time(card_room.calendar, decided.time)
    sentence = _outcome(jackpot, paid, decided, when, past_round.players[seat])
    return PendingPrize(past_round.id, past_round.number, seat, claim, paid, False, sentence)


def _outcome(jackpot: str, cents: int, decided: PrizeDecision, decided_at: str, player: str) -> str:
    values = {"amount": format_cents(cents), "jackpot": jackpot, "time": decided_at}
    values["people"] = responsible_people(decided.by.payload)
    if isinstance(decided.by, ClaimPaid):
        text = gettext("The prize of {amount} from {jackpot} is paid: {people} verified it on {time}.")
        return f"{text.format(**values)} {_payment_text(decided, player)}".rstrip()
    text = gettext("The prize of {amount} from {jackpot} was refused by {people} on {time}: {reason}.")
    sentence = text.format(**values, reason=decided.by.why.rstrip("."))
    return f"{sentence} {gettext('The money went back to the meter.')}" if decided.by.levels else sentence


def _payment_text(decided: PrizeDecision, player: str) -> str:
    """How the prize was paid, if that is entered."""
    payout = decided.payout
    match payout.payment if payout else None:
        case None:
            return ""
        case PaymentMethod.BALANCE:
            return gettext("It was added to the balance of {player}.").format(player=player)
        case PaymentMethod.CASH:
            return gettext("It was paid in cash.")
        case PaymentMethod.CHECK:
            return gettext("It was paid by check.")
        case PaymentMethod.TRANSFER:
            return gettext("It was paid by bank transfer.")
