"""The bet tabulator of one table: the dealer's button, the lights, and counts by hand when it is broken.

The tabulator sees whether a wager is there, never how much it is (BJ-3). Each decision gives the happenings that
follow from it and changes nothing; ``cardroom.jackpots.tabulator.replay.tabulator_after`` gives the state after one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.jackpots.contents import (
    DeviceStamp,
    Installation,
    LaidWager,
    LoggerMark,
    LoggerStamp,
    Positions,
    Stakes,
    TabulatedWager,
)
from cardroom.jackpots.happenings import (
    READING,
    CountedByHand,
    Happening,
    LightsFailed,
    RoundRecorded,
    RoundTabulated,
    RoundVoided,
    TabulatorBroken,
    TabulatorRepaired,
)
from cardroom.jackpots.people import two_people
from cardroom.jackpots.setup.tabulator import CountedWager, TabulatedTable
from cardroom.jackpots.tabulator.state import TabulatorState

if TYPE_CHECKING:
    from cardroom.jackpots.tabulator.logger import Record
    from cardroom.jackpots.tabulator.pace import Believed

Covered = Mapping[int, Collection[int]]
"""By the number of the sensor: the positions at which it is covered."""


Shown = Mapping[int, int]
"""By the number of the sensor: what the unit's counter shows for it."""


class CannotTabulate(BadInput):
    """Something that the tabulator or its people cannot do now."""


class CounterDiffers(CannotTabulate):
    """A unit whose counter shows something else than follows from what is known: people have to read it."""


def install(
    table: TabulatedTable, unit: str, counters: Sequence[int] = (), logger: LoggerMark | None = None
) -> Installation:
    """Put a tabulator on a table, or another set-up on the one that is there. ``counters`` is what the unit's counter
    shows for each wager that it will count; a new unit shows zeros. ``logger`` is how far its records were taken."""
    shown = tuple(counters) or (0,) * len(table.wagers)
    if len(shown) != len(table.wagers) or any(number < 0 for number in shown):
        raise CannotTabulate(f"The tabulator counts {len(table.wagers)} wagers: give what it shows for each of them.")
    if not unit.strip():
        raise CannotTabulate("The tabulator needs the number that stands on its case.")
    return Installation(table, unit, shown, logger)


def press_button(
    state: TabulatorState,
    round_id: str,
    covered: Covered,
    *,
    dealer: str,
    lammers: Covered | None = None,
    automatic: bool = False,
    shown: Shown | None = None,
    device: DeviceStamp | None = None,
    believed: Believed | None = None,
) -> tuple[RoundTabulated, ...]:
    """The dealer presses the button after all wagers have been set: every wager that is there is recorded.

    ``lammers`` says beside which wagers lammers lie, by the wager's sensor, where no sensor of their own sees them.
    ``shown`` is what the unit's own counter shows afterwards, where a ``device`` tells it; ``believed`` says how the
    round fits into what the table can have played. With a data logger the count comes from the logger and from nowhere
    else (BJ-25). An ``automatic`` table presses its button itself.
    """
    if state.table.model.data_logger:
        raise CannotTabulate(
            f"{state.table.model.name} counts through its data logger: forward the logger's record of the round."
        )
    if state.broken is not None:
        raise CannotTabulate(f"The tabulator is broken ({state.broken}): count by hand, or declare it repaired first.")
    tabulated = _tabulated(state, round_id, covered, lammers or {}, dealer)
    _refuse_another_counter(state, tabulated, shown or {})
    if automatic or device or believed:
        tabulated = replace(tabulated, automatic=automatic, device=device, **(believed._asdict() if believed else {}))
    return (tabulated,)


def _refuse_another_counter(state: TabulatorState, tabulated: RoundTabulated, shown: Shown) -> None:
    """What the unit shows is what follows, or nothing is recorded: nobody guesses where the difference comes from."""
    table = state.table
    counted = {wager.sensor: one for wager, one in zip(table.wagers, tabulated.wagers, strict=True)}
    for sensor in shown.keys() - counted.keys():
        numbers = ", ".join(map(str, counted))
        raise CannotTabulate(f"Sensor {sensor} counts no wager at {table.table}: those that do are {numbers}.")
    before = " ".join(str(shown.get(sensor, one.counter) - one.count) for sensor, one in counted.items())
    for sensor, shows in shown.items():
        known = counted[sensor].counter
        if shows == known:
            continue
        raise CounterDiffers(
            f"After round {tabulated.round} the counter of {state.unit} shows {shows:,} for sensor {sensor}, but "
            f"{known:,} wagers are known: "
            + (
                f"read the counter as it stood before that round (cardroom jackpot counter {table.table} {before}), "
                "then send the round again."
                if shows > known
                else "a counter never goes back. Another unit has another number."
            )
        )


