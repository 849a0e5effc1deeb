"""What a visitor has: the balance, the seats, and the rounds that were played, page by page."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.floor import Floor, UnknownRound
from cardroom.web.api.refusals import status_of
from cardroom.web.pages.drawing import page
from cardroom.web.pages.prizes import prizes_told
from cardroom.web.pages.recalled import seat_of
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.rights.caller import caller_of

router = APIRouter(include_in_schema=False)
A_PAGE: Final = 25


@router.get("/me")
async def show_mine(request: Request, before: str = "") -> Response:
    """The visitor's own page; ``before`` a round, its earlier ones."""
    house, player = house_of(request), player_name(request)
    if step := caller_of(request).first_step:
        return RedirectResponse(f"{step.page}?next=/me", 303)
    if player is None:
        return page(request, "me/nobody.html", guests=house.rules.guests)
    try:
        shown = await house.clerks.look(_drawn, house.floor, player, before)
    except UnknownRound as fault:
        return page(request, "rounds/unknown.html", status=status_of(fault), sentence=str(fault))
    return page(request, "me/page.html", **shown)


def _drawn(floor: Floor, player: str, before: str) -> dict[str, Any]:
    state, calendar = floor.player(player), floor.calendar
    found = floor.history_page(player, before=before or None, limit=A_PAGE)
    seats = [(floor.felt(table), seat) for table, seat in state.seats.items()]
    return {
        "state": state,
        "seats": [(felt, one) for felt, seat in seats if (one := felt.seated(seat)) is not None],
        "rounds": [
            (one, one.of_player(player), calendar.told(one.time), prizes_told(floor, one, seat_of(one, player)))
            for one in found.rounds
        ],
        "before": before,
        "next": found.before,
        "times": calendar.said,
    }
