"""What several processes need for the first time is built by one of them."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from cardroom import kernels
from cardroom.kernels import cached_arrays, process_lock
from tests.deadline import LIMIT

COMPILED = """
import numpy as np
from tests.kernels.test_compiled_when_needed import added, twice
added(np.arange(4))
print(*(sum(one.compiled.stats.cache_misses.values()) for one in (added, twice)))
"""


def test_processes_that_begin_together_compile_each_kernel_once(tmp_path: Path) -> None:
    known = {**os.environ, "CARDROOM_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    begun = [
        subprocess.Popen([sys.executable, "-c", COMPILED], env=known, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    counts = [map(int, one.communicate(timeout=LIMIT)[0].split()) for one in begun]
    assert [sum(one) for one in zip(*counts, strict=True)] == [1, 1]


def test_a_process_that_stands_still_is_waited_for_and_then_not_any_more(tmp_path: Path) -> None:
    file = tmp_path / "kernel.lock"
    with file.open("w") as elsewhere:
        fcntl.flock(elsewhere, fcntl.LOCK_EX)
        with process_lock(file, timeout=0.1):  # cannot fail: the lock is held until it has given up
            pass
        fcntl.flock(elsewhere, fcntl.LOCK_UN)
        # A kernel may call itself.
        with process_lock(file), process_lock(file), pytest.raises(BlockingIOError):
            fcntl.flock(elsewhere, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(elsewhere, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_nothing_can_be_written_to_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "a file").write_text("")
    with process_lock(tmp_path / "a file" / "kernel.lock"):
        pass


def test_arrays_that_another_process_has_built_meanwhile_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "cache_folder", lambda *_: tmp_path)
    load = kernels._load_arrays
    cached_arrays("table", lambda: {"kept": np.arange(3)})
    looks = iter([EOFError])

    def load_the_second_time(file: IO[bytes]) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
        for missing in looks:
            raise missing
        return load(file)

    monkeypatch.setattr(kernels, "_load_arrays", load_the_second_time)

    def built_again() -> dict[str, np.ndarray]:  # type: ignore[type-arg]
        raise AssertionError

    assert cached_arrays("table", built_again)["kept"].tolist() == [0, 1, 2]
