"""How fast a table can play: rounds that a device or a person sends are believed as far as the table can have dealt
them.

Every such round takes up the table for its share of an hour, never before the round that was counted ahead of it. A
press counts as of now, whatever time it gives. Only a data logger forwards later what it kept: its records count as of
their own times, as far back as the gaming day that is open, over the network and by command. What a table cannot have
played waits for two people (BJ-54). Numbers, seals, and counters are no evidence here: the holder of a token, and a
person who forwards a file, can compute all of them.

What the tabulator's counter shows, read by somebody: wagers that nobody has told of are recorded (BJ-22).

A table can have played only so much since it counted last. A counter that went on by more is believed if two people
answer for it and say why; a reading that was wrong is taken back by an entry of its own (BJ-33).
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
"""Ten minutes: rounds come in bunches, and clocks differ. A table may be this far ahead of its pace."""
OLDEST_RECORD: Final = 24 * _HOUR
"""How old a record of a data logger may be, even if the gaming day was left open for longer."""
MOST_ROUNDS_ACCEPTED: Final = 10_000


class TooManyRounds(CannotTabulate):
    """More rounds than a table can have played: two people accept or refuse them."""


class PlayRate(NamedTuple):
    """How fast a table can play, and how far back records of a data logger are believed."""

    rounds_an_hour: int
    now: int
    since: int
    """Records from before count as of this time; it is the present where nothing is known of when the table played."""

    def effective_time(self, time: int) -> int:
        """The time as of which a record of a data logger counts.

        >>> pace = PlayRate(120, now=1_000, since=400)
        >>> pace.effective_time(700), pace.effective_time(0), pace.effective_time(2_000)
        (700, 400, 1000)
        """
        return min(max(time, self.since), self.now)


def earliest_record_time(day_opened: int | None, table_opened: int, now: int) -> int:
    """Since when records of a data logger are believed: since the gaming day was opened that is open now, since the
    table was opened, and for a day at most. A table is idle between two gaming days.

    >>> earliest_record_time(None, 0, 90_000_000_000), earliest_record_time(80_000_000_000, 0, 90_000_000_000)
    (90000000000, 80000000000)
    """
    return now if day_opened is None else min(max(day_opened, table_opened, now - OLDEST_RECORD), now)


class RoundAllowance(NamedTuple):
    """A round that is believed."""

    taken_up: int
    """Until when the table is taken up; 0 where two people have accepted the round."""
    accepted: bool = False


def too_many_rounds_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The same sentence for every round, so that the floor is told once."""
    return TooManyRounds(
        f"{state.unit} has sent more rounds than {state.table.table} can have played, {rounds_an_hour:,} an hour: none "
        "is counted until two people accept or refuse them, in the office or by command (cardroom device "
        "accept-rounds, cardroom device refuse-rounds)."
    )


def too_many_presses_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The sentence for a person who presses."""
    table = state.table.table
    return TooManyRounds(
        f"{table} has counted more rounds than it can have played, {rounds_an_hour:,} an hour: this one is not "
        "counted. Press again later; if the rounds were played, two people enter what the counter shows, for a reason "
        f"(cardroom tabulator read {table})."
    )


def too_many_records_error(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The sentence for a person who forwards the records of a data logger."""
    return TooManyRounds(
        f"The file of {state.unit} has more rounds than {state.table.table} can have played, {rounds_an_hour:,} an "
        "hour: the others wait in the file until two people accept them, for a reason."
    )


RefusalFactory = Callable[[TabulatorState, int], TooManyRounds]
"""The sentence for a round too many, by who sends it."""


def allow_round(
    state: TabulatorState, pace: PlayRate, time: int, refusal: RefusalFactory = too_many_rounds_error
) -> RoundAllowance:
    """Believe one more round, as of a time that is not after now, or refuse it. One that two people have accepted takes
    up no time."""
    if state.accepted:
        return RoundAllowance(0, accepted=True)
    start = max(state.taken_up, time)
    until = start + _HOUR // pace.rounds_an_hour
    if start > pace.now and until > pace.now + CLOCK_TOLERANCE:
        raise refusal(state, pace.rounds_an_hour)
    return RoundAllowance(until)


def are_all_allowed(state: TabulatorState, pace: PlayRate, times: Iterable[int]) -> bool:
    """Whether records of these times are all believed, one after another."""
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
    """Two people accept so many rounds more of a device, whatever the table can have played."""
    first_name, second_name = require_two_people(who, second, "rounds that a device has sent too many of")
    refuse_blank(why, "the reason")
    if not 1 <= rounds <= MOST_ROUNDS_ACCEPTED:
        raise CannotTabulate(
            f"{rounds:,} rounds cannot be accepted: give how many, from 1 to {MOST_ROUNDS_ACCEPTED:,}."
        )
    return (RoundsAccepted(state.table.table, device, first_name, second_name, why.strip(), rounds),)


