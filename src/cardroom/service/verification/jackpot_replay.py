"""What the state of a jackpot does not show of its money: that two people decided, that surveillance verified the prize
between claim and payment, and that a statement's reconciliation lists the movements of the account.

The chain of a jackpot: every claim is judged again, every refusal and every statement decided again.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import CENT
from cardroom.ledger.types import command_id_of
from cardroom.room.claim.new_claim import ClaimSubmission, claim_record, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.resolution import is_between_claim_and_now, refuse_claim, require_deciders, reverse_prizes
from cardroom.room.dual_control import SamePerson, require_different_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.bank_reconciliation import (
    BankStatement,
    EnteredMovement,
    reconcile_account,
    round_up_to_cents,
)
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.events import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotClosed,
    JackpotReconciled,
    JackpotReopened,
    MeterAdjusted,
    PrizesPaid,
    PrizesReversed,
    PrizesWon,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.jackpot.pending_claims import cents_by_seat
from cardroom.room.jackpot.postings import bank_movements
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import normalize_reference
from cardroom.room.setup.calendar import Time
from cardroom.room.user.command_ids import original_command_id
from cardroom.service.chains.aggregates import JACKPOTS
from cardroom.service.verification.agreement import StatementDigest, read_jackpot_statements
from cardroom.service.verification.chain_agreement import read_jackpot_credits
from cardroom.service.verification.chain_replay import JudgedChainReplay
from cardroom.service.verification.invariant import (
    CHECKED_BEFORE_PAYMENT,
    JUDGED_ALIKE,
    STATEMENT_LISTS_MOVEMENTS,
    TWO_PEOPLE,
    VOID_ROUNDS_PAY_NOTHING,
)
from cardroom.service.verification.prize_checks import add_weighted, digest_record, list_jackpot_prizes
from cardroom.service.verification.replay_result import (
    DealerLimitUse,
    ImmediatePrizes,
    JudgedClaim,
    ReplayResult,
    WagerReversal,
)
from cardroom.service.verification.report import replay_mismatch


class _TimedMovement(NamedTuple):
    movement: BankMovement
    time: Time


class CustodyReplay:
    """Checks one jackpot's chain, event by event."""

    def __init__(self, chain: str) -> None:
        self.chain = chain
        self._claim_times: dict[str, Time] = {}
        """When each claim was made."""
        self._movements: list[_TimedMovement] = []

    def inspect(self, sequence: int, id: str, time: Time, event: DomainEvent) -> None:
        """Check an event."""
        who, second = _find_responsible(event), getattr(event, "second", "")
        if second:
            try:
                require_different_people(who, second, "")
            except SamePerson:
                raise TWO_PEOPLE.mismatch(
                    "one person did what takes two", self.chain, sequence, id, "two people", who
                ) from None
        if isinstance(event, PrizesWon):
            self._claim_times[getattr(event, "claim", "")] = time
        elif isinstance(event, ClaimPaid):
            self._check_payment(sequence, id, time, event)
        self._movements += (_TimedMovement(movement, time) for movement in bank_movements(event))

    def _check_payment(self, sequence: int, id: str, time: Time, paid: ClaimPaid) -> None:
        check = paid.surveillance
        if check is not None and (
            check.time is None or not is_between_claim_and_now(check.time, self._claim_times[paid.claim], time)
        ):
            problem = f"surveillance did not verify claim {paid.claim} between claim and payment"
            raise CHECKED_BEFORE_PAYMENT.mismatch(
                problem, self.chain, sequence, id, f"{self._claim_times[paid.claim]} to {time}", check.time
            )

    def rebuild_statement(self, sequence: int, id: str, event: JackpotReconciled) -> BankStatement:
        """A statement as the rules decide it: what moved since its end, and when each movement that it lacks was
        entered."""
        later = tuple(item.movement for item in self._movements if item.time >= event.ends)
        if list(map(_normalize, event.later)) != list(map(_normalize, later)):
            raise STATEMENT_LISTS_MOVEMENTS.mismatch(
                "the movements since the statement differ", self.chain, sequence, id, later, event.later
            )
        times = {_normalize(item.movement): item.time for item in self._movements if item.time < event.ends}
        for missing in (*event.in_transit, *event.outstanding):
            if _normalize(missing) not in times:
                raise STATEMENT_LISTS_MOVEMENTS.mismatch(
                    "the statement lacks a movement that never happened",
                    self.chain,
                    sequence,
                    id,
                    "a movement",
                    missing,
                )
        in_transit, outstanding = (
            tuple(EnteredMovement(item, times[_normalize(item)]) for item in lacks)
            for lacks in (event.in_transit, event.outstanding)
        )
        return BankStatement(event.statement // CENT, event.day, event.ends, event.later, in_transit, outstanding)


def _find_responsible(event: DomainEvent) -> str:
    """The person who did it, whatever the field is called."""
    names = (getattr(event, name, "") for name in ("who", "verified_by", "refused_by"))
    return next(filter(None, names), "")


def _normalize(movement: BankMovement) -> BankMovement:
    """The number of a movement, in one spelling."""
    return movement._replace(name=normalize_reference(movement.name))


_MAX_SEQUENCE: Final = 1 << 63


class JackpotReplay(JudgedChainReplay):
    aggregate = JACKPOTS

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._counts = StatementDigest(read_jackpot_statements)
        self._credits = StatementDigest(read_jackpot_credits)
        self._custody = CustodyReplay(chain)
        self._void_rounds: set[tuple[str, str]] = set()
        """Tables and rounds whose wagers were reversed."""
        self._prior_claims: dict[tuple[str, str], PriorClaims] = {}
        """The claims of a round so far."""
        self._automatic_rounds: set[tuple[str, str]] = set()
        """Tables and rounds with claims of an automatic table."""
        self._claim_rounds: dict[str, tuple[str, str]] = {}
        """The round of each claim that was made."""
        self._immediate_prizes: dict[str, PrizesPaid] = {}
        """By the command, what was paid at once and not reversed."""

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:
        self._counts.add_event(event)
        if isinstance(event, WagersCounted):
            return  # The rules add contributions to both sides.
        if isinstance(event, MeterAdjusted):
            self._note_report(event.report, sequence, id)
        if isinstance(event, WagersReversed):
            self._void_rounds.add((event.table, event.round))
            self._check_void(sequence, id, event)
            self.result.wager_reversals.append(WagerReversal(self.chain, sequence, id, before, event))
        if isinstance(event, PrizesWon):
            self._judge_claim(sequence, id, event, before)
        if isinstance(event, ClaimRefused) and not self._expected:
            self._expect(self._refuse_again(event, before))
        if isinstance(event, JackpotReconciled) and not self._expected:
            self._expect(self._reconcile_again(sequence, id, event, before))
        if isinstance(event, JackpotClosed | JackpotReopened) and not self._expected:
            problem = "no statement opens or closes the jackpot"
            raise JUDGED_ALIKE.mismatch(problem, self.chain, sequence, id, JackpotReconciled.kind, event.kind)
        if isinstance(event, ClaimPaid):
            self._credits.add_event(event)
            if (claim := before.claim(event.claim)).automatic:
                require_deciders(claim, event.verified_by, event.second)
        if isinstance(event, PrizesReversed):
            self._expect_reversal(sequence, id, event)
        if self._expected:
            self._compare_expected(sequence, id, event)
        self._remember_claims(event)
        self._custody.inspect(sequence, id, self.time, event)
        if after.owed != after.cover:
            problem = "the amount owed to the players is not covered"
            raise replay_mismatch(problem, self.chain, sequence, id, after.owed, after.cover)

    def _judge_claim(self, sequence: int, id: str, won: PrizesWon, before: JackpotState) -> None:
        """Judge a claim by the rules; its table is compared once all chains are replayed."""
        claim = _find_claim_id(won, id)
        table, round_id = won.table, won.round
        if not 0 < won.counted < _MAX_SEQUENCE:
            raise replay_mismatch(
                f"claim {claim} names no event of {table}", self.chain, sequence, id, "its number", won.counted
            )
        if not self._expected:
            earlier = self._prior_claims.get((table, round_id), PriorClaims())
            claim_fields = claim, table, round_id, won.dealer, won.counted, won.alone
            request = ClaimSubmission(
                *claim_fields, earlier, won.dealt, dict(won.elsewhere), won.automatic, dict(won.sat)
            )
            typed_seat, record = won.typed_seat, won.ordered_record
            self._expect(
                claim_record(before, record, request)
                if typed_seat is None
                else claim_typed_hand(before, record, typed_seat, request)
            )
            self.result.claims += 1
        if isinstance(won, PrizesPaid):
            self._immediate_prizes[claim] = won
        if (table, round_id) in self._void_rounds:
            problem = f"claim {claim} is about round {round_id} of {table}, which is void"
            raise VOID_ROUNDS_PAY_NOTHING.mismatch(
                problem, self.chain, sequence, id, "a round that counts", "a void round"
            )
        self.result.dealer_limit_uses.append(DealerLimitUse(self.chain, sequence, id, self.time, won.alone))
        paid = won.prizes if isinstance(won, PrizesPaid) else ()
        self.result.immediate_prizes.append(
            ImmediatePrizes(self.chain, sequence, id, table, round_id, won.alone, cents_by_seat(paid), won.elsewhere)
        )
        seats = frozenset(prize.seat for prize in won.prizes)
        of = claim, before.id, table, round_id, won.counted, seats
        by_itself = won.automatic, dict(won.sat)
        if won.automatic:
            self._automatic_rounds.add((table, round_id))
            sums, digest = self.result.jackpot_prizes, digest_record(won.record)
            add_weighted(sums, self.result.salt, table, list_jackpot_prizes(won, before), digest)
        self.result.judged_claims.append(
            JudgedClaim(self.chain, sequence, id, *of, *_read_typed_wagers(won), won.dealt, *by_itself)
        )

    def _check_void(self, sequence: int, id: str, void: WagersReversed) -> None:
        """The claims of a round are refused or reversed before the round is void."""
        for claim in self._prior_claims.get((void.table, void.round), PriorClaims()).earlier:
            name = claim.claim or claim.command
            problem = f"round {void.round} of {void.table} is void, although its claim {name} was not reversed"
            raise VOID_ROUNDS_PAY_NOTHING.mismatch(problem, self.chain, sequence, id, "no claim", name)

    def _expect_reversal(self, sequence: int, id: str, reversal: PrizesReversed) -> None:
        """The events that follow from a reversal of prizes."""
        paid = self._immediate_prizes.pop(reversal.claim, None)
        if paid is None:
            problem = f"it reverses prizes that {reversal.claim} did not pay at once, or that were reversed before"
            raise JUDGED_ALIKE.mismatch(problem, self.chain, sequence, id, "prizes that were paid", reversal.claim)
        by, second, why = reversal.who, reversal.second, reversal.why
        self._expect(reverse_prizes(paid, reversal.claim, who=by, second=second, why=why, chips=reversal.chips))
        back = {seat: -cents for seat, cents in cents_by_seat(paid.prizes).items()}
        self.result.immediate_prizes.append(
            ImmediatePrizes(self.chain, sequence, id, paid.table, paid.round, paid.alone, back, ())
        )

    def _reconcile_again(
        self, sequence: int, id: str, event: JackpotReconciled, before: JackpotState
    ) -> tuple[DomainEvent, ...]:
        """The events that follow from a statement."""
        statement, short = (
            self._custody.rebuild_statement(sequence, id, event),
            round_up_to_cents(max(-event.difference, 0)),
        )
        who, second, why = event.who, event.second or None, event.why or None
        return reconcile_account(before, statement, who=who, second=second, why=why, shortage_cents=short)

    @staticmethod
    def _refuse_again(refused: ClaimRefused, before: JackpotState) -> tuple[DomainEvent, ...]:
        """The events that follow from a refusal."""
        by, second, why = refused.refused_by, refused.second or None, refused.why
        return refuse_claim(before, refused.claim, refused_by=by, why=why, seats=refused.seats, second=second)

    def _remember_claims(self, event: DomainEvent) -> None:
        """The claims of each round, for later claims."""
        rounds = set[tuple[str, str]]()
        if isinstance(event, PrizesWon | PrizesReversed):
            rounds.add((event.table, event.round))
        if isinstance(event, ClaimLocked | ClaimJoined):
            self._claim_rounds[event.claim] = event.table, event.round
        if isinstance(event, ClaimPaid | ClaimRefused):
            rounds.add(self._claim_rounds[event.claim])
        if isinstance(event, ClaimJoined | ClaimRefused):
            rounds |= {claim.round_key for claim in event.claims}
        for of in rounds:
            self._prior_claims[of] = self._prior_claims.get(of, PriorClaims()).apply_event(event, *of)

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.jackpots[self.state.id] = self.state
        for of, prior_claims in self._prior_claims.items():
            if of not in self._automatic_rounds and (
                claims := tuple(claim for claim in prior_claims.earlier if claim.cards)
            ):
                self.result.round_claims[*of, self.state.id] = claims
        self.result.jackpot_counts |= self._counts.digests()
        self.result.jackpot_credits |= self._credits.digests()


def _find_claim_id(won: PrizesWon, id: str) -> str:
    """The id of a claim: for immediate prizes, the id of the command; an automatic table makes its own ids."""
    if isinstance(won, ClaimLocked | ClaimJoined) or (isinstance(won, PrizesPaid) and won.automatic):
        return won.claim
    return original_command_id(command_id_of(id))


def _read_typed_wagers(won: PrizesWon) -> tuple[tuple[tuple[int, int], ...], int]:
    """The wagers with which a typed hand was judged, and how many seats there are if it may win for all of them."""
    if won.typed_seat is None:
        return (), 0
    record = won.record
    wagers = tuple((int(seat), cents) for seat, spots in record["wagers"].items() for cents in spots.values())
    (wager,) = {wager for spots in record["wagers"].values() for wager in spots}
    shares = record["table"]["wagers"][wager].get("feature") is not None
    return wagers, record["table"]["seats"] if shares else 0
