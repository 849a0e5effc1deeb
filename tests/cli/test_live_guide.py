"""The guide to live tables, run from its first command to its last call against a real server."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from tests.cli.card_room import House
from tests.cli.test_jackpot_guide import DOCS, plain
from tests.web.devices.server import in_a_thread

ANYTHING = "…"
BLOCK = re.compile(r"```(console|http)\n(.*?)```", re.DOTALL)


def test_the_guide_to_live_tables_tells_the_truth(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(house.folder)
    met = {"console": 0, "http": 0}
    with ExitStack() as stack:
        client: httpx.Client | None = None
        for kind, text in BLOCK.findall((DOCS / "device-api.md").read_text("utf-8")):
            met[kind] += 1
            if kind == "console":
                run(house, text)
                continue
            client = client or served(house, stack)
            call(client, text)
    assert met["console"] == 2
    assert met["http"] > 15
    assert house.read_json("verify")["whole"]


def run(house: House, block: str) -> None:
    for part in block.split("$ cardroom ")[1:]:
        command, *shown = part.rstrip("\n").split("\n")
        result = house.run(*command.split())
        assert result.exit_code == 0, f"{command}\n{result.output}"
        printed = plain(result.stdout)
        for line in shown:
            found = re.search(".*?".join(map(re.escape, re.split(" ?… ?", plain(line)))), printed)
            assert found, f"{command} does not print {line!r} where it should:\n{result.stdout}"
            printed = printed[found.end() :]


def served(house: House, stack: ExitStack) -> httpx.Client:
    """The line of the console to a server."""
    token = house.read_json("device", "renew", "console-1", "--why", "The tablet is new")["token"]
    ledger = stack.enter_context(open_ledger(house.database))
    address = stack.enter_context(in_a_thread(CardRoom(ledger)))
    headers = {"authorization": f"Bearer {token}", "cardroom-session": house.sessions["kim"]}
    return stack.enter_context(httpx.Client(base_url=f"{address}/api/v1/devices", headers=headers))


def call(client: httpx.Client, block: str) -> None:
    asked, *more = block.strip().split("\n")
    method, path = asked.split()
    status, _, answer = more[-1].partition(" ")
    body = json.loads(more[0]) if len(more) > 2 else None
    said = client.request(method, path, json=body)
    assert said.status_code == int(status), said.text
    assert holds(said.json(), json.loads(answer)), said.text


def holds(said: Any, payload: Any) -> bool:
    """Whether an answer has everything that the guide tells of it."""
    if payload == ANYTHING:
        return True
    if isinstance(payload, dict):
        return all(name in said and holds(said[name], one) for name, one in payload.items())
    if isinstance(payload, list):
        return len(said) == len(payload) and all(map(holds, said, payload))
    return bool(said == payload)
