"""How the integer functions of the house are compiled: once, kept in the user's cache folder, and never stale.

Numba recognises a changed function by its own file only. A kernel that calls another one, or reads a table built
elsewhere, could therefore run on with yesterday's rules. So what is kept lies in a folder that is named after a digest
of every source file that the module can reach by its imports.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

P = ParamSpec("P")
R = TypeVar("R")

HOUSE = __name__.partition(".")[0]
_MONTH = 30 * 24 * 3600
_IMPORTS = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|^\s*import\s+([\w., ]+)", re.MULTILINE)
_NAME = re.compile(r"\w+")


@cache
def source_digest() -> str:
    """A digest of every Python file of the package."""
    folder = Path(__file__).parent
    return _digest({str(file.relative_to(folder)): file for file in folder.rglob("*.py")})


@cache
def reach_digest(*modules: str) -> str:
    """A digest of every source file that the modules can reach. One without a file of its own can reach any.

    >>> reach_digest("cardroom.cards.card") == reach_digest("cardroom.cards.card", "cardroom.faults")
    True
    """
    return source_digest() if None in map(_file, modules) else _digest(reach(*modules))


def reach(*modules: str) -> dict[str, Path]:
    """The modules and all that they import, in the house and in the package that they belong to, with their files."""
    found: dict[str, Path] = {}
    to_read = list(modules)
    while to_read:
        module = to_read.pop()
        file = _file(module)
        if file is None or module in found:
            continue
        found[module] = file
        roots = {HOUSE, module.partition(".")[0]}
        to_read += [name for name in _imported(file.read_text("utf-8"), module) if name.partition(".")[0] in roots]
    return found


def _digest(files: dict[str, Path]) -> str:
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode())
        digest.update(files[name].read_bytes())
    return digest.hexdigest()[:16]


def _imported(source: str, module: str) -> Iterator[str]:
    """Every name that may be an imported module, and the packages above it, which are imported with it."""
    names = [module]
    for origin, what, plain in _IMPORTS.findall(source):
        names += [f"{origin}.{name}" for name in _NAME.findall(what)]
        names += re.findall(r"[\w.]+", plain)
    for name in names:
        parts = name.split(".")
        yield from (".".join(parts[:count]) for count in range(1, len(parts) + 1))


@cache
def _file(module: str) -> Path | None:
    package, *inside = module.split(".")
    spec = None if package == "__main__" else find_spec(package)
    if spec is None or spec.origin is None:
        return None
    if not spec.submodule_search_locations:
        return None if inside else Path(spec.origin)
    place = Path(spec.origin).parent.joinpath(*inside)
    return next((file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()), None)


@cache
def cache_folder(*modules: str) -> Path:
    """Where lies what was compiled and computed by these modules; ``CARDROOM_CACHE`` moves it."""
    chosen = os.environ.get("CARDROOM_CACHE")
    folders = (Path(chosen) if chosen else user_cache_path("cardroom")) / "kernels"
    folder = folders / reach_digest(*modules)
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    _forget_unused(folders)
    return folder


@cache
def _forget_unused(folders: Path) -> None:
    """Remove the folders of other versions of the program that nobody has used for a month."""
    with contextlib.suppress(OSError):
        for folder in folders.iterdir():
            if folder.stat().st_mtime < time.time() - _MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def kept_arrays(name: str, build: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Arrays that take a moment to build, kept beside the compiled kernels and as safe from being out of date."""
    file = cache_folder(build.__module__) / "tables" / f"{name}.npz"
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
    return _compiled(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small integer function into each kernel that calls it."""
    return _compiled(function, inline="always")


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an integer function whose ``prange`` loops run on every core."""
    return _compiled(function, parallel=True)


def _compiled(function: Callable[P, R], **how: Any) -> Callable[P, R]:
    # Numba looks at the folder when a function is declared, so each can have that of its own module.
    setattr(numba.config, "CACHE_DIR", str(cache_folder(function.__module__)))  # noqa: B010 (set at run time)
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True, **how)(function))
