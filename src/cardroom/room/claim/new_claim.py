"""Make a claim: judge the hand, value its prizes, and pay, lock, or join them.

A claim is locked, verified by a second person, and paid; or it is refused and its money goes back.

The program judges the hand from the record of the round or from the cards that a dealer types. Each winner of a round
may have a claim, in any order. While a claim is pending its value is frozen, and the tables play on a reset meter.
Claims on one level are ordered by time: a later one is paid only after the earlier ones are decided, because the
refusal of an earlier claim makes it worth more (BJ-14).

Unpaid claims of one round are valued together, as if they had been claimed at once (BJ-26). After one of them is paid,
the meter no longer has its former amount: a late claim gets its share from what other claims of its line hold, or else
from the overflow, the reserve, and the house, never from the display that players see now (BJ-27).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.games import game, round_to_json
from cardroom.games.setup import setup_from_json
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.prizes import (
    BadClaim,
    displayed_setup,
    divide_line,
    find_offer,
    find_prizes,
    held_events,
    play_record,
)
from cardroom.room.claim.revaluation import claims_in_order, find_group_leader, redivide_level, replay_level
from cardroom.room.claim.typed_hand import play_typed_record
from cardroom.room.codec import wager_order
from cardroom.room.dual_control import require_text
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import (
    Increase,
    LevelJoin,
    LevelWithdrawal,
    MeterFunding,
    OtherJackpotPayment,
    Reduction,
)
from cardroom.room.jackpot.events import ChangeApplied, ClaimJoined, ClaimLocked, MeterReset, PrizesPaid
from cardroom.room.jackpot.meter_arithmetic import excess_funding, level_snapshot, reset_funding, withdraw_prizes
from cardroom.room.jackpot.pending_claims import Claim, ClaimPart, JackpotPrize, SeatedPlayer
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.jackpot_validation import Jackpot


def has_other_claims(
    state: JackpotState, earlier: PriorClaims, round_key: tuple[str, str], prizes: Sequence[JackpotPrize]
) -> bool:
    """Whether the round has other claims on one of the levels of these prizes."""
    levels = {prize.level for prize in prizes if prize.level is not None}
    pending = {part.level for claim in state.claims if claim.round_key == round_key for part in claim.parts}
    return any(level in pending or earlier.paid_events(level) for level in levels)


def join_claims(
    state: JackpotState,
    jackpot: Jackpot,
    claim: str,
    earlier: PriorClaims,
    common: Mapping[str, Any],
    prizes: Sequence[JackpotPrize],
) -> ClaimJoined:
    """Make a claim that joins others of its round, and replay its levels with it."""
    levels = [meter.name for meter in state.meters if any(prize.level == meter.name for prize in prizes)]
    order, table, round_id = state.order + 1, common["table"], common["round"]
    group = [pending_claim for pending_claim in state.claims if pending_claim.round_key == (table, round_id)]
    parts = tuple(_new_part(state, level, earlier, group) for level in levels)
    for part in parts:
        if part.late:
            prizes = _late_shares(state, jackpot, common["game"], part.level, earlier, prizes)
    common_fields = {name: common[name] for name in ("game", "dealer", "dealt", "automatic", "sat")}
    new_claim = Claim(claim, order, table, round_id, prizes=tuple(prizes), parts=parts, **common_fields)
    claims = {pending_claim.id: pending_claim for pending_claim in state.claims} | {claim: new_claim}
    for part in parts:
        if part.late:
            claims |= _share_lines(claims[claim], part, [claims[member.id] for member in group], earlier)
    changes: dict[str, LevelJoin] = {}
    returned: Amount = 0
    for part in parts:
        pending = tuple(claims.values())
        if state.kind is JackpotKind.BONUS:
            claims |= redivide_level(jackpot, state, pending, part.level)
            continue
        replay = replay_level(jackpot, state, pending, part.level, _replay_start(pending, claims[claim], part))
        claims |= replay.claims
        meter_before = state.meter(part.level)
        returned += meter_before.owed - replay.meter.owed
        amount = claims[claim].taken_on(part.level)
        changes[part.level] = LevelJoin(
            amount,
            part.late,
            meter_before.balances,
            replay.balances,
            replay.meter.parameters,
            replay.waiting,
            replay.counting,
            replay.replaced_terms(state),
        )
    return ClaimJoined(
        **common,
        prizes=claims[claim].prizes,
        claim=claim,
        order=order,
        reason=Reduction.PRIZE_WON,
        levels=changes,
        claims=tuple(claims.values()),
        undeposited=max(returned, 0),
        funded=max(-returned, 0),
        revalued=tuple(
            pending_claim.id for pending_claim in state.claims if pending_claim.cents != claims[pending_claim.id].cents
        ),
    )


def _new_part(state: JackpotState, level: str, earlier: PriorClaims, group: Sequence[Claim]) -> ClaimPart:
    snapshot = level_snapshot(state.meter(level), state.waiting_change(level))
    paid = earlier.paid_events(level)
    already_held = held_events(group, level, paid) if paid else ()
    return ClaimPart(level, snapshot, 0, late=bool(paid), held=already_held, paid=paid)


def _replay_start(claims: Sequence[Claim], claim: Claim, part: ClaimPart) -> int:
    """The position from which the level is replayed: that of the claim's group, or of its first late claim."""
    line = claims_in_order(claims, part.level)
    if part.late:
        parts = [(line_claim.round_key, line_claim.part(part.level)) for line_claim in line]
        return next(
            index
            for index, (round_key, line_part) in enumerate(parts)
            if round_key == claim.round_key and line_part and line_part.late
        )
    first = find_group_leader(line, claim, part.level)
    return next(index for index, line_claim in enumerate(line) if first is not None and line_claim.id == first.id)


