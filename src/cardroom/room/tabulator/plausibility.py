"""Plausibility: accept rounds from a device or a person only as far as the table can have dealt them.

Each such round keeps the table busy for its share of an hour, after the round counted before it. A press counts as of
now, whatever time it states. Only a data logger forwards stored records later: they count as of their own times, back
to the opening of the current gaming day, over the network and by command. Rounds that a table cannot have dealt wait
for two people (BJ-54). Numbers, digests, and counters are no evidence here: the holder of a token, and a person who
forwards a file, can compute all of them.

A person may read the tabulator's counter to record wagers that were not counted (BJ-22). If the counter rose by more
than the table can have dealt since its last count, two people must sign and give a reason; a wrong reading is reversed
by an event of its own (BJ-33).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from cardroom.room.dual_control import require_two_people
from cardroom.room.jackpot.event_values import CounterWager
from cardroom.room.setup.tabulator import CountedWager, TabulatedTable
from cardroom.room.tabulator.events import CounterRead, ReadingReversed, RoundsAccepted, reading_key
from cardroom.room.tabulator.state import TabulatorState
from cardroom.room.tabulator.unit import CannotTabulate, count_stakes, counter_went_back_text, refuse_blank

_HOUR: Final = 3_600_000_000
"""In microseconds."""
CLOCK_TOLERANCE: Final = 600_000_000
"""Ten minutes: rounds arrive in batches, and clocks differ. A table may be this far ahead of its pace."""
OLDEST_RECORD: Final = 24 * _HOUR
"""The maximum age of a data logger's record, even if the gaming day is open longer."""
MOST_ROUNDS_ACCEPTED: Final = 10_000


class TooManyRounds(CannotTabulate):
    """More rounds than a table can have dealt: two people accept or refuse them."""


class PlayRate(NamedTuple):
    """The fastest pace of a table, and the earliest time of a data logger's records."""

    rounds_an_hour: int
    now: int
    since: int
    """Older records count as of this time; it is now if no gaming day is open."""

    def effective_time(self, time: int) -> int:
        """The time at which a data logger's record counts.

        >>> pace = PlayRate(120, now=1_000, since=400)
        >>> pace.effective_time(700), pace.effective_time(0), pace.effective_time(2_000)
        (700, 400, 1000)
        """
        return min(max(time, self.since), self.now)


def earliest_record_time(day_opened: int | None, table_opened: int, now: int) -> int:
    """The earliest time at which a data logger's records count: the opening of the current gaming day or of the table,
    and at most one day back. A table is idle between two gaming days.

    >>> earliest_record_time(None, 0, 90_000_000_000), earliest_record_time(80_000_000_000, 0, 90_000_000_000)
    (90000000000, 80000000000)
    """
    return now if day_opened is None else min(max(day_opened, table_opened, now - OLDEST_RECORD), now)


class RoundAllowance(NamedTuple):
    """An allowed round."""

    taken_up: int
    """Until when the table is busy; 0 if two people accepted the round."""
    accepted: bool = False


def too_many_rounds_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The refusal of a device's round: the same sentence for every round, so that it is shown once."""
    return TooManyRounds(
        f"{state.unit} has sent more rounds than {state.table.table} can have dealt at {rounds_an_hour:,} an hour: two "
        "people must accept or refuse them."
    )


def too_many_presses_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The refusal of a person's press of the button."""
    table = state.table.table
    return TooManyRounds(
        f"{table} has counted more rounds than it can have dealt at {rounds_an_hour:,} an hour: this round is not "
        "counted. Press again later. If the rounds were dealt, read the counter, with a second person and a reason."
    )


