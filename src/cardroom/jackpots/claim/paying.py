"""A claim that a second person has verified is paid."""

from __future__ import annotations

from cardroom.accounts import CENT
from cardroom.games.money import money
from cardroom.jackpots.claim.anew import place
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import Surveillance
from cardroom.jackpots.happenings import ClaimPaid, Happening
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Claim
from cardroom.jackpots.people import different, named
from cardroom.jackpots.setup.jackpot import JackpotKind


def pay_claim(
    state: JackpotState, claim: str, *, verified_by: str, surveillance: Surveillance | None = None
) -> tuple[Happening, ...]:
    """A second person has verified the claim: it is paid."""
    one = state.claim(claim)
    second_person(one, verified_by)
    over = state.jackpot.law.surveillance_over
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
        line = state.pending_on(part.level)
        here = place(line, one, part.level)
        earlier = [other.id for other in line if other.of != one.of and place(line, other, part.level) < here]
        if earlier:
            raise BadClaim(
                f"Claim {claim} waits for {earlier[0]}, which came first on level {part.level}: decide that one "
                "before, because this one is worth more should it be refused."
            )
    amount = sum(part.taken for part in one.parts)
    from_escrow = min(amount, state.escrow)
    paid = ClaimPaid(
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
    )
    return (paid,)


def second_person(claim: Claim, name: str) -> None:
    """Somebody else than the dealer decides about a claim."""
    named(name, "name of the verifier")
    different(name, claim.dealer, f"{claim.dealer} dealt the hand of claim {claim.id}: a second person verifies it.")
