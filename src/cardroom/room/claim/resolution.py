"""Decide claims: pay a verified claim, refuse a claim, or reverse prizes that the dealer paid at once.

A refusal, of the whole claim or of some seats, leaves everything as if the refused prizes had never been claimed. The
wagers counted since stay, at the rates that would have been in force. Later claims on the same level are revalued, and
so are the resets (BJ-14). If another claim of the group is paid, the refused money goes to the other winners of its
line, if none of them is paid, or back to the level (BJ-27).

Reversed prizes were paid at once for a wrong hand: they count as never claimed (BJ-47). Two people sign, one of whom
may be the dealer. Returned chips go back into the chip tray; the house bears lost chips.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cardroom.chart_of_accounts import CENT, Amount, Currency
from cardroom.errors import quote
from cardroom.games.money import format_cents
from cardroom.room.amount_text import format_amount
from cardroom.room.claim.prizes import BadClaim, remove_refused
from cardroom.room.claim.revaluation import (
    LevelReplay,
    claims_in_order,
    find_group_leader,
    line_position,
    redivide_level,
    replay_level,
)
from cardroom.room.dual_control import require_different_people, require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import ChipsOutcome, Increase, LevelRefusal, SurveillanceCheck
from cardroom.room.jackpot.events import ClaimPaid, ClaimRefused, PrizesPaid, PrizesReversed
from cardroom.room.jackpot.pending_claims import Claim, ClaimPart
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import (
    Payee,
    PaymentMethod,
    Payout,
    normalize_reference,
    payee_by_balance,
    require_payee,
)
from cardroom.room.setup.calendar import NOW, Calendar, Time, parse_time
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.jackpot_validation import Jackpot

_MINUTE: Final = 60_000_000


class PaymentNotCovered(BadClaim):
    """A check or transfer that the jackpot's bank account does not cover."""


def pay_claim(
    state: JackpotState,
    claim: str,
    *,
    verified_by: str,
    paid: Mapping[int, Payee],
    surveillance: SurveillanceCheck | None = None,
    second: str | None = None,
) -> tuple[DomainEvent, ...]:
    """Pay a claim that a second person has verified, or two people if an automatic table made it. ``paid`` names the
    payee and the payment of each winning seat, except seats paid to a balance."""
    pending_claim = state.claim(claim)
    second_person_name = require_deciders(pending_claim, verified_by, second)
    over = state.law.surveillance_threshold
    if surveillance is not None:
        require_text(surveillance.by, "name of the surveillance officer")
        for who, did in _people_at_table(pending_claim):
            require_different_people(
                surveillance.by, who, f"{who} {did}, so {who} cannot be the surveillance officer: name another person."
            )
        for who in filter(None, (verified_by, second_person_name)):
            require_different_people(
                surveillance.by, who, f"{who} verifies the claim: name another person as the surveillance officer."
            )
    elif over is not None and pending_claim.largest_win > over:
        raise BadClaim(
            f"A win of {format_cents(pending_claim.largest_win)} is over {format_cents(over)}: first enter which "
            "surveillance officer checked hand, wager, payout, and player, and when."
        )
    for part in pending_claim.parts if state.kind is JackpotKind.PROGRESSIVE else ():
        line = state.pending_on(part.level)
        position = line_position(line, pending_claim, part.level)
        places = [(other, line_position(line, other, part.level)) for other in line]
        # In the same round, only an earlier late claim took its money from another source.
        earlier = [
            other.id
            for other, other_position in places
            if other_position < position and (other.round_key != pending_claim.round_key or other_position > 0)
        ]
        if earlier:
            reason = "it takes its money first" if part.late else f"{claim} is worth more if it is refused"
            raise BadClaim(
                f"Claim {claim} waits for {earlier[0]}, which came first on level {part.level}. Pay or refuse "
                f"{earlier[0]} first: {reason}."
            )
    amount = sum(part.taken for part in pending_claim.parts)
    payouts = tuple(_split_payouts(state, pending_claim, resolve_payees(pending_claim, paid), amount))
    _refuse_uncovered(state, [payout for payout in payouts if payout.escrow])
    payment = ClaimPaid(
        jackpot=state.id,
        claim=claim,
        order=pending_claim.order,
        table=pending_claim.table,
        verified_by=require_text(verified_by, "name of the verifier"),
        surveillance=surveillance,
        levels={part.level: part.taken for part in pending_claim.parts},
        escrow=sum(payout.escrow for payout in payouts),
        undeposited=sum(payout.undeposited for payout in payouts),
        house_cents=pending_claim.cents - amount // CENT,
        payouts=payouts,
        second=second_person_name,
    )
    return (payment,)