def too_many_records_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The refusal of records that a person forwards from a data logger."""
    return TooManyRounds(
        f"The file of {state.unit} has more rounds than {state.table.table} can have dealt at {rounds_an_hour:,} an "
        "hour: the rest waits in the file until two people accept it and give a reason."
    )


RefusalFactory = Callable[[TabulatorState, int], TooManyRounds]
"""Makes the refusal of an implausible round."""


def allow_round(
    state: TabulatorState, pace: PlayRate, time: int, refusal: RefusalFactory = too_many_rounds_error
) -> RoundAllowance:
    """Allow one more round, as of a time that is not after now, or refuse it. A round that two people accepted takes no
    time."""
    if state.accepted:
        return RoundAllowance(0, accepted=True)
    start = max(state.taken_up, time)
    until = start + _HOUR // pace.rounds_an_hour
    if start > pace.now and until > pace.now + CLOCK_TOLERANCE:
        raise refusal(state, pace.rounds_an_hour)
    return RoundAllowance(until)


def are_all_allowed(state: TabulatorState, pace: PlayRate, times: Iterable[int]) -> bool:
    """Whether records of these times are all allowed, one after another."""
    for time in times:
        try:
            allowance = allow_round(state, pace, pace.effective_time(time))
        except TooManyRounds:
            return False
        accepted = state.accepted - allowance.accepted
        state = state._replace(taken_up=allowance.taken_up or state.taken_up, accepted=accepted)
    return True


def accept_rounds(
    state: TabulatorState, rounds: int, *, device: str, who: str, second: str | None, why: str
) -> tuple[RoundsAccepted, ...]:
    """Two people accept a number of a device's rounds beyond what the table can have dealt."""
    first_name, second_name = require_two_people(who, second, "more rounds of a device than its table can have dealt")
    refuse_blank(why, "the reason")
    if not 1 <= rounds <= MOST_ROUNDS_ACCEPTED:
        raise CannotTabulate(
            f"{rounds:,} rounds cannot be accepted: enter a number from 1 to {MOST_ROUNDS_ACCEPTED:,}."
        )
    return (RoundsAccepted(state.table.table, device, first_name, second_name, why.strip(), rounds),)


_HOUR_US: Final = 3_600_000_000
"""In microseconds."""


