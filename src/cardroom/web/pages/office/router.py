"""Every page of the office."""

from __future__ import annotations

from fastapi import APIRouter, Response

from cardroom.web.pages.office import (
    claims,
    devices,
    jackpot_money,
    jackpots,
    ledger,
    malfunctions,
    new_jackpot,
    overview,
    past_rounds,
    player_accounts,
    promotions,
    rate_changes,
    reports,
    site,
    table_admin,
    tabulators,
    users,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
ROUTERS = (
    overview, site, ledger, reports, new_jackpot, jackpots, claims, rate_changes, jackpot_money, malfunctions,
    table_admin, tabulators, devices, player_accounts, users, promotions, past_rounds,
)  # fmt: skip
for part in ROUTERS:
    router.include_router(part.router)


@router.get("/office/{page:path}")
async def refuse_unknown_page(page: str) -> Response:
    """Every other URL under the office."""
    raise PageNotFound(f"The office has no page {page!r}: its sections are on the left.")
