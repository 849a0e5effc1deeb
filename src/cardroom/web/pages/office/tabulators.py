"""The tabulator that a table gets: its model, its unit, and which jackpot each sensor plays for.

Tabulators: at which table each stands, what its sensors play for; linked, unlinked, moved, closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.games import TableSetup, TabulatorType, default_setup, game
from cardroom.games.money import format_cents
from cardroom.games.setup import WagerLimits, WagerSetup
from cardroom.games.table import BadSetup, WagerOffer
from cardroom.games.view import wager_name
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.lifecycle import find_linking_faults
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.equipment import bet_tabulator_model
from cardroom.room.setup.jackpot import currency_to_mapping
from cardroom.room.setup.tabulator import LammerSensor, TabulatorSetup, WagerSensor, make_sensor, validate_tabulator
from cardroom.room.setup.toml_reader import InvalidTabulator
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, tabulator_chain
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
"""Between a wager and its jackpot in what is chosen for a sensor."""


class TabulatorForm(NamedTuple):
    """A tabulator as it is filled in."""

    setup: TabulatorSetup
    unit: str
    counters: tuple[int, ...]

    @property
    def file(self) -> dict[str, Any]:
        """What a table's file says of it."""
        sensors = [_sensor_json(sensor) for sensor in self.setup.sensors]
        content = {
            "location": self.setup.location,
            "unit": self.unit,
            "sensors": sensors,
            **currency_to_mapping(self.setup.money),
        }
        return content | ({"counters": list(self.counters)} if self.counters else {})


def _sensor_json(sensor: WagerSensor | LammerSensor) -> dict[str, Any]:
    if isinstance(sensor, LammerSensor):
        return {"lammer_of": sensor.wager_sensor}
    return {"wager": sensor.wager} | ({"jackpot": sensor.jackpot} if sensor.jackpot else {})


class SensorForm(NamedTuple):
    """What one sensor can look at."""

    field: str
    number: int
    options: tuple[tuple[str, str], ...]


def find_tabulator(floor: CardRoom, table: str) -> TabulatedTableState | None:
    """The table as its tabulator knows it; None where it has none."""
    if table not in floor.list_tabulators() or (tabulator := floor.tabulator(table)).closed:
        return None
    return tabulator


def chosen_jackpots(floor: CardRoom, reading: FormReader) -> tuple[str, ...]:
    """The jackpots that the sensors play for, as far as there are such; none without a tabulator."""
    if not reading.text("tabulator"):
        return ()
    jackpot_ids = [
        text.partition(_SEPARATOR)[2] for text in reading.with_prefix(SENSOR).values() if not text.startswith(LAMMER)
    ]
    open_jackpots = set(floor.list_jackpots())
    return tuple(dict.fromkeys(jackpot for jackpot in jackpot_ids if jackpot in open_jackpots))


def read_tabulator(
    floor: CardRoom, reading: FormReader, table: str, displayed_setup: TableSetup, money: Currency
) -> TabulatorForm:
    """What the form says of the tabulator, with every fault of it noted. ``displayed_setup`` has the amounts that the
    jackpots display."""
    try:
        offered: Mapping[str, WagerOffer] = game(displayed_setup.game).open(displayed_setup).offers
    except BadSetup:  # which is told beside its fields
        offered = {}
    sensors = tuple(_sensors(floor, reading, displayed_setup, offered))
    setup = TabulatorSetup(
        table,
        displayed_setup.game,
        reading.text("location"),
        displayed_setup.tabulator or "",
        displayed_setup.seats,
        sensors,
        money,
    )
    filled = TabulatorForm(setup, reading.text("unit"), _counters(reading))
    try:
        validate_tabulator(setup)
    except InvalidTabulator as bad:
        reading.faults += [fault._replace(section=_field_of_fault(fault.section)) for fault in bad.faults]
    return filled


def _field_of_fault(location: str) -> str:
    """Where the form has what the tabulator's door names."""
    return "seats" if location == "positions" else location.replace("sensor ", SENSOR)


def _sensors(
    floor: CardRoom, reading: FormReader, displayed_setup: TableSetup, offered: Mapping[str, WagerOffer]
) -> Iterator[WagerSensor | LammerSensor]:
    sensor_choices = sorted(
        (int(key), text) for key, text in reading.with_prefix(SENSOR).items() if key.isascii() and key.isdigit()
    )
    for _, text in sensor_choices:
        wager, _, of = text.partition(_SEPARATOR)
        if wager == LAMMER:
            yield LammerSensor(int(of) if of.isascii() and of.isdigit() else 0)
            continue
        kind = str(floor.jackpot(of).kind) if of else None
        if wager in offered:
            yield replace(make_sensor(offered[wager], of or None, None), kind=kind)
        else:
            offered_wager = displayed_setup.wagers.get(wager)
            least = offered_wager.limits.minimum if offered_wager else None
            yield WagerSensor(wager, offered_wager.paytable if offered_wager else "", of or None, kind, least)


