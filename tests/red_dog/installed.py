"""A package installed beside the program, and commands run with it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import cardroom
from tests.deadline import LIMIT

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "red-dog"
HOUSE = Path(cardroom.__file__).parents[1]


@dataclass(frozen=True)
class Installed:
    """A folder with the package in it."""

    site: Path

    def run(self, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Python with the package on its path."""
        path = os.pathsep.join([str(self.site), str(HOUSE)])
        return subprocess.run(
            [sys.executable, *command],
            env={**os.environ, "PYTHONPATH": path},
            cwd=ROOT,
            input=given,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )

    def cardroom(self, typed: str, given: str = "") -> str:
        """What a command prints; it must succeed."""
        _, *arguments = shlex.split(typed)
        done = self.run("-c", "from cardroom.cli import main; main()", *arguments, given=given)
        assert done.returncode == 0, done.stderr
        return done.stdout


def installed(package: Path, site: Path) -> Installed:
    """Install a package with pip, from what is there and without asking any index."""
    wanted = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(site), str(package)]
    subprocess.run([sys.executable, "-m", "pip", "install", *wanted], check=True, capture_output=True, timeout=LIMIT)
    return Installed(site)
