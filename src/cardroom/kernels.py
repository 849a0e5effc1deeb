"""How the integer functions of the house are compiled: once, kept in the user's cache folder, and never stale.

Numba recognises a changed function by its own file only. A kernel that calls another one, or reads a table built
elsewhere, could therefore run on with yesterday's rules. So the folder is named after a digest of the whole package.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

P = ParamSpec("P")
R = TypeVar("R")


@cache
def source_digest() -> str:
    """A digest of every Python file of the package."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digest.update(str(file.relative_to(package)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """Where compiled kernels lie; ``CARDROOM_CACHE`` moves it."""
    chosen = os.environ.get("CARDROOM_CACHE")
    base = Path(chosen) if chosen else user_cache_path("cardroom")
    return base / "kernels" / source_digest()


def _forget_unused(kept: Path) -> None:
    """Remove the folders of other versions of the program that nobody has used for a month."""
    month_ago = time.time() - 30 * 24 * 3600
    with contextlib.suppress(OSError):
        kept.mkdir(parents=True, exist_ok=True)
        os.utime(kept)
        for folder in kept.parent.iterdir():
            if folder.stat().st_mtime < month_ago:
                shutil.rmtree(folder, ignore_errors=True)


_forget_unused(cache_folder())
setattr(numba.config, "CACHE_DIR", str(cache_folder()))  # noqa: B010 (numba sets its names at run time)


def kept_arrays(name: str, build: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Arrays that take a moment to build, kept beside the compiled kernels and as safe from being out of date."""
    file = cache_folder() / "tables" / f"{name}.npz"
    try:
        with np.load(file) as kept:
            return {key: kept[key] for key in kept.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile):
        built = build()
    with contextlib.suppress(OSError):  # a full disk or a locked folder costs time, not the answer
        file.parent.mkdir(parents=True, exist_ok=True)
        # A name of its own until it is whole: another process may be reading or writing the same tables.
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as half_written:
            np.savez(half_written, allow_pickle=False, **built)
        Path(half_written.name).replace(file)
    return built


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an integer function; Python and other kernels call the same one."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True)(function))


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small integer function into each kernel that calls it."""
    compiled: Any = numba.njit(cache=True, nogil=True, inline="always")(function)
    return cast(Callable[P, R], compiled)


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an integer function whose ``prange`` loops run on every core."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True, parallel=True)(function))
