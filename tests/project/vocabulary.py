"""The retired words of the project, and where they are found.

``python -m tests.project.vocabulary [PATH ...]`` prints every line with one. ``docs/glossary.md`` has what to say
instead.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

WORDS: Final[Mapping[str, str]] = {
    "felt": "table",
    "happening": "event",
    "told": "payload, text, shown",
    "desk": "commands",
    "deed": "action, command",
    "porter": "authentication",
    "usher": "absent players",
    "rota": "lease manager",
    "clerk": "executor",
    "lookout": "monitor",
    "thoughts": "jobs",
    "anew": "again",
    "whoever": "the player, the caller, the operator",
    "somebody": "a person with a role",
    "nobody": "no user, no player",
    "cheque": "check",
    "licence": "license",
    "colour": "color",
    "coloured": "colored",
    "neighbour": "neighbor",
    "neighbouring": "neighboring",
    "favour": "favor",
    "behaviour": "behavior",
    "centre": "center",
    "centred": "centered",
    "labelled": "labeled",
}
"""Words that are used nowhere, not even as a part of an identifier, and what to say instead. Plurals are included."""

PHRASES: Final[Mapping[str, str]] = {
    r"\bper cent\b": "percent",
    r"(?<![.\w])cancelled(?![\w(])": "canceled",
    r"\bh[eo]lds? (?:\w+ ){0,4}against\b": "compare with",
    r"\bh[au]ngs? on\b|\bhanging on\b": "depend on",
    r"\bthe books are\b": "the database is",
    r"\bset-ups?\b": "setup",
    r"\bwhosoever\b": "the caller",
    r"\bno one\b(?! of)": "no user",
    r"\banybody\b": "any user",
    r"\beverybody\b": "all users",
    r"\bfor ever\b": "permanently",
    r"\bstands? (?:in|on|for|at|there|still)\b": "is",
    r"\blies (?:in|on|at|there)\b": "is",
}
"""Patterns that are not used in prose: in the source, the pages, and the documentation. Tests may use them."""


@dataclass(frozen=True)
class Exemption:
    """A place where retired words are right."""

    files: str
    """A path below the project's folder, or a pattern of paths."""
    pattern: str
    """The text that is right there."""
    reason: str


EXEMPTIONS: Final = (
    Exemption("tests/project/vocabulary.py", r"(?s).+", "this list"),
    Exemption("tests/project/test_vocabulary.py", r"(?s).+", "its own tests"),
    Exemption("src/cardroom/games/view.py", r'"who": "nobody"', "JSON that scripts use"),
    Exemption("docs/glossary.md", r"(?s)<!-- retired -->.*?<!-- /retired -->", "the table of retired words"),
    Exemption("tests/comparison/commands.py", r"\"felt \w+\"", "the names of commands in older records"),
    Exemption("CHANGELOG.md", r"(?s)<!-- renamed -->.*?<!-- /renamed -->", "the history of renames"),
)

_PROSE_FREE: Final = ("tests/",)
_NOT_TEXT: Final = frozenset({".lock", ".png", ".svg", ".woff2", ".counts", ".npz", ".ico", ".bin"})
_NOT_OURS: Final = frozenset({"package-lock.json", "LICENSE"})
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PHRASE: Final = re.compile("|".join(PHRASES), re.IGNORECASE)
_RETIRED: Final = {form: word for word in WORDS for form in (word, f"{word}s")}


@dataclass(frozen=True)
class Hit:
    """A retired word in a line."""

    file: str
    line: int
    found: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.found}: {self.text.strip()[:140]}"


@cache
def project_files() -> tuple[str, ...]:
    """Every text file of the project, tracked or new."""
    command = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return tuple(
        sorted(
            file
            for file in set(listed)
            if file
            and Path(file).suffix not in _NOT_TEXT
            and Path(file).name not in _NOT_OURS
            and (ROOT / file).is_file()
        )
    )


def area_of(file: str) -> str:
    """The part of the project that a file belongs to: a package, a folder of tests, or a folder at the top.

    >>> area_of("src/cardroom/web/app.py"), area_of("tests/web/test_app.py"), area_of("README.md")
    ('src/cardroom/web', 'tests/web', 'the top folder')
    """
    parts = file.split("/")
    if len(parts) == 1:
        return "the top folder"
    depth = {"src": 3, "tests": 2, "packages": 2}.get(parts[0], 1)
    return "/".join(parts[: min(depth, len(parts) - 1)])


def retired_in(text: str, *, prose: bool) -> Iterator[tuple[int, str]]:
    """The retired words of a text, each with the number of its line.

    >>> list(retired_in("felt_state = 1  # FeltOpened\\nIt hangs on that.", prose=True))
    [(1, 'felt'), (1, 'Felt'), (2, 'hangs on')]
    """
    wanted = {part for part in set(_PART.findall(text)) if part.lower() in _RETIRED}
    phrases = prose and _PHRASE.search(text) is not None
    if not wanted and not phrases:
        return
    for number, line in enumerate(text.splitlines(), 1):
        if wanted:
            yield from ((number, part) for part in _PART.findall(line) if part in wanted)
        if phrases:
            yield from ((number, found[0]) for found in _PHRASE.finditer(line))


def without_exempt(file: str, text: str, exemptions: tuple[Exemption, ...] = EXEMPTIONS) -> str:
    """A text without what is exempt in it; the lines keep their numbers."""
    for one in exemptions:
        if fnmatch(file, one.files):
            text = re.sub(one.pattern, lambda found: "\n" * found[0].count("\n"), text)
    return text


def without_test_data(text: str) -> str:
    """A test module without its string literals: they are what people type, or what must be refused. Docstrings stay.

    >>> print(without_test_data("def test_it():\\n    'Nobody signs in.'\\n    sign_in('nobody')"))
    def test_it():
        'Nobody signs in.'
        sign_in()
    """
    lines = text.splitlines(keepends=True)
    starts_statement = True
    data: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and not starts_statement:
            data.append(token)
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            starts_statement = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    for token in reversed(data):
        (first, start), (last, end) = token.start, token.end
        line_ends = "\n" * (last - first)  # the lines keep their numbers
        lines[first - 1 : last] = (lines[first - 1][:start] + line_ends + lines[last - 1][end:]).splitlines(
            keepends=True
        )
    return "".join(lines)


def hits(file: str) -> Iterator[Hit]:
    """Every retired word of a file, its name included."""
    for part in _PART.findall(without_exempt(file, file)):
        if part.lower() in _RETIRED:
            yield Hit(file, 0, part, "the name of the file")
    try:
        text = (ROOT / file).read_text("utf-8")
    except UnicodeDecodeError:
        return
    lines = text.splitlines()
    checked = without_exempt(file, text)
    is_test = file.startswith(_PROSE_FREE)
    if is_test and file.endswith(".py"):
        checked = without_test_data(checked)
    for number, found in retired_in(checked, prose=not is_test):
        yield Hit(file, number, found, lines[number - 1])


def main() -> None:
    chosen = tuple(sys.argv[1:]) or ("",)
    found = [hit for file in project_files() if file.startswith(chosen) for hit in hits(file)]
    print(*found, f"{len(found)} retired words", sep="\n")


if __name__ == "__main__":
    main()
