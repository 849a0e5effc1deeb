"""A simulation in the lab: its mean settles before one's eyes, beside the exact value."""

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
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.forms import form_of, typed_in
from cardroom.web.pages.lab.drawings import Look, convergence_drawing
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.rights.caller import Caller, caller_of
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.house import House
from cardroom.web.room.simulations import MOST_ROUNDS, MOST_RUNNING, BadRun, chain_of

router = APIRouter(include_in_schema=False)
USUAL_ROUNDS: Final = 1_000_000
FRESH_SEEDS: Final = 2**53
_WHOLE: Final = re.compile(r"[0-9]{1,20}")
FAR: Final = 4
"""Standard errors beyond which a difference is told to be strange."""


def whole(typed: str, name: str) -> int:
    """A whole number as it is typed; thousands may stand apart.

    >>> whole("1,000,000", "rounds")
    1000000
    """
    plain = typed.strip().replace(",", "").replace("_", "").replace(" ", "")
    if not _WHOLE.fullmatch(plain):
        raise BadRun(f"{quote(typed)} cannot be the {name}: write a whole number such as 1,000,000.")
    return int(plain)


def board(house: House, caller: Caller, slug: str, run: str) -> Board:
    """A simulation as long as it is looked at."""
    house.simulations.run(run)
    form = house.sessions.form_token(caller.session) if caller.session else ""

    def draw() -> str:
        shown = house.simulations.run(run)
        looks = [Look(one.rounds, float(one.mean), one.standard_error) for one in shown.looks]
        exact = shown.looks[-1].exact_mean if shown.looks else None
        main_plan = shown.plans[0] if shown.plans else None
        named = "simulated price" if main_plan and main_plan.priced_rounds else "exact"
        drawing = convergence_drawing(looks, None if exact is None else float(exact), named)
        wagers = [_wager(one) for one in shown.tally.wagers] if shown.done else []
        main = game(slug).facts.wagers[0].name
        played = first_policy(one.policy for one in shown.plans) or strategy_words(slug)[shown.strategy]
        told = {"wagers": wagers, "main": main, "far": FAR, "form": form, "played": played, "compared": named}
        return fragment("lab/run.html", run=shown, drawing=drawing, **told)

    return Board(follow(chain_of(run)), draw)


def strategy_words(slug: str) -> dict[str, str]:
    """What the strategies are called. The best play of a package's game may be too long to search for."""
    best = "the best play, or a policy found by simulation" if find_package(slug) else "the best play"
    return {"best": best, "simple": "the strategy to remember"}


def _wager(one: WagerTally) -> dict[str, Any]:
    return {
        "name": game(one.plan.request.game).facts.wager(one.plan.slug).name,
        "table": one.plan.paytable,
        "mean": format_signed(one.mean, 6),
        "error": f"{one.standard_error:.6f}",
        "exact": "" if one.exact_mean is None else format_signed(one.exact_mean, 6),
        "simulated": one.plan.priced_rounds is not None,
        "z": "" if one.z is None else f"{one.z:+.2f}".replace("-", "−"),
        "strange": one.z is not None and abs(one.z) > FAR,
        "hits": format_percent(one.hit_frequency, 3),
        "meter": one.depends_on_meter,
    }


async def _form(request: Request, slug: str, refusal: str = "", **typed: str) -> Response:
    try:
        facts = game(slug).facts
    except UnknownGame as unknown:
        return await list_games(request, str(unknown))
    shown = {"rounds": f"{USUAL_ROUNDS:,}", "seed": str(secrets.randbelow(FRESH_SEEDS)), "strategy": STRATEGIES[0]}
    limits = {
        "most": MOST_ROUNDS,
        "running": MOST_RUNNING,
        "strategies": {one: strategy_words(facts.slug)[one] for one in STRATEGIES},
    }
    filled: dict[str, Any] = {"facts": facts, "refusal": refusal, **limits, **shown, **typed}
    return page(request, "lab/simulation.html", status=422 if refusal else 200, **filled)


@router.get("/lab/{slug}/simulation")
async def show_form(request: Request, slug: str) -> Response:
    """What is to be played."""
    player_name(request)
    return await _form(request, slug)


@router.post("/lab/{slug}/simulation")
async def start(request: Request, slug: str) -> Response:
    """Begin to play, and go where it can be watched."""
    player_name(request)
    house, said = house_of(request), await typed_in(request)
    typed = {name: said.get(name, "") for name in ("rounds", "seed", "strategy")}
    try:
        setup = orjson.dumps(setup_to_json(default_setup(slug))).decode()
        rounds, seed = whole(typed["rounds"], "rounds"), whole(typed["seed"], "seed")
        run = house.simulations.start(slug, setup, typed["strategy"], rounds, seed)
    except BadInput as refusal:
        return await _form(request, slug, str(refusal), **typed)
    return RedirectResponse(f"/lab/{slug}/simulation/{run.id}", 303)


@router.get("/lab/{slug}/simulation/{run}")
async def show_run(request: Request, slug: str, run: str) -> Response:
    """A simulation that runs or has run."""
    house = house_of(request)
    player_name(request)
    try:
        drawn = await house.clerks.look(board(house, caller_of(request), slug, run).draw)
    except BadInput as refusal:
        return await _form(request, slug, str(refusal))
    return page(request, "lab/running.html", facts=game(slug).facts, drawn=drawn)


@router.post("/lab/{slug}/simulation/{run}/stop")
async def stop(request: Request, slug: str, run: str) -> Response:
    """End it; what was played counts."""
    player_name(request)
    await form_of(request)
    try:
        house_of(request).simulations.stop(run)
    except BadInput as refusal:
        return await _form(request, slug, str(refusal))
    return RedirectResponse(f"/lab/{slug}/simulation/{run}", 303)
