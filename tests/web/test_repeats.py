"""A command is done once: sent again it gets its first answer, with another content it is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.web.rooms import ServedRoom, expect_success, new_id


def test_a_guest_who_asks_again_is_the_same_guest_with_the_same_token(room: ServedRoom) -> None:
    said = {"id": new_id()}
    first, again = (httpx.post(f"{room.url}/api/v1/guests", json=said) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert httpx.post(f"{room.url}/api/v1/guests", json={"id": new_id()}).json()["player"] != first.json()["player"]


def test_every_command_at_a_table_gets_its_first_answer_again(room: ServedRoom) -> None:
    table, ann = room.open_table("again"), room.players.admit_guest()
    commands = [
        ("seat", {"id": "sit", "buy_in_cents": 100_00}),
        ("wagers", {"id": "lay", "wagers": {"ante-play": 10_00}, "words": "lucky seven"}),
        ("decisions", {"id": "say", "answer": "fold"}),
    ]
    first = [ann.post(f"/tables/{table}/{path}", **said) for path, said in commands]
    assert [response.status_code for response in first] == [200, 200, 200]
    before = ann.view(table)
    again = [ann.post(f"/tables/{table}/{path}", **said) for path, said in commands]
    assert [response.content for response in again] == [response.content for response in first]
    assert ann.view(table) == before


@pytest.mark.parametrize(
    ("path", "said", "other"),
    [
        ("seat", {}, {"buy_in_cents": 17_00}),
        ("wagers", {"wagers": {"ante-play": 10_00}}, {"wagers": {"ante-play": 20_00}}),
    ],
)
def test_another_content_under_the_same_id_is_refused(
    room: ServedRoom, path: str, said: dict[str, object], other: dict[str, object]
) -> None:
    table, ann = room.open_table(f"other-{path}"), room.players.admit_guest()
    if path != "seat":
        ann.sit(table)
    id = new_id()
    expect_success(ann.post(f"/tables/{table}/{path}", id=id, **said))
    before = ann.view(table)
    refused = ann.post(f"/tables/{table}/{path}", id=id, **other)
    assert refused.status_code == 409
    assert refused.json() == {"error": "This id was already used for another command. Use a new id."}
    assert ann.view(table) == before


def test_an_id_of_one_command_cannot_serve_another(room: ServedRoom) -> None:
    table, ann = room.open_table("crossed"), room.players.admit_guest()
    id = new_id()
    expect_success(ann.post(f"/tables/{table}/seat", id=id))
    assert ann.post(f"/tables/{table}/wagers", id=id, wagers={"ante-play": 10_00}).status_code == 409


def test_two_players_may_use_the_same_id(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("both"), room.players.admit_guest(), room.players.admit_guest()
    assert {ann.sit(table, id="same")["seat"], bob.sit(table, id="same")["seat"]} == {1, 2}


def test_a_practice_table_is_opened_once(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    said = {"id": new_id(), "game": "three-card-prime", "company": 2}
    first, again = (ann.post("/tables", **said) for _ in range(2))
    assert first.content == again.content
    assert ann.post("/tables", **{**said, "game": "deuces-wild"}).status_code == 409


def test_the_same_command_on_two_connections_at_once_is_done_once(room: ServedRoom) -> None:
    table, ann = room.open_table("at-once"), room.players.admit_guest()
    ann.sit(table, buy_in_cents=500_00)
    headers = dict(ann.client.headers)

    def lay(_: int) -> bytes:
        with httpx.Client(base_url=ann.client.base_url, headers=headers) as connection:
            answer = connection.post(f"/tables/{table}/wagers", json={"id": "once", "wagers": {"ante-play": 10_00}})
        assert answer.status_code == 200, answer.text
        return answer.content

    with ThreadPoolExecutor(8) as connections:
        answers = set(connections.map(lay, range(8)))
    assert len(answers) == 1
    seen = ann.view(table)
    assert (seen["chips_cents"], seen["version"]) == (490_00, 4)  # opened, seated, laid, begun


def test_two_connections_with_two_answers_give_one_of_them(room: ServedRoom) -> None:
    table, ann = room.open_table("two-minds"), room.players.admit_guest()
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    headers = dict(ann.client.headers)

    def say(answer: str) -> int:
        with httpx.Client(base_url=ann.client.base_url, headers=headers) as connection:
            said = {"id": new_id(), "answer": answer}
            return connection.post(f"/tables/{table}/decisions", json=said).status_code

    with ThreadPoolExecutor(2) as connections:
        assert sorted(connections.map(say, ("fold", "play"))) == [200, 409]
    (decided,) = expect_success(ann.get(f"/rounds/{table}.1"))["record"]["decisions"]
    assert decided["answer"] in ("fold", "play")


def test_one_seat_wanted_by_two_is_given_to_one(room: ServedRoom) -> None:
    table = room.open_table("wanted")
    players = [room.players.admit_guest() for _ in range(4)]
    with ThreadPoolExecutor(4) as connections:
        answers = list(
            connections.map(lambda player: player.post(f"/tables/{table}/seat", id=new_id(), seat=3), players)
        )
    assert sorted(response.status_code for response in answers) == [200, 409, 409, 409]
    assert "Seat 3 of wanted is taken" in next(
        response.json()["error"] for response in answers if response.status_code == 409
    )
