"""The guides to the jackpot system, run from their first command to their last: what they show is what happens."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.card_room import House

DOCS = Path(__file__).parents[2] / "docs"
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


def walk(house: House, guide: str, **variables: str) -> int:
    """Run every command of a guide, and compare what is printed; how many there were."""
    text = (DOCS / guide).read_text("utf-8")
    payload = list(commands(text))
    for folder in FOLDER.findall(text):
        (house.folder / folder).mkdir()
    for command, shown in payload:
        result = house.run(*shlex.split(command), **{"CARDROOM_USER": "rosa", **variables})
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = plain(result.stdout)
        for line in shown:
            pattern = ".*?".join(map(re.escape, re.split(" ?… ?", plain(line))))
            found = re.search(pattern, printed)
            assert found, f"{command} does not print {line!r} where it should:\n{result.stdout}"
            printed = printed[found.end() :]
    return len(payload)


def test_the_guide_tells_the_truth(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    assert walk(house, "jackpots.md") > 20
    assert walk(house, "tables.md") > 5
    assert walk(house, "gaming-day.md") > 8


def test_the_auditors_tour_tells_the_truth(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    (house.folder / "outside").mkdir()
    (house.folder / "room.toml").write_text('name = "Main Street Card Room"\n', "utf-8")
    machine = f'[heads]\nfolder = "{house.folder}/outside"\nsigning_key = "{house.folder}/heads.key"\n'
    (house.folder / "machine.toml").write_text(machine, "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(house.folder / "machine.toml"))
    # On a wide screen, where what happened stands in one line.
    assert walk(house, "auditor.md", COLUMNS="300", CARDROOM_USER="aldo") > 20
