"""The state of a table's tabulator, its reducer, its lights, and its postings.

The values are named tuples because a replay makes one of each for every round ever dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

from cardroom.chart_of_accounts import CENT, Account, AccountKind, Amount, Posting
from cardroom.errors import BadInput
from cardroom.room.codec import array_like
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import Installation, LoggerMark, Positions, WagerCount
from cardroom.room.setup.tabulator import TabulatedTable
from cardroom.room.tabulator.events import (
    CounterRead,
    LightFailuresReported,
    ReadingReversed,
    RecordsSkipped,
    RoundCountedByHand,
    RoundRecorded,
    RoundsAccepted,
    RoundTabulated,
    RoundVoided,
    TabulatorEvent,
    TabulatorFaultCleared,
    TabulatorFaultReported,
    round_of_event,
)


@array_like
class TabulatorTally(NamedTuple):
    """The counts of one wager since the tabulator was installed."""

    counted: int = 0
    """By the tabulator."""
    by_hand: int = 0
    """During a fault of the tabulator."""
    taken_back: int = 0
    """Of void rounds."""

    @property
    def wagers(self) -> int:
        """The valid wagers."""
        return self.counted + self.by_hand - self.taken_back


class CountedRound(NamedTuple):
    """The latest counted round."""

    round: str
    by_hand: bool
    positions: tuple[Positions, ...]
    """The positions of each of the table's wagers, in their order."""
    lammers: tuple[Positions, ...]
    """The positions with a lammer beside the wager."""


class TabulatorState(NamedTuple):
    """A table's tabulator after its latest event."""

    table: TabulatedTable
    unit: str
    """The number on the case: another unit has another counter."""
    counters: tuple[int, ...]
    """The unit's counter value for each of the table's wagers. It never goes down (BJ-1)."""
    tallies: tuple[TabulatorTally, ...]
    broken: str | None = None
    """The reported fault; None while it works."""
    round: CountedRound | None = None
    voided: frozenset[str] = frozenset()
    """The void rounds and the reversed readings, by name."""
    dark: tuple[Positions, ...] = ()
    """The positions of failed lights, by wager."""
    logger: LoggerMark | None = None
    taken_up: int = 0
    """Until when the table is busy with the rounds that devices sent, in microseconds since 1970, UTC; 0 before the
    first."""
    accepted: int = 0
    """The number of a device's rounds that two people accepted and that have not arrived yet."""


T = TypeVar("T")


class UnexpectedEvent(BadInput):
    """An event that contradicts the state: a fault of the program or of the ledger."""


def apply_installation(state: TabulatorState | None, installation: Installation) -> TabulatorState:
    """The state after a tabulator is installed on a table."""
    table, unit, counters, logger = installation
    return TabulatorState(
        table=table,
        unit=unit,
        counters=counters,
        tallies=(TabulatorTally(),) * len(table.wagers),
        voided=state.voided if state else frozenset(),
        dark=((),) * len(table.wagers),
        logger=logger or (state.logger if state and state.unit == unit else None),
    )


def apply_setup_change(state: TabulatorState, installation: Installation) -> TabulatorState:
    """The state after a change of setup: the counts of each wager that stays continue."""
    table, unit, counters, logger = installation
    before, after = ([wager.wager for wager in wagers] for wagers in (state.table.wagers, table.wagers))

    def carry_over(values: Sequence[T], default: T) -> tuple[T, ...]:
        former_values = dict(zip(before, values, strict=True))
        return tuple(former_values.get(wager, default) for wager in after)

    last = state.round
    return state._replace(
        table=table,
        unit=unit,
        counters=counters,
        tallies=carry_over(state.tallies, TabulatorTally()),
        round=last and last._replace(positions=carry_over(last.positions, ()), lammers=carry_over(last.lammers, ())),
        dark=carry_over(state.dark, ()),
        logger=state.logger if state.unit == unit else logger,
    )


