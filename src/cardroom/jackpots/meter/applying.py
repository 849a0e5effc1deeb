"""The state after a happening. What contradicts the state is refused, so that a replay finds what does not add up."""

from __future__ import annotations

from cardroom.accounts import CENT, Currency
from cardroom.jackpots.contents import Contribution, by_holder
from cardroom.jackpots.happenings import (
    Adjusted,
    BonusChanged,
    CageReimbursed,
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
    PrizesTakenBack,
    PrizesWon,
    Reconciled,
    TableJoined,
    TableLeft,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.applying_claims import (
    claim_joined,
    claim_locked,
    claim_paid,
    claim_refused,
    claimed_keys,
    meter_reset,
    remembered,
    taken_back_keys,
)
from cardroom.jackpots.meter.arithmetic import uncounted
from cardroom.jackpots.meter.contradictions import Contradiction, holds, spent
from cardroom.jackpots.meter.custody import most_to_deposit
from cardroom.jackpots.meter.reconciling import replaces_statement, statement_after
from cardroom.jackpots.meter.since import with_what_came_in, without_a_void_round
from cardroom.jackpots.meter.state import JackpotState, Meter, with_parameters
from cardroom.jackpots.setup.jackpot import JackpotKind, jackpot_setup_entry, jackpot_setup_from
from cardroom.jackpots.setup.opening import open_jackpot
from cardroom.jackpots.setup.parameters import WaitingChange, parameters_of
from cardroom.jackpots.statements import total


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
            return remembered(state, claimed_keys(happening, paid=True))
        case PrizesTakenBack(prizes=prizes, cents=cents):
            holds(cents == sum(prize.cents for prize in prizes), "what is taken back is another amount")
            return remembered(state, taken_back_keys(happening))
        case ClaimLocked():
            return claim_locked(state, happening)
        case ClaimJoined():
            return claim_joined(state, happening)
        case MeterReset():
            return meter_reset(state, happening)
        case ClaimPaid():
            return claim_paid(state, happening)
        case ClaimRefused():
            return claim_refused(state, happening)
        case ChangeApplied():
            return _change_applied(state, happening)
        case ChangeRequested():
            return _change_requested(state, happening)
        case Adjusted():
            return _adjusted(state, happening)
        case Deposited(amount=amount):
            holds(amount > 0, "a deposit is above zero")
            holds(state.money is Currency.REAL, "no bank takes play money")
            holds(amount <= most_to_deposit(state), "more was deposited than the jackpot can use")
            return spent(state, -amount, amount)
        case CageReimbursed(amount=amount, escrow_before=before):
            holds(0 < amount <= state.cage_advance, "the cage gets back what it is owed, no more")
            holds(before == state.escrow, "the bank account had another balance")
            return spent(state, amount, -amount)
        case Reconciled():
            return _reconciled(state, happening)
        case BonusChanged():
            holds(happening.before == state.setup, "the jackpot had another set-up")
            after = state._replace(setup=happening.after)
            holds(after.money is state.money, "a jackpot stays of one money")
            return after
        case _:
            return _in_service(state, happening)


def _in_service(state: JackpotState, happening: Happening) -> JackpotState:
    """A jackpot goes into service and out of it."""
    match happening:
        case TableJoined(table=table):
            holds(table not in state.tables, f"table {table} is on the jackpot already")
            return state._replace(tables=(*state.tables, table))
        case TableLeft(table=left):
            holds(left in state.tables, f"table {left} is not on the jackpot")
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
    holds(opened.seeds == {one.name: one.seed_owed for one in meters if one.seed_owed}, "another seed was booked")
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
    made = JackpotState(
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
        state.counted + counted.count,
        state.wagered + counted.amount,
        state.disabled,
        state.short,
        state.removed,
        state.waiting,
        state.reconciled,
        state.cage_advance,
    )
    return made.with_cage(funded) if state.cage_advance else made


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


def _change_requested(state: JackpotState, change: ChangeRequested) -> JackpotState:
    after = change.after
    withdrawn = after == state.meter(change.level).parameters
    waiting = None if withdrawn else WaitingChange(change.level, after, change.who, change.why, change.second)
    return state.with_waiting(change.level, waiting)


def _change_applied(state: JackpotState, change: ChangeApplied) -> JackpotState:
    meter = state.meter(change.level)
    holds(change.before == meter.parameters, f"level {meter.name} had other parameters")
    if change.given_up is not None:
        waited = state.waiting_for(meter.name)
        holds(waited is not None and waited.after == change.given_up, f"nothing like it waited for level {meter.name}")
    changed = with_parameters(meter, change.after)
    if state.kind is JackpotKind.BONUS:
        changed = changed._replace(display=changed.parameters.seed)
    return state.with_meter(changed).with_waiting(meter.name, change.waiting)


def _adjusted(state: JackpotState, adjusted: Adjusted) -> JackpotState:
    meter, amount, held = state.meter(adjusted.level), adjusted.amount, adjusted.of
    holds(adjusted.before == getattr(meter, held), f"the {held} of level {meter.name} was another amount")
    holds(amount > 0 and amount + adjusted.change in (0, 2 * amount), "an adjustment is up or down")
    changed = meter.holding(meter.held._replace(**{held: adjusted.before + adjusted.change}))
    changed = changed._replace(
        overflow=changed.overflow + adjusted.overflow, seed_owed=changed.seed_owed + adjusted.seed_owed
    )
    least = min(changed.display, changed.reserve, changed.overflow, changed.seed_owed)
    holds(least >= 0, f"level {meter.name} has less than that")
    state = state.with_meter(changed)
    return spent(state, 0, adjusted.undeposited - adjusted.funded)


def _reconciled(state: JackpotState, reconciled: Reconciled) -> JackpotState:
    books = reconciled.owed, reconciled.escrow, reconciled.undeposited, reconciled.cage_advance
    holds(state.money is Currency.REAL, "no bank has a statement of play money")
    stood = state.owed, state.escrow, state.undeposited, state.cage_advance
    holds(books == stood, "the reconciliation used other books")
    allowed_for = total((*reconciled.in_transit, *reconciled.outstanding, *reconciled.later))
    difference = reconciled.statement + allowed_for - reconciled.escrow
    holds(reconciled.difference == difference, "the reconciliation comes to another difference")
    opens = state.short > 0 and difference >= 0
    answered = bool(reconciled.second and reconciled.why)
    holds(answered or not (opens or replaces_statement(state, reconciled.day)), "one person alone replaces a statement")
    return state._replace(reconciled=statement_after(state.reconciled, reconciled))


def _wagers_taken_back(state: JackpotState, back: WagersTakenBack) -> JackpotState:
    count, cents = sum(one.number for one in back.wagers), sum(one.cents * one.number for one in back.wagers)
    holds((count, cents * CENT) == (back.count, back.amount), "the wagers come to another number or amount")
    for level, given in back.levels.items():
        meter = state.meter(level)
        holds(given.before == meter.display, f"level {level} showed another amount")
        changed = uncounted(meter, back.wagers, back.parameters.get(level, meter.parameters))
        shown, reserved, spilt = by_holder(given)
        left = meter.display - shown, meter.reserve - reserved, meter.overflow - spilt
        holds(changed.held[:3] == left, f"the wagers brought level {level} another amount")
        least = min(shown, reserved, spilt, *left)
        holds(least >= 0, f"level {level} has less than that")
        claims = without_a_void_round(state.claims, level, back)
        state = state.with_meter(changed)._replace(claims=claims)
    for level, (claim, void) in back.remembered.items():
        part = state.claim(claim).part(level)
        holds(part is not None, f"claim {claim} takes nothing off level {level}")
        holds(void.made == state.order, f"round {void.round} was declared void among other claims")
        assert part is not None
        remembers = state.claim(claim).with_part(part._replace(void=(*part.void, void)))
        state = state._replace(claims=tuple(remembers if one.id == claim else one for one in state.claims))
    state = state._replace(counted=state.counted - back.count, wagered=state.wagered - back.amount)
    return spent(state, 0, back.undeposited)
