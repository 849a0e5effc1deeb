"""A real Chromium: the machine's own, or the one that `make` brings in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, expect, sync_playwright

from tests.deadline import LIMIT_MS

FRONT: Final = Path(__file__).parents[2] / "front" / "browser"
_NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_HOW: Final = ["--no-sandbox", "--disable-gpu"]

expect.set_options(timeout=LIMIT_MS)


def executable() -> str:
    """Where it is."""
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    brought = FRONT / "unpacked" / "chromium"
    assert brought.exists(), "There is no Chromium: `make test` brings one in."
    return str(brought)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser, until the end."""
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=executable(), args=_HOW)
        try:
            yield browser
        finally:
            browser.close()