def apply_tabulator_event(state: TabulatorState, event: DomainEvent) -> TabulatorState:
    """The state after an event."""
    match event:
        case RoundTabulated(wagers=wagers, record=record, accepted=accepted):
            if accepted and not state.accepted:
                raise UnexpectedEvent(f"Two people have not accepted round {event.round}.")
            return state._replace(
                counters=tuple([wager_count.counter for wager_count in wagers]),
                tallies=_update_tallies(_add_tabulated, state, wagers),
                round=_make_counted_round(event, by_hand=False),
                logger=LoggerMark(record.number, record.seal) if record else state.logger,
                taken_up=event.taken_up or state.taken_up,
                accepted=state.accepted - accepted,
            )
        case RoundsAccepted(rounds=rounds):
            return state._replace(accepted=state.accepted + rounds)
        case RoundCountedByHand(wagers=by_hand):
            tallies = _update_tallies(_add_hand_count, state, by_hand)
            return state._replace(tallies=tallies, round=_make_counted_round(event, by_hand=True))
        case CounterRead(wagers=counter_wagers):
            counters, tallies = (
                tuple(wager_count.counter for wager_count in counter_wagers),
                _update_tallies(_add_tabulated, state, counter_wagers),
            )
            return state._replace(counters=counters, tallies=tallies)
        case ReadingReversed():
            return _apply_reading_reversal(state, event)
        case RoundVoided(round=void, wagers=returned_wagers):
            counts = {wager_count.wager: wager_count.count for wager_count in returned_wagers}
            tallies = tuple(
                tally._replace(taken_back=tally.taken_back + counts.get(wager.wager, 0))
                for tally, wager in zip(state.tallies, state.table.wagers, strict=True)
            )
            return state._replace(tallies=tallies, voided=state.voided | {void})
        case RecordsSkipped(mark=mark, unit=unit):
            if unit != state.unit or (state.logger and mark.number <= state.logger.number):
                raise UnexpectedEvent("Stored records cannot be skipped.")
            return state._replace(logger=mark)
        case TabulatorFaultReported(reason=reason):
            return state._replace(broken=reason)
        case TabulatorFaultCleared(unit=unit, counters=new_counters, logger=mark):
            logger = state.logger if unit == state.unit else mark
            return state._replace(broken=None, unit=unit, counters=new_counters, logger=logger)
        case LightFailuresReported(dark=dark):
            return state._replace(dark=dark)
    raise UnexpectedEvent(f"{event.kind} is not an event of a tabulator.")


def _apply_reading_reversal(state: TabulatorState, reversal: ReadingReversed) -> TabulatorState:
    """Restore the counter value before the reading; refuse if anything was counted since."""
    name = round_of_event(reversal)
    if name in state.voided or state.counters != tuple(wager.counter + wager.count for wager in reversal.wagers):
        raise UnexpectedEvent(f"The reading {reversal.reading} is not the last change of the counter.")
    tallies = tuple(
        tally._replace(counted=tally.counted - wager.count)
        for tally, wager in zip(state.tallies, reversal.wagers, strict=True)
    )
    counters = tuple(wager.counter for wager in reversal.wagers)
    return state._replace(counters=counters, tallies=tallies, voided=state.voided | {name})


def _update_tallies(
    add: Callable[[TabulatorTally, WagerCount], TabulatorTally], state: TabulatorState, wagers: Sequence[WagerCount]
) -> tuple[TabulatorTally, ...]:
    return tuple([add(tally, wager) for tally, wager in zip(state.tallies, wagers, strict=True)])


def _add_tabulated(tally: TabulatorTally, wager: WagerCount) -> TabulatorTally:
    return TabulatorTally(tally.counted + wager.count, tally.by_hand, tally.taken_back)


def _add_hand_count(tally: TabulatorTally, wager: WagerCount) -> TabulatorTally:
    return TabulatorTally(tally.counted, tally.by_hand + wager.count, tally.taken_back)


def _make_counted_round(event: RoundRecorded, *, by_hand: bool) -> CountedRound:
    positions, lammers = (
        tuple([wager.positions for wager in event.wagers]),
        tuple([wager.lammers for wager in event.wagers]),
    )
    return CountedRound(event.round, by_hand, positions, lammers)


@dataclass(frozen=True, slots=True, order=True)
class LayoutMark:
    """A place that shows a counted wager: with a light, or with a lammer instead."""

    position: int
    sensor: int


def lit_lights(state: TabulatorState) -> frozenset[LayoutMark]:
    """The lights that are on: one for each counted wager that is removed. They stay on until the next press of the
    button, even if the round is void (BJ-23). A dealer panel has one light per position."""
    removed_marks = _removed_marks(state)
    return frozenset(mark for mark in removed_marks if not _is_failed_light(state, mark))


