"""The state of a tabulator after a happening; what it shows; what its counts mean for jackpots and the books."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from cardroom.accounts import CENT, Account, AccountKind, Amount, Posting
from cardroom.errors import BadInput
from cardroom.jackpots.contents import Installation, LoggerMark, WagerCount
from cardroom.jackpots.happenings import (
    CountedByHand,
    CounterRead,
    Happening,
    LightsFailed,
    OfATable,
    ReadingTakenBack,
    RecordsPassedOver,
    RoundRecorded,
    RoundsAccepted,
    RoundTabulated,
    RoundVoided,
    TabulatorBroken,
    TabulatorRepaired,
    round_of,
)
from cardroom.jackpots.tabulator.state import CountedRound, TabulatorState, Tally

T = TypeVar("T")


class DoesNotFollow(BadInput):
    """A happening that is none of a tabulator's: a fault of the program or of the log."""


def tabulator_installed(state: TabulatorState | None, installation: Installation) -> TabulatorState:
    """The state after a tabulator was put on a table."""
    table, unit, counters, logger = installation
    return TabulatorState(
        table=table,
        unit=unit,
        counters=counters,
        tallies=(Tally(),) * len(table.wagers),
        voided=state.voided if state else frozenset(),
        dark=((),) * len(table.wagers),
        logger=logger or (state.logger if state and state.unit == unit else None),
    )


def tabulator_changed(state: TabulatorState, installation: Installation) -> TabulatorState:
    """The state after an open table got another set-up: what was counted goes on for each wager that stays."""
    table, unit, counters, logger = installation
    before, after = ([wager.wager for wager in one.wagers] for one in (state.table, table))

    def kept(values: Sequence[T], otherwise: T) -> tuple[T, ...]:
        known = dict(zip(before, values, strict=True))
        return tuple(known.get(wager, otherwise) for wager in after)

    last = state.round
    return state._replace(
        table=table,
        unit=unit,
        counters=counters,
        tallies=kept(state.tallies, Tally()),
        round=last and last._replace(positions=kept(last.positions, ()), lammers=kept(last.lammers, ())),
        dark=kept(state.dark, ()),
        logger=state.logger if state.unit == unit else logger,
    )


def tabulator_after(state: TabulatorState, happening: Happening) -> TabulatorState:
    """The state after a happening."""
    match happening:
        case RoundTabulated(wagers=wagers, record=record, accepted=accepted):
            if accepted and not state.accepted:
                raise DoesNotFollow(f"Two people have not accepted round {happening.round}.")
            return state._replace(
                counters=tuple([one.counter for one in wagers]),
                tallies=_tallied(_by_the_tabulator, state, wagers),
                round=_last_round(happening, by_hand=False),
                logger=LoggerMark(record.number, record.seal) if record else state.logger,
                taken_up=happening.taken_up or state.taken_up,
                accepted=state.accepted - accepted,
            )
        case RoundsAccepted(rounds=rounds):
            return state._replace(accepted=state.accepted + rounds)
        case CountedByHand(wagers=by_hand):
            tallies = _tallied(_by_hand, state, by_hand)
            return state._replace(tallies=tallies, round=_last_round(happening, by_hand=True))
        case CounterRead(wagers=read):
            counters, tallies = tuple(one.counter for one in read), _tallied(_by_the_tabulator, state, read)
            return state._replace(counters=counters, tallies=tallies)
        case ReadingTakenBack():
            return _reading_taken_back(state, happening)
        case RoundVoided(round=void, wagers=back):
            counts = {one.wager: one.count for one in back}
            tallies = tuple(
                tally._replace(taken_back=tally.taken_back + counts.get(wager.wager, 0))
                for tally, wager in zip(state.tallies, state.table.wagers, strict=True)
            )
            return state._replace(tallies=tallies, voided=state.voided | {void})
        case RecordsPassedOver(mark=mark, unit=unit):
            if unit != state.unit or (state.logger and mark.number <= state.logger.number):
                raise DoesNotFollow("Records that were taken over are not passed over.")
            return state._replace(logger=mark)
        case TabulatorBroken(reason=reason):
            return state._replace(broken=reason)
        case TabulatorRepaired(unit=unit, counters=shown, logger=mark):
            logger = state.logger if unit == state.unit else mark
            return state._replace(broken=None, unit=unit, counters=shown, logger=logger)
        case LightsFailed(dark=dark):
            return state._replace(dark=dark)
    raise DoesNotFollow(f"{happening.kind} does not happen to a tabulator.")


def _reading_taken_back(state: TabulatorState, back: ReadingTakenBack) -> TabulatorState:
    """The counter is known as it was before the reading; that is possible only while nothing was counted since."""
    name = round_of(back)
    if name in state.voided or state.counters != tuple(one.counter + one.count for one in back.wagers):
        raise DoesNotFollow(f"The reading {back.reading} is not what the counter stands on.")
    tallies = tuple(
        tally._replace(counted=tally.counted - one.count) for tally, one in zip(state.tallies, back.wagers, strict=True)
    )
    counters = tuple(one.counter for one in back.wagers)
    return state._replace(counters=counters, tallies=tallies, voided=state.voided | {name})


