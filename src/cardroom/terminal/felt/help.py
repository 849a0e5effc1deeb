"""What ``?`` shows: the game in short, the tables in use, and what can be typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.book import game
from cardroom.games.layout_words import plain, spot_name
from cardroom.games.money import money
from cardroom.games.table import Offered, Table
from cardroom.paytables import Dollars, Loss, Paytable, words
from cardroom.terminal.palette import QUIET, TITLE

NOTHING: Final = (Loss(), Dollars(0))

TYPING: Final = (
    "Answers: the number, a word such as fold or the start of it, or cards such as As Kd.",
    "Wagers: dollars such as 10 or 2.50. Enter repeats the last wager, 0 is none, = repeats all of them.",
    "q leaves the table at any time and shows your result.",
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
    sentences += [meter_sentence(table, spot, cents) for spot, cents in meters.items()]
    return Group(
        Text(f"{facts.name}, {table.deck.words}, rule sheet: {facts.sheet_title}", TITLE),
        _points(sentences),
        Text("\nWhat to type", TITLE),
        _points(TYPING),
        Text("\nThe tables in use", TITLE),
        Columns([_paytable(offered) for offered in table.offered.values()], padding=(1, 2)),
    )


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


def _paytable(offered: Offered) -> RenderableType:
    table = offered.paytable
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, title_style="bold", title_justify="left")
    grid.title = offered.wager.name
    grid.add_column(table.called or "by the rules")
    grid.add_column("pays", justify="right")
    for label, pays in _lines(table):
        grid.add_row(label, pays)
    if offered.feature is not None:
        grid.add_row(Text(f"{plain(offered.feature.kind)}, from {money(offered.feature.qualifying)}", QUIET), "")
        for label, pays in _lines(offered.feature.paytable):
            grid.add_row(label, pays)
    return grid


def _lines(table: Paytable) -> Iterator[tuple[str, str]]:
    if not table.lines:
        yield "a win", "1 to 1"
    yield from ((line.printed, words(line.pay)) for line in table.lines if line.pay not in NOTHING)
