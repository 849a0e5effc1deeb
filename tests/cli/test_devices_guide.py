"""The guide to equipment over the network, run from its first command to its last against a real server."""

from __future__ import annotations

import re
from contextlib import ExitStack
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import House
from tests.cli.test_jackpot_guide import DOCS, FOLDER, commands, plain
from tests.web.devices.server import in_a_thread

TOKEN = re.compile(r"^([A-Za-z0-9_-]+)\.[0-9]+\.[A-Za-z0-9_-]{43}$", re.MULTILINE)
VARIABLE = re.compile(r'"\$(\w+)"')
LOCAL = "http://127.0.0.1:8000"
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
NEED_A_SERVER = ("device simulate", "device watch")
HELD_UP = "--patience 0.2"


def test_the_guide_to_devices_tells_the_truth(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    text = (DOCS / "equipment.md").read_text("utf-8")
    for folder in FOLDER.findall(text):
        (house.folder / folder).mkdir()
    payload, ran = list(commands(text)), 0
    tokens: dict[str, str] = {}
    with ExitStack() as stack:
        address = ""
        for command, shown in payload:
            if command.startswith(NEED_A_SERVER):
                if not address:
                    address = _serve(house, stack)
                    _run_programs((DOCS / "device-api.md").read_text("utf-8"), address, tokens["T_1001"])
                command += f" --server {address}"
            for named in VARIABLE.findall(command):
                command = command.replace(f'"${named}"', tokens[named])
            result = house.run(*command.split(), CARDROOM_USER="rosa")
            assert result.exit_code == (1 if HELD_UP in command else 0), f"{command}\n{result.output}"
            tokens |= {found[1].replace("-", "_"): found[0] for found in TOKEN.finditer(result.stdout)}
            printed = plain(result.stdout)
            for line in shown:
                found = re.search(".*?".join(map(re.escape, re.split(" ?… ?", plain(line)))), printed)
                assert found, f"{command} does not print {line!r} where it should:\n{result.stdout}"
                printed = printed[found.end() :]
            ran += 1
    assert ran == len(payload) > 8
    assert house.read_json("verify")["whole"]


def _serve(house: House, stack: ExitStack) -> str:
    ledger = stack.enter_context(open_ledger(house.database))
    return stack.enter_context(in_a_thread(CardRoom(ledger)))


def _run_programs(text: str, address: str, token: str) -> None:
    programs = PYTHON.findall(text)
    assert len(programs) == 1
    for program in programs:
        names = {"token": token}
        exec(program.replace(LOCAL, address), names)
        names["room"].close()  # type: ignore[attr-defined]
