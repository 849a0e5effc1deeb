"""Prompts of the table in the terminal: where typed lines come from, how they are read, and what is refused.

Every prompt takes ``q`` to leave and ``?`` for help, and a wrong entry gets a sentence that says what would be right.
Lines come from a keyboard, which discards what was typed before the prompt, or from a file. A decision is typed as a
number, a word, or cards.

>>> from cardroom.cards import parse_cards
>>> keep = Decision(Verb.KEEP, (parse_cards("As Kd"),))
>>> split = Decision(Verb.SPLIT, (parse_cards("As Kd"), parse_cards("9h 9c")))
>>> [str(parse_choice(typed, (keep, split))) for typed in ("1", "keep", "9c9h")]
['keep As Kd', 'keep As Kd', 'split As Kd | 9h 9c']

If the order of the hands is free, a player who types all of them sets the order.

>>> str(parse_choice("9c9h | askd", (keep, split), alternatives=(split.with_reversed_groups,)))
'split 9h 9c | As Kd'
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Final, TextIO, TypeAlias, TypeVar

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from cardroom.cards import Card, parse_cards
from cardroom.errors import BadInput, quote, shorten
from cardroom.games.actions import Decision, Verb
from cardroom.terminal.cards import decision_input
from cardroom.terminal.console import QUIET, RETRY


class BadSeating(BadInput):
    """A table that nobody can sit down at as asked."""


class BalanceTooLow(BadInput):
    """More than the balance holds."""


class UnknownChoice(BadInput):
    """Something typed that is none of the choices."""


T = TypeVar("T")
Reader: TypeAlias = Callable[[str], str]
"""Shows a prompt and gives back the typed line; raises EOFError when nothing more will come."""
Keys: TypeAlias = Mapping[str, Callable[[], None]]
"""What may be typed besides an answer, and what it does; the question is then shown again."""

PROMPT: Final = "> "
QUIT: Final = ("q", "quit", "exit")
YES: Final = ("y", "yes")
NO: Final = ("n", "no", "")


class PlayerLeaves(Exception):
    """The player wants to get up from the table."""


class InputEnded(PlayerLeaves):
    """Nothing more will ever be typed: nobody can be asked whether that is meant."""


class Prompter:
    """Asks questions on a console."""

    def __init__(self, console: Console, read: Reader) -> None:
        self.console = console
        self._read = read

    def read_line(self) -> str:
        """One typed line; end of input and Ctrl-C mean leaving."""
        try:
            line = self._read(PROMPT).strip()
        except EOFError:
            self.console.print()
            raise InputEnded from None
        except KeyboardInterrupt:
            self.console.print()
            raise PlayerLeaves from None
        if line.lower() in QUIT:
            raise PlayerLeaves
        return line

    def ask(self, show: Callable[[], None], parse: Callable[[str], T], keys: Keys) -> T:
        """Show the question and read until the answer is understood; a refusal shows nothing but its sentence."""
        show()
        while True:
            line = self.read_line()
            try:
                if line.lower() in keys:
                    keys[line.lower()]()
                    show()
                    continue
                return parse(line)
            except BadInput as fault:
                self.console.print(Text(str(fault), RETRY))

    def confirm(self, sentence: str) -> bool:
        """Ask whether leaving is meant; Enter stays, a second Ctrl-C leaves."""

        def show() -> None:
            self.console.print(Text.assemble((sentence, RETRY), (" y leaves · Enter stays", QUIET)), end=" ")

        def parse(line: str) -> bool:
            if line.lower() in (*YES, *NO):
                return line.lower() in YES
            raise BadInput(f"{line!r} is neither yes nor no: type y to leave, or press Enter to stay.")

        try:
            return self.ask(show, parse, {})
        except PlayerLeaves:
            return True

    def show_pages(self, text: RenderableType) -> None:
        """Show something long, a screen at a time; q leaves the pages, not the table."""
        lines = self.console.render_lines(text, pad=False)
        room = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), room):
            page = lines[first : first + room]
            if self.console.is_terminal:
                self.console.clear()
            self.console.print(Segments([*chain.from_iterable((*line, Segment.line()) for line in page)]), end="")
            has_more = first + room < len(lines)
            key_hint = "Enter shows more · q goes back to the table" if has_more else "Enter goes back to the table"
            self.console.print(Text(key_hint, QUIET), end=" ")
            try:
                self.read_line()
            except InputEnded:
                raise
            except PlayerLeaves:
                return


_LOCAL_MODES: Final = 3
"""Where a terminal's settings say whether keys are shown."""


