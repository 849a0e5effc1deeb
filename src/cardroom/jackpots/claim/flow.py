"""The win flow: a claim is locked, verified by a second person, and paid; or it is refused and given back.

The system judges the hand itself, from the record of the round or from the cards that a dealer types. Each winner of a
round may be claimed on its own, in any order. While a claim is pending its value is frozen, and the other tables play
on a meter that was reset. Claims on one level stand in the order in which they were made: a later one is paid only
after the earlier ones are decided, because the refusal of an earlier one makes it worth more (BJ-14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardroom.games import game, round_to_json
from cardroom.games.setup import setup_from_json
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.joining import join, joins
from cardroom.jackpots.claim.typed_hand import play_typed
from cardroom.jackpots.claim.winning import BadClaim, displayed_table, offer_of, play_record, prizes_of
from cardroom.jackpots.contents import Fill, PaidElsewhere, TakenOff
from cardroom.jackpots.happenings import ChangeApplied, ClaimLocked, Happening, MeterReset, PrizesPaid
from cardroom.jackpots.layout import layout_of
from cardroom.jackpots.meter.applying import jackpot_after
from cardroom.jackpots.meter.arithmetic import beyond, fill_for, taken_off
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Prize, SatAt
from cardroom.jackpots.people import named
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot


@dataclass(frozen=True, slots=True)
class Asked:
    """What is claimed, and by whom."""

    claim: str
    table: str
    round: str
    dealer: str
    counted: int
    """The number of the event of the table that counted the round."""
    alone: int
    """What the dealer may pay one winner alone, in cents."""
    before: ClaimedBefore
    """What was claimed of the round before."""
    dealt: str
    """Who counted the round."""
    elsewhere: Mapping[int, int] = field(default_factory=dict)
    """By seat, what the dealer has paid at once in the round on other jackpots, in cents."""
    automatic: bool = False
    """Whether an automatic table claims what it has dealt itself."""
    sat: Mapping[int, str] = field(default_factory=dict)
    """By seat, the players of an automatic table."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """What the rules say of a round."""

    game: str
    record: Mapping[str, Any]
    typed_seat: int | None
    prizes: tuple[Prize, ...]


def claim_record(state: JackpotState, record: Mapping[str, Any], asked: Asked) -> tuple[Happening, ...]:
    """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; of seats that were claimed
    before, nothing."""
    _refuse_if_not_claimable(state, asked)
    jackpot = state.jackpot
    played = play_record(jackpot, record)
    if not played.is_terminal:
        raise BadClaim(f"The round is not over: {played.turn_text}.")
    prizes = prizes_of(state, jackpot, played)
    return _claimed(state, jackpot, _Judged(played.table.facts.slug, round_to_json(played), None, prizes), asked)


def claim_typed(state: JackpotState, record: Mapping[str, Any], seat: int, asked: Asked) -> tuple[Happening, ...]:
    """Claim what one hand has won, from the record of what a dealer typed (``typed_entry``). What nobody typed is
    filled in only to let the rules judge the hand; no prize hangs on it, and it is kept nowhere."""
    _refuse_if_not_claimable(state, asked)
    jackpot = state.jackpot
    setup = displayed_table(jackpot, record)
    at = game(setup["game"]).open(setup_from_json(setup))
    played = play_typed(at, record, seat, offer_of(jackpot, setup["game"]).wager.slug)
    prizes = prizes_of(state, jackpot, played, by=seat)
    return _claimed(state, jackpot, _Judged(setup["game"], {**record, "table": setup}, seat, prizes), asked)


def _claimed(state: JackpotState, jackpot: Jackpot, judged: _Judged, asked: Asked) -> tuple[Happening, ...]:
    prizes = [one for one in judged.prizes if asked.before.is_new(one)]
    if not prizes:
        raise _claimed_already(state.id, judged.prizes, asked)
    common: dict[str, Any] = {
        "jackpot": state.id,
        "table": asked.table,
        "round": named(asked.round, "round"),
        "game": judged.game,
        "dealer": named(asked.dealer, "dealer's name"),
        "record": judged.record,
        "layout": layout_of(judged.record["table"]),
        "counted": asked.counted,
        "alone": asked.alone,
        "typed_seat": judged.typed_seat,
        "dealt": asked.dealt,
        "elsewhere": _counted_from_elsewhere(prizes, asked),
        "automatic": asked.automatic,
        "sat": _who_sat(prizes, asked),
    }
    at_once = () if state.closed else _paid_at_once(jackpot, prizes, asked)
    to_verify = [one for one in prizes if one not in at_once]
    happened: list[Happening] = []
    if at_once:
        cents = sum(one.cents for one in at_once)
        happened.append(PrizesPaid(**common, prizes=at_once, cents=cents, claim=asked.claim))
    if to_verify and joins(state, asked.before, (asked.table, common["round"]), to_verify):
        happened.append(join(state, jackpot, asked.claim, asked.before, common, to_verify))
    elif to_verify:
        happened.extend(_locked(state, jackpot, asked.claim, common, to_verify))
    return tuple(happened)


def _paid_at_once(jackpot: Jackpot, prizes: Sequence[Prize], asked: Asked) -> tuple[Prize, ...]:
    """The fixed prizes of the seats that a dealer may pay alone. What goes to the surveillance never is (BJ-28), nor
    what was won by a hand that a second person has to verify (BJ-45)."""
    over, fixed = jackpot.law.surveillance_threshold, [one for one in prizes if one.level is None]
    most = asked.alone if over is None else min(asked.alone, over)
    sums: dict[int, int] = {}
    for one in fixed:
        sums[one.seat] = sums.get(one.seat, _paid_before(one.seat, asked)) + one.cents
    wait = {one.by for one in prizes if one.level is not None or sums[one.seat] > most} | asked.before.unverified
    return tuple(one for one in fixed if one.by not in wait)


def _paid_before(seat: int, asked: Asked) -> int:
    return asked.before.paid_alone(seat) + asked.elsewhere.get(seat, 0)


def _counted_from_elsewhere(prizes: Sequence[Prize], asked: Asked) -> tuple[PaidElsewhere, ...]:
    """What the dealer paid the seats of fixed prizes on other jackpots: it counts towards the limit (BJ-46)."""
    seats = sorted({one.seat for one in prizes if one.level is None})
    return tuple(PaidElsewhere(seat, asked.elsewhere[seat]) for seat in seats if asked.elsewhere.get(seat))


def _who_sat(prizes: Sequence[Prize], asked: Asked) -> tuple[SatAt, ...]:
    seats = sorted({one.seat for one in prizes} & asked.sat.keys())
    return tuple(SatAt(seat, asked.sat[seat]) for seat in seats)


def _claimed_already(jackpot: str, prizes: Sequence[Prize], asked: Asked) -> BadClaim:
    seats = ", ".join(map(str, sorted({prize.by for prize in prizes})))
    of = f"seat {seats} in round {asked.round} of table {asked.table}"
    claims = sorted({claim for prize in prizes if (claim := asked.before.claim_of(prize))})
    if not claims:
        advice = asked.before.holding(prizes[0]).advice(jackpot)
        return BadClaim(f"The prizes of {of} were paid already. On wrong cards? {advice}.")
    return BadClaim(f"The hand of {of} was claimed already: claim {', '.join(claims)}.")


def _refuse_if_not_claimable(state: JackpotState, asked: Asked) -> None:
    if state.closed and not asked.automatic:  # what an automatic table has counted is claimed and waits (BJ-51)
        then = "made good" if state.short else "enabled"
        raise BadClaim(f"Jackpot {state.id} cannot be won: {state.closed}. Claim again once it is {then}.")
    if not asked.claim.strip() or any(one.id == asked.claim for one in state.claims):
        raise BadClaim(f"{asked.claim!r} cannot be the name of a new claim: give one that is not pending.")
    named(asked.round, "round")


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
        for happening in _reset(state, level, claim, common["dealer"]):
            yield happening
            state = jackpot_after(state, happening)


def _reset(state: JackpotState, level: str, claim: str, dealer: str) -> Iterator[Happening]:
    """Reset a level; a change that waited for this comes into force first. The person behind both is who claims."""
    waiting = state.waiting_for(level)
    if waiting:
        now = state.meter(level).parameters
        told = waiting.after, dealer, waiting.why
        change = ChangeApplied(state.id, level, now, *told, claim=claim, waiting=None, waited=waiting)
        yield change
        state = jackpot_after(state, change)
    meter = state.meter(level)
    fill = fill_for(meter)
    if any(fill):
        yield MeterReset(state.id, level, claim, meter.display, *fill, reason=Increase.RESET, who=dealer)