def _tallied(
    add: Callable[[Tally, WagerCount], Tally], state: TabulatorState, wagers: Sequence[WagerCount]
) -> tuple[Tally, ...]:
    return tuple([add(tally, wager) for tally, wager in zip(state.tallies, wagers, strict=True)])


def _by_the_tabulator(tally: Tally, wager: WagerCount) -> Tally:
    return Tally(tally.counted + wager.count, tally.by_hand, tally.taken_back)


def _by_hand(tally: Tally, wager: WagerCount) -> Tally:
    return Tally(tally.counted, tally.by_hand + wager.count, tally.taken_back)


def _last_round(counted: RoundRecorded, *, by_hand: bool) -> CountedRound:
    positions, lammers = (
        tuple([one.positions for one in counted.wagers]),
        tuple([one.lammers for one in counted.wagers]),
    )
    return CountedRound(counted.round, by_hand, positions, lammers)


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place at which a counted wager is shown: a light, or a lammer in its stead."""

    position: int
    sensor: int


def lights(state: TabulatorState) -> frozenset[Mark]:
    """The lights that are on: one for each counted wager that is removed. They stay on until the next round's button,
    also when the round is void (BJ-23). On a dealer panel there is one light a position."""
    shown = _removed_wagers(state)
    return frozenset(mark for mark in shown if not _is_dark(state, mark))


def lammers_in_place_of_lights(state: TabulatorState) -> frozenset[Mark]:
    """Where the dealer puts a lammer, before the wager is collected, because the light there has failed (BJ-21)."""
    return frozenset(mark for mark in _removed_wagers(state) if _is_dark(state, mark))


def stay_on_layout(state: TabulatorState) -> frozenset[Mark]:
    """The counted wagers that are not collected before the deal: "to 1", or counted by hand (BJ-3, BJ-7)."""
    return _wagers_shown(state) - _removed_wagers(state)


def _wagers_shown(state: TabulatorState) -> frozenset[Mark]:
    counted = state.round.positions if state.round else ()
    pairs = zip(state.table.wagers, counted, strict=False)
    return frozenset(Mark(position, wager.sensor) for wager, positions in pairs for position in positions)


def _removed_wagers(state: TabulatorState) -> frozenset[Mark]:
    if state.round is None or state.round.by_hand:
        return frozenset()
    removed = {wager.sensor for wager in state.table.wagers if wager.removed}
    return frozenset(mark for mark in _wagers_shown(state) if mark.sensor in removed)


def _is_dark(state: TabulatorState, mark: Mark) -> bool:
    pairs = zip(state.table.wagers, state.dark, strict=True)
    return state.broken is not None or any(
        wager.sensor == mark.sensor and mark.position in places for wager, places in pairs
    )


@dataclass(frozen=True, slots=True)
class JackpotCount:
    """The wagers for one jackpot that a happening recorded, or took back where the number is below zero."""

    jackpot: str
    wager: str
    count: int
    stakes: tuple[tuple[Amount, int], ...]
    """How many wagers there were of each amount."""


def jackpot_counts(happening: Happening) -> tuple[JackpotCount, ...]:
    """How many wagers a happening means for each jackpot of the table, so that its meter can follow."""
    sign, wagers = recorded(happening)
    return tuple(
        JackpotCount(
            one.jackpot, one.wager, sign * one.count, tuple((amount, sign * count) for amount, count in one.stakes)
        )
        for one in wagers
        if one.jackpot is not None and one.count
    )


def positions_for(counted: RoundRecorded, jackpot: str) -> set[int]:
    """Where wagers for a jackpot lay in a round."""
    return {place for one in counted.wagers if one.jackpot == jackpot for place in one.positions}


def staked_for(counted: RoundRecorded, jackpot: str) -> dict[int, int]:
    """What was wagered at each position for a jackpot in a round, in cents, where amounts are known: a lammer lies
    beside the larger of two (BJ-20)."""
    staked: dict[int, int] = {}
    for one in counted.wagers:
        if one.jackpot == jackpot and one.stakes:
            amounts = sorted(stakes.amount // CENT for stakes in one.stakes)
            staked |= {place: amounts[-1] if place in one.lammers else amounts[0] for place in one.positions}
    return staked


def tabulator_postings(happening: Happening) -> tuple[Posting, ...]:
    """What a happening means for the books: a wager that is collected is the table's gross receipts, and goes back
    when the round is void. A "to 1" wager stays on the layout and is settled with the hand."""
    sign, wagers = recorded(happening)
    amount = sum([stakes.amount * stakes.number for one in wagers if one.collected for stakes in one.stakes])
    if amount == 0 or not isinstance(happening, OfATable):
        return ()
    tray, receipts = _table_accounts(happening.table)
    return (Posting(tray, receipts, amount) if sign > 0 else Posting(receipts, tray, amount),)


@lru_cache(4096)
def _table_accounts(table: str) -> tuple[Account, Account]:
    return Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)


def recorded(happening: Happening) -> tuple[int, Sequence[WagerCount]]:
    """The wagers that a happening records, or takes back where the sign is below zero."""
    match happening:
        case RoundTabulated(wagers=wagers) | CountedByHand(wagers=wagers) | CounterRead(wagers=wagers):
            return 1, wagers
        case RoundVoided(wagers=wagers) | ReadingTakenBack(wagers=wagers):
            return -1, wagers
    return 0, ()
