"""Every page of the office."""

from __future__ import annotations

from fastapi import APIRouter, Response

from cardroom.web.pages.office import (
    claims,
    custody,
    days,
    devices,
    downloads,
    jackpots,
    ledger,
    malfunctions,
    new_jackpot,
    new_table,
    operator,
    overview,
    people,
    players,
    promotions,
    reports,
    room,
    rounds,
    tables,
    tabulators,
    verify,
)
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
CHAPTERS = (
    overview, days, ledger, downloads, new_jackpot, jackpots, claims, operator, custody, malfunctions, new_table,
    tables, tabulators, devices, players, people, promotions, room, rounds, reports, verify,
)  # fmt: skip
for part in CHAPTERS:
    router.include_router(part.router)


@router.get("/office/{page:path}")
async def nowhere(page: str) -> Response:
    """Every other address under the office."""
    raise NothingThere(f"The office has no page {page!r}: its chapters are on the left.")
