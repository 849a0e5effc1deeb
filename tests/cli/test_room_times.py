"""Every page tells the time by the card room's own clock, and says once whose it is."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.card_room import CliRoom

SAID = "Times are in the time zone Pacific/Kiritimati."
"""Fourteen hours before UTC: no machine that runs the tests is set to it."""


def room_hour() -> datetime:
    """The hour now in the room."""
    now = datetime.now(UTC) + timedelta(hours=14)  # cannot fail: every hour from the first to the last is accepted
    return now.replace(minute=0, second=0, microsecond=0)


def room_time(first: datetime) -> re.Pattern[str]:
    """A time in the room, from the ``first`` hour to the hour now."""
    passed = (room_hour() - first) // timedelta(hours=1)
    hours = [f"{first + timedelta(hours=hour):%Y-%m-%d %H}" for hour in range(passed + 1)]
    return re.compile(rf"({'|'.join(hours)}):\d\d")


@pytest.fixture
def first_hour() -> datetime:
    """The hour in the room before anything is counted."""
    return room_hour()


@pytest.fixture
def far_room(first_hour: datetime, cli_room: CliRoom) -> CliRoom:
    """A room far away from the machine, in which a round was counted."""
    cli_room.open()
    (cli_room.folder / "room.toml").write_text('time_zone = "Pacific/Kiritimati"\n', "utf-8")
    setup = str(cli_room.folder / "room.toml")
    cli_room.read_output("room", "configure", setup, "--why", "far away", "--second", "lee")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", by="kim")
    return cli_room


@pytest.mark.parametrize("page", [("jackpot", "history", "final-four"), ("tabulator", "history", "table-1")])
def test_a_page_tells_the_rooms_time_and_says_so_once(
    far_room: CliRoom, first_hour: datetime, page: tuple[str, ...]
) -> None:
    said = far_room.read_output(*page)
    assert room_time(first_hour).search(said)
    assert said.count(SAID) == 1
    assert said.count("Kiritimati") == 1


def test_a_refusal_tells_the_rooms_time(far_room: CliRoom, first_hour: datetime) -> None:
    sentence = far_room.read_refusal(
        "tabulator", "press", "table-1", "--positions", "1", "--round", "r1", "--by", "kim"
    )
    assert room_time(first_hour).search(sentence), sentence
    assert "UTC" not in sentence


def test_heads_that_still_stand_are_shown_in_the_rooms_time(far_room: CliRoom, first_hour: datetime) -> None:
    kept = str(far_room.folder / "heads.json")
    far_room.read_output("heads", "print", "-o", kept)
    for command in (("heads", "verify-file", kept), ("verify", "--heads", kept)):
        said = far_room.read_output(*command)
        assert re.search(room_time(first_hour).pattern + r":\d\d match", said)
        assert said.count(SAID) == 1


def test_a_report_counts_by_the_rooms_days_unless_others_are_asked_for(far_room: CliRoom) -> None:
    assert (
        far_room.read_json(
            "report",
            "meters",
        )["timezone"]
        == "Pacific/Kiritimati"
    )
    asked = far_room.read_json("report", "meters", "--timezone", "UTC", "--day-starts", "05:00")
    assert (asked["timezone"], asked["day_starts"]) == ("UTC", "05:00")
