"""A claim that a second person has verified is paid: to whom, how, under which number, checked by whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cardroom.accounts import CENT, Amount, Currency
from cardroom.games.money import format_cents
from cardroom.jackpots.amounts import books
from cardroom.jackpots.claim.anew import place
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import Surveillance
from cardroom.jackpots.happenings import ClaimPaid, Happening
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.payouts import Payout, PlayerPaid, player_paid, to_balance
from cardroom.jackpots.pending import Claim
from cardroom.jackpots.people import different, named, two_people
from cardroom.jackpots.references import PaidBy, plain_name
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.told_time import NOW, time_told

_MINUTE: Final = 60_000_000


class NotCovered(BadClaim):
    """A check or transfer that the jackpot's bank account does not cover yet."""


def pay_claim(
    state: JackpotState,
    claim: str,
    *,
    verified_by: str,
    paid: Mapping[int, PlayerPaid],
    surveillance: Surveillance | None = None,
    second: str | None = None,
) -> tuple[Happening, ...]:
    """A second person has verified the claim, or two have where an automatic table made it: it is paid. ``paid`` says
    of each winning seat who got the money and how, but for those that are paid to a balance."""
    one = state.claim(claim)
    other = decided_by(one, verified_by, second)
    over = state.law.surveillance_threshold
    if surveillance is not None:
        named(surveillance.by, "name of the person of the surveillance")
        for who, did in _at_the_table(one):
            different(surveillance.by, who, f"The surveillance checks what {who} {did}: name somebody else.")
        for who in filter(None, (verified_by, other)):
            different(surveillance.by, who, f"The surveillance checks besides {who}: name somebody else.")
    elif over is not None and one.largest_win > over:
        raise BadClaim(
            f"A win of {format_cents(one.largest_win)} is over {format_cents(over)}: note who of the surveillance "
            "checked hand, "
            "wager, payout and player, and when, before it is paid."
        )
    for part in one.parts if state.kind is JackpotKind.PROGRESSIVE else ():
        line = state.pending_on(part.level)
        here = place(line, one, part.level)
        places = [(other, place(line, other, part.level)) for other in line]
        # Of the same round, only a late claim before this one took its money elsewhere.
        earlier = [other.id for other, at in places if at < here and (other.of != one.of or at > 0)]
        if earlier:
            why = "it takes its money first" if part.late else "this one is worth more should it be refused"
            raise BadClaim(
                f"Claim {claim} waits for {earlier[0]}, which came first on level {part.level}: decide that one "
                f"before, because {why}."
            )
    amount = sum(part.taken for part in one.parts)
    payouts = tuple(_payouts(state, one, winners_paid(one, paid), amount))
    _refuse_uncovered(state, [payout for payout in payouts if payout.escrow])
    payment = ClaimPaid(
        jackpot=state.id,
        claim=claim,
        order=one.order,
        table=one.table,
        verified_by=named(verified_by, "name of the verifier"),
        surveillance=surveillance,
        levels={part.level: part.taken for part in one.parts},
        escrow=sum(payout.escrow for payout in payouts),
        undeposited=sum(payout.undeposited for payout in payouts),
        house_cents=one.cents - amount // CENT,
        payouts=payouts,
        second=other,
    )
    return (payment,)


def winners_paid(claim: Claim, paid: Mapping[int, PlayerPaid]) -> dict[int, PlayerPaid]:
    """Who is paid at each winning seat, and how: as it is told, and to the balances of those who sat at an automatic
    table, where nobody else is (BJ-50)."""
    told: dict[int, PlayerPaid] = {}
    for seat, one in paid.items():
        told[seat], sat = player_paid(*one), claim.player_at(seat)
        if sat is not None and (one.payment is not PaidBy.BALANCE or told[seat].player != sat):
            raise BadClaim(f"At seat {seat} of {claim.table} sat {sat}: claim {claim.id} goes to the balance of {sat}.")
        if sat is None and one.payment is PaidBy.BALANCE:
            raise BadClaim(
                f"Nobody with a balance sat at seat {seat} of {claim.table} in round {claim.round}: pay it in cash, by "
                "cheque or by transfer."
            )
    for seat, player in claim.sat:
        if seat in claim.seats:
            told[seat] = to_balance(player, claim.id, seat)
    if set(told) != set(claim.seats):
        wanted = ", ".join(map(str, sorted(claim.seats)))
        raise BadClaim(f"Claim {claim.id} pays seat {wanted}: say who is paid there, how, and under which number.")
    return told


