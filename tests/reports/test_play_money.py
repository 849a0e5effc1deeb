"""Play money in reports: in no sum of the card room's money, and always labeled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, Currency
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
from cardroom.reports.accounting.chain_reader import NoBankAccount
from cardroom.service import CardRoom
from tests.reports.card_room import Room, record_an_evening
from tests.reports.pdf_text import pieces
from tests.service.automatic import DIAMOND, count, end, open_play_room, prime_round, whole_but_for_the_table
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
    """An evening, with its reports before any play money."""
    recorded = record_an_evening(f"sqlite:///{tmp_path_factory.mktemp('play')}/books.db")
    before = everything(recorded.card_room)
    play_for_nothing(recorded)
    yield recorded, before
    recorded.ledger.close()


def play_for_nothing(room: Room) -> None:
    """An automatic play-money table on which ada wins the meter."""
    room.clock.set(17, 21)
    open_play_room(room.card_room)
    for number in range(1, 5):
        count(room.card_room, f"play-1.{number}", {1: (1, 2, 3)})
    end(room.card_room, "play-1.4", prime_round(DIAMOND))


def everything(card_room: CardRoom) -> dict[str, Any]:
    """The reports on all jackpots and tables, without the list of chains read."""
    progress = {}
    books = open_room_books(card_room)
    jackpots = books.jackpots()
    made = {name: make(books, jackpots, card_room._clock()) for name, make in ON_JACKPOTS.items()}
    made["master"] = master_report(books, None, card_room._clock())
    made["activity"] = activity_report(books, jackpots, books.tables(), "All", card_room._clock(), expected=False)
    for name, report in made.items():
        entry = report_parts(report)
        parts = [part for part in entry["parts"] if part["name"] != "books"]
        progress[name] = {"money": entry["money"], "parts": parts, "faults": entry["faults"]}
    return progress


def report_parts(report: AccountingReport) -> dict[str, Any]:
    entry: dict[str, Any] = json.loads("".join(json_pieces(report)))
    return entry


def test_the_card_rooms_reports_are_the_same_with_and_without_play_money(room: tuple[Room, dict[str, Any]]) -> None:
    here, before = room
    after = everything(here.card_room)
    assert after == before
    assert len(before) == 6
    assert {one["money"] for one in after.values()} == {"room"}
    assert all(one["parts"] for one in after.values())
    assert whole_but_for_the_table(here.card_room)


def test_a_report_on_play_money_is_labeled_and_adds_up(room: tuple[Room, dict[str, Any]]) -> None:
    card_room = room[0].card_room
    books, now = open_room_books(card_room), room[0].clock()
    made = (
        history_report(books, ("play-four",), now),
        meters_report(books, ("play-four",), now),
        master_report(books, "play-1", now),
        recall_report(books, "play-1", now),
        recall_report(books, "play-four", now),
    )
    for report in made:
        entry = report_parts(report)
        assert (entry["money"], entry["faults"]) == ("play", []), report.kind
        assert ("Money", "play money, without cash value; not part of the card room's money") in report.facts
        assert any(part["lines"] for part in entry["parts"])
    (line,) = report_parts(master_report(books, "play-1", now))["parts"][0]["lines"]
    assert (line["rounds"], line["wagers"], line["drop"]) == (4, 12, 12_00 * CENT)


def test_play_money_has_no_bank_account_to_report_on(room: tuple[Room, dict[str, Any]]) -> None:
    books = open_room_books(room[0].card_room)
    for make in (deposits_report, reconciliation_report):
        with pytest.raises(NoBankAccount, match="play-four"):
            make(books, ("play-four",), 0)


def test_a_report_on_jackpots_of_both_currencies_covers_card_room_money(room: tuple[Room, dict[str, Any]]) -> None:
    books = open_room_books(room[0].card_room)
    report = report_parts(meters_report(books, ("play-four", "final-four"), 0))
    assert {line["jackpot"] for line in report["parts"][0]["lines"]} == {"final-four"}


def test_the_day_book_lists_play_money_separately(tmp_path: Path) -> None:
    here = Room(f"sqlite:///{tmp_path}/books.db")
    here.clock.set(2, 12)
    here.card_room.days.open(new_id(), "Olga")
    play_for_nothing(here)
    here.card_room.days.close(new_id(), "Olga")
    book = day_book(here.card_room, None, here.clock())
    chapters = [part.chapter for part in book.sections if part.chapter]
    assert "Play money" in chapters
    parts = {
        part["name"]: part["lines"] for part in report_parts(day_book(here.card_room, None, here.clock()))["parts"]
    }
    assert [line["jackpot"] for line in parts["play-money-meters"]] == ["play-four"]
    assert (parts["meters"], parts["tables"], parts["claims"]) == ([], [], [])
    assert any("of play money" in line["words"] for line in parts["open"])
    assert "PLAY MONEY" in " ".join(pieces(report_pdf(book))).upper()
    here.ledger.close()


def test_a_slip_says_that_it_is_play_money_and_who_verified_it(room: tuple[Room, dict[str, Any]]) -> None:
    card_room = room[0].card_room
    (pending,) = claim_slips(card_room, "play-four", "play-1.4")
    assert pending.surveillance == ""
    card_room.payments.pay(new_id(), "Rosa", "play-four", "play-1.4", paid={}, second="Lee")
    (slip,) = claim_slips(card_room, "play-four", "play-1.4")
    assert (slip.money, slip.verified, slip.player) == (Currency.PLAY, "Rosa and Lee", "ada")
    assert slip.payment == "balance play-1.4 seat 1"
    assert slip.words.endswith(", play money")
    assert slips_json([slip])[0]["money"] == "play"
    assert "play money, without cash value" in " ".join(pieces(slips_pdf([slip], 0)))
    claims = [one for one in card_room.history.list_jackpot_events("final-four") if one.kind == "claim-paid"]
    (dollars, *_) = claim_slips(card_room, "final-four", str(claims[0].payload["claim"]))
    assert (dollars.money, dollars.of_money) == (Currency.REAL, "dollars")
