"""The clocks of a felt: nobody got more time than was announced, nobody less, and nothing was decided before its time.

A felt decides at the instant at which its decision begins, and its events have that time, however long the decision
takes: a machine that is busy or asleep stops where it pleases. The time of an event may be later by ``HELD``, where the
clock was behind the last event. So whether a clock was kept is exact but for that.
"""

from __future__ import annotations

from cardroom.floor.felt.happenings import Answered, RoundBegun, SeatCalled, SeatLeft, SeatTaken, WagersLaid
from cardroom.floor.felt.state import CLOCK, LEFT, FeltState
from cardroom.floor.felt.terms import SECOND
from cardroom.floor.felt.wagering import is_ready
from cardroom.ledger.clock import MAX_CLOCK_LAG

Fault = tuple[str, object, object]
"""What is wrong, what was expected and what was found."""


def betting_fault(laid: WagersLaid, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time of wagers."""
    if not time - MAX_CLOCK_LAG <= laid.at <= time + MAX_CLOCK_LAG:
        return "the wagers were laid at another time", time, laid.at
    if not laid.laid.spots and not laid.deadline:
        return None  # the last ones were taken back, or all of them because nothing was left to play for
    if before.deadline and laid.at > before.deadline:
        return "the wagers were laid too late", before.deadline, laid.at
    if before.deadline:
        return _other("the wagers are taken until another time", before.deadline, laid.deadline)
    until = laid.at + before.terms.betting * SECOND if before.terms.betting else 0
    return _other("the clock is set to another time", until, laid.deadline)


def beginning_fault(begun: RoundBegun, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time at which a round began."""
    seconds = before.terms.deciding if begun.asked else 0
    if fault := _deadline_fault(begun.deadline, seconds, time):
        return fault
    _, latest = _decided(begun.deadline, seconds, time)
    if not is_ready(before) and not (before.deadline and latest >= before.deadline - MAX_CLOCK_LAG):
        waits = f"after {before.deadline}, or when everybody is ready" if before.deadline else "when everybody is ready"
        return "the round began before its time", waits, latest
    return None


def answer_fault(answered: Answered, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time of an answer."""
    by_clock, deadline = answered.by == CLOCK, before.deadline
    if by_clock and not deadline:
        return "the clock answered where none runs", "no clock", CLOCK
    seconds = before.terms.deciding if answered.asked else 0
    if fault := _deadline_fault(answered.deadline, seconds, time):
        return fault
    earliest, latest = _decided(answered.deadline, seconds, time)
    if by_clock and latest < deadline - MAX_CLOCK_LAG:
        return "the clock answered too early", deadline, latest
    if deadline and answered.by not in (CLOCK, LEFT) and earliest > deadline:
        return "it was answered too late", deadline, earliest
    return None


def call_fault(called: SeatCalled, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time that somebody was given who was called."""
    seconds = before.terms.away
    if not seconds:
        return "somebody was called where nobody is", "no call", called.player
    until = time + seconds * SECOND
    if not until - MAX_CLOCK_LAG <= called.until <= until + MAX_CLOCK_LAG:
        return "whoever was called had another time to answer", until, called.until
    return None


def leading_fault(happening: SeatTaken | SeatLeft, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time at which somebody was led away."""
    called = before.called_at(happening.seat)
    if (
        isinstance(happening, SeatLeft)
        and happening.away
        and called is not None
        and time < called.until - MAX_CLOCK_LAG
    ):
        return "somebody was led away too early", called.until, time
    return None


def _decided(deadline: int, seconds: int, time: int) -> tuple[int, int]:
    """Between which instants it was decided; a clock that was set for the next answer tells the very one."""
    if not seconds:
        return time - MAX_CLOCK_LAG, time
    return deadline - seconds * SECOND, deadline - seconds * SECOND


def _deadline_fault(deadline: int, seconds: int, time: int) -> Fault | None:
    """A clock is set to so many seconds from the moment; to 0 where none runs."""
    if not seconds:
        return _other("a clock runs where there is none", 0, deadline)
    until = time + seconds * SECOND
    if not until - MAX_CLOCK_LAG <= deadline <= until + MAX_CLOCK_LAG:
        return "the clock is set to another time", until, deadline
    return None


def _other(what: str, expected: int, found: int) -> Fault | None:
    return None if expected == found else (what, expected, found)
