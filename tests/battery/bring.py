"""Installs Debian's dieharder for the long tests: ``python -m tests.battery.bring``. It needs no root.

It downloads the packages with the machine's own apt and unpacks them into ``.dieharder/``, which is not in the
repository. An installed dieharder is used as it is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parents[2] / ".dieharder"
ROOT: Final = FOLDER / "root"
NEEDED: Final = re.compile(r"dieharder|libdieharder\S*|libgsl\S*")
"""The packages of dieharder besides the C library, in any release."""


class Dieharder(NamedTuple):
    """A dieharder that can be run."""

    program: str
    environment: Mapping[str, str]


class NotThere(Exception):
    """There is no dieharder; the message says why."""


def dieharder() -> Dieharder:
    """The installed dieharder, or the downloaded one."""
    installed = shutil.which("dieharder")
    if installed:
        return Dieharder(installed, os.environ)
    program = ROOT / "usr" / "bin" / "dieharder"
    if not program.exists():
        raise NotThere("There is no dieharder here: `make test-long` brings it in, on a machine with apt.")
    libraries = sorted({str(one.parent) for one in (ROOT / "usr" / "lib").rglob("*.so*")})
    return Dieharder(str(program), {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(libraries)})


def bring() -> Dieharder:
    """Download and unpack dieharder, once."""
    try:
        return dieharder()
    except NotThere:
        pass
    for tool in ("apt-get", "apt-cache", "dpkg"):
        if not shutil.which(tool):
            raise NotThere(f"dieharder is Debian's, and {tool} is not on this machine: install dieharder another way.")
    FOLDER.mkdir(exist_ok=True)
    if not _download(()):
        # The package lists may not be downloaded yet; they are stored here, so no root is needed.
        for name in ("lists/partial", "cache/archives/partial"):
            (FOLDER / name).mkdir(parents=True, exist_ok=True)
        own = ("-o", f"Dir::State::Lists={FOLDER / 'lists'}", "-o", f"Dir::Cache={FOLDER / 'cache'}")
        _run("apt-get", *own, "-o", "Debug::NoLocking=1", "update")
        if not _download(own):
            raise NotThere("apt has no package dieharder: install dieharder another way.")
    for package in FOLDER.glob("*.deb"):
        _run("dpkg", "-x", str(package), str(ROOT))
    return dieharder()


def _download(options: tuple[str, ...]) -> bool:
    """Whether apt found and downloaded the packages."""
    only = ("--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances")
    listing = _run("apt-cache", *options, "depends", "--recurse", *only, "dieharder", may_fail=True)
    packages = [name for name in dict.fromkeys(listing.split()) if NEEDED.fullmatch(name)]
    if "dieharder" not in packages:
        return False
    _run("apt-get", *options, "download", *packages)
    return True


def _run(*command: str, may_fail: bool = False) -> str:
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise NotThere(f"{' '.join(command[:1])} could not bring dieharder in: {done.stderr.strip()[-300:]}")
    return done.stdout


if __name__ == "__main__":
    try:
        print(f"dieharder: {bring().program}")
    except NotThere as fault:
        sys.exit(str(fault))
