"""The games of the house, for people and for programs."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.book import game, game_slugs
from cardroom.games.defaults import default_setup
from cardroom.games.money import money
from cardroom.games.spot import GameFacts, Wager
from cardroom.paytables import paytables
from cardroom.terminal.palette import QUIET, SLUG, TITLE


def all_facts() -> tuple[GameFacts, ...]:
    """What each game is."""
    return tuple(game(slug).facts for slug in game_slugs())


def game_entry(facts: GameFacts) -> dict[str, Any]:
    """A game as JSON."""
    return {
        "slug": facts.slug,
        "name": facts.name,
        "sheet": facts.sheet,
        "decks": [
            {"decks": deck.decks, "jokers": deck.jokers, "cards": deck.size, "seats": facts.seats(deck)}
            for deck in facts.decks
        ],
        "wagers": [_wager_entry(facts, wager) for wager in facts.wagers],
        "options": [
            {"name": option.name, "values": list(option.values), "default": option.values[0], "words": option.words}
            for option in facts.options
        ],
        "tabulators": [str(model) for model in facts.tabulators],
        "most_spots": facts.most_spots,
    }


def _wager_entry(facts: GameFacts, wager: Wager) -> dict[str, Any]:
    return {
        "slug": wager.slug,
        "name": wager.name,
        "spots": list(wager.spots) or [wager.slug],
        "required": wager.required,
        "jackpot": None if wager.jackpot is None else {"amounts": list(wager.jackpot.amounts)},
        "features": [str(feature) for feature in wager.features],
        "paytables": [table.name for table in paytables(facts.slug, wager.slug)],
    }


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
        Text.assemble((facts.name, TITLE), "  ", (facts.slug, SLUG), (f"  rule sheet {facts.sheet}", QUIET)),
        Text(f"  {decks} · {seats}", QUIET),
        grid,
        "",
    )


def _remarks(facts: GameFacts, wager: Wager) -> str:
    remarks = ["required"] if wager.required else []
    if wager.jackpot:
        remarks.append(" or ".join(map(money, wager.jackpot.amounts)) or "a fixed amount")
    tables = [table.name for table in paytables(facts.slug, wager.slug) if table.name]
    remarks.append(f"{len(tables)} paytables" if tables else "even money")
    return ", ".join(remarks)
