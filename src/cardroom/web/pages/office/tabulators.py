"""Tabulators: their part of a table's form, with the jackpot of each sensor; linking, unlinking, and moving a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import TableSetup, TabulatorType, default_setup, game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import BadSetup, WagerOffer
from cardroom.games.setup import WagerLimits, WagerSetup
from cardroom.games.view import wager_name
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.lifecycle import find_linking_faults
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.tabulator import LammerSensor, TabulatorSetup, WagerSensor, make_sensor, validate_tabulator
from cardroom.room.setup.tabulator_models import bet_tabulator_model
from cardroom.room.setup.toml_reader import InvalidTabulator
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.service import CardRoom, UnitSetup
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, table_chain, tabulator_chain
from cardroom.web.pages.office.actions import (
    FormField,
    FormReader,
    FormValues,
    OfficeAction,
    perform_action,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, render_office_page
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.requests import get_app_context

SENSOR: Final = "sensor."
LAMMER: Final = "lammer"
_SEPARATOR: Final = "="
"""Separates a wager from its jackpot in the value of a sensor's selection."""


class SensorForm(NamedTuple):
    """What one sensor can count."""

    field: str
    number: int
    options: tuple[tuple[str, str], ...]


def find_tabulator(card_room: CardRoom, table: str) -> TabulatedTableState | None:
    """The table's tabulator; None if it has none."""
    if table not in card_room.list_tabulators() or (tabulator := card_room.tabulator(table)).closed:
        return None
    return tabulator


def chosen_jackpots(card_room: CardRoom, reading: FormReader) -> tuple[str, ...]:
    """The jackpots of the sensors that exist; none without a tabulator."""
    if not reading.text("tabulator"):
        return ()
    jackpot_ids = [
        text.partition(_SEPARATOR)[2] for text in reading.with_prefix(SENSOR).values() if not text.startswith(LAMMER)
    ]
    open_jackpots = set(card_room.list_jackpots())
    return tuple(dict.fromkeys(jackpot for jackpot in jackpot_ids if jackpot in open_jackpots))


def read_tabulator(
    card_room: CardRoom, reading: FormReader, table: str, displayed_setup: TableSetup, money: Currency
) -> UnitSetup:
    """The tabulator from the form; its errors are collected. ``displayed_setup`` has the amounts that the jackpots
    display."""
    try:
        offered: Mapping[str, WagerOffer] = game(displayed_setup.game).open(displayed_setup).offers
    except BadSetup:  # reported with its own fields
        offered = {}
    sensors = tuple(_sensors(card_room, reading, displayed_setup, offered))
    setup = TabulatorSetup(
        table,
        displayed_setup.game,
        reading.text("location"),
        displayed_setup.tabulator or "",
        displayed_setup.seats,
        sensors,
        money,
    )
    filled = UnitSetup(setup, reading.text("unit"), _counters(reading))
    try:
        validate_tabulator(setup)
    except InvalidTabulator as bad:
        reading.faults += [fault._replace(section=_field_of_fault(fault.section)) for fault in bad.faults]
    return filled


def _field_of_fault(location: str) -> str:
    """The form's field for an error of the tabulator's validation."""
    return "seats" if location == "positions" else location.replace("sensor ", SENSOR)


def _sensors(
    card_room: CardRoom, reading: FormReader, displayed_setup: TableSetup, offered: Mapping[str, WagerOffer]
) -> Iterator[WagerSensor | LammerSensor]:
    sensor_choices = sorted(
        (int(key), text) for key, text in reading.with_prefix(SENSOR).items() if key.isascii() and key.isdigit()
    )
    for _, text in sensor_choices:
        wager, _, target = text.partition(_SEPARATOR)
        if wager == LAMMER:
            yield LammerSensor(int(target) if target.isascii() and target.isdigit() else 0)
            continue
        kind = str(card_room.jackpot(target).kind) if target else None
        if wager in offered:
            yield replace(make_sensor(offered[wager], target or None, None), kind=kind)
        else:
            offered_wager = displayed_setup.wagers.get(wager)
            least = offered_wager.limits.minimum if offered_wager else None
            yield WagerSensor(wager, offered_wager.paytable if offered_wager else "", target or None, kind, least)


def _counters(reading: FormReader) -> tuple[int, ...]:
    def parse(text: str) -> tuple[int, ...]:
        numbers = [number.strip() for number in text.split(",") if number.strip()]
        if not all(number.isascii() and number.isdigit() and len(number) < 16 for number in numbers):
            raise BadInput(
                f"{quote(text)} is not a list of counter readings. Type whole numbers separated by commas, or leave it "
                "empty."
            )
        return tuple(map(int, numbers))

    return reading.read("counters", parse, ())


