"""Payments: a claim that a second person has verified is paid, with a record of who got the money and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cardroom.floor.desks.answers import ClaimDecided, claim_decided, claim_decided_entry
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM, jackpot_chain, player_chain
from cardroom.floor.kept.claims import ClaimStory, PrizeDecided, claim_story, prize_decided
from cardroom.floor.players.happenings import PrizeCredited
from cardroom.jackpots import Surveillance, written
from cardroom.jackpots.claim.paying import checked, pay_claim, winners_paid
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.happenings import ClaimPaid
from cardroom.jackpots.meter.state import UnknownClaim
from cardroom.jackpots.payouts import Payout, PlayerPaid, player_paid
from cardroom.jackpots.pending import Claim
from cardroom.jackpots.references import BadReference, PaidBy, other_payment_words, payment_words, plain_name
from cardroom.ledger import Json, Time, UniqueKey


class PaymentDesk(Desk):
    """Where winners are paid."""

    def pay(
        self,
        id: str,
        who: str,
        jackpot: str,
        claim: str,
        *,
        paid: Mapping[int, PlayerPaid],
        surveillance: Surveillance | None = None,
        second: str | None = None,
    ) -> ClaimDecided:
        """A second person has verified the claim, above a certain win with the surveillance: it is paid. ``paid`` says
        of each winning seat who got the money, how, and under which number; the surveillance's time is told by the
        room's clock, or is ``now``.

        What an automatic table has claimed two people verify, and it goes to the balances of those who sat there, of
        whom nothing has to be told."""
        chain = jackpot_chain(jackpot)
        told = {seat: player_paid(*paid[seat]) for seat in sorted(paid)}
        body: dict[str, Json] = {
            "do": "pay",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "paid": {str(seat): written(one) for seat, one in told.items()},
            "surveillance": written(surveillance) if surveillance else None,
        }
        body |= {"second": second} if second is not None else {}
        claimed, pending = self._claimed_at(jackpot, claim), self._pending(jackpot, claim)
        winners = told if pending is None else winners_paid(pending, told)

        def decide(draft: Draft) -> Json:
            state, calendar, now = draft.jackpot(jackpot), draft.room().settings.calendar, self._clock()
            prizes = state.claim(claim).prizes
            if claimed is None:
                raise BadClaim(f"Claim {claim} was made at this very moment: send the command again.")
            if winners_paid(state.claim(claim), told) != winners:
                raise BadClaim(f"Claim {claim} was decided in part at this very moment: send the command again.")
            for one in winners.values():
                refuse_used_payment(draft, chain, one.payment, one.reference)
            check = checked(surveillance, calendar, claimed, now) if surveillance else None
            happened = pay_claim(state, claim, verified_by=who, paid=winners, surveillance=check, second=second)
            after = draft.at_jackpot(jackpot, happened)
            payouts = tuple(payout for one in happened if isinstance(one, ClaimPaid) for payout in one.payouts)
            credit_balances(draft, jackpot, claim, payouts)
            return claim_decided_entry(claim, prizes, after, payouts)

        names = tuple(
            UniqueKey(chain, name) for one in winners.values() for name in payment_names(one.payment, one.reference)
        )
        players = (player_chain(one.player) for one in winners.values() if one.payment is PaidBy.BALANCE)
        return self._do(id, body, (chain, ROOM, *players), decide, claim_decided, names)

    def _pending(self, jackpot: str, claim: str) -> Claim | None:
        return next((one for one in self.jackpot(jackpot).claims if one.id == claim), None)

    def _claimed_at(self, jackpot: str, claim: str) -> int | None:
        """When a pending claim was made."""
        if self._pending(jackpot, claim) is None:
            return None
        story = claim_story(self.ledger, jackpot, claim)
        return story.locked.time if story else None

    def claim_story(self, jackpot: str, claim: str) -> ClaimStory:
        """A claim, pending or decided, however long ago."""
        self.jackpot(jackpot)
        story = claim_story(self.ledger, jackpot, claim)
        if story is None:
            raise UnknownClaim(f"There never was a claim {claim!r} on jackpot {jackpot}: check its id.")
        return story

    def prize_decided(self, jackpot: str, claim: str, seat: int, since: Time) -> PrizeDecided | None:
        """What became of a seat's prizes that were claimed at a moment; None while they wait for people."""
        pending = self._pending(jackpot, claim)
        if pending is not None and seat in pending.seats:
            return None
        return prize_decided(self.ledger, jackpot, claim, seat, since)


def credit_balances(draft: Draft, jackpot: str, claim: str, payouts: Iterable[Payout]) -> None:
    """What is paid to a balance happens to the player too, whose chain is locked."""
    for one in payouts:
        if one.payment is PaidBy.BALANCE:
            draft.at_player(one.player, (PrizeCredited(one.player, jackpot, claim, one.seat, one.cents),))


def payment_names(payment: PaidBy, reference: str) -> tuple[str, ...]:
    """What a payment is known by, and what it must not be known by already."""
    return tuple(map(plain_name, (payment_words(payment, reference), *other_payment_words(payment, reference))))


def refuse_used_payment(draft: Draft, chain: str, payment: PaidBy, reference: str) -> None:
    """A number is entered once, and a check and a transfer do not share one."""
    refuse_used(draft, chain, payment_words(payment, reference))
    for words in other_payment_words(payment, reference):
        refuse_used(draft, chain, words)


def refuse_used(draft: Draft, chain: str, words: str) -> None:
    """A number of the bank's is entered once."""
    used = draft.named(chain, plain_name(words))
    if used is not None:
        when = draft.room().settings.calendar.told(used.time)
        raise BadReference(
            f"{words[:1].upper()}{words[1:]} was entered already, on {when} (event {used.sequence}): each has a number "
            "of its own."
        )
