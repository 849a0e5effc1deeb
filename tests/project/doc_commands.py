"""Every command in the documentation, and why it could not be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from handbook.commands import every_command, root_command

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
_COMMENT: Final = re.compile(r" {2,}\S.*$| +# .*$")
"""A remark after a command, on the same line."""
_PROGRAM: Final = re.compile(r"(?:\.venv/bin/)?cardroom ")
_HELP_OPTIONS: Final = frozenset({"--help", "-h"})
_ELLIPSIS: Final = "…"
"""More arguments or options."""


@dataclass(frozen=True)
class ShownCommand:
    """A command on a page."""

    page: str
    text: str
    typed: bool
    """Whether it is complete, on a line of its own; otherwise it is mentioned in a sentence."""

    @property
    def steps(self) -> list[tuple[list[str], str | None]]:
        """The commands of a pipe, each with the file for its output; other programs are left out."""
        first, *more = self.text.split(" | ")
        steps = []
        for part in (first, *(_PROGRAM.sub("", other) for other in more if _PROGRAM.match(other))):
            command, _, file = part.partition(" < ")[0].partition(" > ")
            steps.append((shlex.split(command), file.strip() or None))
        return steps


def commands_on(page: str, text: str) -> Iterator[ShownCommand]:
    """Every command on a page."""
    for line in text.replace("\\\n", " ").splitlines():
        if typed := _TYPED.match(line):
            yield ShownCommand(page, _COMMENT.sub("", typed[1]).strip(), typed=True)
    for mentioned in _MENTIONED.finditer(_FENCED.sub("", text)):
        yield ShownCommand(page, " ".join(mentioned[1].split()), typed=False)


def all_shown_commands() -> list[ShownCommand]:
    """The commands of all pages, and of the commands' own help."""
    shown = [command for page in PAGES for command in commands_on(str(page.relative_to(ROOT)), page.read_text("utf-8"))]
    for name, command in every_command().items():
        help_text = f"{command.help or ''}\n{command.epilog or ''}"
        shown += commands_on(f"cardroom {name} --help", help_text)
    return shown


def fault(words: list[str], *, typed: bool) -> str | None:
    """Why these words cannot be typed after ``cardroom``, without running anything; None if they can.

    >>> fault(["odds", "three-card-prime", "--decks", "6"], typed=True)
    >>> fault(["odd"], typed=True), fault(["odds", "--deck", "6"], typed=True), fault(["rounds", "show"], typed=True)
    ("there is no command 'odd'", "'odds' has no option --deck", "'rounds show' needs ROUND")
    """
    command = root_command()
    name, rest = "", [word.strip("[]") for word in words]
    while hasattr(command, "list_commands") and rest and not rest[0].startswith("-"):
        if rest[0] not in command.list_commands(None):
            return None if rest[0] in (_ELLIPSIS, "COMMAND") and not typed else f"there is no command '{rest[0]}'"
        name, command = f"{name} {rest[0]}".strip(), command.get_command(None, rest[0])
        rest = rest[1:]
    if hasattr(command, "list_commands"):
        return None if not typed or set(rest) & {*_HELP_OPTIONS, "--version"} else f"'{name}' is a group of commands"
    return _parameter_fault(name, command.params, rest, typed=typed)


def _parameter_fault(name: str, params: list[Any], rest: list[str], *, typed: bool) -> str | None:
    options = {
        word: param
        for param in params
        if param.param_type_name == "option"
        for word in (*param.opts, *param.secondary_opts)
    }
    arguments = [param for param in params if param.param_type_name == "argument"]
    given, argument_count, words = set(), 0, iter(rest)
    for word in words:
        option, _, value = word.partition("=")
        if option in _HELP_OPTIONS:
            return None
        if not word.startswith("-") or word == "-":
            argument_count += 1
        elif option not in options:
            return f"'{name}' has no option {option}"
        else:
            given.add(options[option].name)
            if not options[option].is_flag and not value and next(words, None) is None and typed:
                return f"{option} of '{name}' needs a value"
    if not any(argument.nargs == -1 for argument in arguments) and argument_count > len(arguments):
        return f"'{name}' takes {len(arguments)} words, not {argument_count}"
    missing = [argument for argument in arguments if argument.required][argument_count:]
    missing += [option for option in options.values() if option.required and option.name not in given]
    if typed and missing and _ELLIPSIS not in rest:
        return f"'{name}' needs {missing[0].metavar or missing[0].name.upper()}"
    return None
