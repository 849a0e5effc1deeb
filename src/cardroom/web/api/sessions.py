"""Signing in and out for programs: players with a name, and whatever else people of the house let a program do."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from cardroom.web.api.answers import answered
from cardroom.web.api.callers import MUST_BE_NAMED, the_house
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import WhoAreYou, refusals
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.rights.caller import caller_of

router = APIRouter(route_class=CarefulRoute, tags=["players"])
_MICRO: Final = 1_000_000
_REFUSALS: Final = refusals(400, 401, 403, 413, 415, 422, 503)


class SignIn(BaseModel):
    """A login and its password. It has no id: sent again it begins another session."""

    model_config = ConfigDict(extra="forbid", strict=True)
    login: str = Field(max_length=60)
    password: str = Field(max_length=300)


class SessionBegun(BaseModel):
    """A session."""

    login: str
    role: str
    token: str = Field(description="Sent with later calls. It is told once and kept nowhere.")
    until: int = Field(description="When it ends, in seconds since 1970.")
    must_choose: bool = Field(description="Whether a password has to be chosen in a browser first.")


@router.post("/sessions", status_code=201, response_model=SessionBegun, responses=_REFUSALS)
async def sign_in(request: Request, said: SignIn) -> Response:
    """Sign in. After three wrong passwords in a row a login is locked."""
    house = the_house(request)
    signed = await house.signs_in(said.login, said.password, address_of_caller(request))
    session = signed.session
    told: dict[str, Any] = {"login": session.login, "role": str(session.role), "token": signed.token}
    return answered(told | {"until": session.until // _MICRO, "must_choose": session.must_choose}, 201)


class Unlock(BaseModel):
    """What unlocks a device: the PIN, or without one the password."""

    model_config = ConfigDict(extra="forbid", strict=True)
    pin: str = Field(max_length=300)


@router.post("/sessions/unlock", status_code=204, responses=_REFUSALS, openapi_extra=MUST_BE_NAMED)
async def unlock(request: Request, said: Unlock) -> Response:
    """Unlock the session whose token the call carries. The third wrong PIN in a row ends it."""
    house, session = the_house(request), caller_of(request).session
    if session is None or "authorization" not in request.headers:
        raise WhoAreYou("Send the token of the session that is locked: Authorization: Bearer TOKEN.")
    await house.unlocks(session, said.pin, address_of_caller(request))
    return Response(None, 204)


@router.delete("/sessions", status_code=204, responses=refusals(401, 503), openapi_extra=MUST_BE_NAMED)
async def sign_out(request: Request) -> Response:
    """End the session whose token the call carries."""
    house, session = the_house(request), caller_of(request).session
    if session is None or "authorization" not in request.headers:
        raise WhoAreYou("Send the token of the session that is to end: Authorization: Bearer TOKEN.")
    await house.clerks.do(house.floor.end_session, session)
    house.sessions.forget(session.login)
    return Response(None, 204)
