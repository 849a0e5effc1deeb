"""Devices of the card room: tokens, counters and records that do not follow, and what people decide about them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardroom.errors import BadInput
from cardroom.ledger import CommandIdReused
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.event_values import DeviceStamp, LoggerGap, LoggerMark
from cardroom.room.setup.tabulator_models import BadDevice, require_device_name
from cardroom.room.site.device import BadDeviceChange, UnknownDevice, token_digest
from cardroom.room.site.events import DayOpenItemKind
from cardroom.room.tabulator.data_logger import BadLoggerRecord, DataLogger, LoggerRecord, new_logger, write_record
from cardroom.room.tabulator.logger_lines import acknowledgment_line, opening_line, record_line
from cardroom.room.tabulator.unit import CannotTabulate, CounterDiffers
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from cardroom.service.chains.names import ROOM_CHAIN
from cardroom.service.commands.devices import NoDeviceHold
from tests.service.card_rooms import deuces_sensors, deuces_table, five_wild, new_id, open_room, shown, whole

UNIT = "A1-77"


def open_deuces(card_room: CardRoom) -> None:
    card_room.jackpots.open(new_id(), "Olga", five_wild())
    card_room.add_table(
        new_id(), "Olga", RoomTableSetup("wild-1", deuces_table(), tabulator=UnitSetup(deuces_sensors(), UNIT))
    )


def log_rounds(rounds: int, seats: int = 3, unit: str = UNIT) -> DataLogger:
    logger = new_logger(unit)
    for number in range(1, rounds + 1):
        details: dict[str, Any] = {"time": number, "dealer": "Kim", "counter": number * seats}
        logger = write_record(logger, f"round-{number}", range(1, seats + 1), **details)
    return logger


def lines(records: tuple[LoggerRecord, ...]) -> list[str]:
    return [record_line(record).decode() for record in records]


# Tokens.


def test_a_repeated_registration_does_not_return_the_token_again(card_room: CardRoom) -> None:
    open_room(card_room)
    first = card_room.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator")
    assert card_room.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator") == (first.summary, None)
    renewed = card_room.renew_device_token("d2", "Olga", "T-1001", "the token was left on a table")
    assert renewed.token not in (None, first.token)
    assert card_room.renew_device_token("d2", "Olga", "T-1001", "the token was left on a table") == (
        renewed.summary,
        None,
    )
    assert card_room.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator") == (first.summary, None)


def test_no_file_of_the_ledger_contains_a_token(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    first = in_a_file.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator").token
    second = in_a_file.renew_device_token("d2", "Olga", "T-1001", "the token was left on a table").token
    files = Path(in_a_file.ledger.store.address).parent.glob("*")
    content = b"".join(file.read_bytes() for file in files)
    assert b"the token was left on a table" in content
    for token in (first, second):
        assert token is not None
        assert token.rpartition(".")[2].encode() not in content


def test_a_device_is_registered_for_one_table_and_its_token_has_a_generation(card_room: CardRoom) -> None:
    open_room(card_room)
    first, token = card_room.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator")
    assert (first.table, first.kind, first.generation, first.withdrawn) == ("prime-1", "tabulator", 1, "")
    assert token is not None
    assert first.digest == token_digest(token, card_room.get_room_secret()) == card_room.get_device("T-1001").digest
    assert card_room.renew_device_token("d2", "Olga", "T-1001", "the token was left on a table").summary.generation == 2
    assert card_room.withdraw_device("d3", "Olga", "T-1001", "it went back").withdrawn == "it went back"
    second = card_room.register_device("d4", "Olga", "prime-2", "T-1001", "tabulator").summary
    assert (second.table, second.generation) == ("prime-2", 3)
    assert card_room.get_device("T-1001").generation == 3
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize(
    ("table", "device", "kind", "sentence"),
    [
        ("prime-1", "T 1", "tabulator", "cannot be the name of a device"),
        ("prime-1", "T.1", "tabulator", "cannot be the name of a device"),
        ("prime-1", "", "tabulator", "cannot be the name of a device"),
        ("prime-1", "x" * 41, "tabulator", "cannot be the name of a device"),
        ("prime-1", "T-1", "toaster", "choose tabulator, data-logger, led, monitor"),
        ("prime-1", "T-1", "led", "The Andromeda-3d of prime-1 has no LED sign"),
        ("prime-1", "T-1", "data-logger", "register tabulator, monitor"),
        ("wild-1", "T-1", "tabulator", "register data-logger, led"),
        ("wild-1", "T-1", "monitor", "The Andromeda-1 of wild-1 has no monitor"),
        ("prime-9", "T-1", "tabulator", "There is no table 'prime-9'"),
    ],
)
def test_a_device_that_cannot_be_registered_is_refused_and_changes_nothing(
    in_a_file: CardRoom, table: str, device: str, kind: str, sentence: str
) -> None:
    open_room(in_a_file)
    open_deuces(in_a_file)
    in_a_file.get_room_secret()
    before = whole(in_a_file)
    with pytest.raises(BadInput) as refused:
        in_a_file.register_device("d1", "Olga", table, device, kind)
    assert sentence in str(refused.value)
    assert whole(in_a_file) == before


def test_a_table_has_one_device_for_wagers_and_a_name_belongs_to_one_device(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.register_device("d1", "Olga", "prime-1", "T-1001", "tabulator")
    with pytest.raises(BadDeviceChange):
        in_a_file.register_device("d2", "Olga", "prime-1", "T-1002", "tabulator")
    with pytest.raises(BadDeviceChange):
        in_a_file.register_device("d3", "Olga", "prime-2", "t-1001", "tabulator")
    for number in (1, 2):
        in_a_file.register_device(f"m{number}", "Olga", "prime-1", f"screen-{number}", "monitor")
    in_a_file.withdraw_device("d4", "Olga", "T-1001", "it went back")
    assert in_a_file.register_device("d5", "Olga", "prime-1", "T-1002", "tabulator").summary.generation == 1
    with pytest.raises(BadDeviceChange):
        in_a_file.renew_device_token("d6", "Olga", "T-1001", "why not")
    with pytest.raises(UnknownDevice, match="T-9"):
        in_a_file.withdraw_device("d7", "Olga", "T-9", "why not")
    with pytest.raises(BadInput, match="The reason is missing"):
        in_a_file.withdraw_device("d8", "Olga", "T-1002", " ")


# The counter of a tabulator.


def test_a_press_with_the_next_counter_is_counted_and_keeps_the_devices_time(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    stamp = DeviceStamp("T-1001", 5_000_000)
    counted = card_room.tabulate("p1", "Kim", "prime-1", {1: [1, 3]}, shown={1: 2, 2: 0}, device=stamp)
    assert counted.counters == (2, 0)
    assert card_room.tabulate("p1", "Kim", "prime-1", {1: [1, 3]}, shown={1: 2, 2: 0}, device=stamp) == counted
    with pytest.raises(CommandIdReused):
        card_room.tabulate("p1", "Kim", "prime-1", {1: [1, 3]}, shown={1: 3}, device=stamp)
    (event,) = card_room.history.list_tabulator_rounds("prime-1", 1)
    assert event.payload["device"] == {"device": "T-1001", "time": 5_000_000, "dealer": "Kim"}
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_counter_that_does_not_follow_is_refused_and_a_reading_corrects_it(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.tabulate("p1", "Kim", "prime-1", {1: [1, 3]}, shown={1: 2})
    before = whole(card_room)
    with pytest.raises(CounterDiffers, match=r"\(4 0\)"):
        card_room.tabulate("p2", "Kim", "prime-1", {1: [1, 2, 3]}, shown={1: 7})
    with pytest.raises(CounterDiffers):
        card_room.tabulate("p2", "Kim", "prime-1", {1: [1, 2, 3]}, shown={1: 4})
    with pytest.raises(CannotTabulate, match="Sensor 5"):
        card_room.tabulate("p2", "Kim", "prime-1", {1: [1, 2, 3]}, shown={5: 4})
    assert whole(card_room) == before
    card_room.read_counter("r1", "Rosa", "prime-1", [4, 0], second="Lee", why="two chips rolled over it")
    assert card_room.tabulate("p2", "Kim", "prime-1", {1: [1, 2, 3]}, shown={1: 7}).counters == (7, 0)
    assert shown(card_room) == 5_000_00 + 7 * 20


# The lines of a data logger.


def test_lines_are_imported_until_the_first_gap_and_the_result_names_it(card_room: CardRoom) -> None:
    open_deuces(card_room)
    logger = log_rounds(6)
    sent = [opening_line(new_logger(UNIT)).decode(), *lines(logger.waiting)]
    first = card_room.import_logger_lines("l1", "device A1", "wild-1", sent[:3])
    assert (first.number, first.seal, first.rounds) == (2, logger.waiting[1].seal, ("round-1", "round-2"))
    assert (first.known, first.held_up) == (0, "")
    lines_without_four = [*sent[2:4], *sent[5:]]
    gap = card_room.import_logger_lines("l2", "device A1", "wild-1", lines_without_four)
    assert (gap.number, gap.rounds, gap.known, gap.for_people) == (3, ("round-3",), 1, False)
    assert gap.held_up == "Record 5 of A1-77 arrived, but record 4 is missing: forward from 4 on."
    assert card_room.import_logger_lines("l2", "device A1", "wild-1", lines_without_four) == gap
    with pytest.raises(CommandIdReused):
        card_room.import_logger_lines("l2", "device A1", "wild-1", sent)
    complete = card_room.import_logger_lines("l3", "device A1", "wild-1", [*sent[::-1], *sent])
    assert (complete.number, complete.known, complete.held_up) == (6, 3, "")
    assert card_room.tabulator("wild-1").tabulator.counters == (18,)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_damaged_line_is_named_and_later_lines_are_not_imported(in_a_file: CardRoom) -> None:
    open_deuces(in_a_file)
    logger = log_rounds(3)
    good = lines(logger.waiting)
    changed = [good[0], good[1].replace("Kim", "Tim"), good[2]]
    result = in_a_file.import_logger_lines("l1", "device A1", "wild-1", changed)
    assert (result.number, result.for_people) == (1, False)
    assert result.held_up.startswith("Line 2 of the request is damaged: send it again. Record 3 of A1-77 arrived")
    note = acknowledgment_line(LoggerMark(1, logger.waiting[0].seal)).decode()
    second_result = in_a_file.import_logger_lines("l2", "device A1", "wild-1", [note, *good, "what?"])
    assert (second_result.number, second_result.known) == (3, 1)
    assert second_result.held_up == "Line 5 of the request is damaged: send it again."


def test_impossible_records_are_reported_as_damaged_lines(in_a_file: CardRoom) -> None:
    open_deuces(in_a_file)
    (good,) = log_rounds(1).waiting
    strange = (
        good._replace(time=1 << 70),
        good._replace(counter=-1),
        good._replace(round="\u0000"),
        good._replace(dealer="x" * 500),
    )
    result = in_a_file.import_logger_lines("l1", "device A1", "wild-1", [*lines(strange), "9a {}", "", "[" * 1500])
    assert (result.number, result.rounds) == (0, ())
    assert result.held_up.startswith("Lines 1, 2, 3, 4, 5, 6, 7 of the request are damaged")
    with pytest.raises(BadLoggerRecord):
        in_a_file.import_logger_lines("l2", "device A1", "wild-1", [opening_line(new_logger("A1-78")).decode()])
    open_room(in_a_file, tables=1)
    with pytest.raises(CannotTabulate):
        in_a_file.import_logger_lines("l3", "device A1", "prime-1", lines((good,)))


def test_a_record_of_another_unit_a_repeated_round_or_a_jumping_counter_needs_people(in_a_file: CardRoom) -> None:
    open_deuces(in_a_file)
    other_unit = in_a_file.import_logger_lines("l1", "device A1", "wild-1", lines(log_rounds(1, unit="A1-78").waiting))
    assert other_unit.for_people
    assert other_unit.gap is None
    assert "does not follow the records of A1-77" in other_unit.held_up
    logger = log_rounds(1)
    twice = write_record(logger, "round-1", [1], time=2, dealer="Kim", counter=4)
    repeated = in_a_file.import_logger_lines("l2", "device A1", "wild-1", lines(twice.waiting))
    assert (repeated.number, repeated.for_people) == (1, True)
    assert repeated.held_up == "Record 2: Round round-1 comes twice: give each round its own id."
    assert repeated.gap == LoggerGap(LoggerMark(2, twice.waiting[1].seal), 4)
    jumping = write_record(logger, "round-2", [1], time=2, dealer="Kim", counter=9)
    jumped = in_a_file.import_logger_lines("l3", "device A1", "wild-1", lines(jumping.waiting))
    assert jumped.for_people
    assert "counter of A1-77 shows 9, but 4 wagers are recorded" in jumped.held_up
    in_a_file.read_counter("r1", "Rosa", "wild-1", [8], second="Lee", why="the logger was unplugged")
    assert in_a_file.import_logger_lines("l4", "device A1", "wild-1", lines(jumping.waiting)).number == 2


def test_after_two_people_accept_a_gap_in_the_office_the_logger_continues(card_room: CardRoom) -> None:
    open_deuces(card_room)
    card_room.register_device("d1", "Olga", "wild-1", "A1", "data-logger")
    logger = log_rounds(5)
    arrived = lines(logger.waiting[:1] + logger.waiting[3:])
    held = card_room.import_logger_lines("l1", "device A1", "wild-1", arrived, lost_up_to=3)
    assert (held.number, held.for_people) == (1, True)
    assert held.gap == LoggerGap(LoggerMark(3, "", logger.waiting[3].seal), 9)
    with pytest.raises(NoDeviceHold):
        card_room.accept_logger_gap("g0", "Rosa", "A1", "wet", second="Lee")
    card_room.hold_device("h1", "device A1", "A1", held.held_up, held.gap)
    blocked = [item.what for item in card_room.days.list_open_items() if item.what is DayOpenItemKind.DEVICE_BLOCKED]
    assert blocked == [DayOpenItemKind.DEVICE_BLOCKED]
    with pytest.raises(SamePerson):
        card_room.accept_logger_gap("g1", "Rosa", "A1", "wet", second="rosa")
    card_room.accept_logger_gap("g2", "Rosa", "A1", "the memory was wet", second="Lee")
    rest = card_room.import_logger_lines("l2", "device A1", "wild-1", arrived[1:])
    assert (rest.number, rest.held_up) == (5, "")
    card_room.release_device("h2", "device A1", "A1")
    assert card_room.get_device("A1").held_up is None
    assert card_room.jackpot("five-wild").counted == 15
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_record_that_did_not_arrive_does_not_make_a_gap_larger(in_a_file: CardRoom) -> None:
    """The logger lost records 2 and 3, and record 4 did not arrive. Record 4 is requested again, not skipped."""
    open_deuces(in_a_file)
    waiting = log_rounds(5).waiting
    result = in_a_file.import_logger_lines("l1", "device A1", "wild-1", lines((waiting[0], waiting[4])), lost_up_to=3)
    assert (result.number, result.for_people, result.gap) == (1, False, None)
    assert result.held_up == "Record 5 of A1-77 arrived, but record 2 is missing: forward from 2 on."


def test_a_repeated_hold_or_release_of_a_device_stores_no_event(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1)
    in_a_file.register_device("d1", "Olga", "prime-1", "T-1", "tabulator")
    in_a_file.hold_device("h1", "device T-1", "T-1", "a jump")
    before = in_a_file.ledger.head(ROOM_CHAIN)
    in_a_file.hold_device("h2", "device T-1", "T-1", "a jump")
    assert in_a_file.ledger.head(ROOM_CHAIN) == before
    in_a_file.release_device("h3", "device T-1", "T-1")
    after = in_a_file.ledger.head(ROOM_CHAIN)
    in_a_file.release_device("h4", "device T-1", "T-1")
    assert in_a_file.ledger.head(ROOM_CHAIN) == after != before
    with pytest.raises(NoDeviceHold):
        in_a_file.accept_logger_gap("g1", "Rosa", "T-1", "wet", second="Lee")


def test_only_valid_names_of_devices_are_accepted() -> None:
    for valid in ("A1-77", "t_1", "9", "x" * 40):
        assert require_device_name(valid) == valid
    for invalid in ("ä", "a/b", "-a", "a\n", "a b", "a.b"):
        with pytest.raises(BadDevice):
            require_device_name(invalid)
