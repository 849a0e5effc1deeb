"""Reduce the events of claims: a claim is locked, joined, paid, or refused.

Each level's latest pending claim remembers the wagers that came in after it, so that a refusal can replay the level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.room.jackpot.event_values import LevelJoin, LevelRefusal, MeterFunding
from cardroom.room.jackpot.events import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    MeterReset,
    PrizesReversed,
    PrizesWon,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.jackpot.meter_arithmetic import (
    add_funding,
    excess_funding,
    level_snapshot,
    line_prize_total,
    lock_amount,
    restore_counting,
)
from cardroom.room.jackpot.pending_claims import Claim, ClaimPart, EqualWagers, add_wagers, subtract_wagers
from cardroom.room.jackpot.state import JackpotState, require_consistent, with_parameters, withdraw_cover
from cardroom.room.payment_references import PaymentMethod
from cardroom.room.setup.jackpot import JackpotKind


def add_accruals(claims: tuple[Claim, ...], count: WagersCounted) -> tuple[Claim, ...]:
    """Add counted wagers to the latest pending claim of each level."""
    for level in count.levels:
        claims = _update_latest(claims, level, partial(_add_to_part, count.wagers))
    return claims


def _update_latest(
    claims: tuple[Claim, ...], level: str, change: Callable[[ClaimPart], ClaimPart]
) -> tuple[Claim, ...]:
    for index in reversed(range(len(claims))):
        part = claims[index].part(level)
        if part is not None:
            return (*claims[:index], claims[index].with_part(change(part)), *claims[index + 1 :])
    return claims


def _add_to_part(wagers: Iterable[EqualWagers], part: ClaimPart) -> ClaimPart:
    return part._replace(since=add_wagers(part.since, wagers))


def remove_paid_claim(claims: tuple[Claim, ...], paid: Claim) -> tuple[Claim, ...]:
    """The claims that remain. Those of the paid claim's group become fixed. Wagers that came in after the paid claim
    move to the claim before it. Void rounds that were counted before the paid claim were won with it (BJ-18)."""
    index = claims.index(paid)
    earlier, later = claims[:index], claims[index + 1 :]
    for part in paid.parts:
        earlier = _update_latest(earlier, part.level, partial(_add_to_part, part.since))
    return tuple(
        _fix_parts(claim, paid) if claim.round_key == paid.round_key else claim for claim in (*earlier, *later)
    )


def _fix_parts(claim: Claim, paid: Claim) -> Claim:
    """A claim of the same round: what its group takes from a level is final, and so are the paid lines."""
    for part in paid.parts:
        own_part = claim.part(part.level)
        if own_part is not None:
            events = dict.fromkeys((*own_part.paid, *(prize.event for prize in paid.prizes_on(part.level))))
            claim = claim.with_part(own_part._replace(fixed=own_part.fixed or own_part.is_open, paid=tuple(events)))
    return claim


def remove_void_round(claims: tuple[Claim, ...], level: str, reversal: WagersReversed) -> tuple[Claim, ...]:
    """The claims without the wagers of a void round that was counted after all claims on a level."""
    return _update_latest(claims, level, lambda part: part._replace(since=subtract_wagers(part.since, reversal.wagers)))


REMEMBERED_ROUNDS: Final = 50


def claim_keys(won: PrizesWon, *, paid: bool) -> tuple[str, ...]:
    """The keys that remember claimed hands of a round."""
    seats = dict.fromkeys(prize.hand_seat for prize in won.prizes)
    return tuple(f"{won.table} {won.round} seat {seat}{' fixed' if paid else ''}" for seat in seats)


def reversal_keys(reversal: PrizesReversed) -> tuple[str, ...]:
    """The keys that remember reversed prizes, so that no decision rests on the claim before the reversal."""
    seats = dict.fromkeys(prize.hand_seat for prize in reversal.prizes)
    return tuple(f"{reversal.table} {reversal.round} seat {seat} taken back" for seat in seats)


def remember_keys(state: JackpotState, keys: Iterable[str]) -> JackpotState:
    return state._replace(claimed=(*state.claimed, *keys)[-REMEMBERED_ROUNDS:])


def apply_claim_locked(state: JackpotState, lock: ClaimLocked) -> JackpotState:
    require_consistent(lock.order == state.order + 1, f"claim {lock.claim} is out of order")
    prizes = lock.prizes
    parts = []
    for level, (shown_before, amount) in lock.levels.items():
        meter = state.meter(level)
        of_level = [prize for prize in prizes if prize.level == level]
        won, missing = CENT * sum(prize.cents for prize in of_level), excess_funding(meter, amount)
        require_consistent(shown_before == meter.display, f"level {level} showed another amount")
        require_consistent(
            won == line_prize_total(meter, of_level), f"the prizes of level {level} are not what its lines pay"
        )
        require_consistent(
            amount == (won if state.kind is JackpotKind.PROGRESSIVE else 0),
            "only a progressive's meter goes down by a prize",
        )
        funding = lock.beyond.get(level, MeterFunding(0, 0, 0))
        require_consistent(funding == missing, f"the excess prizes of level {level} have another source")
        parts.append(ClaimPart(level, level_snapshot(meter, state.waiting_change(level)), amount))
        state = state.with_meter(lock_amount(meter, amount)).with_cage(missing.house)
    claim = Claim(
        id=lock.claim,
        order=lock.order,
        table=lock.table,
        round=lock.round,
        game=lock.game,
        dealer=lock.dealer,
        prizes=prizes,
        parts=tuple(parts),
        dealt=lock.dealt,
        automatic=lock.automatic,
        sat=lock.sat,
    )
    state = state._replace(claims=(*state.claims, claim), order=claim.order)
    return remember_keys(state, claim_keys(lock, paid=False))


def apply_claim_joined(state: JackpotState, join: ClaimJoined) -> JackpotState:
    require_consistent(join.order == state.order + 1, f"claim {join.claim} is out of order")
    ids = tuple(claim.id for claim in state.claims)
    require_consistent(
        tuple(pending_claim.id for pending_claim in join.claims) == (*ids, join.claim), "other claims are pending"
    )
    require_consistent(join.claims[-1].prizes == join.prizes, f"claim {join.claim} is of other prizes")
    owed = state.owed
    state = _apply_replayed_levels(state, join.levels)._replace(claims=join.claims, order=join.order)
    given_back = join.undeposited - join.funded
    require_consistent(state.owed == owed - given_back, "a claim takes exactly what its line pays")
    return withdraw_cover(remember_keys(state, claim_keys(join, paid=False)), 0, given_back)


def _apply_replayed_levels(
    state: JackpotState, levels: Mapping[str, LevelRefusal] | Mapping[str, LevelJoin]
) -> JackpotState:
    """Apply the replay of levels with one more or one less claim."""
    for level, change in levels.items():
        meter = with_parameters(state.meter(level), change.parameters)
        require_consistent(change.before == meter.balances, f"level {level} had other balances")
        new_meter = restore_counting(meter, change.counting).with_balances(change.after)
        state = state.with_meter(new_meter).with_waiting_change(level, change.waiting)
    return state


def apply_meter_reset(state: JackpotState, reset: MeterReset) -> JackpotState:
    meter, fill = state.meter(reset.level), reset.funding
    require_consistent(reset.before == meter.display, f"level {meter.name} showed another amount")
    after = add_funding(meter, fill)
    require_consistent(
        min(fill) >= 0 and min(after.overflow, after.reserve) >= 0, f"the reset of level {meter.name} is not covered"
    )
    return state.with_meter(after).with_cage(fill.house)


def apply_claim_paid(state: JackpotState, payment: ClaimPaid) -> JackpotState:
    claim = state.claim(payment.claim)
    paid = {part.level: part.taken for part in claim.parts}
    require_consistent(payment.levels == paid, f"claim {claim.id} is of another amount")
    require_consistent(sum(paid.values()) == payment.escrow + payment.undeposited, f"claim {claim.id} is not covered")
    require_consistent(payment.house_cents == claim.cents - sum(paid.values()) // CENT, "the house pays another part")
    require_consistent(
        _paid_seats_and_cents(payment) == (claim.seats, claim.cents), f"claim {claim.id} has other payees"
    )
    require_consistent(
        _pays_balances_correctly(claim, payment), f"claim {claim.id} goes to the balances of its seated players"
    )
    require_consistent(
        _payout_sources(payment) == (payment.escrow, payment.undeposited), "the payouts have other sources"
    )
    require_consistent(
        _is_drawn_in_full(state, claim, payment), "the bank pays checks and transfers in full; the cage pays cash"
    )
    for level, amount in paid.items():
        meter = state.meter(level)
        cents = [prize.cents for prize in claim.prizes if prize.level == level]
        changed = meter._replace(
            pending=meter.pending - amount, hits=meter.hits + len(cents), won=meter.won + CENT * sum(cents)
        )
        state = state.with_meter(changed)
    state = state._replace(claims=remove_paid_claim(state.claims, claim))
    return withdraw_cover(state, payment.escrow, payment.undeposited)


def _paid_seats_and_cents(payment: ClaimPaid) -> tuple[tuple[int, ...], int]:
    """The paid seats, and the total in cents."""
    return tuple(payout.seat for payout in payment.payouts), sum(payout.cents for payout in payment.payouts)


def _pays_balances_correctly(claim: Claim, payment: ClaimPaid) -> bool:
    """Whether exactly the players seated at an automatic table are paid to their balances (BJ-50)."""
    players_by_seat = {
        payout.seat: payout.player for payout in payment.payouts if payout.payment is PaymentMethod.BALANCE
    }
    return players_by_seat == {seat: player for seat, player in claim.sat if seat in claim.seats}


def _payout_sources(payment: ClaimPaid) -> tuple[int, int]:
    """The amounts paid from the bank account and from the cage."""
    return sum(payout.escrow for payout in payment.payouts), sum(payout.undeposited for payout in payment.payouts)


def _is_drawn_in_full(state: JackpotState, claim: Claim, payment: ClaimPaid) -> bool:
    """Whether the bank account pays exactly the checks and transfers drawn on it."""
    has_account = state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL
    meter_winners = {prize.seat for prize in claim.prizes if prize.level is not None and prize.cents}
    return all(
        payout.escrow
        == (
            payout.cents * CENT
            if has_account and payout.payment.is_drawn_on_bank and payout.seat in meter_winners
            else 0
        )
        for payout in payment.payouts
    )


def apply_claim_refused(state: JackpotState, refusal: ClaimRefused) -> JackpotState:
    owed = state.owed
    state = _apply_replayed_levels(state, refusal.levels)
    refused = state.claim(refusal.claim)
    state = state._replace(claims=refusal.claims)
    if refusal.is_whole:  # the hands may be claimed again, correctly
        keys = {f"{refused.table} {refused.round} seat {prize.hand_seat}" for prize in refused.prizes}
        state = state._replace(claimed=tuple(key for key in state.claimed if key not in keys))
    given_back = refusal.undeposited - refusal.funded
    require_consistent(state.owed == owed - given_back, "a refusal gives back exactly what was taken")
    return withdraw_cover(state, 0, given_back)
