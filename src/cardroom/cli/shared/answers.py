"""How commands answer: a page for people or one JSON document for programs, and an exit code."""

from __future__ import annotations

import json
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
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_page(page: RenderableType | str) -> None:
    """For people."""
    if isinstance(page, str):
        typer.echo(page)
    else:
        console().print(page)


def console() -> Console:
    """Where pages are printed."""
    from rich.console import Console

    return Console(highlight=False)
