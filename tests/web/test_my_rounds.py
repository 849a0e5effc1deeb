"""A player's own history over HTTP: the newest first, page by page, and no other player's."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from cardroom.web.api.models import PlayerRoundsResponse
from tests.web.rooms import Player, ServedRoom, expect_success, new_id


def play(player: Player, table: str, answer: str = "fold") -> str:
    """A round of one player; its id."""
    player.wager(table, ante_play=10_00)
    player.decide(table, answer)
    ended: str = player.view(table)["last_round"]
    return ended


def pages(player: Player, limit: int) -> list[dict[str, Any]]:
    """All pages, one after the other."""
    found, before = list[dict[str, Any]](), None
    while True:
        asked = {"limit": limit} | ({"before": before} if before else {})
        page = expect_success(player.get("/players/me/rounds", params=asked))
        PlayerRoundsResponse.model_validate(page)
        assert len(page["rounds"]) <= limit
        found += page["rounds"]
        before = page["before"]
        if before is None:
            return found


def test_rounds_come_with_the_newest_first_and_say_what_the_seat_won(room: ServedRoom) -> None:
    table, ann = room.open_table("own"), room.players.admit_guest()
    assert expect_success(ann.get("/players/me/rounds")) == {"rounds": [], "before": None}
    ann.sit(table, seat=2)
    before = expect_success(ann.get("/players/me"))["seats"][0]["chips_cents"]
    ended = [play(ann, table, answer) for answer in ("fold", "play", "fold")]
    history = expect_success(ann.get("/players/me/rounds"))
    assert history["before"] is None
    assert [past_round["round"] for past_round in history["rounds"]] == ended[::-1]
    first = history["rounds"][-1]
    assert {name: first[name] for name in ("table", "number", "game", "money", "seat", "void")} == {
        "table": table,
        "number": 1,
        "game": "three-card-prime",
        "money": "play",
        "seat": 2,
        "void": False,
    }
    assert (first["wagered_cents"], first["returned_cents"], first["net_cents"]) == (10_00, 0, -10_00)
    chips = expect_success(ann.get("/players/me"))["seats"][0]["chips_cents"]
    assert sum(past_round["net_cents"] for past_round in history["rounds"]) == chips - before
    for past_round in history["rounds"]:
        full = expect_success(ann.get(f"/rounds/{past_round['round']}"))
        assert sum(each["net"] for each in full["payments"] if each["seat"] == 2) == past_round["net_cents"]


def test_pages_of_any_size_add_up_to_the_whole(room: ServedRoom) -> None:
    tables = [room.open_table(f"paged-{number}") for number in (1, 2)]
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    for table in tables:
        ann.sit(table)
    ended = [play(ann, tables[number % 2]) for number in range(7)]
    bob.sit(tables[0])
    for limit in (1, 2, 5, 200):
        assert [past_round["round"] for past_round in pages(ann, limit)] == ended[::-1]
    assert pages(bob, 10) == []


@pytest.mark.parametrize(
    ("asked", "status", "named"),
    [
        ({"limit": "0"}, 422, "'limit' must be at least 1"),
        ({"limit": "201"}, 422, "'limit' must be at most 200"),
        ({"limit": "many"}, 422, "'limit' must be a whole number"),
        ({"before": "nonsense"}, 404, "You have played no round"),
        ({"before": "mine.1"}, 404, "You have played no round"),
        ({"before": "x" * 81}, 422, "'before' is too long"),
    ],
)
def test_a_bad_request_is_refused(room: ServedRoom, asked: dict[str, str], status: int, named: str) -> None:
    answer = room.players.admit_guest().get("/players/me/rounds", params=asked)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}
    assert named in answer.json()["error"]


def test_only_the_player_reads_the_history(room: ServedRoom) -> None:
    answer = httpx.get(f"{room.url}/api/v1/players/me/rounds")
    assert (answer.status_code, "Authorization" in answer.json()["error"]) == (401, True)
    secret = room.players.admit_guest()
    table = expect_success(secret.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    secret.sit(table)
    round_id = play(secret, table)
    other = room.players.admit_guest().get("/players/me/rounds", params={"before": round_id})
    assert other.status_code == 404
    assert [past_round["round"] for past_round in pages(secret, 5)] == [round_id]
