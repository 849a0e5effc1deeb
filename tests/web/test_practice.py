"""Practice tables: what is refused changes nothing, and what is asked for is there or refused."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from cardroom.games import default_setup
from cardroom.games.setup import setup_to_json
from cardroom.web.services.practice_tables import default_practice_setup
from tests.web.rooms import Player, ServedRoom, expect_success, new_id

PRIME = "three-card-prime"


def opened(ann: Player, **said: Any) -> str:
    table: str = expect_success(ann.post("/tables", **{"id": new_id(), "game": PRIME, **said}))["table"]
    return table


def own(ann: Player) -> set[str]:
    return {listing["table"] for listing in ann.get("/tables").json() if listing["table"].startswith("practice-")}


def refused(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    sentence: str = answer.json()["error"]
    return sentence


@pytest.mark.parametrize("other", [0, 1, 3])
def test_another_company_under_the_same_id_is_refused(room: ServedRoom, other: int) -> None:
    ann = room.players.admit_guest()
    table = opened(ann, id="mine", company=2)
    before = ann.view(table)
    assert "already used" in refused(ann.post("/tables", id="mine", game=PRIME, company=other), 409)
    assert opened(ann, id="mine", company=2) == table
    assert ann.view(table) == before
    assert sorted(before["seats"]) == ["5", "6"]


def test_company_that_leaves_no_seat_is_refused(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    setup = {**setup_to_json(default_practice_setup(PRIME)), "seats": 3}
    assert refused(ann.post("/tables", id=new_id(), game=PRIME, setup=setup, company=3), 422) == (
        "3 bots leave no seat for you. The table has 3 seats, so the maximum is 2 bots."
    )
    assert own(ann) == set()
    assert sorted(ann.view(opened(ann, setup=setup, company=2))["seats"]) == ["2", "3"]


def test_an_opening_that_is_refused_closes_no_other_table(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    tables = {opened(ann) for _ in range(5)}
    ann.sit(min(tables), id="sit")
    assert "already used" in refused(ann.post("/tables", id="sit", game=PRIME), 409)
    metered = setup_to_json(default_setup(PRIME))
    assert "no jackpot" in refused(ann.post("/tables", id=new_id(), game=PRIME, setup=metered), 422)
    assert own(ann) == tables


def test_an_opening_sent_again_closes_no_other_table(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    first = opened(ann, id="first")
    others = {opened(ann) for _ in range(5)}
    assert own(ann) == others
    assert opened(ann, id="first") == first
    assert own(ann) == others


def test_a_player_with_too_many_tables_has_the_allowed_number_after_the_next(room: ServedRoom) -> None:
    """A server may die between an opening and the closing that belongs to it."""
    ann = room.players.admit_guest()
    kept = {opened(ann) for _ in range(5)}
    most = room.context.options
    room.context.options = type(most)(guests=True, practice_tables=7)
    try:
        kept |= {opened(ann) for _ in range(2)}
    finally:
        room.context.options = most
    assert own(ann) == kept
    assert len(kept) == 7
    assert opened(ann) in own(ann)
    assert len(own(ann)) == 5


def test_a_table_with_a_custom_paytable_is_played_and_recorded_with_it(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    setup = setup_to_json(default_practice_setup(PRIME))
    setup["wagers"]["prime"] |= {
        "paytable": "Ours",
        "table": {"name": "Ours", "basis": "to 1", "lines": {"same-color-player": "3:2", "other": "push"}},
    }
    table = opened(ann, setup=setup)
    ann.sit(table)
    ann.wager(table, **{"ante-play": 10_00, "prime": 1_00})
    look = ann.view(table)
    while look["state"] == "playing":
        ann.decide(table, look["round"]["view"]["turn"]["options"][-1])
        look = ann.view(table)
    past_round = expect_success(ann.get(f"/rounds/{look['last_round']}"))
    assert past_round["record"]["table"]["wagers"]["prime"]["table"]["lines"][0] == ["same-color-player", "3:2"]
    assert {payment["pays"] for payment in past_round["payments"] if payment["spot"] == "prime"} <= {"3 to 2", "push"}
    faulty = {**setup, "wagers": {**setup["wagers"], "prime": {**setup["wagers"]["prime"]}}}
    faulty["wagers"]["prime"]["table"] = {"name": "Ours", "basis": "to 1", "lines": {"same-color-player": "5:3"}}
    assert "cannot be paid 5 to 3" in refused(ann.post("/tables", id=new_id(), game=PRIME, setup=faulty), 422)


def test_a_practice_table_may_be_asked_for_by_a_short_name(room: ServedRoom) -> None:
    ann = room.players.admit_guest()
    assert ann.view(opened(ann, game="dueling"))["game"] == "dueling-for-dollars"
    assert (
        ann.view(opened(ann, game="prime", setup={"wagers": setup_to_json(default_practice_setup(PRIME))["wagers"]}))[
            "game"
        ]
        == PRIME
    )
