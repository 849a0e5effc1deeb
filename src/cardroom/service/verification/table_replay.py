"""The timers of a table: every player got exactly the announced time, and no timeout acted early.

A table decides at the moment at which its command begins, and its events have that time, however long the command
takes: a busy or sleeping machine can stop at any point. The time of an event may be later by ``MAX_CLOCK_LAG``, where
the clock was behind the last event. So the check of a timer is exact within that tolerance.

The rounds of a live table: the displayed payments are those of the rules, nothing is paid or entered that a dealer
cannot pay or enter, and two people void a round.

The replay of the states checks that steps came in their order, and that the entered cards are possible. A step's
statement about the tabulator is compared with the tabulator's own chain when all chains are replayed, and the entered
cards with the claims that were pending then.

The chain of a table: every round is dealt again from its key, each decision made again in its turn, and every payment
settled again.
"""

from __future__ import annotations

from typing import Any

from cardroom.cards import Seal
from cardroom.errors import BadInput
from cardroom.games import Decision, IllegalAction
from cardroom.games.setup import setup_from_json
from cardroom.ledger.clock import MAX_CLOCK_LAG
from cardroom.room.codec import restore_wager_order
from cardroom.room.dual_control import is_same_person
from cardroom.room.event_types import DomainEvent
from cardroom.room.table.automatic_round import (
    RoundPosition,
    RoundPrizes,
    are_all_wagers_placed,
    initial_stakes,
    replay_round,
    round_seal,
    settle_round,
    split_by_disabled_spots,
)
from cardroom.room.table.events import (
    AbsenceWarned,
    CardsTyped,
    CountMethod,
    DecisionMade,
    LiveRoundCanceled,
    LiveRoundEnded,
    LiveRoundEvent,
    RoundCanceled,
    RoundPlayed,
    RoundStarted,
    SealRenewed,
    SeatLeft,
    SeatTaken,
    StepTaken,
    TableClosed,
    TableOpened,
    WagersPlaced,
)
from cardroom.room.table.live_payments import list_settled_stakes, refuse_change_of_paid, refuse_unfinal_payment
from cardroom.room.table.live_procedure import refuse_surplus_cards, require_next_step
from cardroom.room.table.live_round_steps import require_live_round
from cardroom.room.table.state import DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT, TableState
from cardroom.room.table.terms import SECOND_US, validate_terms
from cardroom.service.chains.aggregates import TABLES
from cardroom.service.verification.agreement import StatementDigest
from cardroom.service.verification.chain_agreement import read_table_chips, read_table_wagers
from cardroom.service.verification.chain_replay import ChainReplay
from cardroom.service.verification.invariant import (
    DECISIONS_IN_TURN,
    KEY_WAS_SEALED,
    RULES_ALLOW,
    SETTLED_BY_RULES,
    TIMERS_KEPT,
    TWO_PEOPLE,
    Invariant,
)
from cardroom.service.verification.prize_checks import add_weighted, digest_round, list_table_prizes
from cardroom.service.verification.replay_result import ReplayResult, TableRoundEvent, TypedCardsEvent

ReplayFault = tuple[str, object, object]
"""The problem, what was expected, and what was found."""


def find_betting_fault(wagers: WagersPlaced, before: TableState, time: int) -> ReplayFault | None:
    """The problem with the time of wagers, if there is one."""
    if not time - MAX_CLOCK_LAG <= wagers.at <= time + MAX_CLOCK_LAG:
        return "the time of the wagers is not the time of the event", time, wagers.at
    if not wagers.seat_wagers.spots and not wagers.deadline:
        return None  # the last ones were taken back, or all of them because there was no playable wager
    if before.deadline and wagers.at > before.deadline:
        return "the wagers were placed too late", before.deadline, wagers.at
    if before.deadline:
        return _compare_times("the deadline for wagers has changed", before.deadline, wagers.deadline)
    until = wagers.at + before.terms.betting * SECOND_US if before.terms.betting else 0
    return _compare_times("the deadline for wagers is wrong", until, wagers.deadline)


def find_beginning_fault(begin_event: RoundStarted, before: TableState, time: int) -> ReplayFault | None:
    """The problem with the time at which a round began, if there is one."""
    seconds = before.terms.deciding if begin_event.deciding_seat else 0
    if fault := _find_deadline_fault(begin_event.deadline, seconds, time):
        return fault
    _, latest = _find_decision_window(begin_event.deadline, seconds, time)
    if not are_all_wagers_placed(before) and not (before.deadline and latest >= before.deadline - MAX_CLOCK_LAG):
        waits = (
            f"after {before.deadline}, or when all players are ready"
            if before.deadline
            else ("when all players are ready")
        )
        return "the round began too early", waits, latest
    return None


