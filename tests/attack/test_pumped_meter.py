"""An attacker with the stolen token of a device pumps a meter with thousands of presses and forged data logger records.
A dealer who tries the same alone at the command line does not succeed either.

The room's clock does not move by itself here, so the number of rounds that a table can have played is exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardroom.ledger import Event, UniqueKey, open_ledger, system_clock
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.room.setup.site import SiteSettings
from cardroom.room.tabulator.data_logger import DataLogger
from cardroom.room.tabulator.logger_lines import log_bytes
from cardroom.room.tabulator.plausibility import CLOCK_TOLERANCE, TooManyRounds
from cardroom.room.tabulator.unit import press_button
from cardroom.room.user.command_ids import device_actor, device_command_id
from cardroom.service import CardRoom, LoggerFile, forward_records, verify_card_room
from cardroom.service.chains.names import tabulator_chain
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.unit_of_work import UnitOfWork
from tests.cli.card_room import CliRoom
from tests.ledger.empty import empty_ledger
from tests.service.card_rooms import shown
from tests.service.forger import Payload, found
from tests.service.test_verification import discrepancy
from tests.web.devices.equipped import ANDROMEDA_1, EquippedRoom, encode_lines, open_equipped, record_rounds
from tests.web.devices.server import serve_devices

MINUTE, HOUR = 60_000_000, 3_600_000_000
WEEK = 7 * 24 * HOUR
START = 1_772_500_000_000_000
AN_HOUR = 120
POSITIONS = 6
A_MINUTE = AN_HOUR // 60
AT_ONCE = AN_HOUR * CLOCK_TOLERANCE // HOUR
"""The number of rounds that a table may be ahead of its pace."""


class Clock:
    """A clock that the test sets. It moves by a microsecond at every reading."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def room(tmp_path: Path, clock: Clock) -> Iterator[EquippedRoom]:
    with open_ledger(empty_ledger(tmp_path / "room.db"), clock) as ledger:
        card_room = CardRoom(ledger, clock)
        tokens = open_equipped(card_room)
        card_room.site.configure("pace", "Olga", SiteSettings(rounds_an_hour=AN_HOUR), "as tables play", second="Carl")
        with serve_devices(card_room) as address, httpx.Client(base_url=f"{address}/api/v1/devices") as client:
            yield EquippedRoom(card_room, address, client, tokens)


def attack(room: EquippedRoom, presses: int, name: str, **fields: Any) -> int:
    """Send presses and return how many the server counted.

    Each function in ``fields`` makes a field of a press from the number of the press.
    """
    counted = 0
    for number in range(presses):
        body = {"id": f"{name}-{number}", "covered": {"1": list(range(1, POSITIONS + 1))}}
        body |= {key: value(number) for key, value in fields.items()}
        response = room.ask("T-1001", "POST", "/presses", body)
        assert response.status_code in (200, 409, 429), response.text
        counted += response.status_code == 200
    return counted


def count_meter_rounds(room: EquippedRoom) -> int:
    """The number of rounds on the meter; each round adds a fifth of six dollars."""
    return (shown(room.card_room) - 5_000_00) // (POSITIONS * 20)


