"""Places: where passwords are typed, and what is counted together.

An address on the network is one place; of IPv6, where one household has a whole network, the network is. The command
line of the room's own machine is a place that no stranger can reach, whatever happens on the network.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from typing import Final

COMMAND_LINE: Final = "the command line"


def place_of(address: str) -> str:
    """The place of an address, or of the command line.

    >>> place_of("192.0.2.7"), place_of("2001:db8:1:2:3::4"), place_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:1:2::', '192.0.2.7')
    >>> place_of("the command line (rosa)"), place_of("?")
    ('the command line', '?')
    """
    if address.startswith(COMMAND_LINE):
        return COMMAND_LINE
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


def is_at_machine(place: str) -> bool:
    """Whether only a person at the room's own machine can be there.

    >>> [is_at_machine(one) for one in ("the command line", "127.0.0.1", "::1", "192.0.2.7", "?")]
    [True, True, True, False, False]
    """
    try:
        return place == COMMAND_LINE or ip_address(place).is_loopback
    except ValueError:
        return False
