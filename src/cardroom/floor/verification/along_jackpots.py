"""Along the chain of a jackpot: every claim is judged again, every refusal and every statement decided again."""

from __future__ import annotations

from typing import Any, Final

from cardroom.floor.kept.subjects import JACKPOTS
from cardroom.floor.people.senders import sent_id
from cardroom.floor.verification.agreement import Story, said_by_jackpot
from cardroom.floor.verification.along import JudgedChain
from cardroom.floor.verification.credits import credited_by_jackpot
from cardroom.floor.verification.custody import Custody
from cardroom.floor.verification.prizes import record_digest, told_by_jackpot, weigh
from cardroom.floor.verification.replayed import (
    AtOnce,
    ClaimJudged,
    LimitUsed,
    Replayed,
    WagersOff,
)
from cardroom.floor.verification.report import wrong
from cardroom.jackpots import Happening
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.flow import Asked, claim_record, claim_typed
from cardroom.jackpots.claim.paying import decided_by
from cardroom.jackpots.claim.refusing import refuse_claim
from cardroom.jackpots.claim.taking_back import take_back_prizes
from cardroom.jackpots.happenings import (
    Adjusted,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    JackpotClosed,
    JackpotReopened,
    PrizesPaid,
    PrizesTakenBack,
    PrizesWon,
    Reconciled,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.reconciling import reconcile_account, whole_cents
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import by_seat
from cardroom.ledger.types import command_id_of

_NO_CHAIN_IS_AS_LONG: Final = 1 << 63


class JackpotChain(JudgedChain):
    subject = JACKPOTS

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._story = Story(said_by_jackpot)
        self._credits = Story(credited_by_jackpot)
        self._custody = Custody(chain)
        self._void: set[tuple[str, str]] = set()
        """Tables and rounds whose wagers were taken back."""
        self._claimed: dict[tuple[str, str], ClaimedBefore] = {}
        """What was claimed of a round until now."""
        self._automatic: set[tuple[str, str]] = set()
        """Tables and rounds that an automatic table claimed by itself."""
        self._rounds: dict[str, tuple[str, str]] = {}
        """The round of each claim that was made."""
        self._at_once: dict[str, PrizesPaid] = {}
        """By the command, what was paid at once and not taken back."""

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        self._story.listen(happening)
        if isinstance(happening, WagersCounted):
            return  # the rules add what came in to both sides
        if isinstance(happening, Adjusted):
            self._rests_on(happening.report, sequence, id)
        if isinstance(happening, WagersTakenBack):
            self._void.add((happening.table, happening.round))
            self._look_at_void(sequence, id, happening)
            self.replayed.wagers_off.append(WagersOff(self.chain, sequence, id, before, happening))
        if isinstance(happening, PrizesWon):
            self._judge(sequence, id, happening, before)
        if isinstance(happening, ClaimRefused) and not self._due:
            self._expect(self._refused_again(happening, before))
        if isinstance(happening, Reconciled) and not self._due:
            self._expect(self._reconciled_again(sequence, id, happening, before))
        if isinstance(happening, JackpotClosed | JackpotReopened) and not self._due:
            what = "no statement opens or closes the jackpot"
            raise wrong(what, self.chain, sequence, id, Reconciled.kind, happening.kind)
        if isinstance(happening, ClaimPaid):
            self._credits.listen(happening)
            if (claim := before.claim(happening.claim)).automatic:
                decided_by(claim, happening.verified_by, happening.second)
        if isinstance(happening, PrizesTakenBack):
            self._take_back(sequence, id, happening)
        if self._due:
            self._compare(sequence, id, happening)
        self._remember(happening)
        self._custody.look(sequence, id, self.time, happening)
        if after.owed != after.covered:
            what = "what is owed to the players is not covered"
            raise wrong(what, self.chain, sequence, id, after.owed, after.covered)

    def _judge(self, sequence: int, id: str, won: PrizesWon, before: JackpotState) -> None:
        """What the rules say of a claim; its table is asked once all chains are replayed."""
        claim = _claim_of(won, id)
        table, round_id = won.table, won.round
        if not 0 < won.counted < _NO_CHAIN_IS_AS_LONG:
            raise wrong(f"claim {claim} names no event of {table}", self.chain, sequence, id, "its number", won.counted)
        if not self._due:
            earlier = self._claimed.get((table, round_id), ClaimedBefore())
            told = claim, table, round_id, won.dealer, won.counted, won.alone
            asked = Asked(*told, earlier, won.dealt, dict(won.elsewhere), won.automatic, dict(won.sat))
            typed, record = won.typed_seat, won.played
            self._expect(
                claim_record(before, record, asked) if typed is None else claim_typed(before, record, typed, asked)
            )
            self.replayed.claims += 1
        if isinstance(won, PrizesPaid):
            self._at_once[claim] = won
        if (table, round_id) in self._void:
            what = f"claim {claim} is about round {round_id} of {table}, which is void"
            raise wrong(what, self.chain, sequence, id, "a round that counts", "a void round")
        self.replayed.limits_used.append(LimitUsed(self.chain, sequence, id, self.time, won.alone))
        paid = won.prizes if isinstance(won, PrizesPaid) else ()
        self.replayed.at_once.append(
            AtOnce(self.chain, sequence, id, table, round_id, won.alone, by_seat(paid), won.elsewhere)
        )
        seats = frozenset(prize.seat for prize in won.prizes)
        of = claim, before.id, table, round_id, won.counted, seats
        by_itself = won.automatic, dict(won.sat)
        if won.automatic:
            self._automatic.add((table, round_id))
            sums, digest = self.replayed.prized_by_jackpots, record_digest(won.record)
            weigh(sums, self.replayed.salt, table, told_by_jackpot(won, before), digest)
        self.replayed.claimed.append(ClaimJudged(self.chain, sequence, id, *of, *_typed(won), won.dealt, *by_itself))

    def _look_at_void(self, sequence: int, id: str, void: WagersTakenBack) -> None:
        """What was won in a round is refused or taken back before the round is void."""
        for claim in self._claimed.get((void.table, void.round), ClaimedBefore()).earlier:
            name = claim.claim or claim.command
            what = f"round {void.round} of {void.table} is void, although claim {name} of it was not taken back"
            raise wrong(what, self.chain, sequence, id, "no claim", name)

    def _take_back(self, sequence: int, id: str, taken: PrizesTakenBack) -> None:
        """What the rules say of prizes that are taken back."""
        paid = self._at_once.pop(taken.claim, None)
        if paid is None:
            what = f"it takes back what was not paid at once by {taken.claim}, or was taken back before"
            raise wrong(what, self.chain, sequence, id, "prizes that were paid", taken.claim)
        by, second, why = taken.who, taken.second, taken.why
        self._expect(take_back_prizes(paid, taken.claim, who=by, second=second, why=why, chips=taken.chips))
        back = {seat: -cents for seat, cents in by_seat(paid.prizes).items()}
        self.replayed.at_once.append(AtOnce(self.chain, sequence, id, paid.table, paid.round, paid.alone, back, ()))

    def _reconciled_again(
        self, sequence: int, id: str, told: Reconciled, before: JackpotState
    ) -> tuple[Happening, ...]:
        """What the rules say of a statement."""
        statement, short = self._custody.statement(sequence, id, told), whole_cents(max(-told.difference, 0))
        who, second, why = told.who, told.second or None, told.why or None
        return reconcile_account(before, statement, who=who, second=second, why=why, shortage_cents=short)

    @staticmethod
    def _refused_again(refused: ClaimRefused, before: JackpotState) -> tuple[Happening, ...]:
        """What the rules say of a refusal."""
        by, second, why = refused.refused_by, refused.second or None, refused.why
        return refuse_claim(before, refused.claim, refused_by=by, why=why, seats=refused.seats, second=second)

    def _remember(self, happening: Happening) -> None:
        """What was claimed of which round, for claims that come later."""
        rounds = set[tuple[str, str]]()
        if isinstance(happening, PrizesWon | PrizesTakenBack):
            rounds.add((happening.table, happening.round))
        if isinstance(happening, ClaimLocked | ClaimJoined):
            self._rounds[happening.claim] = happening.table, happening.round
        if isinstance(happening, ClaimPaid | ClaimRefused):
            rounds.add(self._rounds[happening.claim])
        if isinstance(happening, ClaimJoined | ClaimRefused):
            rounds |= {claim.of for claim in happening.claims}
        for of in rounds:
            self._claimed[of] = self._claimed.get(of, ClaimedBefore()).after(happening, *of)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.jackpots[self.state.id] = self.state
        for of, known in self._claimed.items():
            if of not in self._automatic and (claims := tuple(one for one in known.earlier if one.cards)):
                self.replayed.claims_of_rounds[*of, self.state.id] = claims
        self.replayed.told_by_jackpots |= self._story.digests()
        self.replayed.credited_by_jackpots |= self._credits.digests()


def _claim_of(won: PrizesWon, id: str) -> str:
    """What is paid at once is known by the command that claimed it; an automatic table names its claims itself."""
    if isinstance(won, ClaimLocked | ClaimJoined) or (isinstance(won, PrizesPaid) and won.automatic):
        return won.claim
    return sent_id(command_id_of(id))


def _typed(won: PrizesWon) -> tuple[tuple[tuple[int, int], ...], int]:
    """The wagers that a typed hand was judged with, and how many seats there are if it may win for all of them."""
    if won.typed_seat is None:
        return (), 0
    record = won.record
    wagers = tuple((int(seat), cents) for seat, spots in record["wagers"].items() for cents in spots.values())
    (wager,) = {wager for spots in record["wagers"].values() for wager in spots}
    shares = record["table"]["wagers"][wager].get("feature") is not None
    return wagers, record["table"]["seats"] if shares else 0
