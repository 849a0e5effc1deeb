"""Along the chain of a felt: every round is dealt again from its key, each answer given again in its turn, and what was
paid is settled again."""

from __future__ import annotations

from typing import Any

from cardroom.cards import Seal
from cardroom.errors import BadInput
from cardroom.floor.felt.happenings import (
    Answered,
    FeltClosed,
    FeltOpened,
    RoundBegun,
    RoundCalledOff,
    RoundPlayed,
    SealRenewed,
    SeatCalled,
    SeatLeft,
    SeatTaken,
    WagersLaid,
)
from cardroom.floor.felt.playing import Position, dealt, seal_of
from cardroom.floor.felt.settling import RoundPrizes, settled
from cardroom.floor.felt.state import CLOCK, LEFT, FeltState
from cardroom.floor.felt.terms import checked_terms
from cardroom.floor.felt.wagering import put_down_first, without_spots
from cardroom.floor.kept.subjects import FELTS
from cardroom.floor.live.happenings import OfALiveRound
from cardroom.floor.verification.agreement import Story
from cardroom.floor.verification.along import Chain
from cardroom.floor.verification.along_live import look_at_live
from cardroom.floor.verification.chips import said_by_felt
from cardroom.floor.verification.felt_clocks import (
    Fault,
    answer_fault,
    beginning_fault,
    betting_fault,
    call_fault,
    leading_fault,
)
from cardroom.floor.verification.prizes import round_digest, told_by_felt, weigh
from cardroom.floor.verification.replayed import OfARound, Replayed
from cardroom.floor.verification.report import wrong
from cardroom.floor.verification.tabulating import laid_at_felt
from cardroom.games import Decision, IllegalAction
from cardroom.games.setup import setup_from_json
from cardroom.jackpots import Happening
from cardroom.jackpots.layout import on_layout
from cardroom.jackpots.people import same_person


