"""What holds for all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from functools import cache
from pathlib import Path

import httpx._config as calls
import httpx._transports.default as transport
import pytest
import websockets.asyncio.client
import websockets.sync.client
from hypothesis import HealthCheck, settings

from tests import timeouts
from tests.deadline import LIMIT
from tests.examples import EVERYDAY, PATIENT
from tests.service import staff

# No example has to be quick, and every day brings the same ones: new ones are drawn when there is time.
settings.register_profile(PATIENT, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(EVERYDAY, settings.get_profile(PATIENT), derandomize=True)
settings.load_profile(EVERYDAY)

# A shell that runs the tests in the background lets them ignore Ctrl-C, and every program that they begin with them.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A call waits as long as anything else in a test does, unless the test itself says otherwise.
for part in ("connect", "read", "write", "pool"):
    setattr(calls.DEFAULT_TIMEOUT_CONFIG, part, LIMIT)
for connect in (websockets.sync.client.connect, websockets.asyncio.client.connect.__init__):
    connect.__kwdefaults__["open_timeout"] = LIMIT

# No timeout of the program decides about a test, unless the test itself says so.
timeouts.lengthen()
timeouts.lengthen_leases()

# A password takes a fifth of a second to hash, on purpose. Those of the tests guard nothing.
staff.hash_quickly()

# To read the certificates of the world takes longer than most calls that a client of the tests is made for.
transport.create_ssl_context = cache(transport.create_ssl_context)

# Tests copy databases to and fro, and the key of a room is not in its database: all have the same one. A key of the
# user's own, which a room on a database server would have otherwise, is not touched.
os.environ["CARDROOM_KEY"] = "cardroom-key-1:" + "T" * 43
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="cardroom-config-")
atexit.register(shutil.rmtree, os.environ["XDG_CONFIG_HOME"], ignore_errors=True)

SLOW_FIRST = ("browser", "web", "red_dog", "crash", "reports", "packages", "attack", "cli", "odds")
"""Folders whose files take long: they begin first, so that no process is left with one of them at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow folders, and keep the order of files and tests otherwise."""
    folders = {Path(__file__).parent / name: place for place, name in enumerate(SLOW_FIRST)}

    def place(item: pytest.Item) -> int:
        return min((folders[folder] for folder in item.path.parents if folder in folders), default=len(folders))

    items.sort(key=place)
