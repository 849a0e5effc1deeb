"""How fast a table can play: rounds that a device sends are believed as far as the table can have dealt them.

Every round that a device sends takes up the table for its share of an hour, from the time that the device gives, and
never before the round that was counted ahead of it. What was sent late is believed by its own times; what no table can
have played waits for two people (BJ-54).
"""

from __future__ import annotations

from typing import Final

from cardroom.jackpots.happenings import RoundsAccepted
from cardroom.jackpots.people import two_people
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, refuse_nameless

_HOUR: Final = 3_600_000_000
"""In microseconds."""
AHEAD: Final = 600_000_000
"""Ten minutes: rounds come in bunches, and clocks differ. A table may be this far ahead of its pace."""
MOST_ACCEPTED: Final = 10_000


class TooManyRounds(CannotTabulate):
    """More rounds than a table can have played: two people accept or refuse them."""


def too_many_rounds(state: TabulatorState, rounds_an_hour: int) -> TooManyRounds:
    """The same sentence for every round, so that the floor is told once."""
    return TooManyRounds(
        f"{state.unit} has sent more rounds than {state.table.table} can have played, {rounds_an_hour:,} an hour: none "
        "is counted until two people accept or refuse them, in the office or by command (cardroom device "
        "accept-rounds, cardroom device refuse-rounds)."
    )


def taken_up_until(state: TabulatorState, rounds_an_hour: int, told: int | None, now: int, opened: int) -> int:
    """Until when a table is taken up once it has played one more round, which a device says to be of the time ``told``.
    The first round of all cannot be from before the table was ``opened``."""
    start = max(state.taken_up or opened, min(told if told is not None else now, now))
    until = start + _HOUR // rounds_an_hour
    if until > now + AHEAD:
        raise too_many_rounds(state, rounds_an_hour)
    return until


def accept_rounds(
    state: TabulatorState,
    rounds: int,
    *,
    device: str,
    by: str,
    second: str | None,
    why: str,
    rounds_an_hour: int,
    now: int,
) -> tuple[RoundsAccepted, ...]:
    """Two people let a device send so many rounds more, whatever the table can have played."""
    one, other = two_people(by, second, "rounds that a device has sent too many of")
    refuse_nameless(why, "the reason")
    if not 1 <= rounds <= MOST_ACCEPTED:
        raise CannotTabulate(f"{rounds:,} rounds cannot be accepted: give how many, from 1 to {MOST_ACCEPTED:,}.")
    free = now + AHEAD - rounds * (_HOUR // rounds_an_hour)
    until = min(state.taken_up, free) if state.taken_up else free
    return (RoundsAccepted(state.table.table, device, one, other, why.strip(), rounds, until),)
