"""Run every command of the guides to jackpots, tables, and the gaming day, and compare what they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.card_room import CliRoom

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = re.compile(r"```sh\nmkdir (\w+)\n```")
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def read_commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of a guide with the lines of output that the guide shows."""
    for block in CONSOLE.findall(text):
        for part in block.split("$ cardroom ")[1:]:
            command, *shown = part.rstrip("\n").split("\n")
            yield command, [line for line in shown if line.strip()]


def normalize_spaces(text: str) -> str:
    return " ".join(text.split())


def run_guide(cli_room: CliRoom, guide: str, **variables: str) -> int:
    """Run every command of a guide, compare what it prints, and return the number of commands."""
    text = (DOCS / guide).read_text("utf-8")
    guide_commands = list(read_commands(text))
    for folder in FOLDER.findall(text):
        (cli_room.folder / folder).mkdir()
    for command, shown in guide_commands:
        result = cli_room.run(*shlex.split(command), **{"CARDROOM_USER": "rosa", **variables})
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = normalize_spaces(result.stdout)
        for line in shown:
            pattern = ".*?".join(map(re.escape, re.split(" ?… ?", normalize_spaces(line))))
            match = re.search(pattern, printed)
            assert match, f"{command} does not print {line!r} where it should:\n{result.stdout}"
            printed = printed[match.end() :]
    return len(guide_commands)


def test_the_commands_of_the_jackpot_guides_print_what_they_show(
    cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    assert run_guide(cli_room, "jackpots.md") > 20
    assert run_guide(cli_room, "tables.md") > 5
    assert run_guide(cli_room, "gaming-day.md") > 8


def test_the_commands_of_the_auditors_tour_print_what_it_shows(
    cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    (cli_room.folder / "outside").mkdir()
    (cli_room.folder / "room.toml").write_text('name = "Main Street Card Room"\n', "utf-8")
    machine = f'[heads]\nfolder = "{cli_room.folder}/outside"\nsigning_key = "{cli_room.folder}/heads.key"\n'
    (cli_room.folder / "machine.toml").write_text(machine, "utf-8")
    monkeypatch.setenv("CARDROOM_CONFIG", str(cli_room.folder / "machine.toml"))
    # On a wide screen, each event is on one line.
    assert run_guide(cli_room, "auditor.md", COLUMNS="300", CARDROOM_USER="aldo") > 20
