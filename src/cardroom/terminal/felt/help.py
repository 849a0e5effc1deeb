"""What ``?`` shows: the game in short, the tables in use, and what can be typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.book import game
from cardroom.games.layout_words import spot_name
from cardroom.games.money import money
from cardroom.games.table import Table
from cardroom.terminal.felt.tables import Hit, paytable_grid
from cardroom.terminal.palette import TITLE

TYPING: Final = (
    "Answers: the number, a word such as fold or the start of it, or cards such as As Kd.",
    "Wagers: dollars such as 10 or 2.50. Enter repeats the last wager, 0 is none, = repeats all of them.",
    "h at a question: what each answer is worth on average to your wagers, and which one is the best.",
    "c turns the coach on or off, who says unasked what your last answer cost.",
    "t shows the paytables; after a round the lines that were hit are marked.",
    "q or Ctrl-C leaves. With chips on the layout you are asked first.",
    "A round that you leave is played to its end with answers that put no more money down; what it pays is yours.",
    "What is typed before a question stands there answers nothing.",
    "The seal is the SHA-256 of a secret key and of the round's name. It is shown before the wagers.",
    "The key is shown after the round: with it anybody can check the seal and deal the same cards again.",
)


def house_rules(table: Table, meters: Mapping[str, int]) -> RenderableType:
    """The game and this table of it."""
    facts = table.facts
    sentences = game(facts.slug).in_short.strip().splitlines()
    sentences += [f"{option.words.capitalize()}: {_value(table.options[option.name])}." for option in facts.options]
    if table.spots_per_player is not None:
        sentences.append(f"A player may use {table.spots_per_player} spots.")
    if table.payout_limit is not None:
        sentences.append(table.payout_limit.words)
    sentences += [meter_sentence(table, spot, cents) for spot, cents in meters.items()]
    return Group(
        Text(f"{facts.name}, {table.deck.words}, rule sheet: {facts.sheet_title}", TITLE),
        _points(sentences),
        Text("\nWhat to type", TITLE),
        _points(TYPING),
        Text("\nThe tables in use", TITLE),
        tables_page(table),
    )


def tables_page(table: Table, marked: frozenset[Hit] = frozenset()) -> RenderableType:
    """The tables in use, as many beside one another as fit, with the lines that were hit."""
    return Columns([paytable_grid(offered, marked) for offered in table.offered.values()], padding=(1, 2))


def meter_sentence(table: Table, spot: str, cents: int) -> str:
    """What a meter shows."""
    return f"The meter of {spot_name(table, spot)} shows {money(cents)}, a fixed example."


def _value(value: str | bool) -> str:
    return value if isinstance(value, str) else "yes" if value else "no"


def _points(sentences: Sequence[str]) -> RenderableType:
    grid = Grid.grid(padding=(0, 1))
    for sentence in sentences:
        grid.add_row("·", sentence)
    return grid