def take_record(state: TabulatorState, record: Record) -> RoundTabulated:
    """Take over the data logger's next record; ``data_logger.take_records`` sees to the order. A tabulator that has
    broken since then changes nothing about what it counted before."""
    tabulated = _tabulated(state, record.round, {1: record.positions}, {1: record.lammers}, record.dealer)
    counter = tabulated.wagers[0].counter
    if counter != record.counter:
        raise CounterDiffers(
            f"After record {record.number} the counter of {state.unit} shows {record.counter:,}, but {counter:,} wagers"
            " are known: read the counter as it stood before that round, then forward the record again."
        )
    return replace(tabulated, record=LoggerStamp(record.number, record.seal, record.time))


def count_by_hand(
    state: TabulatorState,
    round_id: str,
    covered: Covered,
    *,
    by: str,
    lammers: Covered | None = None,
    automatic: bool = False,
) -> tuple[CountedByHand, ...]:
    """Count the wagers of a round while the tabulator is broken; they stay on their spots (BJ-7)."""
    if state.broken is None:
        raise CannotTabulate("The tabulator works: press its button, or declare it broken before counting by hand.")
    refuse_nameless(by, "who counted")
    _refuse_repeated(state, round_id)
    positions = _offered(state.table, covered)
    lying = _by_wager(state.table, lammers or {})
    wagers = tuple(_laid(*one) for one in zip(state.table.wagers, positions, lying, strict=True))
    return (CountedByHand(state.table.table, round_id, by, wagers, automatic),)


def void_round(
    state: TabulatorState,
    round_id: str,
    *,
    by: str,
    second: str | None,
    reason: str,
    recorded: RoundRecorded | None = None,
    report: str = "",
) -> tuple[RoundVoided, ...]:
    """Declare a round void, as after a malfunction of the shuffler: every wager goes back (BJ-7, BJ-23). Two people do.

    The round that was counted last is known; for an earlier one ``recorded`` is the happening that recorded it. What
    the round brought in is given as counts to be taken back; the counter itself never goes back.
    """
    refuse_nameless(by, "who declares it")
    refuse_nameless(reason, "the reason")
    _, other = two_people(by, second, "a void round")
    if round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} is void already.")
    if recorded is None:
        if state.round is None or state.round.round != round_id:
            raise CannotTabulate(
                f"Round {round_id} is not the one that was counted last: give what was recorded of it, or check the id."
            )
        lying = zip(state.table.wagers, state.round.positions, state.round.lammers, strict=True)
        wagers = tuple(_laid(*one) for one in lying)
    elif (recorded.table, recorded.round) != (state.table.table, round_id):
        raise CannotTabulate(f"What was recorded is not round {round_id} of {state.table.table}.")
    elif isinstance(recorded, RoundTabulated):
        wagers = tuple(one.laid for one in recorded.wagers)
    else:
        wagers = recorded.wagers
    return (RoundVoided(state.table.table, round_id, by, reason, wagers, other, report),)


def declare_broken(state: TabulatorState, *, by: str, reason: str, report: str = "") -> tuple[Happening, ...]:
    """Say that the tabulator does not work: from now on wagers are counted by hand (BJ-7)."""
    refuse_nameless(by, "who says so")
    refuse_nameless(reason, "what is wrong with it")
    if state.broken is not None:
        raise CannotTabulate(f"The tabulator is declared broken already: {state.broken}")
    return (TabulatorBroken(state.table.table, by, reason, report),)


def declare_repaired(
    state: TabulatorState,
    *,
    by: str,
    unit: str | None = None,
    counters: Sequence[int] = (),
    logger: LoggerMark | None = None,
) -> tuple[Happening, ...]:
    """Say that the tabulator works again. Another ``unit`` in its place has a counter and a data logger of its own, so
    what waits in the old one's logger is taken over before, or its counter is read."""
    refuse_nameless(by, "who repaired it")
    if state.broken is None:
        raise CannotTabulate("The tabulator is not broken.")
    same = unit is None or unit == state.unit
    if same and counters:
        raise CannotTabulate("A repaired unit keeps its counter: read the counter if it shows more than is known.")
    shown = state.counters if same else tuple(counters) or (0,) * len(state.counters)
    if len(shown) != len(state.counters) or any(number < 0 for number in shown):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: give what it shows for each of them.")
    return (TabulatorRepaired(state.table.table, by, unit or state.unit, shown, None if same else logger),)


def report_lights(state: TabulatorState, dark: Covered, *, by: str) -> tuple[Happening, ...]:
    """Say which lights have failed, by sensor; none when all work again. Lammers stand in for them (BJ-21)."""
    refuse_nameless(by, "who saw it")
    return (LightsFailed(state.table.table, by, tuple(_by_wager(state.table, dark))),)