_HOUR_US: Final = 3_600_000_000
"""In microseconds."""


def possible_counts(
    table: TabulatedTable, rounds_an_hour: int, elapsed_us: int, read_counts: Mapping[str, int] = MappingProxyType({})
) -> tuple[int, ...]:
    """How many more of each wager a table can have played in some microseconds, of which some were ``read_counts`` off
    the counter before: a wager at every position of every round, and one round at least. A wager that is dark cannot
    have been played at all.

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
    """Enter what the counter shows. ``reading`` is what it is known by, and ``limits`` what the table can have played.
    The counter cannot say beside which wagers lammers lay; ``unmarked`` takes all of them as without."""
    refuse_blank(who, "who read the counter")
    if len(counters) != len(state.counters):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: give what it shows for each of them.")
    if any(counter < former_counter for counter, former_counter in zip(counters, state.counters, strict=True)):
        raise CannotTabulate(counter_went_back_text(state, counters))
    wagers = [
        _counter_wager(*item, unmarked) for item in zip(state.table.wagers, state.counters, counters, strict=True)
    ]
    event = CounterRead(state.table.table, who, tuple(wagers), reading, limits, (second or "").strip(), why.strip())
    if event.is_implausible:
        _refuse_unconfirmed_jump(state, event)
    if event.is_implausible or event.second:
        require_two_people(who, second, "a counter that went on by so much")
    return (event,)


def _counter_wager(wager: CountedWager, former_counter: int, counter: int, unmarked: bool) -> CounterWager:
    if counter > former_counter and wager.lammer_amount is not None and not unmarked:
        raise CannotTabulate(
            f"The counter cannot say beside which of {counter - former_counter} {wager.wager} wagers a lammer lay: "
            "declare the tabulator broken and count those rounds by hand."
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
    """A counter that went on by more than a table can play."""


def _refuse_unconfirmed_jump(state: TabulatorState, reading: CounterRead) -> None:
    """Nobody alone says that a table has played more than it can have."""
    if reading.second and reading.why:
        return
    jumped_wager, limit = next(
        (jumped_wager, limit)
        for jumped_wager, limit in zip(reading.wagers, reading.most, strict=True)
        if jumped_wager.count > limit
    )
    former_counter = jumped_wager.counter - jumped_wager.count
    dark = any(wager.wager == jumped_wager.wager and state.table.is_disabled(wager) for wager in state.table.wagers)
    can = f"can have played {limit:,} more" if not dark else "cannot have played any, because the wager is dark"
    raise ImplausibleReading(
        f"The counter of {state.unit} would go on by {jumped_wager.count:,} {jumped_wager.wager} wagers, from "
        f"{former_counter:,} to "
        ""
        f"{jumped_wager.counter:,}; since it counted last {state.table.table} {can}. Read it again; if it is true, a "
        "second "
        "person and a reason are needed."
    )


def _explain_later_count(read_counters: list[tuple[str, int]], current_counters: list[tuple[str, int]]) -> str:
    """Why a reading is not the last that the counter is known by."""
    instead = "correct the meter for a malfunction instead"
    if [wager for wager, _ in read_counters] != [wager for wager, _ in current_counters]:
        return f"the tabulator counts other wagers since; {instead}."
    shows = ", ".join(f"{counter:,}" for _, counter in current_counters)
    if any(after < before for (_, before), (_, after) in zip(read_counters, current_counters, strict=True)):
        return f"an earlier one was taken back since, so that the counter is known to show {shows} again."
    return f"its counter went on since, to {shows}. Take back later readings first; behind counted rounds {instead}."


def reverse_reading(
    state: TabulatorState, reading: CounterRead, *, who: str, second: str | None, why: str
) -> tuple[ReadingReversed, ...]:
    """Take back a reading that was wrong. The counter is known again as it was before, so nothing may have been counted
    on top of it."""
    first_name, second_name = require_two_people(who, second, "a reading that is taken back")
    refuse_blank(why, "the reason")
    if reading_key(reading.reading) in state.voided:
        raise CannotTabulate(f"Reading {reading.reading} of {state.table.table} was taken back already.")
    read_counters = [(wager.wager, wager.counter) for wager in reading.wagers]
    current_counters = [
        (wager.wager, counter) for wager, counter in zip(state.table.wagers, state.counters, strict=True)
    ]
    if read_counters != current_counters:
        raise CannotTabulate(
            f"Reading {reading.reading} of {state.table.table} cannot be taken back: "
            f"{_explain_later_count(read_counters, current_counters)}"
        )
    reversed_wagers = tuple(
        CounterWager(
            wager.wager, wager.jackpot, wager.count, wager.stakes, wager.collected, wager.counter - wager.count
        )
        for wager in reading.wagers
    )
    return (ReadingReversed(state.table.table, reading.reading, first_name, second_name, why.strip(), reversed_wagers),)
