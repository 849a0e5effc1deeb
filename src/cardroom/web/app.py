"""The application: every URL of one card room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Response
from starlette.types import ASGIApp

from cardroom import __version__
from cardroom.ledger import Clock, system_clock
from cardroom.service import CardRoom
from cardroom.web import devices
from cardroom.web.api import player_calls, table_calls
from cardroom.web.api.models import HealthResponse
from cardroom.web.api.refusals import install_error_handlers, refusal_response, refusals
from cardroom.web.api.requests import SCHEMES, json_response
from cardroom.web.auth_middleware import AuthMiddleware, create_caller_key
from cardroom.web.logs import AccessLog
from cardroom.web.middleware.languages import LanguageMiddleware
from cardroom.web.middleware.request_limiter import RequestLimiter
from cardroom.web.middleware.security_headers import SecurityHeaders
from cardroom.web.page_routes import router as pages
from cardroom.web.pages.templating import install_error_pages
from cardroom.web.services.app_context import AppContext, ServerOptions
from cardroom.web.services.event_hub import StreamMiddleware

API = "/api/v1"


class WebApplication(FastAPI):
    """An application whose request limiter runs before everything else, including the error handlers."""

    def build_middleware_stack(self) -> ASGIApp:
        context: AppContext = self.state.context
        logged_app = AccessLog(super().build_middleware_stack(), context.metrics)
        limited_app = RequestLimiter(
            logged_app, create_caller_key(context, self.state.fair_queue), context.options.limits
        )
        return SecurityHeaders(LanguageMiddleware(limited_app), context.options.secure)


def create_app(card_room: CardRoom, options: ServerOptions | None = None, clock: Clock = system_clock) -> FastAPI:
    """The web application of a card room. It opens with the server and closes after every accepted command is done."""
    context = AppContext(card_room, options, clock)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await context.open()
        try:
            yield
        finally:
            await context.close()

    app = WebApplication(
        title="Cardroom",
        version=__version__,
        description="Tables of house-banked games. Amounts are integer cents.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.context, app.state.card_room, app.state.stopping = context, card_room, context.stopping
    app.state.device_monitor, app.state.fair_queue = context.device_monitor, devices.FairQueue()
    install_error_handlers(app)
    install_error_pages(app)
    app.add_middleware(AuthMiddleware, context=context)
    app.add_middleware(StreamMiddleware)
    # The router tries routes in this order, so the most frequent requests come first.
    for router in (
        table_calls.command_router,
        table_calls.seat_router,
        table_calls.router,
        player_calls.router,
        table_calls.round_router,
    ):
        app.include_router(router, prefix=API)
    app.include_router(devices.router, prefix=f"{API}/devices")
    app.include_router(pages)

    @app.get("/healthz", response_model=HealthResponse, responses=refusals(503), tags=["server"])
    async def health() -> Response:
        """The state of the server, and whether it can execute commands."""
        if problem := await context.health_check.check():
            return refusal_response(503, problem)
        lease_counts = {"server": context.lease_manager.name, "tables": len(context.lease_manager)}
        return json_response({"status": "ok", "version": __version__, "database": "reachable", **lease_counts})

    correct_openapi(app)
    return app


def correct_openapi(app: FastAPI) -> None:
    """Correct FastAPI's description: an invalid request gets this server's refusal instead of FastAPI's, and the
    request limiter can refuse every request."""
    default_openapi = app.openapi

    def openapi_document() -> dict[str, Any]:
        document = default_openapi()
        document["components"].setdefault("securitySchemes", {}).update(SCHEMES)
        schemas = document["components"]["schemas"]
        if schemas.pop("HTTPValidationError", None):
            del schemas["ValidationError"]
            for path in document["paths"].values():
                for call in path.values():
                    if "HTTPValidationError" in str(call["responses"].get("422")):
                        del call["responses"]["422"]
        rate_limited = document["paths"][f"{API}/guests"]["post"]["responses"]["429"]
        for path in document["paths"].values():
            for call in path.values():
                call["responses"].setdefault("429", rate_limited)
        return document

    app.openapi = openapi_document  # type: ignore[method-assign]
