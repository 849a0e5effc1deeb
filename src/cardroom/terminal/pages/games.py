"""The games of the house."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.defaults import default_setup
from cardroom.games.money import money
from cardroom.games.spot import GameFacts, Wager
from cardroom.paytables import paytables
from cardroom.terminal.palette import QUIET, SLUG, TITLE


def games_table(some: tuple[GameFacts, ...]) -> RenderableType:
    """The games, one below the other."""
    return Group(*(_game(facts) for facts in some))


def _game(facts: GameFacts) -> RenderableType:
    seats = f"{default_setup(facts.slug).seats} seats"
    if facts.seat_cards:
        seats += f", by the cards up to {facts.seats(facts.decks[0])}"
    decks = " or ".join(deck.words for deck in facts.decks)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=SLUG, no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(style=QUIET)
    for wager in facts.wagers:
        grid.add_row(f"  {wager.slug}", wager.name, _remarks(facts, wager))
    for option in facts.options:
        grid.add_row(f"  {option.name}", Text("option", QUIET), option.words)
    return Group(
        Text.assemble((facts.name, TITLE), "  ", (facts.slug, SLUG)),
        Text(f"  {decks} · {seats}", QUIET),
        Text(f"  Rule sheet: {facts.sheet_title}", QUIET),
        grid,
        "",
    )


def _remarks(facts: GameFacts, wager: Wager) -> str:
    remarks = ["required"] if wager.required else []
    if wager.jackpot:
        remarks.append(" or ".join(map(money, wager.jackpot.amounts)) or "a fixed amount")
    tables = [table.name for table in paytables(facts.slug, wager.slug) if table.name]
    remarks.append(f"{len(tables)} paytable{'s' * (len(tables) > 1)}" if tables else "even money")
    return ", ".join(remarks)
