"""A claim that a second person has verified is paid: to whom, how, under which number, checked by whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from cardroom.accounts import CENT, Amount
from cardroom.games.money import money
from cardroom.jackpots.claim.anew import place
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import Surveillance
from cardroom.jackpots.happenings import ClaimPaid, Happening
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.payouts import Payout, PlayerPaid, player_paid
from cardroom.jackpots.pending import Claim
from cardroom.jackpots.people import different, named
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.told_time import NOW, time_told

_MINUTE: Final = 60_000_000


def pay_claim(
    state: JackpotState,
    claim: str,
    *,
    verified_by: str,
    paid: Mapping[int, PlayerPaid],
    surveillance: Surveillance | None = None,
) -> tuple[Happening, ...]:
    """A second person has verified the claim: it is paid. ``paid`` says of each winning seat who got the money and
    how."""
    one = state.claim(claim)
    second_person(one, verified_by)
    over = state.jackpot.law.surveillance_over
    if surveillance is not None:
        named(surveillance.by, "name of the person of the surveillance")
        for who, did in _at_the_table(one):
            different(surveillance.by, who, f"The surveillance checks what {who} {did}: name somebody else.")
        different(surveillance.by, verified_by, f"The surveillance checks besides {verified_by}: name somebody else.")
    elif over is not None and one.largest_win > over:
        raise BadClaim(
            f"A win of {money(one.largest_win)} is over {money(over)}: note who of the surveillance checked hand, "
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
    from_escrow = min(amount, state.escrow)
    payment = ClaimPaid(
        jackpot=state.id,
        claim=claim,
        order=one.order,
        table=one.table,
        verified_by=named(verified_by, "name of the verifier"),
        surveillance=surveillance,
        levels={part.level: part.taken for part in one.parts},
        escrow=from_escrow,
        undeposited=amount - from_escrow,
        house_cents=one.cents - amount // CENT,
        payouts=tuple(_payouts(one, paid, amount, from_escrow)),
    )
    return (payment,)


def _payouts(claim: Claim, paid: Mapping[int, PlayerPaid], amount: Amount, escrow: Amount) -> Iterator[Payout]:
    """What each winner gets: off the meters first from the bank account, then from the cage; the rest is the
    house's."""
    if set(paid) != set(claim.seats):
        wanted = ", ".join(map(str, sorted(claim.seats)))
        raise BadClaim(f"Claim {claim.id} pays seat {wanted}: say who is paid there, how, and under which number.")
    told = {seat: player_paid(*paid[seat]) for seat in claim.seats}
    numbers = [one.name for one in told.values()]
    twice = next((one.words for one in told.values() if numbers.count(one.name) > 1), None)
    if twice:
        raise BadClaim(f"The number of {twice} is given for two winners: each payment has one of its own.")
    for seat in claim.seats:
        prizes = [prize for prize in claim.prizes if prize.seat == seat]
        off_the_meters = min(CENT * sum(prize.cents for prize in prizes if prize.level is not None), amount)
        bank = min(off_the_meters, escrow)
        amount, escrow = amount - off_the_meters, escrow - bank
        yield Payout(seat, *told[seat], sum(prize.cents for prize in prizes), bank, off_the_meters - bank)


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


def second_person(claim: Claim, name: str) -> None:
    """Somebody else than who dealt, and than who claimed, decides about a claim (BJ-48)."""
    named(name, "name of the verifier")
    told = {"dealt": f"dealt round {claim.round}", "claimed": "claimed it"}
    for who, did in _at_the_table(claim):
        different(name, who, f"{who} {told[did]}: a second person verifies claim {claim.id}.")


def _at_the_table(claim: Claim) -> Iterator[tuple[str, str]]:
    """Who dealt and who claimed, and which of the two they did."""
    yield claim.dealt_by, "dealt"
    if claim.claimed_by_another:
        yield claim.dealer, "claimed"
