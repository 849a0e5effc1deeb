"""What differs between a PAR sheet and the one that is computed anew, place by place and in words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from itertools import zip_longest
from typing import Any, Final

MOST_TOLD: Final = 8
MOST_LETTERS: Final = 72
_NOTHING: Final = object()


def content_differences(found: object, again: object) -> tuple[str, ...]:
    """Every place of a content that is not as it should be.

    >>> content_differences({"wagers": [{"name": "Duel", "combinations": 8}]}, {"wagers": [{"name": "Duel"}]})
    ('wagers, Duel, combinations: the file has 8, computed anew there is nothing.',)
    """
    return _first([_told(path, one, other) for path, one, other in _unequal((), found, again)])


def page_differences(found: str, again: str) -> tuple[str, ...]:
    """Every line of a page that reads otherwise, with what it should say.

    >>> page_differences("<p>Edge <b>2.1%</b></p>", "<p>Edge <b>2.2%</b></p>")
    ('the page has "Edge 2.1%", set anew it is "Edge 2.2%".',)
    """
    told = []
    for one, other in zip_longest(found.splitlines(), again.splitlines(), fillvalue=""):
        if one != other:
            told.append(f'the page has "{_text(one)}", set anew it is "{_text(other)}".')
    return _first(list(dict.fromkeys(told)))


def _unequal(path: tuple[str, ...], found: Any, again: Any) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    if isinstance(found, dict) and isinstance(again, dict):
        for name in again | found:
            yield from _unequal((*path, name.replace("_", " ")), found.get(name, _NOTHING), again.get(name, _NOTHING))
    elif isinstance(found, list) and isinstance(again, list):
        for place, (one, other) in enumerate(zip_longest(found, again, fillvalue=_NOTHING), 1):
            yield from _unequal((*path, _name(other, place)), one, other)
    elif found != again:
        yield path, found, again


def _name(part: object, place: int) -> str:
    """A wager goes by its name, an outcome by its event, anything else by its place."""
    match part:
        case {"name": str(name)} | [str(name), _, *_]:
            return name
    return str(place)


def _told(path: tuple[str, ...], found: object, again: object) -> str:
    should = "there is nothing" if again is _NOTHING else f"it is {_value(again)}"
    has = "nothing" if found is _NOTHING else _value(found)
    return f"{', '.join(path)}: the file has {has}, computed anew {should}."


def _value(value: object) -> str:
    return _short(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _text(line: str) -> str:
    return _short(" ".join(unescape(re.sub(r"<[^>]*>", " ", line)).split()))


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"


def _first(told: list[str]) -> tuple[str, ...]:
    more = len(told) - MOST_TOLD
    return (*told[:MOST_TOLD], *([f"{more} more places differ."] if more > 0 else []))
