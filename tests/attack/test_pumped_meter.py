"""An attacker with a stolen token of a device pumps a meter: presses by the thousand, forged records of a data logger.

The room's clock does not move by itself here, so what a table can have played is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardroom.floor import Floor, verify_floor
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.jackpots.tabulator.pace import AHEAD
from cardroom.ledger import open_ledger
from tests.floor.scenes import shown
from tests.ledger.empty import empty_ledger
from tests.web.devices.equipped import Equipped, lines, open_equipped, recorded
from tests.web.devices.server import in_a_thread

MINUTE, HOUR = 60_000_000, 3_600_000_000
START = 1_772_500_000_000_000
AN_HOUR = 120
POSITIONS = 6
A_MINUTE = AN_HOUR // 60
AT_ONCE = AN_HOUR * AHEAD // HOUR
"""How many rounds a table may be ahead of its pace."""


class Clock:
    """Moves when it is told to, and by a microsecond whenever it is looked at."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(tmp_path: Path, clock: Clock) -> Iterator[Equipped]:
    with open_ledger(empty_ledger(tmp_path / "floor.db"), clock) as ledger:
        floor = Floor(ledger, clock)
        tokens = open_equipped(floor)
        floor.set_up_room("pace", "Olga", RoomSettings(rounds_an_hour=AN_HOUR), "as tables play", second="Carl")
        with in_a_thread(floor) as address, httpx.Client(base_url=f"{address}/api/v1/devices") as client:
            yield Equipped(floor, address, client, tokens)


def attack(room: Equipped, presses: int, name: str, **told: Any) -> int:
    """How many of the presses were counted; ``told`` gives what a press says, by its number."""
    counted = 0
    for number in range(presses):
        body = {"id": f"{name}-{number}", "covered": {"1": list(range(1, POSITIONS + 1))}}
        body |= {key: value(number) for key, value in told.items()}
        answer = room.ask("T-1001", "POST", "/presses", body)
        assert answer.status_code in (200, 409, 429), answer.text
        counted += answer.status_code == 200
    return counted


def pumped(room: Equipped) -> int:
    """By how many rounds the meter was moved; each brings a fifth of six dollars."""
    return (shown(room.floor) - 5_000_00) // (POSITIONS * 20)


ROUNDS = {"round": lambda number: f"forged {number}"}
COUNTERS = {"counter": lambda number: {"1": (number + 1) * POSITIONS}}


@pytest.mark.parametrize(
    "told",
    [
        {},
        ROUNDS,
        COUNTERS,
        {"at": lambda number: START - number * HOUR},
        {"at": lambda number: START + number * HOUR},
        {**ROUNDS, **COUNTERS, "at": lambda number: START + (number % 7 - 3) * MINUTE},
    ],
    ids=["plain", "round ids", "counters", "times past", "times to come", "all of it"],
)
def test_a_stolen_token_moves_the_meter_by_no_more_than_the_table_can_have_played(
    room: Equipped, clock: Clock, told: dict[str, Any]
) -> None:
    events = room.floor.ledger.places("room")["room"]
    counted = attack(room, 60, "first", **told)
    clock.now += MINUTE
    counted += attack(room, 60, "later", **told)
    assert 0 < counted == pumped(room) <= AT_ONCE + A_MINUTE + 1
    held = room.floor.device("T-1001").held_up
    assert held is not None
    assert held.too_many
    assert room.floor.ledger.places("room")["room"] == events + 1  # the floor is told once, not with every press
    assert verify_floor(room.floor.ledger).is_whole


def test_a_device_on_hold_is_not_counted_until_two_people_accept_or_refuse(room: Equipped, clock: Clock) -> None:
    counted = attack(room, 40, "fast")
    clock.now += HOUR  # waiting does not help
    assert attack(room, 3, "fast") == 3  # what was acknowledged is answered again, and not counted again
    assert room.ask("T-1001", "POST", "/presses", {"id": "slow", "covered": {"1": [1]}}).status_code == 409
    assert pumped(room) == counted
    words = [one.words for one in room.floor.open_matters() if one.what == "device held up"]
    assert len(words) == 1
    assert "has sent more rounds than way-1 can have played" in words[0]
    room.floor.accept_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    waiting = attack(room, 40, "fast") - counted
    assert 5 <= waiting <= 5 + AN_HOUR + 1
    assert pumped(room) == counted + waiting
    assert verify_floor(room.floor.ledger).is_whole


def test_two_people_accept_exactly_so_many_rounds_and_each_counts_once(room: Equipped) -> None:
    counted = attack(room, 40, "fast")
    room.floor.accept_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    assert attack(room, 40, "fast") == counted + 5
    assert attack(room, 40, "fast") == counted + 5
    assert pumped(room) == counted + 5


def test_two_people_refuse_and_the_token_is_worth_nothing(room: Equipped) -> None:
    counted = attack(room, 40, "fast")
    room.floor.refuse_rounds("no", "Olga", "T-1001", "nobody played", second="Carl")
    assert room.ask("T-1001", "POST", "/presses", {"id": "again", "covered": {"1": [1]}}).status_code == 401
    assert pumped(room) == counted
    assert verify_floor(room.floor.ledger).is_whole


def test_a_device_that_waits_for_people_must_send_its_counter(room: Equipped) -> None:
    room.press("1", 1, counter={"1": 1})
    jump = {"id": "2", "covered": {"1": [1]}, "counter": {"1": 9}}
    assert "read the counter" in room.refused("T-1001", "/presses", 409, **jump)
    before = shown(room.floor)
    without = {"id": "3", "covered": {"1": [1, 2, 3]}}
    assert "send 'counter' for sensor 1" in room.refused("T-1001", "/presses", 409, **without)
    assert shown(room.floor) == before
    room.floor.read_counter("reading", "Rosa", "way-1", [8], second="Lee", why="seven were lost")
    assert room.post("T-1001", "/presses", **jump)["counters"] == [9]


def test_ten_thousand_forged_records_of_a_data_logger_bring_no_more_than_the_table_can_have_played(
    room: Equipped, clock: Clock
) -> None:
    """Their times lie: all of the year before. The seals are right, as those of the attacker's own file are."""
    forged = recorded(10_000, seats=6).waiting
    taken = 0
    for number in range(0, len(forged), 200):
        body = {"id": f"forged-{number}", "lines": lines(*forged[number : number + 200])}
        answer = room.ask("A1-77", "POST", "/records", body)
        assert answer.status_code == 200, answer.text
        taken += len(answer.json()["rounds"])
    assert taken <= AT_ONCE + 1
    held = room.floor.device("A1-77").held_up
    assert held is not None
    assert held.too_many
    assert verify_floor(room.floor.ledger).is_whole


def test_records_that_were_kept_through_an_outage_are_believed_by_their_own_times(room: Equipped, clock: Clock) -> None:
    """A logger that was cut off for five hours forwards 200 rounds at once, one every seventy seconds."""
    clock.now += 5 * HOUR
    logger = recorded(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    body = {"id": "kept", "lines": lines(*logger.waiting)}
    assert len(room.ask("A1-77", "POST", "/records", body).json()["rounds"]) == 200
    assert room.floor.device("A1-77").held_up is None
