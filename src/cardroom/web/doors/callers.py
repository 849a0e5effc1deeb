"""From where somebody calls: the one place that knows.

What a proxy says of those it calls for is believed by the server before a call comes here, and only of the proxies that
were named when it was started; whatever anybody else writes into such a header changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

from starlette.requests import HTTPConnection

from cardroom.floor.people.places import place_of

NOWHERE: Final = "?"
"""Where a call comes from when nobody can say."""


def address_of_caller(connection: HTTPConnection) -> str:
    """The address of whoever calls, behind the proxy if there is one."""
    return address_in(connection.scope)


def address_in(scope: Mapping[str, Any]) -> str:
    """The same, where there is only a scope."""
    client = scope.get("client")
    return _read(client[0]).written if client else NOWHERE


def household_in(scope: Mapping[str, Any]) -> str:
    """Whose calls are counted together: those of one address; of IPv6, where everybody has a whole network, of one
    such network."""
    client = scope.get("client")
    return _read(client[0]).household if client else NOWHERE


def is_from_this_machine(scope: Mapping[str, Any]) -> bool:
    client = scope.get("client")
    return _read(client[0]).here if client else False


class _Read:
    __slots__ = ("here", "household", "written")

    def __init__(self, written: str) -> None:
        """
        >>> one, other, none = _Read("2001:db8:1:2:3::4"), _Read("::ffff:127.0.0.1"), _Read("<script>")
        >>> one.household, one.here, other.written, other.here, none.written
        ('2001:db8:1:2::', False, '127.0.0.1', True, '?')
        """
        self.written, self.household, self.here = NOWHERE, NOWHERE, False
        try:
            address = ip_address(written.partition("%")[0])
        except ValueError:
            return
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        self.written, self.here = str(address), address.is_loopback
        self.household = place_of(self.written)


@lru_cache(10_000)
def _read(written: str) -> _Read:
    return _Read(written[:60])
