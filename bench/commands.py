"""Commands: how long a person waits for an answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.measure import Figure, second_run
from bench.sheet import Sheet

SUBJECT: Final = "commands"
CORES: Final = 1
CARDROOM: Final = Path(sys.executable).with_name("cardroom")


def sheets() -> list[Sheet]:
    figures = (
        Figure("cardroom --help", _seconds("--help"), "s", 0.4, more_is_better=False),
        Figure("cardroom paytables --json", _seconds("paytables", "--json"), "s", more_is_better=False),
        Figure(
            "cardroom settle --example", _seconds("settle", "--example", "texas-shootout"), "s", more_is_better=False
        ),
    )
    return [Sheet("Commands, from the key to the answer, one core", figures)]


def _seconds(*words: str) -> float:
    return second_run(lambda: subprocess.run([CARDROOM, *words], check=True, capture_output=True))
