"""Record what this checkout computes and stores, as plain JSON files: one value a line, keys sorted.

Each part runs in a process of its own, with a clock, random numbers, and a configuration that are the same every time.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from tests.comparison.commands import GAMES, ROOT, Files, game_commands, general_commands

BEGIN: Final = 1_800_043_200_000_000_000
"""Nanoseconds: noon of 1/15/2027 in Washington State."""
TICK: Final = 10_000
"""Nanoseconds by which the clock advances with each reading."""


def _evenings(database: str) -> Files:
    from tests.comparison import scenes

    return scenes.evenings(database)


def _api() -> Files:
    from tests.comparison import scenes

    return scenes.api()


def _golden_rounds() -> Files:
    from tests.comparison import scenes

    return scenes.golden_rounds()


PARTS: Final[dict[str, Callable[[], Files]]] = {
    "evenings-postgresql": partial(_evenings, "postgresql"),
    "evenings-sqlite": partial(_evenings, "sqlite"),
    **{game: partial(game_commands, game) for game in GAMES},
    "general": general_commands,
    "api": _api,
    "golden": _golden_rounds,
}
"""The parts of a record; those that take longest come first."""


def record(folder: Path) -> int:
    """Record every part into a new folder; 1 if a part fails."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty: name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        codes = list(pool.map(partial(_start, folder=folder.resolve()), PARTS))
    return max(codes)


def _start(part: str, folder: Path) -> int:
    """Record a part in a process of its own, whose temporary files and configuration are gone afterward."""
    with TemporaryDirectory(prefix="record-") as temporary:
        places = {"TMPDIR": temporary, "XDG_CONFIG_HOME": temporary, "XDG_STATE_HOME": temporary}
        settings = {"CARDROOM_KEY": f"cardroom-key-1:{'T' * 43}", "TZ": "UTC", "COLUMNS": "100", "PYTHONHASHSEED": "0"}
        settings["PYTHONPATH"] = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("CARDROOM_DATABASE")}
        command = (sys.executable, "-m", "tests.comparison", "record", str(folder), "--part", part)
        done = subprocess.run(
            command, cwd=ROOT, env={**inherited, **places, **settings}, capture_output=True, text=True
        )
    print(f"{part}: {'recorded' if done.returncode == 0 else f'failed{os.linesep}{done.stderr}'}", flush=True)
    return done.returncode


def record_part(part: str, folder: Path) -> None:
    """Record one part in this process, whose clock and random numbers are replaced."""
    random, readings = Random(part), count()
    secrets.token_bytes = lambda size=None: random.randbytes(32 if size is None else size)  # type: ignore[assignment]
    secrets.randbelow = random.randrange
    time.time_ns = lambda: BEGIN + TICK * next(readings)
    for name, content in PARTS[part]().items():
        text = json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False)
        (folder / f"{name}.json").write_text(f"{text}\n", "utf-8")
