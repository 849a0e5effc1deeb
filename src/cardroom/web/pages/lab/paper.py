"""PAR sheets to take away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import orjson
from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.games import default_setup, game
from cardroom.games.setup import setup_to_json
from cardroom.web.pages.lab.games import list_games
from cardroom.web.pages.visitors import house_of, player_name
from cardroom.web.room.house import House, tables_for
from cardroom.web.room.waiting import NOBODY_READS, while_here

router = APIRouter(include_in_schema=False)
KINDS: Final = {"pdf": "application/pdf", "html": "text/html; charset=utf-8"}


def setup_of(house: House, player: str | None, slug: str, table: str) -> str:
    """The set-up of an open table, or the usual one of a game."""
    name = game(slug).facts.name
    if not table:
        return orjson.dumps(setup_to_json(default_setup(slug))).decode()
    for look in tables_for(house.floor, player):
        if look.state.table == table and look.state.game.facts.slug == slug:
            return look.state.setup
    raise BadInput(f"No table {table!r} of {name} is open to you: leave it out for the usual set-up.")


@router.get("/lab/{slug}/par.{form}")
async def download_par(request: Request, slug: str, form: str, table: str = "") -> Response:
    """The PAR sheet of a table as PDF or HTML, made in another process."""
    house, player = house_of(request), player_name(request)
    try:
        if form not in KINDS:
            raise BadInput(f"A PAR sheet is a .pdf or a .html, not a .{form}.")
        setup = await house.clerks.look(setup_of, house, player, slug, table)
        today = datetime.now(UTC).astimezone().date()
        printed = await while_here(request, house.lab.par_sheet(setup, f".{form}", today))
    except BadInput as refusal:
        return await list_games(request, str(refusal))
    if printed is None:
        return Response(status_code=NOBODY_READS)
    named = f'attachment; filename="{table or slug}-par.{form}"'
    headers = {"Content-Disposition": named, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(printed, headers=headers, media_type=KINDS[form])
