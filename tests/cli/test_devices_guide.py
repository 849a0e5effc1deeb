"""Run every command of the guide to networked equipment against a real server."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.cli.test_jackpot_guide import DOCS, FOLDER, normalize_spaces, read_commands
from tests.web.devices.server import serve_devices

TOKEN = re.compile(r"^([A-Za-z0-9_-]+)\.[0-9]+\.[A-Za-z0-9_-]{43}$", re.MULTILINE)
VARIABLE = re.compile(r'"\$(\w+)"')
LOCAL = "http://127.0.0.1:8000"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
NEED_A_SERVER = ("device simulate", "device watch")
HELD_UP = "--patience 0.2"


def test_the_commands_of_the_equipment_guide_print_what_it_shows(
    cli_room: CliRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    text = (DOCS / "equipment.md").read_text("utf-8")
    for folder in FOLDER.findall(text):
        (cli_room.folder / folder).mkdir()
    guide, count = list(read_commands(text)), 0
    tokens: dict[str, str] = {}
    with ExitStack() as stack:
        address = ""
        for command, shown in guide:
            if command.startswith(NEED_A_SERVER):
                if not address:
                    address = _serve(cli_room, stack)
                    _run_programs((DOCS / "device-api.md").read_text("utf-8"), address, tokens["T_1001"])
                command += f" --server {address}"
            for variable in VARIABLE.findall(command):
                command = command.replace(f'"${variable}"', tokens[variable])
            result = cli_room.run(*command.split(), CARDROOM_USER="rosa")
            assert result.exit_code == (1 if HELD_UP in command else 0), f"{command}\n{result.output}"
            tokens |= {match[1].replace("-", "_"): match[0] for match in TOKEN.finditer(result.stdout)}
            printed = normalize_spaces(result.stdout)
            for line in shown:
                match = re.search(".*?".join(map(re.escape, re.split(" ?… ?", normalize_spaces(line)))), printed)
                assert match, f"{command} does not print {line!r} where it should:\n{result.stdout}"
                printed = printed[match.end() :]
            count += 1
    assert count == len(guide) > 8
    assert cli_room.read_json("verify")["whole"]


def _serve(cli_room: CliRoom, stack: ExitStack) -> str:
    ledger = stack.enter_context(open_ledger(cli_room.database))
    return stack.enter_context(serve_devices(CardRoom(ledger)))


def _run_programs(text: str, address: str, token: str) -> None:
    programs = PYTHON.findall(text)
    assert len(programs) == 1
    for program in programs:
        names = {"token": token}
        exec(program.replace(LOCAL, address), names)
        names["room"].close()  # type: ignore[attr-defined]
