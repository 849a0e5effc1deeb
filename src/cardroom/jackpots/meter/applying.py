"""The state after a happening. What contradicts the state is refused, so that a replay finds what does not add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from cardroom.accounts import CENT
from cardroom.faults import BadInput
from cardroom.jackpots.happenings import Happening
from cardroom.jackpots.meter.arithmetic import Fill, before, beyond, filled, line_prizes, locked
from cardroom.jackpots.meter.jackpot import open_jackpot
from cardroom.jackpots.meter.parameters import Waiting, parameters_from, parameters_of, waiting_from
from cardroom.jackpots.meter.pending import Claim, Part, claim_from, prize_from
from cardroom.jackpots.meter.setup import JackpotKind, jackpot_setup_entry, jackpot_setup_from
from cardroom.jackpots.meter.state import JackpotState, Meter, with_parameters

REMEMBERED_ROUNDS: Final = 50
Payload = dict[str, Any]


class Contradiction(BadInput):
    """A happening that cannot have happened in this state."""


def apply(state: JackpotState | None, happening: Happening) -> JackpotState:
    """The jackpot after a happening; the first one opens it."""
    payload = happening.payload
    if happening.version != 1 or happening.kind not in _APPLIED:
        raise Contradiction(f"Version {happening.version} of {happening.kind!r} is not known.")
    if state is None:
        if happening.kind != "jackpot-opened":
            raise Contradiction(f"A jackpot begins with its opening, not with {happening.kind!r}.")
        return _opened(payload)
    if payload["jackpot"] != state.id:
        raise Contradiction(f"{happening.kind!r} of jackpot {payload['jackpot']} is not one of jackpot {state.id}.")
    return _APPLIED[happening.kind](state, payload)


def _holds(true: bool, what: str) -> None:
    if not true:
        raise Contradiction(f"The books do not agree: {what}.")


def _opened(payload: Payload) -> JackpotState:
    """A jackpot as it opens: a progressive is seeded by the house."""
    setup = jackpot_setup_from(payload["setup"])
    jackpot = open_jackpot(setup)
    progressive = jackpot.kind is JackpotKind.PROGRESSIVE
    meters = tuple(
        with_parameters(
            Meter(level.name, parameters, parameters.seed, seed_owed=parameters.seed if progressive else 0), parameters
        )
        for level, parameters in zip(setup.levels, map(parameters_of, setup.levels), strict=True)
    )
    _holds(payload["seeds"] == {one.name: one.seed_owed for one in meters if one.seed_owed}, "another seed was booked")
    return JackpotState(
        id=setup.id,
        kind=jackpot.kind,
        setup=jackpot_setup_entry(setup),
        wagers=tuple(sorted(setup.wagers)),
        collects=jackpot.collects,
        meters=meters,
        undeposited=sum(meter.seed_owed for meter in meters),
    )


def _opened_again(state: JackpotState, payload: Payload) -> JackpotState:  # noqa: ARG001
    raise Contradiction(f"Jackpot {state.id} is open already.")


def _table_joined(state: JackpotState, payload: Payload) -> JackpotState:
    _holds(payload["table"] not in state.tables, f"table {payload['table']} is on the jackpot already")
    return state._replace(tables=(*state.tables, payload["table"]))


def _table_left(state: JackpotState, payload: Payload) -> JackpotState:
    _holds(payload["table"] in state.tables, f"table {payload['table']} is not on the jackpot")
    return state._replace(tables=tuple(table for table in state.tables if table != payload["table"]))


def _wagers_counted(state: JackpotState, payload: Payload) -> JackpotState:
    """The one happening of every round, so it is quick: additions, and the checks that make a replay a proof."""
    levels, funded, meters = payload["levels"], 0, state.meters
    if levels:
        counted = [_counted(meter, levels[meter.name], payload) for meter in meters]
        for _, shown, reserved, spilt, _, _ in levels.values():
            funded += shown + reserved + spilt
        meters = tuple(counted)
    return JackpotState(
        state.id,
        state.kind,
        state.setup,
        state.wagers,
        state.collects,
        meters,
        state.tables,
        _with_what_came_in(state.claims, levels) if state.claims and levels else state.claims,
        state.claimed,
        state.order,
        state.escrow,
        state.undeposited + funded,
        state.counted + payload["count"],
        state.wagered + payload["amount"],
        state.disabled,
        state.short,
        state.removed,
        state.waiting,
    )


def _counted(meter: Meter, contribution: list[int], payload: Payload) -> Meter:
    shown_before, shown, reserved, spilt, carry, reserve_carry = contribution
    name, parameters, display, reserve, overflow, pending, seed_owed, step, over, carried, *_ = meter
    reserve_step, reserve_over, reserve_carried = meter.reserve_step, meter.reserve_over, meter.reserve_carry
    taking_part, minimum, ceiling = payload["amount"], parameters.minimum, parameters.ceiling
    if payload["wagers"][0][0] < minimum:
        taking_part = CENT * sum(cents * number for cents, number in payload["wagers"] if cents >= minimum)
    if (
        shown_before != display
        or shown < 0
        or spilt < 0
        or taking_part * step + carried != (shown + spilt) * over + carry
        or taking_part * reserve_step + reserve_carried != reserved * reserve_over + reserve_carry
        or (spilt and (ceiling is None or display + shown < ceiling))
        or (shown and ceiling is not None and display + shown > ceiling)
        or not 0 <= carry < over
        or not 0 <= reserve_carry < reserve_over
    ):
        raise Contradiction(f"The books do not agree: level {name} takes another part of the wagers.")
    return Meter(
        name,
        parameters,
        display + shown,
        reserve + reserved,
        overflow + spilt,
        pending,
        seed_owed,
        step,
        over,
        carry,
        reserve_step,
        reserve_over,
        reserve_carry,
        meter.contributed + shown + reserved + spilt,
        meter.hits,
        meter.won,
    )


def _with_what_came_in(claims: tuple[Claim, ...], levels: dict[str, list[int]]) -> tuple[Claim, ...]:
    """Each level's latest pending claim remembers what came in after it."""
    changed = list(claims)
    for level, (_, shown, reserved, spilt, _, _) in levels.items():
        for at in reversed(range(len(changed))):
            part = changed[at].part(level)
            if part is not None:
                more = part._replace(counted=part.counted + shown + spilt, reserved=part.reserved + reserved)
                changed[at] = changed[at].with_part(more)
                break
    return tuple(changed)


