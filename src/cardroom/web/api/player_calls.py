"""Coming in, and what one has.

Signing in and out for programs: players with a name, and whatever else people of the house let a program do.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from cardroom.service import CardRoom
from cardroom.web.api.models import GuestResponse, NewGuestRequest, PlayerResponse, PlayerRoundsResponse
from cardroom.web.api.refusals import NoGuests, NotSignedIn, refusals
from cardroom.web.api.requests import (
    PLAYER_COOKIE,
    REQUIRES_TOKEN,
    StrictRoute,
    get_context,
    json_response,
    require_player,
)
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.middleware.rejections import (
    RateLimited,
    client_address,
    is_from_this_machine,
    log_rejection,
    network_prefix,
)
from cardroom.web.services.app_context import AppContext

MAX_ROUNDS: Final = 200
router = APIRouter(route_class=StrictRoute, tags=["players"])


@router.post(
    "/guests", status_code=201, response_model=GuestResponse, responses=refusals(400, 403, 409, 413, 415, 422, 429, 503)
)
async def create_guest(request: Request, body: NewGuestRequest) -> Response:
    """Come in as a guest, with play money. The token is sent with later calls. The same id gives the same guest and the
    same token, whoever sends it: make it long and random, and keep it as you keep the token."""
    context = get_context(request)
    if not context.options.guests:
        raise NoGuests("This room admits no guests: a room that is served with --demo does.")
    check_guest_rate(request, context)
    guest = await context.executors.execute(context.floor.admit_guest, f"guest/{body.id}")
    token = context.tokens.issue(guest.player)
    payload = {"player": guest.player, "token": token, "balance_cents": guest.balance, "money": str(guest.money)}
    answer = json_response(payload, 201)
    # A browser's stream cannot send a header.
    answer.set_cookie(PLAYER_COOKIE, token, path="/", httponly=True, samesite="strict", secure=context.options.secure)
    return answer


def check_guest_rate(request: Request, context: AppContext) -> None:
    """Refuse guests who come from one address by the dozen. From this machine nobody else can come."""
    if is_from_this_machine(request.scope):
        return
    wait = context.guest_rate.take(network_prefix(request.scope))
    if wait:
        log_rejection(request, "guests too often")
        raise RateLimited("Too many guests come from this address: come again in a while.", wait)


@router.get(
    "/players/me", response_model=PlayerResponse, responses=refusals(401, 403, 404, 503), openapi_extra=REQUIRES_TOKEN
)
async def get_player(request: Request) -> Response:
    """The caller's balance and seats."""
    context, player = get_context(request), require_player(request)
    return json_response(await context.executors.query(account_json, context.floor, player))


@router.get(
    "/players/me/rounds",
    response_model=PlayerRoundsResponse,
    responses=refusals(401, 403, 404, 422, 503),
    openapi_extra=REQUIRES_TOKEN,
)
async def list_rounds(
    request: Request,
    before: Annotated[
        str | None,
        Query(max_length=80, description="A round's id: only what came before it. The newest when left out."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_ROUNDS, description="How many at most.")] = 50,
) -> Response:
    """The rounds that the caller has played, the newest first, page by page. A page may have fewer than were asked for,
    or none, although `before` says that there are more: somebody may have sat at a table for long without a wager."""
    context, player = get_context(request), require_player(request)
    return json_response(await context.executors.query(_round_page, context.floor, player, before, limit))


def _round_page(floor: CardRoom, player: str, before: str | None, limit: int) -> dict[str, object]:
    page = floor.page_player_rounds(player, before=before, limit=limit)
    return {"rounds": [past_round.summarize_player(player) for past_round in page.rounds], "before": page.before}


def account_json(floor: CardRoom, player: str) -> dict[str, object]:
    """What a player has, at one moment: chips that are bought or given back while it is looked up are counted once, and
    nobody sees the chips of whoever sits at a seat by now."""
    state = floor.player_account(player)
    while True:
        seated = [(table, floor.table(table).seat_of(player)) for table in state.seats]
        before, state = state, floor.player_account(player)
        if before == state:
            break
    return {
        "player": player,
        "balance_cents": state.balance,
        "money": str(state.money),
        "seats": [
            {"table": table, "seat": occupant.seat, "chips_cents": occupant.chips}
            for table, occupant in seated
            if occupant
        ],
    }


_MICRO: Final = 1_000_000
_REFUSALS: Final = refusals(400, 401, 403, 413, 415, 422, 503)


class SignInRequest(BaseModel):
    """A login and its password. It has no id: sent again it begins another session."""

    model_config = ConfigDict(extra="forbid", strict=True)
    login: str = Field(max_length=60)
    password: str = Field(max_length=300)


class SessionResponse(BaseModel):
    """A session."""

    login: str
    role: str
    token: str = Field(description="Sent with later calls. It is told once and kept nowhere.")
    until: int = Field(description="When it ends, in seconds since 1970.")
    must_choose: bool = Field(description="Whether a password has to be chosen in a browser first.")


@router.post("/sessions", status_code=201, response_model=SessionResponse, responses=_REFUSALS)
async def sign_in(request: Request, body: SignInRequest) -> Response:
    """Sign in. After three wrong passwords in a row a login is locked."""
    context = get_context(request)
    signed = await context.sign_in(body.login, body.password, client_address(request))
    session = signed.session
    payload: dict[str, Any] = {"login": session.login, "role": str(session.role), "token": signed.token}
    return json_response(payload | {"until": session.until // _MICRO, "must_choose": session.must_change_password}, 201)


class UnlockRequest(BaseModel):
    """What unlocks a device: the PIN, or without one the password."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pin: str = Field(max_length=300)


@router.post("/sessions/unlock", status_code=204, responses=_REFUSALS, openapi_extra=REQUIRES_TOKEN)
async def unlock(request: Request, body: UnlockRequest) -> Response:
    """Unlock the session whose token the call carries. The third wrong PIN in a row ends it."""
    context, session = get_context(request), get_caller(request).session
    if session is None or "authorization" not in request.headers:
        raise NotSignedIn("Send the token of the session that is locked: Authorization: Bearer TOKEN.")
    await context.unlock(session, body.pin, client_address(request))
    return Response(None, 204)


@router.delete("/sessions", status_code=204, responses=refusals(401, 503), openapi_extra=REQUIRES_TOKEN)
async def sign_out(request: Request) -> Response:
    """End the session whose token the call carries."""
    context, session = get_context(request), get_caller(request).session
    if session is None or "authorization" not in request.headers:
        raise NotSignedIn("Send the token of the session that is to end: Authorization: Bearer TOKEN.")
    await context.executors.execute(context.floor.end_session, session)
    context.sessions.forget(session.login)
    return Response(None, 204)
