"""A seat at a felt."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from cardroom.floor.desks.felts import visible
from cardroom.floor.kept.chains import felt_chain
from cardroom.web.pages.drawing import fragment, page
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False)


def board(house: House, player: str | None, table: str) -> Board:
    """A felt as one visitor may see it, as long as the page is open."""
    visible(house.floor.felt(table), player or "")

    def draw() -> str:
        return fragment("seat/felt.html", look=house.floor.look(table, player))

    return Board(follow(felt_chain(table)), draw)


@router.get("/tables/{table}")
async def show_felt(request: Request, table: str) -> Response:
    """The felt, with the visitor's seat if there is one."""
    house, player = house_of(request), player_name(request)
    shown = await house.clerks.look(board, house, player, table)
    drawn = await house.clerks.look(shown.draw)
    house.watch.look_on(table)
    return page(request, "seat/page.html", felt=drawn, table=table, player=player)
