"""Andromeda-1 by commands: the unit writes, the server is away, the records are forwarded, damage is kept aside."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.card_room import House


@pytest.fixture
def log(house: House) -> Path:
    """A table with an Andromeda-1, and its logger's file with two rounds, as the example has them."""
    house.said("jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    house.execute("tabulator", "add", str(house.folder / "table.toml"))
    return house.folder / "A1-77.log"


def press(house: House, log: Path, round_id: str, *more: str) -> None:
    house.said("data-logger", "press", str(log), "--positions", "1,4", "--round", round_id, "--dealer", "kim", *more)


def test_the_sample_of_the_example_is_forwarded_and_shown_again_when_it_is_sent_again(house: House, log: Path) -> None:
    before = log.read_bytes()
    assert "2 records of A1-77 forwarded.\n" in house.said("data-logger", "forward", "logger-1", str(log))
    log.write_bytes(before)
    press(house, log, "r3")
    said = house.said("data-logger", "forward", "logger-1", str(log), "--by", "lee")
    assert "3 records of A1-77 forwarded, 2 were stored before." in said
    result = house.read_json("jackpot", "list")["tables"]
    assert [table["counters"] for table in result] == [[7]]


def test_one_wager_is_one_wager(house: House, log: Path) -> None:
    said = house.said("data-logger", "press", str(log), "--positions", "4", "--round", "r9", "--dealer", "kim")
    assert ", 1 wager, counter" in " ".join(said.split())


def test_recall_shows_press_time_beside_arrival_time(house: House, log: Path) -> None:
    house.execute("data-logger", "forward", "logger-1", str(log))
    said = " ".join(house.said("tabulator", "history", "logger-1").split())
    assert said.count("pressed ") == said.count("arrived ") == 2
    assert "ahead" not in said
    assert "pressed " in " ".join(house.said("report", "events", "logger-1").split())


def test_a_logger_whose_clock_is_ahead_is_said(house: House, log: Path) -> None:
    from cardroom.ledger import system_clock
    from cardroom.service import LoggerFile

    house.execute("data-logger", "forward", "logger-1", str(log))
    with LoggerFile(log, "A1-77") as file:
        file.record("tomorrow", [1], time=system_clock() + 600_000_000, dealer="Kim", counter=6)
    house.execute("data-logger", "forward", "logger-1", str(log))
    assert "the logger's clock is ahead by 9 min" in " ".join(house.said("tabulator", "history", "logger-1").split())


def test_a_press_says_what_waits_and_a_new_file_begins_with_its_unit(house: House) -> None:
    log = str(house.folder / "A1-9.log")
    press = ("data-logger", "press", log, "--positions", "1,2", "--dealer", "kim")
    assert "--unit NUMBER" in house.refused(*press)
    assert "record 1, round A1-9-1, 2 wagers, counter 2. 1 record waiting." in house.said(*press, "--unit", "A1-9")
    assert "is the file of A1-9" in house.refused(*press, "--unit", "A1-8")
    assert "one sensor" in house.refused("data-logger", "press", log, "--positions", "2:1", "--dealer", "kim")
    assert "--dealer LOGIN" in house.refused("data-logger", "press", log, "--positions", "1")
    result = house.read_json(*press, "--counter", "9")
    assert (result["number"], result["counter"], result["waiting"]) == (2, 9, 2)
    waiting = house.read_json("data-logger", "status", log)
    assert [one["round"] for one in waiting["waiting"]] == ["A1-9-1", "A1-9-2"]
    assert (waiting["taken"], waiting["damaged_lines"]) == (0, [])


def test_the_counter_goes_on_after_the_server_took_everything(house: House, log: Path) -> None:
    house.execute("data-logger", "forward", "logger-1", str(log))
    press(house, log, "r3")
    assert house.execute("data-logger", "forward", "logger-1", str(log))["counters"] == [7]


def test_a_damaged_line_is_named_and_kept_aside_until_two_people_accept_the_gap(house: House, log: Path) -> None:
    press(house, log, "r3")
    log.write_bytes(log.read_bytes().replace(b"sample-2", b"sample-7"))
    said = house.said("data-logger", "status", str(log), exit_code=1)
    assert "Line 3 of A1-77.log is damaged." in said
    assert "--accept-gap" in said
    forward = ("data-logger", "forward", "logger-1", str(log))
    result = house.read_json(*forward, exit_code=1)
    assert result["forwarded"] == 1
    assert result["held_up"].startswith(
        "Line 3 of A1-77.log is damaged: it is stored in A1-77.log.damaged. 1 record behind"
    )
    assert "line 3: " in (house.folder / "A1-77.log.damaged").read_text()
    assert "add --accept-gap" in house.refused(*forward, "--second", "vera")
    assert "--second LOGIN" in house.refused(*forward, "--accept-gap", "--why", "wet")
    result = house.read_json(*forward, "--accept-gap", "--why", "The memory card was wet", "--second", "vera")
    assert (result["forwarded"], result["held_up"], result["counters"]) == (1, None, [7])
    assert "no gap to accept" in house.refused(*forward, "--accept-gap", "--why", "wet", "--second", "vera")
    assert "records skipped" in " ".join(house.said("jackpot", "history", "logger-1").split())
    assert house.read_json("verify")["whole"]


def test_an_emptied_file_is_shown_alike_by_every_command_and_goes_on_when_two_people_accept(
    house: House, log: Path
) -> None:
    house.execute("data-logger", "forward", "logger-1", str(log))
    log.write_bytes(b"")
    words = "A1-77.log is empty: its content is lost"
    assert words in house.said("data-logger", "status", str(log), exit_code=1)
    assert house.read_json("data-logger", "status", str(log), exit_code=1)["gap"] == words
    assert words in house.execute("data-logger", "forward", "logger-1", str(log), exit_code=1)["held_up"]
    again = ("data-logger", "press", str(log), "--positions", "1", "--dealer", "kim")
    for more in ((), ("--unit", "A1-77")):
        assert words in house.refused(*again, *more)
    assert log.read_bytes() == b""
    house.execute(
        "data-logger", "forward", "logger-1", str(log), "--accept-gap", "--why", "a wrong key", "--second", "vera"
    )
    assert "--counter N" in house.refused(*again)
    assert house.read_json(*again, "--counter", "6")["number"] == 3
    assert house.execute("data-logger", "forward", "logger-1", str(log))["counters"] == [6]


def test_a_damaged_first_line_is_shown_with_what_to_do(house: House, log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"logger":"A1-77"', b'"logger":"A1-78"'))
    said = house.said("data-logger", "status", str(log), exit_code=1)
    assert "unit unknown" in said
    assert "2 more after the gap." in said
    assert "--accept-gap" in house.refused("data-logger", "press", str(log), "--positions", "1", "--dealer", "kim")
    assert house.execute("data-logger", "forward", "logger-1", str(log))["forwarded"] == 2


def test_a_doubled_line_is_shown_and_counts_once(house: House, log: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:2], *lines[1:]]))
    note = "Line 3 of A1-77.log is there twice: it counts once."
    assert note in house.said("data-logger", "status", str(log))
    result = house.execute("data-logger", "forward", "logger-1", str(log))
    assert (result["forwarded"], result["notes"], result["counters"]) == (2, [note], [5])


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("--positions", "1,8"), "Andromeda-1 has no position 8: its positions are 1 to 7."),
        (("--positions", "1,2", "--lammers", "2,3"), "Position 3 has a lammer but no wager"),
        (("--positions", "1", "--counter", "4"), "it cannot show 4"),
        (("--positions", "1,2", "--counter", "6"), "it cannot show 6"),
        (("--positions", "1", "--round", "sample-2"), "Round sample-2 is in A1-77.log already, as record 2"),
    ],
)
@pytest.mark.parametrize("forwarded", [False, True])
def test_a_press_that_no_server_could_take_is_refused(
    house: House, log: Path, typed: tuple[str, ...], sentence: str, forwarded: bool
) -> None:
    if forwarded:
        house.execute("data-logger", "forward", "logger-1", str(log))
    before = log.read_bytes()
    assert sentence in " ".join(house.refused("data-logger", "press", str(log), "--dealer", "kim", *typed).split())
    assert log.read_bytes() == before


def test_an_example_has_an_approved_tabulator(house: House) -> None:
    assert "is not approved" in house.refused(
        "jackpot", "print-example", "three-card-prime", "--tabulator", "andromeda-1"
    )
