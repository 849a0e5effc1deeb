"""How commands answer: a page for people or one JSON document for programs, and an exit code."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


class ExitCode(IntEnum):
    """What a program can test."""

    ANSWER_IS_NO = 1
    BAD_INPUT = 2
    INTERRUPTED = 130
    """What shells give for Ctrl-C."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command has to say."""

    entry: Any
    """For programs."""
    page: RenderableType | str
    """For people; a plain text is printed as it stands, however long its lines are."""
    holds: bool = True
    """Whether the answer is not "no"."""

    def tell(self, as_json: bool) -> None:
        """Print it; a "no" is also an exit code."""
        if as_json:
            print_json(self.entry)
        else:
            print_page(self.page)
        if not self.holds:
            raise typer.Exit(ExitCode.ANSWER_IS_NO)


def print_json(value: object) -> None:
    """For programs."""
    # Where a stream has no Unicode the same document is written with escapes.
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(json.dumps(value, indent=2, ensure_ascii=not unicode))


def print_page(page: RenderableType | str) -> None:
    """For people."""
    if isinstance(page, str):
        typer.echo(for_people(page))
    else:
        console().print(page)


def console() -> Console:
    """Where pages are printed."""
    from cardroom.terminal.console import page_console

    return page_console()


def for_people(sentence: str, *, err: bool = False) -> str:
    """A sentence as whoever reads it can read it: without Unicode a suit is a letter."""
    stream = sys.stderr if err else sys.stdout
    if sentence.isascii():
        return sentence
    from cardroom.terminal.console import has_unicode, to_ascii

    return sentence if has_unicode(stream, os.environ) else to_ascii(sentence)
