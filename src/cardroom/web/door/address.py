"""Where a call comes from."""

from __future__ import annotations

from starlette.requests import HTTPConnection


def address_of_caller(connection: HTTPConnection) -> str:
    """The address of whoever calls."""
    return connection.client.host if connection.client else "?"
