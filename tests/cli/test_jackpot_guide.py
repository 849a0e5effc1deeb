"""The guide to the jackpot system, run from its first command to its last: what it shows is what happens."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.house import House

GUIDE = Path(__file__).parents[2] / "docs" / "jackpots.md"
FOLDER = re.compile(r"```sh\nmkdir (\w+)\n```")
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of the guide, and the lines that it shows below."""
    for block in CONSOLE.findall(text):
        for part in block.split("$ cardroom ")[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            yield command, [line for line in shown if line.strip()]


def plain(text: str) -> str:
    return " ".join(text.split())


def test_the_guide_tells_the_truth(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    told = list(commands(GUIDE.read_text("utf-8")))
    assert len(told) > 20
    for folder in FOLDER.findall(GUIDE.read_text("utf-8")):
        (house.folder / folder).mkdir()
    for command, shown in told:
        result = house.run(*shlex.split(command), CARDROOM_PERSON="Rosa Diaz")
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = plain(result.stdout)
        for line in shown:
            pattern = ".*?".join(map(re.escape, plain(line).split("…")))
            found = re.search(pattern, printed)
            assert found, f"{command} does not print {line!r} where it should:\n{result.stdout}"
            printed = printed[found.end() :]
