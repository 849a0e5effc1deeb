"""What holds for all tests."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from functools import cache

import httpx._config as calls
import httpx._transports.default as transport
import websockets.asyncio.client
import websockets.sync.client
from hypothesis import HealthCheck, settings

from tests.deadline import LIMIT
from tests.examples import EVERYDAY, PATIENT

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

# To read the certificates of the world takes longer than most calls that a client of the tests is made for.
transport.create_ssl_context = cache(transport.create_ssl_context)

# Tests copy databases to and fro, and the key of a room is not in its database: all have the same one. A key of the
# user's own, which a room on a database server would have otherwise, is not touched.
os.environ["CARDROOM_KEY"] = "cardroom-key-1:" + "T" * 43
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="cardroom-config-")
atexit.register(shutil.rmtree, os.environ["XDG_CONFIG_HOME"], ignore_errors=True)
