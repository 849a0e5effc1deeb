"""Promotions: announced with their written rules, paid by the house, ended."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.accounts import Currency
from cardroom.documents import read_json
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.promotions import PromotionIsOver, PromotionIsRunning
from cardroom.floor.kept.chains import ROOM, promotion_chain, table_chain
from cardroom.games import game, game_slugs
from cardroom.games.money import format_cents
from cardroom.jackpots import RunningPromotion
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.calendar import day_told
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, second_of, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, office_page, office_part
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.office.promotion_form import FilledPromotion, blank, choices_shown, read_form
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/promotions"
NEW: Final = f"{PAGE}/new"


class NoRecord(BadInput):
    """A round without its cards."""


def _shown(typed: Mapping[str, str], filled: FilledPromotion) -> dict[str, Any]:
    games = [(slug, game(slug).facts.name) for slug in game_slugs()]
    return {"typed": typed, "filled": filled, "games": games, "moneys": tuple(Currency), **choices_shown(typed)}


@router.get(PAGE)
async def show_promotions(request: Request) -> Response:
    """Every promotion with its rules, what it has paid and what is left."""
    house = house_of(request)

    def read() -> list[dict[str, Any]]:
        floor, today = house.floor, house.floor.calendar.local(house.clock()).date()
        found = [floor.promotion(one).state for one in floor.promotions()]
        return [{"state": one, "runs": not one.ended and one.promotion.runs_on(today)} for one in found]

    return office_page(request, "office/promotions.html", promotions=await house.clerks.look(read))


@router.get(NEW)
async def show_form(request: Request) -> Response:
    """The form for a game."""
    house = house_of(request)
    slug = game(request.query_params.get("game", "") or game_slugs()[0]).facts.slug
    typed = blank(slug, house.floor.calendar.local(house.clock()).date())
    shown = _shown(typed, read_form(typed))
    return office_page(request, "office/new_promotion.html", **shown, id=uuid.uuid4().hex, sentence="", beside="")


@router.post(f"{NEW}/check")
async def check(request: Request) -> Response:
    """The fields as they are filled in, each with what is against it."""
    typed = await typed_in(request)
    drawn = office_part("office/new_promotion_fields.html", **_shown(typed, read_form(typed)), beside="")
    return HTMLResponse(drawn, headers=HEADERS)


@router.post(NEW)
async def announce(request: Request) -> Response:
    """Announce the promotion, or say everything that is against it."""
    house, typed = house_of(request), await typed_in(request)
    filled, sentence, beside = read_form(typed), "", ""
    id, who = typed.get("id") or uuid.uuid4().hex, person_of(request).login
    if not filled.faults:
        try:
            await house.clerks.do(house.floor.announce_promotion, id, who, filled.promotion)
        except BadInput as fault:
            sentence = str(fault)
            beside = {PromotionIsRunning: "promotion", PromotionIsOver: "last"}.get(type(fault), "")
        else:
            house.watch.tell(promotion_chain(filled.promotion.id), ROOM)
            return RedirectResponse(f"{PAGE}?done={quote(id)}", 303)
    told = {"id": id, "sentence": sentence, "beside": beside}
    return office_page(request, "office/new_promotion.html", status=422, **_shown(typed, filled), **told)


def _end(floor: Floor, running: RunningPromotion) -> Deed:
    promotion, paid = running.state.promotion, running.state.paid

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.end_promotion(id, who, promotion.id, typed.get("why", ""))

    happens = (
        "It pays nothing any more, from this moment on, and displays show its rules no longer.",
        (
            f"It would have lasted until {promotion.last}; it has paid {paid.prizes} prizes, "
            f"{format_cents(paid.cents)} in all."
        ),
    )
    chains = (promotion_chain(promotion.id), ROOM)
    made = Deed(f"End {promotion.name}", happens, "End it", PAGE, do, (WHY,), chains=chains, danger=True)
    return made._replace(not_now=_ended(running))


def _ended(running: RunningPromotion) -> str:
    return f"{running.state.promotion.name} has ended already." if running.state.ended else ""


def _pay(floor: Floor, running: RunningPromotion) -> Deed:
    promotion = running.state.promotion

    def do(id: str, who: str, typed: Typed) -> object:
        table, round_id, day = (typed.get(name, "").strip() for name in ("table", "round", "day"))
        again = typed.get("again", "").strip() or None
        return floor.pay_promotion(
            id,
            who,
            promotion.id,
            table,
            round_id,
            _record(typed["record"]) if typed.get("record", "").strip() else floor.typed_record(table, round_id),
            when=day_told(day) if day else None,
            second=second_of(typed),
            again=again,
        )

    alone = format_cents(floor.room().settings.dealer_pays)
    happens = (
        f"The house pays every hand of the round that makes {promotion.event.replace('-', ' ')} on {promotion.wager}.",
        "It pays as far as the promotion's dates and limits go. The rules of the game judge the hands.",
        f"A hand is paid once, whatever round it is said to be of. A prize above {alone} needs a second person.",
        "A table that is dealt by the program pays by itself, and cannot be paid here.",
    )
    tables = tuple((one, one) for one in floor.tables())
    fields = (
        Field("table", "Table", options=tables, value=tables[0][0] if tables else ""),
        Field("round", "Round", "Its id.", reads=lambda typed: named(typed, "round's id")),
        Field(
            "record",
            "Its record",
            "As cardroom settle reads it; empty for a round of a live table here.",
            kind="text-area",
            reads=_record,
        ),
        Field(
            "day",
            "Day of the round",
            "As YYYY-MM-DD; empty for today.",
            reads=lambda typed: day_told(typed) if typed else None,
        ),
        Field("again", "Dealt again", "Why the very same cards are believed twice; empty otherwise."),
    )
    chains = (promotion_chain(promotion.id), ROOM, *(table_chain(one) for one, _ in tables))
    made = Deed(f"Pay {promotion.name}", happens, "Pay it", PAGE, do, fields, two=True, chains=chains)
    below = f"Up to {alone} you pay alone; above, a second person signs in here for this one deed."
    return made._replace(not_now=_ended(running), alone_below=below, answered="the prize of a promotion")


def _record(typed: str) -> Mapping[str, Any]:
    """The round as it was typed."""
    record = read_json(typed, NoRecord, "The record")
    if not isinstance(record, dict):
        raise NoRecord(f"The record is {json.dumps(record)[:40]}: it is a round as a settlement reads it, in braces.")
    return record


_DEEDS: Final[Mapping[str, Callable[[Floor, RunningPromotion], Deed]]] = {"end": _end, "pay": _pay}


@router.api_route(f"{PAGE}/{{promotion}}/{{deed}}", methods=["GET", "POST"])
async def do(request: Request, promotion: str, deed: str) -> Response:
    """Do something with a promotion, or ask for it."""
    if deed not in _DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a promotion: it has {', '.join(_DEEDS)}.")
    house = house_of(request)
    made = await house.clerks.look(lambda: _DEEDS[deed](house.floor, house.floor.promotion(promotion)))
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
