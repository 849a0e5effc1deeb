"""Coming in, and what one has."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response

from cardroom.floor import Floor
from cardroom.web.api.answers import answered
from cardroom.web.api.callers import COOKIE, MUST_BE_NAMED, caller, the_house
from cardroom.web.api.models import Guest, GuestComes, Player, RoundsOfPlayer
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import NoGuests, refusals
from cardroom.web.doors.callers import household_in, is_from_this_machine
from cardroom.web.doors.faults import TooOften
from cardroom.web.doors.refusing import refused_at_the_door
from cardroom.web.room.house import House

MOST_ROUNDS: Final = 200
router = APIRouter(route_class=CarefulRoute, tags=["players"])


@router.post(
    "/guests", status_code=201, response_model=Guest, responses=refusals(400, 403, 409, 413, 415, 422, 429, 503)
)
async def come_in(request: Request, said: GuestComes) -> Response:
    """Come in as a guest, with play money. The token is sent with later calls. The same id gives the same guest and the
    same token, whoever sends it: make it long and random, and keep it as you keep the token."""
    house = the_house(request)
    if not house.rules.guests:
        raise NoGuests("This room admits no guests: a room that is served with --demo does.")
    admit(request, house)
    guest = await house.clerks.do(house.floor.admit_guest, f"guest/{said.id}")
    token = house.tokens.of(guest.player)
    told = {"player": guest.player, "token": token, "balance_cents": guest.balance, "money": str(guest.money)}
    answer = answered(told, 201)
    # A browser's stream cannot send a header.
    answer.set_cookie(COOKIE, token, path="/", httponly=True, samesite="strict", secure=house.rules.secure)
    return answer


def admit(request: Request, house: House) -> None:
    """Refuse guests who come from one address by the dozen. From this machine nobody else can come."""
    if is_from_this_machine(request.scope):
        return
    wait = house.arrivals.take(household_in(request.scope))
    if wait:
        refused_at_the_door(request, "guests too often")
        raise TooOften("Too many guests come from this address: come again in a while.", wait)


@router.get("/players/me", response_model=Player, responses=refusals(401, 403, 404, 503), openapi_extra=MUST_BE_NAMED)
async def who_am_i(request: Request) -> Response:
    """The caller's balance and seats."""
    house, player = the_house(request), caller(request)
    return answered(await house.clerks.look(account, house.floor, player))


@router.get(
    "/players/me/rounds",
    response_model=RoundsOfPlayer,
    responses=refusals(401, 403, 404, 422, 503),
    openapi_extra=MUST_BE_NAMED,
)
async def my_rounds(
    request: Request,
    before: Annotated[
        str | None,
        Query(max_length=80, description="A round's id: only what came before it. The newest when left out."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_ROUNDS, description="How many at most.")] = 50,
) -> Response:
    """The rounds that the caller has played, the newest first, page by page. A page may have fewer than were asked for,
    or none, although `before` says that there are more: somebody may have sat at a table for long without a wager."""
    house, player = the_house(request), caller(request)
    return answered(await house.clerks.look(_played, house.floor, player, before, limit))


def _played(floor: Floor, player: str, before: str | None, limit: int) -> dict[str, object]:
    page = floor.history_page(player, before=before, limit=limit)
    return {"rounds": [one.of_player(player) for one in page.rounds], "before": page.before}


def account(floor: Floor, player: str) -> dict[str, object]:
    """What a player has, at one moment: chips that are bought or given back while it is looked up are counted once, and
    nobody sees the chips of whoever sits at a seat by now."""
    state = floor.player(player)
    while True:
        seated = [(table, floor.felt(table).seat_of(player)) for table in state.seats]
        before, state = state, floor.player(player)
        if before == state:
            break
    return {
        "player": player,
        "balance_cents": state.balance,
        "money": str(state.money),
        "seats": [{"table": table, "seat": one.seat, "chips_cents": one.chips} for table, one in seated if one],
    }
