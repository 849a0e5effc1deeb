"""Equipment over the network, under ``/api/v1/devices``.

A tabulator posts its presses, a data logger forwards what it kept while the server was away, an LED sign and a monitor
fetch or follow what to show, a dealer's console runs a live table. A token speaks for one device of one table; ids that
the sender makes let every command be sent again without harm.

    app.include_router(router, prefix="/api/v1/devices")

The floor is ``app.state.floor``; what is heard of devices goes to ``app.state.hearing``, and ``app.state.turns`` says
whose turn it is.
"""

from cardroom.web.devices.router import router
from cardroom.web.devices.turns import Allowed, Turns

__all__ = ["Allowed", "Turns", "router"]
