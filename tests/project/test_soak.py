"""The soak test reports every run, names failed tests, and leaves no busy process behind."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deadline import LIMIT
from tests.soak import ROOT, load

PASSES = "print('2 passed in 0.01s')"
FAILS = "print('FAILED tests/a.py::test_b - assert 1\\n1 failed, 1 passed in 0.01s'); raise SystemExit(1)"


def soak(folder: Path, program: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.soak", *options, "--output", str(folder / "soak")]
    return subprocess.run(
        [*command, "--", sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=LIMIT
    )


def test_every_run_is_reported_and_those_with_a_load_come_last(tmp_path: Path) -> None:
    done = soak(tmp_path, PASSES, "--runs", "3", "--loaded", "1", "--load", "2")
    first, second, third, summary = done.stdout.splitlines()
    assert re.fullmatch(r"Run 1 of 3: passed in \d+:\d\d \(2 passed in 0\.01s\)", first)
    assert second.startswith("Run 2 of 3: passed")
    assert third.startswith("Run 3 of 3, next to 2 busy processes: passed")
    assert summary.startswith("3 of 3 runs passed.")
    assert done.returncode == 0
    assert (tmp_path / "soak" / "run-3.log").read_text() == "2 passed in 0.01s\n"


def test_a_failed_run_is_reported_with_its_tests_and_fails_the_soak(tmp_path: Path) -> None:
    done = soak(tmp_path, FAILS, "--runs", "2", "--loaded", "0")
    assert done.returncode == 1
    assert done.stdout.count("(1 failed, 1 passed in 0.01s)\n  tests/a.py::test_b\n") == 2
    assert "0 of 2 runs passed." in done.stdout


def test_busy_processes_end_with_the_run() -> None:
    def loaded() -> None:
        with load(2):
            assert len(multiprocessing.active_children()) == 2
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loaded()
    assert multiprocessing.active_children() == []


def test_a_busy_process_ends_when_its_parent_is_gone() -> None:
    orphan = f"import tests.soak; tests.soak.stay_busy({os.getpid()})"  # its parent is this process
    with subprocess.Popen([sys.executable, "-c", orphan], cwd=ROOT) as busy:
        assert busy.poll() is None
        busy.kill()
    stranger = "import tests.soak; tests.soak.stay_busy(0)"
    assert subprocess.run([sys.executable, "-c", stranger], cwd=ROOT, timeout=LIMIT).returncode == 0


def test_more_loaded_runs_than_runs_are_refused(tmp_path: Path) -> None:
    done = soak(tmp_path, PASSES, "--runs", "1", "--loaded", "2")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Load no more runs than there are" in done.stderr
