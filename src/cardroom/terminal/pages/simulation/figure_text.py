"""Text that all simulation pages share: headings, amounts, and differences in standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games import Table
from cardroom.odds.table_prices import exclusions_at
from cardroom.terminal.console import BAD, QUIET, TITLE
from cardroom.terminal.pages.odds import settings_text

FAR_STANDARD_ERRORS: Final = 4.0
"""Standard errors that chance alone exceeds once in 16,000 times."""
FLAG: Final = "!"
INTERRUPTION_STYLE: Final = "bold yellow"
MIN_EXPECTED_COUNT: Final = 25
"""With a lower expected count, a difference in standard errors is unreliable."""


def heading(table: Table, subject: str, *details: str) -> Text:
    """The game and the subject, with details in a second line."""
    text = Text.assemble((table.facts.name, TITLE), f"  {subject}\n")
    text.append("  ".join(filter(None, (*details, options_text(table)))), QUIET)
    return text


def options_text(table: Table) -> str:
    """The options of the table that differ from their defaults."""
    unusual = {
        option.name: table.options[option.name]
        for option in table.facts.options
        if table.options[option.name] != option.default
    }
    decks = {"decks": table.deck.decks} if len(table.facts.decks) > 1 else {}
    return settings_text({**decks, **unusual})


def interruption_text(completed: int, requested: int, unit: str) -> Text:
    """The note on an interrupted simulation."""
    return Text(f"Interrupted: {completed:,} of {requested:,} {unit}.", INTERRUPTION_STYLE)


def strategy_text(strategy: str, policy: str = "") -> str:
    """The strategy of the seat. Only proven best play is called best."""
    if policy:
        return policy
    return f"strategy {strategy}" if strategy.endswith(".py") else f"{strategy} play"


def grid(first: str, *figures: str) -> Grid:
    """A table of figures: names on the left, numbers on the right. On a narrow screen, only names are broken."""
    table = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False, pad_edge=False)
    table.add_column(first)
    for name in figures:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def page(head: Sequence[RenderableType], tables: Sequence[RenderableType], notes: Sequence[str]) -> RenderableType:
    """A heading, spaced tables, and notes."""
    spaced = [part for table in tables for part in (Text(), table)]
    return Group(*head, *spaced, Text(), *(Text(note, QUIET) for note in notes))


def z_text(z: float | None, expected: float = MIN_EXPECTED_COUNT) -> Text:
    """A difference in standard errors, flagged if chance is an unlikely cause; in parentheses if it is unreliable."""
    if z is None:
        return Text("")
    if expected < MIN_EXPECTED_COUNT:
        return Text(f"({z:+.2f})", QUIET)
    return Text(f"{z:+.2f}{FLAG}", f"bold {BAD}") if abs(z) > FAR_STANDARD_ERRORS else Text(f"{z:+.2f} ")


def excluded_note(table: Table) -> list[str]:
    """A note on payouts that the figures leave out, if any."""
    exclusions = exclusions_at(table)
    return [f"Not in these figures: {', '.join(exclusions)}."] if exclusions else []


def far_note(zs: Sequence[float | None]) -> list[str]:
    """A note on flags, if there are any."""
    if not any(z is not None and abs(z) > FAR_STANDARD_ERRORS for z in zs):
        return []
    distance = f"{FAR_STANDARD_ERRORS:.0f} standard errors"
    return [f"{FLAG} is more than {distance} away: try other seeds; if it stays, a figure is wrong."]


def share_text(value: float, error: float | None = None, digits: int = 2) -> str:
    """A share of one as a percentage, with its standard error."""
    text = f"{value * 100:.{digits}f}%"
    return text if error is None else f"{text} ± {error * 100:.{digits}f}%"


def amount_text(cents: float, digits: int = 2) -> str:
    """Cents as dollars for people; a mean may have parts of a cent.

    >>> amount_text(-1234.56), amount_text(50, 4)
    ('-$12.35', '$0.5000')
    """
    text = f"${abs(cents) / 100:,.{digits}f}"
    return f"-{text}" if cents < 0 and float(text[1:].replace(",", "")) else text
