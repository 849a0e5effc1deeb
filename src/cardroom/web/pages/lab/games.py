"""The lab's first pages: every game, and a game with every printed table of its wagers."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.games import game, game_slugs
from cardroom.games.book import UnknownGame
from cardroom.odds import SimpleStrategy
from cardroom.reports.definitions import DEFINITIONS
from cardroom.reports.paper.numbers import signed
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.lab.figures import TableRow, setting_words, table_row
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.counting import CHAIN, ON_THE_WAY, Counted
from cardroom.web.room.house import House
from cardroom.web.room.workers import Told

router = APIRouter(include_in_schema=False)


class WagerOverview(NamedTuple):
    """A wager with all its printed tables."""

    slug: str
    name: str
    jackpot: bool
    tables: tuple[TableRow, ...]
    options: str
    notes: tuple[str, ...]
    counting: bool
    so_far: Told | None
    """How far the count is."""
    refusal: str


class ToldStrategy(NamedTuple):
    """The strategy to remember, and what it costs."""

    rules: tuple[str, ...]
    told: str


def wager_overview(slug: str, wager: str, counted: Counted | None, so_far: Told | None) -> WagerOverview:
    """What is known of a wager."""
    facts = game(slug).facts.wager(wager)
    answers = counted.value or () if counted else ()
    return WagerOverview(
        slug=wager,
        name=facts.name,
        jackpot=facts.jackpot is not None,
        tables=tuple(map(table_row, answers)),
        options=", ".join(setting_words(name, value) for one in answers[:1] for name, value in one.options.items()),
        notes=tuple(dict.fromkeys(note for one in answers for note in one.notes)),
        counting=counted is None,
        so_far=so_far,
        refusal=counted.refusal if counted else "",
    )


def told_strategy(counted: Counted | None) -> ToldStrategy | None:
    """The strategy in words; None while it is being looked for, or where there is none."""
    found: SimpleStrategy | None = counted.value if counted else None
    if found is None:
        return None
    error = "" if found.standard_error is None else f" ± {found.standard_error * 100:.3g}%"
    told = (
        f"It returns {signed(found.expected_return, 6)} units a round; the best play has "
        f"{signed(found.best_return, 6)}. It costs {float(found.cost) * 100:.3g}%{error} of the base wager."
    )
    return ToldStrategy(tuple(rule.words for rule in found.rules), told)


def board(house: House, player: str | None, slug: str) -> Board:  # noqa: ARG001 (everybody sees the same)
    """The overview of a game as long as it is open."""
    facts = game(slug).facts

    def draw() -> str:
        wagers = [
            wager_overview(slug, one.slug, house.lab.overview(slug, one.slug), house.lab.counting(slug, one.slug))
            for one in facts.wagers
        ]
        strategy = house.lab.strategy(slug, facts.wagers[0].slug)
        shown: dict[str, Any] = {"wagers": wagers, "strategy": told_strategy(strategy), "facts": facts}
        return fragment("lab/overview.html", looking=strategy is None, **shown)

    return Board(follow(CHAIN, ON_THE_WAY), draw)


def list_games(request: Request, refusal: str = "") -> Response:
    """Every game; where another one was asked for, the sentence that says so."""
    games = [game(slug).facts for slug in game_slugs()]
    return page(request, "lab/games.html", status=404 if refusal else 200, games=games, refusal=refusal)


@router.get("/lab")
async def show_games(request: Request) -> Response:
    """Every game."""
    player_name(request)
    return list_games(request)


@router.get("/lab/{slug}")
async def show_game(request: Request, slug: str) -> Response:
    """Every wager and printed table of a game."""
    house = house_of(request)
    player_name(request)
    try:
        drawn = await house.clerks.look(board(house, None, slug).draw)
    except UnknownGame as refusal:
        return list_games(request, str(refusal))
    facts = game(slug).facts
    return page(request, "lab/game.html", facts=facts, overview=drawn, definitions=DEFINITIONS)
