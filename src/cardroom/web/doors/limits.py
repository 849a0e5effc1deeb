"""How often, how many and how much: the limits that nobody who plays ever meets.

A program at a practice table plays some 50 rounds a second, with some five calls a round. Whoever has no token shares a
limit with everybody at the same address: a whole room of people behind one router, who look on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.web.doors.buckets import Rate

DEVICES: Final = "/api/v1/devices/"


class Limits(NamedTuple):
    """What an operator may set otherwise."""

    calls: Rate = Rate(500, 2_000)
    """Of a player or a device."""
    calls_without_token: Rate = Rate(200, 1_000)
    """From one address."""
    guests: Rate = Rate(0.5, 30)
    """Admitted from one address. The demonstration room is reached from its own machine only, and there it is a program
    that lets many come in; so the machine itself has no such limit."""
    lines: int = 400
    """Pages and streams that a player or a device keeps open."""
    lines_without_token: int = 500
    """The same of everybody at one address who has no token."""
    body: int = 64 * 1024
    """Bytes; a table's set-up, the longest that anybody sends, has some thousand."""
    body_of_device: int = 1 << 20
    """Bytes; a data logger that was away sends all its records at once."""
    address: int = 8 * 1024
    """Bytes of an address with its question."""
    head: int = 32 * 1024
    """Bytes of all headers."""

    def body_at(self, path: str) -> int:
        """How long a body may be that is sent to an address."""
        return self.body_of_device if path.startswith(DEVICES) else self.body


USUAL: Final = Limits()
