"""Rounds that have ended."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.floor import Floor, UnknownRound
from cardroom.floor.people.permissions import Right
from cardroom.web.api.answers import answered
from cardroom.web.api.callers import MAY_BE_NAMED, looker, the_house
from cardroom.web.api.models import PastRound
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import refusals
from cardroom.web.rights.caller import caller_of

router = APIRouter(prefix="/rounds", route_class=CarefulRoute, tags=["rounds"])
_ROUND: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]{0,59})\.[1-9][0-9]{0,14}")


@router.get("/{round}", response_model=PastRound, responses=refusals(401, 404, 503), openapi_extra=MAY_BE_NAMED)
async def look_at_round(request: Request, round: str) -> Response:
    """A round that has ended: its record, its payments, and the key with which anybody can deal it again. Who sat there
    is told to those who did."""
    house = the_house(request)
    player, sees_all = looker(request), caller_of(request).may(Right.SEE_ROUNDS)
    return answered(await house.clerks.look(_past, house.floor, round, player, sees_all))


def _past(floor: Floor, id: str, player: str | None, sees_all: bool) -> dict[str, Any]:
    named = _ROUND.fullmatch(id)
    if named is None:
        raise UnknownRound("There is no round of that name: a round's id is such as prime-1.17.")
    floor.look(named[1], player)  # a private table's rounds are its owner's
    past = floor.past_round(id)
    return (past if sees_all else past.told_to(player)).entry()
