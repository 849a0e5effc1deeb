"""A reading of the counter is shown apart from rounds wherever the history of a meter or a table is shown."""

from __future__ import annotations

import pytest

from tests.cli.card_room import CliRoom

READ = ("--second", "lee", "--why", "The server was away", "--by", "sam", "--id", "evening-7")


@pytest.fixture
def read(cli_room: CliRoom) -> CliRoom:
    """A round of six wagers, then two people read the counter, then a round of two."""
    cli_room.open()
    table = ("tabulator", "press", "table-1")
    cli_room.read_output(*table, "--positions", "1,2,3,4,5,6", "--round", "r1", "--by", "kim")
    cli_room.read_output("tabulator", "read", "table-1", "900", *READ)
    cli_room.read_output(*table, "--positions", "1,2", "--round", "r2", "--by", "kim")
    return cli_room


@pytest.mark.parametrize("more", [(), ("--rounds",)])
def test_the_history_of_a_jackpot_tells_who_read_the_counter_and_why(read: CliRoom, more: tuple[str, ...]) -> None:
    newest, reading, oldest, *_ = read.read_json("jackpot", "history", "final-four", *more)
    assert (newest["note"], oldest["note"]) == (
        "2 wagers, round r2, reserve +$0.10",
        "6 wagers, round r1, reserve +$0.30",
    )
    result = "counter read, 894 wagers, reading evening-7, reserve +$44.70, table-1; The server was away"
    assert reading["note"] == result
    assert reading["who"] == "sam and lee"


def test_the_report_of_the_history_tells_it_too(read: CliRoom) -> None:
    result = read.read_json("report", "history", "final-four")
    details = "counter read, 894 wagers, $894, reading evening-7; The server was away"
    lines = [line for line in _lines(result) if line.get("held") == "display" and line.get("details")]
    assert [line["details"] for line in lines[-3:]] == ["1 round, 6 wagers, $6", details, "1 round, 2 wagers, $2"]
    assert lines[-2]["who"] == "sam and lee"


def _lines(result: object) -> list[dict[str, object]]:
    """All lines of a report, however deep they stand."""
    if isinstance(result, dict):
        return [result, *(line for one in result.values() for line in _lines(one))]
    return [line for one in result for line in _lines(one)] if isinstance(result, list) else []


def test_the_history_of_the_table_and_its_recall_show_the_reading(read: CliRoom) -> None:
    newest, *_ = read.read_json("jackpot", "history", "table-1")
    assert newest["note"] == "reading evening-7; 894 final-four, counter 900; The server was away"
    assert (newest["reason"], newest["who"]) == ("counter read", "sam and lee")
    assert "reading evening-7" in " ".join(read.read_output("tabulator", "history", "table-1").split())
