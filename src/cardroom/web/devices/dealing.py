"""Who deals at a console: the device speaks for its table, and the dealer who is signed in there answers for what is
done. A console that nobody has touched for a while is locked like every other device."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Header, Request

from cardroom.floor.desks.signatures import Signature, ToSign
from cardroom.floor.people.permissions import Right, may, refuse
from cardroom.floor.people.signing import Session
from cardroom.web.devices.refusals import NobodyDeals
from cardroom.web.devices.speaking import Console, Speaker
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.room.house import House

HEADER: Final = "cardroom-session"
LOOKS, DEALS, VOIDS = Right.SEE_CONSOLES, Right.DEAL, Right.VOID_ROUNDS
"""What the calls of a console take: the same rights as the console's page."""


class Dealing(NamedTuple):
    """A console, and the dealer at it."""

    speaker: Speaker
    session: Session
    address: str
    house: House

    @property
    def who(self) -> str:
        return self.session.login

    async def sign(self, to_sign: ToSign, password: str) -> Signature:
        """A second person signs in for one command."""
        return await self.house.signs(to_sign, password, right=VOIDS, address=self.address)


SessionToken = Annotated[
    str, Header(alias="Cardroom-Session", description="The dealer's, from `POST /api/v1/sessions`.", max_length=200)
]


async def dealing(request: Request, speaker: Console, token: SessionToken = "") -> Dealing:
    """The dealer who is signed in at a console, and does something there."""
    return await _person(request, speaker, token, DEALS)


async def voiding(request: Request, speaker: Console, token: SessionToken = "") -> Dealing:
    """The person who is signed in at a console, and calls a round off."""
    return await _person(request, speaker, token, VOIDS)


async def looking(request: Request, speaker: Console, token: SessionToken = "") -> Dealing:
    """The same, where the console only asks what to show: that keeps no console awake."""
    return await _person(request, speaker, token, LOOKS)


async def _person(request: Request, speaker: Speaker, token: str, right: Right) -> Dealing:
    house: House = request.app.state.house
    session = await house.sessions.of(token, active=right is not LOOKS, by_program=True)
    if session is None:
        raise NobodyDeals(
            "Nobody is signed in at this console: sign in (POST /api/v1/sessions) and send the token as "
            "Cardroom-Session."
        )
    if session.locked:
        raise NobodyDeals(f"The console is locked ({session.locked}): POST /api/v1/sessions/unlock with the PIN first.")
    if session.must_choose:
        raise NobodyDeals(f"{session.login} has a password for one time: choose another one in the browser first.")
    if not may(session.role, right):
        raise refuse(session.login, session.role, right)
    return Dealing(speaker, session, address_of_caller(request), house)


AtTheConsole = Annotated[Dealing, Depends(dealing)]
Voids = Annotated[Dealing, Depends(voiding)]
LooksOn = Annotated[Dealing, Depends(looking)]