def sensor_forms(card_room: CardRoom, setup: TableSetup) -> tuple[SensorForm, ...]:
    """What each sensor of the chosen model can count: a wager for one of its jackpots, or a lammer."""
    if setup.tabulator not in set(TabulatorType):
        return ()
    facts, jackpots = game(setup.game).facts, [card_room.jackpot(jackpot) for jackpot in card_room.list_jackpots()]
    wagers = list[tuple[str, str]]()
    for slug in setup.wagers:
        name = wager_name(facts, slug)
        wagers += [
            (f"{slug}{_SEPARATOR}{jackpot.id}", f"{name} for {_describe_jackpot(jackpot)}")
            for jackpot in _jackpots_of(jackpots, setup, slug)
        ]
        wagers.append((slug, f"{name}, no jackpot"))
    forms = []
    for number in range(1, bet_tabulator_model(TabulatorType(setup.tabulator)).sensors + 1):
        lammers = [(f"{LAMMER}{_SEPARATOR}{sensor}", f"the lammer of sensor {sensor}") for sensor in range(1, number)]
        forms.append(SensorForm(f"{SENSOR}{number}", number, (("", "nothing"), *wagers, *lammers)))
    return tuple(forms)


def unit_values(unit: UnitSetup) -> dict[str, str]:
    """The form's values for a tabulator."""
    values = {"tabulator": unit.sensors.tabulator, "unit": unit.unit, "location": unit.sensors.location}
    for number, sensor in enumerate(unit.sensors.sensors, 1):
        if isinstance(sensor, LammerSensor):
            values[f"{SENSOR}{number}"] = f"{LAMMER}{_SEPARATOR}{sensor.wager_sensor}"
        else:
            values[f"{SENSOR}{number}"] = sensor.wager + (f"{_SEPARATOR}{sensor.jackpot}" if sensor.jackpot else "")
    return values


def _jackpots_of(jackpots: list[JackpotState], setup: TableSetup, wager: str) -> Iterator[JackpotState]:
    for jackpot in jackpots:
        if not jackpot.removed and (setup.game, wager) in [
            (offer["game"], offer["wager"]) for offer in jackpot.setup["offers"]
        ]:
            yield jackpot


def _describe_jackpot(state: JackpotState) -> str:
    return f"{state.id} ({state.kind}, {state.money.label})"


def offer_paytable(state: JackpotState, slug: str) -> tuple[TableSetup, dict[str, str]]:
    """The setup of a table for a jackpot, and the values of its tabulator."""
    offer = next(offer for offer in state.setup["offers"] if offer["game"] == slug)
    facts, default, wager = game(slug).facts, default_setup(slug), str(offer["wager"])
    least, most = state.wagers[0], state.wagers[-1]
    limits = WagerLimits(least, most, least)
    wagers = {
        name: wager_setup
        for name, wager_setup in default.wagers.items()
        if name == wager or not facts.wager(name).jackpot
    }
    wagers[wager] = WagerSetup(limits, offer["paytable"], dict(offer["bonuses"]))
    order = [wager_facts.slug for wager_facts in facts.wagers if wager_facts.slug in wagers]
    is_play_money = state.money is Currency.PLAY
    models = [
        model for model in facts.tabulators if not (is_play_money and bet_tabulator_model(model).data_logger)
    ] or list(facts.tabulators)
    setup = replace(
        default,
        wagers={name: wagers[name] for name in order},
        tabulator=str(models[0]),
        jurisdiction=state.jackpot.setup.jurisdiction,
    )
    return setup, {
        "location": state.jackpot.setup.location,
        "unit": f"T-{state.id}",
        f"{SENSOR}1": f"{wager}{_SEPARATOR}{state.id}",
        "money": str(state.money),
        "mode": "automatic" if is_play_money else "live",
    }


def describe_tabulator(tabulator: TabulatedTableState) -> Iterator[str]:
    """Sentences about an installed tabulator."""
    unit = tabulator.tabulator
    yield f"Tabulator {unit.table.model.name}, unit {unit.unit}, location {unit.table.location}."
    for wager in unit.table.wagers:
        amount = f" of {format_cents(wager.amount)}" if wager.amount is not None else ""
        yield f"Sensor {wager.sensor}: {wager.wager}{amount}, for {wager.jackpot or 'no jackpot'}."


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/tabulators"


def _tabulator_action(
    card_room: CardRoom,
    state: TabulatedTableState,
    title: str,
    consequences: tuple[str, ...],
    do: Callable[..., object],
) -> OfficeAction:
    chains = (
        tabulator_chain(state.id),
        table_chain(state.id),
        ROOM_CHAIN,
        *map(jackpot_chain, card_room.list_jackpots()),
    )
    back = f"{PAGE}/{state.id}"
    action = OfficeAction(f"{title}: {state.id}", consequences, title, back, do, table=state.id, chains=chains)
    return action._replace(
        unavailable_reason=f"The tabulator of {state.id} was already removed." if state.closed else ""
    )


