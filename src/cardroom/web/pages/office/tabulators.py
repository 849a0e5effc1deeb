"""Tabulators: at which table each stands, what its sensors play for; linked, unlinked, moved, closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM, jackpot_chain, table_chain
from cardroom.floor.kept.table import TableState
from cardroom.jackpots.meter.service import linking_faults
from cardroom.jackpots.people import named
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, office_page
from cardroom.web.pages.office.operator import WHY
from cardroom.web.pages.office.tabulator_form import tabulator_words
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/tabulators"


def _deed(floor: Floor, state: TableState, title: str, happens: tuple[str, ...], do: Callable[..., object]) -> Deed:
    chains = (table_chain(state.id), ROOM, *map(jackpot_chain, floor.jackpots()))
    back = f"{PAGE}/{state.id}"
    made = Deed(f"{title}: {state.id}", happens, title, back, do, felt=state.id, chains=chains)
    return made._replace(not_now=f"The tabulator of {state.id} was taken away already." if state.closed else "")


def _jackpots(names: tuple[str, ...]) -> Field:
    return Field("jackpot", "Jackpot", options=tuple((one, one) for one in names), value=names[0] if names else "")


def _link(floor: Floor, state: TableState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.link(id, who, state.id, typed.get("jackpot", ""), typed.get("why", ""))

    happens = (
        "The sensor of the jackpot's wager counts for it from now on, and the table's displays show it.",
        "A felt that is open keeps the layout that it was opened with: close it before, and open it again.",
    )
    free = tuple(one for one in floor.jackpots() if one not in state.jackpots and _fits(floor, one, state))
    made = _deed(floor, state, "Link it to a jackpot", happens, do)
    none = "" if free else f"No jackpot that is open fits {state.id}: its game, wagers, location and money decide."
    return made._replace(fields=(_jackpots(free), WHY), not_now=made.not_now or none)


def _fits(floor: Floor, jackpot: str, state: TableState) -> bool:
    """Whether the floor has nothing against the link: game, wager, place, law and money."""
    others = [floor.jackpot(one) for one in state.jackpots]
    found = floor.jackpot(jackpot)
    return not linking_faults(found, state.game_setup, _stands_in(state), others, played_for=state.money)


def _stands_in(state: TableState) -> str:
    return state.tabulator.table.location


def _unlink(floor: Floor, state: TableState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.unlink(id, who, state.id, typed.get("jackpot", ""), typed.get("why", ""))

    happens = ("The jackpot's wager is dark at this table and refused from now on. Who won before still claims.",)
    made = _deed(floor, state, "Take it off a jackpot", happens, do)
    none = "" if state.jackpots else f"{state.id} plays for no jackpot: there is none to take it off."
    return made._replace(fields=(_jackpots(state.jackpots), WHY), danger=True, not_now=made.not_now or none)


def _move(floor: Floor, state: TableState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.move_table(id, who, state.id, typed.get("location", ""), typed.get("why", ""))

    now = _stands_in(state)
    happens = (f"It stands in {now} now. A meter has one location: it leaves the jackpots of its old place before.",)
    fields = (Field("location", "Where it stands now", value=now, reads=lambda typed: named(typed, "location")), WHY)
    return _deed(floor, state, "Let it stand elsewhere", happens, do)._replace(fields=fields)


def _close(floor: Floor, state: TableState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.close_table(id, who, state.id, typed.get("why", ""))

    named = ", ".join(state.jackpots) or "none"
    happens = (
        f"It leaves its jackpots ({named}) and counts nothing more; unit {state.tabulator.unit} is free.",
        "Who won there before still claims. Opened again, it goes on in its own books.",
    )
    return _deed(floor, state, "Take the tabulator away", happens, do)._replace(fields=(WHY,), danger=True)


DEEDS: Final[Mapping[str, Callable[[Floor, TableState], Deed]]] = {
    "link": _link,
    "unlink": _unlink,
    "move": _move,
    "close": _close,
}


@router.get(f"{PAGE}/{{table}}")
async def show_tabulator(request: Request, table: str) -> Response:
    """One tabulator, and what can be done with it."""
    house = house_of(request)

    def read() -> dict[str, Any]:
        state = house.floor.table(table)
        felt = house.floor.felt(table) if house.floor.felt_version(table) else None
        return {"state": state, "words": tuple(tabulator_words(state)), "felt": felt}

    return office_page(request, "office/tabulator.html", **await house.clerks.look(read))


@router.api_route(f"{PAGE}/{{table}}/{{deed}}", methods=["GET", "POST"])
async def do(request: Request, table: str, deed: str) -> Response:
    """Do something with a tabulator, or ask for it."""
    if deed not in DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a tabulator: it has {', '.join(DEEDS)}.")
    house = house_of(request)
    made = await house.clerks.look(lambda: DEEDS[deed](house.floor, house.floor.table(table)))
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
