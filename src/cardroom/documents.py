"""Documents that people send, each kind read in one place: JSON for records, TOML for what an operator has written.

What two readers could understand in two ways is refused: a name that stands twice in one section, a number that no
amount of money is, a value that is none.

>>> read_json('{"wagers": {"1": 500, "1": 900}}', BadInput, "The record")
Traceback (most recent call last):
...
cardroom.faults.BadInput: The record says '1' twice in one section: say it once.
"""

from __future__ import annotations

import codecs
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, TypeVar

from cardroom.faults import BadInput, quoted, shortened

T = TypeVar("T")
V = TypeVar("V")
MOST_DIGITS: Final = 18
"""Cents with eighteen digits are more money than there is; they still fit into the books."""


_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_KINDS: Final[dict[type, str]] = {str: "a text", int: "a whole number", list: "a list", bool: "true or false"}


class BadText(BadInput):
    """Bytes that are no text."""


def plain_text(content: bytes, what: str) -> str:
    """The text of a file. Some editors put a mark before it; that is no part of what was written.

    >>> plain_text("\\ufeffgame".encode(), "my-table.toml")
    'game'
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadText(f"{what} is text in UTF-16: save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadText(f"{what} is not text in UTF-8.") from None


def read_json(text: str, fault: type[BadInput], what: str) -> Any:
    """The value that a JSON text holds. ``what`` names the text at the beginning of a sentence."""

    def whole_number(digits: str) -> int:
        if len(digits.lstrip("-")) > MOST_DIGITS:
            raise fault(f"{what} has a number of {len(digits):,} digits: no amount has more than {MOST_DIGITS}.")
        return int(digits)

    def no_number(name: str) -> None:
        raise fault(f"{what} has {name} where a number is expected: write amounts as whole cents.")

    def section(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise fault(f"{what} says {quoted(name)} twice in one section: say it once.")
            found[name] = value
        return found

    try:
        return json.loads(text, parse_int=whole_number, parse_constant=no_number, object_pairs_hook=section)
    except json.JSONDecodeError as wrong:
        raise fault(f"{what} is not JSON: {wrong.msg} in line {wrong.lineno}, column {wrong.colno}.") from None
    except RecursionError:
        raise fault(f"{what} is nested too deeply to be read.") from None


def read_toml(text: str, fault: type[BadInput], what: str) -> dict[str, Any]:
    """The mapping that a TOML text holds; TOML itself refuses a name that stands twice."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise fault(f"{what} is not TOML: {shortened(str(wrong), 200)}.") from None
    except ValueError:  # more digits than Python reads
        raise fault(f"{what} has a number of thousands of digits: no amount has more than {MOST_DIGITS}.") from None
    except RecursionError:
        raise fault(f"{what} is nested too deeply to be read.") from None
    _refuse_long_numbers(found, fault, what)
    return found


def _refuse_long_numbers(found: object, fault: type[BadInput], what: str) -> None:
    """The books hold no number of more digits than an amount can have."""
    values = [found]
    while values:
        match values.pop():
            case dict() as section:
                values.extend(section.values())
            case list() as several:
                values.extend(several)
            case int() as number if abs(number) >= 10**MOST_DIGITS:
                raise fault(f"{what} has a number of more than {MOST_DIGITS} digits: no amount has so many.")


def toml_lines(section: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a section as an operator would write them; what is inside it stands in its line.

    >>> print(*toml_lines({"pays": ["royal"], "limits": {"min": "$1"}, "seats": 6}), sep="\\n")
    pays = ["royal"]
    limits = { min = "$1" }
    seats = 6
    """
    for name, value in section.items():
        yield f"{toml_key(name)} = {_toml_value(value)}"


def toml_key(name: str) -> str:
    """A name, in quotation marks where it needs them."""
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(toml_lines(value))} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    # JSON leaves the character 127 as it is; TOML knows it by its number only.
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class Section:
    """One section of a document; each name is read once, and names that nobody reads are refused.

    Every kind of document has its own fault and its own sentences, with ``{where}`` and ``{name}``.
    """

    fault: ClassVar[type[BadInput]]
    no_section: ClassVar[str]
    """With what was ``{found}`` instead."""
    missing: ClassVar[str]
    wrong_kind: ClassVar[str]
    """With what it must be, ``{kind}``, and what was ``{found}``."""
    wrong_value: ClassVar[str]
    """With what is ``{wrong}``."""
    unknown: ClassVar[str]
    """With the names that are ``{known}``."""

    def __init__(self, entry: object, where: str) -> None:
        if not isinstance(entry, Mapping):
            raise self.fault(self.no_section.format(where=where, found=quoted(entry)))
        self._entry = entry
        self._where = where
        self._read: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._entry

    def need(self, name: str, kind: type[T]) -> T:
        """A value that must be there."""
        self._read.add(name)
        if name not in self._entry:
            raise self._faulty(self.missing, name)
        value = self._entry[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            wanted = _KINDS.get(kind, kind.__name__)
            raise self._faulty(self.wrong_kind, name, kind=wanted, found=quoted(value))
        return value

    def get(self, name: str, kind: type[T], default: Any) -> Any:
        """A value that may be left out."""
        self._read.add(name)
        return self.need(name, kind) if name in self._entry else default

    def nothing_else(self) -> None:
        """Refuse names that were not read."""
        unread = [name for name in self._entry if name not in self._read]
        if unread:
            known, names = ", ".join(sorted(self._read)), ", ".join(map(quoted, unread[:9]))
            raise self.fault(self.unknown.format(where=self._where, name=names, known=known))

    def _understood(self, name: str, value: V, read: Callable[[V], T]) -> T:
        """What a value means."""
        try:
            return read(value)
        except BadInput as wrong:
            raise self._faulty(self.wrong_value, name, wrong=str(wrong)) from None

    def _faulty(self, sentence: str, name: str, **told: str) -> BadInput:
        return self.fault(sentence.format(where=self._where, name=quoted(name), **told))
