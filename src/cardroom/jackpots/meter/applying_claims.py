"""The state of a jackpot after something was won: locked, valued anew with others, paid or refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cardroom.accounts import CENT, Currency
from cardroom.jackpots.contents import Fill, LevelJoined, LevelRefused
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    MeterReset,
    PrizesTakenBack,
    PrizesWon,
)
from cardroom.jackpots.meter.arithmetic import before, beyond, counting_from, filled, line_prizes, locked
from cardroom.jackpots.meter.contradictions import holds, spent
from cardroom.jackpots.meter.since import without_paid
from cardroom.jackpots.meter.state import JackpotState, with_parameters
from cardroom.jackpots.pending import Claim, Part
from cardroom.jackpots.references import PaidBy
from cardroom.jackpots.setup.jackpot import JackpotKind

REMEMBERED_ROUNDS: Final = 50


def claimed_keys(won: PrizesWon, *, paid: bool) -> tuple[str, ...]:
    """How what was claimed of a round is remembered: by the hands that won."""
    seats = dict.fromkeys(prize.by for prize in won.prizes)
    return tuple(f"{won.table} {won.round} seat {seat}{' fixed' if paid else ''}" for seat in seats)


def taken_back_keys(taken: PrizesTakenBack) -> tuple[str, ...]:
    """How it is remembered that prizes were taken back, so that nothing is decided by what was known before."""
    seats = dict.fromkeys(prize.by for prize in taken.prizes)
    return tuple(f"{taken.table} {taken.round} seat {seat} taken back" for seat in seats)


def remembered(state: JackpotState, keys: Iterable[str]) -> JackpotState:
    return state._replace(claimed=(*state.claimed, *keys)[-REMEMBERED_ROUNDS:])


def claim_locked(state: JackpotState, lock: ClaimLocked) -> JackpotState:
    holds(lock.order == state.order + 1, f"claim {lock.claim} is out of order")
    prizes = lock.prizes
    parts = []
    for level, (shown_before, taken) in lock.levels.items():
        meter = state.meter(level)
        of_level = [prize for prize in prizes if prize.level == level]
        won, missing = CENT * sum(prize.cents for prize in of_level), beyond(meter, taken)
        holds(shown_before == meter.display, f"level {level} showed another amount")
        holds(won == line_prizes(meter, of_level), f"the prizes of level {level} are not what its lines pay")
        holds(taken == (won if state.kind is JackpotKind.PROGRESSIVE else 0), "a prize comes off a progressive only")
        told = lock.beyond.get(level, Fill(0, 0, 0))
        holds(told == missing, f"what the prizes of level {level} take beyond it comes from elsewhere")
        parts.append(Part(level, before(meter, state.waiting_for(level)), taken))
        state = state.with_meter(locked(meter, taken)).with_cage(missing.house)
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
    return remembered(state, claimed_keys(lock, paid=False))


def claim_joined(state: JackpotState, joined: ClaimJoined) -> JackpotState:
    holds(joined.order == state.order + 1, f"claim {joined.claim} is out of order")
    ids = tuple(claim.id for claim in state.claims)
    holds(tuple(one.id for one in joined.claims) == (*ids, joined.claim), "other claims are pending")
    holds(joined.claims[-1].prizes == joined.prizes, f"claim {joined.claim} is of other prizes")
    owed = state.owed
    state = _played_again(state, joined.levels)._replace(claims=joined.claims, order=joined.order)
    given_back = joined.undeposited - joined.funded
    holds(state.owed == owed - given_back, "a claim takes what its line pays, no more and no less")
    return spent(remembered(state, claimed_keys(joined, paid=False)), 0, given_back)


def _played_again(state: JackpotState, levels: Mapping[str, LevelRefused] | Mapping[str, LevelJoined]) -> JackpotState:
    """Levels that were played again, with a claim more or less."""
    for level, change in levels.items():
        meter = with_parameters(state.meter(level), change.parameters)
        holds(change.before == meter.held, f"level {level} stood otherwise")
        played = counting_from(meter, change.counting).holding(change.after)
        state = state.with_meter(played).with_waiting(level, change.waiting)
    return state


def meter_reset(state: JackpotState, reset: MeterReset) -> JackpotState:
    meter, fill = state.meter(reset.level), reset.fill
    holds(reset.before == meter.display, f"level {meter.name} showed another amount")
    after = filled(meter, fill)
    holds(min(fill) >= 0 and min(after.overflow, after.reserve) >= 0, f"the reset of level {meter.name} is not covered")
    return state.with_meter(after).with_cage(fill.house)


def claim_paid(state: JackpotState, payment: ClaimPaid) -> JackpotState:
    claim = state.claim(payment.claim)
    paid = {part.level: part.taken for part in claim.parts}
    holds(payment.levels == paid, f"claim {claim.id} is of another amount")
    holds(sum(paid.values()) == payment.escrow + payment.undeposited, f"claim {claim.id} is not covered")
    holds(payment.house_cents == claim.cents - sum(paid.values()) // CENT, "the house pays another part")
    holds(_of_payouts(payment) == (claim.seats, claim.cents), f"claim {claim.id} is paid to others")
    holds(_goes_to_balances(claim, payment), f"claim {claim.id} goes to the balances of those who sat there")
    holds(_sources(payment) == (payment.escrow, payment.undeposited), "the winners are paid from elsewhere")
    holds(_drawn_in_full(state, claim, payment), "the bank pays checks and transfers in full, the cage the rest")
    for level, amount in paid.items():
        meter = state.meter(level)
        cents = [prize.cents for prize in claim.prizes if prize.level == level]
        changed = meter._replace(
            pending=meter.pending - amount, hits=meter.hits + len(cents), won=meter.won + CENT * sum(cents)
        )
        state = state.with_meter(changed)
    state = state._replace(claims=without_paid(state.claims, claim))
    return spent(state, payment.escrow, payment.undeposited)


def _of_payouts(payment: ClaimPaid) -> tuple[tuple[int, ...], int]:
    """Who is paid, and how much in all."""
    return tuple(one.seat for one in payment.payouts), sum(one.cents for one in payment.payouts)


def _goes_to_balances(claim: Claim, payment: ClaimPaid) -> bool:
    """Who sat at an automatic table is paid to the balance, and nobody else is (BJ-50)."""
    to = {one.seat: one.player for one in payment.payouts if one.payment is PaidBy.BALANCE}
    return to == {seat: player for seat, player in claim.sat if seat in claim.seats}


def _sources(payment: ClaimPaid) -> tuple[int, int]:
    """What the winners get from the bank account and from the cage."""
    return sum(one.escrow for one in payment.payouts), sum(one.undeposited for one in payment.payouts)


def _drawn_in_full(state: JackpotState, claim: Claim, payment: ClaimPaid) -> bool:
    """Whether the bank pays what is drawn on it and nothing else."""
    has_account = state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL
    off_a_meter = {prize.seat for prize in claim.prizes if prize.level is not None and prize.cents}
    return all(
        one.escrow == (one.cents * CENT if has_account and one.payment.by_the_bank and one.seat in off_a_meter else 0)
        for one in payment.payouts
    )


def claim_refused(state: JackpotState, refusal: ClaimRefused) -> JackpotState:
    owed = state.owed
    state = _played_again(state, refusal.levels)
    refused = state.claim(refusal.claim)
    state = state._replace(claims=refusal.claims)
    if refusal.is_whole:  # it may be claimed again, as it should have been
        keys = {f"{refused.table} {refused.round} seat {prize.by}" for prize in refused.prizes}
        state = state._replace(claimed=tuple(one for one in state.claimed if one not in keys))
    given_back = refusal.undeposited - refusal.funded
    holds(state.owed == owed - given_back, "a refusal gives back what was taken, no more and no less")
    return spent(state, 0, given_back)
