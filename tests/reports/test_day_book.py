"""The day book: everything that happened on a day, as of its close."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cardroom.reports.accounting import NoSuchDay, day_book, json_pieces, report_pdf
from cardroom.reports.accounting.day_book import RoomLine
from cardroom.reports.documents.pdf import extract_attachment
from cardroom.room.setup.site import SiteSettings
from cardroom.service import RoomTableSetup, UnitSetup
from tests.reports.card_room import Room
from tests.service.card_rooms import CLUB_ROYAL, THREE_OF_A_KIND, final_four, prime_sensors, prime_table

DAY = date(2026, 3, 3)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A day with events of every kind, with a day before and after it."""
    made = Room(f"sqlite:///{tmp_path}/room.db")
    clock, card_room, id = made.clock, made.card_room, made.id
    clock.set(2, 12)
    card_room.site.configure(id(), "Olga", SiteSettings(name="Main Street"), "first setup", second="Carl")
    card_room.jackpots.open(id(), "Olga", final_four())
    for number in (1, 2):
        sensors = prime_sensors(f"prime-{number}", "final-four")
        card_room.add_table(
            id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, f"u{number}"))
        )
    card_room.days.open(id(), "Olga")
    card_room.malfunctions.report(id(), "Kim", "R-30", "prime-1", found_at="2026-03-02 12:00", why="before")
    card_room.malfunctions.close(id(), "Kim", "R-30", "done")
    card_room.malfunctions.report(id(), "Kim", "R-31", "prime-2", found_at="2026-03-02 12:00", why="dead")
    made.rounds("prime-1", 2)
    card_room.days.close(id(), "Olga")
    clock.set(3, 12)
    card_room.days.open(id(), "Rosa")
    last = made.rounds("prime-1", 3)
    card_room.claims.claim_hand("small", "Kim", "final-four", "prime-1", last, THREE_OF_A_KIND)
    last = made.rounds("prime-1", 1)
    card_room.claims.claim_hand("royal", "Kim", "final-four", "prime-1", last, CLUB_ROYAL)
    card_room.jackpots.deposit_to_bank(id(), "Carl", "final-four", 5_000_00, "slip 1")
    card_room.malfunctions.send(id(), "Kim", "R-31", reference="fax 12")
    clock.set(4, 4)
    card_room.days.close(id(), "Carl")
    clock.set(4, 12)
    card_room.days.open(id(), "Olga")
    made.rounds("prime-2", 5)
    card_room.malfunctions.close(id(), "Kim", "R-31", "exchanged")
    yield made
    made.ledger.close()


def report_parts(room: Room, day: date | None) -> dict[str, list[Any]]:
    """The lines of each part by name."""
    content = json.loads("".join(json_pieces(day_book(room.card_room, day, room.clock()))))
    parts: dict[str, list[Any]] = {}
    for part in content["parts"]:
        parts.setdefault(part["name"], []).extend(part["lines"])
    return parts


def test_a_day_book_has_every_chapter_in_order(room: Room) -> None:
    book = day_book(room.card_room, DAY, room.clock())
    assert [part.chapter for part in book.sections if part.chapter] == [
        "Open items",
        "Master games report",
        "Meters",
        "Every change of each jackpot",
        "Claims and payouts",
        "Deposits",
        "Reconciliation",
        "Counts by table",
        "Malfunctions",
        "Card room",
        "Heads",
    ]
    cover = dict(book.cover)
    assert (book.subject, cover["Gaming day"]) == ("Main Street", "Tuesday, March 3, 2026")
    assert cover["Opened"].endswith("by Rosa")
    assert cover["Closed"].endswith("by Carl")


def test_a_day_book_covers_its_day_only(room: Room) -> None:
    parts = report_parts(room, DAY)
    assert {line["day"] for line in parts["tables"] if "day" in line} == {"2026-03-03"}
    assert [line["rounds"] for line in parts["games"]] == [4]
    assert [line["event"] for line in parts["claims"]] == ["Fixed prizes paid by the house", "Prize claimed and locked"]
    assert [line["reference"] for line in parts["deposits"]] == ["slip 1"]
    assert [(line["number"], line["clock"]) for line in parts["malfunctions"]] == [("R-31", "sent in time")]
    assert [line["event"] for line in parts["room"]] == [
        "Gaming day opened",
        "Report sent to the commission",
        "Gaming day closed",
    ]
    assert {line["what"] for line in parts["open"]} >= {"claim pending", "malfunction"}
    assert {line["chain"] for line in parts["heads"]} == set(room.ledger.chains())


def test_a_report_closed_on_the_day_is_in_its_book_and_not_in_the_next(room: Room) -> None:
    first = report_parts(room, date(2026, 3, 2))["malfunctions"]
    assert [(line["number"], line["clock"]) for line in first] == [
        ("R-30", "closed by Kim: done"),
        ("R-31", "71 h 59 min left"),
    ]
    last = report_parts(room, date(2026, 3, 4))["malfunctions"]
    assert [line["clock"] for line in last] == ["closed by Kim: exchanged"]


def test_a_reprinted_day_book_is_the_same(room: Room) -> None:
    first = report_pdf(day_book(room.card_room, DAY, room.clock()))
    room.card_room.site.configure(room.id(), "Olga", SiteSettings(name="Side Street"), "moved", second="Carl")
    room.card_room.days.close(room.id(), "Olga")
    room.rounds("prime-1", 2)
    again = report_pdf(day_book(room.card_room, DAY, room.clock()))
    assert first == again
    content = extract_attachment(first)
    assert content is not None
    assert json.loads(content)["report"] == "day-book"


def test_the_default_day_is_the_last_closed_one(room: Room) -> None:
    assert str(day_book(room.card_room, None, room.clock()).period) == "2026-03-03"
    with pytest.raises(NoSuchDay, match=r"2026-03-09.*2026-03-04"):
        day_book(room.card_room, date(2026, 3, 9), room.clock())


def test_the_day_book_states_changes_of_the_card_room_with_the_reasons_as_entered(room: Room) -> None:
    settings = SiteSettings(name="Main Street", dealer_pays=900_00)
    room.card_room.site.configure(room.id(), "Olga", settings, "more", second="Carl")
    room.card_room.malfunctions.report(room.id(), "Kim", "r-40", "prime-1", found_at="12:00", why="dark again!")
    book = day_book(room.card_room, date(2026, 3, 4), room.clock())
    (part,) = [part for part in book.sections if part.name == "room"]
    lines = {line.event: line for line in part.lines if isinstance(line, RoomLine)}
    shown_of = lines["Card room configured"]
    assert shown_of.what == "Card room configured. Dealer's payout limit: $500 to $900."
    assert (shown_of.why, shown_of.who) == ("more", "Olga and Carl")
    assert shown_of.details == "dealer's payout limit: $500 to $900; more"
    assert lines["Malfunction reported"].why == "dark again!"
    assert lines["Malfunction reported"].what == "Malfunction reported. Report r-40 on prime-1."
    assert ("why", "Why") in [(column.name, column.title) for column in part.display_columns]
