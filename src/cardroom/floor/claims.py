"""Claims: what was won is locked, verified by a second person and paid, or refused and given back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from cardroom.floor.answers import (
    ClaimDecided,
    ClaimMade,
    claim_decided,
    claim_decided_entry,
    claim_made,
    claim_made_entry,
)
from cardroom.floor.chains import jackpot_chain, table_chain
from cardroom.floor.desk import Desk
from cardroom.floor.draft import Draft
from cardroom.floor.layout import told
from cardroom.games import game
from cardroom.jackpots import Happening
from cardroom.jackpots.claims import Surveillance, claim_hand, claim_record, pay_claim
from cardroom.jackpots.refusing import refuse_claim
from cardroom.jackpots.service import with_displayed_bonuses
from cardroom.jackpots.typed_hand import TypedHand
from cardroom.ledger import Json


class ClaimDesk(Desk):
    """The win flow. A claim is named by the id of the command that made it."""

    def claim(self, id: str, who: str, jackpot: str, table: str, round_id: str, record: Mapping[str, Any]) -> ClaimMade:
        """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; the dealer claims."""
        body: dict[str, Json] = {
            "do": "claim",
            "who": who,
            "jackpot": jackpot,
            "table": table,
            "round": round_id,
            "record": dict(record),
        }

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            return _made(
                draft, jackpot, id, claim_record(state, record, claim=id, table=table, round_id=round_id, dealer=who)
            )

        return self._do(id, body, (jackpot_chain(jackpot),), decide, claim_made)

    def claim_hand(self, id: str, who: str, jackpot: str, table: str, round_id: str, hand: TypedHand) -> ClaimMade:
        """Claim the prize of a hand that the dealer types in."""
        body: dict[str, Json] = {
            "do": "claim-hand",
            "who": who,
            "jackpot": jackpot,
            "table": table,
            "round": round_id,
            "hand": {
                "wager": hand.wager,
                "wagered": hand.wagered,
                "cards": dict(hand.cards),
                "decisions": dict(hand.decisions),
                "seat": hand.seat,
            },
        }

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            setup = with_displayed_bonuses(draft.table(table).game_setup, [state])
            at = game(setup.game).open(setup)
            return _made(
                draft, jackpot, id, claim_hand(state, at, hand, claim=id, table=table, round_id=round_id, dealer=who)
            )

        return self._do(id, body, (jackpot_chain(jackpot), table_chain(table)), decide, claim_made)

    def pay(
        self, id: str, who: str, jackpot: str, claim: str, *, surveillance: Surveillance | None = None
    ) -> ClaimDecided:
        """A second person has verified the claim, above a certain win with the surveillance: it is paid."""
        body: dict[str, Json] = {
            "do": "pay",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "surveillance": {"by": surveillance.by, "at": surveillance.at} if surveillance else None,
        }

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            happenings = pay_claim(state, claim, verified_by=who, surveillance=surveillance)
            return claim_decided_entry(claim, state.claim(claim).prizes, draft.at_jackpot(jackpot, happenings))

        return self._do(id, body, (jackpot_chain(jackpot),), decide, claim_decided)

    def refuse(
        self, id: str, who: str, jackpot: str, claim: str, why: str, *, seats: Collection[int] | None = None
    ) -> ClaimDecided:
        """Give a claim back, or the prizes of some seats of it: all is as if it had never been claimed."""
        body: dict[str, Json] = {
            "do": "refuse",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "seats": None if seats is None else sorted(set(seats)),
        }

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            happenings = refuse_claim(state, claim, refused_by=who, why=why, seats=seats)
            prizes = state.claim(claim).prizes
            refused = tuple(prize for prize in prizes if seats is None or prize.seat in seats)
            return claim_decided_entry(claim, refused, draft.at_jackpot(jackpot, happenings))

        return self._do(id, body, (jackpot_chain(jackpot),), decide, claim_decided)


def judged(happenings: Sequence[Happening]) -> list[Happening]:
    """A claim as it is stored: with the record of the round goes the order of the wagers on its layout."""
    return [
        Happening(one.kind, one.version, told(one.payload)) if "record" in one.payload else one for one in happenings
    ]


def _made(draft: Draft, jackpot: str, claim: str, happenings: Sequence[Happening]) -> Json:
    state = draft.at_jackpot(jackpot, judged(happenings))
    paid = [prize for one in happenings if one.kind == "prizes-paid" for prize in one.payload["prizes"]]
    pending = next((one for one in state.claims if one.id == claim), None)
    return claim_made_entry(claim, paid, pending, state)
