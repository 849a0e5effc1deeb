"""The lab's first pages: all games, a game with every printed paytable of its wagers, and PAR sheets to download."""

from __future__ import annotations

from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final, NamedTuple

import orjson
from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.games import default_setup, game, game_slugs
from cardroom.games.game_facts import GameFacts
from cardroom.games.registry import UnknownGame
from cardroom.games.setup import setup_to_json
from cardroom.odds import BasicStrategy
from cardroom.reports.definitions import DEFINITIONS
from cardroom.reports.documents.numbers import format_signed
from cardroom.web.pages.lab.figures import PaytableRow, describe_exclusions, describe_setting, paytable_rows
from cardroom.web.pages.requests import get_app_context, signed_in_player
from cardroom.web.pages.templating import render_fragment, render_page
from cardroom.web.services.app_context import AppContext, tables_for
from cardroom.web.services.jobs import PRICES_CHANGED, PRICES_PROGRESS, JobResult, Lane
from cardroom.web.services.live_pages import LivePage
from cardroom.web.services.presence import CLIENT_CLOSED_REQUEST, run_while_connected
from cardroom.web.services.worker_computations import (
    WagerEdge,
    price_edge,
    price_overview,
    price_strategy,
    print_par_sheet,
)
from cardroom.web.services.workers import JobProgress

router = APIRouter(include_in_schema=False)


class WagerOverview(NamedTuple):
    """A wager with all its printed paytables."""

    slug: str
    name: str
    jackpot: bool
    tables: tuple[PaytableRow, ...]
    options: str
    method: str
    """How the figures were computed, where they are not exact; else empty."""
    unhit_lines: tuple[str, ...]
    """Sentences about the prizes that no simulated round won."""
    exclusions: str
    notes: tuple[str, ...]
    is_pending: bool
    progress: JobProgress | None
    """The progress of the computation."""
    refusal: str


class StrategyText(NamedTuple):
    """The basic strategy, and its cost."""

    rules: tuple[str, ...]
    source: str


def wager_overview(slug: str, wager: str, result: JobResult | None, so_far: JobProgress | None) -> WagerOverview:
    """The odds of a wager, as far as they are computed."""
    facts = game(slug).facts.wager(wager)
    answers = result.value or () if result else ()
    return WagerOverview(
        slug=wager,
        name=facts.name,
        jackpot=facts.jackpot is not None,
        tables=paytable_rows(answers),
        options=", ".join(
            describe_setting(name, value) for odds in answers[:1] for name, value in odds.options.items()
        ),
        method=next((odds.method_text for odds in answers if not odds.is_exact), ""),
        unhit_lines=tuple(dict.fromkeys(odds.unhit_sentence for odds in answers if odds.unhit_lines)),
        exclusions=describe_exclusions(facts, answers),
        notes=tuple(dict.fromkeys(note for odds in answers for note in odds.notes)),
        is_pending=result is None,
        progress=so_far,
        refusal=result.refusal if result else "",
    )


def strategy_text(result: JobResult | None) -> StrategyText | None:
    """The strategy as text; None while it is being computed, or where there is none."""
    simple_strategy: BasicStrategy | None = result.value if result else None
    if simple_strategy is None:
        return None
    error = "" if simple_strategy.standard_error is None else f" ± {simple_strategy.standard_error * 100:.3g}%"
    source = (
        f"It returns {format_signed(simple_strategy.expected_return, 6)} units a round; "
        f"{simple_strategy.baseline_text} returns {format_signed(simple_strategy.best_return, 6)}. "
        f"It costs {float(simple_strategy.cost) * 100:.3g}%{error} of the base wager."
    )
    return StrategyText(tuple(rule.text for rule in simple_strategy.rules), source)


def live_game_page(context: AppContext, player: str | None, slug: str) -> LivePage:  # noqa: ARG001 (the same for all)
    """The overview of a game for as long as its page is open."""
    facts = game(slug).facts

    def draw() -> str:
        wagers = [
            wager_overview(
                slug,
                wager.slug,
                context.jobs.get(price_overview, slug, wager.slug),
                context.jobs.progress(price_overview, slug, wager.slug),
            )
            for wager in facts.wagers
        ]
        strategy = context.jobs.get(price_strategy, slug, facts.wagers[0].slug)
        variables: dict[str, Any] = {"wagers": wagers, "strategy": strategy_text(strategy), "facts": facts}
        variables["strategy_refusal"] = strategy.refusal if strategy else ""
        return render_fragment("lab/overview.html", looking=strategy is None, **variables)

    return LivePage((PRICES_CHANGED, PRICES_PROGRESS), draw)


