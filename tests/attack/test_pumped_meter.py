"""An attacker with a stolen token of a device pumps a meter: presses by the thousand, forged records of a data logger.
A dealer who tries the same alone at the command line gets no further.

The room's clock does not move by itself here, so what a table can have played is exact.
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
from cardroom.service.commands.unit_of_work import UnitOfWork
from tests.cli.card_room import House
from tests.ledger.empty import empty_ledger
from tests.service.card_rooms import shown
from tests.service.forger import Payload, found
from tests.service.test_verification import discrepancy
from tests.web.devices.equipped import ANDROMEDA_1, Equipped, lines, open_equipped, recorded
from tests.web.devices.server import in_a_thread

MINUTE, HOUR = 60_000_000, 3_600_000_000
WEEK = 7 * 24 * HOUR
START = 1_772_500_000_000_000
AN_HOUR = 120
POSITIONS = 6
A_MINUTE = AN_HOUR // 60
AT_ONCE = AN_HOUR * CLOCK_TOLERANCE // HOUR
"""How many rounds a table may be ahead of its pace."""


class Clock:
    """Moves when it is shown to, and by a microsecond whenever it is looked at."""

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
    with open_ledger(empty_ledger(tmp_path / "room.db"), clock) as ledger:
        card_room = CardRoom(ledger, clock)
        tokens = open_equipped(card_room)
        card_room.configure_room("pace", "Olga", SiteSettings(rounds_an_hour=AN_HOUR), "as tables play", second="Carl")
        with in_a_thread(card_room) as address, httpx.Client(base_url=f"{address}/api/v1/devices") as client:
            yield Equipped(card_room, address, client, tokens)


def attack(room: Equipped, presses: int, name: str, **result: Any) -> int:
    """How many of the presses were counted; ``shown`` gives what a press says, by its number."""
    counted = 0
    for number in range(presses):
        body = {"id": f"{name}-{number}", "covered": {"1": list(range(1, POSITIONS + 1))}}
        body |= {key: value(number) for key, value in result.items()}
        answer = room.ask("T-1001", "POST", "/presses", body)
        assert answer.status_code in (200, 409, 429), answer.text
        counted += answer.status_code == 200
    return counted


def pumped(room: Equipped) -> int:
    """By how many rounds the meter was moved; each brings a fifth of six dollars."""
    return (shown(room.card_room) - 5_000_00) // (POSITIONS * 20)


ROUNDS = {"round": lambda number: f"forged {number}"}
COUNTERS = {"counter": lambda number: {"1": (number + 1) * POSITIONS}}


@pytest.mark.parametrize(
    "result",
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
    room: Equipped, clock: Clock, result: dict[str, Any]
) -> None:
    events = room.card_room.ledger.chain_lengths("room")["room"]
    counted = attack(room, 60, "first", **result)
    clock.now += MINUTE
    counted += attack(room, 60, "later", **result)
    assert 0 < counted == pumped(room) <= AT_ONCE + A_MINUTE + 1
    held = room.card_room.get_device("T-1001").held_up
    assert held is not None
    assert held.too_many
    assert (
        room.card_room.ledger.chain_lengths("room")["room"] == events + 1
    )  # the card room is shown once, not with every press
    assert verify_card_room(room.card_room.ledger).is_consistent


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"at": lambda _: 0},
        {"at": lambda number: START + number * 30_000_000},
        {**COUNTERS, "at": lambda number: START + number * 30_000_000},
    ],
    ids=["plain", "of 1970", "spread over the week", "with counters that follow"],
)
@pytest.mark.parametrize("day", [False, True], ids=["no day is open", "a day is open"])
def test_a_week_in_which_a_table_was_idle_brings_a_stolen_token_nothing(
    room: Equipped, clock: Clock, result: dict[str, Any], day: bool
) -> None:
    if day:
        room.card_room.open_day("day", "Olga")
    clock.now += WEEK
    assert attack(room, 60, "idle", **result) == pumped(room) == AT_ONCE
    held = room.card_room.get_device("T-1001").held_up
    assert held is not None
    assert held.too_many
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_week_in_which_a_table_was_idle_brings_forged_records_no_more_than_the_day_that_is_open(
    room: Equipped, clock: Clock
) -> None:
    clock.now += WEEK
    room.card_room.open_day("day", "Olga")
    clock.now += HOUR
    forged = recorded(1_000, seats=6, times=[START + number * 30_000_000 for number in range(1, 1_001)]).waiting
    taken = 0
    for number in range(0, len(forged), 200):
        body = {"id": f"forged-{number}", "lines": lines(*forged[number : number + 200])}
        taken += len(room.ask("A1-77", "POST", "/records", body).json()["rounds"])
    assert AN_HOUR <= taken <= AN_HOUR + AT_ONCE + 1
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_two_people_accept_more_rounds_than_a_table_may_be_ahead(room: Equipped) -> None:
    counted = attack(room, 90, "offline")
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 60, "the network was down for an hour", second="Carl")
    assert attack(room, 90, "offline") == pumped(room) == counted + 60
    assert room.card_room.get_device("T-1001").held_up is not None
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_device_on_hold_is_not_counted_until_two_people_accept_or_refuse(room: Equipped, clock: Clock) -> None:
    counted = attack(room, 40, "fast")
    clock.now += HOUR  # waiting does not help
    assert attack(room, 3, "fast") == 3  # what was acknowledged is answered again, and not counted again
    assert room.ask("T-1001", "POST", "/presses", {"id": "slow", "covered": {"1": [1]}}).status_code == 409
    assert pumped(room) == counted
    words = [one.words for one in room.card_room.list_open_items() if one.what == "device held up"]
    assert len(words) == 1
    assert "has sent more rounds than way-1 can have dealt at 120 an hour" in words[0]
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    waiting = attack(room, 40, "fast") - counted
    assert 5 <= waiting <= 5 + AN_HOUR + 1
    assert pumped(room) == counted + waiting
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_two_people_accept_exactly_so_many_rounds_and_each_counts_once(room: Equipped) -> None:
    counted = attack(room, 40, "fast")
    room.card_room.accept_device_rounds("yes", "Olga", "T-1001", 5, "the network was down", second="Carl")
    assert attack(room, 40, "fast") == counted + 5
    assert attack(room, 40, "fast") == counted + 5
    assert pumped(room) == counted + 5


def test_two_people_refuse_and_the_token_is_worth_nothing(room: Equipped) -> None:
    counted = attack(room, 40, "fast")
    room.card_room.refuse_device_rounds("no", "Olga", "T-1001", "nobody played", second="Carl")
    assert room.ask("T-1001", "POST", "/presses", {"id": "again", "covered": {"1": [1]}}).status_code == 401
    assert pumped(room) == counted
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_device_that_waits_for_people_must_send_its_counter(room: Equipped) -> None:
    room.press("1", 1, counter={"1": 1})
    jump = {"id": "2", "covered": {"1": [1]}, "counter": {"1": 9}}
    assert "(8) for way-1" in room.refused("T-1001", "/presses", 409, **jump)
    before = shown(room.card_room)
    without = {"id": "3", "covered": {"1": [1, 2, 3]}}
    assert "Send 'counter' for sensor 1" in room.refused("T-1001", "/presses", 409, **without)
    assert shown(room.card_room) == before
    room.card_room.read_counter("reading", "Rosa", "way-1", [8], second="Lee", why="seven were lost")
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
    held = room.card_room.get_device("A1-77").held_up
    assert held is not None
    assert held.too_many
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_records_that_were_kept_through_an_outage_are_believed_by_their_own_times(room: Equipped, clock: Clock) -> None:
    """A logger that was cut off for five hours of a gaming day forwards 200 rounds at once, one every seventy
    seconds."""
    room.card_room.open_day("day", "Olga")
    clock.now += 5 * HOUR
    logger = recorded(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    body = {"id": "kept", "lines": lines(*logger.waiting)}
    assert len(room.ask("A1-77", "POST", "/records", body).json()["rounds"]) == 200
    assert room.card_room.get_device("A1-77").held_up is None
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_records_from_a_time_when_no_day_was_open_wait_for_two_people(room: Equipped, clock: Clock) -> None:
    clock.now += 5 * HOUR
    logger = recorded(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    answer = room.ask("A1-77", "POST", "/records", {"id": "kept", "lines": lines(*logger.waiting)}).json()
    assert len(answer["rounds"]) == AT_ONCE
    assert answer["for_people"]
    room.card_room.accept_device_rounds("yes", "Olga", "A1-77", 200 - AT_ONCE, "no day was opened", second="Carl")
    again = room.ask("A1-77", "POST", "/records", {"id": "again", "lines": lines(*logger.waiting)}).json()
    assert len(again["rounds"]) == 200 - AT_ONCE
    assert verify_card_room(room.card_room.ledger).is_consistent


def forged_round(room: Equipped, table: str, number: int, **result: Any) -> None:
    """Store a round as the card room would, without asking whether the table can have played it."""

    def decide(draft: UnitOfWork) -> None:
        state = draft.tabulator(table)
        (tabulated,) = press_button(state.tabulator, f"forged {number}", {}, dealer="device T-1001")
        stamped = replace(tabulated, device=DeviceStamp("T-1001"), **result)
        draft.apply_to_tabulator(table, (stamped,))

    chain, name = tabulator_chain(table), f"forged {number}"
    room.card_room._execute(name, {"do": "forge"}, (chain,), decide, lambda _: None, (UniqueKey(chain, name),))


def test_rounds_in_the_database_that_no_table_can_have_played_are_found(room: Equipped, clock: Clock) -> None:
    step = HOUR // AN_HOUR
    assert attack(room, AT_ONCE, "true") == AT_ONCE
    known = room.card_room.tabulator("way-1").tabulator.taken_up
    forged_round(room, "way-1", 1, taken_up=known + step)
    assert "the table cannot have played so many rounds" in discrepancy(room.card_room)


def test_a_round_in_the_database_that_takes_no_time_is_found(room: Equipped) -> None:
    assert attack(room, 2, "true") == 2
    forged_round(room, "way-1", 1, taken_up=room.card_room.tabulator("way-1").tabulator.taken_up)
    assert "it takes up no time of the table" in discrepancy(room.card_room)


@pytest.mark.parametrize("rounds", [1, 30])
def test_rounds_of_a_device_in_the_database_that_leave_out_their_time_are_found(room: Equipped, rounds: int) -> None:
    assert attack(room, 2, "true") == 2
    for number in range(rounds):
        forged_round(room, "way-1", number)
    assert "a device sent the round, and it takes up no time of the table" in discrepancy(room.card_room)


def test_records_of_a_device_in_the_database_that_leave_out_their_time_are_found(
    room: Equipped, tmp_path: Path
) -> None:
    room.card_room.import_logger_records(
        device_command_id("A1-77", "sent"), device_actor("A1-77"), ANDROMEDA_1, recorded(10).waiting
    )

    def without_time(event: Event, payload: Payload) -> Sequence[tuple[str, Payload]] | None:
        return [(event.kind, payload | {"taken_up": 0})] if payload.get("taken_up") else None

    assert "a device sent the round, and it takes up no time of the table" in found(
        room.card_room, tmp_path, without_time
    )


# A dealer alone, at the command line.


def logger_file(house: House, logger: DataLogger) -> str:
    """The table of the example, and a file of its data logger with other records than the unit wrote."""
    house.said("jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    house.execute("tabulator", "add", str(house.folder / "table.toml"))
    file = house.folder / "forged.log"
    file.write_bytes(log_bytes(logger))
    return str(file)


def counted_rounds(house: House, wagers: int) -> int:
    """How many rounds with so many wagers each the only table has counted."""
    (table,) = house.read_json("jackpot", "list")["tables"]
    return int(table["counters"][0]) // wagers


def test_ten_thousand_forged_records_by_command_bring_a_dealer_no_more_than_the_table_can_have_played(
    house: House,
) -> None:
    """The seals are public digests, so the dealer computes them. Sending the file again brings nothing either."""
    file = logger_file(house, recorded(10_000, seats=6))
    command = ("data-logger", "forward", "logger-1", file)
    result = house.execute(*command, by="kim", exit_code=1)
    assert AT_ONCE <= result["forwarded"] == counted_rounds(house, 6) <= AT_ONCE + 1
    assert "can have dealt at 120 an hour" in result["held_up"]
    assert house.execute(*command, by="kim", exit_code=1)["forwarded"] <= 1
    alone = (*command, "--accept-gap", "--why", "I say so", "--by", "kim", "--second", "lee")
    assert "kim is a dealer" in house.refused(*alone)
    assert counted_rounds(house, 6) <= AT_ONCE + 2
    assert house.read_json("verify")["whole"]


def test_two_people_accept_the_records_that_a_table_cannot_have_played(house: House) -> None:
    file = logger_file(house, recorded(60, seats=6))
    command = ("data-logger", "forward", "logger-1", file)
    house.execute(*command, by="kim", exit_code=1)
    accepted = ("--accept-gap", "--why", "no day was opened", "--second", "vera")
    result = house.execute(*command, *accepted, by="lee")
    assert (result["held_up"], counted_rounds(house, 6)) == (None, 60)
    assert "no gap to accept" in house.refused(*command, *accepted, "--by", "lee")
    assert house.read_json("verify")["whole"]


def test_records_that_were_kept_through_an_outage_are_believed_by_command_too(room: Equipped, clock: Clock) -> None:
    """The same 200 rounds of five hours as over the network; those of an idle week before are not believed."""
    room.card_room.open_day("day", "Olga")
    clock.now += 5 * HOUR
    logger = recorded(200, times=[START + number * 70_000_000 for number in range(1, 201)])
    taken = [
        room.card_room.import_logger_records(f"kept {at}", "Kim", "wild-1", logger.waiting[at : at + 100])
        for at in (0, 100)
    ]
    assert [len(one.rounds) for one in taken] == [100, 100]
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_records_of_an_idle_week_are_taken_by_command_as_far_as_the_open_day_goes(
    room: Equipped, clock: Clock, tmp_path: Path
) -> None:
    clock.now += WEEK
    room.card_room.open_day("day", "Olga")
    clock.now += HOUR
    forged = recorded(1_000, seats=6, times=[START + number * 30_000_000 for number in range(1, 1_001)])
    (tmp_path / "forged.log").write_bytes(log_bytes(forged))
    with LoggerFile(tmp_path / "forged.log", "A1-77") as file:
        done = forward_records(file, room.card_room, "Kim", "wild-1")
        assert AN_HOUR <= done.records <= AN_HOUR + AT_ONCE + 1
        assert len(file.pending_records) == 1_000 - done.records
        assert done.held_up
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_loop_of_presses_by_one_dealer_brings_no_more_than_the_table_can_have_played(
    room: Equipped, clock: Clock
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
    assert counted == pumped(room) == AT_ONCE + A_MINUTE
    # A stolen token brings nothing on top of what the dealer has pressed.
    assert attack(room, 5, "besides") == 0
    assert verify_card_room(room.card_room.ledger).is_consistent


def test_a_loop_of_commands_by_one_dealer_ends_with_a_sentence_that_says_what_to_do(house: House) -> None:
    house.open()
    began = system_clock()
    command = ("tabulator", "press", "table-1", "--positions", "1-6", "--by", "kim")
    results = [house.run(*command) for _ in range(AT_ONCE + 8)]
    at_most = AT_ONCE + (system_clock() - began) * AN_HOUR // HOUR + 1
    assert AT_ONCE <= counted_rounds(house, 6) <= at_most
    assert results[-1].exit_code == 2
    assert "read the counter, with a second person and a reason" in " ".join(results[-1].stderr.split())
    assert house.read_json("verify")["whole"]
