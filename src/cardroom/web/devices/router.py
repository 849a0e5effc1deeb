"""All calls of devices."""

from fastapi import APIRouter

from cardroom.web.devices import console, screens, tabulators

router = APIRouter(tags=["devices"])
router.include_router(tabulators.router)
router.include_router(screens.router)
router.include_router(console.router)
