"""Compile integer functions with Numba, once per version of the source, into the user's cache folder.

Numba detects a change of a function only in its own file. A kernel that calls another kernel, or reads a table of
another module, could run with outdated rules. So the cache folder is named after a digest of every source file that the
module can reach by its imports, and of the data files beside them.

Loading the compiler takes longer than most computations, so a decorator here only declares a function. It is compiled
at the first call over many hands, and a call for one hand never waits for the compiler.

When several processes need the same function for the first time, one compiles it and the others wait for the file.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import IO, Any, Generic, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardroom.folders import USER_FOLDERS
from cardroom.private_files import create_private_folder

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = __name__.partition(".")[0]
_MONTH = 30 * 24 * 3600
_READ_ERRORS = (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, pickle.UnpicklingError)
"""The errors of a missing or incomplete file: its content is built again."""
_IMPORTS = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]*)|^\s*import\s+([\w., ]+)", re.MULTILINE)
_NAME = re.compile(r"\w+")


@cache
def source_digest() -> str:
    """A digest of every Python file of the package."""
    folder = Path(__file__).parent
    return _digest({str(file.relative_to(folder)): file for file in folder.rglob("*.py")})


@cache
def dependency_digest(*modules: str) -> str:
    """A digest of every source file that the modules can reach. A module without a file can reach all.

    >>> dependency_digest("cardroom.cards.card") == dependency_digest("cardroom.cards.card", "cardroom.errors")
    True
    """
    return source_digest() if None in map(_file, modules) else _digest(dependency_files(*modules))


def dependency_files(*modules: str) -> dict[str, Path]:
    """The modules and all that they import, in cardroom and in their own package, with their files."""
    files: dict[str, Path] = {}
    pending_modules = list(modules)
    while pending_modules:
        module = pending_modules.pop()
        file = _file(module)
        if file is None or module in files:
            continue
        files[module] = file
        roots = {PACKAGE, module.partition(".")[0]}
        pending_modules += [
            name for name in _imported_modules(file.read_text("utf-8"), module) if name.partition(".")[0] in roots
        ]
    return files


def _digest(files: dict[str, Path]) -> str:
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode())
        digest.update(files[name].read_bytes())
    for folder in sorted({file.parent for file in files.values()}):
        for counts in sorted(folder.glob("*.counts")):
            digest.update(_counts_digest(counts))
    return digest.hexdigest()[:16]


@cache
def _counts_digest(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


@cache  # several modules reach the same ones
def _imported_modules(source: str, module: str) -> tuple[str, ...]:
    """Every name that may be an imported module, and its parent packages."""
    names = [module]
    for origin, imported_names, imported_modules in _IMPORTS.findall(source):
        names += [f"{origin}.{name}" for name in _NAME.findall(imported_names)]
        names += re.findall(r"[\w.]+", imported_modules)
    parts = (name.split(".") for name in names)
    return tuple(
        dict.fromkeys(".".join(name_parts[:count]) for name_parts in parts for count in range(1, len(name_parts) + 1))
    )


@cache
def _file(module: str) -> Path | None:
    package, *submodules = module.split(".")
    spec = None if package == "__main__" else find_spec(package)
    if spec is None or spec.origin is None:
        return None
    if not spec.submodule_search_locations:
        return None if submodules else Path(spec.origin)
    path = Path(spec.origin).parent.joinpath(*submodules)
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


@cache
def cache_folder(*modules: str) -> Path:
    """The cache folder of these modules; ``CARDROOM_CACHE`` moves it."""
    configured_folder = os.environ.get("CARDROOM_CACHE")
    root = (Path(configured_folder) if configured_folder else USER_FOLDERS.user_cache_path) / "kernels"
    folder = root / dependency_digest(*modules)
    with contextlib.suppress(OSError):
        create_private_folder(folder)  # its files are executed: no other user may write them
        os.utime(folder)
    _remove_unused(root)
    return folder


@cache
def _remove_unused(root: Path) -> None:
    """Remove the folders of other versions of the program that were not used for a month."""
    with contextlib.suppress(OSError):
        for folder in root.iterdir():
            if folder.stat().st_mtime < time.time() - _MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def cached_arrays(name: str, build: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Arrays that take a moment to build, cached with the compiled kernels and never stale."""
    file = cache_folder(build.__module__) / "tables" / f"{name}.npz"
    return _load_or_build(file, build, _load_arrays, _save_arrays)


def cached_value(name: str, build: Callable[[], R], *modules: str) -> R:
    """A value that takes seconds to compute, cached in the same way."""
    value: R = _load_or_build(cache_folder(*modules) / "values" / f"{name}.pickle", build, _load_value, _save_value)
    return value


def _load_or_build(
    file: Path, build: Callable[[], R], load: Callable[[IO[bytes]], R], save: Callable[[IO[bytes], R], None]
) -> R:
    """The content of a cache file, built if it is missing. Of several processes, one builds it."""
    with contextlib.suppress(*_READ_ERRORS), file.open("rb") as opened:
        return load(opened)
    with process_lock(file.with_suffix(".lock")):
        with contextlib.suppress(*_READ_ERRORS), file.open("rb") as opened:
            return load(opened)
        value = build()
        with contextlib.suppress(OSError):  # a full disk or a locked folder costs time, not the answer
            create_private_folder(file.parent)
            # A name of its own until it is whole: another process may be reading or writing the same value.
            with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as partial_file:
                save(partial_file, value)
            Path(partial_file.name).replace(file)
    return value