def keyboard_reader(console: Console) -> Reader:
    """A person who types. What was typed before the question stood there answers nothing."""

    def read(prompt: str) -> str:
        flush_typeahead(sys.stdin)
        return console.input(prompt)

    return read


@contextmanager
def suppress_echo(keyboard: TextIO) -> Iterator[None]:
    """While something is worked out keys are not shown: they answer nothing. Ctrl-C is still heard."""
    try:
        import termios
    except ImportError:  # no such terminals on this system
        yield
        return
    if not keyboard.isatty():
        yield
        return
    saved_modes = termios.tcgetattr(keyboard)
    silent = list(saved_modes)
    silent[_LOCAL_MODES] = saved_modes[_LOCAL_MODES] & ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, saved_modes)


def flush_typeahead(keyboard: TextIO) -> None:
    """Empty the terminal's queue of keys that nobody has read."""
    try:
        import termios
    except ImportError:  # no such terminals on this system
        return
    if keyboard.isatty():
        termios.tcflush(keyboard, termios.TCIFLUSH)


def line_reader(console: Console, lines: Iterator[str]) -> Reader:
    """A file or a pipe: each line answers one question, and is shown as if it had been typed."""

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        console.print(f"{prompt}{line.rstrip()}", markup=False)
        return line

    return read


_LONGEST_NUMBER = 9
_CARD = re.compile(r"(?:10|[2-9tjqka])[cdhs]|joker|jk", re.IGNORECASE)
_SIGNS = str.maketrans("♣♦♥♠", "cdhs")


def parse_choice(text: str, options: Sequence[Decision], alternatives: Sequence[Decision] = ()) -> Decision:
    """The one option that the typed text means; ``alternatives`` has options with their hands in another order."""
    if not text.strip():
        raise UnknownChoice(f"Enter alone answers nothing: {_input_hint(options)}.")
    line = " ".join(text.lower().translate(_SIGNS).split())
    if line.isascii() and line.isdigit():
        if len(line) > _LONGEST_NUMBER or not 1 <= int(line) <= len(options):
            raise UnknownChoice(f"There is no choice {shorten(line)}: {_input_hint(options)}.")
        return options[int(line) - 1]
    verb, rest = _split_verb(line, options)
    matches = [option for option in options if verb is None or option.verb is verb]
    groups = _groups(rest, text, options) if rest else []
    if groups:
        matches = [option for option in matches if _is_match(option, groups)]
    elif verb is None:
        matches = []
    if len(matches) == 1:
        decision = Decision(matches[0].verb, tuple(groups))
        return decision if decision in alternatives else matches[0]
    if not matches:
        raise UnknownChoice(f"{quote(text.strip())} is not one of the choices: {_input_hint(options)}.")
    raise UnknownChoice(
        f"{quote(text.strip())} could mean {' or '.join(map(decision_input, matches[:3]))}: type the number, or the "
        "cards."
    )


def _split_verb(line: str, options: Sequence[Decision]) -> tuple[Verb | None, str]:
    """The verb at the beginning, in full or as the start of one, and what follows it."""
    verbs = tuple(dict.fromkeys(option.verb for option in options))
    for verb in verbs:
        if line == verb or line.startswith(f"{verb} "):
            return verb, line[len(verb) :].strip()
    word, _, rest = line.partition(" ")
    candidates = [verb for verb in verbs if word and verb.startswith(word)]
    return (candidates[0], rest) if len(candidates) == 1 else (None, line)


def _groups(rest: str, text: str, options: Sequence[Decision]) -> list[tuple[Card, ...]]:
    """Cards in groups, however they are parted: ``as kd | 9h 9c``, ``AsKd``, ``10h``."""
    parts = [_CARD.findall(part) for part in re.split(r"[|/-]", rest)]
    if not any(parts) or _CARD.sub("", rest).strip(" ,|/-"):
        raise UnknownChoice(f"{quote(text.strip())} is not one of the choices: {_input_hint(options)}.")
    return [parse_cards("Jk" if name == "joker" else name for name in part) for part in parts if part]


def _is_match(option: Decision, groups: Sequence[Sequence[Card]]) -> bool:
    """Whether each typed group is one of the option's; one group is enough to tell two hands apart."""
    unmatched = [Counter(group) for group in option.groups]
    for group in groups:
        if Counter(group) not in unmatched:
            return False
        unmatched.remove(Counter(group))
    return True


def _input_hint(options: Sequence[Decision]) -> str:
    return f"type a number from 1 to {len(options)}, or such as {quote(decision_input(options[-1]))}"
