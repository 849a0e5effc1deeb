"""Tables: as they stand, and paused, resumed and closed with a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.floor import FeltState, Floor, Mode
from cardroom.floor.kept.chains import felt_chain
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_to_toml
from cardroom.games.view import wager_name
from cardroom.web.pages.office.deeds import Deed, Field, Typed, do_deed, reason, second_of, show_deed
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute, office_page
from cardroom.web.pages.office.overview import listed_table, tables
from cardroom.web.pages.office.table_form import felt_section
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_WHY: Final = Field("why", "Reason", "In your own words; it stands in the books for good.", reads=reason)


def _seated(state: FeltState) -> str:
    named = ", ".join(f"{one.player} ({format_cents(one.chips + one.down)})" for one in state.seats)
    return f"These sit there: {named}." if named else "Nobody sits there."


def _deed(state: FeltState, title: str, happens: tuple[str, ...], do: Callable[..., object]) -> Deed:
    back, chains = f"/office/tables/{state.table}", (felt_chain(state.table),)
    return Deed(
        f"{title} {state.table}",
        happens if state.terms.mode is Mode.LIVE else (*happens, _seated(state)),
        f"{title} it",
        back,
        do,
        felt=state.table,
        chains=chains,
    )


def _pause(floor: Floor, state: FeltState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.pause_felt(id, who, state.table, typed.get("why", ""))

    happens = (
        "No new round begins; a round that is played goes on to its end.",
        "Wagers that lie for the next round go back.",
    )
    paused = f"Table {state.table} is paused already: {state.paused}." if state.paused else ""
    return _deed(state, "Pause", happens, do)._replace(fields=(_WHY,), not_now=_closed(state) or paused)


def _resume(floor: Floor, state: FeltState) -> Deed:
    happens = (f"It was paused: {state.paused}.", "Rounds begin again.")
    made = _deed(state, "Resume", happens, lambda id, who, _: floor.resume_felt(id, who, state.table))
    running = "" if state.paused else f"Table {state.table} is not paused."
    return made._replace(not_now=_closed(state) or running)


def _close(floor: Floor, state: FeltState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.close_felt(id, who, state.table, typed.get("why", ""))

    between = "It is closed between two rounds only: while one is played this is refused."
    by_the_program = (
        "Everybody who sits there gets up, and gets the chips back on the balance.",
        between,
        "The key of the round that never came is told.",
    )
    by_a_dealer = ("No round is dealt there any more, until it is opened again.", between)
    happens = by_a_dealer if state.terms.mode is Mode.LIVE else by_the_program
    return _deed(state, "Close", happens, do)._replace(fields=(_WHY,), danger=True, not_now=_closed(state))


def _call_off(floor: Floor, state: FeltState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.call_off_round(id, who, state.table, typed.get("why", ""), second=second_of(typed))

    happens = (
        f"Round {state.number} is void, as after a malfunction. Every wager goes back to its player's chips.",
        "What the round put on jackpot meters comes off again.",
        "It stays called off: a round that is void cannot be played again.",
    )
    made = _deed(state, f"Call off round {state.number} at", happens, do)
    is_played = state.playing or state.live is not None
    not_now = "" if is_played else f"No round is played at {state.table} now, and a round that has ended stands."
    return made._replace(
        button="Call the round off",
        fields=(_WHY,),
        danger=True,
        answered="a round that is called off",
        stands=state.round,
        not_now=not_now,
    )


def _closed(state: FeltState) -> str:
    return f"Table {state.table} is closed already: {state.closed}." if state.closed else ""


DEEDS: Final[Mapping[str, Callable[[Floor, FeltState], Deed]]] = {
    "pause": _pause,
    "resume": _resume,
    "close": _close,
    "call-off": _call_off,
}


def _made(floor: Floor, table: str, deed: str) -> Deed:
    if deed not in DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a table: it has {', '.join(DEEDS)}.")
    return DEEDS[deed](floor, floor.felt(table))


def _read(floor: Floor, table: str) -> dict[str, Any]:
    state = floor.felt(table)
    at = state.at.table
    counted = floor.table(table) if table in floor.tables() else None
    return {
        "state": state,
        "one": listed_table(state),
        "offered": [
            (wager_name(at.facts, slug), one.paytable.display_name, one.limits, one.feature)
            for slug, one in at.offers.items()
        ],
        "has_tabulator": counted is not None,
        "jackpots": counted.jackpots if counted is not None else (),
        "text": setup_to_toml(at.setup, {"table": table, "felt": felt_section(state.terms)}),
    }


@router.get("/office/tables")
async def show_tables(request: Request) -> Response:
    """Every table."""
    house = house_of(request)
    return office_page(
        request,
        "office/tables.html",
        tables=await house.clerks.look(tables, house.floor),
        tabulators=await house.clerks.look(lambda: [house.floor.table(one) for one in house.floor.tables()]),
    )


@router.get("/office/tables/{table}")
async def show_table(request: Request, table: str) -> Response:
    """One table."""
    house = house_of(request)
    return office_page(request, "office/table.html", **await house.clerks.look(_read, house.floor, table))


@router.api_route("/office/tables/{table}/{deed}", methods=["GET", "POST"])
async def do(request: Request, table: str, deed: str) -> Response:
    """Do something with a table, or ask for it."""
    house = house_of(request)
    made = await house.clerks.look(_made, house.floor, table, deed)
    return show_deed(request, made) if request.method == "GET" else await do_deed(request, made)
