"""Claims: a prize is locked, verified by a second person and paid, or refused and returned.

Two people reverse prizes that a dealer paid at once on a wrong hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from cardroom.games import Table, game
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.ledger import Command, Json
from cardroom.room.claim.new_claim import ClaimSubmission, claim_record, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims, refuse_contradiction
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.claim.resolution import nothing_to_reverse_error, refuse_claim, reverse_prizes
from cardroom.room.claim.typed_hand import TypedHand, typed_hand_record
from cardroom.room.codec import restore_wager_order
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.jackpot.events import PrizesPaid, PrizesWon
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.table.claim_contradictions import refuse_claim_against_input
from cardroom.room.tabulator.events import RoundRecorded
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.state import positions_for, stakes_by_position
from cardroom.room.user.command_ids import user_command_id
from cardroom.service.chains.names import parse_user_chain, user_chain
from cardroom.service.commands.handler import LinkedTableHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import (
    ClaimDecisionResult,
    ClaimResult,
    decode_claim_decision,
    decode_claim_result,
    encode_claim_decision,
    encode_claim_result,
)
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import RoundCountRecord, find_counted_round, find_setup_at
from cardroom.service.queries.claims import find_immediate_payment
from cardroom.service.queries.past_live_rounds import TypedLiveRound, find_dealer


class ClaimService:
    """Claims of prizes, and reversals of prizes that were paid wrongly. A claim's id is that of its command."""

    def __init__(self, handler: LinkedTableHandler) -> None:
        self._handler = handler

    def claim_prizes(
        self, id: str, who: str, jackpot: str, table: str, round_id: str, record: Mapping[str, Any]
    ) -> ClaimResult:
        """Claim the prizes of a finished round from its record, as ``cardroom settle`` reads it; the dealer claims.
        What was claimed before is left out."""

        def decide_prizes(
            uow: UnitOfWork, request: ClaimSubmission, _: RoundCountRecord | None
        ) -> tuple[DomainEvent, ...]:
            return claim_record(uow.jackpot(jackpot), record, request)

        return self._make_claim(
            id, who, jackpot, table, round_id, {"do": "claim", "record": dict(record)}, decide_prizes
        )

    def claim_hand(self, id: str, who: str, jackpot: str, table: str, round_id: str, hand: TypedHand) -> ClaimResult:
        """Claim the prize of a hand that the dealer enters; each winner of a round may be claimed separately."""
        hand_json: dict[str, Json] = {
            "wager": hand.wager,
            "wagered": hand.wagered,
            "cards": dict(hand.cards),
            "decisions": dict(hand.decisions),
            "seat": hand.seat,
        }

        def decide_prizes(
            uow: UnitOfWork, request: ClaimSubmission, recorded: RoundCountRecord | None
        ) -> tuple[DomainEvent, ...]:
            state = uow.jackpot(jackpot)
            installed = find_setup_at(self._handler.ledger, table, recorded.sequence) if recorded else None
            played_at = (
                setup_from_json(restore_wager_order(installed.setup, installed.layout))
                if installed
                else uow.tabulator(table).game_setup
            )
            setup = with_displayed_bonuses(played_at, [state])
            at = game(setup.game).open(setup)
            sharing_stakes = _find_sharing_seats(at, hand, recorded, jackpot)
            completed_hand = _add_typed_decisions(hand, self._handler.load_typed_round(uow, table, round_id))
            return claim_typed_hand(
                state, typed_hand_record(setup_to_json(setup), completed_hand, sharing_stakes), hand.seat, request
            )

        return self._make_claim(
            id, who, jackpot, table, round_id, {"do": "claim-hand", "hand": hand_json}, decide_prizes
        )

    def _make_claim(
        self,
        id: str,
        who: str,
        jackpot: str,
        table: str,
        round_id: str,
        payload: Mapping[str, Json],
        decide_prizes: Callable[[UnitOfWork, ClaimSubmission, RoundCountRecord | None], tuple[DomainEvent, ...]],
    ) -> ClaimResult:
        body: dict[str, Json] = {**payload, "who": who, "jackpot": jackpot, "table": table, "round": round_id}

        def prepare() -> Command:
            recorded = find_counted_round(self._handler.ledger, table, round_id)
            dealt_table = self._handler.lock_dealt_table(table, round_id)
            dealt = find_dealer(self._handler.ledger, recorded) if recorded else ""
            traces = {
                item: self._handler.trace_round(item, table, round_id) for item in _list_jackpots(recorded, jackpot)
            }
            is_taken = self._is_claim_id_used(id, jackpot)

            def decide(uow: UnitOfWork) -> Json:
                if is_taken or any(item.id == id for item in uow.jackpot(jackpot).claims):
                    raise BadClaim(f"Another person's claim on {jackpot} has the id {id}: give this one another id.")
                claims = {item: trace.require_current(uow).prior_claims for item, trace in traces.items()}
                before = claims.get(jackpot, PriorClaims())
                limit, count_sequence = uow.room().settings.dealer_pays, recorded.sequence if recorded else 0
                elsewhere = _sum_paid_elsewhere(prior for item, prior in claims.items() if item != jackpot)
                prizes = decide_prizes(
                    uow,
                    ClaimSubmission(id, table, round_id, who, count_sequence, limit, before, dealt, elsewhere),
                    recorded,
                )
                refuse_uncounted(prizes, recorded, uow.tabulator(table), jackpot, round_id)
                other_claims = [(item, claim) for item, prior in claims.items() for claim in prior.earlier]
                for event in prizes:
                    if isinstance(event, PrizesWon):
                        refuse_contradiction(event, other_claims)
                        if typed_round := self._handler.load_typed_round(uow, table, round_id):
                            earlier = [claim for _, claim in other_claims]
                            refuse_claim_against_input(
                                event, typed_round.live, typed_round.deck, earlier, is_ended=typed_round.is_ended
                            )
                was = {item.id: item.cents for item in uow.jackpot(jackpot).claims}
                state = uow.apply_to_jackpot(jackpot, prizes)
                paid = tuple(prize for item in prizes if isinstance(item, PrizesPaid) for prize in item.prizes)
                pending = next((item for item in state.claims if item.id == id), None)
                revalued = {item.id: item.cents for item in state.claims if was.get(item.id, item.cents) != item.cents}
                return encode_claim_result(id, paid, pending, state, revalued)

            locks = Locks(room=True, tabulators=[table], jackpots=[jackpot, *traces]) | dealt_table
            return self._handler.build_command(id, body, locks, decide)

        return self._handler.execute_prepared(prepare, decode_claim_result)

    def _is_claim_id_used(self, id: str, jackpot: str) -> bool:
        """Whether any person has claimed under an id before: the id names the claim, whichever user sent it."""
        for login in self._handler.ledger.chains(user_chain("")):
            carried = self._handler.ledger.find_result(user_command_id(parse_user_chain(login) or "", id))
            answer = carried.response if carried is not None else None
            if isinstance(answer, dict) and answer.get("claim") == id and answer["summary"]["jackpot"] == jackpot:
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
    ) -> ClaimDecisionResult:
        """Refuse a claim, or the prizes of some seats of it: the result is as if it had never been claimed. It takes
        two people where an automatic table made the claim."""
        body: dict[str, Json] = {
            "do": "refuse",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "seats": None if seats is None else sorted(set(seats)),
        }
        body |= {"second": second} if second is not None else {}

        def decide(uow: UnitOfWork) -> Json:
            state = uow.jackpot(jackpot)
            events = refuse_claim(state, claim, refused_by=who, why=why, seats=seats, second=second)
            prizes = state.claim(claim).prizes
            refused = tuple(prize for prize in prizes if seats is None or prize.seat in seats)
            return encode_claim_decision(claim, refused, uow.apply_to_jackpot(jackpot, events))

        return self._handler.execute(id, body, Locks(jackpots=[jackpot]), decide, decode_claim_decision)

    def list_wagered_positions(self, jackpot: str, table: str, round_id: str) -> tuple[int, ...]:
        """The positions at which wagers for a jackpot were counted in a round."""
        recorded = find_counted_round(self._handler.ledger, table, round_id)
        return tuple(sorted(positions_for(recorded.event, jackpot))) if recorded else ()

    def find_stakes(self, jackpot: str, table: str, round_id: str) -> dict[int, int] | None:
        """The wager for a jackpot at each position in a round, in cents, where amounts are recorded; None for a round
        that was not counted."""
        recorded = find_counted_round(self._handler.ledger, table, round_id)
        return stakes_by_position(recorded.event, jackpot) if recorded else None

    def find_counted_wager(self, jackpot: str, table: str, round_id: str) -> str | None:
        """The wager that played for a jackpot in a round, also if the table was unlinked from the jackpot since."""
        recorded = find_counted_round(self._handler.ledger, table, round_id)
        wagers = recorded.event.wagers if recorded else ()
        return next((wager.wager for wager in wagers if wager.jackpot == jackpot), None)

    def find_counted_jackpot(self, wager: str, table: str, round_id: str) -> str | None:
        """The jackpot for which a wager played in a round, also if the table was unlinked from the jackpot since."""
        recorded = find_counted_round(self._handler.ledger, table, round_id)
        wagers = recorded.event.wagers if recorded else ()
        return next((counted_wager.jackpot for counted_wager in wagers if counted_wager.wager == wager), None)

    def reverse_prizes(
        self, id: str, who: str, jackpot: str, claim: str, why: str, *, second: str | None, chips: ChipsOutcome
    ) -> ClaimDecisionResult:
        """Reverse what the command ``claim`` had the dealer pay at once: the hand may be claimed again, and the round
        may be void. ``chips`` says whether the player returned them."""
        body: dict[str, Json] = {
            "do": "reverse-prizes",
            "who": who,
            "jackpot": jackpot,
            "claim": claim,
            "why": why,
            "second": second,
            "chips": str(chips),
        }

        def prepare() -> Command:
            search = self._handler.search_jackpot(
                jackpot, lambda: find_immediate_payment(self._handler.ledger, jackpot, claim)
            )

            def decide(uow: UnitOfWork) -> Json:
                payment = search.require_current(uow)
                if payment is None or payment.is_reversed:
                    raise nothing_to_reverse_error(jackpot, claim, already_reversed=payment is not None)
                reversal = reverse_prizes(payment.paid, claim, who=who, second=second, why=why, chips=chips)
                return encode_claim_decision(claim, payment.paid.prizes, uow.apply_to_jackpot(jackpot, reversal))

            return self._handler.build_command(id, body, Locks(jackpots=[jackpot]), decide)

        return self._handler.execute_prepared(prepare, decode_claim_decision)