def resolve_payees(claim: Claim, paid: Mapping[int, Payee]) -> dict[int, Payee]:
    """The payee of each winning seat: as entered, or the balance of the player who sat at an automatic table
    (BJ-50)."""
    payees: dict[int, Payee] = {}
    for seat, payee in paid.items():
        payees[seat], sat = require_payee(*payee), claim.player_at(seat)
        if sat is not None and (payee.payment is not PaymentMethod.BALANCE or payees[seat].player != sat):
            raise BadClaim(f"{sat} sat at seat {seat} of {claim.table}: pay claim {claim.id} to the balance of {sat}.")
        if sat is None and payee.payment is PaymentMethod.BALANCE:
            raise BadClaim(
                f"No player with a balance sat at seat {seat} of {claim.table} in round {claim.round}: pay in cash, by "
                "check, or by transfer."
            )
    for seat, player in claim.sat:
        if seat in claim.seats:
            payees[seat] = payee_by_balance(player, claim.id, seat)
    if set(payees) != set(claim.seats):
        seat_numbers = ", ".join(map(str, sorted(claim.seats)))
        raise BadClaim(
            f"Claim {claim.id} pays seat {seat_numbers}: enter the player, the payment, and its number for each seat."
        )
    return payees


def _refuse_uncovered(state: JackpotState, bank_payouts: Sequence[Payout]) -> None:
    """Refuse checks and transfers that the bank account does not cover."""
    amount = sum(payout.escrow for payout in bank_payouts)
    has = state.bank_balance
    if amount <= has or not bank_payouts:
        return
    words = " and ".join(payout.text for payout in bank_payouts)
    short = f" (it is {format_amount(state.short)} short)" if state.short else ""
    shows = " and reconcile a bank statement that shows the money" if state.short else ""
    raise PaymentNotCovered(
        f"The bank account of {state.id} has {format_amount(has)}{short}. To pay {words}, it needs "
        f"{format_amount(amount)}: {format_amount(amount - has)} more. Record a deposit of at least that much "
        f"first{shows}, or pay in cash from the cage."
    )


def _split_payouts(state: JackpotState, claim: Claim, payees: Mapping[int, Payee], amount: Amount) -> Iterator[Payout]:
    """The payout of each winner. The bank account pays a check or transfer in full, and the house owes it the house's
    part; the cage pays cash. The house alone pays prizes that come from no meter."""
    has_account = state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL
    numbers = [_payment_number(payee) for payee in payees.values()]
    twice = next((payee.text for payee in payees.values() if numbers.count(_payment_number(payee)) > 1), None)
    if twice:
        raise BadClaim(f"The number of {twice} is entered for two winners: each payment has its own number.")
    for seat in claim.seats:
        prizes = [prize for prize in claim.prizes if prize.seat == seat]
        from_meters = min(CENT * sum(prize.cents for prize in prizes if prize.level is not None), amount)
        amount -= from_meters
        cents = sum(prize.cents for prize in prizes)
        bank = CENT * cents if has_account and from_meters and payees[seat].payment.is_drawn_on_bank else 0
        yield Payout(seat, *payees[seat], cents, bank, from_meters - bank)


def _payment_number(paid: Payee) -> str:
    """The number that identifies a payment; a check and a transfer may not share one."""
    return normalize_reference(paid.reference) if paid.payment.is_drawn_on_bank else paid.unique_key


def is_between_claim_and_now(time: Time, claim_time: Time, now: Time) -> bool:
    """Whether a time is between the claim and now. People enter minutes, so the minute of the claim counts."""
    return claim_time // _MINUTE <= time // _MINUTE and time <= now


def check_surveillance(check: SurveillanceCheck, calendar: Calendar, claim_time: Time, now: Time) -> SurveillanceCheck:
    """The surveillance check with its parsed time, which must be between the claim and now."""
    check_time = parse_time(check.at, calendar, now)
    if not is_between_claim_and_now(check_time, claim_time, now):
        raise BadClaim(
            f"The surveillance check is of {calendar.format_time(check_time)}, the claim of "
            f"{calendar.format_time(claim_time)}, and it is {calendar.format_time(now)} now: enter a time between the "
            f"claim and now, or {NOW!r}."
        )
    officer = require_text(check.by, "name of the surveillance officer")
    return SurveillanceCheck(officer, f"{calendar.local(check_time):%Y-%m-%d %H:%M}", check_time)


def require_deciders(claim: Claim, who: str, second: str | None) -> str:
    """The second person who decides a claim besides ``who``. A claim of an automatic table needs one, because no
    person watched the round (BJ-50)."""
    require_second_person(claim, who)
    if not claim.automatic and second is None:
        return ""
    _, second_name = require_two_people(
        who, second, f"claim {claim.id} of {claim.dealer}" if claim.automatic else f"claim {claim.id}"
    )
    require_second_person(claim, second_name)
    return second_name


def require_second_person(claim: Claim, name: str) -> None:
    """Refuse a decision by the person who dealt the round or made the claim (BJ-48)."""
    require_text(name, "name of the verifier")
    roles = {"dealt": f"dealt round {claim.round}", "claimed": "claimed it"}
    for who, did in _people_at_table(claim):
        require_different_people(name, who, f"{who} {roles[did]}: another person must verify claim {claim.id}.")


