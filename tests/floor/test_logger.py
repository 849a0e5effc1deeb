"""Andromeda-1's data logger: every count is kept, and reaches the server exactly once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.floor import Floor, LoggerFile, LoggerFull, forward, verify_floor
from cardroom.floor.kept import logger_file as module
from cardroom.jackpots.tabulator.logger import BadLog
from cardroom.jackpots.tabulator.unit import CannotTabulate
from cardroom.ledger import LedgerUnavailable, open_ledger
from tests.floor.scenes import deuces_sensors, deuces_table, five_wild, new_id

UNIT = "A1-77"


def open_deuces(floor: Floor) -> None:
    floor.open_jackpot(new_id(), "Olga", five_wild())
    floor.open_table(new_id(), "Olga", deuces_table(), deuces_sensors(), UNIT)


def press(file: LoggerFile, number: int, seats: int = 3) -> None:
    """The dealer's button at a table that the server knows nothing of."""
    file.record(f"round-{number}", range(1, seats + 1), time=number, dealer="Kim", counter=number * seats)


def test_counts_wait_for_the_server_and_reach_it_once(floor: Floor, tmp_path: Path) -> None:
    open_deuces(floor)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 251):
            press(file, number)
        assert len(file.waiting) == 250
        assert forward(file, floor, "logger", "wild-1") == 250
        assert forward(file, floor, "logger", "wild-1") == 0
    state = floor.jackpot("five-wild")
    assert state.counted == 750
    assert floor.table("wild-1").tabulator.counters == (750,)
    assert verify_floor(floor.ledger).is_whole


def test_an_acknowledgement_that_got_lost_doubles_nothing(floor: Floor, tmp_path: Path) -> None:
    open_deuces(floor)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 6):
            press(file, number)
        floor.take_records("sent", "logger", "wild-1", file.waiting)
    with LoggerFile(tmp_path / "logger", UNIT) as file:  # restarted: it never heard that they were taken
        press(file, 6)
        assert len(file.waiting) == 6
        taken = floor.take_records("sent-again", "logger", "wild-1", file.waiting)
        assert taken.rounds == ("round-6",)
        assert forward(file, floor, "logger", "wild-1") == 6
        assert file.waiting == ()
    assert floor.jackpot("five-wild").counted == 18


def test_records_with_a_gap_are_refused_and_the_sentence_says_from_where_on(in_a_file: Floor, tmp_path: Path) -> None:
    open_deuces(in_a_file)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number in range(1, 4):
            press(file, number)
        with pytest.raises(BadLog, match="forward from 1 on"):
            in_a_file.take_records(new_id(), "logger", "wild-1", file.waiting[1:])
    assert in_a_file.jackpot("five-wild").counted == 0


def test_a_logger_that_forwards_a_round_twice_under_two_numbers_is_refused(floor: Floor, tmp_path: Path) -> None:
    open_deuces(floor)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        for number, round_id in enumerate(("r1", "r2", "r1"), 1):
            file.record(round_id, [1], time=number, dealer="Kim", counter=number)
        with pytest.raises(CannotTabulate, match="Round r1 comes twice"):
            floor.take_records(new_id(), "logger", "wild-1", file.waiting)
        assert floor.take_records("two", "logger", "wild-1", file.waiting[:2]).rounds == ("r1", "r2")
        with pytest.raises(CannotTabulate, match=r"Round r1 has been counted already: .* by command two"):
            floor.take_records(new_id(), "logger", "wild-1", file.waiting)
        assert floor.take_records(new_id(), "logger", "wild-1", file.waiting[:2]).rounds == ()
    assert floor.jackpot("five-wild").counted == 2


def test_a_table_with_a_logger_counts_through_it_only(in_a_file: Floor) -> None:
    open_deuces(in_a_file)
    with pytest.raises(CannotTabulate, match="data logger"):
        in_a_file.tabulate(new_id(), "Kim", "wild-1", {1: [1]})


def test_what_was_wagered_while_the_jackpot_was_open_counts_although_it_was_closed_since(
    in_a_file: Floor, tmp_path: Path
) -> None:
    open_deuces(in_a_file)
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        press(file, 1)
        in_a_file.disable(new_id(), "Olga", "five-wild", "the end of the day")
        forward(file, in_a_file, "logger", "wild-1")
    assert in_a_file.jackpot("five-wild").counted == 3


