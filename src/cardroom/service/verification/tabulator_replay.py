"""The chain of a tabulator, a promotion, or the room."""

from __future__ import annotations

from typing import Any

from cardroom.ledger.types import command_id_of
from cardroom.room.dual_control import is_same_person
from cardroom.room.event_types import DomainEvent
from cardroom.room.promotion.state import Payer, PromotionPrizePaid, pay_hands
from cardroom.room.site.events import DayClosed, MalfunctionReportClosed, MalfunctionReported, chain_ends_digest
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RecordsSkipped,
    RoundTabulated,
    RoundVoided,
    TabulatorFaultReported,
)
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.plausibility import CLOCK_TOLERANCE
from cardroom.room.tabulator.unit import count_stakes
from cardroom.room.user.command_ids import is_device_command
from cardroom.service.chains.aggregates import HEADS, PROMOTIONS, ROOM, TABULATORS
from cardroom.service.verification.agreement import StatementDigest, read_tabulator_statements
from cardroom.service.verification.chain_agreement import read_tabulator_wagers
from cardroom.service.verification.chain_replay import ChainReplay, JudgedChainReplay
from cardroom.service.verification.invariant import COUNTERS_ADVANCE, TWO_PEOPLE
from cardroom.service.verification.prize_checks import add_weighted, digest_record, list_promotion_prizes
from cardroom.service.verification.replay_result import (
    DayClose,
    PromotionPrizeEvent,
    ReplayResult,
    ReportPeriod,
    RoundVoidEvent,
)
from cardroom.service.verification.report import replay_mismatch


class TabulatorReplay(ChainReplay):
    aggregate = TABULATORS

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._counts = StatementDigest(read_tabulator_statements)
        self._wagers = StatementDigest(read_tabulator_wagers)
        self._readings: dict[str, CounterRead] = {}
        """Readings of the counter, by their ids."""

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:  # noqa: ARG002
        self._counts.add_event(event)
        if isinstance(event, (RoundVoided, TabulatorFaultReported)):
            self._note_report(event.report, sequence, id)
        if isinstance(event, RoundVoided):
            if event.round in before.tabulator.voided:
                problem = f"round {event.round} was void already"
                raise replay_mismatch(problem, self.chain, sequence, id, "a round that counts", "a void round")
            counts = {counted_wager.wager: counted_wager.count for counted_wager in event.wagers}
            of = event.table, event.round
            self.result.voids.append(RoundVoidEvent(self.chain, sequence, id, *of, counts))
        if isinstance(event, (CounterRead, ReadingReversed)):
            self._check_reading(sequence, id, event, before)
        if isinstance(event, (ReadingReversed, RecordsSkipped)) and is_same_person(event.by, event.second):
            raise TWO_PEOPLE.mismatch(
                "one person did what takes two", self.chain, sequence, id, "two people", event.second
            )
        self._wagers.add_event(event)
        if isinstance(event, RoundTabulated):
            tabulator = before.tabulator
            self._check_pace(sequence, id, event, tabulator.taken_up)
            for at, counter, wager in zip(tabulator.table.wagers, tabulator.counters, event.wagers, strict=True):
                marked = len(wager.lammers)
                if wager.stakes != (stakes := count_stakes(at, wager.count - marked, marked)):
                    problem = f"the amount of the {wager.wager} wagers differs"
                    raise COUNTERS_ADVANCE.mismatch(problem, self.chain, sequence, id, stakes, wager.stakes)
                if wager.counter != counter + wager.count:
                    problem = f"the counter for {wager.wager} advanced by a different number"
                    raise COUNTERS_ADVANCE.mismatch(
                        problem, self.chain, sequence, id, counter + wager.count, wager.counter
                    )

    def _check_pace(self, sequence: int, id: str, event: RoundTabulated, taken_up: int) -> None:
        """A round that a device sends takes up the table's time after the round before it, and never further ahead than
        a table may be, unless two people have accepted it. The office forwards records of a data logger in the name of
        a person, and they take up no time."""
        if not event.taken_up:
            is_sent = event.device is not None or (event.record is not None and is_device_command(command_id_of(id)))
            if is_sent and not event.accepted:
                problem = "a device sent the round, and it takes up no time of the table"
                raise replay_mismatch(problem, self.chain, sequence, id, f"a time after {taken_up}", "none")
            return
        if event.taken_up <= taken_up:
            problem = "it takes up no time of the table"
            raise replay_mismatch(problem, self.chain, sequence, id, f"a time after {taken_up}", event.taken_up)
        if taken_up > self.time and event.taken_up > self.time + CLOCK_TOLERANCE:
            problem = "the table cannot have played so many rounds, and two people have not accepted them"
            raise replay_mismatch(
                problem, self.chain, sequence, id, f"at most {self.time + CLOCK_TOLERANCE}", event.taken_up
            )

    def _check_reading(
        self, sequence: int, id: str, event: CounterRead | ReadingReversed, before: TabulatedTableState
    ) -> None:
        """A counter advances by what is counted; one person alone cannot let it jump; a reversed reading was
        entered."""
        if isinstance(event, ReadingReversed):
            brought = {wager.wager: wager.count for wager in event.wagers}
            reading = self._readings.get(event.reading)
            expected_counts = {wager.wager: wager.count for wager in reading.wagers} if reading else "no such reading"
            if brought != expected_counts:
                raise replay_mismatch(
                    "it reverses a reading that was not entered", self.chain, sequence, id, expected_counts, brought
                )
            return
        shown = [wager.counter for wager in event.wagers]
        went_on = [
            counter + wager.count for counter, wager in zip(before.tabulator.counters, event.wagers, strict=True)
        ]
        if shown != went_on:
            raise COUNTERS_ADVANCE.mismatch(
                "the counter advanced by a different number", self.chain, sequence, id, went_on, shown
            )
        alone = not event.second.strip() or not event.why.strip() or is_same_person(event.by, event.second)
        if event.is_implausible and alone:
            problem = "the counter advanced by more than the table can have played, with one person's consent"
            raise replay_mismatch(
                problem, self.chain, sequence, id, "two people and a reason", event.second.strip() or "no second person"
            )
        self._readings[event.reading] = event

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.tabulators[self.state.id] = self.state
        self.result.tabulator_counts |= self._counts.digests()
        self.result.tabulator_wagers |= self._wagers.digests()


