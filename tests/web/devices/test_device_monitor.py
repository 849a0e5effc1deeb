"""Every server shows a device that falls silent or sends invalid requests, and shows no other device."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import LedgerUnavailable, Note, open_ledger
from cardroom.room.user.permissions import Role
from cardroom.service import CardRoom
from cardroom.web.services.device_monitor import MALFORMED_LIMIT, REFUSAL_WINDOW_SECONDS, DeviceMonitor, DeviceStatus
from tests.deadline import wait_until
from tests.service.live_scenes import PRIME
from tests.service.staff import LOGINS, signed_in, two_who_deal
from tests.service.table_scenes import HandClock
from tests.web.devices.equipped import EquippedRoom
from tests.web.devices.evening import build_invalid_press, open_equipment
from tests.web.rooms import ServedRoom, serve_room

MINUTE = 60


def speech(hearing: DeviceMonitor, device: str) -> DeviceStatus:
    return next(listed.status for listed in hearing.list_devices() if listed.device == device)


def hear(hearing: DeviceMonitor, card_room: CardRoom, device: str) -> None:
    hearing.record_call(device, card_room.get_device(device))


def test_a_device_speaks_falls_silent_and_speaks_again(card_room: CardRoom) -> None:
    clock = HandClock()
    hearing = DeviceMonitor(card_room, clock)
    assert {device.status for device in hearing.list_devices()} == {DeviceStatus.NEVER_CONNECTED}
    hear(hearing, card_room, "S-1001")
    hear(hearing, card_room, "C-3001")
    clock.wait(MINUTE)
    assert speech(hearing, "S-1001") is DeviceStatus.CONNECTED
    clock.wait(1)
    assert [(device.device, device.status) for device in hearing.list_problems()] == [("S-1001", DeviceStatus.SILENT)]
    assert "No contact since" in hearing.list_problems()[0].description
    assert hearing.list_problems("prime-1") == []
    assert speech(hearing, "C-3001") is DeviceStatus.CONNECTED, "a dealer's console speaks when the dealer does"
    hear(hearing, card_room, "S-1001")
    assert speech(hearing, "S-1001") is DeviceStatus.CONNECTED
    clock.wait(40 * MINUTE)
    assert speech(hearing, "C-3001") is DeviceStatus.SILENT


def test_no_user_is_silent_before_the_house_has_been_open_for_as_long(card_room: CardRoom) -> None:
    clock = HandClock()
    before = DeviceMonitor(card_room, clock)
    hear(before, card_room, "T-1001")
    before.share()
    clock.wait(30 * MINUTE)
    hearing = DeviceMonitor(card_room, clock)
    hearing.share()
    assert speech(hearing, "T-1001") is DeviceStatus.CONNECTED
    clock.wait(MINUTE + 1)
    assert speech(hearing, "T-1001") is DeviceStatus.SILENT


def test_a_device_that_speaks_to_one_server_is_silent_at_none(card_room: CardRoom) -> None:
    clock = HandClock()
    first, other = DeviceMonitor(card_room, clock), DeviceMonitor(card_room, clock)
    for hearing in (first, other):
        hearing.share()
    for _ in range(10):
        hear(first, card_room, "T-1001")
        first.share()
        other.share()
        clock.wait(MINUTE - 1)
        assert (speech(first, "T-1001"), speech(other, "T-1001")) == (DeviceStatus.CONNECTED, DeviceStatus.CONNECTED)
    clock.wait(2)
    assert (speech(first, "T-1001"), speech(other, "T-1001")) == (DeviceStatus.SILENT, DeviceStatus.SILENT)


def test_what_several_servers_refuse_is_counted_together_and_forgotten_after_a_while(card_room: CardRoom) -> None:
    clock = HandClock()
    first, other = DeviceMonitor(card_room, clock), DeviceMonitor(card_room, clock)
    for hearing, times in ((first, 2), (other, 1)):
        for number in range(times):
            hearing.record_refusal("T-1001", card_room.get_device("T-1001"), f"No {number}.")
        assert speech(hearing, "T-1001") is DeviceStatus.CONNECTED
        hearing.share()
        clock.wait(1)
    first.share()
    for hearing in (first, other):
        (seen,) = hearing.list_problems()
        assert (seen.device, seen.status, seen.contact.refused) == ("T-1001", DeviceStatus.MALFORMED, MALFORMED_LIMIT)
        assert seen.description.startswith("3 requests were refused recently, the last one at ")
        assert seen.description.endswith(": No 0.")
    clock.wait(REFUSAL_WINDOW_SECONDS)
    hear(first, card_room, "T-1001")
    assert speech(first, "T-1001") is DeviceStatus.CONNECTED
    first.record_refusal("T-1001", card_room.get_device("T-1001"), "Once more.")
    assert first.contact_of("T-1001", card_room.get_device("T-1001")).refused == 1


def test_another_token_begins_again(card_room: CardRoom) -> None:
    hearing = DeviceMonitor(card_room, HandClock())
    for _ in range(MALFORMED_LIMIT):
        hearing.record_refusal("T-1001", card_room.get_device("T-1001"), "No.")
    assert speech(hearing, "T-1001") is DeviceStatus.MALFORMED
    card_room.renew_device_token("renew", "Olga", "T-1001", "it babbles")
    assert speech(hearing, "T-1001") is DeviceStatus.NEVER_CONNECTED
    card_room.withdraw_device("away", "Olga", "T-1001", "it went back")
    assert speech(hearing, "T-1001") is DeviceStatus.WITHDRAWN


def test_what_could_not_be_shared_is_shared_later(tmp_path: Path, card_room: CardRoom) -> None:
    clock, url = HandClock(), f"sqlite:///{tmp_path}/room.db"
    with open_ledger(url, lock_timeout=0.05) as ledger:  # cannot fail: the lock is held on purpose
        hearing = DeviceMonitor(CardRoom(ledger), clock)
        hear(hearing, card_room, "T-1001")
        with sqlite3.connect(f"{tmp_path}/room.db", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LedgerUnavailable):
                hearing.share()
            assert speech(hearing, "T-1001") is DeviceStatus.CONNECTED
            other.execute("ROLLBACK")
        other.close()
        hearing.share()
    next_door = DeviceMonitor(card_room, clock)
    next_door.share()
    assert speech(next_door, "T-1001") is DeviceStatus.CONNECTED


def test_notes_that_say_something_else_are_passed_over(card_room: CardRoom) -> None:
    card_room.ledger.save_notes([Note("device T-1001.1", 1, '{"at": "soon"}'), Note("device ", 1, "")])
    hearing = DeviceMonitor(card_room, HandClock())
    hearing.share()
    assert speech(hearing, "T-1001") is DeviceStatus.NEVER_CONNECTED


# Over the line, in a card room as a whole.


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def whole(tmp_path: Path, clock: HandClock) -> Iterator[ServedRoom]:
    with serve_room(tmp_path, clock=clock) as room:
        yield room


@pytest.fixture
def devices(whole: ServedRoom) -> Iterator[EquippedRoom]:
    with open_equipment(whole) as devices:
        yield devices


def test_every_call_is_heard_and_here_says_how_often_to_call(whole: ServedRoom, devices: EquippedRoom) -> None:
    result = devices.post("T-1001", "/here")
    assert (result["device"], result["table"], result["every"]) == ("T-1001", "way-1", 15)
    devices.press("1", 1, device="T-3001")
    assert devices.ask("S-1001", "GET", "/sign").status_code == 200
    heard = {
        device.device
        for device in whole.context.device_monitor.list_devices()
        if device.status is DeviceStatus.CONNECTED
    }
    assert heard == {"T-1001", "T-3001", "S-1001"}


def test_the_floor_sees_who_falls_silent_and_who_sends_nonsense(
    whole: ServedRoom, devices: EquippedRoom, clock: HandClock
) -> None:
    two_who_deal(whole.card_room)
    cookie = {"cookie": f"cardroom_session={signed_in(whole.card_room, LOGINS[Role.SUPERVISOR])}"}

    def page(path: str) -> str:
        return httpx.get(whole.url + path, headers=cookie).text

    devices.post("M-3001", "/here")
    devices.post("T-1001", "/here")
    assert ">device " not in page("/office")
    assert "device-warnings" not in page(f"/dealer/{PRIME}")
    clock.wait(MINUTE + 1)
    devices.post("T-1001", "/here")
    for number in range(MALFORMED_LIMIT):
        devices.refused("T-3001", "/presses", 422, **build_invalid_press(number))
    office, console = page("/office"), page(f"/dealer/{PRIME}")
    assert "device silent" in office
    assert "M-3001, monitor. No contact since" in office
    assert "device sends invalid requests" in office
    assert "T-3001, tabulator. 3 requests were refused recently" in office
    assert "covered: Input should be a valid dictionary." in office
    assert "<b>M-3001</b>, monitor: silent" in console
    assert "<b>T-3001</b>, tabulator: sends invalid requests" in console
    sheet = page(f"/dealer/{PRIME}/equipment")
    assert "<b>C-3001</b>, dealer&#39;s console: not connected yet." in sheet
    assert "T-1001" not in office + console + sheet, "what is right is no matter, and another table's is not shown here"


def test_open_pages_are_shown_when_a_device_falls_silent(
    whole: ServedRoom, devices: EquippedRoom, clock: HandClock
) -> None:
    result: list[str] = []
    note = whole.context.live_pages.on_change
    whole.context.device_monitor._on_change = lambda chains: (result.extend(chains), note(chains))[1]
    devices.post("M-3001", "/here")
    wait_until(lambda: "devices" in result)
    result.clear()
    clock.wait(MINUTE + 1)
    wait_until(lambda: "devices" in result)


def test_what_people_decide_about_is_no_nonsense(whole: ServedRoom, devices: EquippedRoom) -> None:
    """A counter that differs holds the device up, and a dealer may try what the rules do not allow."""
    two_who_deal(whole.card_room)
    dora = {"cardroom-session": signed_in(whole.card_room, "dora")}
    for number in range(MALFORMED_LIMIT):
        jumped = {"id": str(number), "covered": {"1": [1]}, "counter": {"1": 40}}
        devices.refused("T-1001", "/presses", 409, **jumped)
        answer = devices.ask("C-3001", "POST", "/live/end", {"id": f"end-{number}"}, **dora)
        assert answer.status_code == 409
    hearing = whole.context.device_monitor
    assert (speech(hearing, "T-1001"), speech(hearing, "C-3001")) == (DeviceStatus.HELD_UP, DeviceStatus.CONNECTED)
    assert all(device.contact.refused == 0 for device in hearing.list_devices())
    for number in range(MALFORMED_LIMIT):
        devices.refused("C-3001", "/presses", 403, id=str(number), covered={})
    assert speech(hearing, "C-3001") is DeviceStatus.MALFORMED


def test_what_is_no_json_at_all_is_nonsense_of_the_device_that_sent_it(
    whole: ServedRoom, devices: EquippedRoom
) -> None:
    headers = {"authorization": f"Bearer {devices.token('T-1001')}", "content-type": "application/json"}
    for _ in range(MALFORMED_LIMIT):
        assert devices.client.post("/presses", content=b"{", headers=headers).status_code in (400, 422)
    assert devices.client.post("/presses", content=b" " * (1 << 20) + b" ", headers=headers).status_code == 413
    (seen,) = whole.context.device_monitor.list_problems()
    assert (seen.device, seen.contact.refused) == ("T-1001", MALFORMED_LIMIT), (
        "what is too long is turned away before the device"
    )
    no_user = {**headers, "authorization": "Bearer T-1001.1." + "x" * 43}
    assert devices.client.post("/presses", content=b"{", headers=no_user).status_code == 401
    (seen,) = whole.context.device_monitor.list_problems()
    assert seen.contact.refused == MALFORMED_LIMIT, "who has not the token speaks for nobody"
