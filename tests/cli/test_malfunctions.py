"""`cardroom malfunction …`: the clock of a report is seen wherever a user looks, until it is closed."""

from __future__ import annotations

import re

import pytest

from tests.cli.card_room import CliRoom

REPORT = ("--number", "R-31", "--of", "table-1", "--found-at", "00:00", "--why", "Sensor 3 is dead")
LEFT = re.compile(r"(71|[45]\d|6\d|7[01]) h|72 h left")


@pytest.fixture
def reported(cli_room: CliRoom) -> CliRoom:
    cli_room.open()
    said = cli_room.read_output("malfunction", "report", *REPORT)
    assert "malfunction mark-sent R-31" in said
    assert LEFT.search(said)
    return cli_room


@pytest.mark.parametrize("page", [("jackpot", "list"), ("jackpot", "show", "final-four"), ("malfunction", "list")])
def test_the_clock_is_seen_until_the_report_is_closed(reported: CliRoom, page: tuple[str, ...]) -> None:
    said = reported.read_output(*page)
    assert "R-31" in said
    assert LEFT.search(said)
    assert said.count("Times are in the time zone America/Los_Angeles.") == 1
    reported.execute("malfunction", "mark-sent", "R-31", "--reference", "fax 12")
    assert "sent in time" in reported.read_output(*page)
    reported.execute("malfunction", "close", "R-31", "--why", "exchanged")
    assert "R-31" not in reported.read_output(*page)


def test_programs_get_times_and_the_clock(reported: CliRoom) -> None:
    (result,) = reported.read_json("malfunction", "list")
    assert result["due"] - result["found_at"] == 72 * 3600 * 1_000_000
    assert (result["number"], result["table"], result["sent"]) == ("R-31", "table-1", None)
    assert reported.read_json("jackpot", "list")["malfunctions"] == [result]
    assert reported.read_json("jackpot", "show", "final-four")["malfunctions"] == [result]


def test_a_breakdown_names_its_report_or_hears_how_to_open_one(reported: CliRoom) -> None:
    refused = reported.read_refusal("tabulator", "fault", "table-1", "--why", "dead", "--report", "R-9")
    assert refused == "No malfunction report 'R-9' is open. Open reports: R-31."
    broken = ("tabulator", "fault", "table-1", "--why", "dead")
    assert "report R-31" in reported.read_output(*broken, "--report", "R-31")
    reported.execute("tabulator", "clear-fault", "table-1")
    said = " ".join(reported.read_output(*broken).split())
    assert "cardroom malfunction report --number NUMBER --of table-1" in said
    assert reported.read_json("verify")["whole"]


def test_a_time_that_no_user_understands_opens_no_report(cli_room: CliRoom) -> None:
    cli_room.open()
    wrong = [*REPORT[:5], "yesterday", *REPORT[6:]]
    assert "'yesterday' is not a time" in cli_room.read_refusal("malfunction", "report", *wrong)
    assert cli_room.read_json("malfunction", "list") == []


def test_a_malfunction_is_found_now(cli_room: CliRoom) -> None:
    cli_room.open()
    result = ("malfunction", "report", "--number", "R-1", "--of", "table-1", "--found-at", "now", "--why", "stuck")
    report = cli_room.execute(*result)
    assert report["due"] - report["found_at"] == 72 * 3_600 * 1_000_000
