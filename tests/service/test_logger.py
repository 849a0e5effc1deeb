"""The data logger of an Andromeda-1: every count is stored, and reaches the server exactly once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.ledger import LedgerUnavailable, open_ledger
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.jackpot.event_values import Stakes
from cardroom.room.setup.tabulator import validate_tabulator
from cardroom.room.tabulator.data_logger import BadLoggerRecord, new_logger, write_record
from cardroom.room.tabulator.logger_lines import log_bytes
from cardroom.room.tabulator.plausibility import read_counter
from cardroom.room.tabulator.state import apply_installation
from cardroom.room.tabulator.unit import CannotTabulate, make_installation
from cardroom.service import (
    CardRoom,
    GapAcceptance,
    LoggerFile,
    LoggerFull,
    RoomTableSetup,
    UnitSetup,
    forward_records,
    verify_card_room,
)
from cardroom.service.commands import logger_file as module
from cardroom.service.commands.data_logger import NoLoggerGap
from tests.ledger.empty import empty_ledger
from tests.room.tabulators import SHOOTOUT, setup
from tests.service.card_rooms import deuces_sensors, deuces_table, five_wild, new_id, play_fast

UNIT = "A1-77"


def open_deuces(card_room: CardRoom) -> None:
    play_fast(card_room)
    card_room.jackpots.open(new_id(), "Olga", five_wild())
    card_room.add_table(
        new_id(), "Olga", RoomTableSetup("wild-1", deuces_table(), tabulator=UnitSetup(deuces_sensors(), UNIT))
    )


def press(file: LoggerFile, number: int, seats: int = 3) -> None:
    """The dealer presses the button at a table that has no connection to the server."""
    file.record(f"round-{number}", range(1, seats + 1), time=number, dealer="Kim", counter=number * seats)


def write_rounds(path: Path, *rounds: str, wagers: int = 1) -> None:
    """Write the file of a unit that does not check whether it has a round already."""
    logger = new_logger(UNIT)
    for number, round_id in enumerate(rounds, 1):
        positions = range(1, wagers + 1)
        logger = write_record(logger, round_id, positions, time=number, dealer="Kim", counter=wagers * number)
    path.write_bytes(log_bytes(logger))


def test_counts_wait_for_the_server_and_reach_it_once(card_room: CardRoom, tmp_path: Path) -> None:
    open_deuces(card_room)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 251):
            press(file, number)
        assert len(file.pending_records) == 250
        assert forward_records(file, card_room, "logger", "wild-1").records == 250
        assert forward_records(file, card_room, "logger", "wild-1").records == 0
    state = card_room.jackpot("five-wild")
    assert state.counted == 750
    assert card_room.tabulator("wild-1").tabulator.counters == (750,)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_lost_acknowledgment_does_not_count_records_twice(card_room: CardRoom, tmp_path: Path) -> None:
    open_deuces(card_room)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 6):
            press(file, number)
        card_room.import_logger_records("sent", "logger", "wild-1", file.pending_records)
    with LoggerFile(tmp_path / "logger", UNIT) as file:  # restarted without the acknowledgment
        press(file, 6)
        assert len(file.pending_records) == 6
        imported = card_room.import_logger_records("sent-again", "logger", "wild-1", file.pending_records)
        assert imported.rounds == ("round-6",)
        assert forward_records(file, card_room, "logger", "wild-1").records == 6
        assert file.pending_records == ()
    assert card_room.jackpot("five-wild").counted == 18


def test_records_after_a_gap_are_refused(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 4):
            press(file, number)
        with pytest.raises(BadLoggerRecord):
            in_a_file.import_logger_records(new_id(), "logger", "wild-1", file.pending_records[1:])
    assert in_a_file.jackpot("five-wild").counted == 0


def test_a_logger_that_forwards_a_round_twice_under_two_numbers_is_refused(card_room: CardRoom, tmp_path: Path) -> None:
    open_deuces(card_room)
    write_rounds(tmp_path / "logger", "r1", "r2", "r1")
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        with pytest.raises(CannotTabulate, match="r1"):
            card_room.import_logger_records(new_id(), "logger", "wild-1", file.pending_records)
        assert card_room.import_logger_records("two", "logger", "wild-1", file.pending_records[:2]).rounds == (
            "r1",
            "r2",
        )
        with pytest.raises(CannotTabulate, match="r1"):
            card_room.import_logger_records(new_id(), "logger", "wild-1", file.pending_records)
        assert card_room.import_logger_records(new_id(), "logger", "wild-1", file.pending_records[:2]).rounds == ()
    assert card_room.jackpot("five-wild").counted == 2


def test_a_table_with_a_logger_counts_through_it_only(in_a_file: CardRoom) -> None:
    open_deuces(in_a_file)
    with pytest.raises(CannotTabulate):
        in_a_file.tabulate(new_id(), "Kim", "wild-1", {1: [1]})


def test_wagers_from_before_the_jackpot_was_disabled_still_count(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        press(file, 1)
        in_a_file.jackpots.disable(new_id(), "Olga", "five-wild", "the end of the day")
        forward_records(file, in_a_file, "logger", "wild-1")
    assert in_a_file.jackpot("five-wild").counted == 3


@pytest.mark.parametrize("cut", [1, 7, 40, 10_000])
def test_an_incomplete_last_line_after_a_crash_is_dropped(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "logger"
    with LoggerFile(path, UNIT) as file:
        press(file, 1)
        before = path.read_bytes()
        press(file, 2)
        line = path.read_bytes()[len(before) :]
    path.write_bytes(before + line[: min(cut, len(line) - 1)])
    with LoggerFile(path, UNIT) as file:
        assert [record.round for record in file.pending_records] == ["round-1"]
        press(file, 2)
        assert path.read_bytes() == before + line


# Damaged lines, and records that are sent again.

GAP = GapAcceptance("Lee", "the memory card was wet")


def write_damaged_file(path: Path, *numbers: int, rounds: int = 5) -> None:
    """Write a file of some rounds in which some lines were changed."""
    with LoggerFile(path, UNIT) as file:
        for number in range(1, rounds + 1):
            press(file, number)
    content = path.read_bytes()
    for number in numbers:
        content = content.replace(f'"round-{number}"'.encode(), f'"round-{number + 50}"'.encode())
    path.write_bytes(content)


def test_records_before_a_damaged_line_are_forwarded_and_the_line_is_stored_separately(
    card_room: CardRoom, tmp_path: Path
) -> None:
    open_deuces(card_room)
    path = tmp_path / "A1-77.log"
    write_damaged_file(path, 3)
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, card_room, "Kim", "wild-1")
        assert (result.records, result.known) == (2, 0)
        assert result.held_up.startswith("Line 4 of A1-77.log is damaged: it is stored in A1-77.log.damaged. 2 records")
        assert forward_records(file, card_room, "Kim", "wild-1").held_up == result.held_up
        with pytest.raises(BadLoggerRecord, match=r"4.*A1-77.log"):
            press(file, 6)
    stored = (tmp_path / "A1-77.log.damaged").read_text().splitlines()
    assert len(stored) == 1
    assert stored[0].startswith("line 4: ")
    assert "round-53" in stored[0]
    assert card_room.jackpot("five-wild").counted == 6


def test_two_people_accept_a_gap_and_lost_wagers_are_counted_from_the_counter(
    card_room: CardRoom, tmp_path: Path
) -> None:
    open_deuces(card_room)
    path = tmp_path / "A1-77.log"
    write_damaged_file(path, 2, 4, rounds=6)
    with LoggerFile(path, UNIT) as file:
        with pytest.raises(SamePerson):
            forward_records(file, card_room, "Kim", "wild-1", GapAcceptance("Kim", "wet"))
        with pytest.raises(NameMissing):
            forward_records(file, card_room, "Kim", "wild-1", GapAcceptance("Lee", " "))
        assert card_room.jackpot("five-wild").counted == 3
        result = forward_records(file, card_room, "Kim", "wild-1", GAP)  # only the first gap
        assert (result.records, card_room.jackpot("five-wild").counted) == (1, 9)
        assert "is damaged" in result.held_up
        result = forward_records(file, card_room, "Kim", "wild-1", GAP)
        assert (result.records, result.held_up) == (2, "")
        press(file, 7)
        assert forward_records(file, card_room, "Kim", "wild-1").records == 1
        with pytest.raises(NoLoggerGap):
            forward_records(file, card_room, "Kim", "wild-1", GAP)
    assert card_room.tabulator("wild-1").tabulator.counters == (21,)
    assert card_room.jackpot("five-wild").counted == 21
    assert [event.payload.get("second") for event in card_room.history.list_tabulator_changes("wild-1", 2)] == [
        "Lee",
        "Lee",
    ]
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_crash_between_the_ledger_and_the_file_skips_a_gap_once(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    path = tmp_path / "A1-77.log"
    write_damaged_file(path, 2)
    before = path.read_bytes()
    with LoggerFile(path, UNIT) as file:
        forward_records(file, in_a_file, "Kim", "wild-1", GAP)
    path.write_bytes(before)  # as if the file was never written again
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Rosa", "wild-1")
        assert (result.records, result.known) == (1, 1)
    assert in_a_file.jackpot("five-wild").counted == 15
    path.write_bytes(before)
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Rosa", "wild-1", GAP)
        assert (result.records, result.known, result.held_up) == (4, 4, "")
    assert in_a_file.jackpot("five-wild").counted == 15


def test_a_damaged_acknowledgment_is_not_a_gap(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    path = tmp_path / "A1-77.log"
    with LoggerFile(path, UNIT) as file:
        press(file, 1)
        forward_records(file, in_a_file, "Kim", "wild-1")
        press(file, 2)
    path.write_bytes(path.read_bytes().replace(b'"acknowledged":1', b'"acknowledged":2'))
    with LoggerFile(path, UNIT) as file:
        assert file.gap is None
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (2, 1, "")
    assert (tmp_path / "A1-77.log.damaged").read_text().startswith("line 3: ")


def test_lost_lines_at_the_end_are_accepted_and_the_counter_is_read(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    path = tmp_path / "A1-77.log"
    write_damaged_file(path, 2, 3, rounds=3)
    with LoggerFile(path, UNIT) as file:
        assert "0 records behind it wait" in forward_records(file, in_a_file, "Kim", "wild-1").held_up
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
        in_a_file.read_counter(new_id(), "Kim", "wild-1", [9], second="Lee", why="two rounds were lost")
        file.record("round-4", [1], time=4, dealer="Kim", counter=10)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert in_a_file.jackpot("five-wild").counted == 10


def test_a_round_that_was_counted_already_does_not_block_later_rounds_permanently(
    card_room: CardRoom, tmp_path: Path
) -> None:
    open_deuces(card_room)
    path = tmp_path / "A1-77.log"
    write_rounds(path, "r1", "r2", "r1", "r4", wagers=2)
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, card_room, "Kim", "wild-1")
        assert (result.records, card_room.jackpot("five-wild").counted) == (2, 4)
        assert result.held_up.startswith("The round r1 of record 3 was counted already: it is stored in")
        result = forward_records(
            file, card_room, "Kim", "wild-1", GapAcceptance("Lee", "the round's number was not set on")
        )
        assert (result.records, result.held_up, file.pending_records) == (1, "", ())
    assert card_room.jackpot("five-wild").counted == 8
    assert (tmp_path / "A1-77.log.damaged").read_text().startswith("record 3: ")
    assert verify_card_room(card_room.ledger).is_consistent


def test_wagers_with_unknown_lammers_count_for_the_smaller_amount() -> None:
    table = validate_tabulator(setup("texas-shootout", "andromeda-1", SHOOTOUT))
    state = apply_installation(None, make_installation(table, UNIT))
    (reading,) = read_counter(state, [3], who="Kim", reading="r", limits=(99,), second="Lee", why="lost", unmarked=True)
    assert reading.wagers[0].stakes == (Stakes(10_000, 3),)


def test_records_that_are_sent_again_are_reported_as_known(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    path = tmp_path / "A1-77.log"
    with LoggerFile(path, UNIT) as file:
        press(file, 1)
        press(file, 2)
        before = path.read_bytes()
        forward_records(file, in_a_file, "Kim", "wild-1")
    path.write_bytes(before)
    with LoggerFile(path, UNIT) as file:
        press(file, 3)
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (3, 2, "")


def test_a_file_belongs_to_one_unit(tmp_path: Path) -> None:
    LoggerFile(tmp_path / "logger", UNIT).close()
    with pytest.raises(BadLoggerRecord, match="A1-77"):
        LoggerFile(tmp_path / "logger", "A1-78")


def test_a_full_disk_stores_nothing_and_recording_continues_when_there_is_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_full(_: int) -> None:
        raise OSError(28, "No space left on device")

    real, failures = os.fsync, iter([raise_full])
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        press(file, 1)
        before = (tmp_path / "logger").read_bytes()
        monkeypatch.setattr(module.os, "fsync", lambda handle: next(failures, real)(handle))
        with pytest.raises(LoggerFull):
            press(file, 2)
        assert (tmp_path / "logger").read_bytes() == before
        press(file, 2)
        assert [record.number for record in file.pending_records] == [1, 2]


def test_a_long_file_is_compacted_after_its_records_are_forwarded(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "COMPACT_AFTER_BYTES", 2_000)
    open_deuces(in_a_file)
    path = tmp_path / "logger"
    with LoggerFile(path, UNIT) as file:
        for number in range(1, 31):
            press(file, number)
        long = path.stat().st_size
        forward_records(file, in_a_file, "logger", "wild-1")
        assert path.stat().st_size < long / 10
        press(file, 31)
    with LoggerFile(path, UNIT) as file:
        assert forward_records(file, in_a_file, "logger", "wild-1").records == 1
    assert in_a_file.jackpot("five-wild").counted == 93


class _LossyCardRoom:
    """A card room whose results get lost, before or after the command arrives."""

    def __init__(self, card_room: CardRoom, losses: list[str]) -> None:
        self.card_room, self.losses = card_room, losses

    def __getattr__(self, name: str) -> object:
        return getattr(self.card_room, name)

    def import_logger_records(self, *sent: object) -> object:
        loss = self.losses.pop(0) if self.losses else ""
        if loss == "before":
            raise LedgerUnavailable("The server is not there.")
        result = self.card_room.import_logger_records(*sent)  # type: ignore[arg-type]
        if loss == "after":
            raise LedgerUnavailable("The result got lost.")
        return result


@settings(max_examples=12, deadline=None)
@given(
    steps=st.lists(st.sampled_from(["press", "forward", "crash"]), min_size=1, max_size=25),
    losses=st.lists(st.sampled_from(["before", "after", ""]), max_size=8),
    cut=st.integers(0, 60),
)
def test_after_crashes_and_lost_results_every_press_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], losses: list[str], cut: int
) -> None:
    folder = tmp_path_factory.mktemp("logger")
    with open_ledger(empty_ledger(folder / "room.db")) as ledger:
        card_room = CardRoom(ledger)
        open_deuces(card_room)
        lossy_room, path, pressed = _LossyCardRoom(card_room, losses), folder / "logger", 0
        file = LoggerFile(path, UNIT)
        for step in [*steps, "forward"]:
            if step == "press":
                pressed += 1
                press(file, pressed)
            elif step == "crash":
                file.close()
                path.write_bytes(path.read_bytes() + b"0123abcd {half a line"[:cut])
                file = LoggerFile(path, UNIT)
            else:
                try:
                    forward_records(file, lossy_room, "logger", "wild-1")  # type: ignore[arg-type]
                except LedgerUnavailable:
                    continue
        lossy_room.losses.clear()
        forward_records(file, card_room, "logger", "wild-1")
        file.close()
        rounds = [event.payload["round"] for event in reversed(card_room.history.list_tabulator_rounds("wild-1"))]
        assert rounds == [f"round-{number}" for number in range(1, pressed + 1)]
        assert card_room.jackpot("five-wild").counted == 3 * pressed
