"""The API of tables, seats, and past rounds."""

from __future__ import annotations

import re
import uuid
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Header, Query, Request, Response

from cardroom.errors import BadInput, quote
from cardroom.room.user.command_ids import player_command_id
from cardroom.room.user.permissions import Permission
from cardroom.service import CardRoom, SharedTableView, UnknownRound
from cardroom.web.api.models import (
    AdviceResponse,
    CommandId,
    DecisionRequest,
    LeaveSeatRequest,
    NewTableRequest,
    NewTableResponse,
    PastRoundResponse,
    SeatRequest,
    SeatResponse,
    TableListing,
    TableResponse,
    WagersRequest,
)
from cardroom.web.api.refusals import NoSuchTable, refusals
from cardroom.web.api.requests import (
    ACCEPTS_TOKEN,
    ACCEPTS_TOKEN_OR_COOKIE,
    REQUIRES_TOKEN,
    CommandRoute,
    StrictRoute,
    check_table_name,
    get_context,
    json_response,
    optional_player,
    require_player,
    result_response,
    stream_player,
)
from cardroom.web.middleware.permissions import get_caller
from cardroom.web.services import coach
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.event_hub import EventStreamResponse, SessionCheck, encode_frame
from cardroom.web.services.practice_tables import open_practice, parse_practice_setup
from cardroom.web.services.presence import CLIENT_CLOSED_REQUEST, run_while_connected

router = APIRouter(prefix="/tables", route_class=StrictRoute, tags=["tables"])
_EVENTS: Final = {
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
    "description": "Views as server-sent events.",
}


@router.get("", response_model=list[TableListing], responses=refusals(401, 503), openapi_extra=ACCEPTS_TOKEN)
async def list_tables(request: Request) -> Response:
    """The tables that the caller may see. Of private tables, only the caller's own."""
    return json_response(
        [_table_listing(snapshot) for snapshot in await get_context(request).tables_for(optional_player(request))]
    )


def _table_listing(snapshot: SharedTableView) -> dict[str, Any]:
    state = snapshot.state
    players = {occupant.seat: occupant.player for occupant in state.seats}
    return {
        "table": state.table,
        "game": state.game.facts.slug,
        "mode": str(state.terms.mode),
        "money": str(state.terms.money),
        "state": str(state.phase),
        "seats": {str(seat): players.get(seat) for seat in range(1, state.open_table.table.seats + 1)},
        "jackpots": dict(snapshot.meters),
    }


@router.post(
    "",
    status_code=201,
    response_model=NewTableResponse,
    responses=refusals(400, 401, 403, 404, 409, 413, 415, 422, 503),
    openapi_extra=REQUIRES_TOKEN,
)
async def open_table(request: Request, body: NewTableRequest) -> Response:
    """Open a private practice table without a clock. Only the caller sees it."""
    context, player = get_context(request), require_player(request)
    setup = parse_practice_setup(body.game, body.setup)
    practice_tables = [
        snapshot for snapshot in await context.tables_for(player) if snapshot.state.terms.owner == player
    ]
    tables_in_use = {
        snapshot.state.table: snapshot.state.playing or snapshot.state.seat_of(player) is not None
        for snapshot in practice_tables
    }
    most = context.options.practice_tables
    table = await context.executors.execute(
        open_practice, context.card_room, player, body.id, setup, body.company, tables_in_use, most
    )
    for snapshot in {table, *tables_in_use}:
        context.change_feed.notify_table(snapshot)
    return json_response({"table": table}, 201)


def _session_check(request: Request, player: str | None) -> SessionCheck | None:
    """A check whether the session of a streaming player is still valid; None for a guest or an anonymous caller."""
    context, caller = get_context(request), get_caller(request)
    if player is None or caller.player != player:
        return None

    async def is_still_admitted() -> bool:
        session = await context.sessions.find(caller.token, caller.last_active, locks=False)
        return caller._replace(session=session).player == player

    return is_still_admitted


async def _read_snapshot(context: AppContext, table: str, player: str | None) -> SharedTableView:
    snapshot = await context.read_table(check_table_name(table))
    if snapshot.state.terms.owner not in ("", player or ""):
        raise NoSuchTable("There is no table of that name. GET /api/v1/tables lists all tables.")
    return snapshot


@router.get("/{table}", response_model=TableResponse, responses=refusals(401, 404, 503), openapi_extra=ACCEPTS_TOKEN)
async def get_table(request: Request, table: str) -> Response:
    """A table as the caller may see it."""
    context, player = get_context(request), optional_player(request)
    return json_response((await _read_snapshot(context, table, player)).to_json(player))


@router.get(
    "/{table}/stream",
    response_class=Response,
    responses={200: _EVENTS, **refusals(401, 404, 503)},
    openapi_extra=ACCEPTS_TOKEN_OR_COOKIE,
)
async def stream_table(request: Request, table: str) -> Response:
    """The complete view of a table, now and after each event (server-sent events)."""
    context, player = get_context(request), stream_player(request)
    subscriber = context.event_hub.subscribe(table, player, _session_check(request, player))
    try:
        # Subscribe before reading, so that no event in between is missed.
        subscriber.put_first(encode_frame((await _read_snapshot(context, table, player)).to_json(player)))
    except BaseException:
        context.event_hub.leave(subscriber)
        raise
    context.change_feed.follow_table(table)
    return EventStreamResponse(context.event_hub, subscriber)