def _tabulated(state: TabulatorState, round_id: str, covered: Covered, lammers: Covered, dealer: str) -> RoundTabulated:
    _refuse_repeated(state, round_id)
    table = state.table
    positions = _offered(table, covered)
    lying = _lammers(table, covered, lammers)
    seen = zip(table.wagers, positions, lying, state.counters, strict=True)
    return RoundTabulated(table.table, round_id, dealer, tuple(_tabulated_wager(*one) for one in seen))


def _tabulated_wager(wager: CountedWager, positions: Positions, lammers: Positions, counter: int) -> TabulatedWager:
    laid = _laid(wager, positions, lammers)
    return TabulatedWager(
        laid.wager, laid.jackpot, laid.count, laid.stakes, laid.collected, positions, lammers, counter + laid.count
    )


def _lammers(table: TabulatedTable, covered: Covered, told: Covered) -> list[Positions]:
    """Where lammers lie: on their own sensor where there is one, else where the dealer says."""
    for wager in table.wagers:
        if wager.lammer_sensor is not None and told.get(wager.sensor):
            raise CannotTabulate(f"Sensor {wager.lammer_sensor} sees the lammers of {wager.wager}: they are not typed.")
    seen = {wager.sensor: covered.get(wager.lammer_sensor, ()) for wager in table.wagers if wager.lammer_sensor}
    return _by_wager(table, {**told, **seen})


def _by_wager(table: TabulatedTable, places: Covered) -> list[Positions]:
    """The positions for each wager of the table, checked and in order."""
    known = {wager.sensor for wager in table.wagers} | {wager.lammer_sensor for wager in table.wagers}
    for sensor, positions in places.items():
        if sensor not in known and positions:
            numbers = ", ".join(str(number) for number in sorted(one for one in known if one is not None))
            raise CannotTabulate(f"Sensor {sensor} is not in use at {table.table}: its sensors are {numbers}.")
        for position in positions:
            if not 1 <= position <= table.positions:
                raise CannotTabulate(f"{table.table} has no position {position}: it has 1 to {table.positions}.")
    return [tuple(sorted(set(places.get(wager.sensor, ())))) for wager in table.wagers]


def _offered(table: TabulatedTable, covered: Covered) -> list[Positions]:
    """Where wagers lie that can be made: one that plays for no jackpot is dark (BJ-36)."""
    places = _by_wager(table, covered)
    for wager, positions in zip(table.wagers, places, strict=True):
        if positions and table.is_dark(wager):
            raise CannotTabulate(
                f"{wager.wager} is dark at {table.table}, because the table plays for no jackpot with it: give the "
                f"wagers at {', '.join(map(str, positions))} back, or link the table (cardroom jackpot link)."
            )
    return places


def _laid(wager: CountedWager, positions: Positions, lammers: Positions) -> LaidWager:
    astray = sorted(set(lammers) - set(positions))
    if astray:
        raise CannotTabulate(
            f"At position {astray[0]} there is a lammer but no {wager.wager} wager: a lammer is part of a wager. Place "
            "the wager or take the lammer away, then count again."
        )
    if lammers and wager.lammer_amount is None:
        raise CannotTabulate(f"{wager.wager} has one amount only, so no lammer belongs beside it.")
    stakes = stakes_of(wager, len(positions) - len(lammers), len(lammers))
    return LaidWager(wager.wager, wager.jackpot, len(positions), stakes, wager.removed, positions, lammers)


def stakes_of(wager: CountedWager, plain: int, marked: int) -> tuple[Stakes, ...]:
    """How many wagers there are for which amounts: the amount without a lammer and the amount with one."""
    stakes = [Stakes(wager.amount * CENT, plain)] if wager.amount is not None and plain else []
    if wager.lammer_amount is not None and marked:
        stakes.append(Stakes(wager.lammer_amount * CENT, marked))
    return tuple(stakes)


def _refuse_repeated(state: TabulatorState, round_id: str) -> None:
    refuse_nameless(round_id, "the round's id")
    if round_id.startswith(READING):
        raise CannotTabulate(f"{round_id!r} is what a reading of the counter is called: give the round another id.")
    if (state.round is not None and state.round.round == round_id) or round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} has been counted already: a new round has a new id.")


def refuse_nameless(text: str, what: str) -> None:
    """The books name who did what, and why."""
    if not text.strip():
        raise CannotTabulate(f"It must be written down {what}." if what.startswith("who") else f"Give {what}.")


def never_back(state: TabulatorState, shown: Sequence[int]) -> str:
    """What is said of a counter that shows less than is known."""
    known = ", ".join(f"{number:,}" for number in state.counters)
    read = ", ".join(f"{number:,}" for number in shown)
    return f"The counter of {state.unit} shows {known}: it never goes back to {read}. Another unit has another number."
