"""Every page of the card room, and the line over which the open ones are kept true."""

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
"""The pages that stay true while they are open, by their addresses; each takes the house, the visitor, and what the
address names."""
PERSONAL_LIVE_PAGES: Final[tuple[tuple[str, Callable[..., LivePage]], ...]] = (
    ("/office", office.live_page),
    ("/office/devices", office_devices.live_page),
    ("/office/jackpots/{jackpot}", office_jackpots.live_page),
    ("/dealer/{table}", dealer.live_page),
    ("/lab/{slug}/simulation/{run}", simulation.live_page),
)
"""The same, of pages that offer to each what the person may do, and have forms: these take who calls."""
_LIVE_PAGE_PATTERNS: Final = [(compile_path(path)[0], board) for path, board in LIVE_PAGES]
_PERSONAL_PATTERNS: Final = [(compile_path(path)[0], board) for path, board in PERSONAL_LIVE_PAGES]
_FORBIDDEN: Final = 4403
"""Another site's page asks, or a person whose role may not look."""
_NO_SUCH_PAGE: Final = 4404
_STATIC_PAGE: Final = LivePage(lambda _: False, lambda: "")
"""Of a page that never changes: its line only tells when the session of the person who looks at it is over."""


def find_live_page(
    context: AppContext, player: str | None, address: str, caller: RequestCaller = ANONYMOUS
) -> LivePage | None:
    """The board of a page by its address; None for one that never changes."""
    for boards, looker in ((_LIVE_PAGE_PATTERNS, player), (_PERSONAL_PATTERNS, caller)):
        for pattern, board in boards:
            match = pattern.fullmatch(address)
            if match:
                parameters: dict[str, Any] = match.groupdict()
                return board(context, looker, **parameters)
    return None


@router.websocket("/live")
async def serve_live_page(socket: WebSocket, page: str) -> None:
    """Keep an open page true."""
    context, player, board = get_app_context(socket), get_player(socket), None
    if not is_same_origin(socket):
        await socket.close(_FORBIDDEN)
        return
    caller = get_caller(socket)
    if not may_open_page(socket, page):
        # A page that says that the person's role may not look shows nothing else, and is not loaded again.
        is_in = caller.session is not None and caller.sign_in_step is None
        await socket.accept()
        await socket.close(_FORBIDDEN if is_in else SESSION_ENDED)
        return
    with suppress(BadInput):
        board = find_live_page(context, player, page, caller) or (_STATIC_PAGE if caller.session is not None else None)
    if board is None:
        await socket.accept()  # a browser hears why only over a line that was taken
        await socket.close(_NO_SUCH_PAGE)
        return
    await context.live_pages.serve(socket, board, player, _session_check(socket, page))


def may_open_page(socket: WebSocket, page: str) -> bool:
    """Whether whoever calls may look at a page."""
    route_permission = find_route_permission("GET", page)
    return route_permission is None or (
        route_permission.permission is not None and get_caller(socket).may(route_permission.permission)
    )


def _session_check(socket: WebSocket, page: str) -> SessionCheck:
    """Asks again and again whether the session that has opened a page still lasts, also where the page is open to all:
    a player's own page shows the player's cards. The session is never locked from here: another server may know that
    the person is active, and the page that is loaded again tells."""
    context, caller, route_permission = get_app_context(socket), get_caller(socket), find_route_permission("GET", page)
    if caller.session is None or caller.sign_in_step is not None:
        return admit_everyone  # what is on the page is for all
    right = route_permission.permission if route_permission is not None else None

    async def is_still_admitted() -> bool:
        now = caller._replace(session=await context.sessions.find(caller.token, caller.last_active, locks=False))
        if now.session is None or now.sign_in_step is not None:
            return False
        return right is None or now.may(right)

    return is_still_admitted
