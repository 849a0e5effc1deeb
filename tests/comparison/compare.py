"""Compare two records: print every difference, and decide whether it is more than a name or a wording.

A rename table has one line `old new` for each word. A word is a run of letters, digits, hyphens, and underscores:
`layout table` renames the chain `layout:prime-1` and leaves the event type `layout-opened` alone. Lines apply all
at once. A word may have several new names. A line may also name a complete string, such as `a/b c/d`.

A string with at least two plain words is prose. Its wording may change; the amounts, counts, percentages, and cards in
it may not.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

CONTRACT: Final = "contract"
"""The names of files that scripts of card rooms depend on begin with this: no key in them is renamed."""

_WORD: Final = re.compile(r"([\w-]+)")
_CARD: Final = r"(?:10|[2-9TJQKA])[cdhs]|Jk"
_CARDS: Final = re.compile(rf"(?<![\w-])(?:{_CARD})(?![\w-])")
_FIRST_WORD: Final = re.compile(r"(?:^|[.!?]\s+)As\s+(?=[a-z]{2})")
"""The word "As", not the ace of spades, begins a sentence."""
_PLAIN_WORD: Final = re.compile(rf"(?<![\w-])(?!(?:{_CARD})(?![\w-]))[^\W\d_]{{2,}}(?![\w-])")
_NUMBER: Final = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)(?P<sign>[-−+]?)(?P<dollar>\$?)(?P<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?!\w)"
    r"(?P<percent>\s?%|\spercent)?"
)


class Kind(StrEnum):
    """What differs."""

    FIGURE = "figure"
    KEY = "key"
    NAME = "name"
    WORDING = "wording"
    """Prose with the same figures: printed, and accepted."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two records differ."""

    kind: Kind
    path: str
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.kind} {self.path}\n  before: {_text(self.before)}\n  after:  {_text(self.after)}"


class _Absent:
    """The value of a key that is not there."""


ABSENT: Final = _Absent()


def _text(value: Any) -> str:
    return "(absent)" if value is ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)


class BadRenames(ValueError):
    """A line of a rename table is not `old new`."""


@dataclass(frozen=True)
class Renames:
    """The new names of each old word.

    >>> renames = Renames({"layout": ("table",), "remark": ("payload", "text")})
    >>> renames.allow("layout:prime-1", "table:prime-1"), renames.allow("layout-opened", "table-opened")
    (True, False)
    """

    table: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Renames:
        """Read a file of lines `old new`; `#` begins a comment."""
        table: dict[str, list[str]] = {}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            words = line.partition("#")[0].split()
            if words and len(words) != 2:
                raise BadRenames(f"{path.name}, line {number}: write `old new`, not {line!r}.")
            if words:
                table.setdefault(words[0], []).append(words[1])
        return cls(table)

    def allow(self, before: str, after: str) -> bool:
        """Whether some of the renames turn one string into the other."""
        if before == after or after in self.table.get(before, ()):
            return True
        if not any(word in self.table for word in _WORD.findall(before)):
            return False
        choices = ((re.escape(name) for name in (piece, *self.table.get(piece, ()))) for piece in _WORD.split(before))
        return re.fullmatch("".join(f"(?:{'|'.join(names)})" for names in choices), after) is not None

    def apply(self, text: str) -> str:
        """The string with the first new name of every word."""
        if text in self.table:
            return self.table[text][0]
        return "".join(self.table.get(piece, (piece,))[0] for piece in _WORD.split(text))

    def pair(self, before: Iterable[str], after: Iterable[str]) -> dict[str, str]:
        """For each old key that has a new one, the new one. A renamed key wins over one that kept its name.

        >>> Renames({"layout": ("table",), "table": ("tabulator",)}).pair(["layout", "table"], ["table", "tabulator"])
        {'layout': 'table', 'table': 'tabulator'}
        """
        pairs, free, left = dict[str, str](), set(after), list[str]()
        for key in before:
            renamed = self.apply(key)
            if renamed in free and renamed not in pairs.values():
                pairs[key] = renamed
            else:
                left.append(key)
        free -= set(pairs.values())
        for key in left:
            names = sorted(name for name in free if self.allow(key, name))
            if names:
                pairs[key] = names[0]
                free.remove(names[0])
        return pairs


def figures(text: str) -> Counter[str]:
    """The amounts, counts, percentages, and cards in a sentence, whatever their order.

    >>> figures("The meter shows $1,010.50 after 3 rounds (20%).") == figures("After 3 rounds: $1010.50, 20 percent.")
    True
    >>> sorted(figures("Round prime-1.7 of table T-1001: Qd, −$5"))
    ['-$5', 'Qd']
    """
    amounts = Counter[str]()
    for match in _NUMBER.finditer(text):
        sign = "-" if match["sign"] in ("-", "−") else ""
        number = Decimal(match["digits"].replace(",", "")).normalize()
        amounts[f"{sign}{match['dollar']}{number:f}{'%' if match['percent'] else ''}"] += 1
    return amounts + Counter(_CARDS.findall(_FIRST_WORD.sub("", text)))


