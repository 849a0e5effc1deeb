"""What people type for several commands: names with values, and days."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from cardroom.errors import BadInput, quote


def pairs(
    texts: Iterable[str] | None, unreadable: Callable[[str], BadInput], twice: Callable[[str], BadInput]
) -> dict[str, str]:
    """Names with values, such as ``ties=push``; the caller says what is wrong with a text or with a name.

    >>> pairs(["ceiling=$20,000", "reserve = 5%"], BadInput, BadInput)
    {'ceiling': '$20,000', 'reserve': '5%'}
    """
    found: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise unreadable(text)
        if name in found:
            raise twice(name)
        found[name] = value
    return found


def day(typed: str, refusal: type[BadInput]) -> date:
    """A day such as 2026-03-02."""
    try:
        found = date.fromisoformat(typed)
    except ValueError:
        found = None
    if found is None or found.isoformat() != typed:
        raise refusal(f"{quote(typed)} is not a day: write it as YYYY-MM-DD, such as 2026-03-02.")
    return found
