"""The win flow: a claim is locked, verified by a second person, and paid; or it is refused and given back.

The system judges the hand itself, from the record of the round or from the cards. While a claim is pending its value is
frozen, and the other tables play on a meter that was reset. Claims on one level stand in the order in which they were
made: a later one is paid only after the earlier ones are decided, because the refusal of an earlier one makes it worth
more (BJ-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.games import Round, Table, round_entry
from cardroom.jackpots.claim.typed_hand import TypedHand, typed_round
from cardroom.jackpots.claim.winning import BadClaim, offer_of, play_record, prizes_of
from cardroom.jackpots.contents import Fill, TakenOff
from cardroom.jackpots.happenings import ChangeApplied, ClaimLocked, Happening, MeterReset, PrizesPaid
from cardroom.jackpots.layout import layout_of
from cardroom.jackpots.meter.applying import fixed_key, jackpot_after, round_key
from cardroom.jackpots.meter.arithmetic import beyond, fill_for, taken_off
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Prize
from cardroom.jackpots.people import named
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot


def claim_record(
    state: JackpotState,
    record: Mapping[str, Any],
    *,
    claim: str,
    table: str,
    round_id: str,
    dealer: str,
    counted: int,
) -> tuple[Happening, ...]:
    """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; ``counted`` is the number
    of the event of the table that counted the round."""
    jackpot = state.jackpot
    return _claim(state, jackpot, play_record(jackpot, record), _Claimed(claim, table, round_id, dealer, counted))


def typed_record(at: Table, typed: TypedHand) -> dict[str, Any]:
    """The record of a round of which a dealer types in one hand, at a table set up like this."""
    return round_entry(typed_round(at, typed))


@dataclass(frozen=True, slots=True)
class _Claimed:
    """What is claimed, and by whom."""

    claim: str
    table: str
    round: str
    dealer: str
    counted: int


def _claim(state: JackpotState, jackpot: Jackpot, played: Round, claimed: _Claimed) -> tuple[Happening, ...]:
    _refuse_if_not_claimable(state, claimed)
    if not played.is_over:
        raise BadClaim(f"The round is not over: {played.due}.")
    prizes, record = prizes_of(state, jackpot, played), round_entry(played)
    common: dict[str, Any] = {
        "jackpot": state.id,
        "table": claimed.table,
        "round": named(claimed.round, "round"),
        "game": played.table.facts.slug,
        "dealer": named(claimed.dealer, "dealer's name"),
        "record": record,
        "layout": layout_of(record["table"]),
        "counted": claimed.counted,
    }
    over = jackpot.law.surveillance_over
    at_once = tuple(one for one in prizes if one.level is None and (over is None or one.cents <= over))
    happened: list[Happening] = []
    to_verify = [one for one in prizes if one not in at_once]
    paid_before = fixed_key(claimed.table, common["round"]) in state.claimed
    if paid_before and not to_verify:
        raise BadClaim(f"The prizes of round {claimed.round} of table {claimed.table} were paid already.")
    if at_once and not paid_before:
        happened.append(PrizesPaid(**common, prizes=at_once, cents=sum(one.cents for one in at_once)))
    if to_verify:
        happened.extend(_locked(state, jackpot, claimed.claim, common, to_verify))
    return tuple(happened)


def _refuse_if_not_claimable(state: JackpotState, claimed: _Claimed) -> None:
    table = claimed.table
    if state.unavailable:
        raise BadClaim(f"Jackpot {state.id} cannot be won: {state.unavailable}. Claim again once it is available.")
    if not claimed.claim.strip() or any(one.id == claimed.claim for one in state.claims):
        raise BadClaim(f"{claimed.claim!r} cannot be the name of a new claim: give one that is not pending.")
    if round_key(table, named(claimed.round, "round")) in state.claimed:
        raise BadClaim(f"Round {claimed.round} of table {table} was claimed already.")


def _locked(
    state: JackpotState, jackpot: Jackpot, claim: str, common: Mapping[str, Any], prizes: Sequence[Prize]
) -> Iterator[Happening]:
    """Value and lock the prizes; each level whose meter is taken whole is reset at once."""
    offer = offer_of(jackpot, common["game"])
    valued: dict[int, Prize] = dict(enumerate(prizes))
    levels: dict[str, TakenOff] = {}
    missing: dict[str, Fill] = {}
    whole = []
    for meter in state.meters:
        places = [at for at, prize in enumerate(prizes) if prize.level == meter.name]
        if not places:
            continue
        taken = taken_off(offer, meter, [prizes[at] for at in places])
        valued.update(zip(places, taken.prizes, strict=True))
        progressive = state.kind is JackpotKind.PROGRESSIVE  # a bonus jackpot shows its amount as before (BJ-15)
        levels[meter.name] = TakenOff(meter.display, taken.amount if progressive else 0)
        from_elsewhere = beyond(meter, taken.amount)
        if progressive and any(from_elsewhere):
            missing[meter.name] = from_elsewhere
        whole += [meter.name] if taken.whole and progressive else []
    lock = ClaimLocked(
        **common,
        claim=claim,
        order=state.order + 1,
        prizes=tuple(valued.values()),
        levels=levels,
        reason=Reduction.PRIZE_WON,
        beyond=missing,
    )
    yield lock
    state = jackpot_after(state, lock)
    for level in whole:
        for happening in _reset(state, level, claim):
            yield happening
            state = jackpot_after(state, happening)


def _reset(state: JackpotState, level: str, claim: str) -> Iterator[Happening]:
    """Reset a level; a change that waited for this comes into force first."""
    waiting = state.waiting_for(level)
    if waiting:
        now = state.meter(level).parameters
        told = waiting.after, waiting.who, waiting.why
        change = ChangeApplied(state.id, level, now, *told, claim=claim, waiting=None, second=waiting.second)
        yield change
        state = jackpot_after(state, change)
    meter = state.meter(level)
    fill = fill_for(meter)
    if any(fill):
        yield MeterReset(state.id, level, claim, meter.display, *fill, reason=Increase.RESET)
