"""Claims: what was won is locked, verified by a second person and paid, or refused and given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from cardroom.floor.desks.answers import (
    ClaimDecided,
    ClaimMade,
    claim_decided,
    claim_decided_entry,
    claim_made,
    claim_made_entry,
)
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk, mark_of, still_changing
from cardroom.floor.kept.chains import ROOM, jackpot_chain, person_chain, person_of, table_chain
from cardroom.floor.kept.live_recall import TypedInRound, who_dealt
from cardroom.floor.kept.recall import RecordedRound, recorded_round, set_up_at
from cardroom.floor.kept.table import TableState
from cardroom.floor.live.claimed import refuse_other_than_typed
from cardroom.floor.people.senders import person_id
from cardroom.games import Table, game
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.jackpots import Happening
from cardroom.jackpots.claim.agreeing import refuse_contradiction
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.flow import Asked, claim_record, claim_typed
from cardroom.jackpots.claim.refusing import refuse_claim
from cardroom.jackpots.claim.typed_hand import TypedHand, typed_entry
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.happenings import PrizesPaid, PrizesWon, RoundRecorded
from cardroom.jackpots.layout import on_layout
from cardroom.jackpots.meter.service import with_displayed_bonuses
from cardroom.jackpots.tabulator.replay import positions_for, staked_for
from cardroom.ledger import Command, Json


class ClaimDesk(LinkedDesk):
    """The win flow. A claim is named by the id of the command that made it."""

    def claim(self, id: str, who: str, jackpot: str, table: str, round_id: str, record: Mapping[str, Any]) -> ClaimMade:
        """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; the dealer claims.
        What was claimed of it before is left out."""

        def won(draft: Draft, asked: Asked, _: RecordedRound | None) -> tuple[Happening, ...]:
            return claim_record(draft.jackpot(jackpot), record, asked)

        return self._claim(id, who, jackpot, table, round_id, {"do": "claim", "record": dict(record)}, won)

    def claim_hand(self, id: str, who: str, jackpot: str, table: str, round_id: str, hand: TypedHand) -> ClaimMade:
        """Claim the prize of a hand that the dealer types in; each winner of a round may be claimed on its own."""
        typed: dict[str, Json] = {
            "wager": hand.wager,
            "wagered": hand.wagered,
            "cards": dict(hand.cards),
            "decisions": dict(hand.decisions),
            "seat": hand.seat,
        }

        def won(draft: Draft, asked: Asked, recorded: RecordedRound | None) -> tuple[Happening, ...]:
            state = draft.jackpot(jackpot)
            held = set_up_at(self.ledger, table, recorded.sequence) if recorded else None
            played_at = setup_from_json(on_layout(held.setup, held.layout)) if held else draft.table(table).game_setup
            setup = with_displayed_bonuses(played_at, [state])
            at = game(setup.game).open(setup)
            others = _envious(at, hand, recorded, jackpot)
            said = _with_typed_answers(hand, self._typed_in_round(draft, table, round_id))
            return claim_typed(state, typed_entry(setup_to_json(setup), said, others), hand.seat, asked)

        return self._claim(id, who, jackpot, table, round_id, {"do": "claim-hand", "hand": typed}, won)

    def _claim(
        self,
        id: str,
        who: str,
        jackpot: str,
        table: str,
        round_id: str,
        told: Mapping[str, Json],
        won: Callable[[Draft, Asked, RecordedRound | None], tuple[Happening, ...]],
    ) -> ClaimMade:
        body: dict[str, Json] = {**told, "who": who, "jackpot": jackpot, "table": table, "round": round_id}

        def command() -> Command:
            recorded = recorded_round(self.ledger, table, round_id)
            felts = self._felt_of(table, round_id)
            dealt = who_dealt(self.ledger, recorded) if recorded else ""
            looked_up = {one: self._looked_up(one, table, round_id) for one in _jackpots(recorded, jackpot)}
            is_taken = self._claimed_under(id, jackpot)

            def decide(draft: Draft) -> Json:
                if is_taken or any(one.id == id for one in draft.jackpot(jackpot).claims):
                    raise BadClaim(f"Another person's claim on {jackpot} is called {id}: give this one another id.")
                for one, (mark, _) in looked_up.items():
                    if mark_of(draft.jackpot(one)) != mark:
                        raise still_changing(table)
                before = looked_up[jackpot][1] if jackpot in looked_up else ClaimedBefore()
                limit, counted = draft.room().settings.dealer_pays, recorded.sequence if recorded else 0
                elsewhere = _paid_elsewhere(known for one, (_, known) in looked_up.items() if one != jackpot)
                prizes = won(draft, Asked(id, table, round_id, who, counted, limit, before, dealt, elsewhere), recorded)
                refuse_uncounted(prizes, recorded, draft.table(table), jackpot, round_id)
                others = [(one, told) for one, (_, known) in looked_up.items() for told in known.earlier]
                for happening in prizes:
                    if isinstance(happening, PrizesWon):
                        refuse_contradiction(happening, others)
                        if typed := self._typed_in_round(draft, table, round_id):
                            claims = [claim for _, claim in others]
                            refuse_other_than_typed(happening, typed.live, typed.deck, claims, ended=typed.ended)
                was = {one.id: one.cents for one in draft.jackpot(jackpot).claims}
                state = draft.at_jackpot(jackpot, prizes)
                paid = tuple(prize for one in prizes if isinstance(one, PrizesPaid) for prize in one.prizes)
                pending = next((one for one in state.claims if one.id == id), None)
                anew = {one.id: one.cents for one in state.claims if was.get(one.id, one.cents) != one.cents}
                return claim_made_entry(id, paid, pending, state, anew)

            jackpots = dict.fromkeys((jackpot, *looked_up))
            chains = (ROOM, table_chain(table), *felts, *map(jackpot_chain, jackpots))
            return self._command(id, body, chains, decide)

        return self._steady(command, claim_made, table)

    def _claimed_under(self, id: str, jackpot: str) -> bool:
        """Whether somebody has claimed under an id before: the claim is known by it, whoever sent it."""
        for login in self.ledger.chains(person_chain("")):
            carried = self.ledger.find_result(person_id(person_of(login) or "", id))
            answer = carried.response if carried is not None else None
            if isinstance(answer, dict) and answer.get("claim") == id and answer["standing"]["jackpot"] == jackpot:
                return True
        return False

    def refuse(
        self,
        id: str,
        who: str,
        jackpot: str,
        claim: str,
        why: str,
        *,
        seats: Collection[int] | None = None,
        second: str | None = None,
    ) -> ClaimDecided:
        """Give a claim back, or the prizes of some seats of it: all is as if it had never been claimed. Two people do
        where an automatic table claimed it."""
        body: dict[str, Json] = {
            "do": "refuse",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "seats": None if seats is None else sorted(set(seats)),
        }
        body |= {"second": second} if second is not None else {}

        def decide(draft: Draft) -> Json:
            state = draft.jackpot(jackpot)
            happenings = refuse_claim(state, claim, refused_by=who, why=why, seats=seats, second=second)
            prizes = state.claim(claim).prizes
            refused = tuple(prize for prize in prizes if seats is None or prize.seat in seats)
            return claim_decided_entry(claim, refused, draft.at_jackpot(jackpot, happenings))

        return self._do(id, body, (jackpot_chain(jackpot),), decide, claim_decided)

    def wagered_at(self, jackpot: str, table: str, round_id: str) -> tuple[int, ...]:
        """The positions at which wagers for a jackpot were counted in a round."""
        recorded = recorded_round(self.ledger, table, round_id)
        return tuple(sorted(positions_for(recorded.counted, jackpot))) if recorded else ()

    def staked_at(self, jackpot: str, table: str, round_id: str) -> dict[int, int] | None:
        """What was wagered for a jackpot at each position in a round, in cents, where amounts are known; None for a
        round that was not counted."""
        recorded = recorded_round(self.ledger, table, round_id)
        return staked_for(recorded.counted, jackpot) if recorded else None

    def wager_for(self, jackpot: str, table: str, round_id: str) -> str | None:
        """The wager that played for a jackpot in a round, also if the table has left the jackpot since."""
        recorded = recorded_round(self.ledger, table, round_id)
        wagers = recorded.counted.wagers if recorded else ()
        return next((one.wager for one in wagers if one.jackpot == jackpot), None)

    def jackpot_of(self, wager: str, table: str, round_id: str) -> str | None:
        """The jackpot that a wager played for in a round, also if the table has left the jackpot since."""
        recorded = recorded_round(self.ledger, table, round_id)
        wagers = recorded.counted.wagers if recorded else ()
        return next((one.jackpot for one in wagers if one.wager == wager), None)


def _paid_elsewhere(others: Iterable[ClaimedBefore]) -> Mapping[int, int]:
    """By seat, what the dealer has paid at once in a round on some jackpots."""
    paid = Counter[int]()
    for known in others:
        paid.update({seat: known.paid_alone(seat) for seat in known.seats_paid_at_once})
    return paid


def _jackpots(recorded: RecordedRound | None, jackpot: str) -> tuple[str, ...]:
    """The jackpots that a round was counted for, if this one is among them: their claims tell of the same cards."""
    counted = recorded.counted.wagers if recorded else ()
    there = tuple(one.jackpot for one in counted if one.jackpot is not None and one.count)
    return there if jackpot in there else ()


def _with_typed_answers(hand: TypedHand, typed: TypedInRound | None) -> TypedHand:
    """The hand with the answers that were typed for its seat, where the claim leaves them out."""
    if typed is None:
        return hand
    answers = {one.question: one.answer for one in typed.live.answers if one.seat == hand.seat}
    return replace(hand, decisions={**answers, **hand.decisions})


def _envious(at: Table, hand: TypedHand, recorded: RecordedRound | None, jackpot: str) -> dict[int, int]:
    """The other seats and what they wagered, as it was counted, where a feature may let a hand win for them."""
    offered = at.offers.get(hand.wager)
    if recorded is None or offered is None or offered.feature is None:
        return {}
    staked = staked_for(recorded.counted, jackpot)
    return {seat: cents for seat, cents in staked.items() if seat != hand.seat and seat <= at.setup.seats}


def refuse_uncounted(
    won: Sequence[Happening], recorded: RecordedRound | None, table: TableState, jackpot: str, round_id: str
) -> None:
    """Only a wager that was counted can win: the round was, and the winners' positions were among them (BJ-19)."""
    if recorded is None:
        raise BadClaim(
            f"Round {round_id} was not counted at {table.id}: tabulate it, or count it by hand, before it is claimed."
        )
    if round_id in table.tabulator.voided:
        raise BadClaim(f"Round {round_id} of {table.id} is void: every wager went back, so nothing was won.")
    prizes = [one for one in won if isinstance(one, PrizesWon)]
    _refuse_anybody_but_the_table(prizes, recorded.counted)
    there = positions_for(recorded.counted, jackpot)
    winners = {prize.seat for one in prizes for prize in one.prizes}
    if missing := sorted(winners - there):
        where = f"only at {_listed(there)}" if there else "nor anywhere else"
        raise BadClaim(
            f"No wager for {jackpot} was counted at position {_listed(missing)} in round {round_id}, {where}."
        )
    _refuse_another_amount(prizes, recorded.counted, jackpot, winners)


