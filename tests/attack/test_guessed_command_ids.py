"""A cashier, a player, and a device send ids that the server's own services will use. The table's clock still works."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import CommandIdReused, open_ledger
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.user.command_ids import device_command_id
from cardroom.service import CardRoom, PlayTerms, verify_card_room
from tests.deadline import wait_until
from tests.service.card_rooms import CLUB_ROYAL, play
from tests.service.card_rooms import open_room as open_prime_room
from tests.service.staff import CAGE, DEALER, Both, staffed
from tests.service.table_scenes import HandClock
from tests.web.devices.equipped import EquippedRoom, open_equipped
from tests.web.rooms import QUICK, ServedRoom, expect_success, serve_room
from tests.web.users import visit

SECONDS = 5


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def room(tmp_path: Path, clock: HandClock) -> Iterator[ServedRoom]:
    with serve_room(tmp_path, QUICK, clock) as server:
        staffed(server.card_room)
        yield server


def predict_command_ids(table: str, round: int, deadline: int, player: str, version: int) -> list[str]:
    """The ids of the services' next commands. Any user who views the table can compute them."""
    return [
        f"clock/{table}.{round}/begin {deadline}",
        f"clock/{table}.{round}/answer 1",
        f"bot/{table}/2/{version + 1}",
        f"absence/remove-absent-player/{table}/{player}/{version}",
    ]


def test_a_user_cannot_stop_the_clock_by_using_its_next_command_id(room: ServedRoom, clock: HandClock) -> None:
    table = room.open_table("on-time", terms=PlayTerms(betting=SECONDS, deciding=SECONDS))
    ann, bob = room.players.admit_guest(), room.players.admit_guest()
    ann.sit(table)
    bob.sit(table)
    ann.wager(table, ante_play=10_00)
    view = ann.view(table)
    guesses = predict_command_ids(table, 1, view["deadline"], bob.name, view["version"])
    cashier, tokens = visit(room, CAGE), open_equipped(room.card_room)
    with httpx.Client(base_url=f"{room.url}/api/v1/devices") as client:
        devices = EquippedRoom(room.card_room, room.url, client, tokens)
        for number, guess in enumerate(guesses):
            form = {"player": f"someone-{number}", "money": "room", "id": guess}
            assert cashier.send_form("/office/admit", form).status_code == 303
            bob.post(f"/tables/{table}/wagers", id=guess, wagers={"ante-play": 1})
            assert ann.post("/tables", id=guess, game="three-card-prime").status_code == 201
            response = devices.ask("T-1001", "POST", "/presses", {"id": guess, "covered": {"1": [number + 1]}})
            assert response.status_code == (422 if " " in guess else 200)
    clock.wait(SECONDS + 1)
    wait_until(lambda: ann.view(table)["state"] == "playing", "the start of the round by the clock")
    clock.wait(SECONDS + 1)
    wait_until(lambda: ann.view(table)["last_round"] == f"{table}.1", "the decision by the clock")
    assert expect_success(ann.get(f"/rounds/{table}.1"))["answered_by"][0]["by"] == "clock"


def test_ids_of_a_device_never_collide_with_ids_of_other_senders(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        card_room.players.admit_player("by carl/x", "device T-1", "one", Currency.REAL)
        card_room.players.admit_player(device_command_id("T-1", "by carl/x"), "device T-1", "two", Currency.REAL)
        card_room.players.admit_player("x", "carl", "three", Currency.REAL)
        card_room.players.admit_player(device_command_id("T-2", "x"), "carl", "four", Currency.REAL)
        card_room.players.admit_player("device T-2/x", "carl", "five", Currency.REAL)
        assert card_room.players.list_players() == ("five", "four", "one", "three", "two")


def test_the_same_id_from_two_users_is_two_commands(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        first = card_room.players.admit_player("today-1", CAGE, "ann", Currency.REAL)
        card_room.players.admit_player("today-1", DEALER, "bob", Currency.REAL)
        assert card_room.players.list_players() == ("ann", "bob")
        assert card_room.players.admit_player("today-1", CAGE, "ann", Currency.REAL) == first
        with pytest.raises(CommandIdReused, match="The id today-1 belongs to an earlier command"):
            card_room.players.admit_player("today-1", CAGE, "cid", Currency.REAL)


def test_a_claim_cannot_have_the_id_of_another_users_claim(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = staffed(CardRoom(ledger))
        open_prime_room(card_room)
        for seats, round_id in ((1, "r1"), (1, "r2"), (1, "r3")):
            play(card_room, "prime-1", seats=seats, round_id=round_id)
        card_room.claims.claim_hand("win", DEALER, "final-four", "prime-1", "r1", CLUB_ROYAL)
        with pytest.raises(BadClaim, match="give this one another id"):
            card_room.claims.claim_hand("win", "sam", "final-four", "prime-1", "r2", CLUB_ROYAL)
        Both(card_room).claims.refuse("no", "carl", "final-four", "win", "The seal was broken", second="sam")
        with pytest.raises(BadClaim, match="give this one another id"):
            card_room.claims.claim_hand("win", "sam", "final-four", "prime-1", "r3", CLUB_ROYAL)
        assert verify_card_room(ledger).is_consistent