@router.get(
    "/{table}/advice",
    response_model=AdviceResponse,
    responses=refusals(401, 403, 404, 409, 422, 503),
    openapi_extra=REQUIRES_TOKEN,
)
async def advise(request: Request, table: str) -> Response:
    """The expected value of each option at the caller's turn. A client that disconnects gets no advice."""
    context, player = get_context(request), require_player(request)
    snapshot = await _read_snapshot(context, table, player)
    advice = await run_while_connected(request, coach.advise(context.jobs, snapshot, player))
    return Response(status_code=CLIENT_CLOSED_REQUEST) if advice is None else json_response(advice)


command_router = APIRouter(prefix="/tables/{table}", route_class=CommandRoute, tags=["play"])
seat_router = APIRouter(prefix="/tables/{table}", route_class=StrictRoute, tags=["play"])
_REFUSALS = refusals(400, 401, 403, 404, 409, 413, 415, 422, 503)
_LEAVE_RESPONSES = refusals(400, 401, 403, 404, 409, 413, 415, 422, 503)


class ConflictingIds(BadInput):
    """The request has two different ids."""


class TableCommand(NamedTuple):
    """A player's command at a table. Its id includes the player, so players cannot share one."""

    context: AppContext
    id: str
    player: str
    table: str


def _read_command(request: Request, table: str, id: str) -> TableCommand:
    player = require_player(request)
    return TableCommand(get_context(request), player_command_id(player, id), player, check_table_name(table))


@command_router.post("/seat", response_model=SeatResponse, responses=_REFUSALS, openapi_extra=REQUIRES_TOKEN)
async def take_seat(request: Request, table: str, body: SeatRequest) -> Response:
    """Take a seat with chips from the balance, or buy more chips at your seat."""
    context, id, player, table_name = _read_command(request, table, body.id)
    return result_response(
        await context.execute_at_table(
            context.card_room.take_seat, id, player, table_name, body.seat, body.buy_in_cents
        )
    )


@seat_router.delete("/seat", response_model=SeatResponse, responses=_LEAVE_RESPONSES, openapi_extra=REQUIRES_TOKEN)
async def leave_seat(
    request: Request,
    table: str,
    body: LeaveSeatRequest | None = None,
    id: Annotated[CommandId | None, Query(description="The command's id, instead of a body.")] = None,
    idempotency_key: Annotated[CommandId | None, Header(description="The command's id in a header.")] = None,
) -> Response:
    """Leave the seat. Chips return to the balance. Wagers of the current round stay and use the default action. Without
    an id, the command cannot be repeated."""
    ids = {candidate for candidate in (body.id if body else None, id, idempotency_key) if candidate is not None}
    if len(ids) > 1:
        raise ConflictingIds(
            f"The request has {len(ids)} different ids: {', '.join(map(quote, sorted(ids)))}. Send one."
        )
    context, command_id, player, table_name = _read_command(request, table, ids.pop() if ids else str(uuid.uuid4()))
    return result_response(await context.execute_at_table(context.card_room.leave_seat, command_id, player, table_name))


@command_router.post("/wagers", response_model=SeatResponse, responses=_REFUSALS, openapi_extra=REQUIRES_TOKEN)
async def place_wagers(request: Request, table: str, body: WagersRequest) -> Response:
    """Place all wagers of the seat. The round begins when all seated players are ready or the clock runs out."""
    context, id, player, table_name = _read_command(request, table, body.id)
    arguments = id, player, table_name, body.wagers, body.words
    return result_response(await context.execute_at_table(context.card_room.place_wagers, *arguments, round=body.round))


@command_router.post("/decisions", response_model=SeatResponse, responses=_REFUSALS, openapi_extra=REQUIRES_TOKEN)
async def decide(request: Request, table: str, body: DecisionRequest) -> Response:
    """Make the decision at the seat's turn."""
    context, id, player, table_name = _read_command(request, table, body.id)
    arguments = id, player, table_name, body.answer
    return result_response(
        await context.execute_at_table(
            context.card_room.make_decision, *arguments, round=body.round, question=body.question
        )
    )


round_router = APIRouter(prefix="/rounds", route_class=StrictRoute, tags=["rounds"])
_ROUND: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]{0,59})\.[1-9][0-9]{0,14}")


@round_router.get(
    "/{round}", response_model=PastRoundResponse, responses=refusals(401, 404, 503), openapi_extra=ACCEPTS_TOKEN
)
async def get_round(request: Request, round: str) -> Response:
    """A past round: its record, its payments, and the key to deal it again. Only its players see the names."""
    context = get_context(request)
    player, sees_all = optional_player(request), get_caller(request).may(Permission.SEE_ROUNDS)
    return json_response(await context.executors.query(_past_round_json, context.card_room, round, player, sees_all))


def _past_round_json(card_room: CardRoom, id: str, player: str | None, sees_all: bool) -> dict[str, Any]:
    match = _ROUND.fullmatch(id)
    if match is None:
        raise UnknownRound("There is no such round. Round ids look like prime-1.17.")
    card_room.view_table_json(match[1], player)  # only the owner sees rounds of a private table
    past_round = card_room.get_past_round(id)
    return (past_round if sees_all else past_round.redact_for(player)).to_json()
