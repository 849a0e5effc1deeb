"""What holds for all tests."""

from __future__ import annotations

from functools import cache

import httpx._transports.default as transport
from hypothesis import settings

from tests.examples import PATIENT

settings.register_profile(PATIENT, settings())

# To read the certificates of the world takes longer than most calls that a client of the tests is made for.
transport.create_ssl_context = cache(transport.create_ssl_context)
