"""The jackpot system through the command line: a whole evening on both databases, and what is refused."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from datetime import date, datetime, time, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cardroom.cli.app import app
from cardroom.cli.shared import ledger_access as office
from cardroom.games import default_setup, game, game_slugs, round_to_json
from cardroom.games.example_rounds import example_json
from cardroom.games.setup import setup_to_json
from cardroom.ledger import open_ledger, system_clock
from cardroom.room.claim.typed_hand import TypedHand, play_typed_hand
from cardroom.room.setup.calendar import open_calendar
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.service import CardRoom, LoggerFile
from tests.cli.card_room import House, staffed, with_second
from tests.room.jackpots import duel_record
from tests.service.staff import password_of

ROYAL = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
BY_CHECK = ("--player", "Ann Lee", "--payment", "check", "--reference", "1077")
IN_CASH = ("--player", "Ann Lee", "--payment", "cash", "--reference", "C-9")
AGAIN = ("--why", "The slip was misread", "--second", "carl")
TODAY = ("--statement", "today")
SEEN = ("--surveillance", "vera", "--checked-at", "now")
CENT, DOLLAR = 100, 10_000


# A whole evening.


def test_an_evening_at_a_card_room(each_house: House) -> None:
    house = each_house
    house.open()
    second = (house.folder / "table.toml").read_text().replace("table-1", "table-2").replace("T-1001", "T-1002")
    (house.folder / "second.toml").write_text(second.replace('jackpot = "final-four"\n', ""))
    house.execute("tabulator", "add", str(house.folder / "second.toml"))
    assert house.execute("tabulator", "link", "table-2", "final-four", "--why", "Weekends")["jackpots"] == [
        "final-four"
    ]

    for number in range(5):
        house.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"one-{number}", by="kim")
    counted = house.execute("tabulator", "press", "table-2", "--positions", "2,4", "--round", "two-1", by="dora")
    assert counted["shown_cents"] == {"final-four": [5_006_40]}
    assert [light["position"] for light in counted["lights"]] == [2, 4]

    made = house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    assert made["cents"] == made["pending"][0]["cents"] == 5_006_40
    assert house.meter()["shown_cents"] == 5_000_00
    house.execute("tabulator", "press", "table-2", "--positions", "2", "--round", "two-2", by="dora")
    assert house.meter()["shown_cents"] == 5_000_20

    pay = ("claim", "pay", "final-four", "royal", *BY_CHECK)
    assert (
        "kim is a dealer: only supervisors, cage staff, and surveillance officers may pay or refuse a jackpot"
        in house.refused(*pay, "--by", "kim")
    )
    assert "--second LOGIN" in house.refused(*pay)
    assert "kim is a dealer: only " in house.refused(*pay, "--second", "kim")
    assert "over $3,000" in house.refused(*pay, "--second", "carl")
    short = house.refused(*pay, *SEEN, "--second", "carl")
    assert "has $0.00. To pay check 1077, it needs $5,006.40: $5,006.40 more. Record a deposit" in short
    house.execute("jackpot", "deposit", "final-four", "5006.40", "--slip", "4470")
    paid = house.execute("claim", "pay", "final-four", "roy", *BY_CHECK, *SEEN)
    assert paid["cents"] == 5_006_40
    (payout,) = paid["payouts"]
    assert payout == {
        "seat": 3,
        "player": "Ann Lee",
        "payment": "check",
        "reference": "1077",
        "cents": 5_006_40,
        "escrow": 5_006_40 * CENT,
        "undeposited": 0,
    }

    deposited = house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    assert deposited["escrow"] == deposited["owed"]
    assert deposited["undeposited"] == 0
    typo = house.refused("jackpot", "reconcile", "final-four", "4999", *TODAY)
    assert "the bank account is $1.25 short. That closes" in typo
    closed = house.execute("jackpot", "reconcile", "final-four", "4999", *TODAY, "--shortage", "1.25", exit_code=1)
    assert closed["short"] == deposited["owed"] - 4_999 * DOLLAR
    assert "less than it owes" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    right = ("jackpot", "reconcile", "final-four", "5012.65", *TODAY)
    assert "Two people must sign for the statement of" in house.refused(*right)
    opened = house.execute(*right, *AGAIN)
    assert opened["unavailable"] is None
    assert opened["surplus"] == opened["reconciliation"]["adjusted"] - opened["reconciliation"]["books"] > 0

    verified = house.read_json("verify")
    assert verified["whole"]
    assert (verified["tabulators"], verified["jackpots"], verified["claims"]) == (2, 1, 1)


def test_the_history_has_no_gap(house: House) -> None:
    house.open()
    for number in range(3):
        house.execute("tabulator", "press", "table-1", "--positions", "1,2,3", "--round", f"r{number}", by="kim")
    house.report("R-31")
    correction = ("--reason", "malfunction", "--report", "R-31", "--down", "0.50", "--why", "Stuck", "--second", "lee")
    house.execute("jackpot", "adjust", "final-four", *correction)
    house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r9", by="kim")
    house.execute("rounds", "void", "table-1", "r9", "--why", "The shuffler jammed", "--second", "lee")
    house.execute(
        "claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--round", "r2", "--id", "c", by="kim"
    )
    house.execute("claim", "refuse", "final-four", "c", "--why", "No wager lay there")
    for rounds in ((), ("--rounds",)):
        lines = house.read_json("jackpot", "history", "final-four", *rounds)
        moved = [one for one in reversed(lines) if one["level"] == "main" and one["held"] == "display"]
        amount = 0
        for one in moved:
            if one["before"] is not None:
                assert one["before"] == amount, one
                amount += one["amount"]
        assert amount == house.meter()["display"] == 5_001_30 * CENT
    assert len(lines) > len(house.read_json("jackpot", "history", "final-four"))
    assert len(house.read_json("jackpot", "history", "final-four", "--last", "2")) == 2
    for_people = house.said("jackpot", "history", "final-four")
    for word in ("seed money", "correction of a malfunction", "prize won", "reset", "prize refused", "report R-31"):
        assert word in for_people
    assert "rosa and lee" in " ".join(for_people.split())


def test_a_deposit_of_all_that_waits_is_made_once_however_often_it_is_sent(house: House) -> None:
    house.open()
    friday = ("jackpot", "deposit", "final-four", "all", "--slip", "4471", "--id", "friday")
    first = house.execute(*friday)
    assert (first["repeated"], first["undeposited"]) == (False, 0)
    assert house.execute(*friday) == first | {"repeated": True}


def test_a_reconciliation_shows_what_was_allowed_for_and_whose_money_is_too_much(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "4000", "--slip", "4471")
    house.execute("jackpot", "deposit", "final-four", "1000", "--slip", "4472")
    reconcile = ("jackpot", "reconcile", "final-four", "4012.40", *TODAY, "--in-transit", "4472")
    page = " ".join(house.said(*reconcile).split())
    for line in (
        "$4,012.40",
        "deposit in transit +$1,000.00",
        "Adjusted bank balance $5,012.40",
        "The bank has $12.40 more than the ledger (unexplained surplus: investigate).",
    ):
        assert line in page
    older = ("jackpot", "reconcile", "final-four", "0", "--statement", "2026-03-01")
    assert "it had no account on 2026-03-01" in house.refused(*older)
    history = " ".join(house.said("jackpot", "history", "final-four").split())
    assert "unexplained surplus $12.40: investigate" in history
    assert "slip 4472 in transit $1,000.00" in history


def test_a_surplus_lists_what_the_statement_may_not_have(house: House) -> None:
    """The bank has not paid the check yet, and does not have the last deposit: together they explain it to the cent."""
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    house.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    house.execute("jackpot", "deposit", "final-four", "4000", "--slip", "4472")
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4473")
    house.execute("claim", "pay", "final-four", "royal", *BY_CHECK, *SEEN)
    output = house.execute("jackpot", "reconcile", "final-four", "9000", *TODAY, "--id", "first")
    assert output["surplus"] == 4_000 * DOLLAR
    named = {one["name"]: one["amount"] // DOLLAR for one in output["reconciliation"]["unnamed"]}
    assert named == {"slip 4471": 5_000, "slip 4472": 4_000, "slip 4473": 1_001, "check 1077": -5_001}
    page = " ".join(house.said("jackpot", "reconcile", "final-four", "9000", *TODAY, "--id", "first").split())
    assert "Not named as missing on the statement: slip 4471 (+$5,000.00), slip 4472 (+$4,000.00), slip 4473" in page
    assert "Enter the statement again with --in-transit SLIP and --outstanding NUMBER." in page
    under_way = ("--in-transit", "4473", "--outstanding", "1077")
    half = house.execute("jackpot", "reconcile", "final-four", "9001", *TODAY, *under_way, *AGAIN)
    assert [one["name"] for one in half["reconciliation"]["unnamed"]] == ["slip 4471", "slip 4472"]
    explained = house.execute("jackpot", "reconcile", "final-four", "9000", *TODAY, *under_way, *AGAIN)
    assert (explained["surplus"], explained["reconciliation"]["unnamed"]) == (0, [])
    assert house.read_json("verify")["whole"]


def test_an_overdrawn_account_is_reconciled_behind_two_dashes(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    typed = house.refused("jackpot", "reconcile", "final-four", "-5", *TODAY)
    assert typed.endswith("after two dashes, such as `-- -5`.")
    short = house.refused("jackpot", "reconcile", "final-four", *TODAY, "--", "-5")
    assert "With a balance of -$5, the bank account is $5,005 short" in short
    assert "Not named as missing on the statement: slip 4471 (+$5,000.00)." in short
    assert short.endswith("confirm a shortage of $5,005 (--shortage DOLLARS).")
    house.said("jackpot", "reconcile", "final-four", *TODAY, "--shortage", "5005", "--", "-5", exit_code=1)
    assert house.read_json("jackpot", "show", "final-four")["short"] == 5_005 * DOLLAR
    assert house.read_json("verify")["whole"]


def test_a_reason_that_is_missing_names_its_option(house: House) -> None:
    house.open()
    assert house.refused("jackpot", "disable", "final-four") == (
        "The reason is missing. The ledger records who did what, and why (--why REASON)."
    )


def test_the_reason_of_a_statement_is_printed_once(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    house.execute("jackpot", "reconcile", "final-four", "5000", *TODAY)
    house.execute("jackpot", "reconcile", "final-four", "5000", *TODAY, *AGAIN)
    for words in (("report", "history", "final-four"), ("jackpot", "history", "final-four")):
        page = " ".join(house.said(*words).split())
        assert page.count("The slip was misread") == 1, words


def test_a_check_and_a_transfer_do_not_share_a_number(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    house.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4472")
    house.execute("claim", "pay", "final-four", "royal", *BY_CHECK, *SEEN)
    house.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r2", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "next", by="kim")
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4473")
    heads = house.heads()
    transfer = ("--player", "Ann Lee", "--payment", "transfer", "--reference", "1077")
    beside = with_second("claim", "pay", by=None)
    refused = house.refused("claim", "pay", "final-four", "next", *transfer, *SEEN, *beside)
    assert refused.startswith("Check 1077 was entered on 20")
    assert refused.endswith("each one has a number of its own, so check the number.")
    paid_back = ("jackpot", "reimburse", "final-four", "all", "--reference", "1077", "--second", "carl")
    assert house.refused(*paid_back).startswith("Check 1077 was entered on 20")
    assert house.heads() == heads
    house.execute("claim", "pay", "final-four", "next", *transfer[:-1], "T-1077", *SEEN)
    assert house.read_json("verify")["whole"]


def test_a_claim_of_a_table_in_the_room_goes_to_no_balance(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    beside = with_second("claim", "pay", by=None)
    for words in ((), IN_CASH):
        refused = house.refused("claim", "pay", "final-four", "royal", "--balance", *words, *SEEN, *beside)
        assert refused.startswith("Claim royal was not won by a player of an automatic table: ")
    assert house.read_json("jackpot", "show", "final-four")["claims"]


def test_a_surplus_is_shown_until_a_reconciliation_finds_it_gone(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    house.said("day", "open")

    def output() -> list[str]:
        (standing,) = house.read_json("jackpot", "list")["jackpots"]
        assert standing["surplus"] == house.read_json("jackpot", "show", "final-four")["surplus"]
        day = house.read_json("day", "show")
        found = [one["words"] for one in day["open"] if one["what"] == "surplus at the bank"]
        pages = [house.said("jackpot", *words) for words in (("list",), ("show", "final-four"))]
        sentence = f"the bank account has {found[0] if found else ''}"
        assert [sentence in " ".join(page.split()) for page in pages] == [bool(found)] * 2
        assert standing["surplus"] == (12_40 * CENT if found else 0)
        return found

    assert output() == []
    assert house.execute("jackpot", "reconcile", "final-four", "5012.40", *TODAY)["surplus"] == 12_40 * CENT
    house.execute("jackpot", "disable", "final-four", "--why", "Dark")
    assert output() == ["$12.40 more than the ledger (unexplained surplus: investigate)"]
    assert [one["what"] for one in house.read_json("day", "close")["open"]] == ["surplus at the bank"]
    house.said("day", "open")
    assert len(output()) == 1
    house.execute("jackpot", "reconcile", "final-four", "5000", *TODAY, *AGAIN)
    assert output() == []
    assert house.read_json("verify")["whole"]


def test_a_statement_of_today_tells_of_the_moment_of_its_entry(house: House) -> None:
    house.open()
    output = house.execute("jackpot", "reconcile", "final-four", "0", *TODAY, "--id", "now")
    at = output["reconciliation"]["at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", at)
    again = house.said("jackpot", "reconcile", "final-four", "0", *TODAY, "--id", "now")
    assert f"Ledger balance now, {at}" in again
    assert "at the end of" not in again
    yesterday = date.fromisoformat(at[:10]) - timedelta(days=1)
    house.begin_again()
    house.open()
    page = house.said("jackpot", "reconcile", "final-four", "0", "--statement", f"{yesterday}")
    assert f"Ledger balance at the end of {yesterday}" in page


def test_what_came_after_a_statement_is_worked_out(house: House) -> None:
    house.open()
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    yesterday = open_calendar().local(system_clock()).date() - timedelta(days=1)
    output = house.execute("jackpot", "reconcile", "final-four", "0", "--statement", str(yesterday))
    assert output["reconciliation"]["later"] == [{"name": "slip 4471", "amount": 5_000 * DOLLAR}]
    assert (output["short"], output["surplus"], output["reconciliation"]["books"]) == (0, 0, 0)


def test_money_that_waits_says_until_when(house: House) -> None:
    house.open()
    due = house.read_json("jackpot", "show", "final-four")["deposit_due"]
    assert (due["amount"], due["is_due"], due["overdue_days"]) == (5_000 * DOLLAR, False, 0)
    assert f"to deposit by {due['by']}: $5,000.00" in house.said("jackpot", "show", "final-four")
    assert "overdue" not in house.said("jackpot", "history", "final-four")
    assert house.execute("jackpot", "deposit", "final-four", "all", "--slip", "1")["deposit_due"] is None


def test_a_deposit_that_is_due_warns_wherever_the_jackpot_is_looked_at(empty_house: House) -> None:
    setup = read_jackpot_setup(empty_house.said("jackpot", "print-example", "three-card-prime", "jackpot"))
    calendar = open_calendar()
    since = calendar.local(system_clock()).date() - timedelta(days=20)  # the money waits since then
    clock = count(calendar.moment(datetime.combine(since, time(12)))).__next__
    with open_ledger(empty_house.database, clock) as ledger:
        CardRoom(ledger, clock).open_jackpot("open", "rosa", setup)
    house = House(empty_house.database, empty_house.folder, staffed(empty_house.database))
    table = house.folder / "table.toml"
    table.write_text(house.said("jackpot", "print-example", "three-card-prime", "table"))
    house.execute("tabulator", "add", str(table))
    (output,) = (one["deposit_due"] for one in house.read_json("jackpot", "list")["jackpots"])
    assert (output["since"], output["by"], output["is_due"]) == (str(since), str(since + timedelta(days=7)), True)
    sentence = f"A deposit of $5,000.00 for final-four is overdue by {output['overdue_days']} days"
    for look in (("jackpot", "list"), ("jackpot", "show", "final-four"), ("jackpot", "history", "final-four")):
        assert sentence in house.said(*look)
    assert "DEPOSIT OVERDUE. final-four" in house.said("report", "history", "final-four")
    assert "DEPOSIT OVERDUE. final-four" in house.said("report", "meters", "final-four")
    assert "DEPOSIT OVERDUE. final-four" in house.said("report", "events", "final-four")
    narrow = house.run("jackpot", "show", "final-four", COLUMNS="60").stdout.splitlines()
    (first,) = (place for place, line in enumerate(narrow) if line.startswith("  A deposit of"))
    assert narrow[first + 1].startswith("  ")
    assert narrow[first + 1].strip()
    assert sentence in house.said("jackpot", "disable", "final-four", "--why", "Dark")
    assert house.execute("jackpot", "enable", "final-four")["deposit_due"]["overdue_days"] == output["overdue_days"]
    for quiet in (
        ("display", "show", "table-1"),
        ("tabulator", "press", "table-1", "--positions", "none", "--by", "kim"),
    ):
        assert "overdue" not in house.said(*quiet)
    assert "overdue" not in house.said("jackpot", "deposit", "final-four", "all", "--slip", "1")


def test_five_reasons_to_reduce_and_no_others(house: House) -> None:
    house.open()
    for number in range(10):
        house.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    house.report("R-31")
    adjust = ("jackpot", "adjust", "final-four", "--why", "Said so", "--second", "lee", "--reason")
    correct = (*adjust, "malfunction", "--report", "R-31")
    assert house.execute(*correct, "--up", "5")["meters"][0]["shown_cents"] == 5_017_00
    assert house.execute(*correct, "--down", "7")["meters"][0]["shown_cents"] == 5_010_00
    assert house.execute(*adjust, "seed", "--up", "1,000")["meters"][0]["shown_cents"] == 6_010_00
    assert house.execute(*adjust, "seed-recovery", "--down", "$1,010")["meters"][0]["seed_owed"] == 4_990 * DOLLAR
    assert "above its reset value by $0" in house.refused(*adjust, "seed-recovery", "--down", "1")
    assert house.execute(*adjust, "not-displayed", "--down", "3", "--from", "reserve")["meters"][0]["reserve"] == 0
    assert "Level main shows $5,000, which is not above a ceiling" in house.refused(*adjust, "above-cap")
    assert "by a claim" in house.refused(*adjust, "prize-won", "--down", "1")
    output = house.refused(*adjust, "profit", "--down", "1")
    assert output.startswith("--reason: 'profit' is not one of 'malfunction', 'above-cap', ")


def test_a_broken_tabulator_is_counted_by_hand(house: House) -> None:
    house.open()
    assert house.execute("tabulator", "fault", "table-1", "--why", "Sensor 3 is dead")["broken"] == "Sensor 3 is dead"
    assert "count by hand" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    counted = house.execute("tabulator", "count-by-hand", "table-1", "--positions", "1,3", by="kim")
    assert counted["counts"] == {"final-four": 2}
    assert [mark["position"] for mark in counted["stay"]] == [1, 3]
    repaired = house.execute("tabulator", "clear-fault", "table-1", "--unit", "T-2000", "--counter", "7")
    assert (repaired["unit"], repaired["counters"], repaired["broken"]) == ("T-2000", [7], None)
    assert house.execute("tabulator", "read", "table-1", "9")["counts"] == {"final-four": 2}
    assert "shows 9 and cannot go down to 3" in house.refused("tabulator", "read", "table-1", "3")
    house.execute("tabulator", "report-lights", "table-1", "--failed", "3,4")
    counted = house.execute("tabulator", "press", "table-1", "--positions", "2,3", by="kim")
    assert [light["position"] for light in counted["lights"]] == [2]
    assert [mark["position"] for mark in counted["lammers"]] == [3]
    recalled = house.read_json("tabulator", "history", "table-1")
    assert [event["kind"] for event in recalled] == ["round-tabulated", "counter-read", "round-counted-by-hand"]
    assert "counted by hand" in house.said("tabulator", "history", "table-1")


def test_lammers_mark_the_larger_wager(house: House) -> None:
    house.open("texas-shootout")
    house.execute("tabulator", "press", "table-1", "--positions", "1,2,6", "--lammers", "2", by="kim")
    assert house.read_json("jackpot", "show", "texas-shootout-jackpot")["wagered"] == 4 * DOLLAR
    assert "no jackpot wager" in house.refused(
        "tabulator", "press", "table-1", "--positions", "1", "--lammers", "5", "--by", "kim"
    )
    typed = ("claim", "add", "texas-shootout-jackpot", "table-1", "--cards", "hand=As Ks")
    typed += ("--cards", "community=Qs Js Ts 2d 3c")
    won = house.execute(*typed, "--seat", "2", "--wagered", "2", by="kim")
    assert won["pending"][0]["event"] == "royal-flush"


def test_what_was_counted_at_a_seat_need_not_be_typed_again(house: House) -> None:
    house.open("texas-shootout")
    house.execute("tabulator", "press", "table-1", "--positions", "1,2,6", "--lammers", "2", "--round", "r1", by="kim")
    hand = ("--cards", "hand=Qh Qd", "--cards", "community=Qs Qc Ts 2d 3c")
    claim = ("claim", "add", "texas-shootout-jackpot", "table-1", *hand)
    prizes = {}
    for seat, counted, wrong in (("1", "$1", "2"), ("2", "$2", "1")):
        refused = house.refused(*claim, "--seat", seat, "--wagered", wrong, "--by", "kim")
        assert f"At position {seat} {counted} was counted" in refused
        won = house.execute(*claim, "--seat", seat, "--id", f"seat {seat}", by="kim")
        prizes[seat] = sum(prize["cents"] for prize in won["paid"])
        assert house.execute(*claim, "--seat", seat, "--id", f"seat {seat}", by="kim")["repeated"]
    assert prizes["2"] == 2 * prizes["1"] > 0
    nothing = house.refused(*claim, "--seat", "3", "--by", "kim")
    assert "No wager on texas-shootout-jackpot was counted at seat 3 in round r1" in nothing
    assert "--wagered 0" in nothing
    assert "Round r9 was not counted" in house.refused(*claim, "--seat", "1", "--round", "r9", "--by", "kim")


def test_the_records_of_a_data_logger_count_once(house: House) -> None:
    house.open("deuces-wild", milky_way="andromeda-1")
    log = house.folder / "T-1001.log"
    with LoggerFile(log, "T-1001") as file:
        for number in range(1, 4):
            file.record(f"r{number}", [1, 2], time=number, dealer="Kim", counter=2 * number)
    before = log.read_bytes()
    assert house.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 3
    assert house.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 0
    log.write_bytes(before)
    assert house.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 3
    assert house.read_json("jackpot", "list")["tables"][0]["counters"] == [6]
    assert "data logger" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "no file" in house.refused("data-logger", "forward", "table-1", str(house.folder / "none.log"))


def test_parameters_wait_where_players_would_lose(house: House) -> None:
    house.open()
    change = ("jackpot", "change", "final-four", "--why", "Budget", "--second", "lee")
    assert house.execute(*change, "ceiling=60000")["waiting"] == []
    assert house.execute(*change, "contribution=15%")["waiting"] == ["main"]
    assert "after the reset" in house.said("jackpot", "show", "final-four")
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, by="kim")
    shown = house.read_json("jackpot", "show", "final-four")
    assert shown["parameters"]["main"]["contribution"] == "3/20"
    assert "cannot be changed" in house.refused(*change, "colour=red")
    assert "NAME" in house.refused(*change, "contribution").replace("contribution=25%", "NAME")


def test_a_bonus_jackpot_is_the_houses_own(house: House) -> None:
    house.open("deuces-wild")
    bonus = ("jackpot", "change", "deuces-wild-jackpot", "--why", "Spring", "--bonus", "five-wild-cards=$5,000")
    assert "rosa cannot be the second one beside rosa" in house.refused(*bonus, "--second", "rosa")
    house.execute(*bonus, "--second", "lee")
    house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", by="kim")
    hand = ("--cards", "hand=2c 2d Jk", "--cards", "fourth=2h", "--cards", "fifth=2s")
    made = house.execute("claim", "add", "deuces-wild-jackpot", "table-1", *hand, "--round", "r1", by="kim")
    assert made["pending"][0]["cents"] == 5_000_00
    assert made["summary"]["owed"] == 0
    assert house.execute("jackpot", "remove", "deuces-wild-jackpot", "--why", "Over", "--second", "lee")["unavailable"]


def test_a_progressive_is_not_removed_but_disabled(house: House) -> None:
    house.open()
    before = house.meter()
    assert "players'" in house.refused("jackpot", "remove", "final-four", "--why", "Over", "--second", "lee")
    assert house.execute("jackpot", "disable", "final-four", "--why", "Dark")["unavailable"] == "Dark"
    assert "Dark" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "Not available" in house.said("display", "show", "table-1")
    assert house.execute("jackpot", "enable", "final-four")["meters"] == [before]


def test_a_table_leaves_a_jackpot(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", by="kim")
    left = house.execute("tabulator", "unlink", "table-1", "final-four", "--why", "A quiet week")
    assert left["jackpots"] == []
    assert {"what": "sensor 1 jackpot", "before": "final-four", "after": "none"} in left["changes"]
    assert "is disabled at table-1" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert house.meter()["shown_cents"] == 5_000_20
    assert "Final Four Jackpot progressive" not in house.said("display", "show", "table-1")
    assert house.execute("claim", "add", "final-four", "table-1", *ROYAL, by="kim")["cents"] == 5_000_20


def test_a_table_is_changed_moved_closed_and_opened_again(house: House) -> None:
    house.open()
    file = house.folder / "table.toml"
    assert "open already" in house.refused("tabulator", "add", str(file))
    assert "change the setup of table-1" in house.refused("tabulator", "add", str(file))
    file.write_text(file.read_text().replace("seats = 6", "seats = 5"))
    changed = house.said("tabulator", "change", str(file), "--why", "Fewer seats")
    assert "seats: 6 to 5" in changed
    move = ("tabulator", "move", "table-1", "Hill", "--why", "A new wing")
    assert "a meter has one location" in house.refused(*move)
    house.execute("tabulator", "unlink", "table-1", "final-four", "--why", "A quiet week")
    assert "location: Main Street to Hill" in house.said(*move)
    closed = house.execute("tabulator", "remove", "table-1", "--why", "The season is over")
    assert closed["closed"] == "The season is over"
    shown = " ".join(house.said("jackpot", "list").split())
    assert "closed: The season is over" in shown
    assert "T-1001" not in shown
    (table,) = house.read_json("jackpot", "list")["tables"]
    assert (table["unit"], table["counters"]) == ("", [])
    assert "was removed" in house.refused("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    lines = house.read_json("jackpot", "history", "table-1")
    assert [line["reason"] for line in lines] == ["removed", "changed", "changed", "changed", "set up"]
    assert "Fewer seats" in lines[3]["note"]
    assert "seats: 6 to 5" in lines[3]["note"]
    assert house.execute("tabulator", "add", str(file))["closed"] is None


def test_a_table_does_not_play_for_a_jackpot_that_was_removed(house: House) -> None:
    house.said("jackpot", "print-example", "texas-shootout", "--kind", "bonus", "-o", str(house.folder))
    jackpot = house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))["jackpot"]
    assert house.execute("tabulator", "add", str(house.folder / "table.toml"))["jackpots"] == [jackpot]
    house.execute("jackpot", "remove", jackpot, "--why", "Nobody plays it", "--second", "lee")
    assert f"{jackpot} (removed)" in " ".join(house.said("jackpot", "list").split())


def test_a_lammers_sensor_is_not_blamed_for_keys_that_no_user_wrote(open_house: House) -> None:
    text = open_house.said("jackpot", "print-example", "three-card-prime", "table").replace("table-1", "table-7")
    wrong = text.replace('jackpot = "final-four"', "lammer_of = 1")
    refused = open_house.refused("tabulator", "add", "-", typed=wrong)
    assert "'wager' in sensors, number 1 is not known: use lammer_of." in refused
    assert "paytable" not in refused


@pytest.mark.parametrize(("name", "setting"), [("heads_command", "command"), ("heads_folder", "folder")])
def test_a_destination_of_heads_in_the_rooms_set_up_is_refused_with_where_it_belongs(
    house: House, name: str, setting: str
) -> None:
    (house.folder / "room.toml").write_text(f'{name} = "/usr/bin/touch"\n', "utf-8")
    said = house.refused("room", "configure", str(house.folder / "room.toml"), "--why", "heads", "--second", "lee")
    assert f"write '{setting}' under [heads] in the machine's configuration (machine.toml)" in said


def test_a_round_is_claimed_from_its_record(house: House) -> None:
    house.open()
    table = game("three-card-prime").open(default_setup("three-card-prime"))
    played = play_typed_hand(table, TypedHand("final-four", 1_00, {"hand": "Jd Qd Kd", "fourth": "Ad"}, seat=2))
    file = house.folder / "round.json"
    file.write_text(json.dumps(round_to_json(played)))
    claim = ("claim", "add", "final-four", "table-1", str(file), "--round", "r1")
    assert "not counted" in house.refused(*claim, "--by", "kim")
    house.execute("tabulator", "press", "table-1", "--positions", "2,4", "--round", "r1", by="kim")
    made = house.execute(*claim, by="kim")
    assert [(prize["seat"], prize["cents"]) for prize in made["pending"]] == [(2, 5_000_40)]
    assert "already claimed: claim " in house.refused(*claim, "--by", "kim")
    losing = example_json("three-card-prime")
    typed = ("claim", "add", "final-four", "table-1", "-", "--round", "r2", "--by", "kim")
    assert "No hand wins on final-four" in house.refused(*typed, typed=losing)
    for text in ("no round", "[1]", "{}", "[" * 100_000, losing.replace("{", '{"tip": 1.5,', 1)):
        assert house.refused(*typed, typed=text).endswith(".")
    twice = losing.replace('"wagers"', '"wagers": {}, "wagers"', 1)
    digits = losing.replace('"seats": 6', f'"seats": {"6" * 5_000}')
    no_wagers = '{"table": {"game": "three-card-prime", "wagers": "x"}}'
    for text in (twice, digits, no_wagers, '{"table": 5}', '{"table": {"game": [], "wagers": {}}}', '{"x": NaN}'):
        sentence = house.refused(*typed, typed=text)
        assert sentence.endswith(".")
        assert len(sentence) < 600


def test_the_seat_of_the_only_wager_need_not_be_said(house: House) -> None:
    house.open()
    claim = ("claim", "add", "final-four", "table-1", *ROYAL)
    house.execute("tabulator", "press", "table-1", "--positions", "2,4", "--round", "r1", by="kim")
    assert "2, 4" in house.refused(*claim, "--by", "kim")
    assert "only at 2, 4" in house.refused(*claim, "--seat", "1", "--by", "kim")
    house.execute("tabulator", "press", "table-1", "--positions", "5", "--round", "r2", by="kim")
    assert house.execute(*claim, by="kim")["pending"][0]["seat"] == 5


def test_a_promotion_of_dueling_for_dollars_has_its_owners_consent(house: House) -> None:
    text = house.said("jackpot", "print-example", "dueling-for-dollars", "promotion")
    assert 'consent = "letter of ' in text
    without = "\n".join(line for line in text.splitlines() if not line.startswith("consent"))
    announce = ("promotion", "add", "-")
    assert "needs the written consent of Galaxy Gaming" in house.refused(*announce, typed=without)
    house.read_json(*announce, typed=text)
    (shown,) = house.read_json("promotion", "list")
    assert shown["setup"]["consent"].startswith("letter of ")
    assert f"with written consent: {shown['setup']['consent']}" in " ".join(house.said("promotion", "list").split())


def test_promotions_are_announced_paid_and_ended(house: House) -> None:
    house.open()
    record = house.folder / "round.json"
    record.write_text(example_json("three-card-prime"))
    payments = house.read_json("settle", str(record))["payments"]
    won = next(one for one in payments if one["net"] > 0 and one["spot"] in ("prime", "pair-bonus", "all-six"))
    winners = [one["seat"] for one in payments if (one["spot"], one["event"]) == (won["spot"], won["event"])]
    printed = json.loads(record.read_text())["table"]["wagers"][won["spot"]]["paytable"]
    text = house.said("jackpot", "print-example", "three-card-prime", "promotion").replace("more-for-prime", "more")
    text = text.replace('"prime"', f'"{won["spot"]}"').replace('"PRW-1"', f'"{printed}"')
    text = text.replace('"same-color-player-and-dealer"', f'"{won["event"]}"')

    announced = house.read_json("promotion", "add", "-", typed=text)
    assert announced["prizes_left"] == 100
    assert "More for Prime" in house.said("display", "show", "table-1")
    pay = ("promotion", "pay", "more", "table-1", str(record), "--round")
    assert "round r1, which was neither counted nor entered" in house.refused(*pay, "r1", "--by", "kim")
    for round_id in ("r1", "r2"):
        house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", round_id, by="kim")
    paid = house.execute(*pay, "r1", by="kim")
    assert (paid["seats"], paid["cents"]) == (winners, len(winners) * 25_00)
    assert "is already paid for round r1 of table-1" in house.refused(*pay, "r1", "--by", "kim")
    assert house.execute(*pay, "r2", "--when", "2199-01-01", by="kim")["cents"] == 0
    said = house.refused(*pay, "r2", "--by", "kim")
    assert "paid this hand as round r1 of table-1" in said
    again = ("r2", "--dealt-again", "Surveillance saw both")
    assert "Two people" in house.refused(*pay, *again, "--by", "kim")
    assert house.execute(*pay, *again, "--second", "lee", by="kim")["seats"] == winners
    twin = text.replace('id = "more"', 'id = "twin"').replace("More for Prime", "more for PRIME")
    assert "is the name of promotion more" in house.refused("promotion", "add", "-", typed=twin)
    assert "not a date" in house.refused(*pay, "r2", "--when", "tomorrow", "--by", "kim")
    assert house.execute("promotion", "end", "more", "--why", "Sold out")["ended"]
    (shown,) = house.read_json("promotion", "list")
    assert (shown["ended"], shown["prizes"]) == (True, 2 * len(winners))
    assert "ended" in house.said("promotion", "list")
    assert house.read_json("verify")["whole"]


# Once and only once.


def test_a_command_that_is_sent_twice_is_done_once(house: House) -> None:
    house.open()
    press = ("tabulator", "press", "table-1", "--positions", "1,2", "--id", "press-1")
    first, again = house.execute(*press, by="kim"), house.execute(*press, by="kim")
    assert (first.pop("repeated"), again.pop("repeated")) == (False, True)
    assert first == again
    assert house.meter()["shown_cents"] == 5_000_40
    assert "ran before" in house.said(*press, "--by", "kim")
    assert "The id press-1 belongs to an earlier command" in house.refused(
        *press[:4], "3", "--id", "press-1", "--by", "kim"
    )


def test_a_claim_may_be_paid_twice_over_and_is_paid_once(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "3f2a-77", by="kim")
    pay = ("claim", "pay", "final-four", "3f", *IN_CASH, *SEEN, "--id", "pay-1")
    assert house.execute(*pay)["cents"] == house.execute(*pay)["cents"]
    assert "no pending claim" in house.refused(*pay[:-1], "pay-2", "--second", "carl")


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ((), "--player is missing"),
        (("--player", "Ann Lee"), "--payment is missing"),
        (("--player", "Ann Lee", "--payment", "chips", "--reference", "1"), "'chips' is not a payment method"),
        (("--player", "Ann Lee", "--payment", "cash"), "--reference is missing"),
        (("--player", " ", "--payment", "cash", "--reference", "1"), "player's name"),
        (("--player", "2=Ann", "--payment", "cash", "--reference", "1"), "the claim pays seat 1, not 2"),
        (("--player", "Ann", "--player", "1=Bo", "--payment", "cash", "--reference", "1"), "repeated for seat 1"),
        (("--player", "Ann", "--payment", "cash", "--reference", "9" * 61), "at most 60 printable characters"),
        ((*BY_CHECK, "--surveillance", "vera", "--checked-at", "noon"), "is not a time"),
        (
            (*BY_CHECK, "--surveillance", "vera", "--checked-at", "2026-03-02 21:40"),
            "enter a time between the claim and now",
        ),
        (
            (*BY_CHECK, "--surveillance", "vera", "--checked-at", "2999-03-02 21:40"),
            "enter a time between the claim and now",
        ),
    ],
)
def test_a_payout_is_shown_in_full_before_it_is_made(house: House, output: tuple[str, ...], sentence: str) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    assert sentence in house.refused("claim", "pay", "final-four", "royal", *output, "--second", "carl")
    assert house.read_json("jackpot", "show", "final-four")["claims"][0]["claim"] == "royal"


def test_several_winners_are_shown_by_seat_and_the_history_names_them(house: House) -> None:
    house.open("dueling-for-dollars")
    house.execute("tabulator", "press", "table-1", "--positions", "1,2,3", "--round", "r1", by="kim")
    with open_ledger(house.database) as ledger:
        played = duel_record("suit", "nothing", "suit") | {
            "table": setup_to_json(CardRoom(ledger).tabulator("table-1").game_setup)
        }
    record = house.folder / "round.json"
    record.write_text(json.dumps(played))
    made = house.execute(
        "claim", "add", "tie-after-tie", "table-1", str(record), "--round", "r1", "--id", "two", by="kim"
    )
    assert [prize["seat"] for prize in made["pending"]] == [1, 3]
    pay = ("claim", "pay", "tie-after-tie", "two", *SEEN, "--payment", "check", "--second", "carl")
    assert "write --player 1=Ann for one of them" in house.refused(*pay, "--player", "Ann")
    output = ("--player", "1=Ann Lee", "--player", "3=declined", "--reference", "1=1077")
    assert "--reference 3=… is missing" in house.refused(*pay, *output)
    assert "The number of check 1077 is entered for two winners" in house.refused(
        *pay, *output, "--reference", "3=1077"
    )
    house.execute("jackpot", "deposit", "tie-after-tie", "all", "--slip", "4471")
    paid = house.read_json(*pay, *output, "--reference", "3=1078", "--id", "pay")
    assert [(one["seat"], one["player"], one["reference"]) for one in paid["payouts"]] == [
        (1, "Ann Lee", "1077"),
        (3, "declined", "1078"),
    ]
    assert sum(one["cents"] for one in paid["payouts"]) == paid["cents"] == made["cents"]
    again = house.read_json(*pay, *output, "--reference", "3=1078", "--id", "pay")
    assert again == paid | {"repeated": True}
    shown_by_history = " ".join(house.run("jackpot", "history", "tie-after-tie", COLUMNS="300").stdout.split())
    assert "seat 1: Ann Lee, check 1077; seat 3: name declined, check 1078" in shown_by_history


def test_slips_are_written_for_paid_pending_and_refused_claims(house: House) -> None:
    house.open()
    for number, position in enumerate("123"):
        house.execute("tabulator", "press", "table-1", "--positions", position, "--round", f"r{number}", by="kim")
        won = ("--seat", position, "--round", f"r{number}", "--id", f"royal-{number}")
        house.execute("claim", "add", "final-four", "table-1", *ROYAL, *won, by="kim")
    house.execute("jackpot", "deposit", "final-four", "all", "--slip", "1")
    paid, pending, refused = (house.folder / f"{name}.pdf" for name in ("paid", "pending", "refused"))
    unwritable = str(house.folder / "nowhere" / "slip.pdf")
    pay = ("claim", "pay", "final-four", "royal-0", *BY_CHECK, *SEEN, "--second", "carl", "-o")
    assert "There is no folder" in house.refused(*pay, unwritable)
    # A long name of the folder breaks the line anywhere.
    assert "paid.pdf:seat1,$5,000.20,paid" in "".join(house.said(*pay, str(paid)).split())
    house.execute("claim", "refuse", "final-four", "royal-2", "--why", "The card was bent")
    assert (
        house.read_json("claim", "print-slip", "final-four", "royal-1", "-o", str(pending))[0]["status"] == "NOT PAID"
    )
    assert house.read_json("claim", "print-slip", "final-four", "royal-2", "-o", str(refused))[0]["status"] == "REFUSED"
    (again,) = house.read_json("claim", "print-slip", "final-four", "royal-0", "-o", str(house.folder / "again.pdf"))
    assert (again["player"], again["payment"], again["dealer"]) == ("Ann Lee", "check 1077", "kim")
    assert (house.folder / "again.pdf").read_bytes() == paid.read_bytes()
    for file in (paid, pending, refused):
        assert file.read_bytes().startswith(b"%PDF-")
    assert "There is no claim 'r9' on jackpot final-four" in house.refused(
        "claim", "print-slip", "final-four", "r9", "-o", str(paid)
    )
    assert "A slip is a .pdf" in house.refused("claim", "print-slip", "final-four", "royal-0", "-o", "slip.txt")


def test_every_command_without_an_id_gets_one_of_its_own(house: House) -> None:
    house.open()
    ids = {house.execute("tabulator", "press", "table-1", "--positions", "none", by="kim")["id"] for _ in range(3)}
    assert len(ids) == 3


# Displays and set-ups.


def test_displays_are_drawn(house: House) -> None:
    house.open()
    said = house.said("display", "show", "table-1", "-o", str(house.folder / "sign.svg"))
    drawn = [house.folder / "sign-led-line.svg", house.folder / "sign-picture-frame.svg"]
    assert all(str(path) in said and "<svg" in path.read_text() for path in drawn)
    png = house.folder / "sign.png"
    house.said("display", "show", "table-1", "--kind", "led-line", "-o", str(png))
    assert png.read_bytes().startswith(b"\x89PNG")
    kinds = [one["kind"] for one in house.read_json("display", "show", "table-1", "--cap", "10,000")]
    assert kinds == ["led-line", "picture-frame"]
    assert "has no display" in house.refused("display", "show", "table-1", "--kind", "monitor")
    assert ".svg or .png" in house.refused("display", "show", "table-1", "-o", str(house.folder / "sign.gif"))


TOP_HANDS = {
    "deuces-wild": {"hand": "2c 2d 2h", "fourth": "2s", "fifth": "Jk"},
    "three-card-prime": {"hand": "Jd Qd Kd", "fourth": "Ad"},
    "texas-shootout": {"hand": "As As", "community": "As As As 2d 3d"},
    "dueling-for-dollars": {"hand": "Kd", "community": "Kd", "war": "Kd", "war community": "Kd"},
    "three-card-double-play": {"hand": "As Ks Qs Ah Kh Qh"},
}
"""The highest prize of the first jackpot of each game."""


@pytest.mark.parametrize("kind", ["progressive", "bonus"])
@pytest.mark.parametrize("game", game_slugs())
def test_every_example_works_as_it_is(game: str, kind: str, house: House) -> None:
    """The whole tour: opened, tabulated, claimed, verified by a second person, paid."""
    house.said("jackpot", "print-example", game, "--kind", kind, "-o", str(house.folder))
    house.execute("jackpot", "add", str(house.folder / "jackpot.toml"))
    house.execute("tabulator", "add", str(house.folder / "table.toml"))
    house.execute("promotion", "add", str(house.folder / "promotion.toml"))
    house.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    house.said("display", "show", "table-1")
    house.said("jackpot", "list")
    (stands,) = house.read_json("jackpot", "list")["jackpots"]
    typed = [part for place, cards in TOP_HANDS[game].items() for part in ("--cards", f"{place}={cards}")]
    made = house.execute("claim", "add", stands["jackpot"], "table-1", *typed, "--seat", "2", by="kim")
    (prize,) = made["paid"] + made["pending"]
    if stands["meters"]:
        shown = stands["meters"][0]["shown_cents"]
        assert (prize["cents"], len(made["pending"])) == (shown, 1)
        assert shown > 5_000_00 if kind == "progressive" else shown == 10_000_00
    else:
        assert (kind, prize["cents"]) == ("bonus", 1_000_00)
    if made["pending"]:
        assert (
            house.execute("claim", "pay", stands["jackpot"], made["claim"], *IN_CASH, *SEEN)["cents"] == prize["cents"]
        )
    assert house.read_json("verify")["whole"]
    assert "exists already" in house.refused("jackpot", "print-example", game, "-o", str(house.folder))


def test_the_whole_floor_on_one_page(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    house.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    page = house.said("jackpot", "list")
    for text in ("1 claim pending", "royal", "$5,000.20", "table-1", "Milky Way", "owed to the players"):
        assert text in page
    assert max(map(len, page.splitlines())) <= 100
    whole = house.read_json("jackpot", "list")
    assert [one["jackpot"] for one in whole["jackpots"]] == ["final-four"]
    assert whole["jackpots"][0]["claims"][0]["claim"] == "royal"


# The command line itself.


def _commands(group: Any, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        found += _commands(command, (*names, name)) if hasattr(command, "list_commands") else [(*names, name)]
    return found


COMMANDS = [
    command
    for group in ("jackpot", "tabulator", "claim", "prize", "malfunction", "promotion", "report")
    for command in _commands(get_command(app).get_command(None, group), (group,))  # type: ignore[attr-defined]
]


@pytest.mark.parametrize("command", [*COMMANDS, ("verify",), ("backup",), ("restore",)], ids=" ".join)
def test_each_help_has_examples(command: tuple[str, ...], house: House) -> None:
    assert f"cardroom {' '.join(command)}" in house.said(*command, "--help").partition("Examples")[2]


def test_some_user_answers_for_every_change(house: House) -> None:
    house.open()
    press = ("tabulator", "press", "table-1", "--positions", "1")
    for no_user in ("", "  "):
        result = house.run(*press, "--by", no_user, CARDROOM_SESSION="")
        assert (result.exit_code, "--by LOGIN" in result.stderr) == (2, True)
    assert house.run(*press, CARDROOM_USER="kim").exit_code == 0
    assert house.read_json("tabulator", "history", "table-1")[0]["payload"]["dealer"] == "kim"


FIRST = ("init", "rosa", "--name", "Rosa Diaz")


def test_new_books_are_announced_and_only_begun_by_their_first_operator(empty_house: House) -> None:
    house = empty_house
    text = house.said("jackpot", "print-example", "three-card-prime", "jackpot")
    for command in (
        ("jackpot", "list"),
        ("jackpot", "add", "-"),
        ("backup", "x.db"),
        ("sign-in", "rosa"),
        ("whoami",),
    ):
        said = house.refused(*command, typed=text)
        assert "There is no database" in said
        assert "`cardroom init`" in said
    result = house.run(*FIRST, CARDROOM_PASSWORD=password_of("rosa"))
    assert (result.exit_code, result.stderr) == (0, f"New database: {house.folder / 'books.db'}\n")


def test_without_an_address_the_books_are_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "data_folder", lambda: tmp_path / "share")
    house = House("", tmp_path)
    assert house.run(*FIRST, CARDROOM_PASSWORD=password_of("rosa")).exit_code == 0
    assert (tmp_path / "share" / "cardroom.db").is_file()


BAD: list[tuple[tuple[str, ...], str]] = [
    (("jackpot", "add", "nowhere.toml"), "cannot be read"),
    (("tabulator", "add", "nowhere.toml"), "cannot be read"),
    (("tabulator", "link", "table-9", "final-four"), "no table 'table-9'"),
    (("tabulator", "link", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("tabulator", "unlink", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("tabulator", "unlink", "table-1", "final-four"), "The reason is missing"),
    (("jackpot", "change", "final-four", "--why", "x"), "one of the two"),
    (("jackpot", "change", "final-four", "seed=much", "--why", "x"), "not an amount"),
    (("jackpot", "change", "final-four", "seed=6000", "--second", "lee"), "reason is missing"),
    (
        ("jackpot", "change", "final-four", "seed=6000", "--why", "x"),
        "(--second LOGIN)",
    ),
    (("jackpot", "change", "final-four", "seed=6000", "--why", "x", "--second", " rosa "), "cannot be the second one"),
    (("jackpot", "remove", "final-four", "--why", "x", "--second", "lee"), "the players'"),
    (
        ("jackpot", "adjust", "final-four", "--reason", "seed", "--up", "1", "--why", "x"),
        "--second LOGIN",
    ),
    (("jackpot", "change", "final-four", "seed=6000", "--level", "top", "--why", "x"), "no level 'top'"),
    (("jackpot", "change", "final-four", "--bonus", "straight=$5", "--why", "x"), "bonus for 'straight'"),
    (("tabulator", "press", "table-9", "--positions", "1"), "no table 'table-9'"),
    (("tabulator", "press", "table-1", "--positions", "one"), "is not a list of positions"),
    (("tabulator", "press", "table-1", "--positions", "1,2", "--positions", "1:4"), "named twice"),
    (("tabulator", "press", "table-1", "--positions", "7"), "no position 7"),
    (("tabulator", "press", "table-1", "--positions", "2:1"), "Sensor 2 is not in use"),
    (("tabulator", "count-by-hand", "table-1", "--positions", "1"), "The tabulator works"),
    (("tabulator", "read", "table-1", "1", "2"), "counts 1 wagers"),
    (("rounds", "void", "table-1", "r1", "--why", "x"), "was not counted"),
    (("tabulator", "clear-fault", "table-1"), "no reported fault"),
    (("tabulator", "fault", "table-1"), "what is wrong"),
    (("claim", "add", "final-four", "table-1"), "one of the two"),
    (("claim", "add", "final-four", "table-1", *ROYAL), "--round"),
    (("claim", "add", "final-four", "table-1", *ROYAL[:2], "--round", "r1"), "missing at 'fourth'"),
    (("claim", "add", "final-four", "table-1", "--cards", "Jd", "--round", "r1"), "is not NAME=VALUE"),
    (("claim", "add", "final-four", "table-1", "nowhere.json", "--round", "r1"), "cannot be read"),
    (("claim", "pay", "final-four", "c1"), "There is no claim 'c1'"),
    (("claim", "pay", "final-four", "c1", "--surveillance", "lee"), "--checked-at"),
    (("claim", "refuse", "final-four", "c1", "--why", "x"), "no pending claim"),
    (("jackpot", "adjust", "final-four", "--reason", "malfunction", "--why", "x"), "--up or --down"),
    (("jackpot", "adjust", "final-four", "--reason", "seed", "--down", "1", "--why", "x"), "--up DOLLARS"),
    (
        ("jackpot", "adjust", "final-four", "--reason", "seed", "--up", "0", "--why", "x", "--second", "lee"),
        "above zero",
    ),
    (
        ("jackpot", "adjust", "final-four", "--reason", "malfunction", "--up", "1", "--why", "x"),
        "--report NUMBER belongs",
    ),
    (
        ("jackpot", "adjust", "final-four", "--reason", "seed", "--up", "1", "--report", "R-1"),
        "--report NUMBER belongs",
    ),
    (
        ("jackpot", "adjust", "final-four", "--reason", "malfunction", "--up", "1", "--why", "x", "--report", "R-1"),
        "No malfunction report 'R-1' is open.",
    ),
    (("jackpot", "adjust", "final-four", "--reason", "malfunction", "--up", "1.005", "--why", "x"), "not an amount"),
    (("jackpot", "adjust", "final-four", "--reason", "not-displayed", "--down", "1", "--why", "x"), "--from"),
    (
        ("jackpot", "adjust", "final-four", "--reason", "above-cap", "--down", "1", "--why", "x"),
        "leave --up and --down out",
    ),
    (
        ("jackpot", "adjust", "final-four", "--reason", "seed", "--up", "9" * 20, "--why", "x", "--second", "lee"),
        "$100,000,000,000 at most",
    ),
    (("jackpot", "disable", "final-four", "--why", "dark \udcff"), "Nothing was stored"),
    (("jackpot", "disable", "final-four", "--why", "dark", "--id", "i" * 300), "printable characters"),
    (("jackpot", "deposit", "final-four", "9999999", "--slip", "1"), "not possible"),
    (("jackpot", "deposit", "final-four", "all", "--slip", " "), "number of the deposit slip is missing"),
    (("jackpot", "reconcile", "final-four", "-", "--statement", "today", "--json"), "not an amount"),
    (("jackpot", "reconcile", "final-four", "1"), "--statement"),
    (("jackpot", "reconcile", "final-four", "1", "--statement", "Friday"), "'Friday' is not a date"),
    (
        ("jackpot", "reconcile", "final-four", "1", "--statement", "2999-01-01"),
        "there cannot be a statement of 2999-01-01 yet",
    ),
    (
        ("jackpot", "reconcile", "final-four", "1", "--statement", "today", "--in-transit", "9"),
        "No deposit of final-four has slip 9",
    ),
    (
        ("jackpot", "reconcile", "final-four", "1", "--statement", "today", "--outstanding", "9"),
        "Nothing was paid from the bank",
    ),
    (("jackpot", "enable", "final-four"), "not disabled"),
    (("promotion", "pay", "none", "table-1", "nowhere.json", "--round", "r"), "cannot be read"),
    (("promotion", "end", "none", "--why", "x"), "no promotion 'none'"),
]


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory, books_with_staff: tuple[Path, dict[str, str]]) -> House:
    """A house that no user manages to change."""
    folder, (file, sessions) = tmp_path_factory.mktemp("house"), books_with_staff
    shutil.copy(file, folder / "books.db")
    house = House(f"sqlite:///{folder / 'books.db'}", folder, sessions)
    house.open()
    return house


@pytest.mark.parametrize(("command", "sentence"), BAD, ids=[ascii(" ".join(command))[1:60] for command, _ in BAD])
def test_bad_input_gets_a_sentence_and_changes_nothing(
    command: tuple[str, ...], sentence: str, open_house: House
) -> None:
    alone = "--second" in command or "--second LOGIN" in sentence
    beside = () if alone else with_second(*command)
    before = open_house.heads()
    assert sentence in open_house.refused(*command, *beside)
    assert open_house.heads() == before


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("jackpot", "show", "final-five"), "no jackpot"),
        (("jackpot", "history", "final-five"), "no jackpot"),
        (("tabulator", "history", "table-9"), "no table"),
        (("display", "show", "table-9"), "no table"),
        (("jackpot", "print-example", "poker"), "poker"),
        (("jackpot", "print-example", "deuces-wild", "chips"), "jackpot, table, promotion"),
        (("jackpot", "print-example", "deuces-wild", "--kind", "mystery"), "bonus"),
        (("heads", "verify-file", "nowhere.json"), "cannot be read"),
    ],
)
def test_bad_questions_get_a_sentence(command: tuple[str, ...], sentence: str, open_house: House) -> None:
    assert sentence in open_house.refused(*command)


@pytest.mark.parametrize(
    ("exchanged", "by", "sentence"),
    [
        ('location = "Main Street"', 'location = "Elm Street"', "one location"),
        ('unit = "T-1001"', "", "'unit'"),
        ('unit = "T-1001"', 'unit = "T-1001"\ncounters = ["many"]', "'counters'"),
        ('unit = "T-1001"', 'unit = "T-7"\ncounters = [-1]', "The counter of T-7 cannot show -1"),
        ('unit = "T-1001"', f'unit = "T-1001"\ncounters = [1{"0" * 30}]', "a number of more than 18 digits"),
        ('unit = "T-1001"', f'unit = "T-1001"\npositions = 1{"0" * 30}', "a number of more than 18 digits"),
        ('jackpot = "final-four"', "jackpot = []", "'jackpot' in sensors, number 1 must be a text"),
        ('tabulator = "milky-way"', "", "'tabulator'"),
        ('tabulator = "milky-way"', 'tabulator = "andromeda-1"', "not approved"),
        ('jackpot = "final-four"', 'jackpot = "final-five"', "no jackpot"),
        ('jackpot = "final-four"', 'jackpot = "final-four"\nkind = "bonus"', "a bonus"),
        ('table = "table-1"', "", "'table' is missing"),
        ('game = "three-card-prime"', "game = ", "not TOML"),
        ("seats = 6", "seats = 6\npositions = 9", "positions"),
        ("[[sensors]]", '[[sensors]]\nwager = "prime"\n[[sensors]]', "sensors"),
    ],
)
def test_a_table_that_does_not_belong_there_is_not_opened(
    exchanged: str, by: str, sentence: str, open_house: House
) -> None:
    text = open_house.said("jackpot", "print-example", "three-card-prime", "table").replace("table-1", "table-7")
    exchanged = exchanged.replace("table-1", "table-7")
    assert exchanged in text
    refused = open_house.refused("tabulator", "add", "-", typed=text.replace(exchanged, by))
    assert sentence in refused


# When the database is not there.


def test_a_locked_database_gets_a_sentence_with_the_id(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open()
    monkeypatch.setattr(office, "LOCK_TIMEOUT", 0.05)
    other = sqlite3.connect(house.folder / "books.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    press = ("tabulator", "press", "table-1", "--positions", "1", "--by", "kim", "--id", "press-9")
    said = house.refused(*press)
    assert "locked" in said
    assert "--id press-9" in said
    assert house.meter()["shown_cents"] == 5_000_00
    other.execute("ROLLBACK")
    other.close()
    assert house.run(*press).exit_code == 0
    assert house.meter()["shown_cents"] == 5_000_20


def test_a_server_that_is_away_gets_a_sentence(tmp_path: Path) -> None:
    house = House("postgresql://nobody:secret@127.0.0.1:1/none", tmp_path)
    said = house.refused("jackpot", "list")
    assert "The database is unreachable" in said
    assert "secret" not in said


@pytest.mark.parametrize("address", ["books", "mysql://x/y", "sqlite://", "sqlite:///", "sqlite:////nowhere/at/all.db"])
def test_an_address_that_is_none_gets_a_sentence(address: str, tmp_path: Path) -> None:
    text = House("", tmp_path).said("jackpot", "print-example", "deuces-wild", "jackpot")
    said = House(address, tmp_path).refused("jackpot", "add", "-", typed=text)
    assert said.endswith(".")


def test_a_file_that_is_something_else_is_left_alone(house: House) -> None:
    (house.folder / "books.db").write_text("A shopping list, and not a short one. " * 100)
    assert "not a ledger" in house.refused("jackpot", "list")


def test_a_round_that_was_counted_long_ago_is_not_counted_again(house: House) -> None:
    house.open()
    for number in (1, 2, 3):
        house.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    before = house.events()
    sentence = house.refused("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", "--by", "kim")
    assert sentence.startswith("Round r1 was counted at table-1 on 20")
    assert sentence.endswith("Give a new round a new id.")
    assert house.events() == before


def test_a_prize_that_was_paid_on_mistyped_cards_is_taken_back_by_two_people(house: House) -> None:
    house.open()
    house.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1")
    trips = (
        "claim",
        "add",
        "final-four",
        "table-1",
        "--cards",
        "hand=7s 7h 7d",
        "--cards",
        "fourth=2c",
        "--round",
        "r1",
    )
    (paid,) = house.execute(*trips, "--id", "wrong", by="kim")["paid"]
    back = (
        "prize",
        "reverse",
        "final-four",
        "wrong",
        "--chips",
        "returned",
        "--why",
        "a six",
    )
    assert "--second LOGIN" in house.refused(*back)
    taken = house.read_json(*back, "--second", "carl")
    assert [prize["cents"] for prize in taken["prizes"]] == [paid["cents"]]
    assert house.execute(*trips, "--id", "right", by="kim")["paid"] == [paid]
    assert house.read_json("verify")["whole"]
