"""Every page of the lab."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.web.pages.lab import games, simulation, wagers

router = APIRouter(include_in_schema=False)
for part in (games, simulation, wagers):
    router.include_router(part.router)
