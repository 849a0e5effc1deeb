"""Simulated screens: a sign that is shown only what is new, a monitor that dials again when its server comes back."""

from __future__ import annotations

from pathlib import Path
from random import Random

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom_equipment_simulators import (
    CallRefused,
    DeviceConnection,
    FailurePlan,
    MonitorSimulator,
    SignSimulator,
)
from cardroom_equipment_simulators.connection import FailureInjector
from tests.deadline import LIMIT
from tests.web.devices.equipped import EquippedRoom, open_equipped
from tests.web.devices.server import KillableServer


def line_of(room: EquippedRoom, client: httpx.Client, device: str) -> DeviceConnection:
    return DeviceConnection(
        client, room.token(device), FailureInjector(FailurePlan(), Random(0)), lambda _: None, timeout=LIMIT
    )


def test_a_sign_is_shown_only_what_is_new(room: EquippedRoom) -> None:
    with httpx.Client(base_url=room.address) as client:
        sign = SignSimulator(line_of(room, client, "S-1001"))
        first = sign.fetch()
        assert first["lines"][0]["amount"] == "$5,000.00"
        assert sign.fetch() is None
        room.press("1", 1)
        assert sign.fetch()["lines"][0]["amount"] == "$5,000.20"
        with pytest.raises(CallRefused, match="cannot fetch the LED sign"):
            SignSimulator(line_of(room, client, "M-3001")).fetch()


def test_a_monitor_follows_and_says_why_it_hears_nothing_any_more(room: EquippedRoom) -> None:
    with httpx.Client(base_url=room.address) as client, MonitorSimulator(client, room.token("M-3001")) as monitor:
        assert monitor.wait(0, LIMIT)
        room.press("1", 1, 2, 3, 4, 5)
        assert monitor.wait(1, LIMIT)
        assert monitor.latest["display"]["panels"][0]["amounts"][0]["cents"] == 5_001_00  # type: ignore[index]
        room.card_room.withdraw_device("away", "Olga", "M-3001", "it fell down")
        assert not monitor.wait(2, LIMIT)
        assert "is no longer valid" in monitor.refusal
    with httpx.Client(base_url=room.address) as client, MonitorSimulator(client, room.token("T-1001")) as monitor:
        assert not monitor.wait(0, LIMIT)
        assert "cannot fetch the monitor's display" in monitor.refusal


def test_a_monitor_dials_again_when_its_server_comes_back(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with open_ledger(database) as ledger:
        card_room = CardRoom(ledger)
        tokens = open_equipped(card_room)
        server = KillableServer(database)
        room = EquippedRoom(card_room, server.address, None, tokens)  # type: ignore[arg-type]
        server.start()
        try:
            with (
                httpx.Client(base_url=server.address) as client,
                MonitorSimulator(client, room.token("M-3001")) as monitor,
            ):
                assert monitor.wait(0, LIMIT)
                server.kill()
                card_room.tabulate("meanwhile", "Kim", "way-1", {1: [1, 2, 3, 4, 5]})
                server.start()
                assert monitor.wait(1, LIMIT)
                assert monitor.latest["display"]["panels"][0]["amounts"][0]["cents"] == 5_001_00  # type: ignore[index]
        finally:
            server.kill()