def find_decision_fault(decision: DecisionMade, before: TableState, time: int) -> ReplayFault | None:
    """The problem with the time of a decision, if there is one."""
    by_clock, deadline = decision.by == DECIDED_BY_CLOCK, before.deadline
    if by_clock and not deadline:
        return "a timeout decided where there is no timer", "no timer", DECIDED_BY_CLOCK
    seconds = before.terms.deciding if decision.deciding_seat else 0
    if fault := _find_deadline_fault(decision.deadline, seconds, time):
        return fault
    earliest, latest = _find_decision_window(decision.deadline, seconds, time)
    if by_clock and latest < deadline - MAX_CLOCK_LAG:
        return "the timeout came too early", deadline, latest
    if deadline and decision.by not in (DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT) and earliest > deadline:
        return "the decision came too late", deadline, earliest
    return None


def find_call_fault(call: AbsenceWarned, before: TableState, time: int) -> ReplayFault | None:
    """The problem with the time that a called player was given, if there is one."""
    seconds = before.terms.away
    if not seconds:
        return "an absent player was called at a table without calls", "no call", call.player
    until = time + seconds * SECOND_US
    if not until - MAX_CLOCK_LAG <= call.until <= until + MAX_CLOCK_LAG:
        return "a called player was given a different time to answer", until, call.until
    return None


def find_removal_fault(event: SeatTaken | SeatLeft, before: TableState, time: int) -> ReplayFault | None:
    """The problem with the time at which a player was removed, if there is one."""
    call = before.warning_at(event.seat)
    if isinstance(event, SeatLeft) and event.was_absent and call is not None and time < call.until - MAX_CLOCK_LAG:
        return "a player was removed too early", call.until, time
    return None


def _find_decision_window(deadline: int, seconds: int, time: int) -> tuple[int, int]:
    """The earliest and latest time of the decision; a timer that was started for the next decision shows the exact
    one."""
    if not seconds:
        return time - MAX_CLOCK_LAG, time
    return deadline - seconds * SECOND_US, deadline - seconds * SECOND_US


def _find_deadline_fault(deadline: int, seconds: int, time: int) -> ReplayFault | None:
    """A timer has so many seconds from the moment; its deadline is 0 where there is none."""
    if not seconds:
        return _compare_times("a timer runs where there is none", 0, deadline)
    until = time + seconds * SECOND_US
    if not until - MAX_CLOCK_LAG <= deadline <= until + MAX_CLOCK_LAG:
        return "the deadline is wrong", until, deadline
    return None


def _compare_times(problem: str, expected: int, actual: int) -> ReplayFault | None:
    return None if expected == actual else (problem, expected, actual)


def inspect_live_event(
    chain: str, sequence: int, id: str, time: int, event: LiveRoundEvent, before: TableState, result: ReplayResult
) -> None:
    """Check what the states do not show."""
    round_event = TableRoundEvent(chain, sequence, id, before.table, before.round)
    match event:
        case StepTaken(step=step, counted=counting):
            live = require_live_round(before)
            refuse_unfinal_payment(before, live, require_next_step(before, live, step))
            if counting is not CountMethod.NOT_COUNTED:
                result.counted_live_rounds.append(round_event)
        case CardsTyped():
            refuse_surplus_cards(before, event)
            refuse_change_of_paid(before, require_live_round(before), event)
            result.typed_cards.append(TypedCardsEvent(chain, sequence, id, time, before.table, before.round))
        case LiveRoundEnded(settled_stakes=shown):
            resettled = list_settled_stakes(before, require_live_round(before))
            if resettled != shown:
                raise SETTLED_BY_RULES.mismatch("the take and pay differ", chain, sequence, id, resettled, shown)
            result.rounds += 1
        case LiveRoundCanceled(who=who, second=second):
            if is_same_person(who, second):
                raise TWO_PEOPLE.mismatch("one person did what takes two", chain, sequence, id, "two people", second)
            result.canceled_rounds.append(round_event)