def _share_lines(late: Claim, part: ClaimPart, group: Sequence[Claim], earlier: PriorClaims) -> dict[str, Claim]:
    """A late claim, and the claims with which it shares lines that have no paid winner."""
    claims = {claim.id: claim for claim in (*group, late)}
    shares = {prize.event: prize.share for prize in late.prizes_on(part.level) if prize.share is not None}
    for event, share in shares.items():
        if event not in part.paid:
            line_cents = int(earlier.shown[part.level] * share)
            claims |= {claim.id: claim for claim in divide_line(claims.values(), part.level, event, line_cents)}
    return claims


def _late_shares(
    state: JackpotState,
    jackpot: Jackpot,
    game: str,
    level: str,
    earlier: PriorClaims,
    prizes: Sequence[JackpotPrize],
) -> list[JackpotPrize]:
    """Late prizes on a level, valued as if all winners had been claimed together."""
    late = {index: prize for index, prize in enumerate(prizes) if prize.level == level}
    earlier_prizes = enumerate(earlier.prizes_on(level), len(prizes))
    together = sorted([*late.items(), *earlier_prizes], key=lambda item: item[1].seat)
    former_meter = state.meter(level)._replace(display=earlier.shown[level] * CENT)
    withdrawal = withdraw_prizes(find_offer(jackpot, game), former_meter, [prize for _, prize in together])
    shares = dict(zip([index for index, _ in together], withdrawal.prizes, strict=True))
    return [shares.get(index, prize) for index, prize in enumerate(prizes)]


@dataclass(frozen=True, slots=True)
class ClaimSubmission:
    """A claim as submitted: the round, the dealer, and the context that the decision needs."""

    claim: str
    table: str
    round: str
    dealer: str
    counted: int
    """The number of the event of the table that counted the round."""
    dealer_limit_cents: int
    """The dealer's payout limit per winner, in cents."""
    prior_claims: PriorClaims
    """Earlier claims of the round."""
    dealt_by: str
    """The dealer who counted the round."""
    paid_on_other_jackpots: Mapping[int, int] = field(default_factory=dict)
    """By seat: the cents that the dealer paid at once in the round for other jackpots."""
    automatic: bool = False
    """Whether an automatic table makes the claim for a round that it dealt."""
    players_by_seat: Mapping[int, str] = field(default_factory=dict)
    """By seat, the players of an automatic table."""


@dataclass(frozen=True, slots=True)
class _JudgedRound:
    """A round with the prizes that the rules give it."""

    game: str
    record: Mapping[str, Any]
    typed_seat: int | None
    prizes: tuple[JackpotPrize, ...]


