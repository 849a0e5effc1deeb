"""Reduce the events of a jackpot, and list their unique keys.

An event that contradicts the state is refused, so that a replay finds every inconsistency. Unique keys are the slip of
a deposit and the number of each payment: one check cannot pay two winners, and one slip cannot be two deposits.
"""

from __future__ import annotations

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.bank_reconciliation import next_last_statement, replaces_statement
from cardroom.room.jackpot.claim_reducer import (
    add_accruals,
    apply_claim_joined,
    apply_claim_locked,
    apply_claim_paid,
    apply_claim_refused,
    apply_meter_reset,
    claim_keys,
    remember_keys,
    remove_void_round,
    reversal_keys,
)
from cardroom.room.jackpot.custody import deposit_limit
from cardroom.room.jackpot.event_values import Contribution, split_by_holder, total_movements
from cardroom.room.jackpot.events import (
    BonusChanged,
    CageReimbursed,
    ChangeApplied,
    ChangeRequested,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotClosed,
    JackpotDeposited,
    JackpotDisabled,
    JackpotEnabled,
    JackpotEvent,
    JackpotOpened,
    JackpotReconciled,
    JackpotRemoved,
    JackpotReopened,
    MeterAdjusted,
    MeterReset,
    PrizesPaid,
    PrizesReversed,
    PrizesWon,
    TableLinked,
    TableUnlinked,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.jackpot.meter_arithmetic import count_out_of_meter
from cardroom.room.jackpot.state import (
    JackpotState,
    Meter,
    StateContradiction,
    require_consistent,
    with_parameters,
    withdraw_cover,
)
from cardroom.room.payment_references import PaymentMethod, payment_key, slip_key
from cardroom.room.setup.jackpot import (
    JackpotKind,
    WaitingChange,
    jackpot_setup_from_mapping,
    jackpot_setup_to_mapping,
    meter_parameters,
)
from cardroom.room.setup.jackpot_validation import validate_jackpot


def apply_jackpot_event(state: JackpotState | None, event: DomainEvent) -> JackpotState:
    """The jackpot after an event; the first event opens it."""
    if state is None:
        if not isinstance(event, JackpotOpened):
            raise StateContradiction(f"A jackpot begins with its opening, not with {event.kind!r}.")
        return _apply_opened(event)
    if not isinstance(event, (JackpotEvent, PrizesWon)):
        raise StateContradiction(f"{event.kind!r} does not happen to a jackpot.")
    if event.jackpot != state.id:
        raise StateContradiction(f"{event.kind!r} of jackpot {event.jackpot} is not one of jackpot {state.id}.")
    match event:
        case WagersCounted():
            return _apply_wagers_counted(state, event)
        case WagersReversed():
            return _apply_wager_reversal(state, event)
        case PrizesPaid():  # the house's money, from the table's chip tray: no meter moves
            return remember_keys(state, claim_keys(event, paid=True))
        case PrizesReversed(prizes=prizes, cents=cents):
            require_consistent(cents == sum(prize.cents for prize in prizes), "the reversed prizes have another total")
            return remember_keys(state, reversal_keys(event))
        case ClaimLocked():
            return apply_claim_locked(state, event)
        case ClaimJoined():
            return apply_claim_joined(state, event)
        case MeterReset():
            return apply_meter_reset(state, event)
        case ClaimPaid():
            return apply_claim_paid(state, event)
        case ClaimRefused():
            return apply_claim_refused(state, event)
        case ChangeApplied():
            return _apply_change(state, event)
        case ChangeRequested():
            return _apply_change_requested(state, event)
        case MeterAdjusted():
            return _apply_adjustment(state, event)
        case JackpotDeposited(amount=amount):
            require_consistent(amount > 0, "a deposit is above zero")
            require_consistent(state.money is Currency.REAL, "a play-money jackpot has no bank account")
            require_consistent(amount <= deposit_limit(state), "the deposit is above the deposit limit")
            return withdraw_cover(state, -amount, amount)
        case CageReimbursed(amount=amount, escrow_before=before):
            require_consistent(0 < amount <= state.cage_advance, "the cage is reimbursed for more than it is owed")
            require_consistent(before == state.escrow, "the bank account had another balance")
            return withdraw_cover(state, amount, -amount)
        case JackpotReconciled():
            return _apply_reconciliation(state, event)
        case BonusChanged():
            require_consistent(event.before == state.setup, "the jackpot had another setup")
            after = state._replace(setup=event.after)
            require_consistent(after.money is state.money, "a jackpot never changes its currency")
            return after
        case _:
            return _apply_service_event(state, event)


def _apply_service_event(state: JackpotState, event: DomainEvent) -> JackpotState:
    """Reduce the events by which a jackpot goes into and out of service."""
    match event:
        case TableLinked(table=table):
            require_consistent(table not in state.tables, f"table {table} is already linked to the jackpot")
            return state._replace(tables=(*state.tables, table))
        case TableUnlinked(table=leaving_table):
            require_consistent(leaving_table in state.tables, f"table {leaving_table} is not linked to the jackpot")
            return state._replace(tables=tuple(table for table in state.tables if table != leaving_table))
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
    raise StateContradiction(f"{event.kind!r} does not happen to jackpot {state.id}, which is open.")


def _apply_opened(opening: JackpotOpened) -> JackpotState:
    """A new jackpot: the house seeds a progressive."""
    setup = jackpot_setup_from_mapping(opening.setup)
    jackpot = validate_jackpot(setup)
    progressive = jackpot.kind is JackpotKind.PROGRESSIVE
    meters = tuple(
        with_parameters(
            Meter(level.name, parameters, parameters.seed, seed_owed=parameters.seed if progressive else 0), parameters
        )
        for level, parameters in zip(setup.levels, map(meter_parameters, setup.levels), strict=True)
    )
    require_consistent(
        opening.seeds == {new_meter.name: new_meter.seed_owed for new_meter in meters if new_meter.seed_owed},
        "another seed was posted",
    )
    return JackpotState(
        id=setup.id,
        kind=jackpot.kind,
        setup=jackpot_setup_to_mapping(setup),
        wagers=tuple(sorted(setup.wagers)),
        collects=jackpot.collects,
        meters=meters,
        undeposited=sum(meter.seed_owed for meter in meters),
    )


def _apply_wagers_counted(state: JackpotState, event: WagersCounted) -> JackpotState:
    """Add the wagers of a round, with the checks that make a replay a proof."""
    levels, meters, claims = event.levels, state.meters, state.claims
    count, cents = 0, 0
    for wager_cents, number in event.wagers:
        count, cents = count + number, cents + wager_cents * number
    if (count, cents * CENT) != (event.count, event.amount):
        raise StateContradiction("The ledger is inconsistent: the wagers have another count or total.")
    if levels:
        meters = tuple([_add_to_meter(meter, levels[meter.name], event) for meter in meters])
        claims = add_accruals(claims, event) if claims else claims
    funded = sum([came_in.total for came_in in levels.values()])
    # Constructed directly, because ``_replace`` takes twice as long and a replay does this for every round.
    new_state = JackpotState(
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
        state.undeposited if state.cage_advance else state.undeposited + funded,
        state.counted + event.count,
        state.wagered + event.amount,
        state.disabled,
        state.short,
        state.removed,
        state.waiting,
        state.reconciled,
        state.cage_advance,
    )
    return new_state.with_cage(funded) if state.cage_advance else new_state


def _add_to_meter(meter: Meter, contribution: Contribution, event: WagersCounted) -> Meter:
    shown_before, displayed, reserved, spilt, carry, reserve_carry = contribution
    display, taking_part = meter.display + displayed, event.amount
    minimum, ceiling = meter.parameters.minimum, meter.parameters.ceiling
    if event.wagers[0].cents < minimum:
        taking_part = CENT * sum(cents * number for cents, number in event.wagers if cents >= minimum)
    if (
        shown_before != meter.display
        or displayed < 0
        or spilt < 0
        or taking_part * meter.step + meter.carry != (displayed + spilt) * meter.over + carry
        or taking_part * meter.reserve_step + meter.reserve_carry != reserved * meter.reserve_over + reserve_carry
        or (spilt and (ceiling is None or display < ceiling))
        or (displayed and ceiling is not None and display > ceiling)
        or not 0 <= carry < meter.over
        or not 0 <= reserve_carry < meter.reserve_over
    ):
        raise StateContradiction(f"The ledger is inconsistent: level {meter.name} takes another part of the wagers.")
    return meter._replace(
        display=display,
        reserve=meter.reserve + reserved,
        overflow=meter.overflow + spilt,
        carry=carry,
        reserve_carry=reserve_carry,
        contributed=meter.contributed + contribution.total,
    )


def _apply_change_requested(state: JackpotState, change: ChangeRequested) -> JackpotState:
    after = change.after
    withdrawn = after == state.meter(change.level).parameters
    waiting = None if withdrawn else WaitingChange(change.level, after, change.who, change.why, change.second)
    return state.with_waiting_change(change.level, waiting)


def _apply_change(state: JackpotState, change: ChangeApplied) -> JackpotState:
    meter = state.meter(change.level)
    require_consistent(change.before == meter.parameters, f"level {meter.name} had other parameters")
    if change.given_up is not None:
        waited = state.waiting_change(meter.name)
        require_consistent(
            waited is not None and waited.after == change.given_up, f"level {meter.name} had another waiting change"
        )
    changed = with_parameters(meter, change.after)
    if state.kind is JackpotKind.BONUS:
        changed = changed._replace(display=changed.parameters.seed)
    return state.with_meter(changed).with_waiting_change(meter.name, change.waiting)


def _apply_adjustment(state: JackpotState, adjustment: MeterAdjusted) -> JackpotState:
    meter, amount, holder = state.meter(adjustment.level), adjustment.amount, adjustment.of
    require_consistent(
        adjustment.before == getattr(meter, holder), f"the {holder} of level {meter.name} was another amount"
    )
    require_consistent(amount > 0 and amount + adjustment.change in (0, 2 * amount), "an adjustment goes up or down")
    changed = meter.with_balances(meter.balances._replace(**{holder: adjustment.before + adjustment.change}))
    changed = changed._replace(
        overflow=changed.overflow + adjustment.overflow, seed_owed=changed.seed_owed + adjustment.seed_owed
    )
    least = min(changed.display, changed.reserve, changed.overflow, changed.seed_owed)
    require_consistent(least >= 0, f"level {meter.name} has less than that")
    state = state.with_meter(changed)
    return withdraw_cover(state, 0, adjustment.undeposited - adjustment.funded)


def _apply_reconciliation(state: JackpotState, reconciliation: JackpotReconciled) -> JackpotState:
    recorded = reconciliation.owed, reconciliation.escrow, reconciliation.undeposited, reconciliation.cage_advance
    require_consistent(state.money is Currency.REAL, "a play-money jackpot has no bank account")
    balances = state.owed, state.escrow, state.undeposited, state.cage_advance
    require_consistent(recorded == balances, "the reconciliation used other balances")
    missing = total_movements((*reconciliation.in_transit, *reconciliation.outstanding, *reconciliation.later))
    difference = reconciliation.statement + missing - reconciliation.escrow
    require_consistent(reconciliation.difference == difference, "the reconciliation has another difference")
    opens = state.short > 0 and difference >= 0
    is_countersigned = bool(reconciliation.second and reconciliation.why)
    require_consistent(
        is_countersigned or not (opens or replaces_statement(state, reconciliation.day)),
        "one person replaced a statement alone",
    )
    return state._replace(reconciled=next_last_statement(state.reconciled, reconciliation))


def _apply_wager_reversal(state: JackpotState, reversal: WagersReversed) -> JackpotState:
    count, cents = (
        sum(wagers.number for wagers in reversal.wagers),
        sum(wagers.cents * wagers.number for wagers in reversal.wagers),
    )
    require_consistent(
        (count, cents * CENT) == (reversal.count, reversal.amount), "the wagers have another count or total"
    )
    for level, level_reversal in reversal.levels.items():
        meter = state.meter(level)
        require_consistent(level_reversal.before == meter.display, f"level {level} showed another amount")
        changed = count_out_of_meter(meter, reversal.wagers, reversal.parameters.get(level, meter.parameters))
        shown, reserved, spilt = split_by_holder(level_reversal)
        left = meter.display - shown, meter.reserve - reserved, meter.overflow - spilt
        require_consistent(changed.balances[:3] == left, f"the wagers contributed another amount to level {level}")
        least = min(shown, reserved, spilt, *left)
        require_consistent(least >= 0, f"level {level} has less than that")
        claims = remove_void_round(state.claims, level, reversal)
        state = state.with_meter(changed)._replace(claims=claims)
    for level, (claim, void) in reversal.remembered.items():
        part = state.claim(claim).part(level)
        require_consistent(part is not None, f"claim {claim} takes nothing from level {level}")
        require_consistent(void.made == state.order, f"round {void.round} was voided among other claims")
        assert part is not None
        remembers = state.claim(claim).with_part(part._replace(void=(*part.void, void)))
        state = state._replace(claims=tuple(remembers if wagers.id == claim else wagers for wagers in state.claims))
    state = state._replace(counted=state.counted - reversal.count, wagered=state.wagered - reversal.amount)
    return withdraw_cover(state, 0, reversal.undeposited)


def jackpot_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """
    >>> jackpot_unique_keys(JackpotDeposited("final-four", 100, 0, "Rosa", "4471"))
    ('slip 4471',)
    """
    match event:
        case JackpotDeposited(reference=reference):
            return (slip_key(reference),)
        case CageReimbursed(reference=reference):
            return (payment_key(PaymentMethod.TRANSFER, reference),)
        case ClaimPaid(payouts=payouts):
            return tuple(sorted(payout.unique_key for payout in payouts))
    return ()
