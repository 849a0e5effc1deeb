"""Debian's dieharder on the random stream of the shuffles: an independent check that takes minutes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.battery.bring import NotThere, dieharder

STREAM = (sys.executable, "-c", "from cardroom.cli import main; main()", "rng", "stream", "--seed", "battery")
TESTS = {
    0: "birthdays",
    2: "ranks of 32x32 matrices",
    3: "ranks of 6x8 matrices",
    5: "overlapping pairs (OPSO)",
    8: "ones in a stream",
    15: "runs",
    16: "craps",
    100: "ones (STS)",
    101: "runs (STS)",
}
"""By dieharder's numbers; together about two minutes."""

COUNTER = """
import os, struct
for start in range(0, 1 << 32, 4096):
    os.write(1, struct.pack("<4096I", *range(start, start + 4096)))
"""


def judged(number: int, source: tuple[str, ...]) -> list[str]:
    """Dieharder's result for each part of a test: PASSED, WEAK, or FAILED."""
    try:
        battery = dieharder()
    except NotThere as fault:
        pytest.fail(str(fault))
    command = (battery.program, "-g", "200", "-d", str(number), "-D", "assessment")
    with subprocess.Popen(source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as stream:
        done = subprocess.run(
            command, stdin=stream.stdout, capture_output=True, text=True, env=battery.environment, check=True
        )
        stream.kill()
    return [line.split("|")[-1].strip() for line in done.stdout.splitlines() if line and not line.startswith("#")]


@pytest.mark.long
@pytest.mark.parametrize("number", TESTS, ids=[name.replace(" ", "-") for name in TESTS.values()])
def test_dieharder_does_not_fail_the_stream(number: int) -> None:
    """FAILED is a p below one in a million. WEAK is below one in two hundred, which chance gives now and then in this
    many parts."""
    said = judged(number, STREAM)
    assert said
    assert set(said) <= {"PASSED", "WEAK"}


@pytest.mark.long
def test_dieharder_fails_a_counter() -> None:
    assert "FAILED" in judged(0, (sys.executable, "-c", COUNTER))


def test_a_machine_without_dieharder_gets_an_instruction(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.setattr("tests.battery.bring.ROOT", tmp_path)
    with pytest.raises(NotThere):
        dieharder()
