"""Tables: listed, looked at, streamed; and practice tables opened."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.floor import FeltLook
from cardroom.web.api.answers import answered
from cardroom.web.api.callers import (
    MAY_BE_NAMED,
    MAY_STREAM,
    MUST_BE_NAMED,
    caller,
    looker,
    named_table,
    streamer,
    the_house,
)
from cardroom.web.api.models import AdviceGiven, ListedTable, TableOpened, TableSeen, TableWanted
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import NoSuchTable, refusals
from cardroom.web.rights.caller import caller_of
from cardroom.web.room.house import House
from cardroom.web.room.hub import Admits, EventStream, framed
from cardroom.web.room.practice import open_practice, wanted_setup
from cardroom.web.room.waiting import NOBODY_READS, while_here

router = APIRouter(prefix="/tables", route_class=CarefulRoute, tags=["tables"])
_EVENTS: Final = {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "Views, as events."}


@router.get("", response_model=list[ListedTable], responses=refusals(401, 503), openapi_extra=MAY_BE_NAMED)
async def list_tables(request: Request) -> Response:
    """Every table that the caller may sit down at or look at; of private ones only the caller's own."""
    return answered([_entry(one) for one in await the_house(request).tables_for(looker(request))])


def _entry(look: FeltLook) -> dict[str, Any]:
    state = look.state
    taken = {one.seat: one.player for one in state.seats}
    return {
        "table": state.table,
        "game": state.game.facts.slug,
        "mode": str(state.terms.mode),
        "money": str(state.terms.money),
        "state": str(state.phase),
        "seats": {str(seat): taken.get(seat) for seat in range(1, state.at.table.seats + 1)},
        "jackpots": dict(look.meters),
    }


@router.post(
    "",
    status_code=201,
    response_model=TableOpened,
    responses=refusals(400, 401, 403, 404, 409, 413, 415, 422, 503),
    openapi_extra=MUST_BE_NAMED,
)
async def open_table(request: Request, said: TableWanted) -> Response:
    """Open a private practice table without a clock; nobody else sees it."""
    house, player = the_house(request), caller(request)
    setup = wanted_setup(said.game, said.setup)
    mine = [one for one in await house.tables_for(player) if one.state.terms.owner == player]
    own = {one.state.table: one.state.playing or one.state.seat_of(player) is not None for one in mine}
    most = house.rules.practice_tables
    table = await house.clerks.do(open_practice, house.floor, player, said.id, setup, said.company, own, most)
    for one in {table, *own}:
        house.watch.ring(one)
    return answered({"table": table}, 201)


def _admits(request: Request, player: str | None) -> Admits | None:
    """Asks whether the session of a player who streams still lasts. A guest has none, and a passer-by needs none."""
    house, caller = the_house(request), caller_of(request)
    if player is None or caller.player != player:
        return None

    async def still() -> bool:
        session = await house.sessions.of(caller.token, caller.seen, locks=False)
        return caller._replace(session=session).player == player

    return still


async def _look(house: House, table: str, player: str | None) -> FeltLook:
    look = await house.look(named_table(table))
    if look.state.terms.owner not in ("", player or ""):
        raise NoSuchTable("There is no table of that name: GET /api/v1/tables lists those that there are.")
    return look


@router.get("/{table}", response_model=TableSeen, responses=refusals(401, 404, 503), openapi_extra=MAY_BE_NAMED)
async def look_at_table(request: Request, table: str) -> Response:
    """What the caller may see of a table."""
    house, player = the_house(request), looker(request)
    return answered((await _look(house, table, player)).entry(player))


@router.get(
    "/{table}/stream",
    response_class=Response,
    responses={200: _EVENTS, **refusals(401, 404, 503)},
    openapi_extra=MAY_STREAM,
)
async def stream_table(request: Request, table: str) -> Response:
    """What the caller may see of a table, whole, now and after each thing that happens there (server-sent events)."""
    house, player = the_house(request), streamer(request)
    one = house.hub.subscribe(table, player, _admits(request, player))
    try:
        # Subscribed first and looked at then, so that nothing that happens in between is missed.
        one.put_first(framed((await _look(house, table, player)).entry(player)))
    except BaseException:
        house.hub.leave(one)
        raise
    house.watch.look_on(table)
    return EventStream(house.hub, one)


@router.get(
    "/{table}/advice",
    response_model=AdviceGiven,
    responses=refusals(401, 403, 404, 409, 422, 503),
    openapi_extra=MUST_BE_NAMED,
)
async def advise(request: Request, table: str) -> Response:
    """What each answer is worth to the caller's seat, which must be asked. Whoever goes away is not advised."""
    house, player = the_house(request), caller(request)
    look = await _look(house, table, player)
    advice = await while_here(request, house.coach.advise(look, player))
    return Response(status_code=NOBODY_READS) if advice is None else answered(advice)
