"""A changed file of a data logger: nothing is dropped silently, and recording can always continue."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardroom.room.dual_control import SamePerson
from cardroom.room.tabulator.data_logger import BadLoggerRecord
from cardroom.service import CardRoom, GapAcceptance, LoggerFile, forward_records, verify_card_room
from cardroom.service.commands.data_logger import NoLoggerGap
from tests.service.card_rooms import new_id
from tests.service.test_logger import GAP, UNIT, open_deuces, press

Lines = list[bytes]


@pytest.fixture
def path(in_a_file: CardRoom, tmp_path: Path) -> Path:
    """The file of five rounds with three wagers each: line 1 is the opening, line 2 is record 1."""
    open_deuces(in_a_file)
    path = tmp_path / "A1-77.log"
    with LoggerFile(path, UNIT) as file:
        for number in range(1, 6):
            press(file, number)
    return path


def rewrite(path: Path, change: Callable[[Lines], Lines]) -> None:
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))


def alter(line: bytes) -> bytes:
    return line.replace(b"Kim", b"Tim").replace(b"A1-77", b"A1-78")


def list_damaged(path: Path) -> list[str]:
    damaged = path.with_name("A1-77.log.damaged")
    return [line.split(":")[0] for line in damaged.read_text().splitlines()] if damaged.exists() else []


def read_counted(card_room: CardRoom) -> int:
    return card_room.jackpot("five-wild").counted


# The last line.


def test_a_complete_last_line_that_was_altered_is_damaged_and_not_dropped(in_a_file: CardRoom, path: Path) -> None:
    rewrite(path, lambda lines: [*lines[:-1], alter(lines[-1])])
    with LoggerFile(path, UNIT) as file:
        with pytest.raises(BadLoggerRecord, match=r"6.*A1-77.log"):
            press(file, 6)
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert (result.records, read_counted(in_a_file)) == (4, 12)
        assert result.held_up.startswith("Line 6 of A1-77.log is damaged: it is stored in A1-77.log.damaged. 0 records")
    assert list_damaged(path) == ["line 6"]
    with LoggerFile(path, UNIT) as file:
        assert forward_records(file, in_a_file, "Kim", "wild-1").held_up == result.held_up
        with pytest.raises(SamePerson):
            forward_records(file, in_a_file, "Kim", "wild-1", GapAcceptance("Kim", "wet"))
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
        file.record("round-6", [1], time=6, dealer="Kim", counter=16)
        in_a_file.read_counter(new_id(), "Kim", "wild-1", [15], second="Lee", why="a round was lost")
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert read_counted(in_a_file) == 16
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_the_number_of_a_damaged_last_line_that_the_ledger_has_is_not_used_again(
    in_a_file: CardRoom, path: Path
) -> None:
    with LoggerFile(path, UNIT) as file:
        in_a_file.import_logger_records("sent", "Kim", "wild-1", file.pending_records)
    rewrite(path, lambda lines: [*lines[:-1], alter(lines[-1])])
    with LoggerFile(path, UNIT) as file:
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
        file.record("round-6", [1], time=6, dealer="Kim", counter=16)
        assert file.pending_records[0].number == 6
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (1, 0, "")
    assert read_counted(in_a_file) == 16


# Missing, repeated, exchanged, and foreign lines.


def test_records_after_a_missing_line_wait_until_two_people_accept_the_gap(in_a_file: CardRoom, path: Path) -> None:
    rewrite(path, lambda lines: lines[:3] + lines[4:])
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert (result.records, read_counted(in_a_file)) == (2, 6)
        assert result.held_up.startswith(
            "Line 4 of A1-77.log is record 4, but record 3 is missing. 2 records wait until"
        )
        with pytest.raises(BadLoggerRecord):
            press(file, 6)
        result = forward_records(file, in_a_file, "Kim", "wild-1", GAP)
        assert (result.records, result.held_up) == (2, "")
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_missing_last_record_is_detected_by_its_acknowledgment(in_a_file: CardRoom, path: Path) -> None:
    with LoggerFile(path, UNIT) as file:
        forward_records(file, in_a_file, "Kim", "wild-1")
    rewrite(path, lambda lines: lines[:5] + lines[6:])
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert "Line 6 of A1-77.log does not follow the lines" in result.held_up
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
        file.record("round-6", [1, 2, 3], time=6, dealer="Kim", counter=18)
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (1, 0, "")
    assert read_counted(in_a_file) == 18


@pytest.mark.parametrize("at", [0, 1, 3, 5])
def test_a_repeated_line_counts_once_and_is_reported(in_a_file: CardRoom, path: Path, at: int) -> None:
    rewrite(path, lambda lines: [*lines[: at + 1], *lines[at:]])
    with LoggerFile(path, UNIT) as file:
        assert file.notes == (f"Line {at + 2} of A1-77.log is there twice: it counts once.",)
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert result == (5, 0, "")
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])


def test_exchanged_lines_are_read_in_the_order_of_their_seals(in_a_file: CardRoom, path: Path) -> None:
    rewrite(path, lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]])
    with LoggerFile(path, UNIT) as file:
        assert file.notes == ("Line 3 of A1-77.log is out of order: it is read in its place.",)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 5
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])


def test_a_line_of_another_logger_is_stored_separately_and_blocks_the_file(
    in_a_file: CardRoom, path: Path, tmp_path: Path
) -> None:
    with LoggerFile(tmp_path / "other", "A1-78") as other:
        press(other, 1, seats=2)
    foreign = (tmp_path / "other").read_bytes().splitlines(keepends=True)[1]
    rewrite(path, lambda lines: [*lines, foreign])
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert (result.records, list_damaged(path)) == (5, ["line 7"])
        assert result.held_up.startswith("Line 7 of A1-77.log does not follow the lines before it: it is stored in")
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
    assert read_counted(in_a_file) == 15


@pytest.mark.parametrize("at", [1, 3, 6])
def test_a_blank_line_is_ignored(in_a_file: CardRoom, path: Path, at: int) -> None:
    rewrite(path, lambda lines: [*lines[:at], b"\n", *lines[at:]])
    with LoggerFile(path, UNIT) as file:
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (6, 0, "")
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])


def test_a_file_with_crlf_line_ends_is_read_like_the_original(in_a_file: CardRoom, path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with LoggerFile(path, UNIT) as file:
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (6, 0, "")
    with LoggerFile(path, UNIT) as file:
        assert (file.pending_records, file.gap) == ((), None)
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])


# The start of the file.


def test_after_a_damaged_first_line_the_seals_prove_the_records_of_a_new_unit(in_a_file: CardRoom, path: Path) -> None:
    rewrite(path, lambda lines: [alter(lines[0]), *lines[1:]])
    with LoggerFile(path, UNIT) as file:
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 6
    assert (read_counted(in_a_file), list_damaged(path)) == (18, ["line 1"])


def test_after_a_damaged_first_line_later_records_wait_and_none_is_lost(in_a_file: CardRoom, path: Path) -> None:
    with LoggerFile(path, UNIT) as file:
        in_a_file.import_logger_records("sent", "Kim", "wild-1", file.pending_records[:2])
    rewrite(path, lambda lines: [alter(lines[0]), *lines[3:]])
    with LoggerFile(path, UNIT) as file:
        result = forward_records(file, in_a_file, "Kim", "wild-1")
        assert result.held_up.startswith("Line 1 of A1-77.log is damaged: it is stored in A1-77.log.damaged. 3 records")
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP) == (3, 0, "")
    assert read_counted(in_a_file) == 15
    assert len(in_a_file.history.list_tabulator_rounds("wild-1")) == 5


def test_a_file_that_no_logger_wrote_is_refused_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    for content in (b"Dear Kim,\nno logger wrote this.\nYours", b"Dear"):
        path.write_bytes(content)
        with pytest.raises(BadLoggerRecord):
            LoggerFile(path, UNIT)
        assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["letter"]


def test_an_emptied_file_continues_after_the_records_of_the_ledger_when_two_people_accept_it(
    in_a_file: CardRoom, path: Path
) -> None:
    with LoggerFile(path, UNIT) as file:
        forward_records(file, in_a_file, "Kim", "wild-1")
    for empty in (b"", b"\n\r\n"):
        path.write_bytes(empty)
        with LoggerFile(path, UNIT) as file:
            with pytest.raises(BadLoggerRecord, match=r"A1-77.log"):
                press(file, 6)
            assert forward_records(file, in_a_file, "Kim", "wild-1").held_up.startswith(
                "A1-77.log is empty: its content is lost"
            )
        assert path.read_bytes() == empty
    with LoggerFile(path, UNIT) as file:
        assert forward_records(file, in_a_file, "Kim", "wild-1", GAP).held_up == ""
        with pytest.raises(NoLoggerGap):
            forward_records(file, in_a_file, "Kim", "wild-1", GAP)
        press(file, 6)
        assert forward_records(file, in_a_file, "Kim", "wild-1") == (1, 0, "")
    assert (read_counted(in_a_file), list_damaged(path)) == (18, [])


def test_a_new_file_of_a_known_unit_is_not_confused_with_the_records_of_the_ledger(
    in_a_file: CardRoom, path: Path
) -> None:
    with LoggerFile(path, UNIT) as file:
        forward_records(file, in_a_file, "Kim", "wild-1")
    path.unlink()
    with LoggerFile(path, UNIT) as file:
        file.record("round-6", [1, 2, 3], time=6, dealer="Kim", counter=18)
        with pytest.raises(BadLoggerRecord, match=r"1.*1.*A1-77.log"):
            forward_records(file, in_a_file, "Kim", "wild-1")
        assert len(file.pending_records) == 1
    path.write_bytes(b"")
    with LoggerFile(path, UNIT) as file:
        forward_records(file, in_a_file, "Kim", "wild-1", GAP)
        file.record("round-7", [1], time=7, dealer="Kim", counter=19)
        in_a_file.read_counter(new_id(), "Kim", "wild-1", [18], second="Lee", why="the file was lost")
        assert forward_records(file, in_a_file, "Kim", "wild-1").records == 1
    assert read_counted(in_a_file) == 19
