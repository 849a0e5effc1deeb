"""Equipment over the network, under ``/api/v1/devices``.

A tabulator posts its presses, a data logger forwards what it kept while the server was away, an LED sign and a monitor
fetch or follow what to show, a dealer's console runs a live table. A token speaks for one device of one table; ids that
the sender makes let every command be sent again without harm.

    app.include_router(router, prefix="/api/v1/devices")

The floor is ``app.state.floor``; what is heard of devices goes to ``app.state.device_monitor``, and
``app.state.fair_queue`` says whose turn it is.
"""

from cardroom.web.devices.route import DeviceLimits, FairQueue
from cardroom.web.devices.router import router

__all__ = ["DeviceLimits", "FairQueue", "router"]
