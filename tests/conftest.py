"""What holds for all tests."""

from __future__ import annotations

from hypothesis import settings

from tests.examples import PATIENT

settings.register_profile(PATIENT, settings())
