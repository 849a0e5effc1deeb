"""Commands of the Andromeda-1 data logger: presses while the server is unreachable, forwarding, and damaged files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.card_room import CliRoom


@pytest.fixture
def log_file(cli_room: CliRoom) -> Path:
    """The file of an Andromeda-1 data logger with the two rounds of the example, at a table that is added."""
    cli_room.read_output(
        "jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(cli_room.folder)
    )
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    return cli_room.folder / "A1-77.log"


def press(cli_room: CliRoom, log_file: Path, round_id: str, *more: str) -> None:
    cli_room.read_output(
        "data-logger", "press", str(log_file), "--positions", "1,4", "--round", round_id, "--dealer", "kim", *more
    )


def test_records_that_were_forwarded_before_are_counted_separately(cli_room: CliRoom, log_file: Path) -> None:
    before = log_file.read_bytes()
    assert "2 records of A1-77 forwarded.\n" in cli_room.read_output(
        "data-logger", "forward", "logger-1", str(log_file)
    )
    log_file.write_bytes(before)
    press(cli_room, log_file, "r3")
    output = cli_room.read_output("data-logger", "forward", "logger-1", str(log_file), "--by", "lee")
    assert "3 records of A1-77 forwarded, 2 were stored before." in output
    tables = cli_room.read_json("jackpot", "list")["tables"]
    assert [table["counters"] for table in tables] == [[7]]


def test_a_press_with_one_wager_prints_the_singular(cli_room: CliRoom, log_file: Path) -> None:
    output = cli_room.read_output(
        "data-logger", "press", str(log_file), "--positions", "4", "--round", "r9", "--dealer", "kim"
    )
    assert ", 1 wager, counter" in " ".join(output.split())


def test_the_history_shows_the_time_of_the_press_and_of_the_arrival(cli_room: CliRoom, log_file: Path) -> None:
    cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    output = " ".join(cli_room.read_output("tabulator", "history", "logger-1").split())
    assert output.count("pressed ") == output.count("arrived ") == 2
    assert "ahead" not in output
    assert "pressed " in " ".join(cli_room.read_output("report", "events", "logger-1").split())


def test_the_history_shows_that_a_loggers_clock_is_ahead(cli_room: CliRoom, log_file: Path) -> None:
    from cardroom.ledger import system_clock
    from cardroom.service import LoggerFile

    cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    with LoggerFile(log_file, "A1-77") as file:
        file.record("tomorrow", [1], time=system_clock() + 600_000_000, dealer="Kim", counter=6)
    cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    assert "the logger's clock is ahead by 9 min" in " ".join(
        cli_room.read_output("tabulator", "history", "logger-1").split()
    )


def test_a_press_shows_the_waiting_records_and_a_new_file_needs_a_unit(cli_room: CliRoom) -> None:
    log_file = str(cli_room.folder / "A1-9.log")
    press = ("data-logger", "press", log_file, "--positions", "1,2", "--dealer", "kim")
    assert "--unit NUMBER" in cli_room.read_refusal(*press)
    assert "record 1, round A1-9-1, 2 wagers, counter 2. 1 record waiting." in cli_room.read_output(
        *press, "--unit", "A1-9"
    )
    assert "is the file of A1-9" in cli_room.read_refusal(*press, "--unit", "A1-8")
    assert "one sensor" in cli_room.read_refusal(
        "data-logger", "press", log_file, "--positions", "2:1", "--dealer", "kim"
    )
    assert "--dealer LOGIN" in cli_room.read_refusal("data-logger", "press", log_file, "--positions", "1")
    result = cli_room.read_json(*press, "--counter", "9")
    assert (result["number"], result["counter"], result["waiting"]) == (2, 9, 2)
    waiting = cli_room.read_json("data-logger", "status", log_file)
    assert [record["round"] for record in waiting["waiting"]] == ["A1-9-1", "A1-9-2"]
    assert (waiting["taken"], waiting["damaged_lines"]) == (0, [])


def test_the_counter_continues_after_all_records_are_forwarded(cli_room: CliRoom, log_file: Path) -> None:
    cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    press(cli_room, log_file, "r3")
    assert cli_room.execute("data-logger", "forward", "logger-1", str(log_file))["counters"] == [7]


def test_a_damaged_line_blocks_forwarding_until_two_users_accept_the_gap(cli_room: CliRoom, log_file: Path) -> None:
    press(cli_room, log_file, "r3")
    log_file.write_bytes(log_file.read_bytes().replace(b"sample-2", b"sample-7"))
    output = cli_room.read_output("data-logger", "status", str(log_file), exit_code=1)
    assert "Line 3 of A1-77.log is damaged." in output
    assert "--accept-gap" in output
    forward = ("data-logger", "forward", "logger-1", str(log_file))
    result = cli_room.read_json(*forward, exit_code=1)
    assert result["forwarded"] == 1
    assert result["held_up"].startswith(
        "Line 3 of A1-77.log is damaged: it is stored in A1-77.log.damaged. 1 record behind"
    )
    assert "line 3: " in (cli_room.folder / "A1-77.log.damaged").read_text()
    assert "add --accept-gap" in cli_room.read_refusal(*forward, "--second", "vera")
    assert "--second LOGIN" in cli_room.read_refusal(*forward, "--accept-gap", "--why", "wet")
    result = cli_room.read_json(*forward, "--accept-gap", "--why", "The memory card was wet", "--second", "vera")
    assert (result["forwarded"], result["held_up"], result["counters"]) == (1, None, [7])
    assert "no gap to accept" in cli_room.read_refusal(*forward, "--accept-gap", "--why", "wet", "--second", "vera")
    assert "records skipped" in " ".join(cli_room.read_output("jackpot", "history", "logger-1").split())
    assert cli_room.read_json("verify")["whole"]


def test_every_command_reports_an_emptied_file_until_two_users_accept_the_gap(
    cli_room: CliRoom, log_file: Path
) -> None:
    cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    log_file.write_bytes(b"")
    sentence = "A1-77.log is empty: its content is lost"
    assert sentence in cli_room.read_output("data-logger", "status", str(log_file), exit_code=1)
    assert cli_room.read_json("data-logger", "status", str(log_file), exit_code=1)["gap"] == sentence
    assert sentence in cli_room.execute("data-logger", "forward", "logger-1", str(log_file), exit_code=1)["held_up"]
    again = ("data-logger", "press", str(log_file), "--positions", "1", "--dealer", "kim")
    for more in ((), ("--unit", "A1-77")):
        assert sentence in cli_room.read_refusal(*again, *more)
    assert log_file.read_bytes() == b""
    cli_room.execute(
        "data-logger", "forward", "logger-1", str(log_file), "--accept-gap", "--why", "a wrong key", "--second", "vera"
    )
    assert "--counter N" in cli_room.read_refusal(*again)
    assert cli_room.read_json(*again, "--counter", "6")["number"] == 3
    assert cli_room.execute("data-logger", "forward", "logger-1", str(log_file))["counters"] == [6]


def test_a_damaged_first_line_is_shown_with_what_to_do(cli_room: CliRoom, log_file: Path) -> None:
    log_file.write_bytes(log_file.read_bytes().replace(b'"logger":"A1-77"', b'"logger":"A1-78"'))
    output = cli_room.read_output("data-logger", "status", str(log_file), exit_code=1)
    assert "unit unknown" in output
    assert "2 more after the gap." in output
    assert "--accept-gap" in cli_room.read_refusal(
        "data-logger", "press", str(log_file), "--positions", "1", "--dealer", "kim"
    )
    assert cli_room.execute("data-logger", "forward", "logger-1", str(log_file))["forwarded"] == 2


def test_a_duplicate_line_is_shown_and_counts_once(cli_room: CliRoom, log_file: Path) -> None:
    lines = log_file.read_bytes().splitlines(keepends=True)
    log_file.write_bytes(b"".join([*lines[:2], *lines[1:]]))
    note = "Line 3 of A1-77.log is there twice: it counts once."
    assert note in cli_room.read_output("data-logger", "status", str(log_file))
    result = cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
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
def test_an_impossible_press_is_refused_and_the_file_stays_unchanged(
    cli_room: CliRoom, log_file: Path, typed: tuple[str, ...], sentence: str, forwarded: bool
) -> None:
    if forwarded:
        cli_room.execute("data-logger", "forward", "logger-1", str(log_file))
    before = log_file.read_bytes()
    assert sentence in " ".join(
        cli_room.read_refusal("data-logger", "press", str(log_file), "--dealer", "kim", *typed).split()
    )
    assert log_file.read_bytes() == before


def test_an_example_with_an_unapproved_tabulator_is_refused(cli_room: CliRoom) -> None:
    assert "is not approved" in cli_room.read_refusal(
        "jackpot", "print-example", "three-card-prime", "--tabulator", "andromeda-1"
    )
