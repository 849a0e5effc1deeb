"""Read documents: JSON records, and TOML files that an operator writes.

An ambiguous document is refused: a name twice in one section, a number too large for an amount, NaN.

>>> read_json('{"wagers": {"1": 500, "1": 900}}', BadInput, "The record")
Traceback (most recent call last):
...
cardroom.errors.BadInput: The record has '1' twice in one section: write it once.
"""

from __future__ import annotations

import codecs
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final, TypeVar

from cardroom.errors import BadInput, quote, shorten

T = TypeVar("T")
V = TypeVar("V")
MOST_DIGITS: Final = 18
"""More digits than any amount in cents has; the number still fits into the database."""


_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_KINDS: Final[dict[type, str]] = {str: "a text", int: "a whole number", list: "a list", bool: "true or false"}


class BadText(BadInput):
    """Bytes that are not text."""


def decode_text(content: bytes, source: str) -> str:
    """The text of a file, without the byte-order mark that some editors write.

    >>> decode_text("\\ufeffgame".encode(), "my-table.toml")
    'game'
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadText(f"{source} is text in UTF-16: save it as UTF-8.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadText(f"{source} is not text in UTF-8.") from None


def read_json(text: str, error_type: type[BadInput], source: str) -> Any:
    """The value in a JSON text. ``source`` names the text at the beginning of an error sentence."""

    def parse_whole_number(digits: str) -> int:
        if len(digits.lstrip("-")) > MOST_DIGITS:
            raise error_type(f"{source} has a number of {len(digits):,} digits: no amount has more than {MOST_DIGITS}.")
        return int(digits)

    def refuse_constant(name: str) -> None:
        raise error_type(f"{source} has {name} where a number is expected: write amounts as whole cents.")

    def build_section(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, value in pairs:
            if name in fields:
                raise error_type(f"{source} has {quote(name)} twice in one section: write it once.")
            fields[name] = value
        return fields

    try:
        return json.loads(
            text, parse_int=parse_whole_number, parse_constant=refuse_constant, object_pairs_hook=build_section
        )
    except json.JSONDecodeError as error:
        raise error_type(f"{source} is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise error_type(f"{source} is nested too deeply to be read.") from None


def read_toml(text: str, error_type: type[BadInput], source: str) -> dict[str, Any]:
    """The mapping in a TOML text; TOML itself refuses a duplicate name."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise error_type(f"{source} is not TOML: {shorten(str(error), 200)}.") from None
    except ValueError:  # more digits than Python reads
        raise error_type(
            f"{source} has a number of thousands of digits: no amount has more than {MOST_DIGITS}."
        ) from None
    except RecursionError:
        raise error_type(f"{source} is nested too deeply to be read.") from None
    _refuse_long_numbers(content, error_type, source)
    return content


def _refuse_long_numbers(content: object, error_type: type[BadInput], source: str) -> None:
    """Refuse numbers with more digits than an amount can have."""
    values = [content]
    while values:
        match values.pop():
            case dict() as section:
                values.extend(section.values())
            case list() as items:
                values.extend(items)
            case int() as number if abs(number) >= 10**MOST_DIGITS:
                raise error_type(f"{source} has a number of more than {MOST_DIGITS} digits: no amount has so many.")


def format_toml_lines(section: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a section as an operator would write them; nested sections are inline.

    >>> print(*format_toml_lines({"pays": ["royal"], "limits": {"min": "$1"}, "seats": 6}), sep="\\n")
    pays = ["royal"]
    limits = { min = "$1" }
    seats = 6
    """
    for name, value in section.items():
        yield f"{format_toml_key(name)} = {_format_toml_value(value)}"


def format_toml_key(name: str) -> str:
    """A name, in quotation marks where it needs them."""
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _format_toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(format_toml_lines(value))} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_format_toml_value, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    # JSON leaves the character 127 as it is; TOML requires an escape.
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class DocumentSection:
    """One section of a document; names that the reader does not use are refused.

    Each kind of document has its own error class and sentences, with the placeholders ``{where}`` and ``{name}``.
    """

    error_type: ClassVar[type[BadInput]]
    no_section: ClassVar[str]
    """Also has the placeholder ``{found}``: the value."""
    missing: ClassVar[str]
    wrong_kind: ClassVar[str]
    """Also has ``{kind}``, the required type, and ``{found}``, the value."""
    wrong_value: ClassVar[str]
    """Also has ``{wrong}``: the reason."""
    unknown: ClassVar[str]
    """Also has ``{known}``: the valid names."""

    def __init__(self, content: object, where: str) -> None:
        if not isinstance(content, Mapping):
            raise self.error_type(self.no_section.format(where=where, found=quote(content)))
        self._content = content
        self._where = where
        self._read_names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._content

    def require(self, name: str, kind: type[T]) -> T:
        """A required value."""
        self._read_names.add(name)
        if name not in self._content:
            raise self._error(self.missing, name)
        value = self._content[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            kind_text = _KINDS.get(kind, kind.__name__)
            raise self._error(self.wrong_kind, name, kind=kind_text, found=quote(value))
        return value

    def get(self, name: str, kind: type[T], default: Any) -> Any:
        """An optional value."""
        self._read_names.add(name)
        return self.require(name, kind) if name in self._content else default

    def refuse_unread(self) -> None:
        """Refuse names that were not read."""
        unread = [name for name in self._content if name not in self._read_names]
        if unread:
            known_names, names = ", ".join(sorted(self._read_names)), ", ".join(map(quote, unread[:9]))
            raise self.error_type(self.unknown.format(where=self._where, name=names, known=known_names))

    def _parse(self, name: str, value: V, read: Callable[[V], T]) -> T:
        """The value, parsed."""
        try:
            return read(value)
        except BadInput as error:
            raise self._error(self.wrong_value, name, wrong=str(error)) from None

    def _error(self, sentence: str, name: str, **details: str) -> BadInput:
        return self.error_type(sentence.format(where=self._where, name=quote(name), **details))
