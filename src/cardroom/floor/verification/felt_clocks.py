"""The clocks of a felt: nobody got more time than was announced, nobody less, and nothing was decided before its time.

The moment at which a command is decided is not the one at which it is stored: the clocks of two servers differ a
little, and a program that was started just now may compile its kernels in between.
"""

from __future__ import annotations

from typing import Final

from cardroom.floor.felt.happenings import Answered, RoundBegun, WagersLaid
from cardroom.floor.felt.state import CLOCK, LEFT, FeltState
from cardroom.floor.felt.terms import SECOND
from cardroom.floor.felt.wagering import is_ready
from cardroom.ledger.clock import HELD

SLOW: Final = 60 * SECOND
"""So long may pass between a decision and the disk."""

Fault = tuple[str, object, object]
"""What is wrong, what was expected and what was found."""


def betting_fault(laid: WagersLaid, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time of wagers."""
    if before.deadline and time > before.deadline + SLOW:
        return "the wagers were laid too late", before.deadline, time
    if not laid.laid.spots and not laid.deadline:
        return None  # the last ones were taken back, or all of them because nothing was left to play for
    if before.deadline:
        return _other("the wagers are taken until another time", before.deadline, laid.deadline)
    return _deadline_fault(laid.deadline, before.terms.betting, time)


def beginning_fault(begun: RoundBegun, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time at which a round began."""
    if not is_ready(before) and not (before.deadline and time >= before.deadline - HELD):
        waits = f"after {before.deadline}, or when everybody is ready" if before.deadline else "when everybody is ready"
        return "the round began before its time", waits, time
    return _deadline_fault(begun.deadline, before.terms.deciding if begun.asked else 0, time)


def answer_fault(answered: Answered, before: FeltState, time: int) -> Fault | None:
    """What is wrong with the time of an answer."""
    by_clock, deadline = answered.by == CLOCK, before.deadline
    if by_clock and not deadline:
        return "the clock answered where none runs", "no clock", CLOCK
    if by_clock and time < deadline - HELD:
        return "the clock answered too early", deadline, time
    if deadline and answered.by not in (CLOCK, LEFT) and time > deadline + SLOW:
        return "it was answered too late", deadline, time
    return _deadline_fault(answered.deadline, before.terms.deciding if answered.asked else 0, time)


def _deadline_fault(deadline: int, seconds: int, time: int) -> Fault | None:
    """A clock is set to so many seconds from the moment; to 0 where none runs."""
    if not seconds:
        return _other("a clock runs where there is none", 0, deadline)
    until = time + seconds * SECOND
    if not until - SLOW <= deadline <= until + HELD:
        return "the clock is set to another time", until, deadline
    return None


def _other(what: str, expected: int, found: int) -> Fault | None:
    return None if expected == found else (what, expected, found)
