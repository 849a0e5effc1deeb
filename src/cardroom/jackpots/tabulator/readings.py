"""What the tabulator's counter shows, read by somebody: wagers that nobody has told of are recorded (BJ-22).

A table can have played only so much since it counted last. A counter that went on by more is believed if two people
answer for it and say why; a reading that was wrong is taken back by an entry of its own (BJ-33).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from cardroom.jackpots.contents import CounterWager
from cardroom.jackpots.happenings import CounterRead, ReadingTakenBack, reading_name
from cardroom.jackpots.people import two_people
from cardroom.jackpots.setup.tabulator import CountedWager, TabulatedTable
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, never_back, refuse_nameless, stakes_of

_HOUR: Final = 3_600_000_000
"""In microseconds."""


def possible(
    table: TabulatedTable, rounds_an_hour: int, passed: int, read: Mapping[str, int] = MappingProxyType({})
) -> tuple[int, ...]:
    """How many more of each wager a table can have played in some microseconds, of which some were ``read`` off the
    counter before: a wager at every position of every round, and one round at least. A wager that is dark cannot have
    been played at all.

    >>> from cardroom.jackpots.setup.tabulator import TabulatorSetup, WagerSensor, tabulated_table
    >>> sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    >>> prime = tabulated_table(TabulatorSetup("prime-1", "three-card-prime", "Lakewood", "milky-way", 6, (sensor,)))
    >>> possible(prime, 120, 0), possible(prime, 120, 3_600_000_000)
    ((6,), (720,))
    >>> possible(prime, 120, 0, {"final-four": 4})
    (2,)
    """
    most = max(1, -(-rounds_an_hour * passed // _HOUR)) * table.positions
    return tuple(0 if table.is_dark(one) else max(most - read.get(one.wager, 0), 0) for one in table.wagers)


def read_counter(
    state: TabulatorState,
    counters: Sequence[int],
    *,
    by: str,
    reading: str,
    most: tuple[int, ...],
    second: str | None = None,
    why: str = "",
    unmarked: bool = False,
) -> tuple[CounterRead, ...]:
    """Enter what the counter shows. ``reading`` is what it is known by, and ``most`` what the table can have played.
    The counter cannot say beside which wagers lammers lay; ``unmarked`` takes all of them as without."""
    refuse_nameless(by, "who read the counter")
    if len(counters) != len(state.counters):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: give what it shows for each of them.")
    if any(now < known for now, known in zip(counters, state.counters, strict=True)):
        raise CannotTabulate(never_back(state, counters))
    wagers = [_read(*one, unmarked) for one in zip(state.table.wagers, state.counters, counters, strict=True)]
    read = CounterRead(state.table.table, by, tuple(wagers), reading, most, (second or "").strip(), why.strip())
    if read.is_a_jump:
        _refuse_alone(state, read)
    if read.is_a_jump or read.second:
        two_people(by, second, "a counter that went on by so much")
    return (read,)


def _read(wager: CountedWager, known: int, now: int, unmarked: bool) -> CounterWager:
    if now > known and wager.lammer_amount is not None and not unmarked:
        raise CannotTabulate(
            f"The counter cannot say beside which of {now - known} {wager.wager} wagers a lammer lay: "
            "declare the tabulator broken and count those rounds by hand."
        )
    return CounterWager(wager.wager, wager.jackpot, now - known, stakes_of(wager, now - known, 0), wager.removed, now)


class MoreThanItCan(CannotTabulate):
    """A counter that went on by more than a table can play."""


def _refuse_alone(state: TabulatorState, read: CounterRead) -> None:
    """Nobody alone says that a table has played more than it can have."""
    if read.second and read.why:
        return
    one, most = next((one, most) for one, most in zip(read.wagers, read.most, strict=True) if one.count > most)
    known = one.counter - one.count
    dark = any(wager.wager == one.wager and state.table.is_dark(wager) for wager in state.table.wagers)
    can = f"can have played {most:,} more" if not dark else "cannot have played any, because the wager is dark"
    raise MoreThanItCan(
        f"The counter of {state.unit} would go on by {one.count:,} {one.wager} wagers, from {known:,} to "
        f"{one.counter:,}; since it counted last {state.table.table} {can}. Read it again; if it is true, a second "
        "person and a reason are needed."
    )


def _why_it_stays(told: list[tuple[str, int]], now: list[tuple[str, int]]) -> str:
    """Why a reading is not the last that the counter is known by."""
    instead = "correct the meter for a malfunction instead"
    if [wager for wager, _ in told] != [wager for wager, _ in now]:
        return f"the tabulator counts other wagers since; {instead}."
    shows = ", ".join(f"{counter:,}" for _, counter in now)
    if any(after < before for (_, before), (_, after) in zip(told, now, strict=True)):
        return f"an earlier one was taken back since, so that the counter is known to show {shows} again."
    return f"its counter went on since, to {shows}. Take back later readings first; behind counted rounds {instead}."


def take_back_reading(
    state: TabulatorState, read: CounterRead, *, by: str, second: str | None, why: str
) -> tuple[ReadingTakenBack, ...]:
    """Take back a reading that was wrong. The counter is known again as it was before, so nothing may have been counted
    on top of it."""
    one, other = two_people(by, second, "a reading that is taken back")
    refuse_nameless(why, "the reason")
    if reading_name(read.reading) in state.voided:
        raise CannotTabulate(f"Reading {read.reading} of {state.table.table} was taken back already.")
    told = [(wager.wager, wager.counter) for wager in read.wagers]
    now = [(wager.wager, counter) for wager, counter in zip(state.table.wagers, state.counters, strict=True)]
    if told != now:
        raise CannotTabulate(
            f"Reading {read.reading} of {state.table.table} cannot be taken back: {_why_it_stays(told, now)}"
        )
    back = tuple(
        CounterWager(
            wager.wager, wager.jackpot, wager.count, wager.stakes, wager.collected, wager.counter - wager.count
        )
        for wager in read.wagers
    )
    return (ReadingTakenBack(state.table.table, read.reading, one, other, why.strip(), back),)
