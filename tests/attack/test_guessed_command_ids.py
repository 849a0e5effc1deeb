"""Ids that the house's own services would use, sent by a cashier, a player and a device: the table's clock goes on."""

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
from tests.web.devices.equipped import Equipped, open_equipped
from tests.web.rooms import QUICK, Served, done, served
from tests.web.users import visit

SECONDS = 5


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def room(tmp_path: Path, clock: HandClock) -> Iterator[Served]:
    with served(tmp_path, QUICK, clock) as one:
        staffed(one.card_room)
        yield one


def coming_ids(table: str, round: int, deadline: int, player: str, version: int) -> list[str]:
    """What the services would call their next commands; the user who looks at the table can work it out."""
    return [
        f"clock/{table}.{round}/begin {deadline}",
        f"clock/{table}.{round}/answer 1",
        f"bot/{table}/2/{version + 1}",
        f"absence/remove-absent-player/{table}/{player}/{version}",
    ]


def test_no_user_stops_a_clock_with_its_next_id(room: Served, clock: HandClock) -> None:
    table = room.open_table("on-time", terms=PlayTerms(betting=SECONDS, deciding=SECONDS))
    ann, bob = room.guest(), room.guest()
    ann.sit(table)
    bob.sit(table)
    ann.wager(table, ante_play=10_00)
    seen = ann.look(table)
    guesses = coming_ids(table, 1, seen["deadline"], bob.name, seen["version"])
    cashier, tokens = visit(room, CAGE), open_equipped(room.card_room)
    with httpx.Client(base_url=f"{room.url}/api/v1/devices") as client:
        devices = Equipped(room.card_room, room.url, client, tokens)
        for number, guess in enumerate(guesses):
            typed = {"player": f"someone-{number}", "money": "room", "id": guess}
            assert cashier.sends("/office/admit", typed).status_code == 303
            bob.post(f"/tables/{table}/wagers", id=guess, wagers={"ante-play": 1})
            assert ann.post("/tables", id=guess, game="three-card-prime").status_code == 201
            pressed = devices.ask("T-1001", "POST", "/presses", {"id": guess, "covered": {"1": [number + 1]}})
            assert pressed.status_code == (422 if " " in guess else 200)
    clock.wait(SECONDS + 1)
    wait_until(lambda: ann.look(table)["state"] == "playing", "the clock begins the round")
    clock.wait(SECONDS + 1)
    wait_until(lambda: ann.look(table)["last_round"] == f"{table}.1", "the clock answers")
    assert done(ann.get(f"/rounds/{table}.1"))["answered_by"][0]["by"] == "clock"


def test_a_device_cannot_enter_another_senders_ids(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        card_room.admit_player("by carl/x", "device T-1", "one", Currency.REAL)
        card_room.admit_player(device_command_id("T-1", "by carl/x"), "device T-1", "two", Currency.REAL)
        card_room.admit_player("x", "carl", "three", Currency.REAL)
        card_room.admit_player(device_command_id("T-2", "x"), "carl", "four", Currency.REAL)
        card_room.admit_player("device T-2/x", "carl", "five", Currency.REAL)
        assert card_room.list_players() == ("five", "four", "one", "three", "two")


def test_the_same_id_of_two_people_is_two_commands(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = CardRoom(ledger)
        first = card_room.admit_player("today-1", CAGE, "ann", Currency.REAL)
        card_room.admit_player("today-1", DEALER, "bob", Currency.REAL)
        assert card_room.list_players() == ("ann", "bob")
        assert card_room.admit_player("today-1", CAGE, "ann", Currency.REAL) == first
        with pytest.raises(CommandIdReused, match="The id today-1 belongs to an earlier command"):
            card_room.admit_player("today-1", CAGE, "cid", Currency.REAL)


def test_a_claim_is_not_called_like_another_persons(tmp_path: Path) -> None:
    with open_ledger(f"sqlite:///{tmp_path}/room.db") as ledger:
        card_room = staffed(CardRoom(ledger))
        open_prime_room(card_room)
        for seats, round_id in ((1, "r1"), (1, "r2"), (1, "r3")):
            play(card_room, "prime-1", seats=seats, round_id=round_id)
        card_room.claim_hand("win", DEALER, "final-four", "prime-1", "r1", CLUB_ROYAL)
        with pytest.raises(BadClaim, match="give this one another id"):
            card_room.claim_hand("win", "sam", "final-four", "prime-1", "r2", CLUB_ROYAL)
        Both(card_room).refuse_claim("no", "carl", "final-four", "win", "The seal was broken", second="sam")
        with pytest.raises(BadClaim, match="give this one another id"):
            card_room.claim_hand("win", "sam", "final-four", "prime-1", "r3", CLUB_ROYAL)
        assert verify_card_room(ledger).is_consistent