class TableReplay(ChainReplay):
    aggregate = TABLES

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._chips, self._wagers = StatementDigest(), StatementDigest()
        self._begin_event: tuple[int, str, RoundStarted] | None = None
        self._decisions: list[tuple[int, str, DecisionMade]] = []

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:
        match event:
            case DecisionMade():
                self._raise_fault(sequence, id, find_decision_fault(event, before, self.time), TIMERS_KEPT)
                self._raise_fault(sequence, id, _find_decider_fault(event, before), DECISIONS_IN_TURN)
                self._decisions.append((sequence, id, event))
            case WagersPlaced():
                self._raise_fault(sequence, id, _find_amount_fault(event, before))
                self._raise_fault(sequence, id, find_betting_fault(event, before, self.time), TIMERS_KEPT)
            case RoundStarted():
                self._raise_fault(sequence, id, find_beginning_fault(event, before, self.time), TIMERS_KEPT)
                self._raise_fault(sequence, id, _find_return_fault(event, before))
                self._wagers.add(read_table_wagers(event, before.open_table))
                self._begin_event, self._decisions = (sequence, id, event), []
            case RoundPlayed():
                position = self._deal_again(sequence, id, before, event.key)
                self._settle_again(sequence, id, before, position, event)
                self.result.rounds += 1
            case RoundCanceled():
                self._deal_again(sequence, id, before, event.key)
                self._check_cancellation(sequence, id, before, event)
            case SealRenewed():
                if before.playing:
                    self._check_cancellation(sequence, id, before, event)
            case TableClosed(key=key):
                if before.seal or key:
                    self._open_seal(sequence, id, before, key)
            case LiveRoundEvent():
                inspect_live_event(self.chain, sequence, id, self.time, event, before, self.result)
            case AbsenceWarned():
                self._raise_fault(sequence, id, find_call_fault(event, before, self.time), TIMERS_KEPT)
            case SeatTaken() | SeatLeft():
                self._raise_fault(sequence, id, _find_seat_fault(event, after))
                self._raise_fault(sequence, id, find_removal_fault(event, before, self.time), TIMERS_KEPT)
                self._chips.add(read_table_chips(event, after.number))
            case TableOpened():
                validate_terms(event.terms, setup_from_json(restore_wager_order(event.setup, event.layout)))

    def _raise_fault(
        self, sequence: int, id: str, fault: ReplayFault | None, invariant: Invariant = RULES_ALLOW
    ) -> None:
        if fault is not None:
            problem, expected, actual = fault
            raise invariant.mismatch(problem, self.chain, sequence, id, expected, actual)

    def _check_cancellation(self, sequence: int, id: str, before: TableState, off: RoundCanceled | SealRenewed) -> None:
        if is_same_person(off.who, off.second):
            raise TWO_PEOPLE.mismatch(
                "one person did what takes two", self.chain, sequence, id, "two people", off.second
            )
        if self._begin_event and any(True for _ in read_table_wagers(self._begin_event[2], before.open_table)):
            self.result.canceled_rounds.append(TableRoundEvent(self.chain, sequence, id, before.table, before.round))

    def _open_seal(self, sequence: int, id: str, before: TableState, key: str) -> Seal:
        seal = round_seal(bytes.fromhex(key), before.round)
        if seal.commitment != before.seal:
            problem = "its key is not the one that was sealed before the round"
            raise KEY_WAS_SEALED.mismatch(problem, self.chain, sequence, id, before.seal, seal.commitment)
        return seal

    def _deal_again(self, sequence: int, id: str, before: TableState, key: str) -> RoundPosition:
        """Deal the round again from its key: the same seats decide the same questions, and their decisions are
        legal."""
        seal = self._open_seal(sequence, id, before, key)
        if self._begin_event is None:
            raise DECISIONS_IN_TURN.mismatch(
                "the round never began", self.chain, sequence, id, "a round that began", before.round
            )
        at, its_id, begin_event = self._begin_event
        try:
            position = replay_round(before.open_table, seal, before.seat_wagers)
        except BadInput as fault:
            raise DECISIONS_IN_TURN.mismatch(
                "the table does not take these wagers", self.chain, at, its_id, "wagers of its layout", fault
            ) from None
        self._compare_next_seat(at, its_id, begin_event, position)
        for at, its_id, decision in self._decisions:
            position = self._repeat_decision(at, its_id, decision, position)
        return position

    def _repeat_decision(
        self, sequence: int, id: str, recorded: DecisionMade, position: RoundPosition
    ) -> RoundPosition:
        turn = position.round.seat_turn
        if (turn.seat, turn.question) != (recorded.seat, recorded.question):
            expected_text, actual_text = (
                f"seat {turn.seat}, {turn.question}",
                f"seat {recorded.seat}, {recorded.question}",
            )
            raise DECISIONS_IN_TURN.mismatch(
                "a different question was due", self.chain, sequence, id, expected_text, actual_text
            )
        decision = Decision.parse(recorded.answer)
        if recorded.by in (DECIDED_BY_CLOCK, DECIDED_FOR_ABSENT):
            safe = position.round.game.default_decision(position.round)
            if decision != safe:
                raise DECISIONS_IN_TURN.mismatch(
                    "a decision by timeout is not the default action", self.chain, sequence, id, safe, decision
                )
        try:
            position, cents = position.decide(decision)
        except IllegalAction:
            options = ", ".join(map(str, turn.options[:12]))
            raise DECISIONS_IN_TURN.mismatch(
                "the seat could not make that decision", self.chain, sequence, id, options, decision
            ) from None
        if cents != recorded.cents:
            raise DECISIONS_IN_TURN.mismatch(
                "the decision puts a different amount on the layout", self.chain, sequence, id, cents, recorded.cents
            )
        self._compare_next_seat(sequence, id, recorded, position)
        return position

    def _compare_next_seat(
        self, sequence: int, id: str, event: RoundStarted | DecisionMade, position: RoundPosition
    ) -> None:
        if position.deciding_seat != event.deciding_seat:
            raise DECISIONS_IN_TURN.mismatch(
                "a different seat decides next", self.chain, sequence, id, position.deciding_seat, event.deciding_seat
            )

    def _settle_again(
        self, sequence: int, id: str, before: TableState, position: RoundPosition, played: RoundPlayed
    ) -> None:
        if not position.round.is_terminal:
            raise SETTLED_BY_RULES.mismatch(
                "the round is not over", self.chain, sequence, id, position.round.turn_text, "take and pay"
            )
        resettled = settle_round(before, position.round, RoundPrizes(played.prizes))
        for problem, should, actual in (
            ("the payments to the seats differ", resettled.returned, played.returned),
            ("the payments by the operator differ", resettled.filled, played.filled),
        ):
            if should != actual:
                raise SETTLED_BY_RULES.mismatch(problem, self.chain, sequence, id, should, actual)
        if played.prizes or played.waiting or played.meters:
            prizes, digest = list_table_prizes(before, played), digest_round(position.round)
            add_weighted(self.result.table_prizes, self.result.salt, before.table, prizes, digest)

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.tables[self.state.table] = self.state
        self.result.table_chips |= self._chips.digests()
        self.result.table_wagers |= self._wagers.digests()