ROUNDS = {"round": lambda number: f"forged {number}"}
COUNTERS = {"counter": lambda number: {"1": (number + 1) * POSITIONS}}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        ROUNDS,
        COUNTERS,
        {"at": lambda number: START - number * HOUR},
        {"at": lambda number: START + number * HOUR},
        {**ROUNDS, **COUNTERS, "at": lambda number: START + (number % 7 - 3) * MINUTE},
    ],
    ids=["plain", "round ids", "counters", "past times", "future times", "all of these"],
)
def test_presses_with_a_stolen_token_move_the_meter_no_further_than_the_table_can_have_played(
    room: EquippedRoom, clock: Clock, fields: dict[str, Any]
) -> None:
    events = room.card_room.ledger.chain_lengths("room")["room"]
    counted = attack(room, 60, "first", **fields)
    clock.now += MINUTE
    counted += attack(room, 60, "later", **fields)
    assert 0 < counted == count_meter_rounds(room) <= AT_ONCE + A_MINUTE + 1
    held = room.card_room.get_device("T-1001").held_up
    assert held is not None
    assert held.too_many
    # The device stores one event in the room's chain when it goes on hold, not one for every press.
    assert room.card_room.ledger.chain_lengths("room")["room"] == events + 1
    assert verify_card_room(room.card_room.ledger).is_consistent


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"at": lambda _: 0},
        {"at": lambda number: START + number * 30_000_000},
        {**COUNTERS, "at": lambda number: START + number * 30_000_000},
    ],
    ids=["plain", "times in 1970", "times over the whole week", "consecutive counters"],
)
@pytest.mark.parametrize("day", [False, True], ids=["no day is open", "a day is open"])
def test_an_idle_week_gives_a_stolen_token_no_additional_rounds(
    room: EquippedRoom, clock: Clock, fields: dict[str, Any], day: bool
) -> None:
    if day:
        room.card_room.days.open("day", "Olga")
    clock.now += WEEK
    assert attack(room, 60, "idle", **fields) == count_meter_rounds(room) == AT_ONCE
    held = room.card_room.get_device("T-1001").held_up
    assert held is not None
    assert held.too_many
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_after_an_idle_week_forged_records_count_only_rounds_of_the_open_day(room: EquippedRoom, clock: Clock) -> None:
    clock.now += WEEK
    room.card_room.days.open("day", "Olga")
    clock.now += HOUR
    forged = record_rounds(1_000, seats=6, times=[START + number * 30_000_000 for number in range(1, 1_001)]).waiting
    counted = 0
    for number in range(0, len(forged), 200):
        body = {"id": f"forged-{number}", "lines": encode_lines(*forged[number : number + 200])}
        counted += len(room.ask("A1-77", "POST", "/records", body).json()["rounds"])
    assert AN_HOUR <= counted <= AN_HOUR + AT_ONCE + 1
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_two_people_can_accept_more_rounds_than_a_table_may_be_ahead(room: EquippedRoom) -> None:
    counted = attack(room, 90, "offline")
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 60, "the network was down for an hour", second="Carl")
    assert attack(room, 90, "offline") == count_meter_rounds(room) == counted + 60
    assert room.card_room.get_device("T-1001").held_up is not None
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_device_on_hold_is_not_counted_until_two_people_accept_or_refuse(room: EquippedRoom, clock: Clock) -> None:
    counted = attack(room, 40, "fast")
    clock.now += HOUR  # more time does not end the hold
    assert attack(room, 3, "fast") == 3  # a counted press gets the same response again, and is not counted again
    assert room.ask("T-1001", "POST", "/presses", {"id": "slow", "covered": {"1": [1]}}).status_code == 409
    assert count_meter_rounds(room) == counted
    texts = [item.words for item in room.card_room.days.list_open_items() if item.what == "device held up"]
    assert len(texts) == 1
    assert "has sent more rounds than way-1 can have dealt at 120 an hour" in texts[0]
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    waiting = attack(room, 40, "fast") - counted
    assert 5 <= waiting <= 5 + AN_HOUR + 1
    assert count_meter_rounds(room) == counted + waiting
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_two_people_accept_an_exact_number_of_rounds_and_each_counts_once(room: EquippedRoom) -> None:
    counted = attack(room, 40, "fast")
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    assert attack(room, 40, "fast") == counted + 5
    assert attack(room, 40, "fast") == counted + 5
    assert count_meter_rounds(room) == counted + 5


def test_a_token_is_invalid_after_two_people_refuse_its_rounds(room: EquippedRoom) -> None:
    counted = attack(room, 40, "fast")
    room.card_room.refuse_device_rounds("no", "Olga", "T-1001", "nobody played", second="Carl")
    assert room.ask("T-1001", "POST", "/presses", {"id": "again", "covered": {"1": [1]}}).status_code == 401
    assert count_meter_rounds(room) == counted
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_device_with_a_gap_in_its_counter_must_send_its_counter(room: EquippedRoom) -> None:
    room.press("1", 1, counter={"1": 1})
    jump = {"id": "2", "covered": {"1": [1]}, "counter": {"1": 9}}
    assert "(8) for way-1" in room.refused("T-1001", "/presses", 409, **jump)
    before = shown(room.card_room)
    without = {"id": "3", "covered": {"1": [1, 2, 3]}}
    assert "Send 'counter' for sensor 1" in room.refused("T-1001", "/presses", 409, **without)
    assert shown(room.card_room) == before
    room.card_room.read_counter("reading", "Rosa", "way-1", [8], second="Lee", why="seven were lost")
    assert room.post("T-1001", "/presses", **jump)["counters"] == [9]