class LabGame(NamedTuple):
    """A game on the lab's first page, with its house edge."""

    facts: GameFacts
    edge: WagerEdge | None
    is_priced: bool
    part: float
    """The length of its bar, in percent."""


def list_lab_games(context: AppContext) -> list[LabGame]:
    """Every game with its usual setup, as far as it is computed; the bars have one scale."""
    lab_games = []
    for slug in game_slugs():
        setup = orjson.dumps(setup_to_json(default_setup(slug))).decode()
        result = context.jobs.get(price_edge, setup) if context.options.edges else None
        lab_games.append((game(slug).facts, result))
    edges: list[WagerEdge | None] = [result.value if result else None for _, result in lab_games]
    most = max((known_edge.edge for known_edge in edges if known_edge), default=Fraction(1))
    return [
        LabGame(facts, edge, result is not None, round(float(edge.edge / most) * 100, 1) if edge else 0.0)
        for (facts, result), edge in zip(lab_games, edges, strict=True)
    ]


def live_list_page(context: AppContext, player: str | None) -> LivePage:  # noqa: ARG001 (the same for all)
    """The lab's first page for as long as it is open."""

    def draw() -> str:
        return render_fragment("lab/game_list.html", games=list_lab_games(context), edges=context.options.edges)

    return LivePage((PRICES_CHANGED,), draw)


async def list_games(request: Request, refusal: str = "") -> Response:
    """Every game; with an error sentence if another one was requested."""
    context = get_app_context(request)
    html = await context.executors.query(live_list_page(context, None).render)
    return render_page(request, "lab/games.html", status=404 if refusal else 200, listed=html, refusal=refusal)


@router.get("/lab")
async def show_games(request: Request) -> Response:
    """Every game."""
    signed_in_player(request)
    return await list_games(request)


@router.get("/lab/{slug}")
async def show_game(request: Request, slug: str) -> Response:
    """Every wager and printed paytable of a game."""
    context = get_app_context(request)
    signed_in_player(request)
    try:
        html = await context.executors.query(live_game_page(context, None, slug).render)
    except UnknownGame as refusal:
        return await list_games(request, str(refusal))
    facts = game(slug).facts
    return render_page(request, "lab/game.html", facts=facts, overview=html, definitions=DEFINITIONS)


DOCUMENT_KINDS: Final = {"pdf": "application/pdf", "html": "text/html; charset=utf-8"}


def find_setup(context: AppContext, player: str | None, slug: str, table: str) -> str:
    """The setup of an open table, or the usual one of a game."""
    name = game(slug).facts.name
    if not table:
        return orjson.dumps(setup_to_json(default_setup(slug))).decode()
    for snapshot in tables_for(context.card_room, player):
        if snapshot.state.table == table and snapshot.state.game.facts.slug == slug:
            return snapshot.state.setup
    raise BadInput(f"There is no table {table!r} of {name}. Leave it out for the usual setup.")


@router.get("/lab/{slug}/par.{form}")
async def download_par(request: Request, slug: str, form: str, table: str = "") -> Response:
    """The PAR sheet of a table as PDF or HTML, made in another process."""
    context, player = get_app_context(request), signed_in_player(request)
    try:
        if form not in DOCUMENT_KINDS:
            raise BadInput(f"A PAR sheet is a .pdf or a .html, not a .{form}.")
        setup = await context.executors.query(find_setup, context, player, slug, table)
        today = datetime.now(UTC).astimezone().date()
        printed = await run_while_connected(
            request, context.jobs.run(Lane.BACKGROUND, print_par_sheet, setup, f".{form}", today)
        )
    except BadInput as refusal:
        return await list_games(request, str(refusal))
    if printed is None:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    disposition = f'attachment; filename="{table or slug}-par.{form}"'
    headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(printed, headers=headers, media_type=DOCUMENT_KINDS[form])
