"""A simulation in the lab, with its running mean next to the exact value."""

from __future__ import annotations

import re
import secrets
from typing import Any, Final

import orjson
from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.errors import BadInput, quote
from cardroom.games import default_setup, game
from cardroom.games.registry import UnknownGame, find_package
from cardroom.games.setup import setup_to_json
from cardroom.odds.result import first_policy
from cardroom.odds.simulation.runner import STRATEGIES
from cardroom.odds.simulation.tally import WagerTally
from cardroom.reports.documents.numbers import format_percent, format_signed
from cardroom.web.middleware.permissions import RequestCaller, get_caller
from cardroom.web.pages.lab.figures import ConvergencePoint, convergence_chart
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.requests import get_app_context, load_form, load_form_values, signed_in_player
from cardroom.web.pages.templating import render_fragment, render_page
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.live_pages import LivePage
from cardroom.web.services.simulations import MAX_ROUNDS, MAX_RUNNING, BadRun, run_chain

router = APIRouter(include_in_schema=False)
DEFAULT_ROUNDS: Final = 1_000_000
FRESH_SEEDS: Final = 2**53
_INTEGER: Final = re.compile(r"[0-9]{1,20}")
FAR_ERRORS: Final = 4
"""Standard errors beyond which the page marks a difference."""


def parse_integer(text: str, name: str) -> int:
    """Read a whole number; thousands may be separated.

    >>> parse_integer("1,000,000", "rounds")
    1000000
    """
    plain = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not _INTEGER.fullmatch(plain):
        raise BadRun(f"{quote(text)} is not a number: enter the {name} as a whole number such as 1,000,000.")
    return int(plain)


def live_page(context: AppContext, caller: RequestCaller, slug: str, run: str) -> LivePage:
    """A simulation for as long as its page is open."""
    context.simulations.get(run)
    form = context.sessions.form_token(caller.session) if caller.session else ""

    def draw() -> str:
        simulation_run = context.simulations.get(run)
        points = [
            ConvergencePoint(point.rounds, float(point.mean), point.standard_error) for point in simulation_run.points
        ]
        exact = simulation_run.points[-1].exact_mean if simulation_run.points else None
        main_plan = simulation_run.plans[0] if simulation_run.plans else None
        label = "simulated price" if main_plan and main_plan.priced_rounds else "exact"
        chart = convergence_chart(points, None if exact is None else float(exact), label)
        wagers = [_wager_variables(point) for point in simulation_run.tally.wagers] if simulation_run.done else []
        main = game(slug).facts.wagers[0].name
        played = (
            first_policy(point.policy for point in simulation_run.plans)
            or describe_strategies(slug)[simulation_run.strategy]
        )
        variables = {
            "wagers": wagers,
            "main": main,
            "far": FAR_ERRORS,
            "form": form,
            "played": played,
            "compared": label,
        }
        return render_fragment("lab/run.html", run=simulation_run, chart=chart, **variables)

    return LivePage((run_chain(run),), draw)


def describe_strategies(slug: str) -> dict[str, str]:
    """The names of the strategies. The best play of a packaged game can take too long to find."""
    best = "best play, or a policy found by simulation" if find_package(slug) else "best play"
    return {"best": best, "simple": "basic strategy"}


def _wager_variables(outcome: WagerTally) -> dict[str, Any]:
    return {
        "name": game(outcome.plan.request.game).facts.wager(outcome.plan.slug).name,
        "table": outcome.plan.paytable,
        "mean": format_signed(outcome.mean, 6),
        "error": f"{outcome.standard_error:.6f}",
        "exact": "" if outcome.exact_mean is None else format_signed(outcome.exact_mean, 6),
        "simulated": outcome.plan.priced_rounds is not None,
        "z": "" if outcome.z is None else f"{outcome.z:+.2f}".replace("-", "−"),
        "is_far": outcome.z is not None and abs(outcome.z) > FAR_ERRORS,
        "hits": format_percent(outcome.hit_frequency, 3),
        "meter": outcome.depends_on_meter,
    }


async def _render_form(request: Request, slug: str, refusal: str = "", **values: str) -> Response:
    try:
        facts = game(slug).facts
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    variables = {
        "rounds": f"{DEFAULT_ROUNDS:,}",
        "seed": str(secrets.randbelow(FRESH_SEEDS)),
        "strategy": STRATEGIES[0],
    }
    limits = {
        "most": MAX_ROUNDS,
        "running": MAX_RUNNING,
        "strategies": {strategy: describe_strategies(facts.slug)[strategy] for strategy in STRATEGIES},
    }
    filled: dict[str, Any] = {"facts": facts, "refusal": refusal, **limits, **variables, **values}
    return render_page(request, "lab/simulation.html", status=422 if refusal else 200, **filled)


@router.get("/lab/{slug}/simulation")
async def show_form(request: Request, slug: str) -> Response:
    """The form for a simulation."""
    signed_in_player(request)
    return await _render_form(request, slug)


@router.post("/lab/{slug}/simulation")
async def start_run(request: Request, slug: str) -> Response:
    """Start a simulation and go to its page."""
    signed_in_player(request)
    context, submitted = get_app_context(request), await load_form_values(request)
    values = {name: submitted.get(name, "") for name in ("rounds", "seed", "strategy")}
    try:
        setup = orjson.dumps(setup_to_json(default_setup(slug))).decode()
        rounds, seed = parse_integer(values["rounds"], "rounds"), parse_integer(values["seed"], "seed")
        run = context.simulations.start(slug, setup, values["strategy"], rounds, seed)
    except BadInput as refusal:
        return await _render_form(request, slug, str(refusal), **values)
    return RedirectResponse(f"/lab/{slug}/simulation/{run.id}", 303)


@router.get("/lab/{slug}/simulation/{run}")
async def show_run(request: Request, slug: str, run: str) -> Response:
    """A simulation that is running or has ended."""
    context = get_app_context(request)
    signed_in_player(request)
    try:
        html = await context.executors.query(live_page(context, get_caller(request), slug, run).render)
    except BadInput as refusal:
        return await _render_form(request, slug, str(refusal))
    return render_page(request, "lab/running.html", facts=game(slug).facts, drawn=html)


@router.post("/lab/{slug}/simulation/{run}/stop")
async def stop_run(request: Request, slug: str, run: str) -> Response:
    """Stop a simulation; the rounds that were played count."""
    signed_in_player(request)
    await load_form(request)
    try:
        get_app_context(request).simulations.stop(run)
    except BadInput as refusal:
        return await _render_form(request, slug, str(refusal))
    return RedirectResponse(f"/lab/{slug}/simulation/{run}", 303)