def test_ten_thousand_forged_logger_records_count_no_more_than_the_table_can_have_played(
    room: EquippedRoom, clock: Clock
) -> None:
    """All the times are false: they are in the year before. The digests are valid: the attacker can compute them."""
    forged = record_rounds(10_000, seats=6).waiting
    counted = 0
    for number in range(0, len(forged), 200):
        body = {"id": f"forged-{number}", "lines": encode_lines(*forged[number : number + 200])}
        response = room.ask("A1-77", "POST", "/records", body)
        assert response.status_code == 200, response.text
        counted += len(response.json()["rounds"])
    assert counted <= AT_ONCE + 1
    held = room.card_room.get_device("A1-77").held_up
    assert held is not None
    assert held.too_many
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_records_that_a_logger_stored_during_an_outage_count_at_their_own_times(
    room: EquippedRoom, clock: Clock
) -> None:
    """The logger has no network for five hours of a gaming day. It then forwards 200 rounds, one every 70 seconds."""
    room.card_room.days.open("day", "Olga")
    clock.now += 5 * HOUR
    logger = record_rounds(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    body = {"id": "kept", "lines": encode_lines(*logger.waiting)}
    assert len(room.ask("A1-77", "POST", "/records", body).json()["rounds"]) == 200
    assert room.card_room.get_device("A1-77").held_up is None
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_records_from_a_time_without_an_open_day_need_two_people(room: EquippedRoom, clock: Clock) -> None:
    clock.now += 5 * HOUR
    logger = record_rounds(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    first = room.ask("A1-77", "POST", "/records", {"id": "kept", "lines": encode_lines(*logger.waiting)}).json()
    assert len(first["rounds"]) == AT_ONCE
    assert first["for_people"]
    room.card_room.accept_device_rounds("yes", "Olga", "A1-77", 200 - AT_ONCE, "no day was opened", second="Carl")
    again = room.ask("A1-77", "POST", "/records", {"id": "again", "lines": encode_lines(*logger.waiting)}).json()
    assert len(again["rounds"]) == 200 - AT_ONCE
    assert verify_card_room(room.card_room.ledger).is_consistent


def forge_round(room: EquippedRoom, table: str, number: int, **fields: Any) -> None:
    """Store a round as the card room would, without the check that the table can have played it."""

    def decide(work: UnitOfWork) -> None:
        state = work.tabulator(table)
        (tabulated,) = press_button(state.tabulator, f"forged {number}", {}, dealer="device T-1001")
        stamped = replace(tabulated, device=DeviceStamp("T-1001"), **fields)
        work.apply_to_tabulator(table, (stamped,))

    name = f"forged {number}"
    locks = Locks(tabulators=[table], unique_keys=[UniqueKey(tabulator_chain(table), name)])
    room.card_room.execute(name, {"do": "forge"}, locks, decide, lambda _: None)


def test_verify_detects_forged_rounds_that_the_table_cannot_have_played(room: EquippedRoom, clock: Clock) -> None:
    step = HOUR // AN_HOUR
    assert attack(room, AT_ONCE, "true") == AT_ONCE
    known = room.card_room.tabulator("way-1").tabulator.taken_up
    forge_round(room, "way-1", 1, taken_up=known + step)
    assert "the table cannot have played so many rounds" in discrepancy(room.card_room)


def test_verify_detects_a_forged_round_that_takes_no_time(room: EquippedRoom) -> None:
    assert attack(room, 2, "true") == 2
    forge_round(room, "way-1", 1, taken_up=room.card_room.tabulator("way-1").tabulator.taken_up)
    assert "it takes up no time of the table" in discrepancy(room.card_room)


@pytest.mark.parametrize("rounds", [1, 30])
def test_verify_detects_forged_rounds_of_a_device_without_a_time(room: EquippedRoom, rounds: int) -> None:
    assert attack(room, 2, "true") == 2
    for number in range(rounds):
        forge_round(room, "way-1", number)
    assert "a device sent the round, and it takes up no time of the table" in discrepancy(room.card_room)


def test_verify_detects_logger_records_whose_time_was_removed(room: EquippedRoom, tmp_path: Path) -> None:
    room.card_room.import_logger_records(
        device_command_id("A1-77", "sent"), device_actor("A1-77"), ANDROMEDA_1, record_rounds(10).waiting
    )

    def without_time(event: Event, payload: Payload) -> Sequence[tuple[str, Payload]] | None:
        return [(event.kind, payload | {"taken_up": 0})] if payload.get("taken_up") else None

    assert "a device sent the round, and it takes up no time of the table" in found(
        room.card_room, tmp_path, without_time
    )


# A dealer alone, at the command line.


def write_logger_file(cli_room: CliRoom, logger: DataLogger) -> str:
    """Add the table of the example, and write a log file for it with records that the unit did not write."""
    cli_room.read_output(
        "jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(cli_room.folder)
    )
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    file = cli_room.folder / "forged.log"
    file.write_bytes(log_bytes(logger))
    return str(file)


def count_rounds(cli_room: CliRoom, wagers: int) -> int:
    """The number of rounds that the only table has counted, with a number of wagers each."""
    (table,) = cli_room.read_json("jackpot", "list")["tables"]
    return int(table["counters"][0]) // wagers


def test_ten_thousand_records_that_a_dealer_forwards_count_no_more_than_the_table_can_have_played(
    cli_room: CliRoom,
) -> None:
    """The digests use no secret, so the dealer can compute them. A repetition of the file adds no rounds either."""
    file = write_logger_file(cli_room, record_rounds(10_000, seats=6))
    command = ("data-logger", "forward", "logger-1", file)
    result = cli_room.execute(*command, by="kim", exit_code=1)
    assert AT_ONCE <= result["forwarded"] == count_rounds(cli_room, 6) <= AT_ONCE + 1
    assert "can have dealt at 120 an hour" in result["held_up"]
    assert cli_room.execute(*command, by="kim", exit_code=1)["forwarded"] <= 1
    alone = (*command, "--accept-gap", "--why", "I say so", "--by", "kim", "--second", "lee")
    assert "kim is a dealer" in cli_room.read_refusal(*alone)
    assert count_rounds(cli_room, 6) <= AT_ONCE + 2
    assert cli_room.read_json("verify")["whole"]


def test_two_people_can_accept_records_that_a_table_cannot_have_played(cli_room: CliRoom) -> None:
    file = write_logger_file(cli_room, record_rounds(60, seats=6))
    command = ("data-logger", "forward", "logger-1", file)
    cli_room.execute(*command, by="kim", exit_code=1)
    accepted = ("--accept-gap", "--why", "no day was opened", "--second", "vera")
    result = cli_room.execute(*command, *accepted, by="lee")
    assert (result["held_up"], count_rounds(cli_room, 6)) == (None, 60)
    assert "no gap to accept" in cli_room.read_refusal(*command, *accepted, "--by", "lee")
    assert cli_room.read_json("verify")["whole"]


def test_records_that_a_logger_stored_during_an_outage_count_at_their_own_times_by_command(
    room: EquippedRoom, clock: Clock
) -> None:
    """The same 200 rounds of five hours as in the test over the network."""
    room.card_room.days.open("day", "Olga")
    clock.now += 5 * HOUR
    logger = record_rounds(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    imports = [
        room.card_room.import_logger_records(f"kept {at}", "Kim", "wild-1", logger.waiting[at : at + 100])
        for at in (0, 100)
    ]
    assert [len(result.rounds) for result in imports] == [100, 100]
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_after_an_idle_week_records_that_a_dealer_forwards_count_only_rounds_of_the_open_day(
    room: EquippedRoom, clock: Clock, tmp_path: Path
) -> None:
    clock.now += WEEK
    room.card_room.days.open("day", "Olga")
    clock.now += HOUR
    forged = record_rounds(1_000, seats=6, times=[START + number * 30_000_000 for number in range(1, 1_001)])
    (tmp_path / "forged.log").write_bytes(log_bytes(forged))
    with LoggerFile(tmp_path / "forged.log", "A1-77") as file:
        result = forward_records(file, room.card_room, "Kim", "wild-1")
        assert AN_HOUR <= result.records <= AN_HOUR + AT_ONCE + 1
        assert len(file.pending_records) == 1_000 - result.records
        assert result.held_up
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_loop_of_presses_by_one_dealer_counts_no_more_than_the_table_can_have_played(
    room: EquippedRoom, clock: Clock
) -> None:
    counted, sentences = 0, set[str]()
    for number in range(120):
        clock.now += MINUTE * (number == 60)
        try:
            room.card_room.tabulate(f"press {number}", "Kim", "way-1", {1: range(1, POSITIONS + 1)})
            counted += 1
        except TooManyRounds as fault:
            sentences.add(str(fault))
    (sentence,) = sentences
    assert "way-1 has counted more rounds than it can have dealt" in sentence
    assert counted == count_meter_rounds(room) == AT_ONCE + A_MINUTE
    # A stolen token adds no rounds to those that the dealer pressed.
    assert attack(room, 5, "besides") == 0
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_loop_of_press_commands_by_one_dealer_ends_with_an_instruction_to_read_the_counter(cli_room: CliRoom) -> None:
    cli_room.open()
    began = system_clock()
    command = ("tabulator", "press", "table-1", "--positions", "1-6", "--by", "kim")
    results = [cli_room.run(*command) for _ in range(AT_ONCE + 8)]
    at_most = AT_ONCE + (system_clock() - began) * AN_HOUR // HOUR + 1
    assert AT_ONCE <= count_rounds(cli_room, 6) <= at_most
    assert results[-1].exit_code == 2
    assert "read the counter, with a second person and a reason" in " ".join(results[-1].stderr.split())
    assert cli_room.read_json("verify")["whole"]
