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
from cardroom.translation import gettext


class BadSeating(BadInput):
    """A table that cannot be played as requested."""


class BalanceTooLow(BadInput):
    """A bet that exceeds the balance."""


class UnknownChoice(BadInput):
    """An entry that is none of the options."""


T = TypeVar("T")
Reader: TypeAlias = Callable[[str], str]
"""Shows a prompt and returns the typed line; raises EOFError at the end of the input."""
Keys: TypeAlias = Mapping[str, Callable[[], None]]
"""Keys besides an answer, with their actions; the question is shown again afterward."""

PROMPT: Final = "> "
QUIT: Final = ("q", "quit", "exit")
YES: Final = ("y", "yes")
NO: Final = ("n", "no", "")


class PlayerLeaves(Exception):
    """The player wants to leave the table."""


class InputEnded(PlayerLeaves):
    """The input has ended, so the player cannot be asked to confirm."""


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
        """Show the question and read until an answer is valid; after a refusal, print only its sentence."""
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
        """Ask the player to confirm leaving; Enter stays, a second Ctrl-C leaves."""

        def show() -> None:
            keys = gettext("y leaves · Enter stays")
            self.console.print(Text.assemble((sentence, RETRY), (f" {keys}", QUIET)), end=" ")

        def parse(line: str) -> bool:
            if line.lower() in (*YES, *NO):
                return line.lower() in YES
            refusal = gettext("{line} is neither yes nor no: type y to leave, or press Enter to stay.")
            raise BadInput(refusal.format(line=repr(line)))

        try:
            return self.ask(show, parse, {})
        except PlayerLeaves:
            return True

    def show_pages(self, text: RenderableType) -> None:
        """Show a long text one screen at a time; q leaves the pages, not the table."""
        lines = self.console.render_lines(text, pad=False)
        room = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), room):
            page = lines[first : first + room]
            if self.console.is_terminal:
                self.console.clear()
            self.console.print(Segments([*chain.from_iterable((*line, Segment.line()) for line in page)]), end="")
            has_more = first + room < len(lines)
            key_hint = (
                gettext("Enter shows more · q goes back to the table")
                if has_more
                else gettext("Enter goes back to the table")
            )
            self.console.print(Text(key_hint, QUIET), end=" ")
            try:
                self.read_line()
            except InputEnded:
                raise
            except PlayerLeaves:
                return


_LOCAL_MODES: Final = 3
"""The index of the echo flag in a terminal's settings."""


def keyboard_reader(console: Console) -> Reader:
    """A reader of the keyboard. It discards keys that were typed before the prompt."""

    def read(prompt: str) -> str:
        flush_typeahead(sys.stdin)
        return console.input(prompt)

    return read


@contextmanager
def suppress_echo(keyboard: TextIO) -> Iterator[None]:
    """Do not echo keys during a computation, because they are discarded. Ctrl-C still works."""
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
    """Discard the terminal's unread keys."""
    try:
        import termios
    except ImportError:  # no such terminals on this system
        return
    if keyboard.isatty():
        termios.tcflush(keyboard, termios.TCIFLUSH)


def line_reader(console: Console, lines: Iterator[str]) -> Reader:
    """A reader of a file or a pipe: each line is one answer, and is printed as if typed."""

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
    """The option that the text means; ``alternatives`` has options with their hands in another order."""
    if not text.strip():
        raise UnknownChoice(gettext("Enter alone is no decision: {advice}.").format(advice=_input_hint(options)))
    line = " ".join(text.lower().translate(_SIGNS).split())
    if line.isascii() and line.isdigit():
        if len(line) > _LONGEST_NUMBER or not 1 <= int(line) <= len(options):
            sentence = gettext("There is no option {line}: {advice}.")
            raise UnknownChoice(sentence.format(line=shorten(line), advice=_input_hint(options)))
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
        raise _not_an_option(text, options)
    sentence = gettext("{line} could mean {options}: type the number or the cards.")
    raise UnknownChoice(
        sentence.format(line=quote(text.strip()), options=" or ".join(map(decision_input, matches[:3])))
    )


def _not_an_option(text: str, options: Sequence[Decision]) -> UnknownChoice:
    sentence = gettext("{line} is not one of the options: {advice}.")
    return UnknownChoice(sentence.format(line=quote(text.strip()), advice=_input_hint(options)))


def _split_verb(line: str, options: Sequence[Decision]) -> tuple[Verb | None, str]:
    """The verb at the beginning, in full or shortened, and the rest."""
    verbs = tuple(dict.fromkeys(option.verb for option in options))
    for verb in verbs:
        if line == verb or line.startswith(f"{verb} "):
            return verb, line[len(verb) :].strip()
    word, _, rest = line.partition(" ")
    candidates = [verb for verb in verbs if word and verb.startswith(word)]
    return (candidates[0], rest) if len(candidates) == 1 else (None, line)


def _groups(rest: str, text: str, options: Sequence[Decision]) -> list[tuple[Card, ...]]:
    """Cards in groups, in any notation: ``as kd | 9h 9c``, ``AsKd``, ``10h``."""
    parts = [_CARD.findall(part) for part in re.split(r"[|/-]", rest)]
    if not any(parts) or _CARD.sub("", rest).strip(" ,|/-"):
        raise _not_an_option(text, options)
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
    advice = gettext("type a number from 1 to {count}, or for example {example}")
    return advice.format(count=len(options), example=quote(decision_input(options[-1])))
