"""A token speaks for one device of one table, as long as its generation lasts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.web.devices import BadToken, device_token, read_token
from tests.web.devices.equipped import Equipped

SECRET = bytes(range(32))


@given(st.text(max_size=80))
def test_no_other_text_is_a_token(text: str) -> None:
    with pytest.raises(BadToken):
        read_token(SECRET, text)


def test_a_token_with_one_letter_changed_is_none() -> None:
    token = device_token(SECRET, "T-1001", 12)
    assert read_token(SECRET, token) == ("T-1001", 12)
    for at in range(len(token)):
        other = "A" if token[at] != "A" else "B"
        with pytest.raises(BadToken):
            read_token(SECRET, token[:at] + other + token[at + 1 :])
    with pytest.raises(BadToken):
        read_token(bytes(32), token)


def test_a_call_without_a_good_token_is_refused(room: Equipped) -> None:
    for headers in ({}, {"authorization": "Bearer x"}, {"authorization": "Basic eDp5"}):
        answer = room.client.post("/hello", json={"time": 1}, headers=headers)
        assert (answer.status_code, set(answer.json())) == (401, {"error"})
        assert answer.headers["www-authenticate"] == "Bearer"
    never = device_token(room.floor.secret(), "T-9999", 1)
    answer = room.client.post("/hello", json={"time": 1}, headers={"authorization": f"Bearer {never}"})
    assert (answer.status_code, "T-9999 is not registered" in answer.json()["error"]) == (401, True)


def test_an_older_generation_and_a_withdrawn_device_are_refused(room: Equipped) -> None:
    def hello(token: str) -> tuple[int, str]:
        answer = room.client.post("/hello", json={"time": 1}, headers={"authorization": f"Bearer {token}"})
        return answer.status_code, answer.json().get("error", "")

    first = room.token("T-1001")
    assert hello(first) == (200, "")
    room.floor.renew_device("renew", "Olga", "T-1001", "the paper lay about")
    assert hello(first)[0] == 401
    assert "another token by now" in hello(first)[1]
    second = room.token("T-1001")
    assert hello(second) == (200, "")
    room.floor.withdraw_device("withdraw", "Olga", "T-1001", "it went back")
    assert hello(second)[0] == 401
    assert "was withdrawn (it went back)" in hello(second)[1]
    room.floor.register_device("again", "Olga", "way-1", "T-1001", "tabulator")
    assert hello(second)[0] == 401
    assert hello(room.token("T-1001")) == (200, "")


@pytest.mark.parametrize(
    ("device", "may"),
    [
        ("T-1001", {"/presses", "/lights", "/broken", "/hello"}),
        ("A1-77", {"/records", "/lights", "/broken", "/hello"}),
        ("S-1001", {"/sign", "/hello"}),
        ("M-3001", {"/display", "/display/stream", "/hello"}),
    ],
)
def test_each_kind_of_device_does_what_is_its_own(room: Equipped, device: str, may: set[str]) -> None:
    bodies = {
        "/presses": {"id": "1", "covered": {}},
        "/records": {"id": "2", "lines": []},
        "/lights": {"id": "3", "dark": {}},
        "/broken": {"id": "4", "why": "dead"},
        "/hello": {"time": 1},
        "/sign": None,
        "/display": None,
        "/display/stream": None,
    }
    for path, body in bodies.items():
        if path == "/display/stream" and path in may:
            continue
        answer = room.ask(device, "POST" if body else "GET", path, body)
        assert answer.status_code == (200 if path in may else 403), f"{path} {answer.text}"
        if path not in may:
            assert f"{device} is the " in answer.json()["error"]
            assert "a token of its own" in answer.json()["error"]
