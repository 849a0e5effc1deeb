"""A server with nothing but the devices' calls: in a thread of the test, or in a process that can be killed.

``python -m tests.web.devices.server DATABASE PORT`` is that process.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom.web.devices import DeviceLimits, FairQueue, router
from cardroom.web.services.app_context import AppContext, ServerOptions
from cardroom.web.services.device_monitor import DeviceMonitor
from tests.deadline import wait_until
from tests.ports import reserved_port
from tests.timeouts import lengthen

ROOT = Path(__file__).parents[3]
PREFIX = "/api/v1/devices"


MUCH = DeviceLimits(per_second=100_000, burst=100_000)
"""So that tests need not wait: they send in seconds what a device sends in hours."""


def build_app(card_room: CardRoom) -> FastAPI:
    app = FastAPI(openapi_url="/api/v1/openapi.json")
    app.state.card_room, app.state.device_monitor, app.state.fair_queue = (
        card_room,
        DeviceMonitor(card_room),
        FairQueue(MUCH),
    )
    app.state.context = AppContext(card_room, ServerOptions())
    app.include_router(router, prefix=PREFIX)
    return app


def build_config(app: FastAPI, port: int) -> uvicorn.Config:
    return uvicorn.Config(
        app, port=port, log_level="warning", lifespan="off", ws="none", loop="asyncio", timeout_graceful_shutdown=1
    )


@contextmanager
def serve_devices(card_room: CardRoom) -> Iterator[str]:
    """A server on a free port of this machine; its address."""
    server = uvicorn.Server(build_config(build_app(card_room), 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


class KillableServer:
    """A server in a process of its own, on one port for all its lives."""

    def __init__(self, database: str) -> None:
        self.database, self._stack = database, ExitStack()
        self.port = self._stack.enter_context(reserved_port())
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        program = [sys.executable, "-m", "tests.web.devices.server", self.database, str(self.port)]
        self._process = subprocess.Popen(program, cwd=ROOT)
        wait_until(self._answers, "the server")

    def _answers(self) -> bool:
        with suppress(httpx.ConnectError):
            return httpx.get(f"{self.address}/api/v1/openapi.json").is_success
        return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._process = None

    def __del__(self) -> None:
        self._stack.close()


if __name__ == "__main__":
    lengthen()
    with open_ledger(sys.argv[1]) as ledger:
        uvicorn.Server(build_config(build_app(CardRoom(ledger)), int(sys.argv[2]))).run()
