"""The server: listens, reports its URL, and stops without losing a command."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI

from cardroom.errors import BadInput
from cardroom.web.middleware.listener_options import PLAIN_HTTP, ListenerOptions, tls_context
from cardroom.web.middleware.read_timeouts import TimeoutProtocol
from cardroom.web.services.app_context import AppContext

SHUTDOWN_SECONDS: Final = 30
"""Seconds for running requests when the server stops."""
MAX_MESSAGE_BYTES: Final = 1_000
"""The size limit of a message from an open page, which only ever requests an update."""
KEEP_ALIVE_SECONDS: Final = 75
"""Seconds that a connection stays open for the next request: longer than a player needs to decide."""
TIDY_SECONDS: Final = 600
"""Seconds between two complete garbage collections."""
SWITCH_SECONDS: Final = 0.0005
"""The time after which a thread that computes lets another one run. A thread that writes to the database gives way at
each statement, and would wait Python's usual 5 ms for its turn."""
UNACKNOWLEDGED_MS: Final = 15_000
"""Milliseconds until sent data must be acknowledged. Without this limit, the page of a machine that was switched off
would count as open for a quarter of an hour."""


class CannotListen(BadInput):
    """The server cannot listen at this address."""


def listen(host: str, port: int) -> socket.socket:
    """A bound socket, so that the port is known and reserved."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise CannotListen(f"This machine has no host {host!r}. Use 127.0.0.1, or 0.0.0.0 for every address.") from None
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections that are accepted have it too
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        bound.bind(address)
    except OSError as fault:
        bound.close()
        raise CannotListen(
            f"The address {host}:{port} cannot be used ({fault.strerror}). Choose another port with --port, or 0 for a "
            "free one."
        ) from None
    return bound


def server_url(bound: socket.socket, options: ListenerOptions = PLAIN_HTTP) -> str:
    """The URL of the server."""
    host, port = bound.getsockname()[:2]
    scheme = "https" if options.is_tls else "http"
    return f"{scheme}://[{host}]:{port}" if bound.family == socket.AF_INET6 else f"{scheme}://{host}:{port}"


class CardroomServer(uvicorn.Server):
    """One room's server."""

    def __init__(
        self, app: FastAPI, bound: socket.socket, ready: Callable[[str], None], options: ListenerOptions = PLAIN_HTTP
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=TimeoutProtocol,
                log_config=None,
                access_log=False,
                server_header=False,
                ws="websockets-sansio",
                ws_ping_interval=None,
                ws_max_size=MAX_MESSAGE_BYTES,
                proxy_headers=bool(options.proxies),
                forwarded_allow_ips=list(options.proxies),
                ssl_context_factory=(lambda *_: tls_context(options)) if options.is_tls else None,
                lifespan="on",
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )
        self._context: AppContext = app.state.context
        self._bound, self._ready, self._listener_options = bound, ready, options
        self._context.lease_manager.set_label(f"{socket.gethostname()}:{bound.getsockname()[1]}/{os.getpid()}")

    def serve_until_stopped(self) -> bool:
        """Serve until stopped. Return whether the server had started."""
        allow_many_connections()
        self.run(sockets=[self._bound])
        return self.started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tidy_up_seldom()
            sys.setswitchinterval(SWITCH_SECONDS)
            self._ready(server_url(self._bound, self._listener_options))

    async def on_tick(self, counter: int) -> bool:
        if counter % (10 * TIDY_SECONDS) == 0:  # ten ticks a second
            gc.collect()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Streams and jobs must be ended. Commands end by themselves, and the server waits for them.
        await self._context.begin_shutdown()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002
        """The first signal stops the server in order, the second at once. No signal is passed on."""
        if self.should_exit:
            self.force_exit = True
            signal.signal(sig, signal.SIG_DFL)
            signal.raise_signal(sig)
        self.should_exit = True


def tidy_up_seldom() -> None:
    """Keep garbage collections short, because requests wait for them. Objects that exist now are never examined again;
    others are examined when new, and all of them every ten minutes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 1_000_000)


def allow_many_connections() -> None:
    """Raise the limit of open files to the system's maximum. Each stream needs one."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
