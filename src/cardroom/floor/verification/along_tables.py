"""Along the chain of a table, a promotion, or the room."""

from __future__ import annotations

from typing import Any

from cardroom.floor.kept.subjects import HEADS, PROMOTIONS, ROOM, TABLES
from cardroom.floor.kept.table import TableState
from cardroom.floor.people.senders import is_of_device
from cardroom.floor.verification.agreement import Story, said_by_table
from cardroom.floor.verification.along import Chain, JudgedChain
from cardroom.floor.verification.prizes import record_digest, told_by_promotion, weigh
from cardroom.floor.verification.replayed import (
    LineDrawn,
    PrizePromoted,
    Replayed,
    ReportOpen,
    RoundVoid,
)
from cardroom.floor.verification.report import wrong
from cardroom.floor.verification.tabulating import counted_by_table
from cardroom.jackpots import Happening, pay_hands
from cardroom.jackpots.day_end import digest_of
from cardroom.jackpots.happenings import (
    CounterRead,
    DayClosed,
    MalfunctionReported,
    PromotionPrizePaid,
    ReadingTakenBack,
    RecordsPassedOver,
    ReportClosed,
    RoundTabulated,
    RoundVoided,
    TabulatorBroken,
)
from cardroom.jackpots.people import same_person
from cardroom.jackpots.promotion.running import Payer
from cardroom.jackpots.tabulator.pace import AHEAD
from cardroom.jackpots.tabulator.unit import stakes_of
from cardroom.ledger.types import command_id_of


class TableChain(Chain):
    subject = TABLES

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._story = Story(said_by_table)
        self._of_felt = Story(counted_by_table)
        self._read: dict[str, CounterRead] = {}
        """Readings of the counter, by their ids."""

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        self._story.listen(happening)
        if isinstance(happening, (RoundVoided, TabulatorBroken)):
            self._rests_on(happening.report, sequence, id)
        if isinstance(happening, RoundVoided):
            if happening.round in before.tabulator.voided:
                what = f"round {happening.round} was void already"
                raise wrong(what, self.chain, sequence, id, "a round that counts", "a void round")
            counts = {one.wager: one.count for one in happening.wagers}
            of = happening.table, happening.round
            self.replayed.voids.append(RoundVoid(self.chain, sequence, id, *of, counts))
        if isinstance(happening, (CounterRead, ReadingTakenBack)):
            self._look_at_reading(sequence, id, happening, before)
        if isinstance(happening, (ReadingTakenBack, RecordsPassedOver)) and same_person(happening.by, happening.second):
            raise wrong("one person answers for it", self.chain, sequence, id, "two people", happening.second)
        self._of_felt.listen(happening)
        if isinstance(happening, RoundTabulated):
            tabulator = before.tabulator
            self._look_at_pace(sequence, id, happening, tabulator.taken_up)
            for at, counter, wager in zip(tabulator.table.wagers, tabulator.counters, happening.wagers, strict=True):
                marked = len(wager.lammers)
                if wager.stakes != (stakes := stakes_of(at, wager.count - marked, marked)):
                    what = f"the {wager.wager} wagers come to another amount"
                    raise wrong(what, self.chain, sequence, id, stakes, wager.stakes)
                if wager.counter != counter + wager.count:
                    what = f"the counter for {wager.wager} went on by another number"
                    raise wrong(what, self.chain, sequence, id, counter + wager.count, wager.counter)

    def _look_at_pace(self, sequence: int, id: str, one: RoundTabulated, known: int) -> None:
        """A round of a device takes up the table after the one before it, and never further ahead than a table may
        be, unless two people have accepted it. The office forwards records of a data logger in the name of a person,
        and they take up no time."""
        if not one.taken_up:
            sent = one.device is not None or (one.record is not None and is_of_device(command_id_of(id)))
            if sent and not one.accepted:
                what = "a device sent the round, and it takes up no time of the table"
                raise wrong(what, self.chain, sequence, id, f"a time after {known}", "none")
            return
        if one.taken_up <= known:
            what = "it takes up no time of the table"
            raise wrong(what, self.chain, sequence, id, f"a time after {known}", one.taken_up)
        if known > self.time and one.taken_up > self.time + AHEAD:
            what = "the table cannot have played so many rounds, and two people have not accepted them"
            raise wrong(what, self.chain, sequence, id, f"{self.time + AHEAD} at most", one.taken_up)

    def _look_at_reading(self, sequence: int, id: str, one: CounterRead | ReadingTakenBack, before: TableState) -> None:
        """A counter goes on by what is counted; nobody alone lets it jump; what is taken back was read."""
        if isinstance(one, ReadingTakenBack):
            brought = {wager.wager: wager.count for wager in one.wagers}
            read = self._read.get(one.reading)
            told = {wager.wager: wager.count for wager in read.wagers} if read else "no such reading"
            if brought != told:
                raise wrong("it takes back what was not read", self.chain, sequence, id, told, brought)
            return
        shown = [wager.counter for wager in one.wagers]
        went_on = [known + wager.count for known, wager in zip(before.tabulator.counters, one.wagers, strict=True)]
        if shown != went_on:
            raise wrong("the counter went on by another number", self.chain, sequence, id, went_on, shown)
        alone = not one.second.strip() or not one.why.strip() or same_person(one.by, one.second)
        if one.is_a_jump and alone:
            what = "the counter went on by more than the table can have played, and one person answers for it"
            raise wrong(what, self.chain, sequence, id, "two people and a reason", one.second or "nobody else")
        self._read[one.reading] = one

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.tables[self.state.id] = self.state
        self.replayed.told_by_tables |= self._story.digests()
        self.replayed.counted_by_tables |= self._of_felt.digests()


class PromotionChain(JudgedChain):
    subject = PROMOTIONS

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._hands: set[str] = set()
        """The hands that were paid."""

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        if isinstance(happening, PromotionPrizePaid) and not self._due:
            paid = happening
            known = frozenset(self._hands)
            payer = Payer(paid.dealer, paid.second, paid.dealer_pays, paid.again, known, paid.automatic)
            self._expect(pay_hands(before, paid.table, paid.round, paid.played, paid.when, payer))
            self.replayed.claims += 1
        if self._due:
            self._compare(sequence, id, happening)
        if isinstance(happening, PromotionPrizePaid):
            self._hands.add(happening.hand)
            told = happening.table, happening.round, happening.seat, happening.automatic
            self.replayed.promoted.append(PrizePromoted(self.chain, sequence, id, before.money, *told))
            if happening.automatic:
                sums, digest = self.replayed.prized_by_jackpots, record_digest(happening.record)
                weigh(sums, self.replayed.salt, happening.table, told_by_promotion(happening), digest)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.promotions[self.state.state.promotion.id] = self.state


class RoomChain(Chain):
    subject = ROOM

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        self.replayed.limits.append((self.time, after.settings.dealer_pays))
        if isinstance(happening, MalfunctionReported):
            self.replayed.reports[happening.number] = ReportOpen(self.time, None)
        if isinstance(happening, ReportClosed):
            opened = self.replayed.reports[happening.number]
            self.replayed.reports[happening.number] = opened._replace(until=self.time)
        if isinstance(happening, DayClosed):
            if happening.digest != (digest := digest_of(happening.ends)):
                raise wrong("its digest is not that of the ends", self.chain, sequence, id, digest, happening.digest)
            self.replayed.lines.append(LineDrawn(self.chain, sequence, id, happening.ends, happening.jackpots))

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.room = self.state


class HeadsChain(Chain):
    """Every signed head is computed again from its leaves, and every signature is checked again."""

    subject = HEADS
