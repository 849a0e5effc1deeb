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
from tests.web.rooms import GAMES, MAIN, Player, ServedRoom, expect_success, new_id
from tests.web.users import sign_in_player


def test_a_guest_comes_in_with_play_money_and_a_token(room: ServedRoom) -> None:
    answer = httpx.post(f"{room.url}/api/v1/guests", json={"id": new_id()})
    assert answer.status_code == 201
    result = answer.json()
    assert set(result) == {"player", "token", "balance_cents", "money"}
    assert (result["balance_cents"], result["money"]) == (1_000_00, "play")
    me = httpx.get(f"{room.url}/api/v1/players/me", headers={"Authorization": f"Bearer {result['token']}"})
    assert me.json() == {"player": result["player"], "balance_cents": 1_000_00, "money": "play", "seats": []}


def test_a_token_is_shown_to_no_user_but_its_player(room: ServedRoom) -> None:
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    table = room.open_table("tokens")
    ann.sit(table)
    for path in ("/tables", f"/tables/{table}", "/players/me"):
        assert ann.token not in bob.get(path).text
        assert ann.token.rsplit(".", 1)[1] not in ann.get(path).text


def test_tables_are_listed_with_who_sits_there(room: ServedRoom) -> None:
    table, ann = room.open_table("listed"), room.players.admit_guest()
    ann.sit(table, seat=3)
    listed = {listing["table"]: listing for listing in ann.get("/tables").json()}
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
    assert table in {listing["table"] for listing in anybody.json()}


def test_a_seat_is_taken_with_chips_and_left_with_what_is_left(room: ServedRoom) -> None:
    table, ann = room.open_table("seats"), room.players.admit_guest()
    assert ann.sit(table) == {
        "table": table,
        "version": 2,
        "state": "betting",
        "seat": 1,
        "chips_cents": 200_00,
        "round": f"{table}.1",
    }
    account = expect_success(ann.get("/players/me"))
    assert account["balance_cents"] == 800_00
    assert account["seats"] == [{"table": table, "seat": 1, "chips_cents": 200_00}]
    assert ann.sit(table, buy_in_cents=50_00)["chips_cents"] == 250_00
    left = ann.client.delete(f"/tables/{table}/seat")
    assert (left.status_code, left.json()["seat"], left.json()["chips_cents"]) == (200, None, 0)
    assert expect_success(ann.get("/players/me")) == {
        "player": ann.name,
        "balance_cents": 1_000_00,
        "money": "play",
        "seats": [],
    }


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


def test_what_a_player_has_is_shown_as_it_is_at_one_moment(room: ServedRoom) -> None:
    table, ann, bob = room.open_table("moments"), room.players.admit_guest(), room.players.admit_guest()
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


def test_a_whole_number_is_one_however_it_is_written(room: ServedRoom) -> None:
    table, ann = room.open_table("whole"), room.players.admit_guest()
    assert ann.sit(table, seat=2.0, buy_in_cents=50_00.0)["chips_cents"] == 50_00
    assert ann.view(table)["seat"] == 2


def test_what_a_caller_sees_of_a_table_has_the_names_of_the_contract(room: ServedRoom) -> None:
    table, ann = room.open_table("seen"), room.players.admit_guest()
    before = httpx.get(f"{room.url}/api/v1/tables/{table}").json()
    assert (before["seat"], before["chips_cents"], before["round"], before["last_round"]) == (None, 0, None, None)
    ann.sit(table)
    playing = ann.wager(table, ante_play=10_00)
    seen = ann.view(table)
    wanted = {"table", "game", "state", "version", "seat", "chips_cents", "round", "last_round", "meters"}
    assert wanted <= set(seen)
    assert (seen["state"], seen["version"], seen["seat"]) == ("playing", playing["version"], 1)
    assert set(seen["round"]) == {"round", "seal", "view"}
    assert seen["round"]["seal"] == before["coming"]["seal"]
    assert set(seen["round"]["view"]) == {"viewer", "wagers", "cards", "decisions", "turn"}
    assert seen["round"]["view"]["turn"] == {"who": "seat", "seat": 1, "question": "play", "options": ["fold", "play"]}


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_is_played_and_shown_again(room: ServedRoom, game: str) -> None:
    ann = room.players.admit_guest()
    table = expect_success(ann.post("/tables", id=new_id(), game=game))["table"]
    ann.sit(table, buy_in_cents=room.make_rich(ann))
    asked, deadline = 0, Deadline()
    while not asked:
        deadline.check("a round in which the player is asked")
        standing = expect_success(ann.post(f"/tables/{table}/wagers", id=new_id(), wagers={MAIN[game]: 10_00}))
        while standing["state"] == "playing":
            turn = ann.view(table)["round"]["view"]["turn"]
            standing = ann.decide(table, turn["options"][0])
            asked += 1
    last = ann.view(table)["last_round"]
    result = expect_success(ann.get(f"/rounds/{last}"))
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


