"""Ports for servers that begin later, or begin again."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def reserved_port() -> Iterator[int]:
    """A port that the system gives to no other program until the end, though a server may listen there.

    It stays bound and does not listen: a server that sets SO_REUSEADDR, as all of ours do, can listen on it, a program
    that asks for any free port never gets it, and while no server is there a call is refused.

    >>> with reserved_port() as port, socket.create_server(("127.0.0.1", port)) as server:
    ...     server.getsockname() == ("127.0.0.1", port)
    True
    """
    with socket.socket() as reserved:
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.bind(("127.0.0.1", 0))
        yield int(reserved.getsockname()[1])