@pytest.mark.parametrize("cut", [1, 7, 40, 10_000])
def test_a_last_line_that_a_crash_cut_short_is_dropped(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "logger"
    with LoggerFile(path, UNIT) as file:
        press(file, 1)
        whole = path.read_bytes()
        press(file, 2)
        line = path.read_bytes()[len(whole) :]
    path.write_bytes(whole + line[: min(cut, len(line) - 1)])
    with LoggerFile(path, UNIT) as file:
        assert [record.round for record in file.waiting] == ["round-1"]
        press(file, 2)
        assert path.read_bytes() == whole + line


def test_a_file_that_was_damaged_in_the_middle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "logger"
    with LoggerFile(path, UNIT) as file:
        press(file, 1)
        press(file, 2)
    path.write_bytes(path.read_bytes().replace(b"round-1", b"round-7"))
    with pytest.raises(BadLog, match="damaged"):
        LoggerFile(path, UNIT)


def test_a_file_belongs_to_one_unit(tmp_path: Path) -> None:
    LoggerFile(tmp_path / "logger", UNIT).close()
    with pytest.raises(BadLog, match="is the file of A1-77"):
        LoggerFile(tmp_path / "logger", "A1-78")


def test_a_full_disk_records_nothing_and_is_over_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    real, once = os.fsync, iter([full])
    with LoggerFile(tmp_path / "logger", UNIT) as file:
        press(file, 1)
        before = (tmp_path / "logger").read_bytes()
        monkeypatch.setattr(module.os, "fsync", lambda handle: next(once, real)(handle))
        with pytest.raises(LoggerFull, match="No space left"):
            press(file, 2)
        assert (tmp_path / "logger").read_bytes() == before
        press(file, 2)
        assert [record.number for record in file.waiting] == [1, 2]


def test_a_long_file_is_begun_anew_once_its_records_are_taken(
    in_a_file: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RENEWED_AFTER", 2_000)
    open_deuces(in_a_file)
    path = tmp_path / "logger"
    with LoggerFile(path, UNIT) as file:
        for number in range(1, 31):
            press(file, number)
        long = path.stat().st_size
        forward(file, in_a_file, "logger", "wild-1")
        assert path.stat().st_size < long / 10
        press(file, 31)
    with LoggerFile(path, UNIT) as file:
        assert forward(file, in_a_file, "logger", "wild-1") == 1
    assert in_a_file.jackpot("five-wild").counted == 93


class _Severed:
    """A floor whose answers get lost, before or after the command reached it."""

    def __init__(self, floor: Floor, losses: list[str]) -> None:
        self.floor, self.losses = floor, losses

    def take_records(self, *sent: object) -> object:
        loss = self.losses.pop(0) if self.losses else ""
        if loss == "before":
            raise LedgerUnavailable("The server is not there.")
        answer = self.floor.take_records(*sent)  # type: ignore[arg-type]
        if loss == "after":
            raise LedgerUnavailable("The answer got lost.")
        return answer


@settings(max_examples=12, deadline=None)
@given(
    steps=st.lists(st.sampled_from(["press", "forward", "crash"]), min_size=1, max_size=25),
    losses=st.lists(st.sampled_from(["before", "after", ""]), max_size=8),
    cut=st.integers(0, 60),
)
def test_whatever_crashes_every_light_that_was_lit_is_counted_once(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], losses: list[str], cut: int
) -> None:
    folder = tmp_path_factory.mktemp("logger")
    with open_ledger(f"sqlite:///{folder}/floor.db") as ledger:
        floor = Floor(ledger)
        open_deuces(floor)
        severed, path, pressed = _Severed(floor, losses), folder / "logger", 0
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
                    forward(file, severed, "logger", "wild-1")  # type: ignore[arg-type]
                except LedgerUnavailable:
                    continue
        severed.losses.clear()
        forward(file, floor, "logger", "wild-1")
        file.close()
        rounds = [event.payload["round"] for event in reversed(floor.recall_rounds("wild-1"))]
        assert rounds == [f"round-{number}" for number in range(1, pressed + 1)]
        assert floor.jackpot("five-wild").counted == 3 * pressed
