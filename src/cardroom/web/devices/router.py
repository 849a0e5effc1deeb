"""All calls of devices."""

from fastapi import APIRouter

from cardroom.web.devices import counting, live, showing

router = APIRouter(tags=["devices"])
router.include_router(counting.router)
router.include_router(showing.router)
router.include_router(live.router)
