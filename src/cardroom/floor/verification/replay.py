"""A replay of the whole floor from its events: states, entries, claims and snapshots all come out again, or it stops.

Chains are replayed one by one, and of each only the state is kept, so a long history needs no more memory than a short
one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from cardroom.floor.kept.chains import ROOM as ROOM_CHAIN
from cardroom.floor.kept.chains import jackpot_of, promotion_of, table_of
from cardroom.floor.kept.open_matters import stood_at
from cardroom.floor.kept.subjects import JACKPOTS, PROMOTIONS, ROOM, TABLES, Subject
from cardroom.floor.kept.table import TableState
from cardroom.floor.verification.agreement import Pair, Story, said_by_jackpot, said_by_table
from cardroom.floor.verification.custody import Custody
from cardroom.floor.verification.report import Discrepancy, NotAsReplayed, wrong
from cardroom.jackpots import Happening, RunningPromotion, happening_from, pay_hands
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.flow import Asked, claim_record, claim_typed
from cardroom.jackpots.claim.refusing import refuse_claim
from cardroom.jackpots.day_end import ChainEnd, StoodAt, digest_of
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    CounterRead,
    DayClosed,
    PrizesWon,
    PromotionPrizePaid,
    ReadingTakenBack,
    RecordsPassedOver,
    RoundTabulated,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import same_person
from cardroom.jackpots.promotion.running import Payer
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.tabulator.unit import stakes_of

Row = tuple[Any, ...]
"""An event as the ledger stores it: chain, sequence, id, kind, version, time, payload and the rest."""
Stored = tuple[Row, list[Row], tuple[str, ...] | None]
"""An event, its entries and its names, as ``cardroom.ledger.verification`` gives them out."""
Lines = list[tuple[str, str, int]]
"""The entries of an event: debited account, credited account, amount."""
_NO_CHAIN_IS_AS_LONG: Final = 1 << 63


class Unnamed(NamedTuple):
    """An event of older books that has not the name that it should have: another event must have it."""

    chain: str
    sequence: int
    id: str
    name: str


class LineDrawn(NamedTuple):
    """The close of a day, which says where every chain ended."""

    chain: str
    sequence: int
    id: str
    ends: tuple[ChainEnd, ...]
    jackpots: tuple[StoodAt, ...]


class ClaimJudged(NamedTuple):
    """An event by which prizes were claimed: who won, and which event of the table is said to have counted them."""

    chain: str
    sequence: int
    id: str
    claim: str
    jackpot: str
    table: str
    round: str
    counted: int
    seats: frozenset[int]
    wagers: tuple[tuple[int, int], ...]
    """Seats and cents that were said to be counted with a typed hand."""
    seats_there: int
    """How many seats the table has, if a typed hand may win for all of them; else none."""


class LimitUsed(NamedTuple):
    """An event by which prizes were claimed, and what it says that a dealer may pay alone."""

    chain: str
    sequence: int
    id: str
    time: int
    alone: int


@dataclass(slots=True)
class Replayed:
    """What the events of some chains add up to."""

    tables: dict[str, TableState] = field(default_factory=dict)
    jackpots: dict[str, JackpotState] = field(default_factory=dict)
    promotions: dict[str, RunningPromotion] = field(default_factory=dict)
    room: RoomState | None = None
    told_by_tables: dict[Pair, bytes] = field(default_factory=dict)
    told_by_jackpots: dict[Pair, bytes] = field(default_factory=dict)
    claimed: list[ClaimJudged] = field(default_factory=list)
    unnamed: list[Unnamed] = field(default_factory=list)
    ends: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """By the chain of a jackpot, the events after which the money is looked at."""
    stood: dict[tuple[str, int], StoodAt] = field(default_factory=dict)
    lines: list[LineDrawn] = field(default_factory=list)
    limits: list[tuple[int, int]] = field(default_factory=list)
    """What a dealer may pay alone, in cents, and since when."""
    limits_used: list[LimitUsed] = field(default_factory=list)
    events: int = 0
    claims: int = 0
    discrepancy: Discrepancy | None = None
    """The first thing that is wrong; what comes after it was not replayed."""

    def add(self, other: Replayed) -> None:
        """Put another part of the floor beside this one."""
        for name in ("tables", "jackpots", "promotions", "told_by_tables", "told_by_jackpots", "stood"):
            getattr(self, name).update(getattr(other, name))
        self.room = self.room or other.room
        self.claimed += other.claimed
        self.unnamed += other.unnamed
        self.lines += other.lines
        self.limits += other.limits
        self.limits_used += other.limits_used
        self.events += other.events
        self.claims += other.claims
        found = [one for one in (self.discrepancy, other.discrepancy) if one is not None]
        self.discrepancy = min(found, key=lambda one: (one.chain or "", one.sequence or 0), default=None)


def replay_chain(replayed: Replayed, chain: str, rows: Iterable[Stored], snapshot: str) -> None:
    """Replay one chain: its events, each with the entries and names that are stored for it, and the snapshot in its
    head."""
    along, sequence, seen = _along(chain, replayed), 0, 0
    ends = replayed.ends.get(chain, frozenset())
    for row, entries, names in rows:
        _, sequence, id, kind, version, along.time, payload, *_ = row
        seen += 1
        try:
            happening = happening_from(kind, version, orjson.loads(payload))
            along.take(sequence, id, happening, [entry[3:] for entry in entries])
            if names != (follow := along.subject.names(happening)):
                along.compare_names(sequence, id, names, follow)
            if sequence in ends:
                replayed.stood[chain, sequence] = stood_at(along.state)
        except NotAsReplayed:
            raise
        except Exception as fault:
            raise wrong("it cannot have happened", chain, sequence, id, "an event that follows", fault) from fault
    replayed.events += seen
    along.end(sequence)
    again = orjson.loads(orjson.dumps(along.subject.write(along.state)))
    if again != orjson.loads(snapshot):
        where, expected, found = difference(again, orjson.loads(snapshot))
        sentence = (
            f"The snapshot in the head of {chain} is not what its events add up to: {where} should be {expected} "
            f"and is {found}."
        )
        raise NotAsReplayed(Discrepancy(sentence, chain, sequence, None, expected, found))


def _along(chain: str, replayed: Replayed) -> _Chain:
    if chain == ROOM_CHAIN:
        return _RoomChain(chain, replayed)
    for of, kind in ((table_of, _TableChain), (jackpot_of, _JackpotChain), (promotion_of, _PromotionChain)):
        if of(chain) is not None:
            return kind(chain, replayed)
    sentence = f"{chain} is the chain of no table, jackpot or promotion, and not the room's."
    raise NotAsReplayed(Discrepancy(sentence, chain, None, None, "a chain that the floor keeps", chain))


class _Chain:
    """What happens along one chain."""

    subject: Subject[Any] = TABLES

    def __init__(self, chain: str, replayed: Replayed) -> None:
        self.chain, self.replayed = chain, replayed
        self.state: Any = None
        self.time = 0
        """Of the event that is taken."""

    def take(self, sequence: int, id: str, happening: Happening, lines: Lines) -> None:
        """Take an event by the rules."""
        after = self.subject.after(self.state, happening)
        booked = [(str(one.debit), str(one.credit), one.amount) for one in self.subject.postings(happening)]
        if booked != lines:
            raise wrong("its entries do not follow from it", self.chain, sequence, id, booked, lines)
        self.look(sequence, id, happening, self.state, after)
        self.state = after

    def compare_names(self, sequence: int, id: str, names: tuple[str, ...] | None, follow: tuple[str, ...]) -> None:
        """Names that are not those that follow from the event. Older books may have counted a round twice: its name
        belongs to one of the two events, which is looked for when all chains are replayed."""
        if names is not None:
            raise wrong("its names do not follow from it", self.chain, sequence, id, follow, names)
        self.replayed.unnamed += (Unnamed(self.chain, sequence, id, name) for name in follow)

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        """Look at what states and entries do not show."""

    def end(self, last: int) -> None:
        """The chain is at its end."""


class _TableChain(_Chain):
    subject = TABLES

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._story = Story(said_by_table)
        self._read: dict[str, CounterRead] = {}
        """Readings of the counter, by their ids."""

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        self._story.listen(happening)
        if isinstance(happening, (CounterRead, ReadingTakenBack)):
            self._look_at_reading(sequence, id, happening, before)
        if isinstance(happening, (ReadingTakenBack, RecordsPassedOver)) and same_person(happening.by, happening.second):
            raise wrong("one person answers for it", self.chain, sequence, id, "two people", happening.second)
        if isinstance(happening, RoundTabulated):
            tabulator = before.tabulator
            for at, counter, wager in zip(tabulator.table.wagers, tabulator.counters, happening.wagers, strict=True):
                marked = len(wager.lammers)
                if wager.stakes != (stakes := stakes_of(at, wager.count - marked, marked)):
                    what = f"the {wager.wager} wagers come to another amount"
                    raise wrong(what, self.chain, sequence, id, stakes, wager.stakes)
                if wager.counter != counter + wager.count:
                    what = f"the counter for {wager.wager} went on by another number"
                    raise wrong(what, self.chain, sequence, id, counter + wager.count, wager.counter)

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
        if one.reading:
            self._read[one.reading] = one

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.tables[self.state.id] = self.state
        self.replayed.told_by_tables |= self._story.digests()


class _JudgedChain(_Chain):
    """A chain on which hands are paid: the rules judge each hand again, and must come to the same events."""

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._due: deque[Happening] = deque()

    def _expect(self, happenings: Iterable[Happening]) -> None:
        self._due.extend(happenings)

    def _compare(self, sequence: int, id: str, found: Happening) -> None:
        due = self._due.popleft()
        if due != found:
            where, should, is_ = difference(
                {"kind": due.kind, "version": due.version, "payload": due.payload},
                {"kind": found.kind, "version": found.version, "payload": found.payload},
            )
            raise wrong(f"judged again, its {where} is another", self.chain, sequence, id, should, is_)

    def end(self, last: int) -> None:
        super().end(last)
        if self._due:
            raise wrong("a claim is not complete", self.chain, last, "", self._due[0].kind, "the end of the chain")


class _JackpotChain(_JudgedChain):
    subject = JACKPOTS

    def __init__(self, chain: str, replayed: Replayed) -> None:
        super().__init__(chain, replayed)
        self._story = Story(said_by_jackpot)
        self._custody = Custody(chain)
        self._void: set[tuple[str, str]] = set()
        """Tables and rounds whose wagers were taken back."""
        self._claimed: dict[tuple[str, str], ClaimedBefore] = {}
        """What was claimed of a round until now."""
        self._rounds: dict[str, tuple[str, str]] = {}
        """The round of each claim that was made."""

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        self._story.listen(happening)
        if isinstance(happening, WagersCounted):
            return  # the rules add what came in to both sides
        if isinstance(happening, WagersTakenBack):
            self._void.add((happening.table, happening.round))
        if isinstance(happening, PrizesWon):
            self._judge(sequence, id, happening, before)
        if isinstance(happening, ClaimRefused) and not self._due:
            self._expect(self._refused_again(happening, before))
        if self._due:
            self._compare(sequence, id, happening)
        self._remember(happening)
        self._custody.look(sequence, id, self.time, happening, after.id)
        covered = after.escrow + after.undeposited
        if after.owed != covered:
            raise wrong("what is owed to the players is not covered", self.chain, sequence, id, after.owed, covered)

    def _judge(self, sequence: int, id: str, won: PrizesWon, before: JackpotState) -> None:
        """What the rules say of a claim; its table is asked once all chains are replayed."""
        claim = won.claim if isinstance(won, ClaimLocked | ClaimJoined) else id.rpartition("/")[0]
        table, round_id = won.table, won.round
        if not 0 < won.counted < _NO_CHAIN_IS_AS_LONG:
            raise wrong(f"claim {claim} names no event of {table}", self.chain, sequence, id, "its number", won.counted)
        if not self._due:
            earlier = self._claimed.get((table, round_id), ClaimedBefore())
            asked = Asked(claim, table, round_id, won.dealer, won.counted, won.alone, earlier)
            typed, record = won.typed_seat, won.played
            self._expect(
                claim_record(before, record, asked) if typed is None else claim_typed(before, record, typed, asked)
            )
            self.replayed.claims += 1
        if (table, round_id) in self._void:
            what = f"claim {claim} is about round {round_id} of {table}, which is void"
            raise wrong(what, self.chain, sequence, id, "a round that counts", "a void round")
        if won.alone is not None:
            self.replayed.limits_used.append(LimitUsed(self.chain, sequence, id, self.time, won.alone))
        seats = frozenset(prize.seat for prize in won.prizes)
        self.replayed.claimed.append(
            ClaimJudged(self.chain, sequence, id, claim, before.id, table, round_id, won.counted, seats, *_typed(won))
        )

    @staticmethod
    def _refused_again(refused: ClaimRefused, before: JackpotState) -> tuple[Happening, ...]:
        """What the rules say of a refusal."""
        by, why = refused.refused_by, refused.why
        return refuse_claim(before, refused.claim, refused_by=by, why=why, seats=refused.seats)

    def _remember(self, happening: Happening) -> None:
        """What was claimed of which round, for claims that come later."""
        rounds = set[tuple[str, str]]()
        if isinstance(happening, PrizesWon):
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
        self.replayed.told_by_jackpots |= self._story.digests()


class _PromotionChain(_JudgedChain):
    subject = PROMOTIONS

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        if isinstance(happening, PromotionPrizePaid) and not self._due:
            paid = happening
            payer = Payer(paid.dealer, paid.second, paid.dealer_pays, paid.again)
            self._expect(pay_hands(before, paid.table, paid.round, paid.played, paid.when, payer))
            self.replayed.claims += 1
        if self._due:
            self._compare(sequence, id, happening)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.promotions[self.state.state.promotion.id] = self.state


def _typed(won: PrizesWon) -> tuple[tuple[tuple[int, int], ...], int]:
    """The wagers that a typed hand was judged with, and how many seats there are if it may win for all of them."""
    if won.typed_seat is None:
        return (), 0
    record = won.record
    wagers = tuple((int(seat), cents) for seat, spots in record["wagers"].items() for cents in spots.values())
    (wager,) = {wager for spots in record["wagers"].values() for wager in spots}
    shares = record["table"]["wagers"][wager].get("feature") is not None
    return wagers, record["table"]["seats"] if shares else 0


class _RoomChain(_Chain):
    subject = ROOM

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:  # noqa: ARG002
        self.replayed.limits.append((self.time, after.settings.dealer_pays))
        if isinstance(happening, DayClosed):
            if happening.digest != (digest := digest_of(happening.ends)):
                raise wrong("its digest is not that of the ends", self.chain, sequence, id, digest, happening.digest)
            self.replayed.lines.append(LineDrawn(self.chain, sequence, id, happening.ends, happening.jackpots))

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.room = self.state


def difference(expected: Any, found: Any, where: str = "") -> tuple[str, str, str]:
    """The first place where two plain values differ.

    >>> difference({"a": [1, 2]}, {"a": [1, 3]})
    ('a.2', '2', '3')
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted(expected.keys() | found.keys()):
            if name not in expected or name not in found or expected[name] != found[name]:
                one, other = expected.get(name, "nothing"), found.get(name, "nothing")
                return difference(one, other, f"{where}.{name}" if where else name)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for number, (one, other) in enumerate(zip(expected, found, strict=True), 1):
            if one != other:
                return difference(one, other, f"{where}.{number}" if where else str(number))
    return where or "the value", repr(expected), repr(found)
