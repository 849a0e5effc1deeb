"""Pictures of every page in every state: ``python -m tests.screens FOLDER [NAME]`` (`make screenshots`).

With a name, only the scenes whose names have it in them; with ``--whole``, pages to their ends instead of their first
screens. The ones that the documentation shows are copies of some of these.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.chromium import chromium
from tests.screens.pictures import of_story
from tests.screens.stories import STORIES


def main() -> int:
    """How many things are wrong with what was seen."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("name", nargs="?", default="")
    asked.add_argument("--whole", action="store_true")
    wanted = asked.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    faults = 0
    with tempfile.TemporaryDirectory() as books, chromium() as browser:
        for name, story in STORIES.items():
            began = time.monotonic()  # cannot fail: only printed
            for fault in of_story(story, wanted.name, browser, Path(books) / name, wanted.folder, whole=wanted.whole):
                print(fault)
                faults += 1
            print(f"{name}: {time.monotonic() - began:.0f} s", flush=True)  # cannot fail: only printed
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
