"""Starts drivers quickly: a process that has loaded the program and warmed it up, and copies itself for every life.

    python -m tests.crash.process_pool

reads from each line the lives that run side by side, in JSON, and tells on a line how they ended. Each driver is a
process of its own, with its own connection; only loading the program is spared.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import cardroom.ledger.postgresql  # noqa: F401  # else every life would load it
from tests.crash.driver import live, sheet_of
from tests.crash.evening import Evening
from tests.crash.kill_points import KillPoint, Way
from tests.crash.kill_report import Sheet
from tests.crash.tables.evening import TableEvening


def warm_up() -> None:
    """Claims and rounds of every game, so that all that is loaded late is loaded."""
    with tempfile.TemporaryDirectory() as folder:
        with TableEvening(0, Path(folder) / "tables.db") as tables:
            tables.commands(60)
        script, result = Path(folder) / "script", Path(folder) / "result"
        script.write_text("".join(json.dumps(one.command) + "\n" for one in Evening(0).commands(120)))
        live(f"sqlite:///{folder}/ledger.db", script, result)


def fault_of(script: Path) -> Path:
    """Where a driver that fails says why."""
    return script.with_suffix(".fault")


def _child(life: dict[str, Any], kill_point: KillPoint | None, beginning: int) -> None:
    paths = Path(life["script"]), Path(life["acknowledgements"])
    try:
        live(life["url"], *paths, kill_point, beginning, Sheet(sheet_of(paths[0])))
    except BaseException:
        fault_of(paths[0]).write_text(traceback.format_exc())
        os._exit(1)
    os._exit(0)


def bring_up(life: dict[str, Any]) -> dict[str, Any]:
    """One life, from its birth to its end."""
    result = life["kill_point"]
    kill_point = KillPoint(**result | {"way": Way(result["way"])}) if result else None
    listening, beginning = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(listening)
        _child(life, kill_point, beginning)
    os.close(beginning)
    if kill_point is not None and kill_point.way is Way.CLOCK:
        _kill_by_the_clock(child, kill_point, listening)
    _, status = os.waitpid(child, 0)
    os.close(listening)
    if os.WIFSIGNALED(status):
        return {"signal": os.WTERMSIG(status)}
    return {"code": os.WEXITSTATUS(status)}


def _kill_by_the_clock(child: int, kill_point: KillPoint, listening: int) -> None:
    begun = 0
    while begun < kill_point.command:
        select.select([listening], [], [])
        heard = os.read(listening, 65536)
        if not heard:
            return  # it came to the end of its script before
        begun += heard.count(b"\n")
    time.sleep(kill_point.number / 1e6)  # cannot fail: at whatever moment the kill comes, nothing may be lost
    os.kill(child, signal.SIGKILL)


def bring_up_together(lives: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Several lives at the same time, each with a user who looks after it; one needs no user else."""
    if len(lives) == 1:
        return [bring_up(lives[0])]
    pipes = []
    for life in lives:
        listening, telling = os.pipe()
        if os.fork() == 0:
            os.write(telling, json.dumps(bring_up(life)).encode())
            os._exit(0)
        os.close(telling)
        pipes.append(listening)
    ended = []
    for listening in pipes:
        ended.append(json.loads(os.read(listening, 4096)))
        os.close(listening)
        os.wait()
    return ended


def main() -> None:
    warm_up()
    gc.collect()
    gc.freeze()  # else every life would look through all that was loaded, and copy it
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(bring_up_together(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
