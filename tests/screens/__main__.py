"""Pictures of every page in every state: ``python -m tests.screens FOLDER [NAME]`` (`make screenshots`).

With a name, only the scenes whose names contain it; with ``--whole``, complete pages instead of their first screens.
``--documentation`` also renews the pictures in ``docs/images``, which are copies of some of these.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.browser.chromium import chromium
from tests.screens.documentation import PICTURES, PICTURES_FOLDER
from tests.screens.pictures import of_story
from tests.screens.stories import STORIES


def main() -> int:
    """Exit code 1 if a scene was not reached or scrolls sideways."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("name", nargs="?", default="")
    asked.add_argument("--whole", action="store_true")
    asked.add_argument("--documentation", action="store_true")
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
    if wanted.documentation:
        for picture, source in PICTURES.items():
            shutil.copyfile(wanted.folder / source, PICTURES_FOLDER / picture)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
