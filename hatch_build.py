"""Builds the package without make: the hook installs the fonts and scripts of the pages before it packs them.

An editable installation leaves that to `make`, and a source distribution has the files already.
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
    """Installs fonts and scripts in the versions that `front/package-lock.json` pins."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node, where the machine has none."""
        if self._missing() and not (shutil.which("npm") and shutil.which("node")):
            lock = (Path(self.root) / "front" / "node.lock").read_text("utf-8")
            return [line.split()[0] for line in lock.splitlines() if "==" in line]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's own names)
        if version == "editable" or not self._missing():
            return
        command = [sys.executable, str(Path(self.root) / FRONT), "pages"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            *_, last_line = ["no message", *done.stderr.splitlines()]
            raise SystemExit(
                "The fonts and the script of the pages could not be installed: make sure that the npm registry can be "
                f"reached, and build again ({last_line.strip()})."
            )

    def _missing(self) -> list[str]:
        """The files of the pages that do not exist yet."""
        front = runpy.run_path(str(Path(self.root) / FRONT))
        files = (*front["FILES"].values(), front["LOCK"])
        return [name for name in files if not (front["VENDOR"] / name).is_file()]