def _refuse_anybody_but_the_table(won: Sequence[PrizesWon], counted: RoundRecorded) -> None:
    """An automatic table claims what it has dealt itself; nobody types its cards."""
    if counted.automatic and not all(one.automatic for one in won):
        raise BadClaim(
            f"Round {counted.round} was dealt by the automatic table {counted.table}, which claims by itself what was "
            "won."
        )


def _refuse_another_amount(
    won: Sequence[PrizesWon], counted: RoundRecorded, jackpot: str, winners: AbstractSet[int]
) -> None:
    """A winner has wagered what was counted: where there are two amounts, the lammer tells which (BJ-20)."""
    (wager,) = (one.wager for one in counted.wagers if one.jackpot == jackpot)
    staked = staked_for(counted, jackpot)
    for prizes in won:
        typed = set() if prizes.typed_seat is None else {prizes.typed_seat}
        for seat in sorted((winners | typed) & staked.keys()):
            claimed = prizes.record["wagers"][str(seat)].get(wager, 0)
            if claimed != staked[seat]:
                raise BadClaim(
                    f"At position {seat} {format_cents(staked[seat])} was counted for {jackpot}, not "
                    f"{format_cents(claimed)}: a "
                    "larger wager has a lammer."
                )


def _listed(places: Collection[int]) -> str:
    return ", ".join(map(str, sorted(places)))
