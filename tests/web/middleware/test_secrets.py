"""No secret is ever in the log, however much the log tells."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from websockets.asyncio.client import connect

from tests.deadline import LIMIT
from tests.web.processes import start_server


def device_token(folder: Path) -> str:
    """The token of a tabulator of a room that has been set up there."""
    from cardroom.ledger import open_ledger
    from cardroom.service import CardRoom
    from tests.web.devices.equipped import open_equipped

    url = f"sqlite:///{folder}/room.db"
    with open_ledger(url) as ledger:
        return open_equipped(CardRoom(ledger))["T-1001"]


def test_no_token_no_form_and_no_word_of_a_player_is_in_the_log(folder: Path) -> None:
    device, visit = device_token(folder), "a-visit-that-only-ann-knows"
    words, why, forged = "rabbits-foot-of-ann", "reason-that-was-typed", "ann.1.forged-proof"
    with start_server(folder, "--demo", "--log-level", "debug") as server:
        with httpx.Client(base_url=server.url) as ann:
            came = ann.post("/api/v1/guests", json={"id": visit}).json()
            bearer = {"Authorization": f"Bearer {came['token']}"}
            table = "/api/v1/tables/dueling-for-dollars-1"
            ann.post(f"{table}/seat", json={"id": "sit", "seat": 1}, headers=bearer)
            ann.post(f"{table}/wagers", json={"id": "w", "wagers": {"player": 1000}, "words": words}, headers=bearer)
            ann.get("/", headers={"Accept": "text/html"})
            for token in (forged, came["token"] + "x"):
                ann.get("/api/v1/players/me", headers={"Authorization": f"Bearer {token}"})
            ann.get(f"/api/v1/{came['token']}")
            ann.get("/me", params={"token": came["token"]})
            ann.post(
                "/office/day/open", data={"id": "0" * 32, "who": "Rosa", "why": why}, headers={"Origin": server.url}
            )
            ann.post("/office/day/open", data={"id": "1" * 32, "why": why}, headers={"Origin": "https://evil.example"})
            ann.post("/api/v1/guests", content=b'{"id": "' + came["token"].encode() + b"x" * 70_000 + b'"}')
            cookie = f"cardroom_token={came['token']}"
            asyncio.run(a_page(server.url, cookie))
        with httpx.Client(base_url=f"{server.url}/api/v1/devices") as unit:
            unit.headers["Authorization"] = f"Bearer {device}"
            pressed = unit.post("/presses", json={"id": "press-1", "covered": {"1": [1]}})
            assert pressed.status_code in (200, 409), pressed.text
            unit.get("/sign")
            unit.post("/presses", json={"id": "press-1", "covered": {"9": [1]}})
        server.process.terminate()
        assert server.process.wait(LIMIT) == 0
        log = "\n".join(server.log())
    assert '"logger":"cardroom.access"' in log
    assert '"logger":"cardroom.security"' in log
    for secret in (came["token"].split(".")[2], device.split(".")[2], visit, words, why, "forged-proof", "0" * 32):
        assert secret not in log, secret


async def a_page(url: str, cookie: str) -> None:
    address = url.replace("http", "ws", 1) + "/live?page=/"
    async with connect(address, origin=url, additional_headers={"Cookie": cookie}) as line:  # type: ignore[arg-type]
        await asyncio.wait_for(line.recv(), LIMIT)
