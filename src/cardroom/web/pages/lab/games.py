"""The lab's first pages: every game, and a game with every printed table of its wagers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request, Response

from cardroom.games import default_setup, game, game_slugs
from cardroom.games.game_facts import GameFacts
from cardroom.games.registry import UnknownGame
from cardroom.games.setup import setup_to_json
from cardroom.odds import BasicStrategy
from cardroom.reports.definitions import DEFINITIONS
from cardroom.reports.documents.numbers import format_signed
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.lab.figures import TableRow, left_out, setting_words, table_rows
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.counting import CHAIN, ON_THE_WAY, Counted
from cardroom.web.room.house import House
from cardroom.web.room.pricing_thoughts import Edge, edge_at
from cardroom.web.room.workers import Told

router = APIRouter(include_in_schema=False)


class WagerOverview(NamedTuple):
    """A wager with all its printed tables."""

    slug: str
    name: str
    jackpot: bool
    tables: tuple[TableRow, ...]
    options: str
    method: str
    """How the figures were found, where that is no count; else empty."""
    unhit: tuple[str, ...]
    """Sentences about the prizes that no simulated round won."""
    left_out: str
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
        tables=table_rows(answers),
        options=", ".join(setting_words(name, value) for one in answers[:1] for name, value in one.options.items()),
        method=next((one.method_text for one in answers if not one.is_exact), ""),
        unhit=tuple(dict.fromkeys(one.unhit_sentence for one in answers if one.unhit_lines)),
        left_out=left_out(facts, answers),
        notes=tuple(dict.fromkeys(note for one in answers for note in one.notes)),
        counting=counted is None,
        so_far=so_far,
        refusal=counted.refusal if counted else "",
    )


def told_strategy(counted: Counted | None) -> ToldStrategy | None:
    """The strategy in words; None while it is being looked for, or where there is none."""
    found: BasicStrategy | None = counted.value if counted else None
    if found is None:
        return None
    error = "" if found.standard_error is None else f" ± {found.standard_error * 100:.3g}%"
    told = (
        f"It returns {format_signed(found.expected_return, 6)} units a round; {found.baseline_text} has "
        f"{format_signed(found.best_return, 6)}. It costs {float(found.cost) * 100:.3g}%{error} of the base wager."
    )
    return ToldStrategy(tuple(rule.text for rule in found.rules), told)


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
        shown["strategy_refusal"] = strategy.refusal if strategy else ""
        return fragment("lab/overview.html", looking=strategy is None, **shown)

    return Board(follow(CHAIN, ON_THE_WAY), draw)


class ListedGame(NamedTuple):
    """A game on the lab's first page, with what its house keeps."""

    facts: GameFacts
    edge: Edge | None
    counted: bool
    part: float
    """How long the bar of its edge is, in parts of a hundred."""


def listed_games(house: House) -> list[ListedGame]:
    """Every game under its usual set-up, as far as it is counted; the bars are drawn on one scale."""
    found = []
    for slug in game_slugs():
        setup = orjson.dumps(setup_to_json(default_setup(slug))).decode()
        counted = house.counting.known(edge_at, setup) if house.rules.edges else None
        found.append((game(slug).facts, counted))
    edges: list[Edge | None] = [counted.value if counted else None for _, counted in found]
    most = max((one.edge for one in edges if one), default=Fraction(1))
    return [
        ListedGame(facts, edge, counted is not None, round(float(edge.edge / most) * 100, 1) if edge else 0.0)
        for (facts, counted), edge in zip(found, edges, strict=True)
    ]


def list_board(house: House, player: str | None) -> Board:  # noqa: ARG001 (everybody sees the same)
    """The lab's first page as long as it is open."""

    def draw() -> str:
        return fragment("lab/listed.html", games=listed_games(house), edges=house.rules.edges)

    return Board(follow(CHAIN), draw)


async def list_games(request: Request, refusal: str = "") -> Response:
    """Every game; where another one was asked for, the sentence that says so."""
    house = house_of(request)
    drawn = await house.clerks.look(list_board(house, None).draw)
    return page(request, "lab/games.html", status=404 if refusal else 200, listed=drawn, refusal=refusal)


@router.get("/lab")
async def show_games(request: Request) -> Response:
    """Every game."""
    player_name(request)
    return await list_games(request)


@router.get("/lab/{slug}")
async def show_game(request: Request, slug: str) -> Response:
    """Every wager and printed table of a game."""
    house = house_of(request)
    player_name(request)
    try:
        drawn = await house.clerks.look(board(house, None, slug).draw)
    except UnknownGame as refusal:
        return await list_games(request, str(refusal))
    facts = game(slug).facts
    return page(request, "lab/game.html", facts=facts, overview=drawn, definitions=DEFINITIONS)
