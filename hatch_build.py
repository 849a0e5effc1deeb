"""Whoever builds the package needs no make: what the pages take from elsewhere is brought in before it is packed.

A package that is only linked in for work on it is left to `make`, and one that is built from a source distribution has
the files already.
"""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FRONT = Path("front", "build.py")


class FilesOfThePages(BuildHookInterface[Any]):
    """Brings in fonts and scripts, at the versions that `front/package-lock.json` pins."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node, where the machine has none."""
        if self._missing() and not (shutil.which("npm") and shutil.which("node")):
            lock = (Path(self.root) / "front" / "node.lock").read_text("utf-8")
            return [line.split()[0] for line in lock.splitlines() if "==" in line]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's own words)
        if version == "editable" or not self._missing():
            return
        words = [sys.executable, str(Path(self.root) / FRONT), "pages"]
        brought = subprocess.run(words, capture_output=True, text=True)
        if brought.returncode:
            *_, last = ["it said nothing", *brought.stderr.splitlines()]
            raise SystemExit(
                "The fonts and the script of the pages could not be brought in: see that the npm registry can be "
                f"reached, and build again ({last.strip()})."
            )

    def _missing(self) -> list[str]:
        """The files of the pages that are not there yet."""
        front = runpy.run_path(str(Path(self.root) / FRONT))
        wanted = (*front["FILES"].values(), front["LOCK"])
        return [name for name in wanted if not (front["VENDOR"] / name).is_file()]