def is_prose(text: str) -> bool:
    """
    >>> is_prose("The seal is broken."), is_prose("Qh 6d 4c"), is_prose("10 to 1"), is_prose("layout:prime-1")
    (True, False, False, False)
    """
    return " " in text and len(_PLAIN_WORD.findall(text)) > 1


@dataclass(frozen=True)
class Comparison:
    """How two values of one file are compared."""

    renames: Renames
    fixed_keys: bool = False
    """Whether keys must keep their names."""

    def differences(self, before: Any, after: Any, path: str = "") -> Iterator[Difference]:
        """Every difference between two JSON values."""
        match before, after:
            case dict(), dict():
                for member in members(before, after, Renames() if self.fixed_keys else self.renames, path):
                    yield from self.differences(*member)
            case list(), list():
                yield from self._lists(before, after, path)
            case str(), str():
                yield from self._strings(before, after, path)
            case _ if ABSENT in (before, after):
                yield Difference(Kind.KEY, path, before, after)
            case _:
                if type(before) is not type(after) or before != after:
                    yield Difference(Kind.FIGURE, path, before, after)

    def _lists(self, before: list[Any], after: list[Any], path: str) -> Iterator[Difference]:
        if len(before) != len(after):
            yield Difference(Kind.FIGURE, f"{path}/length", len(before), len(after))
        if self._are_same_names(before, after):
            return
        for number, pair in enumerate(zip(before, after, strict=False)):
            yield from self.differences(*pair, f"{path}/{number}")

    def _are_same_names(self, before: list[Any], after: list[Any]) -> bool:
        """Whether both lists contain the same names, sorted before and after a rename."""
        if len(before) != len(after) or not all(isinstance(name, str) for name in (*before, *after)):
            return False
        is_sorted = before == sorted(before) and after == sorted(after)
        return is_sorted and len(self.renames.pair(before, after)) == len(before) == len(set(before))

    def _strings(self, before: str, after: str, path: str) -> Iterator[Difference]:
        if self.renames.allow(before, after):
            return
        if not (is_prose(before) and is_prose(after)):
            yield Difference(Kind.NAME, path, before, after)
        elif figures(before) != figures(after):
            yield Difference(Kind.FIGURE, path, before, after)
        else:
            yield Difference(Kind.WORDING, path, before, after)


def members(
    before: Mapping[str, Any], after: Mapping[str, Any], renames: Renames, path: str
) -> Iterator[tuple[Any, Any, str]]:
    """The values of two objects by their keys, each with its path; a key that only one of them has is absent."""
    pairs = renames.pair(before, after)
    for key, value in before.items():
        yield value, after[pairs[key]] if key in pairs else ABSENT, f"{path}/{key}"
    for key in sorted(after.keys() - pairs.values()):
        yield ABSENT, after[key], f"{path}/{key}"


def compare_folders(before: Path, after: Path, renames: Renames) -> Iterator[Difference]:
    """Every difference between the records in two folders. The files and their labels, such as command lines, may be
    renamed even where the keys inside may not."""
    for *files, file in members(_files(before), _files(after), renames, ""):
        if ABSENT in files:
            yield Difference(Kind.KEY, file, *(value if value is ABSENT else value.name for value in files))
            continue
        comparison = Comparison(renames, fixed_keys=file.startswith(f"/{CONTRACT}"))
        for old, new, label in members(*(json.loads(path.read_text("utf-8")) for path in files), renames, file):
            yield from comparison.differences(old, new, label)


def _files(folder: Path) -> dict[str, Path]:
    files = {path.stem: path for path in sorted(folder.glob("*.json"))}
    if not files:
        raise SystemExit(f"{folder} contains no record: write one with `python -m tests.comparison record {folder}`.")
    return files


def print_report(differences: Iterable[Difference]) -> int:
    """Print every difference, those in wording alone first; the exit code."""
    ordered = sorted(differences, key=lambda difference: difference.kind is not Kind.WORDING)
    for difference in ordered:
        print(difference)
    counts = Counter(difference.kind for difference in ordered)
    summary = ", ".join(f"{counts[kind]:,} {kind}" for kind in Kind if counts[kind])
    print(f"Differences: {summary}." if summary else "The records agree.")
    return 0 if counts.keys() <= {Kind.WORDING} else 1
