"""The form that opens a jackpot: its values become a setup, with the return and every error beside its field."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import GameFacts, SetupFault, Wager, game, game_slugs
from cardroom.games.jurisdiction import list_jurisdictions
from cardroom.games.money import format_cents, parse_dollars
from cardroom.paytables import Paytable, paytables
from cardroom.room.descriptions.displays import display_texts
from cardroom.room.setup.example import AMOUNT, MAIN_LEVEL, JackpotExample, NoExample, jackpot_example
from cardroom.room.setup.jackpot import (
    JackpotKind,
    JackpotSetup,
    LevelSetup,
    OfferSetup,
    format_setup_rate,
    jackpot_setup_to_toml,
)
from cardroom.room.setup.jackpot_validation import meter_shares, validate_jackpot
from cardroom.room.setup.toml_reader import InvalidJackpot, parse_rate
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.commands.jackpots import JackpotAlreadyOpen
from cardroom.web.middleware.permissions import require_session
from cardroom.web.pages.office.actions import Faults, FormReader, FormValues, faults_by_field
from cardroom.web.pages.office.frame import OfficeRoute, render_office_page, render_office_part
from cardroom.web.pages.requests import get_app_context, load_form_values
from cardroom.web.pages.templating import HEADERS
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.worker_computations import MeterQuestion, meter_sentences

MAX_LEVELS: Final = 4
"""The most levels that the form can have; a file may have more."""
LINES_FIELD: Final = "of"
"""The hidden field with the paytable lines of the check boxes. If the lines change, all start on the first level."""


class JackpotForm(NamedTuple):
    """The submitted form: the jackpot that it would open, and its errors."""

    setup: JackpotSetup
    printed: Paytable
    """The printed paytable."""
    table: Paytable
    """The paytable with the operator's amounts that can be parsed."""
    faults: Faults
    """By field; those of the first level by ``level.1``."""

    @property
    def text(self) -> str:
        """The jackpot's setup file."""
        return jackpot_setup_to_toml(self.setup)

    @property
    def number(self) -> int:
        """The number of errors."""
        return sum(map(len, self.faults.values()))

    @property
    def events(self) -> tuple[str, ...]:
        """The lines that pay a share of a meter."""
        return tuple(meter_shares(self.table))

    @property
    def required_notices(self) -> tuple[str, ...]:
        """The notices that displays show with it."""
        notices, growing = display_texts()["notices"], self.setup.kind == JackpotKind.PROGRESSIVE
        play = (notices["play-money"],) if self.setup.money is Currency.PLAY else ()
        if growing and play:
            return play
        return (*play, notices["escrow"] if growing else notices["bonus"])

    @property
    def meters(self) -> MeterQuestion | None:
        """The levels whose return is calculated; None while the form has errors."""
        if self.faults:
            return None
        offer = self.setup.offers[0]
        levels = tuple((level.name, level.seed, level.pays) for level in self.setup.levels)
        bonuses = tuple(sorted(offer.bonuses.items()))
        return MeterQuestion(offer.game, offer.wager, offer.paytable, bonuses, min(self.setup.wagers), levels)


def jackpot_wagers(facts: GameFacts) -> tuple[Wager, ...]:
    """The jackpot wagers of a game."""
    return tuple(wager for wager in facts.wagers if wager.jackpot)


def blank_jackpot(slug: str, kind: str = "", money_of: str = "") -> dict[str, str]:
    """The initial values of the form: a jackpot without errors."""
    facts = game(slug).facts
    try:
        example_setup = jackpot_example(slug, kind or None)
    except NoExample:  # the game has only the other kind
        example_setup = jackpot_example(slug)
    setup = example_setup.jackpot_setup()
    offer = setup.offers[0]
    values = {
        "game": facts.slug,
        "jackpot": setup.id,
        "name": setup.name,
        "kind": setup.kind,
        "money": money_of or str(setup.money),
        "location": setup.location,
        "jurisdiction": setup.jurisdiction,
        "wager": offer.wager,
        "paytable": offer.paytable,
        "amounts": ", ".join(map(format_cents, setup.wagers)),
        "levels": str(len(setup.levels)),
    }
    values |= {f"bonus.{event}": amount for event, amount in offer.bonuses.items()}
    return values | _blank_level(1, example_setup)


