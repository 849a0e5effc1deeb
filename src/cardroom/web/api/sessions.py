"""Signing in and out for programs: players with a name, and whatever else people of the house let a program do."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from cardroom.web.api.answers import answered
from cardroom.web.api.callers import MUST_BE_NAMED, the_house
from cardroom.web.api.reading import CarefulRoute
from cardroom.web.api.refusals import WhoAreYou, refusals
from cardroom.web.door.address import address_of_caller
from cardroom.web.door.caller import caller_of

router = APIRouter(route_class=CarefulRoute, tags=["players"])
_MICRO: Final = 1_000_000


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


@router.post(
    "/sessions",
    status_code=201,
    response_model=SessionBegun,
    responses=refusals(400, 401, 403, 413, 415, 422, 503),
)
async def sign_in(request: Request, said: SignIn) -> Response:
    """Sign in. After three wrong passwords in a row a login is locked."""
    house = the_house(request)
    signed = await house.signs_in(said.login, said.password, address_of_caller(request))
    session = signed.session
    told: dict[str, Any] = {"login": session.login, "role": str(session.role), "token": signed.token}
    return answered(told | {"until": session.until // _MICRO, "must_choose": session.must_choose}, 201)


@router.delete("/sessions", status_code=204, responses=refusals(401, 503), openapi_extra=MUST_BE_NAMED)
async def sign_out(request: Request) -> Response:
    """End the session whose token the call carries."""
    house, session = the_house(request), caller_of(request).session
    if session is None or "authorization" not in request.headers:
        raise WhoAreYou("Send the token of the session that is to end: Authorization: Bearer TOKEN.")
    await house.clerks.do(house.floor.end_session, session)
    house.sessions.forget(session.login)
    return Response(None, 204)
