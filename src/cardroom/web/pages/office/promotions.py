"""Promotions: announced with their written rules, paid by the house, and ended."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, NamedTuple
from urllib.parse import quote as quote_url

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.chart_of_accounts import Currency
from cardroom.documents import format_toml_lines, read_json
from cardroom.errors import BadInput, quote
from cardroom.games import GameFacts, default_setup, game, game_slugs
from cardroom.games.money import format_cents, parse_dollars
from cardroom.paytables import Paytable, paytables
from cardroom.room.dual_control import require_text
from cardroom.room.promotion.setup import BadPromotion, Promotion, promotion_to_mapping, validate_promotion
from cardroom.room.promotion.state import PromotionRecord
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, promotion_chain, tabulator_chain
from cardroom.service.commands.promotions import PromotionAlreadyAnnounced, PromotionIsOver
from cardroom.web.middleware.permissions import require_session
from cardroom.web.pages.office.actions import (
    Faults,
    FormField,
    FormReader,
    FormValues,
    OfficeAction,
    faults_by_field,
    perform_action,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, render_office_page, render_office_part
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.requests import get_app_context, load_form_values
from cardroom.web.pages.templating import HEADERS
from cardroom.web.services.time_format import DAY_HINT, format_day, iso_day, parse_typed_day

_FIELDS_OF_ERRORS: Final = {"dates": "last", "limit": "most_prizes", "id": "promotion"}
"""The form's fields for errors of the promotion's validation."""


class PromotionForm(NamedTuple):
    """The submitted form: the promotion that it would announce, and its errors."""

    promotion: Promotion
    faults: Faults

    @property
    def text(self) -> str:
        """The promotion's setup file."""
        return "\n".join(format_toml_lines(promotion_to_mapping(self.promotion))) + "\n"

    @property
    def number(self) -> int:
        """The number of errors."""
        return sum(map(len, self.faults.values()))