def _prizes_paid(state: JackpotState, payload: Payload) -> JackpotState:
    """The house's money, from the table's chip tray: no meter moves."""
    return _remembered(state, fixed_key(payload["table"], payload["round"]))


def round_key(table: str, round_id: str) -> str:
    """How a claimed round is remembered."""
    return f"{table} {round_id}"


def fixed_key(table: str, round_id: str) -> str:
    """How a round is remembered whose fixed prizes were paid."""
    return f"{round_key(table, round_id)} fixed"


def _remembered(state: JackpotState, key: str) -> JackpotState:
    return state._replace(claimed=(*state.claimed, key)[-REMEMBERED_ROUNDS:])


def _claim_locked(state: JackpotState, payload: Payload) -> JackpotState:
    _holds(payload["order"] == state.order + 1, f"claim {payload['claim']} is out of order")
    prizes = tuple(map(prize_from, payload["prizes"]))
    parts = []
    for level, (shown_before, taken) in payload["levels"].items():
        meter = state.meter(level)
        of_level = [prize for prize in prizes if prize.level == level]
        won, missing = CENT * sum(prize.cents for prize in of_level), beyond(meter, taken)
        _holds(shown_before == meter.display, f"level {level} showed another amount")
        _holds(0 <= won <= line_prizes(meter, of_level), f"the prizes of level {level} are more than its lines pay")
        _holds(taken == (won if state.kind is JackpotKind.PROGRESSIVE else 0), "a prize comes off a progressive only")
        told = payload.get("beyond", {}).get(level, Fill(0, 0, 0)._asdict())
        _holds(told == missing._asdict(), f"what the prizes of level {level} take beyond it comes from elsewhere")
        parts.append(Part(level, before(meter, state.waiting_for(level)), taken))
        state = state.with_meter(locked(meter, taken))._replace(undeposited=state.undeposited + missing.house)
    claim = Claim(
        payload["claim"],
        payload["order"],
        payload["table"],
        payload["round"],
        payload["game"],
        payload["dealer"],
        prizes,
        tuple(parts),
    )
    state = state._replace(claims=(*state.claims, claim), order=claim.order)
    return _remembered(state, round_key(claim.table, claim.round))


