"""Every command that the documentation shows, and what would be wrong with typing it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handbook.commands import every_command, whole

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
)
_TYPED: Final = re.compile(r"^(?: {4}|\$ |)(?:\.venv/bin/)?cardroom (.+)$")
_MENTIONED: Final = re.compile(r"(?<!`)`(?:\.venv/bin/)?cardroom ([^`]+)`(?!`)")
_FENCED: Final = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_GLOSS: Final = re.compile(r" {2,}\S.*$| +# .*$")
"""What is said about a command behind it, on the same line."""
_OURS: Final = re.compile(r"(?:\.venv/bin/)?cardroom ")
_EVERYWHERE: Final = frozenset({"--help", "-h"})
_OPEN: Final = "…"
"""Stands for more of the same."""


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it."""

    where: str
    text: str
    typed: bool
    """On a line of its own, complete, as one types it; otherwise it is only spoken of."""

    @property
    def steps(self) -> list[tuple[list[str], str | None]]:
        """The commands of a pipe, each with the file that its answer goes into; other programs are left out."""
        first, *more = self.text.split(" | ")
        found = []
        for part in (first, *(_OURS.sub("", other) for other in more if _OURS.match(other))):
            command, _, file = part.partition(" < ")[0].partition(" > ")
            found.append((shlex.split(command), file.strip() or None))
        return found


def shown_on(where: str, text: str) -> Iterator[Shown]:
    """Every command on a page."""
    for line in text.replace("\\\n", " ").splitlines():
        if typed := _TYPED.match(line):
            yield Shown(where, _GLOSS.sub("", typed[1]).strip(), typed=True)
    for mentioned in _MENTIONED.finditer(_FENCED.sub("", text)):
        yield Shown(where, " ".join(mentioned[1].split()), typed=False)


def everything_shown() -> list[Shown]:
    """What all pages show, and what the commands' own help shows."""
    found = [one for page in PAGES for one in shown_on(str(page.relative_to(ROOT)), page.read_text("utf-8"))]
    for name, command in every_command().items():
        help_text = f"{command.help or ''}\n{command.epilog or ''}"
        found += shown_on(f"cardroom {name} --help", help_text)
    return found


def fault(words: list[str], *, typed: bool) -> str | None:
    """Why these words cannot be typed after ``cardroom``, found without running anything; None when they can.

    >>> fault(["odds", "three-card-prime", "--decks", "6"], typed=True)
    >>> fault(["odd"], typed=True), fault(["odds", "--deck", "6"], typed=True), fault(["rounds", "show"], typed=True)
    ("there is no command 'odd'", "'odds' has no option --deck", "'rounds show' needs ROUND")
    """
    command = whole()
    name, rest = "", [word.strip("[]") for word in words]
    while hasattr(command, "list_commands") and rest and not rest[0].startswith("-"):
        if rest[0] not in command.list_commands(None):
            return None if rest[0] in (_OPEN, "COMMAND") and not typed else f"there is no command '{rest[0]}'"
        name, command = f"{name} {rest[0]}".strip(), command.get_command(None, rest[0])
        rest = rest[1:]
    if hasattr(command, "list_commands"):
        return None if not typed or set(rest) & {*_EVERYWHERE, "--version"} else f"'{name}' is a family of commands"
    return _fault_behind(name, command.params, rest, typed=typed)


def _fault_behind(name: str, params: list[Any], rest: list[str], *, typed: bool) -> str | None:
    options = {
        word: one for one in params if one.param_type_name == "option" for word in (*one.opts, *one.secondary_opts)
    }
    arguments = [one for one in params if one.param_type_name == "argument"]
    given, there, words = set(), 0, iter(rest)
    for word in words:
        option, _, value = word.partition("=")
        if option in _EVERYWHERE:
            return None
        if not word.startswith("-") or word == "-":
            there += 1
        elif option not in options:
            return f"'{name}' has no option {option}"
        else:
            given.add(options[option].name)
            if not options[option].is_flag and not value and next(words, None) is None and typed:
                return f"{option} of '{name}' needs a value"
    if not any(one.nargs == -1 for one in arguments) and there > len(arguments):
        return f"'{name}' takes {len(arguments)} words, not {there}"
    needed = [one for one in arguments if one.required][there:]
    needed += [one for one in options.values() if one.required and one.name not in given]
    if typed and needed and _OPEN not in rest:
        return f"'{name}' needs {needed[0].metavar or needed[0].name.upper()}"
    return None
