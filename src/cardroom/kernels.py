"""How the integer functions of the house are compiled: once, kept in the user's cache folder, and never stale.

Numba recognises a changed function by its own file only. A kernel that calls another one, or reads a table built
elsewhere, could therefore run on with yesterday's rules. So what is kept lies in a folder that is named after a digest
of every source file that the module can reach by its imports, and of the counts that come with the program beside them.

The compiler takes longer to load than most questions take to answer, so a function is only declared here. It is
compiled when it is first called over many hands, and whoever asks about one hand never waits for it.

Several processes often need the same function for the first time at the same moment. One of them compiles it then, and
the others wait for what it keeps.
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

from cardroom import folders
from cardroom.private_files import private_folder

P = ParamSpec("P")
R = TypeVar("R")

HOUSE = __name__.partition(".")[0]
_MONTH = 30 * 24 * 3600
_UNREADABLE = (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, pickle.UnpicklingError)
"""What comes of reading a file that is not there, or is not whole: what it should have is built again."""
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
    for folder in sorted({file.parent for file in files.values()}):
        for counts in sorted(folder.glob("*.counts")):
            digest.update(_of_counts(counts))
    return digest.hexdigest()[:16]


@cache
def _of_counts(file: Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest()


@cache  # several modules reach the same ones
def _imported(source: str, module: str) -> tuple[str, ...]:
    """Every name that may be an imported module, and the packages above it, which are imported with it."""
    names = [module]
    for origin, what, plain in _IMPORTS.findall(source):
        names += [f"{origin}.{name}" for name in _NAME.findall(what)]
        names += re.findall(r"[\w.]+", plain)
    parts = (name.split(".") for name in names)
    return tuple(dict.fromkeys(".".join(one[:count]) for one in parts for count in range(1, len(one) + 1)))


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
    kept = (Path(chosen) if chosen else folders.cache_folder()) / "kernels"
    folder = kept / reach_digest(*modules)
    with contextlib.suppress(OSError):
        private_folder(folder)  # what lies there is run: no other user may write it
        os.utime(folder)
    _forget_unused(kept)
    return folder


@cache
def _forget_unused(kept: Path) -> None:
    """Remove the folders of other versions of the program that nobody has used for a month."""
    with contextlib.suppress(OSError):
        for folder in kept.iterdir():
            if folder.stat().st_mtime < time.time() - _MONTH:
                shutil.rmtree(folder, ignore_errors=True)


def kept_arrays(name: str, build: Callable[[], dict[str, NDArray[Any]]]) -> dict[str, NDArray[Any]]:
    """Arrays that take a moment to build, kept beside the compiled kernels and as safe from being out of date."""
    file = cache_folder(build.__module__) / "tables" / f"{name}.npz"
    return _kept(file, build, _load_arrays, _save_arrays)


def kept_value(name: str, build: Callable[[], R], *modules: str) -> R:
    """A value that these modules take seconds to find, kept in the same way."""
    found: R = _kept(cache_folder(*modules) / "values" / f"{name}.pickle", build, _load_value, _save_value)
    return found


def _kept(
    file: Path, build: Callable[[], R], load: Callable[[IO[bytes]], R], save: Callable[[IO[bytes], R], None]
) -> R:
    """What is kept in a file, or built and kept there. Of several processes, one builds it."""
    with contextlib.suppress(*_UNREADABLE), file.open("rb") as kept:
        return load(kept)
    with one_process(file.with_suffix(".lock")):
        with contextlib.suppress(*_UNREADABLE), file.open("rb") as kept:
            return load(kept)
        built = build()
        with contextlib.suppress(OSError):  # a full disk or a locked folder costs time, not the answer
            private_folder(file.parent)
            # A name of its own until it is whole: another process may be reading or writing the same value.
            with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as half_written:
                save(half_written, built)
            Path(half_written.name).replace(file)
    return built


def _load_arrays(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    with np.load(file) as kept:
        return {key: kept[key] for key in kept.files}


def _save_arrays(file: IO[bytes], built: dict[str, NDArray[Any]]) -> None:
    np.savez(file, allow_pickle=False, **built)


def _load_value(file: IO[bytes]) -> Any:
    return pickle.load(file)  # noqa: S301  # only its owner can write to this folder, which has compiled code too


def _save_value(file: IO[bytes], built: object) -> None:
    pickle.dump(built, file)


_PATIENCE = 60.0
_held = set[Path]()


@contextlib.contextmanager
def one_process(file: Path, patience: float = _PATIENCE) -> Iterator[None]:
    """Keep other processes from the same work, until they are out of patience: one that stands still holds nobody up
    for ever. Where a file cannot be locked all work at once, which costs time and nothing else."""
    if sys.platform == "win32" or file in _held:
        yield
        return
    import fcntl

    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            private_folder(file.parent)
            lock = stack.enter_context(file.open("w"))
            deadline = time.monotonic() + patience
            while time.monotonic() < deadline:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    time.sleep(0.02)
                else:
                    stack.callback(fcntl.flock, lock, fcntl.LOCK_UN)  # a process begun meanwhile has the file open too
                    break
        _held.add(file)
        stack.callback(_held.discard, file)
        yield


class Declared(Generic[P, R]):
    """An integer function that is compiled when it is needed."""

    def __init__(self, function: Callable[P, R], *, plain: bool, **how: Any) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.plain = plain
        self.how = how

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs) if self.plain else self.compiled(*args, **kwargs)

    @functools.cached_property
    def compiled(self) -> Callable[P, R]:
        """What other kernels call."""
        import numba

        with _ONE_AT_A_TIME:
            _compile_those_named_in(self.function)
            # Numba looks at the folder when it meets a function, so each can have that of its own module.
            folder = str(cache_folder(self.function.__module__))
            setattr(numba.config, "CACHE_DIR", folder)  # noqa: B010 (numba sets its names at run time)
            found = numba.njit(cache=True, nogil=True, **self.how)(self.function)
            found.compile = _by_one_process(found.compile, Path(folder) / f"{self.function.__qualname__}.lock")
            compiled: Callable[P, R] = found
            return compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return _of_name, (self.function.__module__, self.function.__qualname__)


_ONE_AT_A_TIME = threading.RLock()


def _by_one_process(compile_for: Callable[[Any], Any], file: Path) -> Callable[[Any], Any]:
    """Numba compiles for the kinds of arguments that it meets, or finds that it has been done. A kernel that calls
    others has those compiled meanwhile, and none calls its caller: so nobody waits in a circle."""

    def compile_alone(signature: Any) -> Any:
        from numba.core.compiler_lock import global_compiler_lock

        # Threads queue first: one that waited for a file with Numba's own lock in hand would hold up the file's owner.
        with global_compiler_lock, one_process(file):
            return compile_for(signature)

    return compile_alone


def _of_name(module: str, name: str) -> Any:
    return functools.reduce(getattr, name.split("."), import_module(module))


def _compile_those_named_in(function: Callable[..., Any]) -> None:
    """Numba knows what it has compiled, not what was declared: names that a function calls are made to mean that."""
    known = function.__globals__
    for name in _names_in(function.__code__):
        if isinstance(found := known.get(name), Declared):
            known[name] = found.compiled
        elif found is prange:
            import numba

            known[name] = numba.prange
    for cell in function.__closure__ or ():
        if isinstance(found := cell.cell_contents, Declared):
            cell.cell_contents = found.compiled


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names_in(inner)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function over many hands; Python and other kernels call the same one, compiled."""
    return Declared(function, plain=False)


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function about one hand: kernels call it compiled, Python as it stands."""
    return Declared(function, plain=True)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A small integer function that is compiled into each kernel that calls it; Python calls it as it stands."""
    return Declared(function, plain=True, inline="always")


def parallel_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """An integer function whose ``prange`` loops run on every core."""
    return Declared(function, plain=False, parallel=True)


_WORTH_LOADING = 4_000_000
"""About so many hands NumPy ranks in the time in which the compiler is loaded."""
_done_without = 0


def worth_compiling(hands: int) -> bool:
    """Whether a compiled function should look at so many more hands: when the compiler is there already, or when with
    these the work that was done without it comes to more than loading it takes."""
    global _done_without
    if "numba" in sys.modules:
        return True
    _done_without += hands
    return _done_without > _WORTH_LOADING


def prange(stop: int) -> range:
    """A loop of a ``parallel_kernel`` whose turns run beside each other."""
    return range(stop)


def cores() -> int:
    """As many as Numba may use, so that ``NUMBA_NUM_THREADS`` holds for threads of our own too."""
    import numba

    return int(getattr(numba.config, "NUMBA_NUM_THREADS"))  # noqa: B009 (numba sets its names at run time)
