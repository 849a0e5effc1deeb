"""Play money in reports: in no sum of the room's, and wherever it is told, it is said which it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.accounts import CENT, Currency
from cardroom.reports.accounting import (
    AccountingReport,
    PeriodBooks,
    activity_report,
    claim_slips,
    day_book,
    deposits_report,
    history_report,
    json_pieces,
    master_report,
    meters_report,
    open_room_books,
    recall_report,
    reconciliation_report,
    report_pdf,
    slips_json,
    slips_pdf,
)
from cardroom.reports.accounting.period_books import NoBankAccount
from cardroom.service import CardRoom
from tests.reports.card_room import Room, record_an_evening
from tests.reports.pdf_text import pieces
from tests.service.automatic import DIAMOND, count, end, open_play_room, prime_round, whole_but_for_the_felt
from tests.service.card_rooms import new_id

Make = Callable[[PeriodBooks, tuple[str, ...], int], AccountingReport]

ON_JACKPOTS: dict[str, Make] = {
    "history": history_report,
    "meters": meters_report,
    "deposits": deposits_report,
    "reconciliation": reconciliation_report,
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, dict[str, Any]]]:
    """An evening, and what its reports said before play money came into the room."""
    recorded = record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('play')}/books.db")
    before = everything(recorded.floor)
    play_for_nothing(recorded)
    yield recorded, before
    recorded.ledger.close()


def play_for_nothing(room: Room) -> None:
    """An automatic table of play money on which ada wins the meter."""
    room.clock.set(17, 21)
    open_play_room(room.floor)
    for number in range(1, 5):
        count(room.floor, f"play-1.{number}", {1: (1, 2, 3)})
    end(room.floor, "play-1.4", prime_round(DIAMOND))


def everything(floor: CardRoom) -> dict[str, Any]:
    """What the reports on all jackpots and tables say, without the list of the books that were read."""
    said = {}
    books = open_room_books(floor)
    jackpots = books.jackpots()
    made = {name: make(books, jackpots, floor._clock()) for name, make in ON_JACKPOTS.items()}
    made["master"] = master_report(books, None, floor._clock())
    made["activity"] = activity_report(books, jackpots, books.tables(), "All", floor._clock(), expected=False)
    for name, report in made.items():
        entry = told(report)
        parts = [part for part in entry["parts"] if part["name"] != "books"]
        said[name] = {"money": entry["money"], "parts": parts, "faults": entry["faults"]}
    return said


def told(report: AccountingReport) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads("".join(json_pieces(report)))
    return entry


def test_the_room_s_reports_are_the_same_with_and_without_play_money(room: tuple[Room, dict[str, Any]]) -> None:
    here, before = room
    after = everything(here.floor)
    assert after == before
    assert len(before) == 6
    assert {one["money"] for one in after.values()} == {"room"}
    assert all(one["parts"] for one in after.values())
    assert whole_but_for_the_felt(here.floor)


def test_a_report_on_play_money_says_so_and_adds_up(room: tuple[Room, dict[str, Any]]) -> None:
    floor = room[0].floor
    books, now = open_room_books(floor), room[0].clock()
    made = (
        history_report(books, ("play-four",), now),
        meters_report(books, ("play-four",), now),
        master_report(books, "play-1", now),
        recall_report(books, "play-1", now),
        recall_report(books, "play-four", now),
    )
    for report in made:
        entry = told(report)
        assert (entry["money"], entry["faults"]) == ("play", []), report.kind
        assert ("Money", "play money, worth nothing outside; no part of the room's books") in report.facts
        assert any(part["lines"] for part in entry["parts"])
    (line,) = told(master_report(books, "play-1", now))["parts"][0]["lines"]
    assert (line["rounds"], line["wagers"], line["drop"]) == (4, 12, 12_00 * CENT)


def test_there_is_no_bank_to_report_on(room: tuple[Room, dict[str, Any]]) -> None:
    books = open_room_books(room[0].floor)
    for make in (deposits_report, reconciliation_report):
        with pytest.raises(NoBankAccount, match="play-four is of play money: there is no bank account"):
            make(books, ("play-four",), 0)


def test_some_jackpots_of_both_moneys_are_those_of_the_room(room: tuple[Room, dict[str, Any]]) -> None:
    books = open_room_books(room[0].floor)
    report = told(meters_report(books, ("play-four", "final-four"), 0))
    assert {line["jackpot"] for line in report["parts"][0]["lines"]} == {"final-four"}


def test_the_book_of_a_day_lists_play_money_apart(tmp_path: Path) -> None:
    here = Room(f"sqlite:///{tmp_path}/books.db")
    here.clock.set(2, 12)
    here.floor.open_day(new_id(), "Olga")
    play_for_nothing(here)
    here.floor.close_day(new_id(), "Olga")
    book = day_book(here.floor, None, here.clock())
    chapters = [part.chapter for part in book.sections if part.chapter]
    assert "Play money" in chapters
    parts = {part["name"]: part["lines"] for part in told(day_book(here.floor, None, here.clock()))["parts"]}
    assert [line["jackpot"] for line in parts["play-money-meters"]] == ["play-four"]
    assert (parts["meters"], parts["tables"], parts["claims"]) == ([], [], [])
    assert any("of play money" in line["words"] for line in parts["open"])
    assert "PLAY MONEY" in " ".join(pieces(report_pdf(book))).upper()
    here.ledger.close()


def test_a_slip_says_that_it_is_play_money_and_who_verified_it(room: tuple[Room, dict[str, Any]]) -> None:
    floor = room[0].floor
    (pending,) = claim_slips(floor, "play-four", "play-1.4")
    assert pending.surveillance == ""
    floor.pay_claim(new_id(), "Rosa", "play-four", "play-1.4", paid={}, second="Lee")
    (slip,) = claim_slips(floor, "play-four", "play-1.4")
    assert (slip.money, slip.verified, slip.player) == (Currency.PLAY, "Rosa and Lee", "ada")
    assert slip.payment == "balance play-1.4 seat 1"
    assert slip.words.endswith(", play money")
    assert slips_json([slip])[0]["money"] == "play"
    assert "play money, worth nothing outside" in " ".join(pieces(slips_pdf([slip], 0)))
    claims = [one for one in floor.list_jackpot_events("final-four") if one.kind == "claim-paid"]
    (dollars, *_) = claim_slips(floor, "final-four", str(claims[0].payload["claim"]))
    assert (dollars.money, dollars.of_money) == (Currency.REAL, "dollars")