def _refuse_uncovered(state: JackpotState, by_the_bank: Sequence[Payout]) -> None:
    """A check that the account does not cover would bounce."""
    wanted = sum(payout.escrow for payout in by_the_bank)
    has = state.in_the_bank
    if wanted <= has or not by_the_bank:
        return
    words = " and ".join(payout.words for payout in by_the_bank)
    short = f", because it is {books(state.short)} short" if state.short else ""
    shows = ", enter a bank statement that shows the money" if state.short else ""
    raise NotCovered(
        f"The bank account of {state.id} has {books(has)}{short}, and paying {words} takes {books(wanted)}: "
        f"{books(wanted - has)} more. Record a deposit of at least that much first{shows}, or pay in cash from the "
        "cage."
    )


def _payouts(state: JackpotState, claim: Claim, told: Mapping[int, PlayerPaid], amount: Amount) -> Iterator[Payout]:
    """What each winner gets. The bank pays a check or transfer in full, and the house owes it its part; the cage pays
    cash. What comes off no meter the house pays alone."""
    has_account = state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL
    numbers = [_number(one) for one in told.values()]
    twice = next((one.words for one in told.values() if numbers.count(_number(one)) > 1), None)
    if twice:
        raise BadClaim(f"The number of {twice} is given for two winners: each payment has one of its own.")
    for seat in claim.seats:
        prizes = [prize for prize in claim.prizes if prize.seat == seat]
        off_the_meters = min(CENT * sum(prize.cents for prize in prizes if prize.level is not None), amount)
        amount -= off_the_meters
        cents = sum(prize.cents for prize in prizes)
        bank = CENT * cents if has_account and off_the_meters and told[seat].payment.by_the_bank else 0
        yield Payout(seat, *told[seat], cents, bank, off_the_meters - bank)


def _number(paid: PlayerPaid) -> str:
    """What tells payments apart; a check and a transfer do not share a number."""
    return plain_name(paid.reference) if paid.payment.by_the_bank else paid.name


def is_between(time: Time, claimed: Time, now: Time) -> bool:
    """Whether a time lies between the claim and now; people tell minutes, so the minute of the claim counts."""
    return claimed // _MINUTE <= time // _MINUTE and time <= now


def checked(told: Surveillance, calendar: Calendar, claimed: Time, now: Time) -> Surveillance:
    """The surveillance's check, at a time between the claim and now."""
    at = time_told(told.at, calendar, now)
    if not is_between(at, claimed, now):
        raise BadClaim(
            f"The surveillance checked at {calendar.told(at)}, but the claim was made at {calendar.told(claimed)} and "
            f"it is {calendar.told(now)}: tell a time between the two, or {NOW!r}."
        )
    by = named(told.by, "name of the person of the surveillance")
    return Surveillance(by, f"{calendar.local(at):%Y-%m-%d %H:%M}", at)


def decided_by(claim: Claim, who: str, second: str | None) -> str:
    """Who decides about a claim besides ``who``: somebody else where an automatic table claimed it, for nobody sat
    there who saw it (BJ-50)."""
    second_person(claim, who)
    if not claim.automatic and second is None:
        return ""
    _, other = two_people(
        who, second, f"claim {claim.id} of {claim.dealer}" if claim.automatic else f"claim {claim.id}"
    )
    second_person(claim, other)
    return other


def second_person(claim: Claim, name: str) -> None:
    """Somebody else than who dealt, and than who claimed, decides about a claim (BJ-48)."""
    named(name, "name of the verifier")
    told = {"dealt": f"dealt round {claim.round}", "claimed": "claimed it"}
    for who, did in _at_the_table(claim):
        different(name, who, f"{who} {told[did]}: a second person verifies claim {claim.id}.")


def _at_the_table(claim: Claim) -> Iterator[tuple[str, str]]:
    """Who dealt and who claimed, and which of the two they did."""
    yield claim.dealt, "dealt"
    if claim.claimed_by_another:
        yield claim.dealer, "claimed"