def _people_at_table(claim: Claim) -> Iterator[tuple[str, str]]:
    """The person who dealt the round and the person who claimed, each with that verb."""
    yield claim.dealt, "dealt"
    if claim.is_claimed_by_another:
        yield claim.dealer, "claimed"


def refuse_claim(
    state: JackpotState,
    claim: str,
    *,
    refused_by: str,
    why: str,
    seats: Collection[int] | None = None,
    second: str | None = None,
) -> tuple[DomainEvent, ...]:
    """Refuse a claim, or the prizes of some of its seats. A second person decides this too, or two people if an
    automatic table made the claim."""
    pending_claim = state.claim(claim)
    second_name = require_deciders(pending_claim, refused_by, second)
    refused = tuple(pending_claim.seats if seats is None else seats)
    if not refused or not set(refused) <= set(pending_claim.seats):
        raise BadClaim(
            f"Claim {claim} has prizes only for seats {', '.join(map(str, pending_claim.seats))}: choose from them."
        )
    remaining_claim = pending_claim._replace(
        prizes=tuple(prize for prize in pending_claim.prizes if prize.seat not in refused)
    )
    jackpot = state.jackpot
    claims = {other.id: other for other in state.claims} | {claim: remaining_claim}
    levels: dict[str, LevelRefusal] = {}
    returned: Amount = 0
    for part in pending_claim.parts:
        given_back = 0
        if not part.is_open:
            changed, given_back = remove_refused(tuple(claims.values()), pending_claim, claims[claim], part)
            claims |= changed
        if state.kind is JackpotKind.BONUS:
            claims |= redivide_level(jackpot, state, tuple(claims.values()), part.level)
            continue
        replay = _replay_without(jackpot, state, tuple(claims.values()), claims[claim], part, given_back * CENT)
        claims |= replay.claims
        meter = state.meter(part.level)
        returned += meter.owed - replay.meter.owed
        levels[part.level] = LevelRefusal(
            part.taken - claims[claim].taken_on(part.level),
            meter.balances,
            replay.balances,
            replay.meter.parameters,
            replay.waiting,
            replay.counting,
            replay.void,
            replay.replaced_terms(state),
        )
    if not remaining_claim.prizes:
        del claims[claim]
    refusal = ClaimRefused(
        jackpot=state.id,
        claim=claim,
        seats=refused,
        refused_by=require_text(refused_by, "name of the person who refuses"),
        why=require_text(why, "reason"),
        reason=Increase.PRIZE_REFUSED,
        levels=levels,
        claims=tuple(claims.values()),
        undeposited=max(returned, 0),
        funded=max(-returned, 0),
        second=second_name,
    )
    return (refusal,)


def _replay_without(
    jackpot: Jackpot,
    state: JackpotState,
    claims: Sequence[Claim],
    remaining_claim: Claim,
    part: ClaimPart,
    returned: Amount,
) -> LevelReplay:
    """Replay the level from before the refused claim took its money, or from before the first claim that is not
    fixed."""
    level, line = part.level, claims_in_order(claims, part.level)
    if part.is_open:
        first = find_group_leader(line, remaining_claim, level)
        start = next(index for index, other in enumerate(line) if first is not None and other.id == first.id)
        return replay_level(jackpot, state, claims, level, start)
    start = next((index for index, other in enumerate(line) if not _require_part(other, level).fixed), len(line))
    return replay_level(jackpot, state, claims, level, start, returned)


def _require_part(claim: Claim, level: str) -> ClaimPart:
    part = claim.part(level)
    assert part is not None
    return part


def reverse_prizes(
    paid: PrizesPaid, claim: str, *, who: str, second: str | None, why: str, chips: ChipsOutcome
) -> tuple[DomainEvent, ...]:
    """Reverse the prizes that the dealer paid at once by the command with this id."""
    if paid.automatic:
        raise BadClaim(
            f"The prizes of round {paid.round} were paid by {paid.dealer}, which dealt the cards itself: they are "
            "final."
        )
    first_name, second_name = require_two_people(who, second, "the reversal of a prize")
    reversal = PrizesReversed(
        jackpot=paid.jackpot,
        claim=claim,
        table=paid.table,
        round=paid.round,
        prizes=paid.prizes,
        cents=paid.cents,
        chips=chips,
        who=first_name,
        second=second_name,
        why=require_text(why, "reason"),
    )
    return (reversal,)


def nothing_to_reverse_error(jackpot: str, claim: str, *, already_reversed: bool) -> BadClaim:
    """The refusal if the command's prizes are already reversed, or the command paid none."""
    if already_reversed:
        return BadClaim(f"The prizes of {claim} are already reversed.")
    return BadClaim(
        f"The command {quote(claim)} paid no prize at once on {jackpot}: enter the id of the command that claimed the "
        "prize. To undo a pending claim, refuse it."
    )
