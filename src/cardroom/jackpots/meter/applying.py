"""The state after a happening. What contradicts the state is refused, so that a replay finds what does not add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from cardroom.accounts import CENT
from cardroom.faults import BadInput
from cardroom.jackpots.contents import Contribution, Fill, GivenBack, LevelJoined, LevelRefused, by_holder
from cardroom.jackpots.happenings import (
    Adjusted,
    BonusChanged,
    ChangeApplied,
    ChangeRequested,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    Deposited,
    Happening,
    JackpotClosed,
    JackpotDisabled,
    JackpotEnabled,
    JackpotOpened,
    JackpotRemoved,
    JackpotReopened,
    MeterReset,
    OfAJackpot,
    PrizesPaid,
    PrizesWon,
    Reconciled,
    TableJoined,
    TableLeft,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.arithmetic import before, beyond, counting_from, filled, line_prizes, locked, uncounted
from cardroom.jackpots.meter.reconciling import statement_after
from cardroom.jackpots.meter.since import with_what_came_in, without_a_void_round, without_paid
from cardroom.jackpots.meter.state import JackpotState, Meter, with_parameters
from cardroom.jackpots.pending import Claim, Part
from cardroom.jackpots.setup.jackpot import JackpotKind, jackpot_setup_entry, jackpot_setup_from
from cardroom.jackpots.setup.opening import open_jackpot
from cardroom.jackpots.setup.parameters import WaitingChange, parameters_of
from cardroom.jackpots.statements import total

REMEMBERED_ROUNDS: Final = 50


class Contradiction(BadInput):
    """A happening that cannot have happened in this state."""


def jackpot_after(state: JackpotState | None, happening: Happening) -> JackpotState:
    """The jackpot after a happening; the first one opens it."""
    if state is None:
        if not isinstance(happening, JackpotOpened):
            raise Contradiction(f"A jackpot begins with its opening, not with {happening.kind!r}.")
        return _opened(happening)
    if not isinstance(happening, (OfAJackpot, PrizesWon)):
        raise Contradiction(f"{happening.kind!r} does not happen to a jackpot.")
    if happening.jackpot != state.id:
        raise Contradiction(f"{happening.kind!r} of jackpot {happening.jackpot} is not one of jackpot {state.id}.")
    match happening:
        case WagersCounted():
            return _wagers_counted(state, happening)
        case WagersTakenBack():
            return _wagers_taken_back(state, happening)
        case PrizesPaid():  # the house's money, from the table's chip tray: no meter moves
            return _remembered(state, _keys(happening, paid=True))
        case ClaimLocked():
            return _claim_locked(state, happening)
        case ClaimJoined():
            return _claim_joined(state, happening)
        case MeterReset():
            return _meter_reset(state, happening)
        case ClaimPaid():
            return _claim_paid(state, happening)
        case ClaimRefused():
            return _claim_refused(state, happening)
        case ChangeApplied():
            return _change_applied(state, happening)
        case ChangeRequested():
            return _change_requested(state, happening)
        case Adjusted():
            return _adjusted(state, happening)
        case Deposited(amount=amount):
            _holds(amount > 0, "a deposit is above zero")
            return _spent(state, -amount, amount)
        case Reconciled():
            return _reconciled(state, happening)
        case BonusChanged():
            _holds(happening.before == state.setup, "the jackpot had another set-up")
            return state._replace(setup=happening.after)
        case _:
            return _in_service(state, happening)


def _in_service(state: JackpotState, happening: Happening) -> JackpotState:
    """A jackpot goes into service and out of it."""
    match happening:
        case TableJoined(table=table):
            _holds(table not in state.tables, f"table {table} is on the jackpot already")
            return state._replace(tables=(*state.tables, table))
        case TableLeft(table=left):
            _holds(left in state.tables, f"table {left} is not on the jackpot")
            return state._replace(tables=tuple(table for table in state.tables if table != left))
        case JackpotDisabled(why=why):
            return state._replace(disabled=why)
        case JackpotEnabled():
            return state._replace(disabled=None)
        case JackpotClosed(short=short):
            return state._replace(short=short)
        case JackpotReopened():
            return state._replace(short=0)
        case JackpotRemoved():
            return state._replace(removed=True)
    raise Contradiction(f"{happening.kind!r} does not happen to jackpot {state.id}, which is open.")


def _holds(true: bool, what: str) -> None:
    if not true:
        raise Contradiction(f"The books do not agree: {what}.")


def _opened(opened: JackpotOpened) -> JackpotState:
    """A jackpot as it opens: a progressive is seeded by the house."""
    setup = jackpot_setup_from(opened.setup)
    jackpot = open_jackpot(setup)
    progressive = jackpot.kind is JackpotKind.PROGRESSIVE
    meters = tuple(
        with_parameters(
            Meter(level.name, parameters, parameters.seed, seed_owed=parameters.seed if progressive else 0), parameters
        )
        for level, parameters in zip(setup.levels, map(parameters_of, setup.levels), strict=True)
    )
    _holds(opened.seeds == {one.name: one.seed_owed for one in meters if one.seed_owed}, "another seed was booked")
    return JackpotState(
        id=setup.id,
        kind=jackpot.kind,
        setup=jackpot_setup_entry(setup),
        wagers=tuple(sorted(setup.wagers)),
        collects=jackpot.collects,
        meters=meters,
        undeposited=sum(meter.seed_owed for meter in meters),
    )


def _wagers_counted(state: JackpotState, counted: WagersCounted) -> JackpotState:
    """The happening of every round: additions, and the checks that make a replay a proof."""
    levels, meters, claims = counted.levels, state.meters, state.claims
    count, cents = 0, 0
    for each, number in counted.wagers:
        count, cents = count + number, cents + each * number
    if (count, cents * CENT) != (counted.count, counted.amount):
        raise Contradiction("The books do not agree: the wagers come to another number or amount.")
    if levels:
        meters = tuple([_with_wagers(meter, levels[meter.name], counted) for meter in meters])
        claims = with_what_came_in(claims, counted) if claims else claims
    funded = sum([came_in.total for came_in in levels.values()])
    # Made anew rather than by ``_replace``, which takes twice as long: this is done for every round there ever was.
    return JackpotState(
        state.id,
        state.kind,
        state.setup,
        state.wagers,
        state.collects,
        meters,
        state.tables,
        claims,
        state.claimed,
        state.order,
        state.escrow,
        state.undeposited + funded,
        state.counted + counted.count,
        state.wagered + counted.amount,
        state.disabled,
        state.short,
        state.removed,
        state.waiting,
        state.reconciled,
    )


def _with_wagers(meter: Meter, came_in: Contribution, counted: WagersCounted) -> Meter:
    shown_before, shown, reserved, spilt, carry, reserve_carry = came_in
    display, taking_part = meter.display + shown, counted.amount
    minimum, ceiling = meter.parameters.minimum, meter.parameters.ceiling
    if counted.wagers[0].cents < minimum:
        taking_part = CENT * sum(cents * number for cents, number in counted.wagers if cents >= minimum)
    if (
        shown_before != meter.display
        or shown < 0
        or spilt < 0
        or taking_part * meter.step + meter.carry != (shown + spilt) * meter.over + carry
        or taking_part * meter.reserve_step + meter.reserve_carry != reserved * meter.reserve_over + reserve_carry
        or (spilt and (ceiling is None or display < ceiling))
        or (shown and ceiling is not None and display > ceiling)
        or not 0 <= carry < meter.over
        or not 0 <= reserve_carry < meter.reserve_over
    ):
        raise Contradiction(f"The books do not agree: level {meter.name} takes another part of the wagers.")
    return meter._replace(
        display=display,
        reserve=meter.reserve + reserved,
        overflow=meter.overflow + spilt,
        carry=carry,
        reserve_carry=reserve_carry,
        contributed=meter.contributed + came_in.total,
    )


def _keys(won: PrizesWon, *, paid: bool) -> tuple[str, ...]:
    """How what was claimed of a round is remembered: by the hands that won. Older books claimed a round as a whole."""
    of = f"{won.table} {won.round}"
    seats = dict.fromkeys(prize.by for prize in won.prizes)
    keys = (of,) if won.alone is None else tuple(f"{of} seat {seat}" for seat in seats)
    return tuple(f"{key} fixed" for key in keys) if paid else keys


def _remembered(state: JackpotState, keys: Iterable[str]) -> JackpotState:
    return state._replace(claimed=(*state.claimed, *keys)[-REMEMBERED_ROUNDS:])


def _claim_locked(state: JackpotState, lock: ClaimLocked) -> JackpotState:
    _holds(lock.order == state.order + 1, f"claim {lock.claim} is out of order")
    prizes = lock.prizes
    parts = []
    for level, (shown_before, taken) in lock.levels.items():
        meter = state.meter(level)
        of_level = [prize for prize in prizes if prize.level == level]
        won, missing = CENT * sum(prize.cents for prize in of_level), beyond(meter, taken)
        _holds(shown_before == meter.display, f"level {level} showed another amount")
        _holds(0 <= won <= line_prizes(meter, of_level), f"the prizes of level {level} are more than its lines pay")
        _holds(taken == (won if state.kind is JackpotKind.PROGRESSIVE else 0), "a prize comes off a progressive only")
        told = lock.beyond.get(level, Fill(0, 0, 0))
        _holds(told == missing, f"what the prizes of level {level} take beyond it comes from elsewhere")
        stood = before(meter, state.waiting_for(level), with_counting=lock.alone is not None)
        parts.append(Part(level, stood, taken, counted=0, reserved=0, since=None if lock.alone is None else ()))
        state = state.with_meter(locked(meter, taken))._replace(undeposited=state.undeposited + missing.house)
    claim = Claim(lock.claim, lock.order, lock.table, lock.round, lock.game, lock.dealer, prizes, tuple(parts))
    state = state._replace(claims=(*state.claims, claim), order=claim.order)
    return _remembered(state, _keys(lock, paid=False))


def _claim_joined(state: JackpotState, joined: ClaimJoined) -> JackpotState:
    _holds(joined.order == state.order + 1, f"claim {joined.claim} is out of order")
    ids = tuple(claim.id for claim in state.claims)
    _holds(tuple(one.id for one in joined.claims) == (*ids, joined.claim), "other claims are pending")
    _holds(joined.claims[-1].prizes == joined.prizes, f"claim {joined.claim} is of other prizes")
    owed = state.owed
    state = _played_again(state, joined.levels)._replace(claims=joined.claims, order=joined.order)
    given_back = joined.escrow + joined.undeposited - joined.funded
    _holds(state.owed == owed - given_back, "a claim takes what its line pays, no more and no less")
    return _spent(_remembered(state, _keys(joined, paid=False)), joined.escrow, joined.undeposited - joined.funded)


def _played_again(state: JackpotState, levels: Mapping[str, LevelRefused] | Mapping[str, LevelJoined]) -> JackpotState:
    """Levels that were played again, with a claim more or less."""
    for level, change in levels.items():
        meter = with_parameters(state.meter(level), change.parameters)
        _holds(change.before == meter.held, f"level {level} stood otherwise")
        played = counting_from(meter, change.counting).holding(change.after)
        state = state.with_meter(played).with_waiting(level, change.waiting)
    return state


def _change_requested(state: JackpotState, change: ChangeRequested) -> JackpotState:
    after = change.after
    withdrawn = after == state.meter(change.level).parameters
    waiting = None if withdrawn else WaitingChange(change.level, after, change.who, change.why, change.second)
    return state.with_waiting(change.level, waiting)


def _change_applied(state: JackpotState, change: ChangeApplied) -> JackpotState:
    meter = state.meter(change.level)
    _holds(change.before == meter.parameters, f"level {meter.name} had other parameters")
    changed = with_parameters(meter, change.after)
    if state.kind is JackpotKind.BONUS:
        changed = changed._replace(display=changed.parameters.seed)
    return state.with_meter(changed).with_waiting(meter.name, change.waiting)


def _meter_reset(state: JackpotState, reset: MeterReset) -> JackpotState:
    meter, fill = state.meter(reset.level), reset.fill
    _holds(reset.before == meter.display, f"level {meter.name} showed another amount")
    after = filled(meter, fill)
    _holds(
        min(fill) >= 0 and min(after.overflow, after.reserve) >= 0, f"the reset of level {meter.name} is not covered"
    )
    return state.with_meter(after)._replace(undeposited=state.undeposited + fill.house)


def _claim_paid(state: JackpotState, payment: ClaimPaid) -> JackpotState:
    claim = state.claim(payment.claim)
    paid = {part.level: part.taken for part in claim.parts}
    _holds(payment.levels == paid, f"claim {claim.id} is of another amount")
    _holds(sum(paid.values()) == payment.escrow + payment.undeposited, f"claim {claim.id} is not covered")
    _holds(payment.house_cents == claim.cents - sum(paid.values()) // CENT, "the house pays another part")
    if payment.payouts:
        _holds(_of_payouts(payment) == (claim.seats, claim.cents), f"claim {claim.id} is paid to others")
        _holds(_sources(payment) == (payment.escrow, payment.undeposited), "the winners are paid from elsewhere")
    for level, amount in paid.items():
        meter = state.meter(level)
        cents = [prize.cents for prize in claim.prizes if prize.level == level]
        changed = meter._replace(
            pending=meter.pending - amount, hits=meter.hits + len(cents), won=meter.won + CENT * sum(cents)
        )
        state = state.with_meter(changed)
    state = state._replace(claims=without_paid(state.claims, claim))
    return _spent(state, payment.escrow, payment.undeposited)


def _of_payouts(payment: ClaimPaid) -> tuple[tuple[int, ...], int]:
    """Who is paid, and how much in all."""
    return tuple(one.seat for one in payment.payouts), sum(one.cents for one in payment.payouts)


def _sources(payment: ClaimPaid) -> tuple[int, int]:
    """What the winners get from the bank account and from the cage."""
    return sum(one.escrow for one in payment.payouts), sum(one.undeposited for one in payment.payouts)


def _claim_refused(state: JackpotState, refusal: ClaimRefused) -> JackpotState:
    owed = state.owed
    state = _played_again(state, refusal.levels)
    refused = state.claim(refusal.claim)
    state = state._replace(claims=refusal.claims)
    if refusal.is_whole:  # it may be claimed again, as it should have been
        of = f"{refused.table} {refused.round}"
        keys = {of, *(f"{of} seat {prize.by}" for prize in refused.prizes)}
        state = state._replace(claimed=tuple(one for one in state.claimed if one not in keys))
    given_back = refusal.escrow + refusal.undeposited - refusal.funded
    _holds(state.owed == owed - given_back, "a refusal gives back what was taken, no more and no less")
    return _spent(state, refusal.escrow, refusal.undeposited - refusal.funded)


def _adjusted(state: JackpotState, adjusted: Adjusted) -> JackpotState:
    meter, amount, held = state.meter(adjusted.level), adjusted.amount, adjusted.of
    _holds(adjusted.before == getattr(meter, held), f"the {held} of level {meter.name} was another amount")
    _holds(amount > 0 and amount + adjusted.change in (0, 2 * amount), "an adjustment is up or down")
    changed = meter.holding(meter.held._replace(**{held: adjusted.before + adjusted.change}))
    changed = changed._replace(
        overflow=changed.overflow + adjusted.overflow, seed_owed=changed.seed_owed + adjusted.seed_owed
    )
    least = min(changed.display, changed.reserve, changed.overflow, changed.seed_owed)
    _holds(least >= 0, f"level {meter.name} has less than that")
    state = state.with_meter(changed)
    return _spent(state, adjusted.escrow, adjusted.undeposited - adjusted.funded)


def _reconciled(state: JackpotState, reconciled: Reconciled) -> JackpotState:
    books = reconciled.owed, reconciled.escrow, reconciled.undeposited
    _holds(books == (state.owed, state.escrow, state.undeposited), "the reconciliation used other books")
    allowed_for = total((*reconciled.in_transit, *reconciled.outstanding, *reconciled.later))
    difference = reconciled.statement + allowed_for - reconciled.escrow
    _holds(reconciled.difference == difference, "the reconciliation comes to another difference")
    last = statement_after(state.reconciled, reconciled)
    return state if last == state.reconciled else state._replace(reconciled=last)


def _wagers_taken_back(state: JackpotState, back: WagersTakenBack) -> JackpotState:
    if back.wagers:
        count, cents = sum(one.number for one in back.wagers), sum(one.cents * one.number for one in back.wagers)
        _holds((count, cents * CENT) == (back.count, back.amount), "the wagers come to another number or amount")
    for level, given in back.levels.items():
        meter = state.meter(level)
        _holds(given.before == meter.display, f"level {level} showed another amount")
        changed = _without_wagers(meter, back, given)
        least = min(*by_holder(given), changed.display, changed.reserve, changed.overflow)
        _holds(least >= 0, f"level {level} has less than that")
        claims = without_a_void_round(state.claims, level, back)
        state = state.with_meter(changed)._replace(claims=claims)
    for level, (claim, void) in back.remembered.items():
        part = state.claim(claim).part(level)
        _holds(part is not None, f"claim {claim} takes nothing off level {level}")
        assert part is not None
        remembers = state.claim(claim).with_part(part._replace(void=(*part.void, void)))
        state = state._replace(claims=tuple(remembers if one.id == claim else one for one in state.claims))
    state = state._replace(counted=state.counted - back.count, wagered=state.wagered - back.amount)
    return _spent(state, back.escrow, back.undeposited)


def _without_wagers(meter: Meter, back: WagersTakenBack, given: GivenBack) -> Meter:
    """The level without a void round. Older books told what came off, and left what was carried as it was."""
    shown, reserved, spilt = by_holder(given)
    told = meter._replace(
        display=meter.display - shown,
        reserve=meter.reserve - reserved,
        overflow=meter.overflow - spilt,
        contributed=meter.contributed - shown - reserved - spilt,
    )
    if not back.wagers:
        return told
    changed = uncounted(meter, back.wagers, back.parameters.get(meter.name, meter.parameters))
    _holds(changed.held == told.held, f"the wagers brought level {meter.name} another amount")
    return changed


def _spent(state: JackpotState, escrow: int, undeposited: int) -> JackpotState:
    """What left the bank account and the cage; the two together cover what is owed, always."""
    state = state._replace(escrow=state.escrow - escrow, undeposited=state.undeposited - undeposited)
    _holds(min(state.escrow, state.undeposited) >= 0, "more left the bank account or the cage than was there")
    _holds(state.owed == state.escrow + state.undeposited, "what is owed to the players is not what covers it")
    return state
