"""Bad input gets a sentence and a right status, in one form, and changes nothing."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from cardroom.web.middleware.rate_limits import DEFAULT_LIMITS
from tests.web.rooms import ServedRoom, new_id

JSON = {"Content-Type": "application/json"}


def refused(answer: httpx.Response, status: int) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    result = answer.json()
    assert set(result) == {"error"}
    sentence: str = result["error"]
    assert sentence[-1] in ".]"  # a set-up's faults end with the rule that they break
    assert len(sentence) < 500
    return sentence


BODIES: list[tuple[bytes, int, str]] = [
    (b"", 422, "The body is missing. Send JSON."),
    (b"{", 400, "The body is not JSON: Expecting property name"),
    (b"\xff", 400, "The body is not UTF-8 at byte 0."),
    (b"null", 422, "The body must be an object, not None."),
    (b"[]", 422, "The body must be an object, not []."),
    (b"5", 422, "The body must be an object, not 5."),
    (b'{"id": "a", "id": "a"}', 400, "The body has 'id' twice in one section: write it once."),
    (b'{"id": NaN}', 400, "The body has NaN where a number is expected"),
    (b'{"id": 1' + b"0" * 400 + b"}", 400, "The body has a number of 401 digits"),
    (b"[" * 50_000, 400, "The body is nested too deeply to be read."),
    (b'{"id": "\\u0000"}', 400, "that cannot be stored."),
    (b'{"id": "\\ud800"}', 400, "that cannot be stored."),
    (b'{"id": "ok", "\\udfff": 1}', 400, "that cannot be stored."),
    (b'{"id": 5}', 422, "'id' must be a text, not 5."),
    (b'{"id": null}', 422, "'id' must be a text, not None."),
    (b'{"id": ""}', 422, "'id' cannot be ''. Use 1 to 100 printable ASCII characters."),
    (b'{"id": "a\\nb"}', 422, "Use 1 to 100 printable ASCII characters."),
    (b'{"id": "' + b"x" * 101 + b'"}', 422, "Use 1 to 100 printable ASCII characters."),
    (b'{"wrong": 1}', 422, "'id' is missing."),
    (b'{"id": "ok", "wrong": 1}', 422, "'wrong' is unknown. Use id."),
    (b'"' + b"x" * DEFAULT_LIMITS.body + b'"', 413, "The body is longer than 65,536 bytes. Send less."),
]


@pytest.mark.parametrize(("body", "status", "sentence"), BODIES)
def test_a_body_that_cannot_be_right(room: ServedRoom, body: bytes, status: int, sentence: str) -> None:
    result = refused(httpx.post(f"{room.url}/api/v1/guests", content=body, headers=JSON), status)
    assert sentence in result


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "", "json"])
def test_a_body_of_another_type_is_refused(room: ServedRoom, kind: str) -> None:
    answer = httpx.post(f"{room.url}/api/v1/guests", content=b'{"id": "a"}', headers={"Content-Type": kind})
    assert "Send JSON" in refused(answer, 415)


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_may_say_its_character_set(room: ServedRoom, kind: str) -> None:
    body = json.dumps({"id": new_id()}).encode()
    answer = httpx.post(f"{room.url}/api/v1/guests", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer x", "Basic YTpi", "Bearer guest-1.1.AAAA", "Bearer ..", "Bearer " + "x" * 5000],
)
def test_a_token_that_the_room_did_not_make_opens_nothing(room: ServedRoom, header: str) -> None:
    for path in ("players/me", "tables", "rounds/x.1"):
        answer = httpx.get(f"{room.url}/api/v1/{path}", headers={"Authorization": header})
        refused(answer, 401)
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_that_was_changed_anywhere_opens_nothing(room: ServedRoom) -> None:
    token = room.players.admit_guest().token
    for place in range(0, len(token), 7):
        other = "A" if token[place] != "A" else "B"
        changed = token[:place] + other + token[place + 1 :]
        refused(httpx.get(f"{room.url}/api/v1/players/me", headers={"Authorization": f"Bearer {changed}"}), 401)


def test_a_call_that_needs_a_player_says_so(room: ServedRoom) -> None:
    table = room.open_table("nobody")
    for method, path in (
        ("GET", "players/me"),
        ("GET", f"tables/{table}/advice"),
        ("DELETE", f"tables/{table}/seat"),
        ("POST", f"tables/{table}/seat"),
        ("POST", f"tables/{table}/wagers"),
        ("POST", f"tables/{table}/decisions"),
        ("POST", "tables"),
    ):
        said: dict[str, Any] = {"id": "x", "game": "deuces-wild"} if path == "tables" else {"id": "x"}
        said |= {"wagers": {}} if path.endswith("wagers") else {}
        said |= {"answer": "fold"} if path.endswith("decisions") else {}
        how: dict[str, Any] = {"json": said} if method == "POST" else {}
        refused(httpx.request(method, f"{room.url}/api/v1/{path}", **how), 401)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api", 404),
        ("GET", "/api/v1/", 404),
        ("GET", "/api/v1/tables/", 404),
        ("GET", "/api/v1/tables/%2e%2e", 404),
        ("GET", "/api/v1/tables/a%00b", 404),
        ("GET", "/api/v1/tables/a%FFb", 404),
        ("GET", "/api/v1/tables/no-such-table", 404),
        ("GET", "/api/v1/tables/no-such-table/stream", 404),
        ("GET", "/api/v1/rounds/prime", 404),
        ("GET", "/api/v1/rounds/prime.0", 404),
        ("GET", "/api/v1/rounds/prime.99999999999999999999", 404),
        ("GET", "/api/v1/rounds/no-such-table.1", 404),
        ("PUT", "/api/v1/tables", 405),
        ("HEAD", "/api/v1/tables", 405),
        ("DELETE", "/api/v1/guests", 405),
        ("PATCH", "/healthz", 405),
    ],
)
def test_an_address_that_is_not_there(room: ServedRoom, method: str, path: str, status: int) -> None:
    answer = httpx.request(method, room.url + path)
    if method == "HEAD":
        assert answer.status_code == status
        return
    sentence = refused(answer, status)
    if status == 405:
        assert answer.headers["allow"] in sentence
        assert answer.headers["allow"] == {"/api/v1/tables": "GET, POST", "/api/v1/guests": "POST"}.get(path, "GET")


TABLE_BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("seat", {"seat": "1"}, "'seat' must be a whole number, not '1'."),
    ("seat", {"seat": 1.5}, "'seat' must be a whole number, not 1.5."),
    ("seat", {"seat": True}, "'seat' must be a whole number, not True."),
    ("seat", {"seat": 0}, "'seat' must be at least 1, not 0."),
    ("seat", {"buy_in_cents": -1}, "'buy_in_cents' must be at least 1, not -1."),
    ("seat", {"buy_in_cents": 10**16}, "'buy_in_cents' must be at most"),
    ("wagers", {}, "'wagers' is missing."),
    ("wagers", {"wagers": []}, "'wagers' must be an object, not []."),
    ("wagers", {"wagers": {"ante-play": "10"}}, "'wagers.ante-play' must be a whole number, not '10'."),
    ("wagers", {"wagers": {"ante-play": -5}}, "'wagers.ante-play' must be at least 0, not -5."),
    ("wagers", {"wagers": {"no-spot": 500}}, "no-spot"),
    ("wagers", {"wagers": {"ante-play": 1}}, "$0.01"),
    (
        "wagers",
        {"wagers": {"ante-play": 10_00}, "words": "x" * 101},
        "'words' is too long. The maximum is 100 characters.",
    ),
    ("wagers", {"wagers": {"ante-play": 10_00}, "words": "a\nb"}, "up to 100 printable characters"),
    ("wagers", {"wagers": {}, "words": "swordfish"}, "Your own seed needs a bet"),
    ("decisions", {}, "'answer' is missing."),
    ("decisions", {"answer": ["fold"]}, "'answer' must be a text, not ['fold']."),
]


@pytest.mark.parametrize(("path", "said", "sentence"), TABLE_BODIES)
def test_what_is_not_right_at_a_table_changes_nothing(
    room: ServedRoom, path: str, said: dict[str, Any], sentence: str
) -> None:
    table = "refusing"
    if not room.card_room.read_table_version(table):
        room.open_table(table)
    ann = room.players.admit_guest()
    ann.sit(table)
    before = ann.view(table)
    assert sentence in refused(ann.post(f"/tables/{table}/{path}", id=new_id(), **said), 422)
    assert ann.view(table) == before
    ann.client.delete(f"/tables/{table}/seat")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"game": "poker"}, "poker"),
        ({"game": "three-card-prime", "setup": {"wagers": {}}}, "must offer it"),
        ({"game": "three-card-prime", "setup": {"wrong": 1}}, "wrong"),
        ({"game": "three-card-prime", "setup": []}, "'setup' must be an object, not []."),
        ({"game": "three-card-prime", "company": 7}, "'company' must be at most 6, not 7."),
    ],
)
def test_a_practice_table_that_cannot_be(room: ServedRoom, said: dict[str, Any], sentence: str) -> None:
    ann = room.players.admit_guest()
    assert sentence in refused(ann.post("/tables", id=new_id(), **said), 422)
    assert not [listing for listing in ann.get("/tables").json() if listing["table"].startswith("practice")]


@pytest.mark.parametrize("full", [False, True])
def test_a_seat_that_a_table_does_not_have_is_not_right_at_any_moment(room: ServedRoom, full: bool) -> None:
    table = room.open_table(f"six-seats-{full}")
    for _ in range(6 if full else 0):
        room.players.admit_guest().sit(table)
    answer = room.players.admit_guest().post(f"/tables/{table}/seat", id=new_id(), seat=7)
    assert refused(answer, 422) == f"{table} has no seat 7: its seats are 1 to 6."


def test_what_is_not_possible_now_says_when(room: ServedRoom) -> None:
    table, ann = room.open_table("not-now"), room.players.admit_guest()
    assert "You have no seat" in refused(ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={}), 409)
    assert "You have no seat" in refused(ann.get(f"/tables/{table}/advice"), 409)
    ann.sit(table)
    assert "No round is in progress" in refused(ann.post(f"/tables/{table}/decisions", id=new_id(), answer="fold"), 409)
    assert "not the turn" in refused(ann.get(f"/tables/{table}/advice"), 409)
    room.card_room.pause_table(new_id(), "Olga", table, "a new deck")
    result = refused(ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={"ante-play": 10_00}), 409)
    assert "a new deck" in result


def test_a_leaving_whose_id_cannot_be(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    answer = ann.client.delete("/tables/anything/seat", params={"id": "x" * 101})
    assert "'id' cannot be" in refused(answer, 422)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"json": {"id": "a"}, "params": {"id": "b"}}, "The request has 2 different ids: 'a', 'b'. Send one."),
        ({"params": {"id": "b"}, "headers": {"Idempotency-Key": "c"}}, "2 different ids: 'b', 'c'."),
        ({"json": {}}, "'id' is missing."),
        ({"json": {"id": "a", "seat": 1}}, "'seat' is unknown. Use id."),
    ],
)
def test_a_leaving_that_is_said_in_two_ways_keeps_the_seat(
    room: ServedRoom, how: dict[str, Any], sentence: str
) -> None:
    table, ann = "staying", room.players.admit_guest()
    if not room.card_room.read_table_version(table):
        room.open_table(table)
    seat = ann.sit(table)["seat"]
    assert sentence in refused(ann.client.request("DELETE", f"/tables/{table}/seat", **how), 422)
    assert ann.view(table)["seat"] == seat


def test_a_faulty_letter_costs_no_user_else_anything(room: ServedRoom) -> None:
    """A hundred refusals later the room is as it was."""
    with httpx.Client(base_url=room.url) as client:
        for body, status, _ in BODIES * 5:
            assert client.post("/api/v1/guests", content=body, headers=JSON).status_code == status
        assert client.get("/healthz").status_code == 200