def possible_counts(
    table: TabulatedTable, rounds_an_hour: int, elapsed_us: int, read_counts: Mapping[str, int] = MappingProxyType({})
) -> tuple[int, ...]:
    """The most wagers of each kind that a table can have dealt in some microseconds, less the ``read_counts`` of
    earlier readings: one at every position in every round, and at least one round. A disabled wager has none.

    >>> from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor, validate_tabulator
    >>> sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    >>> prime = validate_tabulator(TabulatorSetup("prime-1", "three-card-prime", "Lakewood", "milky-way", 6, (sensor,)))
    >>> possible_counts(prime, 120, 0), possible_counts(prime, 120, 3_600_000_000)
    ((6,), (720,))
    >>> possible_counts(prime, 120, 0, {"final-four": 4})
    (2,)
    """
    limit = max(1, -(-rounds_an_hour * elapsed_us // _HOUR_US)) * table.positions
    return tuple(
        0 if table.is_disabled(wager) else max(limit - read_counts.get(wager.wager, 0), 0) for wager in table.wagers
    )


def read_counter(
    state: TabulatorState,
    counters: Sequence[int],
    *,
    who: str,
    reading: str,
    limits: tuple[int, ...],
    second: str | None = None,
    why: str = "",
    unmarked: bool = False,
) -> tuple[CounterRead, ...]:
    """Enter the counter values. ``reading`` is the reading's name, and ``limits`` are the most wagers that the table
    can have dealt. The counter does not show which wagers had lammers; ``unmarked`` counts all of them without."""
    refuse_blank(who, "who read the counter")
    if len(counters) != len(state.counters):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: enter the counter of each one.")
    if any(counter < former_counter for counter, former_counter in zip(counters, state.counters, strict=True)):
        raise CannotTabulate(counter_went_back_text(state, counters))
    wagers = [
        _counter_wager(*item, unmarked) for item in zip(state.table.wagers, state.counters, counters, strict=True)
    ]
    event = CounterRead(state.table.table, who, tuple(wagers), reading, limits, (second or "").strip(), why.strip())
    if event.is_implausible:
        _refuse_unconfirmed_jump(state, event)
    if event.is_implausible or event.second:
        require_two_people(who, second, "so high a counter")
    return (event,)


def _counter_wager(wager: CountedWager, former_counter: int, counter: int, unmarked: bool) -> CounterWager:
    if counter > former_counter and wager.lammer_amount is not None and not unmarked:
        raise CannotTabulate(
            f"The counter does not show which of {counter - former_counter} {wager.wager} wagers had a lammer: report "
            "a tabulator fault and count those rounds by hand."
        )
    return CounterWager(
        wager.wager,
        wager.jackpot,
        counter - former_counter,
        count_stakes(wager, counter - former_counter, 0),
        wager.removed,
        counter,
    )


class ImplausibleReading(CannotTabulate):
    """A counter that rose by more than the table can have dealt."""


def _refuse_unconfirmed_jump(state: TabulatorState, reading: CounterRead) -> None:
    """Refuse an implausible reading without a second person and a reason."""
    if reading.second and reading.why:
        return
    jumped_wager, limit = next(
        (jumped_wager, limit)
        for jumped_wager, limit in zip(reading.wagers, reading.most, strict=True)
        if jumped_wager.count > limit
    )
    former_counter = jumped_wager.counter - jumped_wager.count
    disabled = any(wager.wager == jumped_wager.wager and state.table.is_disabled(wager) for wager in state.table.wagers)
    limit_text = f"can have dealt {limit:,} more" if not disabled else "cannot have dealt any: the wager is disabled"
    raise ImplausibleReading(
        f"The counter of {state.unit} would rise by {jumped_wager.count:,} {jumped_wager.wager} wagers, from "
        f"{former_counter:,} to {jumped_wager.counter:,}. Since its last count, {state.table.table} {limit_text}. Read "
        "the counter again. If it is right, add a second person and a reason."
    )


def _explain_later_count(read_counters: list[tuple[str, int]], current_counters: list[tuple[str, int]]) -> str:
    """Why a reading is not the last change of the counter."""
    instead = "correct the meter for a malfunction instead"
    if [wager for wager, _ in read_counters] != [wager for wager, _ in current_counters]:
        return f"the tabulator has counted other wagers since; {instead}."
    shows = ", ".join(f"{counter:,}" for _, counter in current_counters)
    if any(after < before for (_, before), (_, after) in zip(read_counters, current_counters, strict=True)):
        return f"an earlier reading was reversed since, so the counter is {shows} again."
    return f"the counter has risen to {shows} since. Reverse later readings first; after counted rounds, {instead}."


def reverse_reading(
    state: TabulatorState, reading: CounterRead, *, who: str, second: str | None, why: str
) -> tuple[ReadingReversed, ...]:
    """Reverse a wrong reading. The counter value before it applies again, so nothing may have been counted since."""
    first_name, second_name = require_two_people(who, second, "the reversal of a reading")
    refuse_blank(why, "the reason")
    if reading_key(reading.reading) in state.voided:
        raise CannotTabulate(f"Reading {reading.reading} of {state.table.table} is already reversed.")
    read_counters = [(wager.wager, wager.counter) for wager in reading.wagers]
    current_counters = [
        (wager.wager, counter) for wager, counter in zip(state.table.wagers, state.counters, strict=True)
    ]
    if read_counters != current_counters:
        raise CannotTabulate(
            f"Reading {reading.reading} of {state.table.table} cannot be reversed: "
            f"{_explain_later_count(read_counters, current_counters)}"
        )
    reversed_wagers = tuple(
        CounterWager(
            wager.wager, wager.jackpot, wager.count, wager.stakes, wager.collected, wager.counter - wager.count
        )
        for wager in reading.wagers
    )
    return (ReadingReversed(state.table.table, reading.reading, first_name, second_name, why.strip(), reversed_wagers),)