class PromotionReplay(JudgedChainReplay):
    aggregate = PROMOTIONS

    def __init__(self, chain: str, result: ReplayResult) -> None:
        super().__init__(chain, result)
        self._hands: set[str] = set()
        """The hands that were paid."""

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:  # noqa: ARG002
        if isinstance(event, PromotionPrizePaid) and not self._expected:
            paid = event
            paid_hands = frozenset(self._hands)
            payer = Payer(paid.dealer, paid.second, paid.dealer_pays, paid.again, paid_hands, paid.automatic)
            self._expect(pay_hands(before, paid.table, paid.round, paid.ordered_record, paid.when, payer))
            self.result.claims += 1
        if self._expected:
            self._compare_expected(sequence, id, event)
        if isinstance(event, PromotionPrizePaid):
            self._hands.add(event.hand)
            prize_fields = event.table, event.round, event.seat, event.automatic
            self.result.promotion_prizes.append(
                PromotionPrizeEvent(self.chain, sequence, id, before.money, *prize_fields)
            )
            if event.automatic:
                sums, digest = self.result.jackpot_prizes, digest_record(event.record)
                add_weighted(sums, self.result.salt, event.table, list_promotion_prizes(event), digest)

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.promotions[self.state.state.promotion.id] = self.state


class RoomReplay(ChainReplay):
    aggregate = ROOM

    def inspect(self, sequence: int, id: str, event: DomainEvent, before: Any, after: Any) -> None:  # noqa: ARG002
        self.result.dealer_limits.append((self.time, after.settings.dealer_pays))
        if isinstance(event, MalfunctionReported):
            self.result.report_periods[event.number] = ReportPeriod(self.time, None)
        if isinstance(event, MalfunctionReportClosed):
            opened = self.result.report_periods[event.number]
            self.result.report_periods[event.number] = opened._replace(until=self.time)
        if isinstance(event, DayClosed):
            if event.digest != (digest := chain_ends_digest(event.ends)):
                raise replay_mismatch(
                    "its digest is not that of the heads", self.chain, sequence, id, digest, event.digest
                )
            self.result.day_closes.append(DayClose(self.chain, sequence, id, event.ends, event.jackpots))

    def finish(self, last: int) -> None:
        super().finish(last)
        self.result.room = self.state


class HeadsLogReplay(ChainReplay):
    """Every signed head is computed again from its leaves, and every signature is checked again."""

    aggregate = HEADS