def _change_requested(state: JackpotState, payload: Payload) -> JackpotState:
    after = parameters_from(payload["after"])
    withdrawn = after == state.meter(payload["level"]).parameters
    waiting = None if withdrawn else Waiting(payload["level"], after, payload["who"], payload["why"])
    return state.with_waiting(payload["level"], waiting)


def _change_applied(state: JackpotState, payload: Payload) -> JackpotState:
    meter = state.meter(payload["level"])
    _holds(parameters_from(payload["before"]) == meter.parameters, f"level {meter.name} had other parameters")
    changed = with_parameters(meter, parameters_from(payload["after"]))
    if state.kind is JackpotKind.BONUS:
        changed = changed._replace(display=changed.parameters.seed)
    waiting = payload["waiting"]
    return state.with_meter(changed).with_waiting(meter.name, waiting_from(waiting) if waiting else None)


def _meter_reset(state: JackpotState, payload: Payload) -> JackpotState:
    meter, fill = state.meter(payload["level"]), Fill(payload["overflow"], payload["reserve"], payload["house"])
    _holds(payload["before"] == meter.display, f"level {meter.name} showed another amount")
    after = filled(meter, fill)
    _holds(
        min(fill) >= 0 and min(after.overflow, after.reserve) >= 0, f"the reset of level {meter.name} is not covered"
    )
    return state.with_meter(after)._replace(undeposited=state.undeposited + fill.house)


