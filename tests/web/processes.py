"""`cardroom serve` as a process of its own, for the tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.deadline import LIMIT

ROOT = Path(__file__).parents[2]
CARDROOM = [sys.executable, "-c", "from cardroom.cli import main; main()"]
UNHURRIED = [sys.executable, "-c", "import tests.timeouts; tests.timeouts.lengthen(); " + CARDROOM[-1]]
"""The same program with timeouts that do not run out."""


@dataclass
class ServerProcess:
    """A server that has printed its address."""

    process: subprocess.Popen[str]
    line: str
    errors: Path

    @property
    def url(self) -> str:
        return self.line.split()[-1]

    def log(self) -> list[str]:
        return self.errors.read_text().splitlines()


@contextmanager
def start_server(folder: Path, *options: str, program: Sequence[str] = UNHURRIED) -> Iterator[ServerProcess]:
    """Run `cardroom serve` on a free port, and kill it at the end if it still runs."""
    errors = folder / "errors"
    command = [*program, "serve", "--port", "0", "--database", f"sqlite:///{folder}/room.db", *options]
    with (
        errors.open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT) as process,
    ):
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, errors.read_text()
            yield ServerProcess(process, line, errors)
        finally:
            process.kill()


def expect_start_refused(*options: str) -> str:
    """Return the sentence with which `cardroom serve` refuses to start."""
    completed = subprocess.run([*CARDROOM, "serve", *options], capture_output=True, text=True, timeout=LIMIT)
    assert (completed.returncode, completed.stdout) == (2, ""), completed.stderr
    return completed.stderr
