"""Every page of the office."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.web.pages.office import (
    claims,
    custody,
    days,
    downloads,
    jackpots,
    ledger,
    new_table,
    overview,
    players,
    reports,
    rounds,
    tables,
    verify,
)

router = APIRouter(include_in_schema=False)
for part in (overview, days, ledger, downloads, jackpots, claims, custody, new_table, tables):
    router.include_router(part.router)
for part in (players, rounds, reports, verify):
    router.include_router(part.router)
