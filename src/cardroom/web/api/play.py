"""What a player does at a table: sit down, wager, answer, leave."""

from __future__ import annotations

import uuid
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Header, Query, Request, Response

from cardroom.errors import BadInput, quote
from cardroom.floor.people.senders import player_id
from cardroom.web.api.answers import standing
from cardroom.web.api.callers import MUST_BE_NAMED, caller, named_table, the_house
from cardroom.web.api.models import CommandId, Decided, SeatGivenUp, SeatWanted, Standing, WagersLaid
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import refusals
from cardroom.web.room.house import House

router = APIRouter(prefix="/tables/{table}", route_class=CarefulRoute, tags=["play"])
_REFUSALS = refusals(400, 401, 403, 404, 409, 413, 415, 422, 503)
_TO_LEAVE = refusals(400, 401, 403, 404, 409, 413, 415, 422, 503)


class TwoIds(BadInput):
    """A command under two ids."""


class Sent(NamedTuple):
    """Who sends a command, to which table, under which id: two players never meet under one."""

    house: House
    id: str
    player: str
    table: str


def _sent(request: Request, table: str, id: str) -> Sent:
    player = caller(request)
    return Sent(the_house(request), player_id(player, id), player, named_table(table))


@router.post("/seat", response_model=Standing, responses=_REFUSALS, openapi_extra=MUST_BE_NAMED)
async def take_seat(request: Request, table: str, said: SeatWanted) -> Response:
    """Take a seat with chips from the balance, or buy more chips at the seat that one has."""
    house, id, player, at = _sent(request, table, said.id)
    return standing(await house.at_table(house.floor.take_seat, id, player, at, said.seat, said.buy_in_cents))


@router.delete("/seat", response_model=Standing, responses=_TO_LEAVE, openapi_extra=MUST_BE_NAMED)
async def leave_seat(
    request: Request,
    table: str,
    said: SeatGivenUp | None = None,
    id: Annotated[CommandId | None, Query(description="The command's id, instead of a body.")] = None,
    idempotency_key: Annotated[CommandId | None, Header(description="The same, in a header.")] = None,
) -> Response:
    """Leave; chips go back to the balance. Wagers of a round that is played stay, and the safe answer counts. Who sends
    no id cannot send the same command again."""
    ids = {one for one in (said.id if said else None, id, idempotency_key) if one is not None}
    if len(ids) > 1:
        raise TwoIds(f"A command has one id, and these are {len(ids)}: {', '.join(map(quote, sorted(ids)))}.")
    house, sent, player, at = _sent(request, table, ids.pop() if ids else str(uuid.uuid4()))
    return standing(await house.at_table(house.floor.leave_seat, sent, player, at))


@router.post("/wagers", response_model=Standing, responses=_REFUSALS, openapi_extra=MUST_BE_NAMED)
async def lay_wagers(request: Request, table: str, said: WagersLaid) -> Response:
    """Lay the seat's wagers, complete. The round begins when all who sit are ready, or the clock runs out."""
    house, id, player, at = _sent(request, table, said.id)
    told = id, player, at, said.wagers, said.words
    return standing(await house.at_table(house.floor.lay_wagers, *told, round=said.round))


@router.post("/decisions", response_model=Standing, responses=_REFUSALS, openapi_extra=MUST_BE_NAMED)
async def decide(request: Request, table: str, said: Decided) -> Response:
    """Answer the question that the seat is asked."""
    house, id, player, at = _sent(request, table, said.id)
    told = id, player, at, said.answer
    return standing(await house.at_table(house.floor.answer, *told, round=said.round, question=said.question))