def _sum_paid_elsewhere(jackpot_claims: Iterable[PriorClaims]) -> Mapping[int, int]:
    """By seat, what the dealer has paid at once in a round on some jackpots."""
    paid = Counter[int]()
    for prior_claims in jackpot_claims:
        paid.update({seat: prior_claims.cents_paid_by_dealer(seat) for seat in prior_claims.seats_paid_by_dealer})
    return paid


def _list_jackpots(recorded: RoundCountRecord | None, jackpot: str) -> tuple[str, ...]:
    """The jackpots for which a round was counted, if this one is among them: their claims use the same cards."""
    counted_wagers = recorded.event.wagers if recorded else ()
    counted_jackpots = tuple(wager.jackpot for wager in counted_wagers if wager.jackpot is not None and wager.count)
    return counted_jackpots if jackpot in counted_jackpots else ()


def _add_typed_decisions(hand: TypedHand, typed_round: TypedLiveRound | None) -> TypedHand:
    """The hand with the decisions that were entered for its seat, where the claim leaves them out."""
    if typed_round is None:
        return hand
    answers = {
        decision.question: decision.answer for decision in typed_round.live.answers if decision.seat == hand.seat
    }
    return replace(hand, decisions={**answers, **hand.decisions})


def _find_sharing_seats(at: Table, hand: TypedHand, recorded: RoundCountRecord | None, jackpot: str) -> dict[int, int]:
    """The other seats and their counted wagers, where a feature may let a hand win for them."""
    offered = at.offers.get(hand.wager)
    if recorded is None or offered is None or offered.feature is None:
        return {}
    staked = stakes_by_position(recorded.event, jackpot)
    return {seat: cents for seat, cents in staked.items() if seat != hand.seat and seat <= at.setup.seats}