def _counters(reading: FormReader) -> tuple[int, ...]:
    def understand(text: str) -> tuple[int, ...]:
        numbers = [number.strip() for number in text.split(",") if number.strip()]
        if not all(number.isascii() and number.isdigit() and len(number) < 16 for number in numbers):
            raise BadInput(f"{quote(text)} is no list of counters: write whole numbers with commas, or nothing.")
        return tuple(map(int, numbers))

    return reading.read("counters", understand, ())


def sensor_forms(floor: CardRoom, setup: TableSetup) -> tuple[SensorForm, ...]:
    """What each sensor of the chosen model can look at: a wager, for one of its jackpots, or a lammer."""
    if setup.tabulator not in set(TabulatorType):
        return ()
    facts, jackpots = game(setup.game).facts, [floor.jackpot(jackpot) for jackpot in floor.list_jackpots()]
    wagers = list[tuple[str, str]]()
    for slug in setup.wagers:
        name = wager_name(facts, slug)
        wagers += [
            (f"{slug}{_SEPARATOR}{jackpot.id}", f"{name} for {_describe_jackpot(jackpot)}")
            for jackpot in _jackpots_of(jackpots, setup, slug)
        ]
        wagers.append((slug, f"{name}, for no jackpot"))
    forms = []
    for number in range(1, bet_tabulator_model(TabulatorType(setup.tabulator)).sensors + 1):
        lammers = [
            (f"{LAMMER}{_SEPARATOR}{jackpot}", f"the lammer of sensor {jackpot}") for jackpot in range(1, number)
        ]
        forms.append(SensorForm(f"{SENSOR}{number}", number, (("", "nothing"), *wagers, *lammers)))
    return tuple(forms)


def _jackpots_of(jackpots: list[JackpotState], setup: TableSetup, wager: str) -> Iterator[JackpotState]:
    for jackpot in jackpots:
        if not jackpot.removed and (setup.game, wager) in [(of["game"], of["wager"]) for of in jackpot.setup["offers"]]:
            yield jackpot


def _describe_jackpot(state: JackpotState) -> str:
    return f"{state.id} ({state.kind}, {state.money.label})"


def offer_paytable(state: JackpotState, slug: str) -> tuple[TableSetup, dict[str, str]]:
    """A table that can play for a jackpot: its set-up, and what the form says beside it."""
    offer = next(offer_entry for offer_entry in state.setup["offers"] if offer_entry["game"] == slug)
    facts, usual, wager = game(slug).facts, default_setup(slug), str(offer["wager"])
    least, most = state.wagers[0], state.wagers[-1]
    limits = WagerLimits(least, most, least)
    wagers = {
        offer_entry: of
        for offer_entry, of in usual.wagers.items()
        if offer_entry == wager or not facts.wager(offer_entry).jackpot
    }
    wagers[wager] = WagerSetup(limits, offer["paytable"], dict(offer["bonuses"]))
    order = [offer_entry.slug for offer_entry in facts.wagers if offer_entry.slug in wagers]
    played = state.money is Currency.PLAY
    models = [
        offer_entry for offer_entry in facts.tabulators if not (played and bet_tabulator_model(offer_entry).data_logger)
    ] or list(facts.tabulators)
    setup = replace(
        usual,
        wagers={offer_entry: wagers[offer_entry] for offer_entry in order},
        tabulator=str(models[0]),
        jurisdiction=state.jackpot.setup.jurisdiction,
    )
    return setup, {
        "location": state.jackpot.setup.location,
        "unit": f"T-{state.id}",
        f"{SENSOR}1": f"{wager}{_SEPARATOR}{state.id}",
        "money": str(state.money),
        "mode": "automatic" if played else "live",
    }


def describe_tabulator(tabulator: TabulatedTableState) -> Iterator[str]:
    """A tabulator that stands at a table, in sentences."""
    at = tabulator.tabulator
    yield f"It has its tabulator: {at.table.model.name}, unit {at.unit}, in {at.table.location}."
    for wager in at.table.wagers:
        amount = f" of {format_cents(wager.amount)}" if wager.amount is not None else ""
        yield f"Sensor {wager.sensor}: {wager.wager}{amount}, for {wager.jackpot or 'no jackpot'}."


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/tabulators"