def claim_record(
    state: JackpotState, record: Mapping[str, Any], submission: ClaimSubmission
) -> tuple[DomainEvent, ...]:
    """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it, except prizes that were
    claimed before."""
    _refuse_if_not_claimable(state, submission)
    jackpot = state.jackpot
    game_round = play_record(jackpot, record)
    if not game_round.is_terminal:
        raise BadClaim(f"The round is not over: {game_round.turn_text}.")
    prizes = find_prizes(state, jackpot, game_round)
    return _make_claim(
        state, jackpot, _JudgedRound(game_round.table.facts.slug, round_to_json(game_round), None, prizes), submission
    )


def claim_typed_hand(
    state: JackpotState, record: Mapping[str, Any], seat: int, submission: ClaimSubmission
) -> tuple[DomainEvent, ...]:
    """Claim the prizes of one hand from the record of what a dealer typed (``typed_hand_record``). The rules need a
    whole round, so other cards are filled in; no prize depends on them, and they are not stored."""
    _refuse_if_not_claimable(state, submission)
    jackpot = state.jackpot
    setup = displayed_setup(jackpot, record)
    table = game(setup["game"]).open(setup_from_json(setup))
    game_round = play_typed_record(table, record, seat, find_offer(jackpot, setup["game"]).wager.slug)
    prizes = find_prizes(state, jackpot, game_round, hand_seat=seat)
    return _make_claim(
        state, jackpot, _JudgedRound(setup["game"], {**record, "table": setup}, seat, prizes), submission
    )


def _make_claim(
    state: JackpotState, jackpot: Jackpot, judged: _JudgedRound, submission: ClaimSubmission
) -> tuple[DomainEvent, ...]:
    prizes = [prize for prize in judged.prizes if submission.prior_claims.is_new(prize)]
    if not prizes:
        raise _duplicate_claim_error(state.id, judged.prizes, submission)
    common: dict[str, Any] = {
        "jackpot": state.id,
        "table": submission.table,
        "round": require_text(submission.round, "round"),
        "game": judged.game,
        "dealer": require_text(submission.dealer, "dealer's name"),
        "record": judged.record,
        "layout": wager_order(judged.record["table"]),
        "counted": submission.counted,
        "alone": submission.dealer_limit_cents,
        "typed_seat": judged.typed_seat,
        "dealt": submission.dealt_by,
        "elsewhere": _payments_on_other_jackpots(prizes, submission),
        "automatic": submission.automatic,
        "sat": _seated_players(prizes, submission),
    }
    at_once = () if state.closure_reason else _dealer_payable(jackpot, prizes, submission)
    to_verify = [prize for prize in prizes if prize not in at_once]
    events: list[DomainEvent] = []
    if at_once:
        cents = sum(prize.cents for prize in at_once)
        events.append(PrizesPaid(**common, prizes=at_once, cents=cents, claim=submission.claim))
    if to_verify and has_other_claims(state, submission.prior_claims, (submission.table, common["round"]), to_verify):
        events.append(join_claims(state, jackpot, submission.claim, submission.prior_claims, common, to_verify))
    elif to_verify:
        events.extend(_lock_prizes(state, jackpot, submission.claim, common, to_verify))
    return tuple(events)


def _dealer_payable(
    jackpot: Jackpot, prizes: Sequence[JackpotPrize], submission: ClaimSubmission
) -> tuple[JackpotPrize, ...]:
    """The fixed prizes that a dealer may pay alone: none that surveillance must check (BJ-28), and none won by a hand
    that a second person must verify (BJ-45)."""
    over, fixed = jackpot.law.surveillance_threshold, [prize for prize in prizes if prize.level is None]
    limit = submission.dealer_limit_cents if over is None else min(submission.dealer_limit_cents, over)
    sums: dict[int, int] = {}
    for prize in fixed:
        sums[prize.seat] = sums.get(prize.seat, _cents_paid_before(prize.seat, submission)) + prize.cents
    unverified = {
        prize.hand_seat for prize in prizes if prize.level is not None or sums[prize.seat] > limit
    } | submission.prior_claims.unverified_seats
    return tuple(prize for prize in fixed if prize.hand_seat not in unverified)


def _cents_paid_before(seat: int, submission: ClaimSubmission) -> int:
    return submission.prior_claims.cents_paid_by_dealer(seat) + submission.paid_on_other_jackpots.get(seat, 0)


