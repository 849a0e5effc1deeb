"""Prizes that were paid at once on a wrong hand are taken back: they count as never claimed (BJ-47).

The dealer paid them alone, so two others, or the dealer and another, answer for it. What the player gave back is in the
chip tray again; what is gone the house bears.
"""

from __future__ import annotations

from cardroom.errors import quote
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import Chips
from cardroom.jackpots.happenings import Happening, PrizesPaid, PrizesTakenBack
from cardroom.jackpots.people import named, two_people


def take_back_prizes(
    paid: PrizesPaid, claim: str, *, who: str, second: str | None, why: str, chips: Chips
) -> tuple[Happening, ...]:
    """Take back what the command with this id had the dealer pay at once."""
    if paid.automatic:
        raise BadClaim(
            f"The prizes of round {paid.round} were paid by {paid.dealer}, which dealt the cards itself: they stand."
        )
    one, other = two_people(who, second, "a prize that is taken back")
    taken = PrizesTakenBack(
        jackpot=paid.jackpot,
        claim=claim,
        table=paid.table,
        round=paid.round,
        prizes=paid.prizes,
        cents=paid.cents,
        chips=chips,
        who=one,
        second=other,
        why=named(why, "reason"),
    )
    return (taken,)


def never_paid(jackpot: str, claim: str, *, taken_back: bool) -> BadClaim:
    """Why nothing can be taken back."""
    if taken_back:
        return BadClaim(f"The prizes of {claim} were taken back already: nothing is left of them.")
    return BadClaim(
        f"No prize was paid at once by the command {quote(claim)} on {jackpot}: name the command that claimed it. A "
        "claim that is pending is refused (cardroom jackpot refuse)."
    )