def _jackpot_field(names: tuple[str, ...]) -> FormField:
    return FormField(
        "jackpot", "Jackpot", options=tuple((jackpot, jackpot) for jackpot in names), value=names[0] if names else ""
    )


def _link_action(card_room: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.link_table(id, user, state.id, values.get("jackpot", ""), values.get("why", ""))

    consequences = (
        "The sensor of the jackpot's wager counts for it from now on, and the table's displays show it.",
        "A round in progress keeps the bonuses with which it began.",
    )
    free = tuple(
        jackpot
        for jackpot in card_room.list_jackpots()
        if jackpot not in state.jackpots and _is_compatible(card_room, jackpot, state)
    )
    action = _tabulator_action(card_room, state, "Link to a jackpot", consequences, do)
    none_free = (
        ""
        if free
        else f"No open jackpot fits the game, wagers, location, and money of {state.id}. Open a jackpot first."
    )
    return action._replace(
        fields=(_jackpot_field(free), REASON_FIELD), unavailable_reason=action.unavailable_reason or none_free
    )


def _is_compatible(card_room: CardRoom, jackpot: str, state: TabulatedTableState) -> bool:
    """Whether the card room allows the link, by game, wager, location, jurisdiction, and money."""
    linked_jackpots = [card_room.jackpot(linked) for linked in state.jackpots]
    candidate = card_room.jackpot(jackpot)
    return not find_linking_faults(
        candidate, state.game_setup, _location_text(state), linked_jackpots, currency=state.money
    )


def _location_text(state: TabulatedTableState) -> str:
    return state.tabulator.table.location


def _unlink_action(card_room: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.unlink_table(id, user, state.id, values.get("jackpot", ""), values.get("why", ""))

    consequences = ("This table takes no wagers on the jackpot from now on. Earlier winners can still claim.",)
    action = _tabulator_action(card_room, state, "Unlink from a jackpot", consequences, do)
    no_jackpot = "" if state.jackpots else f"{state.id} is linked to no jackpot."
    return action._replace(
        fields=(_jackpot_field(state.jackpots), REASON_FIELD),
        danger=True,
        unavailable_reason=action.unavailable_reason or no_jackpot,
    )


def _move_action(card_room: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        return card_room.move_table(id, user, state.id, typed.get("location", ""), typed.get("why", ""))

    now = _location_text(state)
    consequences = (
        f"The location is {now} now. A meter has one location, so unlink the tabulator from its jackpots first.",
    )
    fields = (
        FormField("location", "New location", value=now, parse=lambda form_input: require_text(form_input, "location")),
        REASON_FIELD,
    )
    return _tabulator_action(card_room, state, "Change the location", consequences, do)._replace(fields=fields)


def _remove_action(card_room: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.remove_table(id, user, state.id, values.get("why", ""))

    jackpot_names = ", ".join(state.jackpots) or "none"
    consequences = (
        (
            f"The table leaves its jackpots ({jackpot_names}) and stops counting. Unit {state.tabulator.unit} "
            "becomes free."
        ),
        "Earlier winners can still claim. If you add it again, its history continues.",
    )
    return _tabulator_action(card_room, state, "Remove the table", consequences, do)._replace(
        fields=(REASON_FIELD,), danger=True
    )


ACTIONS: Final[Mapping[str, Callable[[CardRoom, TabulatedTableState], OfficeAction]]] = {
    "link": _link_action,
    "unlink": _unlink_action,
    "move": _move_action,
    "remove": _remove_action,
}


@router.get(f"{PAGE}/{{table}}")
async def show_tabulator(request: Request, table: str) -> Response:
    """One tabulator and its actions."""
    context = get_app_context(request)

    def read() -> dict[str, Any]:
        state = context.card_room.tabulator(table)
        table_state = context.card_room.table(table) if context.card_room.read_table_version(table) else None
        return {"state": state, "sentences": tuple(describe_tabulator(state)), "table": table_state}

    return render_office_page(request, "office/tabulator.html", **await context.executors.query(read))


@router.api_route(f"{PAGE}/{{table}}/{{action_name}}", methods=["GET", "POST"])
async def perform_tabulator_action(request: Request, table: str, action_name: str) -> Response:
    """The form of an action with a tabulator, and its execution."""
    if action_name not in ACTIONS:
        raise PageNotFound(
            f"The office has no page {action_name!r} for a tabulator: its pages are {', '.join(ACTIONS)}."
        )
    context = get_app_context(request)
    action = await context.executors.query(
        lambda: ACTIONS[action_name](context.card_room, context.card_room.tabulator(table))
    )
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
