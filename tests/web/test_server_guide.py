"""Every call in the guide to the server is made, in its order, and answered as the guide says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx

from tests.web.processes import start_server

GUIDE = Path(__file__).parents[2] / "docs" / "server-api.md"
EXAMPLE = re.compile(
    r"```http\n(?P<call>[A-Z]+ /\S+)\n(?P<body>.*?)\n?\n(?P<status>\d{3})\n(?P<answer>.*?)\n```", re.DOTALL
)
ANYTHING = "…"


def as_shown(wanted: Any, found: Any) -> bool:
    """Whether an answer is what the guide shows, where … stands for anything."""
    match wanted, found:
        case str(), _ if wanted == ANYTHING:
            return True
        case dict(), dict():
            named = {name: value for name, value in wanted.items() if name != ANYTHING}
            complete = ANYTHING in wanted or named.keys() == found.keys()
            return complete and all(name in found and as_shown(value, found[name]) for name, value in named.items())
        case list(), list():
            open_end = wanted[-1:] == [ANYTHING]
            result = wanted[:-1] if open_end else wanted
            enough = len(found) > len(result) if open_end else len(found) == len(result)
            return enough and all(
                as_shown(wanted_item, other) for wanted_item, other in zip(result, found, strict=False)
            )
    return bool(wanted == found)


def test_the_guide_is_true(folder: Path) -> None:
    made = 0
    with start_server(folder, "--demo") as server, httpx.Client(base_url=server.url) as client:
        table = ""
        for example in EXAMPLE.finditer(GUIDE.read_text("utf-8")):
            call, body, answer = (
                example[part].replace("TABLE", table or "TABLE") for part in ("call", "body", "answer")
            )
            method, path = call.split()
            result = client.request(method, path, json=json.loads(body)) if body else client.request(method, path)
            assert result.status_code == int(example["status"]), (call, result.text)
            found = result.json()
            if path == "/api/v1/tables" and method == "POST":
                table = found["table"]
                answer = answer.replace("TABLE", table)
            assert as_shown(json.loads(answer), found), (call, found)
            if "token" in found:
                client.headers["Authorization"] = f"Bearer {found['token']}"
            made += 1
    assert made == 15


def test_the_guide_can_be_wrong() -> None:
    assert as_shown({"a": "…", "b": [1, "…"]}, {"a": {}, "b": [1, 2]})
    assert as_shown({"a": 1, "…": "…"}, {"a": 1, "b": 2})
    for wanted, found in (({"a": 1}, {"a": 1, "b": 2}), ({"a": 1}, {"a": 2}), ([1], [1, 2]), ([1, "…"], [1]), (1, "1")):
        assert not as_shown(wanted, found)
