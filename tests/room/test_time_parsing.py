"""Times that people tell are those of the card room's clocks."""

from __future__ import annotations

import pytest

from cardroom.room.setup.calendar import BadDay, open_calendar, parse_time

ROOM = open_calendar("America/Los_Angeles")


def at(utc: str) -> int:
    return parse_time(f"{utc}Z", ROOM, 0)


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-03-02 21:40", "2026-03-03 05:40"),
        ("2026-07-02 21:40", "2026-07-03 04:40"),
        ("2026-03-02T21:40:07", "2026-03-03 05:40:07"),
        (" 2026-03-02 9:05 ", "2026-03-02 17:05"),
        ("2026-03-02 21:40+01:00", "2026-03-02 20:40"),
        ("2026-03-02T21:40Z", "2026-03-02 21:40"),
        ("2026-03-02 21:40 -0500", "2026-03-03 02:40"),
    ],
)
def test_a_day_and_a_time_are_read_in_the_rooms_zone_unless_an_offset_is_shown(text: str, utc: str) -> None:
    assert parse_time(text, ROOM, at("2026-12-01 00:00")) == at(utc)


@pytest.mark.parametrize(
    ("now", "text", "meant"),
    [
        ("2026-03-03 05:50", "21:40", "2026-03-03 05:40"),
        ("2026-03-03 05:40", "21:40", "2026-03-03 05:40"),
        ("2026-03-03 05:39", "21:40", "2026-03-02 05:40"),
        ("2026-03-03 09:00", "23:30", "2026-03-03 07:30"),
    ],
)
def test_a_time_alone_is_the_last_one_that_the_clocks_showed(now: str, text: str, meant: str) -> None:
    assert parse_time(text, ROOM, at(now)) == at(meant)


def test_an_hour_that_comes_twice_means_the_first_and_an_offset_the_other() -> None:
    now = at("2026-12-01 00:00")
    assert parse_time("2026-11-01 01:30", ROOM, now) == at("2026-11-01 08:30")
    assert parse_time("2026-11-01 01:30-08:00", ROOM, now) == at("2026-11-01 09:30")


def test_a_time_alone_of_an_hour_that_comes_twice_is_the_last_one_shown() -> None:
    assert parse_time("01:30", ROOM, at("2026-11-01 08:45")) == at("2026-11-01 08:30")
    assert parse_time("01:30", ROOM, at("2026-11-01 10:00")) == at("2026-11-01 09:30")


def test_an_hour_skipped_by_the_clocks_is_refused() -> None:
    with pytest.raises(BadDay):
        parse_time("2026-03-08 02:30", ROOM, at("2026-04-01 00:00"))
    assert parse_time("02:30", ROOM, at("2026-03-08 18:00")) == at("2026-03-07 10:30")


@pytest.mark.parametrize("text", ["", "yesterday", "25:00", "21:60", "2026-02-30 10:00", "2026-03-02", "21", "21:40Z"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadDay):
        parse_time(text, ROOM, at("2026-03-03 06:00"))
