"""A server that is frozen in the middle of a command:

    python -m tests.attack.frozen_server URL

prints "deciding" while it holds all its locks, and continues when it reads a line.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cardroom.ledger import CommandOutcome, Head, open_ledger
from tests.ledger.play_commands import wager

ROOT = Path(__file__).parents[2]


def main(url: str) -> None:
    command = wager("frozen")

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        print("deciding", flush=True)
        sys.stdin.readline()
        return command.decide(heads)

    with open_ledger(url) as ledger:
        result = ledger.execute(replace(command, decide=decide))
        print(f"stored {result.response} {result.is_repeat}", flush=True)


@contextmanager
def start_frozen_server(url: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.attack.frozen_server", url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGCONT)
        process.kill()
        process.communicate()


def read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


if __name__ == "__main__":
    main(*sys.argv[1:])