def _claim_paid(state: JackpotState, payload: Payload) -> JackpotState:
    claim = state.claim(payload["claim"])
    paid = {part.level: part.taken for part in claim.parts}
    _holds(payload["levels"] == paid, f"claim {claim.id} is of another amount")
    _holds(sum(paid.values()) == payload["escrow"] + payload["undeposited"], f"claim {claim.id} is not covered")
    _holds(payload["house_cents"] == claim.cents - sum(paid.values()) // CENT, "the house pays another part")
    for level, amount in paid.items():
        meter = state.meter(level)
        cents = [prize.cents for prize in claim.prizes if prize.level == level]
        changed = meter._replace(
            pending=meter.pending - amount, hits=meter.hits + len(cents), won=meter.won + CENT * sum(cents)
        )
        state = state.with_meter(changed)
    state = state._replace(claims=tuple(one for one in state.claims if one.id != claim.id))
    return _spent(state, payload["escrow"], payload["undeposited"])


def _claim_refused(state: JackpotState, payload: Payload) -> JackpotState:
    owed = state.owed
    for level, change in payload["levels"].items():
        meter = with_parameters(state.meter(level), parameters_from(change["parameters"]))
        held = {name: getattr(meter, name) for name in change["before"]}
        _holds(change["before"] == held, f"level {level} stood otherwise")
        waiting = change["waiting"]
        state = state.with_meter(meter._replace(**change["after"]))
        state = state.with_waiting(level, waiting_from(waiting) if waiting else None)
    refused = state.claim(payload["claim"])
    state = state._replace(claims=tuple(map(claim_from, payload["claims"])))
    if all(claim.id != refused.id for claim in state.claims):  # the round may be claimed again, as it should have been
        key = round_key(refused.table, refused.round)
        state = state._replace(claimed=tuple(one for one in state.claimed if one != key))
    given_back = payload["escrow"] + payload["undeposited"] - payload["funded"]
    _holds(state.owed == owed - given_back, "a refusal gives back what was taken, no more and no less")
    return _spent(state, payload["escrow"], payload["undeposited"] - payload["funded"])


def _adjusted(state: JackpotState, payload: Payload) -> JackpotState:
    meter, amount, held = state.meter(payload["level"]), payload["amount"], payload["of"]
    _holds(payload["before"] == getattr(meter, held), f"the {held} of level {meter.name} was another amount")
    _holds(amount > 0 and amount + payload["change"] in (0, 2 * amount), "an adjustment is up or down")
    changed = meter._replace(**{held: payload["before"] + payload["change"]})
    changed = changed._replace(
        overflow=changed.overflow + payload["overflow"], seed_owed=changed.seed_owed + payload["seed_owed"]
    )
    least = min(changed.display, changed.reserve, changed.overflow, changed.seed_owed)
    _holds(least >= 0, f"level {meter.name} has less than that")
    state = state.with_meter(changed)
    return _spent(state, payload["escrow"], payload["undeposited"] - payload["funded"])


def _wagers_taken_back(state: JackpotState, payload: Payload) -> JackpotState:
    for level, (shown_before, shown, reserved, spilt) in payload["levels"].items():
        meter = state.meter(level)
        _holds(shown_before == meter.display, f"level {level} showed another amount")
        changed = meter._replace(
            display=meter.display - shown,
            reserve=meter.reserve - reserved,
            overflow=meter.overflow - spilt,
            contributed=meter.contributed - shown - reserved - spilt,
        )
        least = min(shown, reserved, spilt, changed.display, changed.reserve, changed.overflow)
        _holds(least >= 0, f"level {level} has less than that")
        state = state.with_meter(changed)
    state = state._replace(counted=state.counted - payload["count"], wagered=state.wagered - payload["amount"])
    return _spent(state, payload["escrow"], payload["undeposited"])


def _spent(state: JackpotState, escrow: int, undeposited: int) -> JackpotState:
    """What left the bank account and the cage; the two together cover what is owed, always."""
    state = state._replace(escrow=state.escrow - escrow, undeposited=state.undeposited - undeposited)
    _holds(min(state.escrow, state.undeposited) >= 0, "more left the bank account or the cage than was there")
    _holds(state.owed == state.escrow + state.undeposited, "what is owed to the players is not what covers it")
    return state


def _deposited(state: JackpotState, payload: Payload) -> JackpotState:
    _holds(payload["amount"] > 0, "a deposit is above zero")
    return _spent(state, -payload["amount"], payload["amount"])


def _reconciled(state: JackpotState, payload: Payload) -> JackpotState:
    books = {"owed": state.owed, "escrow": state.escrow, "undeposited": state.undeposited}
    _holds(all(payload[name] == amount for name, amount in books.items()), "the reconciliation used other books")
    return state


def _closed(state: JackpotState, payload: Payload) -> JackpotState:
    return state._replace(short=payload["short"])


def _reopened(state: JackpotState, payload: Payload) -> JackpotState:  # noqa: ARG001
    return state._replace(short=0)


def _disabled(state: JackpotState, payload: Payload) -> JackpotState:
    return state._replace(disabled=payload["why"])


def _enabled(state: JackpotState, payload: Payload) -> JackpotState:  # noqa: ARG001
    return state._replace(disabled=None)


def _bonus_changed(state: JackpotState, payload: Payload) -> JackpotState:
    _holds(payload["before"] == state.setup, "the jackpot had another set-up")
    return state._replace(setup=payload["after"])


def _removed(state: JackpotState, payload: Payload) -> JackpotState:  # noqa: ARG001
    return state._replace(removed=True)


_APPLIED: Final[dict[str, Callable[[JackpotState, Payload], JackpotState]]] = {
    "jackpot-opened": _opened_again,
    "table-joined": _table_joined,
    "table-left": _table_left,
    "wagers-counted": _wagers_counted,
    "prizes-paid": _prizes_paid,
    "claim-locked": _claim_locked,
    "change-requested": _change_requested,
    "change-applied": _change_applied,
    "meter-reset": _meter_reset,
    "claim-paid": _claim_paid,
    "claim-refused": _claim_refused,
    "adjusted": _adjusted,
    "wagers-taken-back": _wagers_taken_back,
    "deposited": _deposited,
    "reconciled": _reconciled,
    "jackpot-closed": _closed,
    "jackpot-reopened": _reopened,
    "jackpot-disabled": _disabled,
    "jackpot-enabled": _enabled,
    "bonus-changed": _bonus_changed,
    "jackpot-removed": _removed,
}
