"""The application: every address of the card room, around one floor."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Response
from starlette.types import ASGIApp

from cardroom import __version__
from cardroom.floor import Floor
from cardroom.ledger import Clock, system_clock
from cardroom.web import devices
from cardroom.web.access import AccessLog
from cardroom.web.addresses import router as pages
from cardroom.web.api import play, players, rounds, sessions, tables
from cardroom.web.api.answers import answered
from cardroom.web.api.callers import SCHEMES
from cardroom.web.api.models import Health
from cardroom.web.api.refusals import refusals, refuse_in_sentences, refused
from cardroom.web.doors.doorkeeper import Doorkeeper
from cardroom.web.doors.headers import SafeHeaders
from cardroom.web.known import callers_of
from cardroom.web.pages.refusals import refuse_on_pages
from cardroom.web.porter import Porter
from cardroom.web.room.house import House, HouseRules
from cardroom.web.room.hub import StreamsLast

API = "/api/v1"


class CardRoom(FastAPI):
    """An application whose doorkeeper stands before everything, also before what answers for a fault of our own."""

    def build_middleware_stack(self) -> ASGIApp:
        house: House = self.state.house
        noted = AccessLog(super().build_middleware_stack(), house.tallies)
        kept = Doorkeeper(noted, callers_of(house, self.state.turns), house.rules.limits)
        return SafeHeaders(kept, house.rules.secure)


def card_room(floor: Floor, rules: HouseRules | None = None, clock: Clock = system_clock) -> FastAPI:
    """The card room on the web. It opens with the server, and closes when everything taken on is done."""
    house = House(floor, rules, clock)

    @asynccontextmanager
    async def open_hours(_: FastAPI) -> AsyncIterator[None]:
        await house.open()
        try:
            yield
        finally:
            await house.close()

    app = CardRoom(
        title="Cardroom",
        version=__version__,
        description="Tables of house-banked games. Amounts are integer cents.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=open_hours,
    )
    app.state.house, app.state.floor, app.state.stopping = house, floor, house.stopping
    app.state.hearing, app.state.turns = house.hearing, devices.Turns()
    refuse_in_sentences(app)
    refuse_on_pages(app)
    app.add_middleware(Porter, house=house)
    app.add_middleware(StreamsLast)
    for part in (play, tables, players, sessions, rounds):
        app.include_router(part.router, prefix=API)
    app.include_router(devices.router, prefix=f"{API}/devices")
    app.include_router(pages)

    @app.get("/healthz", response_model=Health, responses=refusals(503), tags=["house"])
    async def health() -> Response:
        """How the server is, and whether it can carry out commands."""
        if wrong := await house.health.check():
            return refused(503, wrong)
        here = {"server": house.rota.name, "tables": len(house.rota)}
        return answered({"status": "ok", "version": __version__, "database": "reachable", **here})

    describe_truly(app)
    return app


def describe_truly(app: FastAPI) -> None:
    """FastAPI describes an answer of its own for what it finds wrong; here such a call gets a sentence, or there is
    nothing to find. What the doorkeeper says may be said to any call."""
    drawn_up = app.openapi

    def described() -> dict[str, Any]:
        document = drawn_up()
        document["components"].setdefault("securitySchemes", {}).update(SCHEMES)
        schemas = document["components"]["schemas"]
        if schemas.pop("HTTPValidationError", None):
            del schemas["ValidationError"]
            for path in document["paths"].values():
                for call in path.values():
                    if "HTTPValidationError" in str(call["responses"].get("422")):
                        del call["responses"]["422"]
        too_often = document["paths"][f"{API}/guests"]["post"]["responses"]["429"]
        for path in document["paths"].values():
            for call in path.values():
                call["responses"].setdefault("429", too_often)
        return document

    app.openapi = described  # type: ignore[method-assign]
