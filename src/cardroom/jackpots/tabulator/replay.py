"""The state of a tabulator after a happening; what it shows; what its counts mean for jackpots and the books."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from cardroom.accounts import Account, AccountKind, Amount, Posting
from cardroom.jackpots.happenings import Happening
from cardroom.jackpots.tabulator import unit as kinds
from cardroom.jackpots.tabulator.state import CountedRound, LoggerMark, TabulatorState, Tally, table_from


class UnknownHappening(ValueError):
    """A happening that is none of a tabulator's: a fault of the program or of the log."""


def apply(state: TabulatorState | None, happening: Happening) -> TabulatorState:
    """The state after a happening; the first one of a table is ``tabulator-installed``."""
    if happening.kind == kinds.INSTALLED:
        return _installed(state, happening.payload)
    step = _STEPS.get(happening.kind)
    if step is None or happening.version != 1 or state is None:
        raise UnknownHappening(f"{happening.kind}, version {happening.version}, does not follow at a tabulator.")
    return step(state, happening.payload)


def replay(happenings: Iterable[Happening]) -> TabulatorState | None:
    """The state that these happenings leave behind."""
    state: TabulatorState | None = None
    for happening in happenings:
        state = apply(state, happening)
    return state


def _installed(state: TabulatorState | None, payload: dict[str, Any]) -> TabulatorState:
    table = table_from(payload["table"])
    same_unit = state is not None and state.unit == payload["unit"]
    return TabulatorState(
        table=table,
        unit=payload["unit"],
        counters=tuple(payload["counters"]),
        tallies=(Tally(),) * len(table.wagers),
        voided=state.voided if state else frozenset(),
        dark=((),) * len(table.wagers),
        logger=state.logger if state and same_unit else None,
    )


def _tabulated(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    wagers = payload["wagers"]
    record = payload.get("record")
    return TabulatorState(
        state.table,
        state.unit,
        tuple([one["counter"] for one in wagers]),
        tuple(
            [
                Tally(tally.counted + one["count"], tally.by_hand, tally.taken_back)
                for tally, one in zip(state.tallies, wagers, strict=True)
            ]
        ),
        state.broken,
        _round(payload, by_hand=False),
        state.voided,
        state.dark,
        LoggerMark(record["number"], record["seal"]) if record else state.logger,
    )


def _counted_by_hand(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    counts = [one["count"] for one in payload["wagers"]]
    tallies = [
        tally._replace(by_hand=tally.by_hand + count) for tally, count in zip(state.tallies, counts, strict=True)
    ]
    return state._replace(tallies=tuple(tallies), round=_round(payload, by_hand=True))


def _counter_read(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    counts = [one["count"] for one in payload["wagers"]]
    tallies = [
        tally._replace(counted=tally.counted + count) for tally, count in zip(state.tallies, counts, strict=True)
    ]
    return state._replace(counters=tuple(one["counter"] for one in payload["wagers"]), tallies=tuple(tallies))


def _voided(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    counts = {one["wager"]: one["count"] for one in payload["wagers"]}
    tallies = [
        tally._replace(taken_back=tally.taken_back + counts.get(wager.wager, 0))
        for tally, wager in zip(state.tallies, state.table.wagers, strict=True)
    ]
    return state._replace(tallies=tuple(tallies), voided=state.voided | {payload["round"]})


def _broken(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    return state._replace(broken=payload["reason"])


def _repaired(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    logger = state.logger if payload["unit"] == state.unit else None
    return state._replace(broken=None, unit=payload["unit"], counters=tuple(payload["counters"]), logger=logger)


def _lights_failed(state: TabulatorState, payload: dict[str, Any]) -> TabulatorState:
    return state._replace(dark=tuple(map(tuple, payload["dark"])))


def _round(payload: dict[str, Any], *, by_hand: bool) -> CountedRound:
    wagers = payload["wagers"]
    return CountedRound(
        payload["round"],
        by_hand,
        tuple([tuple(one["positions"]) for one in wagers]),
        tuple([tuple(one["lammers"]) for one in wagers]),
    )


_STEPS: dict[str, Callable[[TabulatorState, dict[str, Any]], TabulatorState]] = {
    kinds.TABULATED: _tabulated,
    kinds.BY_HAND: _counted_by_hand,
    kinds.COUNTER_READ: _counter_read,
    kinds.VOIDED: _voided,
    kinds.BROKEN: _broken,
    kinds.REPAIRED: _repaired,
    kinds.LIGHTS_FAILED: _lights_failed,
}


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
    sign = _sign(happening)
    if sign == 0:
        return ()
    return tuple(
        JackpotCount(
            one["jackpot"],
            one["wager"],
            sign * one["count"],
            tuple((amount, sign * count) for amount, count in one["stakes"]),
        )
        for one in happening.payload["wagers"]
        if one["jackpot"] is not None and one["count"]
    )


def postings(happening: Happening) -> tuple[Posting, ...]:
    """What a happening means for the books: a wager that is collected is the table's gross receipts, and goes back
    when the round is void. A "to 1" wager stays on the layout and is settled with the hand."""
    sign = _sign(happening)
    if sign == 0:
        return ()
    amount = sum(
        each * count for one in happening.payload["wagers"] if one["collected"] for each, count in one["stakes"]
    )
    if amount == 0:
        return ()
    table = happening.payload["table"]
    tray, receipts = Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)
    return (Posting(tray, receipts, amount) if sign > 0 else Posting(receipts, tray, amount),)


def _sign(happening: Happening) -> int:
    if happening.kind in kinds.COUNTING:
        return 1
    return -1 if happening.kind == kinds.VOIDED else 0
