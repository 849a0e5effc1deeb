"""Installs the fonts and scripts of the pages, and the browser of the tests. Standard library only.

``python front/build.py pages`` installs the pinned packages and copies their files to the pages.
``python front/build.py browser`` installs axe and, where the machine has no Chromium, one that needs no root.
None of this is stored in the repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

FRONT = Path(__file__).parent
VENDOR = FRONT.parent / "src" / "cardroom" / "web" / "static" / "vendor"
BROWSER = FRONT / "browser"
UNPACKED = BROWSER / "unpacked"
SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

FILES = {
    "htmx.org/dist/htmx.min.js": "htmx.js",
    "htmx.org/LICENSE": "htmx.LICENSE.txt",
    "@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2": "source-sans-3.woff2",
    "@fontsource-variable/source-sans-3/LICENSE": "source-sans-3.LICENSE.txt",
    "@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2": "fraunces.woff2",
    "@fontsource-variable/fraunces/LICENSE": "fraunces.LICENSE.txt",
}
"""From the installed packages to the names under which the program serves them."""

LOCK = "package-lock.json"


def node_folder() -> str | None:
    """The folder of node and npm from a Python package; None where they are on the path already."""
    if shutil.which("npm") and shutil.which("node"):
        return None
    python_folder = Path(sys.executable).parent
    if not (python_folder / "npm").exists():
        print("There is no Node on this machine: installing one next to Python (once) ...", flush=True)
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes")
        subprocess.run([*pip, "-r", str(FRONT / "node.lock")], check=True)
    return str(python_folder)


def run(*command: str, folder: Path, **more: str) -> str:
    """Run a command of Node, and return what it prints."""
    node = node_folder()
    path = os.environ["PATH"] if node is None else f"{node}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **more}
    program = shutil.which(command[0], path=path)
    if program is None:
        sys.exit(f"There is no {command[0]} here: install Node 20 or later, and try again.")
    done = subprocess.run(
        [program, *command[1:]], cwd=folder, env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout.strip()


def pages() -> None:
    """Copy the files of the pinned packages to the pages."""
    run("npm", "ci", "--silent", folder=FRONT)
    VENDOR.mkdir(parents=True, exist_ok=True)
    for source, name in FILES.items():
        shutil.copyfile(FRONT / "node_modules" / source, VENDOR / name)
    shutil.copyfile(FRONT / LOCK, VENDOR / LOCK)  # an installed program lists its packages from it


def browser() -> None:
    """Install axe, and a Chromium where the machine has none."""
    run("npm", "ci", "--silent", folder=BROWSER)
    if not any(map(shutil.which, SYSTEM_BROWSERS)):
        UNPACKED.mkdir(exist_ok=True)
        run("node", "unpack.mjs", folder=BROWSER, TMPDIR=str(UNPACKED.resolve()))


if __name__ == "__main__":
    parts = {"pages": pages, "browser": browser}
    for name in sys.argv[1:]:
        parts[name]()