def _tabulator_action(
    floor: CardRoom, state: TabulatedTableState, title: str, happens: tuple[str, ...], do: Callable[..., object]
) -> OfficeAction:
    chains = (tabulator_chain(state.id), ROOM_CHAIN, *map(jackpot_chain, floor.list_jackpots()))
    back = f"{PAGE}/{state.id}"
    action = OfficeAction(f"{title}: {state.id}", happens, title, back, do, table=state.id, chains=chains)
    return action._replace(
        unavailable_reason=f"The tabulator of {state.id} was taken away already." if state.closed else ""
    )


def _jackpot_field(names: tuple[str, ...]) -> FormField:
    return FormField(
        "jackpot", "Jackpot", options=tuple((jackpot, jackpot) for jackpot in names), value=names[0] if names else ""
    )


def _link_action(floor: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.link_jackpot(id, user, state.id, values.get("jackpot", ""), values.get("why", ""))

    happens = (
        "The sensor of the jackpot's wager counts for it from now on, and the table's displays show it.",
        "A felt that is open keeps the layout that it was opened with: close it before, and open it again.",
    )
    free = tuple(
        jackpot
        for jackpot in floor.list_jackpots()
        if jackpot not in state.jackpots and _is_compatible(floor, jackpot, state)
    )
    action = _tabulator_action(floor, state, "Link it to a jackpot", happens, do)
    none = "" if free else f"No jackpot that is open fits {state.id}: its game, wagers, location and money decide."
    return action._replace(
        fields=(_jackpot_field(free), REASON_FIELD), unavailable_reason=action.unavailable_reason or none
    )


def _is_compatible(floor: CardRoom, jackpot: str, state: TabulatedTableState) -> bool:
    """Whether the floor has nothing against the link: game, wager, place, law and money."""
    linked_jackpots = [floor.jackpot(linked) for linked in state.jackpots]
    candidate = floor.jackpot(jackpot)
    return not find_linking_faults(
        candidate, state.game_setup, _location_text(state), linked_jackpots, currency=state.money
    )


def _location_text(state: TabulatedTableState) -> str:
    return state.tabulator.table.location


def _unlink_action(floor: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.unlink_jackpot(id, user, state.id, values.get("jackpot", ""), values.get("why", ""))

    happens = ("The jackpot's wager is dark at this table and refused from now on. Who won before still claims.",)
    action = _tabulator_action(floor, state, "Take it off a jackpot", happens, do)
    none = "" if state.jackpots else f"{state.id} plays for no jackpot: there is none to take it off."
    return action._replace(
        fields=(_jackpot_field(state.jackpots), REASON_FIELD),
        danger=True,
        unavailable_reason=action.unavailable_reason or none,
    )


def _move_action(floor: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        return floor.move_tabulator(id, user, state.id, typed.get("location", ""), typed.get("why", ""))

    now = _location_text(state)
    happens = (f"It stands in {now} now. A meter has one location: it leaves the jackpots of its old place before.",)
    fields = (
        FormField(
            "location", "Where it stands now", value=now, parse=lambda form_input: require_text(form_input, "location")
        ),
        REASON_FIELD,
    )
    return _tabulator_action(floor, state, "Let it stand elsewhere", happens, do)._replace(fields=fields)


def _close_action(floor: CardRoom, state: TabulatedTableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.remove_tabulator(id, user, state.id, values.get("why", ""))

    jackpot_names = ", ".join(state.jackpots) or "none"
    happens = (
        f"It leaves its jackpots ({jackpot_names}) and counts nothing more; unit {state.tabulator.unit} is free.",
        "Who won there before still claims. Opened again, it goes on in its own books.",
    )
    return _tabulator_action(floor, state, "Take the tabulator away", happens, do)._replace(
        fields=(REASON_FIELD,), danger=True
    )


ACTIONS: Final[Mapping[str, Callable[[CardRoom, TabulatedTableState], OfficeAction]]] = {
    "link": _link_action,
    "unlink": _unlink_action,
    "move": _move_action,
    "close": _close_action,
}


@router.get(f"{PAGE}/{{table}}")
async def show_tabulator(request: Request, table: str) -> Response:
    """One tabulator, and what can be done with it."""
    context = get_app_context(request)

    def read() -> dict[str, Any]:
        state = context.floor.tabulator(table)
        table_state = context.floor.table(table) if context.floor.read_table_version(table) else None
        return {"state": state, "words": tuple(describe_tabulator(state)), "felt": table_state}

    return render_office_page(request, "office/tabulator.html", **await context.executors.query(read))


@router.api_route(f"{PAGE}/{{table}}/{{action_name}}", methods=["GET", "POST"])
async def perform_tabulator_action(request: Request, table: str, action_name: str) -> Response:
    """Do something with a tabulator, or ask for it."""
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a tabulator: it has {', '.join(ACTIONS)}.")
    context = get_app_context(request)
    action = await context.executors.query(lambda: ACTIONS[action_name](context.floor, context.floor.tabulator(table)))
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