def refuse_uncounted(
    won: Sequence[DomainEvent],
    recorded: RoundCountRecord | None,
    table: TabulatedTableState,
    jackpot: str,
    round_id: str,
) -> None:
    """Only a counted wager can win: the round was counted, and the winners' positions were among the counted ones
    (BJ-19)."""
    if recorded is None:
        raise BadClaim(
            f"Round {round_id} was not counted at {table.id}: tabulate it, or count it by hand, before you claim."
        )
    if round_id in table.tabulator.voided:
        raise BadClaim(f"Round {round_id} of {table.id} is void: every wager went back, so nothing was won.")
    prizes = [event for event in won if isinstance(event, PrizesWon)]
    _refuse_claim_by_dealer(prizes, recorded.event)
    counted_positions = positions_for(recorded.event, jackpot)
    winners = {prize.seat for event in prizes for prize in event.prizes}
    if missing := sorted(winners - counted_positions):
        counted_text = f"only at {_format_positions(counted_positions)}" if counted_positions else "nor anywhere else"
        raise BadClaim(
            f"No wager for {jackpot} was counted at position {_format_positions(missing)} in round {round_id}, "
            f"{counted_text}."
        )
    _refuse_other_amount(prizes, recorded.event, jackpot, winners)


def _refuse_claim_by_dealer(won: Sequence[PrizesWon], count_event: RoundRecorded) -> None:
    """An automatic table claims what it has dealt itself; its cards are not entered."""
    if count_event.automatic and not all(event.automatic for event in won):
        raise BadClaim(
            f"Round {count_event.round} was dealt by the automatic table {count_event.table}, which claims its "
            "prizes itself."
        )


def _refuse_other_amount(
    won: Sequence[PrizesWon], count_event: RoundRecorded, jackpot: str, winners: AbstractSet[int]
) -> None:
    """Refuse a wager that differs from the counted one: where a wager has two amounts, the lammer shows which
    (BJ-20)."""
    (wager,) = (counted_wager.wager for counted_wager in count_event.wagers if counted_wager.jackpot == jackpot)
    staked = stakes_by_position(count_event, jackpot)
    for prizes in won:
        typed_seats = set() if prizes.typed_seat is None else {prizes.typed_seat}
        for seat in sorted((winners | typed_seats) & staked.keys()):
            claimed = prizes.record["wagers"][str(seat)].get(wager, 0)
            if claimed != staked[seat]:
                raise BadClaim(
                    f"At position {seat} {format_cents(staked[seat])} was counted for {jackpot}, not "
                    f"{format_cents(claimed)}: a larger wager has a lammer."
                )


def _format_positions(places: Collection[int]) -> str:
    return ", ".join(map(str, sorted(places)))
