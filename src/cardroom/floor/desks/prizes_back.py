"""Prizes that a dealer paid at once on a wrong hand are taken back by two people."""

from __future__ import annotations

from cardroom.floor.desks.answers import ClaimDecided, claim_decided, claim_decided_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk, mark_of, still_changing
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.claims import paid_at_once
from cardroom.jackpots import Chips
from cardroom.jackpots.claim.taking_back import never_paid, take_back_prizes
from cardroom.ledger import Command, Json


class PrizesBackDesk(LinkedDesk):
    """Where what was paid wrongly comes back."""

    def take_back_prizes(
        self, id: str, who: str, jackpot: str, claim: str, why: str, *, second: str | None, chips: Chips
    ) -> ClaimDecided:
        """Take back what the command ``claim`` had the dealer pay at once: the hand may be claimed again, and the round
        may be void. ``chips`` says whether the player gave them back."""
        body: dict[str, Json] = {
            "do": "take-back-prizes",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "second": second,
            "chips": str(chips),
        }

        def command() -> Command:
            mark, found = mark_of(self.jackpot(jackpot)), paid_at_once(self.ledger, jackpot, claim)

            def decide(draft: Draft) -> Json:
                if mark_of(draft.jackpot(jackpot)) != mark:
                    raise still_changing(jackpot)
                if found is None or found.taken_back:
                    raise never_paid(jackpot, claim, taken_back=found is not None)
                taken = take_back_prizes(found.paid, claim, who=who, second=second, why=why, chips=chips)
                return claim_decided_entry(claim, found.paid.prizes, draft.at_jackpot(jackpot, taken))

            return self._command(id, body, (jackpot_chain(jackpot),), decide)

        return self._steady(command, claim_decided, jackpot)