class FeltChain(Chain):
    subject = FELTS

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._chips, self._counted = Story(), Story()
        self._begun: tuple[int, str, RoundBegun] | None = None
        self._answers: list[tuple[int, str, Answered]] = []

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        match happening:
            case Answered():
                self._refuse(sequence, id, answer_fault(happening, before, self.time))
                self._refuse(sequence, id, _answerer_fault(happening, before))
                self._answers.append((sequence, id, happening))
            case WagersLaid():
                self._refuse(sequence, id, _amount_fault(happening, before))
                self._refuse(sequence, id, betting_fault(happening, before, self.time))
            case RoundBegun():
                self._refuse(sequence, id, beginning_fault(happening, before, self.time))
                self._refuse(sequence, id, _back_fault(happening, before))
                self._counted.hear(laid_at_felt(happening, before.at))
                self._begun, self._answers = (sequence, id, happening), []
            case RoundPlayed():
                position = self._deal_again(sequence, id, before, happening.key)
                self._settle_again(sequence, id, before, position, happening)
                self.replayed.rounds += 1
            case RoundCalledOff():
                self._deal_again(sequence, id, before, happening.key)
                self._call_off(sequence, id, before, happening)
            case SealRenewed():
                if before.playing:
                    self._call_off(sequence, id, before, happening)
            case FeltClosed(key=key):
                if before.seal or key:
                    self._open_seal(sequence, id, before, key)
            case OfALiveRound():
                look_at_live(self.chain, sequence, id, self.time, happening, before, self.replayed)
            case SeatCalled():
                self._refuse(sequence, id, call_fault(happening, before, self.time))
            case SeatTaken() | SeatLeft():
                self._refuse(sequence, id, _seat_fault(happening, after))
                self._refuse(sequence, id, leading_fault(happening, before, self.time))
                self._chips.hear(said_by_felt(happening, after.number))
            case FeltOpened():
                checked_terms(happening.terms, setup_from_json(on_layout(happening.setup, happening.layout)))

    def _refuse(self, sequence: int, id: str, fault: Fault | None) -> None:
        if fault is not None:
            what, expected, found = fault
            raise wrong(what, self.chain, sequence, id, expected, found)

    def _call_off(self, sequence: int, id: str, before: FeltState, off: RoundCalledOff | SealRenewed) -> None:
        if same_person(off.who, off.second):
            raise wrong("one person answers for it", self.chain, sequence, id, "two people", off.second)
        if self._begun and any(True for _ in laid_at_felt(self._begun[2], before.at)):
            self.replayed.called_off.append(OfARound(self.chain, sequence, id, before.table, before.round))

    def _open_seal(self, sequence: int, id: str, before: FeltState, key: str) -> Seal:
        seal = seal_of(bytes.fromhex(key), before.round)
        if seal.commitment != before.seal:
            what = "its key is not the one that was sealed before the round"
            raise wrong(what, self.chain, sequence, id, before.seal, seal.commitment)
        return seal

    def _deal_again(self, sequence: int, id: str, before: FeltState, key: str) -> Position:
        """The round from its key: the same seats are asked the same questions, and their answers are legal."""
        seal = self._open_seal(sequence, id, before, key)
        if self._begun is None:
            raise wrong("the round never began", self.chain, sequence, id, "a round that began", before.round)
        at, its_id, begun = self._begun
        try:
            position = dealt(before.at, seal, before.laid)
        except BadInput as fault:
            raise wrong(
                "the table takes no such wagers", self.chain, at, its_id, "wagers of its layout", fault
            ) from None
        self._compare_asked(at, its_id, begun, position)
        for at, its_id, answered in self._answers:
            position = self._answer_again(at, its_id, answered, position)
        return position

    def _answer_again(self, sequence: int, id: str, answered: Answered, position: Position) -> Position:
        turn = position.round.seat_turn
        if (turn.seat, turn.question) != (answered.seat, answered.question):
            asked, told = f"seat {turn.seat}, {turn.question}", f"seat {answered.seat}, {answered.question}"
            raise wrong("another question was due", self.chain, sequence, id, asked, told)
        decision = Decision.parse(answered.answer)
        if answered.by in (CLOCK, LEFT):
            safe = position.round.game.default_decision(position.round)
            if decision != safe:
                raise wrong("it is not the safe answer", self.chain, sequence, id, safe, decision)
        try:
            position, cents = position.answered(decision)
        except IllegalAction:
            options = ", ".join(map(str, turn.options[:12]))
            raise wrong("the seat could not answer that", self.chain, sequence, id, options, decision) from None
        if cents != answered.cents:
            raise wrong("it puts another amount down", self.chain, sequence, id, cents, answered.cents)
        self._compare_asked(sequence, id, answered, position)
        return position

    def _compare_asked(self, sequence: int, id: str, told: RoundBegun | Answered, position: Position) -> None:
        if position.asked != told.asked:
            raise wrong("another seat is asked next", self.chain, sequence, id, position.asked, told.asked)

    def _settle_again(self, sequence: int, id: str, before: FeltState, position: Position, played: RoundPlayed) -> None:
        if not position.round.is_terminal:
            raise wrong("the round is not over", self.chain, sequence, id, position.round.turn_text, "take and pay")
        again = settled(before, position.round, RoundPrizes(played.prizes))
        for what, should, found in (
            ("the seats get something else", again.returned, played.returned),
            ("the house brings something else", again.filled, played.filled),
        ):
            if should != found:
                raise wrong(what, self.chain, sequence, id, should, found)
        if played.prizes or played.waiting or played.meters:
            told, digest = told_by_felt(before, played), round_digest(position.round)
            weigh(self.replayed.prized_by_felts, self.replayed.salt, before.table, told, digest)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.felts[self.state.table] = self.state
        self.replayed.told_by_felts |= self._chips.digests()
        self.replayed.laid_at_felts |= self._counted.digests()


def _answerer_fault(answered: Answered, before: FeltState) -> Fault | None:
    """Whoever sits there answers; where the seat was left, the house does."""
    seated = before.seated(answered.seat)
    if seated is None or answered.by == CLOCK:
        return None
    due = LEFT if seated.leaving else seated.player
    return None if due == answered.by else ("somebody else answered", due, answered.by)


def _amount_fault(laid: WagersLaid, before: FeltState) -> Fault | None:
    spots = before.at.table.spots
    strange = sorted(laid.laid.spots.keys() - spots.keys())
    if strange:
        return "the layout has no such spot", ", ".join(spots), strange[0]
    cents = put_down_first(before, laid.laid.spots)
    return None if cents == laid.cents else ("the wagers put another amount down", cents, laid.cents)


def _back_fault(begun: RoundBegun, before: FeltState) -> Fault | None:
    """Only jackpot wagers go back when a round begins, and what may not stand without them."""
    if not begun.back:
        return None
    jackpots = before.at.table.jackpot_spots if before.tabulated else frozenset()
    gone = {spot for one in begun.back for spot in one.spots} & jackpots
    _, back = without_spots(before, gone)
    return None if begun.back == back else ("other wagers go back than its jackpots leave out", back, begun.back)


def _seat_fault(happening: SeatTaken | SeatLeft, after: FeltState) -> Fault | None:
    """A private table is its owner's; company is the house's, for play money."""
    seats, owner = after.at.table.seats, after.terms.owner
    if not 1 <= happening.seat <= seats:
        return "the table has no such seat", f"1 to {seats}", happening.seat
    if owner and not happening.company and happening.player != owner:
        return "a private table has somebody else at it", owner, happening.player
    if happening.company and after.terms.money != "play":
        return "company plays for the room's money", "play money", happening.player
    return None
