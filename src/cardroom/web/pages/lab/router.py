"""Every page of the lab."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.web.pages.lab import games, hand, paper, simulation, wager

router = APIRouter(include_in_schema=False)
for part in (games, hand, paper, simulation, wager):
    router.include_router(part.router)
