"""The win flow: a claim is locked, verified by a second person, and paid; or it is refused and given back.

The system judges the hand itself, from the record of the round or from the cards. While a claim is pending its value is
frozen, and the other tables play on a meter that was reset. Claims on one level stand in the order in which they were
made: a later one is paid only after the earlier ones are decided, because the refusal of an earlier one makes it worth
more (BJ-14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardroom.accounts import CENT, Amount
from cardroom.games import Round, Table, round_entry
from cardroom.games.money import money
from cardroom.jackpots.claim.typed_hand import TypedHand, typed_round
from cardroom.jackpots.claim.winning import BadClaim, offer_of, play_record, prizes_of
from cardroom.jackpots.happenings import Happening
from cardroom.jackpots.meter.applying import apply, fixed_key, round_key
from cardroom.jackpots.meter.arithmetic import beyond, fill_for, taken_off
from cardroom.jackpots.meter.jackpot import Jackpot, open_jackpot
from cardroom.jackpots.meter.parameters import parameters_entry
from cardroom.jackpots.meter.pending import Claim, Prize, prize_entry
from cardroom.jackpots.meter.reasons import Increase, Reduction
from cardroom.jackpots.meter.setup import JackpotKind, jackpot_setup_from
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import different, named


@dataclass(frozen=True, slots=True)
class Surveillance:
    """Who of the surveillance checked hand, wager, payout and player, and when."""

    by: str
    at: str


def jackpot_of(state: JackpotState) -> Jackpot:
    """The jackpot's set-up in force, checked; the meters have their own parameters."""
    return open_jackpot(jackpot_setup_from(state.setup))


def claim_record(
    state: JackpotState, record: Mapping[str, Any], *, claim: str, table: str, round_id: str, dealer: str
) -> tuple[Happening, ...]:
    """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it."""
    jackpot = jackpot_of(state)
    return _claim(state, jackpot, play_record(jackpot, record), claim, table, round_id, dealer)


def claim_hand(
    state: JackpotState, at: Table, typed: TypedHand, *, claim: str, table: str, round_id: str, dealer: str
) -> tuple[Happening, ...]:
    """Claim the prize of a hand that a dealer types in, at a table set up like this."""
    jackpot = jackpot_of(state)
    typed_in = round_entry(typed_round(at, typed))
    return _claim(state, jackpot, play_record(jackpot, typed_in), claim, table, round_id, dealer)


def _claim(
    state: JackpotState, jackpot: Jackpot, played: Round, claim: str, table: str, round_id: str, dealer: str
) -> tuple[Happening, ...]:
    _refuse_if_not_claimable(state, claim, table, round_id)
    if not played.is_over:
        raise BadClaim(f"The round is not over: {played.due}.")
    prizes = prizes_of(state, jackpot, played)
    common: dict[str, Any] = {
        "jackpot": state.id,
        "table": table,
        "round": named(round_id, "round"),
        "game": played.table.facts.slug,
        "dealer": named(dealer, "dealer's name"),
        "record": round_entry(played),
    }
    over = jackpot.law.surveillance_over
    at_once = [one for one in prizes if one.level is None and (over is None or one.cents <= over)]
    happened: list[Happening] = []
    to_verify = [one for one in prizes if one not in at_once]
    paid_before = fixed_key(table, common["round"]) in state.claimed
    if paid_before and not to_verify:
        raise BadClaim(f"The prizes of round {round_id} of table {table} were paid already.")
    if at_once and not paid_before:
        paid = {"prizes": list(map(prize_entry, at_once)), "cents": sum(one.cents for one in at_once)}
        happened.append(Happening("prizes-paid", 1, common | paid))
    if to_verify:
        happened.extend(_locked(state, jackpot, common | {"claim": claim}, to_verify))
    return tuple(happened)


def _refuse_if_not_claimable(state: JackpotState, claim: str, table: str, round_id: str) -> None:
    if state.unavailable:
        raise BadClaim(f"Jackpot {state.id} cannot be won: {state.unavailable}. Claim again once it is available.")
    if table not in state.tables:
        raise BadClaim(f"Table {table} is not on jackpot {state.id}.")
    if not claim.strip() or any(one.id == claim for one in state.claims):
        raise BadClaim(f"{claim!r} cannot be the name of a new claim: give one that is not pending.")
    if round_key(table, named(round_id, "round")) in state.claimed:
        raise BadClaim(f"Round {round_id} of table {table} was claimed already.")