def blank_promotion(slug: str, today: date) -> dict[str, str]:
    """The initial values of the form: a month from today. The operator types the consent if one is needed."""
    facts = game(slug).facts
    wager = facts.wagers[1] if len(facts.wagers) > 1 else facts.wagers[0]
    offered = default_setup(slug).wagers.get(wager.slug)
    tables = paytables(slug, wager.slug)
    table = next((paytable for paytable in tables if offered and paytable.name == offered.paytable), tables[0])
    last = date(today.year + today.month // 12, today.month % 12 + 1, min(today.day, 28))
    return {
        "game": facts.slug,
        "promotion": f"more-for-{wager.slug}",
        "name": f"More for {wager.name}",
        "wager": wager.slug,
        "paytable": table.name,
        "event": table.lines[0].trigger if table.lines else "",
        "prize": format_cents(25_00),
        "pay": "",
        "first": format_day(today),
        "last": format_day(last),
        "most_prizes": "100",
        "most_dollars": format_cents(2_500_00),
        "consent": "",
        "money": str(Currency.REAL),
        "rules": "",
    }


def chosen_paytable(facts: GameFacts, values: FormValues) -> tuple[str, tuple[Paytable, ...], Paytable]:
    """The wager, its paytables, and the chosen paytable, or the first if the choice is invalid."""
    wager = next(
        (wager_facts.slug for wager_facts in facts.wagers if wager_facts.slug == values.get("wager")),
        facts.wagers[0].slug,
    )
    tables = paytables(facts.slug, wager)
    return (
        wager,
        tables,
        next((wager_facts for wager_facts in tables if wager_facts.name == values.get("paytable")), tables[0]),
    )


def read_promotion_form(values: FormValues) -> PromotionForm:
    """The form with all its errors."""
    facts = game(values.get("game", "")).facts
    reading = FormReader(values)
    wager, _, table = chosen_paytable(facts, values)
    event = next((line.trigger for line in table.lines if line.trigger == reading.text("event")), "")
    promotion = Promotion(
        id=reading.text("promotion"),
        name=reading.text("name"),
        game=facts.slug,
        wager=wager,
        paytable=table.name,
        event=event or (table.lines[0].trigger if table.lines else ""),
        rules=reading.text("rules"),
        first=reading.read("first", _parse_date, date.min),
        last=reading.read("last", _parse_date, date.max),
        most_prizes=reading.number("most_prizes", 100),
        most_cents=reading.read("most_dollars", parse_dollars, 10**9),
        prize=reading.read("prize", parse_dollars, 1) if reading.text("prize") else None,
        pay=reading.text("pay") or None,
        consent=reading.text("consent"),
        money=Currency.PLAY if reading.text("money") == Currency.PLAY else Currency.REAL,
    )
    faults = reading.faults
    try:
        validate_promotion(promotion)
    except BadPromotion as bad:
        faults += [fault._replace(section=_FIELDS_OF_ERRORS.get(fault.section, fault.section)) for fault in bad.faults]
    return PromotionForm(promotion, faults_by_field(faults))


def _parse_date(text: str) -> date:
    try:
        return date.fromisoformat(iso_day(text))
    except ValueError:
        raise BadInput(f"{quote(text)} is not a date. Type month/day/year, such as 11/17/2026.") from None


def form_choices(values: FormValues) -> Mapping[str, Any]:
    """The options of the form."""
    facts = game(values.get("game", "")).facts
    _, tables, table = chosen_paytable(facts, values)
    return {"facts": facts, "tables": tables, "lines": table.lines}


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/promotions"
NEW_PROMOTION_PAGE: Final = f"{PAGE}/new"


class MissingRecord(BadInput):
    """The round's record is missing or unreadable."""


def _form_variables(values: Mapping[str, str], filled: PromotionForm) -> dict[str, Any]:
    games = [(slug, game(slug).facts.name) for slug in game_slugs()]
    return {
        "typed": values,
        "filled": filled,
        "games": games,
        "moneys": tuple(Currency),
        "day_hint": DAY_HINT,
        **form_choices(values),
    }


@router.get(PAGE)
async def show_promotions(request: Request) -> Response:
    """Every promotion with its rules, its payments, and what is left."""
    context = get_app_context(request)

    def read() -> list[dict[str, Any]]:
        card_room, today = context.card_room, context.card_room.calendar.local(context.clock()).date()
        states = [card_room.promotion(promotion).state for promotion in card_room.list_promotions()]
        return [
            {"state": promotion, "runs": not promotion.ended and promotion.promotion.runs_on(today)}
            for promotion in states
        ]

    return render_office_page(
        request, "office/promotions.html", promotions=await context.executors.query(read), format_day=format_day
    )


@router.get(NEW_PROMOTION_PAGE)
async def show_form(request: Request) -> Response:
    """The form for a game."""
    context = get_app_context(request)
    slug = game(request.query_params.get("game", "") or game_slugs()[0]).facts.slug
    values = blank_promotion(slug, context.card_room.calendar.local(context.clock()).date())
    variables = _form_variables(values, read_promotion_form(values))
    return render_office_page(
        request, "office/new_promotion.html", **variables, id=uuid.uuid4().hex, sentence="", field_at_fault=""
    )


@router.post(f"{NEW_PROMOTION_PAGE}/check")
async def check_form(request: Request) -> Response:
    """The fields, each with its errors."""
    values = await load_form_values(request)
    html = render_office_part(
        "office/new_promotion_fields.html", **_form_variables(values, read_promotion_form(values)), field_at_fault=""
    )
    return HTMLResponse(html, headers=HEADERS)


@router.post(NEW_PROMOTION_PAGE)
async def announce_promotion(request: Request) -> Response:
    """Announce the promotion, or show all errors."""
    context, values = get_app_context(request), await load_form_values(request)
    filled, sentence, field_at_fault = read_promotion_form(values), "", ""
    id, user = values.get("id") or uuid.uuid4().hex, require_session(request).login
    if not filled.faults:
        try:
            await context.executors.execute(context.card_room.promotions.announce, id, user, filled.promotion)
        except BadInput as fault:
            sentence = str(fault)
            field_at_fault = {PromotionAlreadyAnnounced: "promotion", PromotionIsOver: "last"}.get(type(fault), "")
        else:
            context.change_feed.notify_chains(promotion_chain(filled.promotion.id), ROOM_CHAIN)
            return RedirectResponse(f"{PAGE}?done={quote_url(id)}", 303)
    submission = {"id": id, "sentence": sentence, "field_at_fault": field_at_fault}
    return render_office_page(
        request, "office/new_promotion.html", status=422, **_form_variables(values, filled), **submission
    )


def _end_action(card_room: CardRoom, running: PromotionRecord) -> OfficeAction:
    promotion, paid = running.state.promotion, running.state.paid

    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.promotions.end(id, user, promotion.id, values.get("why", ""))

    consequences = (
        "It pays nothing from now on, and displays no longer show its rules.",
        (
            f"It was planned until {format_day(promotion.last)}. It has paid {paid.prizes} prizes, "
            f"{format_cents(paid.cents)} in total."
        ),
    )
    chains = (promotion_chain(promotion.id), ROOM_CHAIN)
    action = OfficeAction(
        f"End {promotion.name}",
        consequences,
        "End the promotion",
        PAGE,
        do,
        (REASON_FIELD,),
        chains=chains,
        danger=True,
    )
    return action._replace(unavailable_reason=_ended_reason(running))


def _ended_reason(running: PromotionRecord) -> str:
    return f"{running.state.promotion.name} has already ended." if running.state.ended else ""


def _payment_action(card_room: CardRoom, running: PromotionRecord) -> OfficeAction:
    promotion = running.state.promotion

    def do(id: str, user: str, typed: FormValues) -> object:
        table, round_id, day = (typed.get(name, "").strip() for name in ("table", "round", "day"))
        repeat_reason = typed.get("again", "").strip() or None
        return card_room.promotions.pay(
            id,
            user,
            promotion.id,
            table,
            round_id,
            _read_record(typed["record"])
            if typed.get("record", "").strip()
            else card_room.get_typed_record(table, round_id),
            day=parse_typed_day(day) if day else None,
            second=second_person(typed),
            repeat_reason=repeat_reason,
        )

    solo_limit = format_cents(card_room.room().settings.dealer_pays)
    consequences = (
        f"The house pays every hand of the round that makes {promotion.event.replace('-', ' ')} on {promotion.wager}.",
        "It pays within the promotion's dates and limits. The rules of the game decide which hands win.",
        f"A hand is paid only once, under any round id. A prize above {solo_limit} needs a second person.",
        "A table that the program deals pays by itself and cannot be paid here.",
    )
    tables = tuple((table_id, table_id) for table_id in card_room.list_tabulators())
    fields = (
        FormField("table", "Table", options=tables, value=tables[0][0] if tables else ""),
        FormField("round", "Round", "The round's id.", parse=lambda form_input: require_text(form_input, "round's id")),
        FormField(
            "record",
            "Round record",
            "In JSON, as the round's page exports it. Leave empty for a round of a live table here.",
            kind="text-area",
            parse=_read_record,
        ),
        FormField(
            "day",
            "Date of the round",
            "Such as 11/17/2026. Leave empty for today.",
            parse=lambda form_input: parse_typed_day(form_input) if form_input else None,
        ),
        FormField("again", "Repeated cards", "Why the same cards were really dealt twice. Otherwise leave empty."),
    )
    chains = (promotion_chain(promotion.id), ROOM_CHAIN, *(tabulator_chain(table_id) for table_id, _ in tables))
    action = OfficeAction(
        f"Pay {promotion.name}",
        consequences,
        "Pay the prize",
        PAGE,
        do,
        fields,
        needs_second_person=True,
        chains=chains,
    )
    solo_text = f"You pay up to {solo_limit} alone. A second person signs here for a larger prize."
    return action._replace(
        unavailable_reason=_ended_reason(running), solo_limit=solo_text, dual_control_subject="the prize of a promotion"
    )


def _read_record(text: str) -> Mapping[str, Any]:
    """The round's record, parsed."""
    record = read_json(text, MissingRecord, "The record")
    if not isinstance(record, dict):
        raise MissingRecord(f"The record is {json.dumps(record)[:40]}. It must be a JSON object, in braces.")
    return record


_ACTIONS: Final[Mapping[str, Callable[[CardRoom, PromotionRecord], OfficeAction]]] = {
    "end": _end_action,
    "pay": _payment_action,
}


@router.api_route(f"{PAGE}/{{promotion}}/{{action_name}}", methods=["GET", "POST"])
async def perform_promotion_action(request: Request, promotion: str, action_name: str) -> Response:
    """The form of an action with a promotion, and its execution."""
    if action_name not in _ACTIONS:
        raise PageNotFound(
            f"The office has no page {action_name!r} for a promotion: its pages are {', '.join(_ACTIONS)}."
        )
    context = get_app_context(request)
    action = await context.executors.query(
        lambda: _ACTIONS[action_name](context.card_room, context.card_room.promotion(promotion))
    )
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