def _blank_level(number: int, example_setup: JackpotExample) -> dict[str, str]:
    growing = jackpot_example(example_setup.facts.slug).jackpot_setup().levels
    seed, contribution, reserve, ceiling = 5_000_00, Fraction(1, 5), Fraction(0), ""
    if growing and number == 1:
        level = growing[0]
        seed, contribution, reserve = level.seed, level.contribution or contribution, level.reserve
        ceiling = "" if level.ceiling is None else format_cents(level.ceiling)
    name = MAIN_LEVEL if number == 1 else f"level-{number}"
    texts = {
        "name": name,
        "seed": format_cents(seed),
        "amount": format_cents(AMOUNT),
        "ceiling": ceiling,
        "minimum": format_cents(0),
    }
    texts |= {"contribution": format_setup_rate(contribution), "reserve": format_setup_rate(reserve)}
    return {f"level.{number}.{field}": text for field, text in texts.items()}


def read_jackpot_form(values: FormValues) -> JackpotForm:
    """The form with all its errors."""
    facts = game(values.get("game", "")).facts
    reading = FormReader(values)
    wager = reading.text("wager") or jackpot_wagers(facts)[0].slug
    tables = (
        paytables(facts.slug, wager) if wager in [jackpot_wager.slug for jackpot_wager in jackpot_wagers(facts)] else ()
    )
    table = next(
        (paytable for paytable in tables if paytable.name == reading.text("paytable")), tables[0] if tables else None
    )
    if table is None:
        raise NoExample(f"{wager!r} is not a jackpot wager of {facts.name}. Choose one of the wagers in the list.")
    lines = [line.trigger for line in table.operator_lines]
    bonuses = {event: text for event in lines if (text := reading.text(f"bonus.{event}"))}
    filled = _with_bonuses(table, bonuses, reading)
    kind = reading.text("kind")
    setup = JackpotSetup(
        id=reading.text("jackpot"),
        name=reading.text("name"),
        kind=kind,
        location=reading.text("location"),
        offers=(OfferSetup(facts.slug, wager, table.name, bonuses),),
        levels=tuple(_levels(reading, kind, tuple(meter_shares(filled)))),
        wagers=_amounts(reading),
        jurisdiction=reading.text("jurisdiction"),
        money=Currency.PLAY if reading.text("money") == Currency.PLAY else Currency.REAL,
    )
    faults, sentences = reading.faults, {fault.sentence for fault in reading.faults}
    try:
        validate_jackpot(setup)
    except InvalidJackpot as bad:
        faults += [
            located_fault
            for fault in bad.faults
            if fault.sentence not in sentences
            for located_fault in _locate_fault(fault, setup)
        ]
    return JackpotForm(setup, table, filled, faults_by_field(faults))


def _locate_fault(fault: SetupFault, setup: JackpotSetup) -> Iterator[SetupFault]:
    """An error with the field that the form has for it; a level is identified by its number."""
    levels = [number for number, level in enumerate(setup.levels, 1) if level.name == fault.section]
    yield from (fault._replace(section=f"level.{number}") for number in levels)
    if not levels:
        yield fault._replace(section="jackpot") if fault.section == "id" else fault


def _with_bonuses(table: Paytable, bonuses: Mapping[str, str], reading: FormReader) -> Paytable:
    """The paytable with every valid amount. An invalid amount is an error of its field."""
    for event, text in bonuses.items():
        try:
            table = table.with_bonuses({event: text})
        except BadInput as fault:
            reading.faults.append(SetupFault(f"bonus.{event}", str(fault), "paytables"))
    return table


def _amounts(reading: FormReader) -> tuple[int, ...]:
    texts = [text.strip() for text in reading.text("amounts").replace(" or ", ", ").split(", ")]
    return reading.read("amounts", lambda _: tuple(sorted({parse_dollars(text) for text in texts})), (1_00,))


def _levels(reading: FormReader, kind: str, events: tuple[str, ...]) -> Iterator[LevelSetup]:
    fresh = reading.text(LINES_FIELD) != ",".join(events)
    for number in range(1, level_count(reading.values) + 1):
        field = f"level.{number}."
        ticked = tuple(event for event in events if f"{field}pays.{event}" in reading.values)
        pays = (events if number == 1 else ()) if fresh else ticked
        name, minimum = reading.text(f"{field}name"), reading.amount(f"{field}minimum", 0)
        if kind == JackpotKind.BONUS:
            yield LevelSetup(name, pays, reading.amount(f"{field}amount", AMOUNT), minimum=minimum)
            continue
        ceiling = reading.read(f"{field}ceiling", parse_dollars, None) if reading.text(f"{field}ceiling") else None
        yield LevelSetup(
            name,
            pays,
            seed=reading.amount(f"{field}seed", 0),
            contribution=reading.read(f"{field}contribution", parse_rate, Fraction(1, 100)),
            reserve=reading.read(f"{field}reserve", parse_rate, Fraction(0)),
            ceiling=ceiling,
            minimum=minimum,
        )