def _payments_on_other_jackpots(
    prizes: Sequence[JackpotPrize], submission: ClaimSubmission
) -> tuple[OtherJackpotPayment, ...]:
    """Payments for other jackpots to the seats of fixed prizes: they count toward the dealer's limit (BJ-46)."""
    seats = sorted({prize.seat for prize in prizes if prize.level is None})
    return tuple(
        OtherJackpotPayment(seat, submission.paid_on_other_jackpots[seat])
        for seat in seats
        if submission.paid_on_other_jackpots.get(seat)
    )


def _seated_players(prizes: Sequence[JackpotPrize], submission: ClaimSubmission) -> tuple[SeatedPlayer, ...]:
    seats = sorted({prize.seat for prize in prizes} & submission.players_by_seat.keys())
    return tuple(SeatedPlayer(seat, submission.players_by_seat[seat]) for seat in seats)


def _duplicate_claim_error(jackpot: str, prizes: Sequence[JackpotPrize], submission: ClaimSubmission) -> BadClaim:
    seats = ", ".join(map(str, sorted({prize.hand_seat for prize in prizes})))
    place = f"seat {seats} in round {submission.round} of table {submission.table}"
    claims = sorted({claim for prize in prizes if (claim := submission.prior_claims.claim_id_of(prize))})
    if not claims:
        advice = submission.prior_claims.find_holder(prizes[0]).advice(jackpot)
        return BadClaim(f"The prizes of {place} are already paid. If the cards were wrong: {advice}.")
    return BadClaim(f"The hand of {place} is already claimed: claim {', '.join(claims)}.")


def _refuse_if_not_claimable(state: JackpotState, submission: ClaimSubmission) -> None:
    if (
        state.closure_reason and not submission.automatic
    ):  # an automatic table claims what it counted, and the claim waits (BJ-51)
        remedy = "made good" if state.short else "enabled"
        raise BadClaim(f"Jackpot {state.id} cannot be won: {state.closure_reason}. Claim again once it is {remedy}.")
    if not submission.claim.strip() or any(claim.id == submission.claim for claim in state.claims):
        raise BadClaim(f"{submission.claim!r} is empty or the id of a pending claim: use another id.")
    require_text(submission.round, "round")


def _lock_prizes(
    state: JackpotState, jackpot: Jackpot, claim: str, common: Mapping[str, Any], prizes: Sequence[JackpotPrize]
) -> Iterator[DomainEvent]:
    """Value and lock the prizes, and reset each level whose whole meter is taken."""
    offer = find_offer(jackpot, common["game"])
    valued: dict[int, JackpotPrize] = dict(enumerate(prizes))
    levels: dict[str, LevelWithdrawal] = {}
    missing: dict[str, MeterFunding] = {}
    emptied_levels = []
    for meter in state.meters:
        places = [index for index, prize in enumerate(prizes) if prize.level == meter.name]
        if not places:
            continue
        withdrawal = withdraw_prizes(offer, meter, [prizes[index] for index in places])
        valued.update(zip(places, withdrawal.prizes, strict=True))
        progressive = state.kind is JackpotKind.PROGRESSIVE  # a bonus jackpot shows its amount as before (BJ-15)
        levels[meter.name] = LevelWithdrawal(meter.display, withdrawal.amount if progressive else 0)
        from_elsewhere = excess_funding(meter, withdrawal.amount)
        if progressive and any(from_elsewhere):
            missing[meter.name] = from_elsewhere
        emptied_levels += [meter.name] if withdrawal.is_whole_meter and progressive else []
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
    state = apply_jackpot_event(state, lock)
    for level in emptied_levels:
        for event in _reset_level(state, level, claim, common["dealer"]):
            yield event
            state = apply_jackpot_event(state, event)


def _reset_level(state: JackpotState, level: str, claim: str, dealer: str) -> Iterator[DomainEvent]:
    """Reset a level after its waiting change takes effect. Both events name the person who claims."""
    waiting = state.waiting_change(level)
    if waiting:
        parameters = state.meter(level).parameters
        change_fields = waiting.after, dealer, waiting.why
        change = ChangeApplied(state.id, level, parameters, *change_fields, claim=claim, waiting=None, waited=waiting)
        yield change
        state = apply_jackpot_event(state, change)
    meter = state.meter(level)
    fill = reset_funding(meter)
    if any(fill):
        yield MeterReset(state.id, level, claim, meter.display, *fill, reason=Increase.RESET, who=dealer)
