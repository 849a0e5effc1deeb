"""Run every command and every call of the guide to live tables against a real server."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import CliRoom
from tests.cli.test_jackpot_guide import DOCS, normalize_spaces
from tests.web.devices.server import serve_devices

ANYTHING = "…"
BLOCK = re.compile(r"```(console|http)\n(.*?)```", re.DOTALL)


def test_the_commands_and_calls_of_the_live_table_guide_print_what_it_shows(
    cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(cli_room.folder)
    counts = {"console": 0, "http": 0}
    with ExitStack() as stack:
        client: httpx.Client | None = None
        for kind, text in BLOCK.findall((DOCS / "device-api.md").read_text("utf-8")):
            counts[kind] += 1
            if kind == "console":
                run_commands(cli_room, text)
                continue
            client = client or open_console(cli_room, stack)
            call(client, text)
    assert counts["console"] == 2
    assert counts["http"] > 15
    assert cli_room.read_json("verify")["whole"]


def run_commands(cli_room: CliRoom, block: str) -> None:
    for part in block.split("$ cardroom ")[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        result = cli_room.run(*command.split())
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = normalize_spaces(result.stdout)
        for line in shown:
            match = re.search(".*?".join(map(re.escape, re.split(" ?… ?", normalize_spaces(line)))), printed)
            assert match, f"{command} does not print {line!r} where it should:\n{result.stdout}"
            printed = printed[match.end() :]


def open_console(cli_room: CliRoom, stack: ExitStack) -> httpx.Client:
    """Start a server, and return the client of the dealer's console."""
    token = cli_room.read_json("device", "renew", "console-1", "--why", "The tablet is new")["token"]
    ledger = stack.enter_context(open_ledger(cli_room.database))
    address = stack.enter_context(serve_devices(CardRoom(ledger)))
    headers = {"authorization": f"Bearer {token}", "cardroom-session": cli_room.sessions["kim"]}
    return stack.enter_context(httpx.Client(base_url=f"{address}/api/v1/devices", headers=headers))


def call(client: httpx.Client, block: str) -> None:
    request, *more = block.strip().split("\n")
    method, path = request.split()
    status, _, expected = more[-1].partition(" ")
    body = json.loads(more[0]) if len(more) > 2 else None
    response = client.request(method, path, json=body)
    assert response.status_code == int(status), response.text
    assert contains(response.json(), json.loads(expected)), response.text


def contains(actual: Any, expected: Any) -> bool:
    """Return whether a response has everything that the guide shows of it."""
    if expected == ANYTHING:
        return True
    if isinstance(expected, dict):
        return all(name in actual and contains(actual[name], value) for name, value in expected.items())
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(map(contains, actual, expected))
    return bool(actual == expected)