def _locked(state: JackpotState, jackpot: Jackpot, payload: dict[str, Any], prizes: Sequence[Prize]) -> list[Happening]:
    """Value and lock the prizes; each level whose meter is taken whole is reset at once."""
    offer = offer_of(jackpot, payload["game"])
    valued: dict[int, Prize] = dict(enumerate(prizes))
    levels: dict[str, list[Amount]] = {}
    missing: dict[str, dict[str, Amount]] = {}
    whole = []
    for meter in state.meters:
        places = [at for at, prize in enumerate(prizes) if prize.level == meter.name]
        if not places:
            continue
        taken = taken_off(offer, meter, [prizes[at] for at in places])
        valued.update(zip(places, taken.prizes, strict=True))
        progressive = state.kind is JackpotKind.PROGRESSIVE  # a bonus jackpot shows its amount as before (BJ-15)
        levels[meter.name] = [meter.display, taken.amount if progressive else 0]
        from_elsewhere = beyond(meter, taken.amount)
        if progressive and any(from_elsewhere):
            missing[meter.name] = from_elsewhere._asdict()
        whole += [meter.name] if taken.whole and progressive else []
    payload |= {
        "order": state.order + 1,
        "prizes": list(map(prize_entry, valued.values())),
        "levels": levels,
        "reason": str(Reduction.PRIZE_WON),
    }
    if missing:
        payload["beyond"] = missing
    happened = [Happening("claim-locked", 1, payload)]
    state = apply(state, happened[0])
    for level in whole:
        for happening in _reset(state, level, payload["claim"]):
            happened.append(happening)
            state = apply(state, happening)
    return happened


def _reset(state: JackpotState, level: str, claim: str) -> list[Happening]:
    """Reset a level; a change that waited for this comes into force first."""
    happened = []
    waiting = state.waiting_for(level)
    if waiting:
        change = {
            "jackpot": state.id,
            "level": level,
            "before": parameters_entry(state.meter(level).parameters),
            "after": parameters_entry(waiting.after),
            "who": waiting.who,
            "why": waiting.why,
            "claim": claim,
            "waiting": None,
        }
        happened.append(Happening("change-applied", 1, change))
        state = apply(state, happened[0])
    meter = state.meter(level)
    fill = fill_for(meter)
    if any(fill):
        payload = {"jackpot": state.id, "level": level, "claim": claim, "before": meter.display}
        payload |= fill._asdict() | {"reason": str(Increase.RESET)}
        happened.append(Happening("meter-reset", 1, payload))
    return happened


def pay_claim(
    state: JackpotState, claim: str, *, verified_by: str, surveillance: Surveillance | None = None
) -> tuple[Happening, ...]:
    """A second person has verified the claim: it is paid."""
    one = state.claim(claim)
    second_person(one, verified_by)
    over = jackpot_of(state).law.surveillance_over
    if surveillance is not None:
        named(surveillance.by, "name of the person of the surveillance")
        named(surveillance.at, "time of the surveillance's check")
        different(surveillance.by, one.dealer, f"The surveillance checks what {one.dealer} dealt: name somebody else.")
        different(surveillance.by, verified_by, f"The surveillance checks besides {verified_by}: name somebody else.")
    elif over is not None and one.largest_win > over:
        raise BadClaim(
            f"A win of {money(one.largest_win)} is over {money(over)}: note who of the surveillance checked hand, "
            "wager, payout and player, and when, before it is paid."
        )
    for part in one.parts if state.kind is JackpotKind.PROGRESSIVE else ():
        earlier = [other.id for other in state.pending_on(part.level) if other.order < one.order]
        if earlier:
            raise BadClaim(
                f"Claim {claim} waits for {earlier[0]}, which came first on level {part.level}: decide that one "
                "before, because this one is worth more should it be refused."
            )
    amount = sum(part.taken for part in one.parts)
    from_escrow = min(amount, state.escrow)
    payload = {
        "jackpot": state.id,
        "claim": claim,
        "order": one.order,
        "table": one.table,
        "verified_by": named(verified_by, "name of the verifier"),
        "surveillance": {"by": surveillance.by, "at": surveillance.at} if surveillance else None,
        "levels": {part.level: part.taken for part in one.parts},
        "escrow": from_escrow,
        "undeposited": amount - from_escrow,
        "house_cents": one.cents - amount // CENT,
    }
    return (Happening("claim-paid", 1, payload),)


def second_person(claim: Claim, name: str) -> None:
    """Somebody else than the dealer decides about a claim."""
    named(name, "name of the verifier")
    different(name, claim.dealer, f"{claim.dealer} dealt the hand of claim {claim.id}: a second person verifies it.")
