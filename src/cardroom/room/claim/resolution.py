"""A claim that a second person has verified is paid: to whom, how, under which number, checked by whom.

A claim that is refused, whole or for some seats: everything is as if what was refused had never been claimed.

What came in since stays, counted by the rates that would have been in force. Later claims on the same level are valued
anew, and so is what each reset took (BJ-14). Once another claim of the group was paid the refused one gives its own
money back: to the others of its line, if none of them was paid, or to the level (BJ-27).

Prizes that were paid at once on a wrong hand are taken back: they count as never claimed (BJ-47).

The dealer paid them alone, so two others, or the dealer and another, answer for it. What the player gave back is in the
chip tray again; what is gone the house bears.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from cardroom.accounts import CENT, Amount, Currency
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
from cardroom.room.payments import Payee, PaymentMethod, Payout, normalize_reference, payee_by_balance, require_payee
from cardroom.room.setup.calendar import NOW, Calendar, Time, parse_time
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.jackpot_validation import Jackpot

_MINUTE: Final = 60_000_000


class PaymentNotCovered(BadClaim):
    """A check or transfer that the jackpot's bank account does not cover yet."""


def pay_claim(
    state: JackpotState,
    claim: str,
    *,
    verified_by: str,
    paid: Mapping[int, Payee],
    surveillance: SurveillanceCheck | None = None,
    second: str | None = None,
) -> tuple[DomainEvent, ...]:
    """A second person has verified the claim, or two have where an automatic table made it: it is paid. ``paid`` says
    of each winning seat who got the money and how, but for those that are paid to a balance."""
    pending_claim = state.claim(claim)
    second_person_name = require_deciders(pending_claim, verified_by, second)
    over = state.law.surveillance_threshold
    if surveillance is not None:
        require_text(surveillance.by, "name of the person of the surveillance")
        for who, did in _people_at_table(pending_claim):
            require_different_people(
                surveillance.by, who, f"The surveillance checks what {who} {did}: name somebody else."
            )
        for who in filter(None, (verified_by, second_person_name)):
            require_different_people(
                surveillance.by, who, f"The surveillance checks besides {who}: name somebody else."
            )
    elif over is not None and pending_claim.largest_win > over:
        raise BadClaim(
            f"A win of {format_cents(pending_claim.largest_win)} is over {format_cents(over)}: note who of the "
            "surveillance "
            "checked hand, "
            "wager, payout and player, and when, before it is paid."
        )
    for part in pending_claim.parts if state.kind is JackpotKind.PROGRESSIVE else ():
        line = state.pending_on(part.level)
        position = line_position(line, pending_claim, part.level)
        places = [
            (second_person_name, line_position(line, second_person_name, part.level)) for second_person_name in line
        ]
        # Of the same round, only a late claim before this one took its money elsewhere.
        earlier = [
            second_person_name.id
            for second_person_name, other_position in places
            if other_position < position
            and (second_person_name.round_key != pending_claim.round_key or other_position > 0)
        ]
        if earlier:
            why = "it takes its money first" if part.late else "this one is worth more should it be refused"
            raise BadClaim(
                f"Claim {claim} waits for {earlier[0]}, which came first on level {part.level}: decide that one "
                f"before, because {why}."
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
    """Who is paid at each winning seat, and how: as it is told, and to the balances of those who sat at an automatic
    table, where nobody else is (BJ-50)."""
    payees: dict[int, Payee] = {}
    for seat, payee in paid.items():
        payees[seat], sat = require_payee(*payee), claim.player_at(seat)
        if sat is not None and (payee.payment is not PaymentMethod.BALANCE or payees[seat].player != sat):
            raise BadClaim(f"At seat {seat} of {claim.table} sat {sat}: claim {claim.id} goes to the balance of {sat}.")
        if sat is None and payee.payment is PaymentMethod.BALANCE:
            raise BadClaim(
                f"Nobody with a balance sat at seat {seat} of {claim.table} in round {claim.round}: pay it in cash, by "
                "check or by transfer."
            )
    for seat, player in claim.sat:
        if seat in claim.seats:
            payees[seat] = payee_by_balance(player, claim.id, seat)
    if set(payees) != set(claim.seats):
        seat_numbers = ", ".join(map(str, sorted(claim.seats)))
        raise BadClaim(
            f"Claim {claim.id} pays seat {seat_numbers}: say who is paid there, how, and under which number."
        )
    return payees


def _refuse_uncovered(state: JackpotState, bank_payouts: Sequence[Payout]) -> None:
    """A check that the account does not cover would bounce."""
    amount = sum(payout.escrow for payout in bank_payouts)
    has = state.bank_balance
    if amount <= has or not bank_payouts:
        return
    words = " and ".join(payout.text for payout in bank_payouts)
    short = f", because it is {format_amount(state.short)} short" if state.short else ""
    shows = ", enter a bank statement that shows the money" if state.short else ""
    raise PaymentNotCovered(
        f"The bank account of {state.id} has {format_amount(has)}{short}, and paying {words} takes "
        f"{format_amount(amount)}: "
        f"{format_amount(amount - has)} more. Record a deposit of at least that much first{shows}, or pay in cash "
        "from the "
        "cage."
    )


def _split_payouts(state: JackpotState, claim: Claim, payees: Mapping[int, Payee], amount: Amount) -> Iterator[Payout]:
    """What each winner gets. The bank pays a check or transfer in full, and the house owes it its part; the cage pays
    cash. What comes off no meter the house pays alone."""
    has_account = state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL
    numbers = [_payment_number(payee) for payee in payees.values()]
    twice = next((payee.text for payee in payees.values() if numbers.count(_payment_number(payee)) > 1), None)
    if twice:
        raise BadClaim(f"The number of {twice} is given for two winners: each payment has one of its own.")
    for seat in claim.seats:
        prizes = [prize for prize in claim.prizes if prize.seat == seat]
        off_the_meters = min(CENT * sum(prize.cents for prize in prizes if prize.level is not None), amount)
        amount -= off_the_meters
        cents = sum(prize.cents for prize in prizes)
        bank = CENT * cents if has_account and off_the_meters and payees[seat].payment.is_drawn_on_bank else 0
        yield Payout(seat, *payees[seat], cents, bank, off_the_meters - bank)


def _payment_number(paid: Payee) -> str:
    """What tells payments apart; a check and a transfer do not share a number."""
    return normalize_reference(paid.reference) if paid.payment.is_drawn_on_bank else paid.unique_key


def is_between_claim_and_now(time: Time, claim_time: Time, now: Time) -> bool:
    """Whether a time lies between the claim and now; people tell minutes, so the minute of the claim counts."""
    return claim_time // _MINUTE <= time // _MINUTE and time <= now


def check_surveillance(check: SurveillanceCheck, calendar: Calendar, claim_time: Time, now: Time) -> SurveillanceCheck:
    """The surveillance's check, at a time between the claim and now."""
    check_time = parse_time(check.at, calendar, now)
    if not is_between_claim_and_now(check_time, claim_time, now):
        raise BadClaim(
            f"The surveillance checked at {calendar.format_time(check_time)}, but the claim was made at "
            f"{calendar.format_time(claim_time)} and "
            f"it is {calendar.format_time(now)}: tell a time between the two, or {NOW!r}."
        )
    officer = require_text(check.by, "name of the person of the surveillance")
    return SurveillanceCheck(officer, f"{calendar.local(check_time):%Y-%m-%d %H:%M}", check_time)


def require_deciders(claim: Claim, who: str, second: str | None) -> str:
    """Who decides about a claim besides ``who``: somebody else where an automatic table claimed it, for nobody sat
    there who saw it (BJ-50)."""
    require_second_person(claim, who)
    if not claim.automatic and second is None:
        return ""
    _, second_name = require_two_people(
        who, second, f"claim {claim.id} of {claim.dealer}" if claim.automatic else f"claim {claim.id}"
    )
    require_second_person(claim, second_name)
    return second_name


def require_second_person(claim: Claim, name: str) -> None:
    """Somebody else than who dealt, and than who claimed, decides about a claim (BJ-48)."""
    require_text(name, "name of the verifier")
    roles = {"dealt": f"dealt round {claim.round}", "claimed": "claimed it"}
    for who, did in _people_at_table(claim):
        require_different_people(name, who, f"{who} {roles[did]}: a second person verifies claim {claim.id}.")


def _people_at_table(claim: Claim) -> Iterator[tuple[str, str]]:
    """Who dealt and who claimed, and which of the two they did."""
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
    """Give a claim back, or the prizes of some seats of it; a second person decides that too, and two where an
    automatic table claimed it."""
    pending_claim = state.claim(claim)
    second_name = require_deciders(pending_claim, refused_by, second)
    refused = tuple(pending_claim.seats if seats is None else seats)
    if not refused or not set(refused) <= set(pending_claim.seats):
        raise BadClaim(f"Claim {claim} has prizes of the seats {', '.join(map(str, pending_claim.seats))} only.")
    remaining_claim = pending_claim._replace(
        prizes=tuple(prize for prize in pending_claim.prizes if prize.seat not in refused)
    )
    jackpot = state.jackpot
    claims = {second_name.id: second_name for second_name in state.claims} | {claim: remaining_claim}
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
    """Play the level again from where it stood before the refused claim took its money, or before the first claim that
    does not stand."""
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
    """Take back what the command with this id had the dealer pay at once."""
    if paid.automatic:
        raise BadClaim(
            f"The prizes of round {paid.round} were paid by {paid.dealer}, which dealt the cards itself: they stand."
        )
    first_name, second_name = require_two_people(who, second, "a prize that is taken back")
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
    """Why nothing can be taken back."""
    if already_reversed:
        return BadClaim(f"The prizes of {claim} were taken back already: nothing is left of them.")
    return BadClaim(
        f"No prize was paid at once by the command {quote(claim)} on {jackpot}: name the command that claimed it. A "
        "claim that is pending is refused (cardroom claim refuse)."
    )