def lammers_for_failed_lights(state: TabulatorState) -> frozenset[LayoutMark]:
    """The places where the dealer puts a lammer before the wager is collected, because the light has failed (BJ-21)."""
    return frozenset(mark for mark in _removed_marks(state) if _is_failed_light(state, mark))


def wagers_left_on_layout(state: TabulatorState) -> frozenset[LayoutMark]:
    """The counted wagers that are not collected before the deal: "to 1", or counted by hand (BJ-3, BJ-7)."""
    return _counted_marks(state) - _removed_marks(state)


def _counted_marks(state: TabulatorState) -> frozenset[LayoutMark]:
    counted_positions = state.round.positions if state.round else ()
    pairs = zip(state.table.wagers, counted_positions, strict=False)
    return frozenset(LayoutMark(position, wager.sensor) for wager, positions in pairs for position in positions)


def _removed_marks(state: TabulatorState) -> frozenset[LayoutMark]:
    if state.round is None or state.round.by_hand:
        return frozenset()
    removed = {wager.sensor for wager in state.table.wagers if wager.removed}
    return frozenset(mark for mark in _counted_marks(state) if mark.sensor in removed)


def _is_failed_light(state: TabulatorState, mark: LayoutMark) -> bool:
    pairs = zip(state.table.wagers, state.dark, strict=True)
    return state.broken is not None or any(
        wager.sensor == mark.sensor and mark.position in places for wager, places in pairs
    )


@dataclass(frozen=True, slots=True)
class JackpotCount:
    """The wagers for one jackpot that an event recorded, or reversed if the number is negative."""

    jackpot: str
    wager: str
    count: int
    stakes: tuple[tuple[Amount, int], ...]
    """The number of wagers of each amount."""


def count_by_jackpot(event: DomainEvent) -> tuple[JackpotCount, ...]:
    """The wagers of an event for each jackpot of the table, so that its meter can follow."""
    sign, wagers = recorded_wagers(event)
    return tuple(
        JackpotCount(
            wager.jackpot,
            wager.wager,
            sign * wager.count,
            tuple((amount, sign * count) for amount, count in wager.stakes),
        )
        for wager in wagers
        if wager.jackpot is not None and wager.count
    )


def positions_for(event: RoundRecorded, jackpot: str) -> set[int]:
    """The positions with a wager for a jackpot in a round."""
    return {place for wager in event.wagers if wager.jackpot == jackpot for place in wager.positions}


def stakes_by_position(event: RoundRecorded, jackpot: str) -> dict[int, int]:
    """By position, the cents wagered for a jackpot in a round, if the amounts are fixed: a lammer marks the larger of
    two (BJ-20)."""
    staked: dict[int, int] = {}
    for wager in event.wagers:
        if wager.jackpot == jackpot and wager.stakes:
            amounts = sorted(stakes.amount // CENT for stakes in wager.stakes)
            staked |= {place: amounts[-1] if place in wager.lammers else amounts[0] for place in wager.positions}
    return staked


def tabulator_postings(event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of an event: a collected wager is the table's gross receipts, and goes back if the round is void. A
    "to 1" wager stays on the layout and is settled with the hand."""
    sign, wagers = recorded_wagers(event)
    amount = sum([stakes.amount * stakes.number for wager in wagers if wager.collected for stakes in wager.stakes])
    if amount == 0 or not isinstance(event, TabulatorEvent):
        return ()
    tray, receipts = _table_accounts(event.table)
    return (Posting(tray, receipts, amount) if sign > 0 else Posting(receipts, tray, amount),)


@lru_cache(4096)
def _table_accounts(table: str) -> tuple[Account, Account]:
    return Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)


def recorded_wagers(event: DomainEvent) -> tuple[int, Sequence[WagerCount]]:
    """The wagers that an event records, with the sign 1, or reverses, with the sign -1."""
    match event:
        case RoundTabulated(wagers=wagers) | RoundCountedByHand(wagers=wagers) | CounterRead(wagers=wagers):
            return 1, wagers
        case RoundVoided(wagers=wagers) | ReadingReversed(wagers=wagers):
            return -1, wagers
    return 0, ()