def level_count(values: FormValues) -> int:
    """The number of levels in the form."""
    text = values.get("levels", "")
    return min(int(text), MAX_LEVELS) if text.isascii() and text.isdigit() and len(text) < 3 else 1


def displayed_values(values: FormValues, filled: JackpotForm) -> dict[str, str]:
    """The values that the form shows, with those of a new level and the checked boxes."""
    example_setup = jackpot_example(filled.setup.offers[0].game)
    displayed = dict(values)
    for number, level in enumerate(filled.setup.levels, 1):
        new = f"level.{number}.name" not in values
        displayed |= _blank_level(number, example_setup) if new else {}
        displayed |= {f"level.{number}.pays.{event}": "on" for event in level.pays}
    return displayed | {LINES_FIELD: ",".join(filled.events)}


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
NEW_JACKPOT_PAGE = "/office/jackpots/new"


def _form_variables(context: AppContext, values: FormValues, filled: JackpotForm) -> dict[str, Any]:
    facts, wager = game(values["game"]).facts, filled.setup.offers[0].wager
    return {
        "typed": displayed_values(values, filled),
        "filled": filled,
        "facts": facts,
        "games": [(slug, game(slug).facts.name) for slug in game_slugs()],
        "kinds": tuple(JackpotKind),
        "moneys": tuple(Currency),
        "jurisdictions": list_jurisdictions(),
        "wagers": jackpot_wagers(facts),
        "tables": paytables(facts.slug, wager),
        "open_lines": [line.trigger for line in filled.printed.operator_lines],
        "most_levels": MAX_LEVELS,
        **_figure_variables(context, filled),
    }


def _figure_variables(context: AppContext, filled: JackpotForm) -> dict[str, Any]:
    """The return of the wager. The first request starts the calculation in another process."""
    if filled.meters is None:
        return {"figures": (), "is_calculating": False}
    result = context.job_cache.get(meter_sentences, filled.meters)
    if result is None:
        return {"figures": (), "is_calculating": True}
    return {"figures": (result.refusal,) if result.refusal else result.value, "is_calculating": False}


@router.get(NEW_JACKPOT_PAGE)
async def show_form(request: Request) -> Response:
    """The form for a game, with values that have no errors."""
    context, query = get_app_context(request), request.query_params
    slug = game(query.get("game", "") or game_slugs()[0]).facts.slug
    kind = query.get("kind", "") if query.get("kind") in set(JackpotKind) else ""
    values = blank_jackpot(slug, kind, str(Currency.PLAY) if query.get("money") == Currency.PLAY else "")
    variables = _form_variables(context, values, read_jackpot_form(values))
    return render_office_page(
        request, "office/new_jackpot.html", **variables, id=uuid.uuid4().hex, sentence="", field_at_fault=""
    )


@router.post(f"{NEW_JACKPOT_PAGE}/check")
async def check_form(request: Request) -> Response:
    """The fields, each with its errors."""
    context, values = get_app_context(request), await load_form_values(request)
    html = render_office_part(
        "office/new_jackpot_fields.html",
        **_form_variables(context, values, read_jackpot_form(values)),
        field_at_fault="",
    )
    return HTMLResponse(html, headers=HEADERS)


@router.post(f"{NEW_JACKPOT_PAGE}/figures")
async def show_figures(request: Request) -> Response:
    """The return of the wager, as far as it is calculated."""
    context, values = get_app_context(request), await load_form_values(request)
    return HTMLResponse(
        render_office_part("office/jackpot_figures.html", **_figure_variables(context, read_jackpot_form(values))),
        headers=HEADERS,
    )


@router.post(NEW_JACKPOT_PAGE)
async def create_jackpot(request: Request) -> Response:
    """Open the jackpot, or show all errors."""
    context, values = get_app_context(request), await load_form_values(request)
    filled, sentence, field_at_fault = read_jackpot_form(values), "", ""
    id, user = values.get("id") or uuid.uuid4().hex, require_session(request).login
    if not filled.faults:
        try:
            result = await context.executors.execute(context.card_room.jackpots.open, id, user, filled.setup)
        except BadInput as fault:
            sentence = str(fault)
            field_at_fault = "jackpot" if isinstance(fault, JackpotAlreadyOpen) else ""
        else:
            context.change_feed.notify_chains(jackpot_chain(result.jackpot))
            return RedirectResponse(f"/office/jackpots/{result.jackpot}?done={quote(id)}", 303)
    variables = _form_variables(context, values, filled)
    submission = {"id": id, "sentence": sentence, "field_at_fault": field_at_fault}
    return render_office_page(request, "office/new_jackpot.html", status=422, **variables, **submission)
