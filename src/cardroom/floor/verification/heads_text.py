"""What the comparison of signed heads with the database found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.floor.kept.exported_heads import Outside
from cardroom.jackpots.room.reports import HOUR
from cardroom.jackpots.setup.calendar import Calendar, Time

PROTECTED: Final = 48 * HOUR
"""Heads are exported every few minutes and with every day's close: older ones show that this does not happen."""
NO_HEADS: Final = (
    "No heads are exported: name a folder, a command or a witness under [heads] in the machine's configuration "
    "(machine.toml)."
)

UNKNOWN: Final = "The database cannot say which heads it signed: compare it with a file of heads that you have."


def against_words(outside: Outside) -> Iterator[str]:
    """What contradicts the database: the first thing that does not agree, and a file that is gone."""
    if outside.wrong:
        more = len(outside.wrong) - 1
        rest = f" {more:,} more findings." if more > 1 else " 1 more finding." if more else ""
        yield f"The signed heads do not agree with the database. {outside.wrong[0]}{rest}"
    if outside.missing:
        yield f"Exported heads are not in their folder any more: {outside.missing}."


def outside_words(outside: Outside, now: Time, calendar: Calendar) -> Iterator[str]:
    """How old the newest exported heads are, what could not be read, and what they do not protect."""
    for where, why in outside.unreadable:
        yield f"Exported heads at {where} were not checked: {why.removesuffix('.')}."
    if not outside.known:
        yield UNKNOWN
    elif outside.time is None and outside.holds and not outside.unreadable:
        yield NO_HEADS
    if outside.time is None:
        return
    age = now - outside.time
    when = calendar.told(outside.time)[:16]
    yield f"The newest exported heads are {age_words(age)} old: {when}, at {outside.where}, {outside.leaves:,} leaves."
    if outside.cosigned is not None:
        yield f"The witness cosigned last at {calendar.told(outside.cosigned)[:16]}, public key {outside.witness_key}."
    if outside.key:
        yield f"The room signs with the public key {outside.key}."
    if age > PROTECTED:
        yield f"They do not protect what happened in these {age_words(age)}: export heads now."


def age_words(age: Time) -> str:
    """
    >>> age_words(14 * HOUR), age_words(90 * 1_000_000), age_words(72 * HOUR)
    ('14 hours', '1 minute', '3 days')
    """
    for length, name, most in ((HOUR // 60, "minute", HOUR), (HOUR, "hour", PROTECTED), (24 * HOUR, "day", None)):
        if most is None or age < most:
            count = max(age, 0) // length
            return f"{count:,} {name}{'s' * (count != 1)}"
    raise AssertionError("every age is some days")
