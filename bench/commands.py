"""Commands: how long a person waits for an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.measure import Figure, second_run

SUBJECT = "commands"
CARDROOM = Path(sys.executable).with_name("cardroom")


def figures() -> list[Figure]:
    return [
        Figure("cardroom --help", _seconds("--help"), "s", 0.4, more_is_better=False),
        Figure("cardroom paytables --json", _seconds("paytables", "--json"), "s", more_is_better=False),
        Figure(
            "cardroom settle --example", _seconds("settle", "--example", "texas-shootout"), "s", more_is_better=False
        ),
    ]


def _seconds(*words: str) -> float:
    return second_run(lambda: subprocess.run([CARDROOM, *words], check=True, capture_output=True))
