"""Tests wait for states: a pause or a use of the clock gives the reason in the same line why it cannot fail."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted((*ROOT.glob("tests/**/*.py"), *ROOT.glob("packages/cardroom-conformance/**/*.py")))
WAITS: Final = re.compile(
    r"\btime\.sleep\(|\basyncio\.sleep\((?!0\))|\bwait_for_timeout\(|\btime\.(?:monotonic|perf_counter|time)(?:_ns)?\(\)"
    r"|\bfrom (?:time|asyncio) import .*\b(?:sleep|monotonic|perf_counter|time)\b"
    r"|\bdatetime\.(?:now|utcnow)\(|\bdate\.today\(|timeout=[\d.]+(?![\d.]| \*)"
)
"""Pauses, clocks, and limits in seconds other than ``LIMIT`` and its multiples. ``asyncio.sleep(0)`` takes no time."""
REASON: Final = re.compile(r"# cannot fail: \w+.{8,}")


def unexplained(text: str) -> list[str]:
    """The lines that wait, or use a clock, without a reason why that cannot fail."""
    return [line.strip() for line in text.splitlines() if WAITS.search(line) and not REASON.search(line)]


def test_no_test_waits_for_a_time_without_a_reason() -> None:
    files = [file for file in FILES if file != Path(__file__)]
    lines = {str(file.relative_to(ROOT)): unexplained(file.read_text("utf-8")) for file in files}
    assert len(lines) > 400
    assert {file: waits for file, waits in lines.items() if waits} == {}


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(1)",
        "    await asyncio.sleep(0.05)  # a moment",
        "page.wait_for_timeout(650)  # cannot fail:",
        "assert time.monotonic() - began < 3",
        "took = time.perf_counter() - began",
        "from time import sleep",
        "now = time.time_ns() // 1000",
        "now = datetime.now(UTC)",
        "now = datetime.datetime.now(datetime.UTC)",
        "assert page.day == date.today()",
        "answer = httpx.get(url, timeout=30)",
        "answer = httpx.get(url, timeout=2.5)",
        "with connect(url, open_timeout=5) as line:",
    ],
)
def test_a_pause_without_a_reason_is_found(line: str) -> None:
    assert unexplained(line) == [line.strip()]


@pytest.mark.parametrize(
    "line",
    [
        "time.sleep(0.05)  # cannot fail: the server is asked again",
        "await asyncio.sleep(0)",
        "answer = httpx.get(url, timeout=LIMIT)",
        "subprocess.run(command, timeout=2 * LIMIT)",
        "httpx.Client(timeout=8)  # cannot fail: the next server is asked",
        "wait_until(lambda: server.started)",
    ],
)
def test_a_pause_with_a_reason_and_a_line_without_a_pause_are_not_found(line: str) -> None:
    assert unexplained(line) == []
