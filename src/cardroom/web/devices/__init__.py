"""The device API, under ``/api/v1/devices``.

A tabulator reports button presses, a data logger forwards records that it stored while the server was unreachable, an
LED sign and a monitor read or follow what to show, and a dealer's console runs a live table. A token identifies one
device of one table. The sender chooses the id of each command, so a command can be repeated safely.

    app.include_router(router, prefix="/api/v1/devices")

The application's state needs the card room as ``card_room``, a ``device_monitor``, and a ``fair_queue``.
"""

from cardroom.web.devices.route import DeviceLimits, FairQueue
from cardroom.web.devices.router import router

__all__ = ["DeviceLimits", "FairQueue", "router"]
