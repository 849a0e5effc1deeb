"""Placeholders for what is new in every run: digests, keys, times, durations, folders, and the ids of commands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from tempfile import gettempdir
from typing import Any, Final
from urllib.parse import quote

DURATIONS: Final = frozenset({"seconds", "events_per_second", "rounds_per_second"})
MICROSECONDS: Final = range(1_600_000_000_000_000, 2_000_000_000_000_000)
"""Times of these decades."""

_HEX: Final = re.compile(r"(?<![\w-])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{16,}(?![\w-])")
_BASE_64: Final = re.compile(r"(?<![\w+/=-])(?=\S*[A-Z])(?=\S*[a-z])(?=\S*[0-9])[\w+/-]{40,}={0,2}(?![\w+/=-])")
_DERIVED: Final = re.compile(r"(?<=-)[0-9a-f]{12}(?![0-9a-f])")
"""The end of a name that follows from the id of a command, such as a guest's."""
_PORT: Final = re.compile(r"(?<=127\.0\.0\.1:)\d+")
_SECONDS: Final = re.compile(r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d):\d\d(?:\.\d+)?")


class Placeholders:
    """Replaces values. Equal names that follow from ids get equal numbers, in the order in which they appear.

    >>> put = Placeholders({"first": 1}).put
    >>> put({"id": "first", "guests": ["guest-eb37ec54b77e", "guest-0c37ec54b77e", "guest-eb37ec54b77e"]})
    {'id': '<command 1>', 'guests': ['guest-<1>', 'guest-<2>', 'guest-<1>']}
    >>> put(["ab" * 16 + "12", 1_800_000_030_000_000, "2027-01-15T12:00:07.5Z"], time=1_800_000_000_000_000)
    ['<digest>', '<time +30 s>', '2027-01-15T12:00Z']
    >>> put({"9b" * 16: 7, "ab" * 16 + "12": 5})
    {'<digest>': 5, '<digest> 2': 7}
    """

    def __init__(self, commands: Mapping[str, int] | None = None) -> None:
        self._commands, self._derived = commands or {}, dict[str, int]()

    def put(self, value: Any, *, time: int | None = None, keep_digests: bool = False) -> Any:
        """A JSON value with placeholders. Times are relative to ``time``."""

        def replace(value: Any) -> Any:
            match value:
                case dict():
                    return members(value)
                case list() | tuple():
                    return [replace(member) for member in value]
                case str() if value in self._commands:
                    return f"<command {self._commands[value]}>"
                case str():
                    return self.text(value, keep_digests=keep_digests)
                case int() if value in MICROSECONDS:
                    return "<time>" if time is None else f"<time {round((value - time) / 1_000_000):+} s>"
            return value

        def members(value: dict[Any, Any]) -> dict[str, Any]:
            """Keys that get the same placeholder are numbered in the order of their values."""
            replaced: dict[str, list[Any]] = {}
            for name, member in value.items():
                key = self.text(str(name), keep_digests=keep_digests)
                replaced.setdefault(key, []).append("<duration>" if name in DURATIONS else replace(member))
            return {
                key if number == 1 else f"{key} {number}": member
                for key, same in replaced.items()
                for number, member in enumerate(sorted(same, key=json.dumps), 1)
            }

        return replace(value)

    def text(self, value: str, *, keep_digests: bool = False) -> str:
        """A string with placeholders inside."""
        for folder in (gettempdir(), quote(gettempdir(), safe="")):
            value = re.sub(rf"{re.escape(folder)}(?:/|%2F)[\w-]+", "<folder>", value)
        value = _PORT.sub("<port>", _SECONDS.sub(r"\1", value))
        value = _DERIVED.sub(lambda name: f"<{self._derived.setdefault(name[0], len(self._derived) + 1)}>", value)
        return value if keep_digests else _BASE_64.sub("<key>", _HEX.sub("<digest>", value))
