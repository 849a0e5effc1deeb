"""Each call as the contract says it: names, statuses, amounts in cents."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

import httpx
import pytest

from cardroom.games import default_setup
from cardroom.games.setup import setup_to_json
from cardroom.service import CardRoom, PlayerAccount, TableState
from cardroom.web.api.player_calls import account_json
from tests.deadline import Deadline
from tests.service.staff import PLAYER, staffed
from tests.web.rooms import GAMES, MAIN, Player, Served, an_id, done
from tests.web.users import named_player


def test_a_guest_comes_in_with_play_money_and_a_token(room: Served) -> None:
    answer = httpx.post(f"{room.url}/api/v1/guests", json={"id": an_id()})
    assert answer.status_code == 201
    result = answer.json()
    assert set(result) == {"player", "token", "balance_cents", "money"}
    assert (result["balance_cents"], result["money"]) == (1_000_00, "play")
    me = httpx.get(f"{room.url}/api/v1/players/me", headers={"Authorization": f"Bearer {result['token']}"})
    assert me.json() == {"player": result["player"], "balance_cents": 1_000_00, "money": "play", "seats": []}


def test_a_token_is_shown_to_no_user_but_its_player(room: Served) -> None:
    ann, bob = room.guest(), room.guest()
    table = room.open_table("tokens")
    ann.sit(table)
    for path in ("/tables", f"/tables/{table}", "/players/me"):
        assert ann.token not in bob.get(path).text
        assert ann.token.rsplit(".", 1)[1] not in ann.get(path).text


def test_tables_are_listed_with_who_sits_there(room: Served) -> None:
    table, ann = room.open_table("listed"), room.guest()
    ann.sit(table, seat=3)
    listed = {one["table"]: one for one in ann.get("/tables").json()}
    assert listed[table] == {
        "table": table,
        "game": "three-card-prime",
        "mode": "automatic",
        "money": "play",
        "state": "betting",
        "seats": {"1": None, "2": None, "3": ann.name, "4": None, "5": None, "6": None},
        "jackpots": {},
    }
    anybody = httpx.get(f"{room.url}/api/v1/tables")
    assert table in {one["table"] for one in anybody.json()}


def test_a_seat_is_taken_with_chips_and_left_with_what_is_left(room: Served) -> None:
    table, ann = room.open_table("seats"), room.guest()
    assert ann.sit(table) == {
        "table": table,
        "version": 2,
        "state": "betting",
        "seat": 1,
        "chips_cents": 200_00,
        "round": f"{table}.1",
    }
    account = done(ann.get("/players/me"))
    assert account["balance_cents"] == 800_00
    assert account["seats"] == [{"table": table, "seat": 1, "chips_cents": 200_00}]
    assert ann.sit(table, buy_in_cents=50_00)["chips_cents"] == 250_00
    left = ann.client.delete(f"/tables/{table}/seat")
    assert (left.status_code, left.json()["seat"], left.json()["chips_cents"]) == (200, None, 0)
    assert done(ann.get("/players/me")) == {"player": ann.name, "balance_cents": 1_000_00, "money": "play", "seats": []}


class Interrupted:
    """A card room at which a user does something just after a table was looked at."""

    def __init__(self, card_room: CardRoom, *meanwhile: Callable[[], object]) -> None:
        self._card_room, self._meanwhile = card_room, list(meanwhile)

    def player_account(self, name: str) -> PlayerAccount:
        return self._card_room.player_account(name)

    def table(self, table: str) -> TableState:
        found = self._card_room.table(table)
        if self._meanwhile:
            self._meanwhile.pop(0)()
        return found


def test_what_a_player_has_is_shown_as_it_is_at_one_moment(room: Served) -> None:
    table, ann, bob = room.open_table("moments"), room.guest(), room.guest()
    ann.sit(table, buy_in_cents=100_00)

    def gives_the_seat_to_bob() -> None:
        ann.client.delete(f"/tables/{table}/seat")
        bob.sit(table, seat=1, buy_in_cents=70_00)

    more = Interrupted(room.card_room, lambda: ann.sit(table, buy_in_cents=500_00))
    seats = [{"table": table, "seat": 1, "chips_cents": 600_00}]
    assert account_json(more, ann.name) == {
        "player": ann.name,
        "balance_cents": 400_00,
        "money": "play",
        "seats": seats,
    }  # type: ignore[arg-type]
    gone = Interrupted(room.card_room, gives_the_seat_to_bob)
    assert account_json(gone, ann.name) == {"player": ann.name, "balance_cents": 1_000_00, "money": "play", "seats": []}  # type: ignore[arg-type]


def test_a_whole_number_is_one_however_it_is_written(room: Served) -> None:
    table, ann = room.open_table("whole"), room.guest()
    assert ann.sit(table, seat=2.0, buy_in_cents=50_00.0)["chips_cents"] == 50_00
    assert ann.look(table)["seat"] == 2


def test_what_a_caller_sees_of_a_table_has_the_names_of_the_contract(room: Served) -> None:
    table, ann = room.open_table("seen"), room.guest()
    before = httpx.get(f"{room.url}/api/v1/tables/{table}").json()
    assert (before["seat"], before["chips_cents"], before["round"], before["last_round"]) == (None, 0, None, None)
    ann.sit(table)
    playing = ann.wager(table, ante_play=10_00)
    seen = ann.look(table)
    wanted = {"table", "game", "state", "version", "seat", "chips_cents", "round", "last_round", "meters"}
    assert wanted <= set(seen)
    assert (seen["state"], seen["version"], seen["seat"]) == ("playing", playing["version"], 1)
    assert set(seen["round"]) == {"round", "seal", "view"}
    assert seen["round"]["seal"] == before["coming"]["seal"]
    assert set(seen["round"]["view"]) == {"viewer", "wagers", "cards", "decisions", "turn"}
    assert seen["round"]["view"]["turn"] == {"who": "seat", "seat": 1, "question": "play", "options": ["fold", "play"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_played_and_shown_again(room: Served, game: str) -> None:
    ann = room.guest()
    table = done(ann.post("/tables", id=an_id(), game=game))["table"]
    ann.sit(table, buy_in_cents=room.make_rich(ann))
    asked, deadline = 0, Deadline()
    while not asked:
        deadline.check("a round in which the player is asked")
        standing = done(ann.post(f"/tables/{table}/wagers", id=an_id(), wagers={MAIN[game]: 10_00}))
        while standing["state"] == "playing":
            turn = ann.look(table)["round"]["view"]["turn"]
            standing = ann.answer(table, turn["options"][0])
            asked += 1
    last = ann.look(table)["last_round"]
    result = done(ann.get(f"/rounds/{last}"))
    assert {"round", "table", "record", "payments", "seal", "key"} <= set(result)
    assert (result["round"], result["table"]) == (last, table)
    settled = subprocess.run(
        [sys.executable, "-c", "from cardroom.cli import main; main()", "settle", "-", "--json"],
        input=json.dumps(result["record"]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(settled.stdout)["payments"] == result["payments"]


def test_a_private_table_is_there_for_its_owner_only(room: Served) -> None:
    ann, bob = room.guest(), room.guest()
    opened = ann.post("/tables", id=an_id(), game="dueling-for-dollars")
    assert opened.status_code == 201
    table = opened.json()["table"]
    assert opened.json() == {"table": table}
    assert table in {one["table"] for one in ann.get("/tables").json()}
    assert "deadline" not in ann.look(table)
    for anybody in (bob.get("/tables"), httpx.get(f"{room.url}/api/v1/tables")):
        assert table not in {seen["table"] for seen in anybody.json()}
    for path in (f"/tables/{table}", f"/tables/{table}/stream", f"/tables/{table}/advice", f"/rounds/{table}.1"):
        assert bob.get(path).status_code == 404
    assert bob.post(f"/tables/{table}/seat", id=an_id()).status_code == 404


def test_a_round_of_a_private_table_is_shown_to_its_owner_only(room: Served) -> None:
    ann, bob = room.guest(), room.guest()
    table = done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"]
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    ann.answer(table, "fold")
    assert done(ann.get(f"/rounds/{table}.1"))["round"] == f"{table}.1"
    for anybody in (bob.get(f"/rounds/{table}.1"), httpx.get(f"{room.url}/api/v1/rounds/{table}.1")):
        assert anybody.status_code == 404
        assert "key" not in anybody.json()


def test_a_practice_table_takes_another_set_up(room: Served) -> None:
    ann = room.guest()
    setup = setup_to_json(default_setup("dueling-for-dollars", seats=2)) | {"decks": 8}
    del setup["wagers"]["tie-after-tie"], setup["wagers"]["two-plus-two"]
    table = done(ann.post("/tables", id=an_id(), game="dueling-for-dollars", setup=setup))["table"]
    listed = {one["table"]: one for one in ann.get("/tables").json()}
    assert list(listed[table]["seats"]) == ["1", "2"]
    refused = ann.post("/tables", id=an_id(), game="three-card-prime", setup=setup)
    assert refused.status_code == 422
    assert "three-card-prime" in refused.json()["error"]


def test_of_too_many_practice_tables_one_that_is_empty_is_closed(room: Served) -> None:
    ann = room.guest()
    first = done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"]
    seated = [done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"] for _ in range(4)]
    for table in seated:
        ann.sit(table, buy_in_cents=10_00)
    sixth = done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"]
    assert ann.look(first)["state"] == "closed"
    ann.sit(sixth, buy_in_cents=10_00)
    refused = ann.post("/tables", id=an_id(), game="three-card-prime")
    assert (refused.status_code, refused.json()) == (
        409,
        {"error": "You sit at 5 practice tables. The limit is 5. Leave one first."},
    )


def sit_together(room: Served, table: str, many: int) -> list[Player]:
    players = [room.guest() for _ in range(many)]
    for seat, one in enumerate(players, 1):
        one.sit(table, seat=seat)
    return players


def test_players_answer_in_their_turn(room: Served) -> None:
    table = room.open_table("turns")
    ann, bob = sit_together(room, table, 2)
    assert ann.wager(table, ante_play=10_00)["state"] == "betting"
    assert bob.wager(table, ante_play=20_00, prime=5_00)["state"] == "playing"
    early = bob.post(f"/tables/{table}/decisions", id=an_id(), answer="play")
    assert early.status_code == 409
    wrong = ann.post(f"/tables/{table}/decisions", id=an_id(), answer="raise")
    assert wrong.status_code == 422
    assert "Seat 1 cannot raise" in wrong.json()["error"]
    ann.answer(table, "play")
    assert bob.answer(table, "fold")["state"] == "betting"
    views = [one.look(table) for one in (ann, bob)]
    assert {one["last_round"] for one in views} == {f"{table}.1"}


def test_leaving_is_named_by_its_query_its_header_or_its_body(room: Served) -> None:
    table, ann = room.open_table("leaving"), room.guest()
    for how in (
        {"params": {"id": "gone-1"}},
        {"headers": {"Idempotency-Key": "gone-2"}},
        {"json": {"id": "gone-3"}},
        {"json": {"id": "gone-4"}, "params": {"id": "gone-4"}},
    ):
        ann.sit(table)
        first = ann.client.request("DELETE", f"/tables/{table}/seat", **how)
        assert first.status_code == 200
        ann.sit(table)
        again = ann.client.request("DELETE", f"/tables/{table}/seat", **how)
        assert again.content == first.content
        assert ann.look(table)["seat"] == 1, "sent again it is the first leaving, not a second one"
        ann.client.delete(f"/tables/{table}/seat")
    assert ann.client.delete(f"/tables/{table}/seat").status_code == 409


def test_health_is_shown_without_a_token(room: Served) -> None:
    tables = -1
    while tables != len(room.house.lease_manager):  # a practice table that others have left may be put away meanwhile
        tables = len(room.house.lease_manager)
        answer = httpx.get(f"{room.url}/healthz")
    assert answer.status_code == 200
    house = {"server": room.house.lease_manager.name, "tables": tables}
    assert answer.json() == {"status": "ok", "version": "0.1.0", "database": "reachable", **house}


def test_a_named_player_signs_in_and_calls_with_the_token_of_the_session(room: Served) -> None:
    staffed(room.card_room)
    pat = named_player(room)
    assert pat.get("/players/me").json()["player"] == PLAYER
    assert pat.client.delete("/sessions").status_code == 204
    assert pat.get("/players/me").status_code == 401


def test_a_token_as_guests_have_is_worth_nothing_for_a_named_player(room: Served) -> None:
    staffed(room.card_room)
    made = room.house.tokens.issue(PLAYER)
    with httpx.Client(base_url=f"{room.url}/api/v1") as client:
        answer = client.get("/players/me", headers={"Authorization": f"Bearer {made}"})
    assert answer.status_code == 401