def _find_decider_fault(decision: DecisionMade, before: TableState) -> ReplayFault | None:
    """The player of the seat decides; where the seat was left, the table does."""
    seated = before.occupant(decision.seat)
    if seated is None or decision.by == DECIDED_BY_CLOCK:
        return None
    due = DECIDED_FOR_ABSENT if seated.leaving else seated.player
    return None if due == decision.by else ("a different player decided", due, decision.by)


def _find_amount_fault(wagers: WagersPlaced, before: TableState) -> ReplayFault | None:
    spots = before.open_table.table.spots
    strange = sorted(wagers.seat_wagers.spots.keys() - spots.keys())
    if strange:
        return "the layout has no such spot", ", ".join(spots), strange[0]
    cents = initial_stakes(before, wagers.seat_wagers.spots)
    return None if cents == wagers.cents else ("the amount of the wagers differs", cents, wagers.cents)


def _find_return_fault(begin_event: RoundStarted, before: TableState) -> ReplayFault | None:
    """Only jackpot wagers go back when a round begins, and wagers that need them."""
    if not begin_event.returned_wagers:
        return None
    jackpots = before.open_table.table.jackpot_spots if before.tabulated else frozenset()
    returned_spots = {spot for placed in begin_event.returned_wagers for spot in placed.spots} & jackpots
    _, back = split_by_disabled_spots(before, returned_spots)
    return (
        None
        if begin_event.returned_wagers == back
        else ("the returned wagers are not those of unavailable jackpots", back, begin_event.returned_wagers)
    )


def _find_seat_fault(event: SeatTaken | SeatLeft, after: TableState) -> ReplayFault | None:
    """Only its owner plays at a private table; bots play only for play money."""
    seats, owner = after.open_table.table.seats, after.terms.owner
    if not 1 <= event.seat <= seats:
        return "the table has no such seat", f"1 to {seats}", event.seat
    if owner and not event.is_bot and event.player != owner:
        return "a private table has another player at it", owner, event.player
    if event.is_bot and after.terms.money != "play":
        return "a bot plays for real money", "play money", event.player
    return None
