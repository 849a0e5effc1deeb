"""What a verification found, in sentences; and whether heads that were kept elsewhere still stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cardroom.floor.kept.outside import Outside
from cardroom.floor.verification.telling import chains_in_words, copied, verified
from cardroom.jackpots.room.reports import HOUR
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.ledger import Finding, Time

__all__ = [
    "against_words",
    "age_words",
    "chains_in_words",
    "copied",
    "heads_stand",
    "outside_words",
    "verified",
]

PROTECTED: Final = 48 * HOUR
"""Heads go out with every day's close: older ones say that this does not happen."""
NO_HEADS: Final = (
    "No head is kept outside: name a folder or a command in the room's set-up (cardroom room set), and close the day."
)

UNKNOWN: Final = (
    "Where heads are kept cannot be read in these books: hold them against heads that you have (cardroom verify "
    "--heads FILE)."
)


def heads_stand(chains: int, time: Time, found: Sequence[Finding], calendar: Calendar) -> str:
    """Whether heads are still on their chains."""
    if found:
        more = f" And {len(found) - 1} more." if len(found) > 1 else ""
        return f"History was rewritten. {found[0].sentence}{more}"
    return f"The heads of {calendar.told(time)} still stand in {chains_in_words(chains)}."


def against_words(outside: Outside) -> Iterator[str]:
    """What speaks against the books: the first heads that do not stand, and the last ones if they are gone."""
    if outside.wrong:
        more = len(outside.wrong) - 1
        files = f" Nor do {more:,} other files." if more > 1 else " Nor does another file." if more else ""
        yield f"The heads outside do not stand any more. {outside.wrong[0]}{files}"
    if outside.missing:
        yield f"The heads that went out last are not there any more: {outside.missing}."


def outside_words(outside: Outside, now: Time, calendar: Calendar) -> Iterator[str]:
    """How old the newest heads outside are, what could not be read, and what is not protected by them."""
    for folder, why in outside.unreadable:
        yield f"The folder {folder}, in which heads are kept, cannot be read: {why}. Heads in it were not checked."
    if not outside.known:
        yield UNKNOWN
    elif outside.time is None and outside.holds and not outside.unreadable:
        yield NO_HEADS
    if outside.time is None:
        return
    age = now - outside.time
    when = calendar.told(outside.time)[:16]
    if outside.checked:
        yield f"The newest head outside is {age_words(age)} old: {when}, in {outside.where}."
    elif outside.unreadable:
        ago = f"{age_words(age)} ago ({when})"
        yield f"The heads that went out last, {ago}, are in {outside.where} and were not checked."
    else:
        yield f"The newest head outside is {age_words(age)} old: {when}, given to {outside.where}."
    if age > PROTECTED:
        yield f"What happened in these {age_words(age)} is not protected by it: close the day, or cardroom day heads."


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
