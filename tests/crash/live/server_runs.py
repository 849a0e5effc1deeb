"""Lives of the house: begun by the nursery or as the real program, and ended from outside or by their own fate."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from tests.crash.crash_run import KILLED, ROOT
from tests.crash.live.moments import LastMoment, begun_nowhere
from tests.service.staff import with_first_operator

PROGRAM = "from cardroom.cli.app import main; main()"


class ProcessPool:
    """A process that is warm, and copies itself for every life."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.live.crash_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self._is_ready = False

    def begin(self, life: dict[str, Any]) -> int:
        """Begin a life; the number of its process."""
        if not self._is_ready:
            assert self.line() == {"ready": True}
            self._is_ready = True
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(life) + "\n")
        self._process.stdin.flush()
        process: int = self.line()["process"]
        return process

    def line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        output: dict[str, Any] = json.loads(self._process.stdout.readline())
        return output

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()


class Life:
    """A life of the house in the nursery."""

    def __init__(self, pool: ProcessPool, url: str, folder: Path, last: LastMoment | None) -> None:
        self._pool = pool
        begun_nowhere(folder / "sheet")
        output = {"url": url, "sheet": str(folder / "sheet"), "log": str(folder / "log")}
        process = pool.begin(output | {"last": last.entry() if last else None})
        self._handle = _handle(process)
        self._ended: int | None = None

    async def opened(self) -> str | None:
        """Its address, when it is open; nothing if it died before."""
        output = await asyncio.to_thread(self._pool.line)
        self._ended = output.get("ended")
        return output.get("open")

    def kill(self) -> None:
        if self._handle is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    async def ended(self) -> int:
        """Wait for its death; it dies of nothing else than a signal, which is given back."""
        if self._ended is None:
            self._ended = (await asyncio.to_thread(self._pool.line))["ended"]
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        assert -self._ended in KILLED, f"The house ended with {self._ended}."
        return -self._ended


def _handle(process: int) -> int | None:
    """Of one process and no other, also if its number is given again."""
    with suppress(ProcessLookupError):
        return os.pidfd_open(process)
    return None


class RealLife:
    """A life of the real program, as anybody starts it."""

    def __init__(self, url: str, folder: Path) -> None:
        begun_nowhere(folder / "sheet")
        with_first_operator(url)
        self._log: IO[bytes] = (folder / "log").open("ab")
        asked = ["serve", "--port", "0", "--database", url, "--log-level", "warning"]
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *asked], stdout=subprocess.PIPE, stderr=self._log, text=True, cwd=ROOT
        )

    async def opened(self) -> str | None:
        assert self._process.stdout is not None
        output = await asyncio.to_thread(self._process.stdout.readline)
        return output.split()[-1] if output else None

    def kill(self) -> None:
        self._process.kill()

    async def ended(self) -> int:
        ended = await asyncio.to_thread(self._process.wait)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()
        assert -ended in KILLED, f"The house ended with {ended}."
        return int(-ended)


def verified(url: str) -> str:
    """What the real program says of the books; it has to find them whole."""
    asked = [sys.executable, "-c", PROGRAM, "verify", "--database", url]
    result = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout
