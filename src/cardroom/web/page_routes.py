"""Every page of the card room, and the WebSocket that updates open pages."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter, WebSocket
from starlette.routing import compile_path

from cardroom.errors import BadInput
from cardroom.web.middleware.permissions import ANONYMOUS, RequestCaller, find_route_permission, get_caller
from cardroom.web.pages import assets, dealer, displays, lobby, past_rounds, rules, seat, sign_in
from cardroom.web.pages.lab import games as lab_games
from cardroom.web.pages.lab import router as lab
from cardroom.web.pages.lab import simulation
from cardroom.web.pages.office import devices as office_devices
from cardroom.web.pages.office import jackpots as office_jackpots
from cardroom.web.pages.office import overview as office
from cardroom.web.pages.office import router as office_pages
from cardroom.web.pages.requests import get_app_context, get_player, is_same_origin
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.event_hub import SessionCheck
from cardroom.web.services.live_pages import SESSION_ENDED, LivePage, admit_everyone

router = APIRouter(include_in_schema=False)
for part in (assets, sign_in, lobby, seat, past_rounds, office_pages, rules, lab, dealer, displays):
    router.include_router(part.router)

LIVE_PAGES: Final[tuple[tuple[str, Callable[..., LivePage]], ...]] = (
    ("/", lobby.live_page),
    ("/tables/{table}", seat.live_page),
    ("/lab", lab_games.live_list_page),
    ("/lab/{slug}", lab_games.live_game_page),
    ("/displays/{table}", displays.live_page),
    ("/displays/{table}/{kind}", displays.live_page),
)
"""Live pages by path. Each function takes the context, the player, and the parameters of the path."""
PERSONAL_LIVE_PAGES: Final[tuple[tuple[str, Callable[..., LivePage]], ...]] = (
    ("/office", office.live_page),
    ("/office/devices", office_devices.live_page),
    ("/office/jackpots/{jackpot}", office_jackpots.live_page),
    ("/dealer/{table}", dealer.live_page),
    ("/lab/{slug}/simulation/{run}", simulation.live_page),
)
"""Live pages that depend on the caller's permissions and have forms. Each function takes the caller instead of the
player."""
_LIVE_PAGE_PATTERNS: Final = [(compile_path(path)[0], live_page) for path, live_page in LIVE_PAGES]
_PERSONAL_PATTERNS: Final = [(compile_path(path)[0], live_page) for path, live_page in PERSONAL_LIVE_PAGES]
_FORBIDDEN: Final = 4403
"""The request comes from another site, or the role has no permission."""
_NO_SUCH_PAGE: Final = 4404
_STATIC_PAGE: Final = LivePage((), lambda: "")
"""A page that never changes. Its connection only reports the end of the session."""


def find_live_page(
    context: AppContext, player: str | None, path: str, caller: RequestCaller = ANONYMOUS
) -> LivePage | None:
    """The live page of a path; None for a page that never changes."""
    for live_pages, viewer in ((_LIVE_PAGE_PATTERNS, player), (_PERSONAL_PATTERNS, caller)):
        for pattern, live_page in live_pages:
            match = pattern.fullmatch(path)
            if match:
                parameters: dict[str, Any] = match.groupdict()
                return live_page(context, viewer, **parameters)
    return None


@router.websocket("/live")
async def serve_live_page(socket: WebSocket, page: str) -> None:
    """Keep an open page up to date."""
    context, player, live_page = get_app_context(socket), get_player(socket), None
    if not is_same_origin(socket):
        await socket.close(_FORBIDDEN)
        return
    caller = get_caller(socket)
    if not may_open_page(socket, page):
        # A page that refuses the role shows nothing else, so it is not reloaded.
        is_in = caller.session is not None and caller.sign_in_step is None
        await socket.accept()
        await socket.close(_FORBIDDEN if is_in else SESSION_ENDED)
        return
    with suppress(BadInput):
        static_page = _STATIC_PAGE if caller.session is not None else None
        live_page = find_live_page(context, player, page, caller) or static_page
    if live_page is None:
        await socket.accept()  # a browser receives the close code only on an accepted connection
        await socket.close(_NO_SUCH_PAGE)
        return
    await context.live_pages.serve(socket, live_page, player, _session_check(socket, page))


def may_open_page(socket: WebSocket, page: str) -> bool:
    """Whether the caller may open a page."""
    route_permission = find_route_permission("GET", page)
    return route_permission is None or (
        route_permission.permission is not None and get_caller(socket).may(route_permission.permission)
    )


def _session_check(socket: WebSocket, page: str) -> SessionCheck:
    """A check whether the session of an open page is still valid, also on public pages, because a player's page shows
    the player's cards. The check never locks the session, because another server may know that the user is active."""
    context, caller, route_permission = get_app_context(socket), get_caller(socket), find_route_permission("GET", page)
    if caller.session is None or caller.sign_in_step is not None:
        return admit_everyone  # the page is public
    permission = route_permission.permission if route_permission is not None else None

    async def is_still_admitted() -> bool:
        current = caller._replace(session=await context.sessions.find(caller.token, caller.last_active, locks=False))
        if current.session is None or current.sign_in_step is not None:
            return False
        return permission is None or current.may(permission)

    return is_still_admitted
