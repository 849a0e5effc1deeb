"""Every page of the card room, and the line over which the open ones are kept true."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from fastapi import APIRouter, WebSocket
from starlette.routing import compile_path

from cardroom.errors import BadInput
from cardroom.web.pages import account, assets, dealer, displays, lobby, mine, rounds, rules, seat, signing_in
from cardroom.web.pages.lab import games as lab_games
from cardroom.web.pages.lab import router as lab
from cardroom.web.pages.lab import simulation
from cardroom.web.pages.office import devices as office_devices
from cardroom.web.pages.office import jackpots as office_jackpots
from cardroom.web.pages.office import overview as office
from cardroom.web.pages.office import router as office_pages
from cardroom.web.pages.visitors import house_of, is_from_here, visitor
from cardroom.web.rights.caller import NOBODY, Caller, caller_of
from cardroom.web.rights.doors import door_at
from cardroom.web.room.boards import SHOWN_OUT, Board, everybody
from cardroom.web.room.house import House
from cardroom.web.room.hub import Admits

router = APIRouter(include_in_schema=False)
for part in (assets, signing_in, account, lobby, seat, rounds, mine, office_pages, rules, lab, dealer, displays):
    router.include_router(part.router)

BOARDS: Final[tuple[tuple[str, Callable[..., Board]], ...]] = (
    ("/", lobby.board),
    ("/tables/{table}", seat.board),
    ("/lab", lab_games.list_board),
    ("/lab/{slug}", lab_games.board),
    ("/displays/{table}", displays.board),
    ("/displays/{table}/{kind}", displays.board),
)
"""The pages that stay true while they are open, by their addresses; each takes the house, the visitor, and what the
address names."""
OFFERING: Final[tuple[tuple[str, Callable[..., Board]], ...]] = (
    ("/office", office.board),
    ("/office/devices", office_devices.board),
    ("/office/jackpots/{jackpot}", office_jackpots.board),
    ("/dealer/{table}", dealer.board),
    ("/lab/{slug}/simulation/{run}", simulation.board),
)
"""The same, of pages that offer to each what the person may do, and have forms: these take who calls."""
_KNOWN: Final = [(compile_path(path)[0], board) for path, board in BOARDS]
_OFFERING: Final = [(compile_path(path)[0], board) for path, board in OFFERING]
_NOT_FOR_YOU: Final = 4403
"""Another site's page asks, or a person whose role may not look."""
_NO_SUCH_PAGE: Final = 4404
_STILL: Final = Board(lambda _: False, lambda: "")
"""Of a page that never changes: its line only tells when the session of the person who looks at it is over."""


def board_of(house: House, player: str | None, address: str, caller: Caller = NOBODY) -> Board | None:
    """The board of a page by its address; None for one that never changes."""
    for boards, looker in ((_KNOWN, player), (_OFFERING, caller)):
        for pattern, board in boards:
            found = pattern.fullmatch(address)
            if found:
                named: dict[str, Any] = found.groupdict()
                return board(house, looker, **named)
    return None


@router.websocket("/live")
async def keep_true(socket: WebSocket, page: str) -> None:
    """Keep an open page true."""
    house, player, board = house_of(socket), visitor(socket), None
    if not is_from_here(socket):
        await socket.close(_NOT_FOR_YOU)
        return
    caller = caller_of(socket)
    if not may_look(socket, page):
        # A page that says that the person's role may not look shows nothing else, and is not loaded again.
        is_in = caller.session is not None and caller.first_step is None
        await socket.accept()
        await socket.close(_NOT_FOR_YOU if is_in else SHOWN_OUT)
        return
    with suppress(BadInput):
        board = board_of(house, player, page, caller) or (_STILL if caller.session is not None else None)
    if board is None:
        await socket.accept()  # a browser hears why only over a line that was taken
        await socket.close(_NO_SUCH_PAGE)
        return
    await house.boards.show(socket, board, player, _admits(socket, page))


def may_look(socket: WebSocket, page: str) -> bool:
    """Whether whoever calls may look at a page."""
    door = door_at("GET", page)
    return door is None or (door.right is not None and caller_of(socket).may(door.right))


def _admits(socket: WebSocket, page: str) -> Admits:
    """Asks again and again whether the session that has opened a page still lasts, also where the page is open to all:
    a player's own page shows the player's cards. The session is never locked from here: another server may know that
    the person is active, and the page that is loaded again tells."""
    house, caller, door = house_of(socket), caller_of(socket), door_at("GET", page)
    if caller.session is None or caller.first_step is not None:
        return everybody  # what is on the page is for all
    right = door.right if door is not None else None

    async def still() -> bool:
        now = caller._replace(session=await house.sessions.of(caller.token, caller.seen, locks=False))
        if now.session is None or now.first_step is not None:
            return False
        return right is None or now.may(right)

    return still