def test_a_private_table_is_there_for_its_owner_only(room: ServedRoom) -> None:
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    opened = ann.post("/tables", id=new_id(), game="dueling-for-dollars")
    assert opened.status_code == 201
    table = opened.json()["table"]
    assert opened.json() == {"table": table}
    assert table in {listing["table"] for listing in ann.get("/tables").json()}
    assert "deadline" not in ann.view(table)
    for anybody in (bob.get("/tables"), httpx.get(f"{room.url}/api/v1/tables")):
        assert table not in {seen["table"] for seen in anybody.json()}
    for path in (f"/tables/{table}", f"/tables/{table}/stream", f"/tables/{table}/advice", f"/rounds/{table}.1"):
        assert bob.get(path).status_code == 404
    assert bob.post(f"/tables/{table}/seat", id=new_id()).status_code == 404


def test_a_round_of_a_private_table_is_shown_to_its_owner_only(room: ServedRoom) -> None:
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    table = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    ann.decide(table, "fold")
    assert expect_success(ann.get(f"/rounds/{table}.1"))["round"] == f"{table}.1"
    for anybody in (bob.get(f"/rounds/{table}.1"), httpx.get(f"{room.url}/api/v1/rounds/{table}.1")):
        assert anybody.status_code == 404
        assert "key" not in anybody.json()


def test_a_practice_table_takes_another_set_up(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    setup = setup_to_json(default_setup("dueling-for-dollars", seats=2)) | {"decks": 8}
    del setup["wagers"]["tie-after-tie"], setup["wagers"]["two-plus-two"]
    table = expect_success(ann.post("/tables", id=new_id(), game="dueling-for-dollars", setup=setup))["table"]
    listed = {listing["table"]: listing for listing in ann.get("/tables").json()}
    assert list(listed[table]["seats"]) == ["1", "2"]
    refused = ann.post("/tables", id=new_id(), game="three-card-prime", setup=setup)
    assert refused.status_code == 422
    assert "three-card-prime" in refused.json()["error"]


def test_of_too_many_practice_tables_one_that_is_empty_is_closed(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    first = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    seated = [expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"] for _ in range(4)]
    for table in seated:
        ann.sit(table, buy_in_cents=10_00)
    sixth = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
    assert ann.view(first)["state"] == "closed"
    ann.sit(sixth, buy_in_cents=10_00)
    refused = ann.post("/tables", id=new_id(), game="three-card-prime")
    assert (refused.status_code, refused.json()) == (
        409,
        {"error": "You sit at 5 practice tables. The limit is 5. Leave one first."},
    )


def sit_together(room: ServedRoom, table: str, many: int) -> list[Player]:
    players = [room.players.admit_guest() for _ in range(many)]
    for seat, player in enumerate(players, 1):
        player.sit(table, seat=seat)
    return players


def test_players_answer_in_their_turn(room: ServedRoom) -> None:
    table = room.open_table("turns")
    ann, bob = sit_together(room, table, 2)
    assert ann.wager(table, ante_play=10_00)["state"] == "betting"
    assert bob.wager(table, ante_play=20_00, prime=5_00)["state"] == "playing"
    early = bob.post(f"/tables/{table}/decisions", id=new_id(), answer="play")
    assert early.status_code == 409
    wrong = ann.post(f"/tables/{table}/decisions", id=new_id(), answer="raise")
    assert wrong.status_code == 422
    assert "Seat 1 cannot raise" in wrong.json()["error"]
    ann.decide(table, "play")
    assert bob.decide(table, "fold")["state"] == "betting"
    views = [player.view(table) for player in (ann, bob)]
    assert {view["last_round"] for view in views} == {f"{table}.1"}


def test_leaving_is_named_by_its_query_its_header_or_its_body(room: ServedRoom) -> None:
    table, ann = room.open_table("leaving"), room.players.admit_guest()
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
        assert ann.view(table)["seat"] == 1, "sent again it is the first leaving, not a second one"
        ann.client.delete(f"/tables/{table}/seat")
    assert ann.client.delete(f"/tables/{table}/seat").status_code == 409


def test_health_is_shown_without_a_token(room: ServedRoom) -> None:
    tables = -1
    while tables != len(room.context.lease_manager):  # a practice table that others have left may be put away meanwhile
        tables = len(room.context.lease_manager)
        answer = httpx.get(f"{room.url}/healthz")
    assert answer.status_code == 200
    house = {"server": room.context.lease_manager.name, "tables": tables}
    assert answer.json() == {"status": "ok", "version": "0.1.0", "database": "reachable", **house}


def test_a_named_player_signs_in_and_calls_with_the_token_of_the_session(room: ServedRoom) -> None:
    staffed(room.card_room)
    pat = sign_in_player(room)
    assert pat.get("/players/me").json()["player"] == PLAYER
    assert pat.client.delete("/sessions").status_code == 204
    assert pat.get("/players/me").status_code == 401


def test_a_token_as_guests_have_is_worth_nothing_for_a_named_player(room: ServedRoom) -> None:
    staffed(room.card_room)
    made = room.context.tokens.issue(PLAYER)
    with httpx.Client(base_url=f"{room.url}/api/v1") as client:
        answer = client.get("/players/me", headers={"Authorization": f"Bearer {made}"})
    assert answer.status_code == 401