def _load_arrays(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    with np.load(file) as archive:
        return {key: archive[key] for key in archive.files}


def _save_arrays(file: IO[bytes], arrays: dict[str, NDArray[Any]]) -> None:
    np.savez(file, allow_pickle=False, **arrays)


def _load_value(file: IO[bytes]) -> Any:
    return pickle.load(file)  # noqa: S301  # only its owner can write to this folder, which has compiled code too


def _save_value(file: IO[bytes], value: object) -> None:
    pickle.dump(value, file)


_LOCK_TIMEOUT_SECONDS = 60.0


@contextlib.contextmanager
def process_lock(file: Path, timeout: float = _LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Keep other processes from the same work for a limited time, so that a stalled one cannot block them. If the file
    cannot be locked, all processes do the work, which only costs time."""
    from filelock import FileLock

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a timeout is one too
            create_private_folder(file.parent)
            lock = FileLock(file, is_singleton=True)  # one for each file: a kernel may call itself
            stack.enter_context(lock.acquire(timeout, poll_interval=0.02))
        yield


class LazyKernel(Generic[P, R]):
    """An integer function that is compiled on demand."""

    def __init__(self, function: Callable[P, R], *, runs_in_python: bool, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.runs_in_python = runs_in_python
        self.options = options

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs) if self.runs_in_python else self.compiled(*args, **kwargs)

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """The function that other kernels call."""
        import numba

        with _COMPILE_LOCK:
            _compile_referenced_kernels(self.function)
            # Numba looks at the folder when it meets a function, so each can have that of its own module.
            folder = str(cache_folder(self.function.__module__))
            setattr(numba.config, "CACHE_DIR", folder)  # noqa: B010 (numba sets its names at run time)
            dispatcher = numba.njit(cache=True, nogil=True, **self.options)(self.function)
            dispatcher.compile = _compile_with_lock(
                dispatcher.compile, Path(folder) / f"{self.function.__qualname__}.lock"
            )
            compiled: Callable[P, R] = dispatcher
            return compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_by_name, (self.function.__module__, self.function.__qualname__)


_COMPILE_LOCK = threading.RLock()


def _compile_with_lock(compile_for: Callable[[Any], Any], file: Path) -> Callable[[Any], Any]:
    """Compile for the argument types of a call, or load the cached result. A kernel that calls others has those
    compiled at the same time; kernels never call their callers, so there is no deadlock."""

    def compile_locked(signature: Any) -> Any:
        from numba.core.compiler_lock import global_compiler_lock

        # Threads queue first: one that waited for a file with Numba's own lock in hand would hold up the file's owner.
        with global_compiler_lock, process_lock(file):
            return compile_for(signature)

    return compile_locked


def _load_by_name(module: str, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), import_module(module))


def _compile_referenced_kernels(function: Callable[..., Any]) -> None:
    """Replace the declared kernels that a function calls by their compiled functions, which Numba needs."""
    namespace = function.__globals__
    for name in _referenced_names(function.__code__):
        if isinstance(value := namespace.get(name), LazyKernel):
            namespace[name] = value.compiled
        elif value is prange:
            import numba

            namespace[name] = numba.prange
    for cell in function.__closure__ or ():
        if isinstance(value := cell.cell_contents, LazyKernel):
            cell.cell_contents = value.compiled


def _referenced_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _referenced_names(inner)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function over many hands; Python and other kernels call the compiled one."""
    return LazyKernel(function, runs_in_python=False)


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function for one hand: kernels call it compiled, Python calls it uncompiled."""
    return LazyKernel(function, runs_in_python=True)


def inline_rule(function: Callable[P, R]) -> Callable[P, R]:
    """A small integer function that is inlined into each kernel; Python calls it uncompiled."""
    return LazyKernel(function, runs_in_python=True, inline="always")


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function whose ``prange`` loops run on every core."""
    return LazyKernel(function, runs_in_python=False, parallel=True)


_COMPILER_LOAD_HANDS = 4_000_000
"""About the number of hands that NumPy ranks in the time of loading the compiler."""
_uncompiled_hands = 0


def should_compile(hand_count: int) -> bool:
    """Whether to compile for so many more hands: if the compiler is loaded, or if the work without it has come to more
    than loading it takes."""
    global _uncompiled_hands
    if "numba" in sys.modules:
        return True
    _uncompiled_hands += hand_count
    return _uncompiled_hands > _COMPILER_LOAD_HANDS


def prange(stop: int) -> range:
    """A loop of a ``parallel_kernel`` whose iterations run in parallel."""
    return range(stop)


def core_count() -> int:
    """The number of threads that Numba may use, so that ``NUMBA_NUM_THREADS`` applies to our own threads too."""
    import numba

    return int(getattr(numba.config, "NUMBA_NUM_THREADS"))  # noqa: B009 (numba sets its names at run time)
