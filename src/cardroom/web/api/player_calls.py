"""The API of guests, player accounts, and sessions."""

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
    """Enter as a guest with play money. Send the token with later requests. The same id always gives the same guest and
    token, so make it long and random and keep it as secret as the token."""
    context = get_context(request)
    if not context.options.guests:
        raise NoGuests("This server admits no guests. A demo server does.")
    check_guest_rate(request, context)
    guest = await context.executors.execute(context.card_room.players.admit_guest, f"guest/{body.id}")
    token = context.tokens.issue(guest.player)
    payload = {"player": guest.player, "token": token, "balance_cents": guest.balance, "money": str(guest.money)}
    response = json_response(payload, 201)
    # A browser's stream cannot send a header.
    response.set_cookie(PLAYER_COOKIE, token, path="/", httponly=True, samesite="strict", secure=context.options.secure)
    return response


def check_guest_rate(request: Request, context: AppContext) -> None:
    """Limit new guests from one address, except from this machine."""
    if is_from_this_machine(request.scope):
        return
    wait = context.guest_rate.take(network_prefix(request.scope))
    if wait:
        log_rejection(request, "too many guests")
        raise RateLimited("Too many guests from this address. Try again later.", wait)


@router.get(
    "/players/me", response_model=PlayerResponse, responses=refusals(401, 403, 404, 503), openapi_extra=REQUIRES_TOKEN
)
async def get_player(request: Request) -> Response:
    """The caller's balance and seats."""
    context, player = get_context(request), require_player(request)
    return json_response(await context.executors.query(account_json, context.card_room, player))


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
        Query(max_length=80, description="A round id: list only earlier rounds. The newest if left out."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_ROUNDS, description="The maximum number of rounds.")] = 50,
) -> Response:
    """The caller's past rounds, newest first, by page. A page may be short or empty although `before` shows that there
    are more, because a player may sit at a table for a long time without a wager."""
    context, player = get_context(request), require_player(request)
    return json_response(await context.executors.query(_round_page, context.card_room, player, before, limit))


def _round_page(card_room: CardRoom, player: str, before: str | None, limit: int) -> dict[str, object]:
    page = card_room.page_player_rounds(player, before=before, limit=limit)
    return {"rounds": [past_round.summarize_player(player) for past_round in page.rounds], "before": page.before}


def account_json(card_room: CardRoom, player: str) -> dict[str, object]:
    """A player's balance and seats at one moment. Chips that move during the query are counted once, and another
    player's chips are never included."""
    state = card_room.player_account(player)
    while True:
        seated = [(table, card_room.table(table).seat_of(player)) for table in state.seats]
        before, state = state, card_room.player_account(player)
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
    token: str = Field(description="Send it with later requests. It is returned only once and not stored.")
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
    """Unlocks a session, with the PIN, or with the password if there is no PIN."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pin: str = Field(max_length=300)


@router.post("/sessions/unlock", status_code=204, responses=_REFUSALS, openapi_extra=REQUIRES_TOKEN)
async def unlock(request: Request, body: UnlockRequest) -> Response:
    """Unlock the session of the request's token. The third wrong PIN in a row ends it."""
    context, session = get_context(request), get_caller(request).session
    if session is None or "authorization" not in request.headers:
        raise NotSignedIn("Send the token of the locked session: Authorization: Bearer TOKEN.")
    await context.unlock(session, body.pin, client_address(request))
    return Response(None, 204)


@router.delete("/sessions", status_code=204, responses=refusals(401, 503), openapi_extra=REQUIRES_TOKEN)
async def sign_out(request: Request) -> Response:
    """End the session of the request's token."""
    context, session = get_context(request), get_caller(request).session
    if session is None or "authorization" not in request.headers:
        raise NotSignedIn("Send the token of the session to end: Authorization: Bearer TOKEN.")
    await context.executors.execute(context.card_room.users.end_session, session)
    context.sessions.forget(session.login)
    return Response(None, 204)
