"""How fast a table can play: rounds that a device or a person sends are believed as far as the table can have dealt
them.

Every such round takes up the table for its share of an hour, never before the round that was counted ahead of it. A
press counts as of now, whatever time it gives. Only a data logger forwards later what it kept: its records count as of
their own times, as far back as the gaming day that is open, over the network and by command. What a table cannot have
played waits for two people (BJ-54). Numbers, seals, and counters are no evidence here: the holder of a token, and a
person who forwards a file, can compute all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from cardroom.jackpots.happenings import RoundsAccepted
from cardroom.jackpots.people import two_people
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, refuse_nameless

_HOUR: Final = 3_600_000_000
"""In microseconds."""
AHEAD: Final = 600_000_000
"""Ten minutes: rounds come in bunches, and clocks differ. A table may be this far ahead of its pace."""
LATEST: Final = 24 * _HOUR
"""How old a record of a data logger may be, even if the gaming day was left open for longer."""
MOST_ACCEPTED: Final = 10_000


class TooManyRounds(CannotTabulate):
    """More rounds than a table can have played: two people accept or refuse them."""


class Pace(NamedTuple):
    """How fast a table can play, and how far back records of a data logger are believed."""

    rounds_an_hour: int
    now: int
    since: int
    """Records from before count as of this time; it is the present where nothing is known of when the table played."""

    def of_record(self, time: int) -> int:
        """The time as of which a record of a data logger counts.

        >>> pace = Pace(120, now=1_000, since=400)
        >>> pace.of_record(700), pace.of_record(0), pace.of_record(2_000)
        (700, 400, 1000)
        """
        return min(max(time, self.since), self.now)


def records_since(day_opened: int | None, table_opened: int, now: int) -> int:
    """Since when records of a data logger are believed: since the gaming day was opened that is open now, since the
    table was opened, and for a day at most. A table is idle between two gaming days.

    >>> records_since(None, 0, 90_000_000_000), records_since(80_000_000_000, 0, 90_000_000_000)
    (90000000000, 80000000000)
    """
    return now if day_opened is None else min(max(day_opened, table_opened, now - LATEST), now)


class Believed(NamedTuple):
    """A round that is believed."""

    taken_up: int
    """Until when the table is taken up; 0 where two people have accepted the round."""
    accepted: bool = False


def too_many_rounds(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The same sentence for every round, so that the floor is told once."""
    return TooManyRounds(
        f"{state.unit} has sent more rounds than {state.table.table} can have played, {rounds_an_hour:,} an hour: none "
        "is counted until two people accept or refuse them, in the office or by command (cardroom device "
        "accept-rounds, cardroom device refuse-rounds)."
    )


def too_many_presses(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The sentence for a person who presses."""
    table = state.table.table
    return TooManyRounds(
        f"{table} has counted more rounds than it can have played, {rounds_an_hour:,} an hour: this one is not "
        "counted. Press again later; if the rounds were played, two people enter what the counter shows, for a reason "
        f"(cardroom jackpot counter {table})."
    )


def too_many_records(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The sentence for a person who forwards the records of a data logger."""
    return TooManyRounds(
        f"The file of {state.unit} has more rounds than {state.table.table} can have played, {rounds_an_hour:,} an "
        "hour: the others wait in the file until two people accept them, for a reason."
    )


Refusal = Callable[[TabulatorState, int], TooManyRounds]
"""The sentence for a round too many, by who sends it."""


def believe(state: TabulatorState, pace: Pace, time: int, refusal: Refusal = too_many_rounds) -> Believed:
    """Believe one more round, as of a time that is not after now, or refuse it. One that two people have accepted takes
    up no time."""
    if state.accepted:
        return Believed(0, accepted=True)
    start = max(state.taken_up, time)
    until = start + _HOUR // pace.rounds_an_hour
    if start > pace.now and until > pace.now + AHEAD:
        raise refusal(state, pace.rounds_an_hour)
    return Believed(until)


def all_believed(state: TabulatorState, pace: Pace, times: Iterable[int]) -> bool:
    """Whether records of these times are all believed, one after another."""
    for time in times:
        try:
            believed = believe(state, pace, pace.of_record(time))
        except TooManyRounds:
            return False
        accepted = state.accepted - believed.accepted
        state = state._replace(taken_up=believed.taken_up or state.taken_up, accepted=accepted)
    return True


def accept_rounds(
    state: TabulatorState, rounds: int, *, device: str, by: str, second: str | None, why: str
) -> tuple[RoundsAccepted, ...]:
    """Two people accept so many rounds more of a device, whatever the table can have played."""
    one, other = two_people(by, second, "rounds that a device has sent too many of")
    refuse_nameless(why, "the reason")
    if not 1 <= rounds <= MOST_ACCEPTED:
        raise CannotTabulate(f"{rounds:,} rounds cannot be accepted: give how many, from 1 to {MOST_ACCEPTED:,}.")
    return (RoundsAccepted(state.table.table, device, one, other, why.strip(), rounds),)
