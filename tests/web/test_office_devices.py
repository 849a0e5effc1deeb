"""Devices in the office: a token is shown on one page, once, and every error is next to its field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from cardroom.service import RoomTableSetup, UnitSetup, verify_card_room
from tests.service.card_rooms import prime_sensors, prime_table
from tests.service.staff import DEALER, OPERATOR, SUPERVISOR, password_of, staffed
from tests.web.devices.equipped import MILKY_WAY, encode_lines, record_rounds
from tests.web.devices.evening import open_equipment
from tests.web.rooms import ServedRoom, serve_room
from tests.web.test_office_actions import find_refusals, find_visitor, get_page, send
from tests.web.users import add_signature, visit

TOKEN = re.compile(r"[A-Za-z0-9_-]+\.[0-9]+\.[A-Za-z0-9_-]{43}")
NEW = {"table": "prime-9", "kind": "tabulator", "device": "T-9"}


@pytest.fixture
def office(tmp_path: Path) -> Iterator[ServedRoom]:
    with serve_room(tmp_path) as room, open_equipment(room):
        staffed(room.card_room)
        sensors = prime_sensors("prime-9", "final-four", "all-seven")
        room.card_room.add_table(
            "table 9", "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "T-9009"))
        )
        yield room


def token_on(page: httpx.Response) -> str:
    assert page.status_code == 200, page.text
    tokens = set(TOKEN.findall(page.text))
    assert len(tokens) == 1, tokens
    return tokens.pop()


def hello(office: ServedRoom, token: str) -> int:
    headers = {"authorization": f"Bearer {token}"}
    return httpx.post(f"{office.url}/api/v1/devices/here", headers=headers).status_code


def test_only_the_response_to_the_form_shows_the_token(office: ServedRoom) -> None:
    path = "/office/devices/new"
    page = send(office, path, id="a" * 32, **NEW)
    token = token_on(page)
    assert page.headers["cache-control"] == "no-store"
    assert hello(office, token) == 200
    again = send(office, path, id="a" * 32, **NEW)
    assert again.status_code == 200
    for other in ("/office/devices", path, f"{path}?done={'a' * 32}", "/office", "/office/ledger/room"):
        assert not TOKEN.search(get_page(office, other).text)
    assert not TOKEN.search(again.text)
    assert hello(office, token) == 200, "asking again changes nothing"


def test_renewing_shows_a_new_token_and_the_old_one_is_refused(office: ServedRoom) -> None:
    first = token_on(send(office, "/office/devices/new", id="a" * 32, **NEW))
    path = "/office/devices/T-9/renew"
    state = {"starting-state": re.findall(r'name="starting-state" value="([^"]*)"', get_page(office, path).text)[0]}
    missing = send(office, path, id="b" * 32, why=" ", **state)
    assert missing.status_code == 422
    assert set(find_refusals(missing)) == {"why"}
    signed = {"why": "The paper lay about", **state}
    second = token_on(send(office, path, id="b" * 32, **signed))
    assert (hello(office, first), hello(office, second)) == (401, 200)
    assert not TOKEN.search(send(office, path, id="b" * 32, **signed).text)
    late = send(office, path, id="c" * 32, **signed)
    assert set(find_refusals(late)) == {""}
    assert (hello(office, second), office.card_room.get_device("T-9").generation) == (200, 2)
    gone = send(office, "/office/devices/T-9/withdraw", id="d" * 32, why="It went back")
    assert gone.status_code == 303
    assert hello(office, second) == 401
    page = get_page(office, "/office/devices")
    assert "It went back" in page.text.partition('id="removed"')[2]
    for action in ("renew", "withdraw", "accept-gap"):
        refused = get_page(office, f"/office/devices/T-9/{action}")
        assert (refused.status_code, "was already removed" in refused.text) == (409, True)
    assert verify_card_room(office.card_room.ledger).is_consistent


@pytest.mark.parametrize(
    ("typed", "faults"),
    [
        ({"device": "T 9!"}, {"device": "T 9!"}),
        ({"device": "t-1001"}, {"device": "T-1001"}),
        (
            {"device": "t-1001", "table": MILKY_WAY, "kind": "monitor"},
            {"device": "T-1001", "kind": "way-1"},
        ),
        ({"table": MILKY_WAY}, {"kind": "T-1001"}),
        ({"table": "nowhere"}, {"table": "prime-1, prime-9"}),
        ({"kind": "console"}, {"table": "prime-9"}),
        ({"kind": "kettle"}, {"kind": "kettle"}),
    ],
)
def test_every_error_is_next_to_its_field(office: ServedRoom, typed: dict[str, str], faults: dict[str, str]) -> None:
    page = send(office, "/office/devices/new", id="a" * 32, **{**NEW, **typed})
    assert page.status_code == 422
    refusals = find_refusals(page)
    assert set(refusals) == set(faults)
    for field, text in faults.items():
        assert text in refusals[field]
    assert "T-9" not in office.card_room.list_devices()


def test_the_preview_shows_the_consequences(office: ServedRoom) -> None:
    def preview(**typed: str) -> str:
        return unescape(send(office, "/office/devices/new?preview", **{**NEW, **typed}).text)

    assert "T-9 works for prime-9 as its tabulator" in preview()
    assert "This would be refused: " in preview(table=MILKY_WAY)
    assert "T-9" not in office.card_room.list_devices()
    assert 'value="prime-1" selected' in get_page(office, "/office/devices/new?table=prime-1").text


def test_two_people_accept_a_gap(office: ServedRoom, tmp_path: Path) -> None:
    path = "/office/devices/A1-77/accept-gap"
    assert get_page(office, path).status_code == 409
    token = office.card_room.renew_device_token("renew", "Olga", "A1-77", "it is new").token
    body = {"id": "1", "lines": encode_lines(*record_rounds(5).waiting[3:]), "lost_up_to": 3}
    headers = {"authorization": f"Bearer {token}"}
    response = httpx.post(f"{office.url}/api/v1/devices/records", json=body, headers=headers).json()
    assert response["for_people"]
    assert "accept-gap" in get_page(office, "/office/devices").text
    assert "/office/devices#at-wild-1" in get_page(office, "/office").text
    page = get_page(office, path)
    assert response["held_up"] in unescape(page.text)
    state = {"starting-state": unescape(re.findall(r'name="starting-state" value="([^"]*)"', page.text)[0])}
    typed = {"id": "a" * 32, "why": "It was wet", **state}
    for second in ({}, {"second": OPERATOR}, add_signature(SUPERVISOR), add_signature(DEALER)):
        alone = send(office, path, SUPERVISOR, **typed, **second)
        assert alone.status_code == 422
        assert set(find_refusals(alone)) == {"second"}
        assert password_of(SUPERVISOR) not in alone.text
    assert office.card_room.get_device("A1-77").held_up is not None
    assert send(office, path, SUPERVISOR, **add_signature(OPERATOR, **typed)).status_code == 303
    assert get_page(office, path).status_code == 409


def test_an_unknown_device_is_not_found(office: ServedRoom) -> None:
    for path in ("/office/devices/T-7/renew", "/office/devices/T-1001/paint"):
        assert get_page(office, path).status_code == 404


def test_a_form_of_another_site_adds_no_device(office: ServedRoom) -> None:
    olga = find_visitor(office, "/office/devices/new")
    typed = {"id": "a" * 32, "form": olga.form, **NEW}
    refused = olga.post("/office/devices/new", data=typed, headers={"Origin": "http://elsewhere"})
    assert refused.status_code == 403
    assert "T-9" not in office.card_room.list_devices()
    token_on(send(office, "/office/devices/new", id="a" * 32, **NEW))


def test_only_an_operator_manages_devices(office: ServedRoom) -> None:
    sam = visit(office, SUPERVISOR)
    for path, typed in (
        ("/office/devices/new", NEW),
        ("/office/devices/T-1001/renew", {"why": "The paper lay about"}),
        ("/office/devices/T-1001/withdraw", {"why": "It went back"}),
    ):
        for page in (sam.get(path), sam.send_form(path, typed, id="a" * 32)):
            assert page.status_code == 403
            assert not TOKEN.search(page.text)
    assert "T-9" not in office.card_room.list_devices()
    device = office.card_room.get_device("T-1001")
    assert (device.generation, device.withdrawn) == (1, "")
