"""Jackpot commands: an evening on both databases, and what the commands refuse."""

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
from cardroom.cli.shared import ledger_access as ledger_access
from cardroom.games import default_setup, game, game_slugs, round_to_json
from cardroom.games.example_rounds import example_json
from cardroom.games.setup import setup_to_json
from cardroom.ledger import open_ledger, system_clock
from cardroom.room.claim.typed_hand import TypedHand, play_typed_hand
from cardroom.room.setup.calendar import open_calendar
from cardroom.room.setup.jackpot import read_jackpot_setup
from cardroom.service import CardRoom, LoggerFile
from tests.cli.card_room import CliRoom, add_staff, name_second_user
from tests.room.jackpots import duel_record
from tests.service.staff import password_of

ROYAL = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
BY_CHECK = ("--player", "Ann Lee", "--payment", "check", "--reference", "1077")
IN_CASH = ("--player", "Ann Lee", "--payment", "cash", "--reference", "C-9")
AGAIN = ("--why", "The slip was misread", "--second", "carl")
TODAY = ("--statement", "today")
SEEN = ("--surveillance", "vera", "--checked-at", "now")
CENT, DOLLAR = 100, 10_000


# One evening.


def test_an_evening_of_presses_claims_deposits_and_reconciliations(each_cli_room: CliRoom) -> None:
    cli_room = each_cli_room
    cli_room.open()
    second = (cli_room.folder / "table.toml").read_text().replace("table-1", "table-2").replace("T-1001", "T-1002")
    (cli_room.folder / "second.toml").write_text(second.replace('jackpot = "final-four"\n', ""))
    cli_room.execute("table", "add", str(cli_room.folder / "second.toml"))
    assert cli_room.execute("table", "link", "table-2", "final-four", "--why", "Weekends")["jackpots"] == ["final-four"]

    for number in range(5):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"one-{number}", by="kim")
    counted = cli_room.execute("tabulator", "press", "table-2", "--positions", "2,4", "--round", "two-1", by="dora")
    assert counted["shown_cents"] == {"final-four": [5_006_40]}
    assert [light["position"] for light in counted["lights"]] == [2, 4]

    claimed = cli_room.execute(
        "claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim"
    )
    assert claimed["cents"] == claimed["pending"][0]["cents"] == 5_006_40
    assert cli_room.read_meter()["shown_cents"] == 5_000_00
    cli_room.execute("tabulator", "press", "table-2", "--positions", "2", "--round", "two-2", by="dora")
    assert cli_room.read_meter()["shown_cents"] == 5_000_20

    pay = ("claim", "pay", "final-four", "royal", *BY_CHECK)
    assert (
        "kim is a dealer: only supervisors, cage staff, and surveillance officers may pay or refuse a jackpot"
        in cli_room.read_refusal(*pay, "--by", "kim")
    )
    assert "--second LOGIN" in cli_room.read_refusal(*pay)
    assert "kim is a dealer: only " in cli_room.read_refusal(*pay, "--second", "kim")
    assert "over $3,000" in cli_room.read_refusal(*pay, "--second", "carl")
    short = cli_room.read_refusal(*pay, *SEEN, "--second", "carl")
    assert "has $0.00. To pay check 1077, it needs $5,006.40: $5,006.40 more. Record a deposit" in short
    cli_room.execute("jackpot", "deposit", "final-four", "5006.40", "--slip", "4470")
    paid = cli_room.execute("claim", "pay", "final-four", "roy", *BY_CHECK, *SEEN)
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

    deposited = cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    assert deposited["escrow"] == deposited["owed"]
    assert deposited["undeposited"] == 0
    typo = cli_room.read_refusal("jackpot", "reconcile", "final-four", "4999", *TODAY)
    assert "the bank account is $1.25 short. That closes" in typo
    closed = cli_room.execute("jackpot", "reconcile", "final-four", "4999", *TODAY, "--shortage", "1.25", exit_code=1)
    assert closed["short"] == deposited["owed"] - 4_999 * DOLLAR
    assert "less than it owes" in cli_room.read_refusal(
        "tabulator", "press", "table-1", "--positions", "1", "--by", "kim"
    )
    right = ("jackpot", "reconcile", "final-four", "5012.65", *TODAY)
    assert "Two people must sign for the statement of" in cli_room.read_refusal(*right)
    opened = cli_room.execute(*right, *AGAIN)
    assert opened["unavailable"] is None
    assert opened["surplus"] == opened["reconciliation"]["adjusted"] - opened["reconciliation"]["books"] > 0

    verified = cli_room.read_json("verify")
    assert verified["whole"]
    assert (verified["tabulators"], verified["jackpots"], verified["claims"]) == (2, 1, 1)


def test_the_history_of_a_meter_adds_up_to_its_amount(cli_room: CliRoom) -> None:
    cli_room.open()
    for number in range(3):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1,2,3", "--round", f"r{number}", by="kim")
    cli_room.report_malfunction("R-31")
    correction = ("--reason", "malfunction", "--report", "R-31", "--down", "0.50", "--why", "Stuck", "--second", "lee")
    cli_room.execute("jackpot", "adjust", "final-four", *correction)
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r9", by="kim")
    cli_room.execute("rounds", "void", "table-1", "r9", "--why", "The shuffler jammed", "--second", "lee")
    cli_room.execute(
        "claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--round", "r2", "--id", "c", by="kim"
    )
    cli_room.execute("claim", "refuse", "final-four", "c", "--why", "There was no wager at seat 3")
    for rounds in ((), ("--rounds",)):
        lines = cli_room.read_json("jackpot", "history", "final-four", *rounds)
        changes = [line for line in reversed(lines) if line["level"] == "main" and line["held"] == "display"]
        amount = 0
        for change in changes:
            if change["before"] is not None:
                assert change["before"] == amount, change
                amount += change["amount"]
        assert amount == cli_room.read_meter()["display"] == 5_001_30 * CENT
    assert len(lines) > len(cli_room.read_json("jackpot", "history", "final-four"))
    assert len(cli_room.read_json("jackpot", "history", "final-four", "--last", "2")) == 2
    page = cli_room.read_output("jackpot", "history", "final-four")
    for word in ("seed money", "correction of a malfunction", "prize won", "reset", "prize refused", "report R-31"):
        assert word in page
    assert "rosa and lee" in " ".join(page.split())


def test_a_repeated_deposit_of_all_pending_money_is_recorded_once(cli_room: CliRoom) -> None:
    cli_room.open()
    friday = ("jackpot", "deposit", "final-four", "all", "--slip", "4471", "--id", "friday")
    first = cli_room.execute(*friday)
    assert (first["repeated"], first["undeposited"]) == (False, 0)
    assert cli_room.execute(*friday) == first | {"repeated": True}


def test_a_reconciliation_shows_deposits_in_transit_and_an_unexplained_surplus(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "4000", "--slip", "4471")
    cli_room.execute("jackpot", "deposit", "final-four", "1000", "--slip", "4472")
    reconcile = ("jackpot", "reconcile", "final-four", "4012.40", *TODAY, "--in-transit", "4472")
    page = " ".join(cli_room.read_output(*reconcile).split())
    for line in (
        "$4,012.40",
        "deposit in transit +$1,000.00",
        "Adjusted bank balance $5,012.40",
        "The bank has $12.40 more than the ledger (unexplained surplus: investigate).",
    ):
        assert line in page
    older = ("jackpot", "reconcile", "final-four", "0", "--statement", "2026-03-01")
    assert "it had no account on 2026-03-01" in cli_room.read_refusal(*older)
    history = " ".join(cli_room.read_output("jackpot", "history", "final-four").split())
    assert "unexplained surplus $12.40: investigate" in history
    assert "slip 4472 in transit $1,000.00" in history


def test_a_surplus_lists_what_the_statement_may_not_have(cli_room: CliRoom) -> None:
    """The bank has not paid the check yet and does not have the last deposit. Together they explain the surplus."""
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    cli_room.execute("jackpot", "deposit", "final-four", "4000", "--slip", "4472")
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4473")
    cli_room.execute("claim", "pay", "final-four", "royal", *BY_CHECK, *SEEN)
    result = cli_room.execute("jackpot", "reconcile", "final-four", "9000", *TODAY, "--id", "first")
    assert result["surplus"] == 4_000 * DOLLAR
    unnamed = {item["name"]: item["amount"] // DOLLAR for item in result["reconciliation"]["unnamed"]}
    assert unnamed == {"slip 4471": 5_000, "slip 4472": 4_000, "slip 4473": 1_001, "check 1077": -5_001}
    page = " ".join(cli_room.read_output("jackpot", "reconcile", "final-four", "9000", *TODAY, "--id", "first").split())
    assert "Not named as missing on the statement: slip 4471 (+$5,000.00), slip 4472 (+$4,000.00), slip 4473" in page
    assert "Enter the statement again with --in-transit SLIP and --outstanding NUMBER." in page
    missing = ("--in-transit", "4473", "--outstanding", "1077")
    partly_explained = cli_room.execute("jackpot", "reconcile", "final-four", "9001", *TODAY, *missing, *AGAIN)
    assert [item["name"] for item in partly_explained["reconciliation"]["unnamed"]] == ["slip 4471", "slip 4472"]
    explained = cli_room.execute("jackpot", "reconcile", "final-four", "9000", *TODAY, *missing, *AGAIN)
    assert (explained["surplus"], explained["reconciliation"]["unnamed"]) == (0, [])
    assert cli_room.read_json("verify")["whole"]


def test_a_negative_balance_is_entered_after_two_dashes(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    typed = cli_room.read_refusal("jackpot", "reconcile", "final-four", "-5", *TODAY)
    assert typed.endswith("after two dashes, such as `-- -5`.")
    short = cli_room.read_refusal("jackpot", "reconcile", "final-four", *TODAY, "--", "-5")
    assert "With a balance of -$5, the bank account is $5,005 short" in short
    assert "Not named as missing on the statement: slip 4471 (+$5,000.00)." in short
    assert short.endswith("confirm a shortage of $5,005 (--shortage DOLLARS).")
    cli_room.read_output("jackpot", "reconcile", "final-four", *TODAY, "--shortage", "5005", "--", "-5", exit_code=1)
    assert cli_room.read_json("jackpot", "show", "final-four")["short"] == 5_005 * DOLLAR
    assert cli_room.read_json("verify")["whole"]


def test_the_refusal_of_a_missing_reason_names_its_option(cli_room: CliRoom) -> None:
    cli_room.open()
    assert cli_room.read_refusal("jackpot", "disable", "final-four") == (
        "The reason is missing. The ledger records who did what, and why (--why REASON)."
    )


def test_the_reason_of_a_statement_is_printed_once(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    cli_room.execute("jackpot", "reconcile", "final-four", "5000", *TODAY)
    cli_room.execute("jackpot", "reconcile", "final-four", "5000", *TODAY, *AGAIN)
    for words in (("report", "history", "final-four"), ("jackpot", "history", "final-four")):
        page = " ".join(cli_room.read_output(*words).split())
        assert page.count("The slip was misread") == 1, words


def test_a_check_and_a_transfer_do_not_share_a_number(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4472")
    cli_room.execute("claim", "pay", "final-four", "royal", *BY_CHECK, *SEEN)
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r2", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "next", by="kim")
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4473")
    heads = cli_room.read_heads()
    transfer = ("--player", "Ann Lee", "--payment", "transfer", "--reference", "1077")
    second_user = name_second_user("claim", "pay", by=None)
    refusal = cli_room.read_refusal("claim", "pay", "final-four", "next", *transfer, *SEEN, *second_user)
    assert refusal.startswith("Check 1077 was entered on 20")
    assert refusal.endswith("each one has a number of its own, so check the number.")
    paid_back = ("jackpot", "reimburse", "final-four", "all", "--reference", "1077", "--second", "carl")
    assert cli_room.read_refusal(*paid_back).startswith("Check 1077 was entered on 20")
    assert cli_room.read_heads() == heads
    cli_room.execute("claim", "pay", "final-four", "next", *transfer[:-1], "T-1077", *SEEN)
    assert cli_room.read_json("verify")["whole"]


def test_a_claim_of_a_live_table_is_not_paid_to_a_balance(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-5", "--round", "r1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="kim")
    second_user = name_second_user("claim", "pay", by=None)
    for words in ((), IN_CASH):
        refusal = cli_room.read_refusal("claim", "pay", "final-four", "royal", "--balance", *words, *SEEN, *second_user)
        assert refusal.startswith("Claim royal was not won by a player of an automatic table: ")
    assert cli_room.read_json("jackpot", "show", "final-four")["claims"]


def test_a_surplus_is_shown_until_a_reconciliation_without_it(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    cli_room.read_output("day", "open")

    def list_surpluses() -> list[str]:
        (jackpot,) = cli_room.read_json("jackpot", "list")["jackpots"]
        assert jackpot["surplus"] == cli_room.read_json("jackpot", "show", "final-four")["surplus"]
        day = cli_room.read_json("day", "show")
        surpluses = [item["words"] for item in day["open"] if item["what"] == "surplus at the bank"]
        pages = [cli_room.read_output("jackpot", *words) for words in (("list",), ("show", "final-four"))]
        sentence = f"the bank account has {surpluses[0] if surpluses else ''}"
        assert [sentence in " ".join(page.split()) for page in pages] == [bool(surpluses)] * 2
        assert jackpot["surplus"] == (12_40 * CENT if surpluses else 0)
        return surpluses

    assert list_surpluses() == []
    assert cli_room.execute("jackpot", "reconcile", "final-four", "5012.40", *TODAY)["surplus"] == 12_40 * CENT
    cli_room.execute("jackpot", "disable", "final-four", "--why", "Dark")
    assert list_surpluses() == ["$12.40 more than the ledger (unexplained surplus: investigate)"]
    assert [item["what"] for item in cli_room.read_json("day", "close")["open"]] == ["surplus at the bank"]
    cli_room.read_output("day", "open")
    assert len(list_surpluses()) == 1
    cli_room.execute("jackpot", "reconcile", "final-four", "5000", *TODAY, *AGAIN)
    assert list_surpluses() == []
    assert cli_room.read_json("verify")["whole"]


def test_a_statement_of_today_is_compared_with_the_ledger_at_the_time_of_entry(cli_room: CliRoom) -> None:
    cli_room.open()
    result = cli_room.execute("jackpot", "reconcile", "final-four", "0", *TODAY, "--id", "now")
    at = result["reconciliation"]["at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", at)
    again = cli_room.read_output("jackpot", "reconcile", "final-four", "0", *TODAY, "--id", "now")
    assert f"Ledger balance now, {at}" in again
    assert "at the end of" not in again
    yesterday = date.fromisoformat(at[:10]) - timedelta(days=1)
    cli_room.reset()
    cli_room.open()
    page = cli_room.read_output("jackpot", "reconcile", "final-four", "0", "--statement", f"{yesterday}")
    assert f"Ledger balance at the end of {yesterday}" in page


def test_a_reconciliation_lists_what_was_deposited_after_the_statement(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "4471")
    yesterday = open_calendar().local(system_clock()).date() - timedelta(days=1)
    result = cli_room.execute("jackpot", "reconcile", "final-four", "0", "--statement", str(yesterday))
    assert result["reconciliation"]["later"] == [{"name": "slip 4471", "amount": 5_000 * DOLLAR}]
    assert (result["short"], result["surplus"], result["reconciliation"]["books"]) == (0, 0, 0)


def test_undeposited_money_is_shown_with_its_deadline(cli_room: CliRoom) -> None:
    cli_room.open()
    due = cli_room.read_json("jackpot", "show", "final-four")["deposit_due"]
    assert (due["amount"], due["is_due"], due["overdue_days"]) == (5_000 * DOLLAR, False, 0)
    assert f"to deposit by {due['by']}: $5,000.00" in cli_room.read_output("jackpot", "show", "final-four")
    assert "overdue" not in cli_room.read_output("jackpot", "history", "final-four")
    assert cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "1")["deposit_due"] is None


def test_every_command_that_shows_a_jackpot_warns_about_an_overdue_deposit(empty_cli_room: CliRoom) -> None:
    setup = read_jackpot_setup(empty_cli_room.read_output("jackpot", "print-example", "three-card-prime", "jackpot"))
    calendar = open_calendar()
    since = calendar.local(system_clock()).date() - timedelta(days=20)  # the day from which the money waits
    clock = count(calendar.moment(datetime.combine(since, time(12)))).__next__
    with open_ledger(empty_cli_room.database, clock) as ledger:
        CardRoom(ledger, clock).jackpots.open("open", "rosa", setup)
    cli_room = CliRoom(empty_cli_room.database, empty_cli_room.folder, add_staff(empty_cli_room.database))
    table = cli_room.folder / "table.toml"
    table.write_text(cli_room.read_output("jackpot", "print-example", "three-card-prime", "table"))
    cli_room.execute("table", "add", str(table))
    (due,) = (jackpot["deposit_due"] for jackpot in cli_room.read_json("jackpot", "list")["jackpots"])
    assert (due["since"], due["by"], due["is_due"]) == (str(since), str(since + timedelta(days=7)), True)
    sentence = f"A deposit of $5,000.00 for final-four is overdue by {due['overdue_days']} days"
    for words in (("jackpot", "list"), ("jackpot", "show", "final-four"), ("jackpot", "history", "final-four")):
        assert sentence in cli_room.read_output(*words)
    assert "DEPOSIT OVERDUE. final-four" in cli_room.read_output("report", "history", "final-four")
    assert "DEPOSIT OVERDUE. final-four" in cli_room.read_output("report", "meters", "final-four")
    assert "DEPOSIT OVERDUE. final-four" in cli_room.read_output("report", "events", "final-four")
    narrow = cli_room.run("jackpot", "show", "final-four", COLUMNS="60").stdout.splitlines()
    (first,) = (index for index, line in enumerate(narrow) if line.startswith("  A deposit of"))
    assert narrow[first + 1].startswith("  ")
    assert narrow[first + 1].strip()
    assert sentence in cli_room.read_output("jackpot", "disable", "final-four", "--why", "Dark")
    assert cli_room.execute("jackpot", "enable", "final-four")["deposit_due"]["overdue_days"] == due["overdue_days"]
    for words in (
        ("display", "show", "table-1"),
        ("tabulator", "press", "table-1", "--positions", "none", "--by", "kim"),
    ):
        assert "overdue" not in cli_room.read_output(*words)
    assert "overdue" not in cli_room.read_output("jackpot", "deposit", "final-four", "all", "--slip", "1")


def test_a_meter_is_adjusted_for_the_listed_reasons_and_no_others(cli_room: CliRoom) -> None:
    cli_room.open()
    for number in range(10):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    cli_room.report_malfunction("R-31")
    adjust = ("jackpot", "adjust", "final-four", "--why", "Ordered by the manager", "--second", "lee", "--reason")
    correct = (*adjust, "malfunction", "--report", "R-31")
    assert cli_room.execute(*correct, "--up", "5")["meters"][0]["shown_cents"] == 5_017_00
    assert cli_room.execute(*correct, "--down", "7")["meters"][0]["shown_cents"] == 5_010_00
    assert cli_room.execute(*adjust, "seed", "--up", "1,000")["meters"][0]["shown_cents"] == 6_010_00
    assert cli_room.execute(*adjust, "seed-recovery", "--down", "$1,010")["meters"][0]["seed_owed"] == 4_990 * DOLLAR
    assert "above its reset value by $0" in cli_room.read_refusal(*adjust, "seed-recovery", "--down", "1")
    assert cli_room.execute(*adjust, "not-displayed", "--down", "3", "--from", "reserve")["meters"][0]["reserve"] == 0
    assert "Level main shows $5,000, which is not above a ceiling" in cli_room.read_refusal(*adjust, "above-cap")
    assert "by a claim" in cli_room.read_refusal(*adjust, "prize-won", "--down", "1")
    refusal = cli_room.read_refusal(*adjust, "profit", "--down", "1")
    assert refusal.startswith("--reason: 'profit' is not one of 'malfunction', 'above-cap', ")


def test_a_broken_tabulator_is_counted_by_hand(cli_room: CliRoom) -> None:
    cli_room.open()
    assert (
        cli_room.execute("tabulator", "fault", "table-1", "--why", "Sensor 3 is dead")["broken"] == "Sensor 3 is dead"
    )
    assert "count by hand" in cli_room.read_refusal("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    counted = cli_room.execute("tabulator", "count-by-hand", "table-1", "--positions", "1,3", by="kim")
    assert counted["counts"] == {"final-four": 2}
    assert [light["position"] for light in counted["stay"]] == [1, 3]
    repaired = cli_room.execute("tabulator", "clear-fault", "table-1", "--unit", "T-2000", "--counter", "7")
    assert (repaired["unit"], repaired["counters"], repaired["broken"]) == ("T-2000", [7], None)
    assert cli_room.execute("tabulator", "read", "table-1", "9")["counts"] == {"final-four": 2}
    assert "shows 9 and cannot go down to 3" in cli_room.read_refusal("tabulator", "read", "table-1", "3")
    cli_room.execute("tabulator", "report-lights", "table-1", "--failed", "3,4")
    counted = cli_room.execute("tabulator", "press", "table-1", "--positions", "2,3", by="kim")
    assert [light["position"] for light in counted["lights"]] == [2]
    assert [lammer["position"] for lammer in counted["lammers"]] == [3]
    history = cli_room.read_json("tabulator", "history", "table-1")
    assert [event["kind"] for event in history] == ["round-tabulated", "counter-read", "round-counted-by-hand"]
    assert "counted by hand" in cli_room.read_output("tabulator", "history", "table-1")


def test_lammers_mark_the_larger_wager(cli_room: CliRoom) -> None:
    cli_room.open("texas-shootout")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1,2,6", "--lammers", "2", by="kim")
    assert cli_room.read_json("jackpot", "show", "texas-shootout-jackpot")["wagered"] == 4 * DOLLAR
    assert "no jackpot wager" in cli_room.read_refusal(
        "tabulator", "press", "table-1", "--positions", "1", "--lammers", "5", "--by", "kim"
    )
    typed = ("claim", "add", "texas-shootout-jackpot", "table-1", "--cards", "hand=As Ks")
    typed += ("--cards", "community=Qs Js Ts 2d 3c")
    won = cli_room.execute(*typed, "--seat", "2", "--wagered", "2", by="kim")
    assert won["pending"][0]["event"] == "royal-flush"


def test_a_claim_takes_the_wager_that_was_counted_at_its_seat(cli_room: CliRoom) -> None:
    cli_room.open("texas-shootout")
    cli_room.execute(
        "tabulator", "press", "table-1", "--positions", "1,2,6", "--lammers", "2", "--round", "r1", by="kim"
    )
    hand = ("--cards", "hand=Qh Qd", "--cards", "community=Qs Qc Ts 2d 3c")
    claim = ("claim", "add", "texas-shootout-jackpot", "table-1", *hand)
    prizes = {}
    for seat, counted, wrong in (("1", "$1", "2"), ("2", "$2", "1")):
        refusal = cli_room.read_refusal(*claim, "--seat", seat, "--wagered", wrong, "--by", "kim")
        assert f"At position {seat} {counted} was counted" in refusal
        won = cli_room.execute(*claim, "--seat", seat, "--id", f"seat {seat}", by="kim")
        prizes[seat] = sum(prize["cents"] for prize in won["paid"])
        assert cli_room.execute(*claim, "--seat", seat, "--id", f"seat {seat}", by="kim")["repeated"]
    assert prizes["2"] == 2 * prizes["1"] > 0
    nothing = cli_room.read_refusal(*claim, "--seat", "3", "--by", "kim")
    assert "No wager on texas-shootout-jackpot was counted at seat 3 in round r1" in nothing
    assert "--wagered 0" in nothing
    assert "Round r9 was not counted" in cli_room.read_refusal(*claim, "--seat", "1", "--round", "r9", "--by", "kim")


def test_the_records_of_a_data_logger_count_once(cli_room: CliRoom) -> None:
    cli_room.open("deuces-wild", milky_way="andromeda-1")
    log = cli_room.folder / "T-1001.log"
    with LoggerFile(log, "T-1001") as file:
        for number in range(1, 4):
            file.record(f"r{number}", [1, 2], time=number, dealer="Kim", counter=2 * number)
    before = log.read_bytes()
    assert cli_room.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 3
    assert cli_room.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 0
    log.write_bytes(before)
    assert cli_room.execute("data-logger", "forward", "table-1", str(log))["forwarded"] == 3
    assert cli_room.read_json("jackpot", "list")["tables"][0]["counters"] == [6]
    assert "data logger" in cli_room.read_refusal("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "no file" in cli_room.read_refusal("data-logger", "forward", "table-1", str(cli_room.folder / "none.log"))


def test_a_change_that_costs_players_money_waits_for_the_reset(cli_room: CliRoom) -> None:
    cli_room.open()
    change = ("jackpot", "change", "final-four", "--why", "Budget", "--second", "lee")
    assert cli_room.execute(*change, "ceiling=60000")["waiting"] == []
    assert cli_room.execute(*change, "contribution=15%")["waiting"] == ["main"]
    assert "after the reset" in cli_room.read_output("jackpot", "show", "final-four")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, by="kim")
    shown = cli_room.read_json("jackpot", "show", "final-four")
    assert shown["parameters"]["main"]["contribution"] == "3/20"
    assert "cannot be changed" in cli_room.read_refusal(*change, "size=10")
    assert "NAME" in cli_room.read_refusal(*change, "contribution").replace("contribution=25%", "NAME")


def test_the_operator_changes_and_removes_a_bonus_jackpot(cli_room: CliRoom) -> None:
    cli_room.open("deuces-wild")
    bonus = ("jackpot", "change", "deuces-wild-jackpot", "--why", "Spring", "--bonus", "five-wild-cards=$5,000")
    assert "rosa cannot be the second one beside rosa" in cli_room.read_refusal(*bonus, "--second", "rosa")
    cli_room.execute(*bonus, "--second", "lee")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", by="kim")
    hand = ("--cards", "hand=2c 2d Jk", "--cards", "fourth=2h", "--cards", "fifth=2s")
    claimed = cli_room.execute("claim", "add", "deuces-wild-jackpot", "table-1", *hand, "--round", "r1", by="kim")
    assert claimed["pending"][0]["cents"] == 5_000_00
    assert claimed["summary"]["owed"] == 0
    assert cli_room.execute("jackpot", "remove", "deuces-wild-jackpot", "--why", "Over", "--second", "lee")[
        "unavailable"
    ]


def test_a_progressive_is_not_removed_but_disabled(cli_room: CliRoom) -> None:
    cli_room.open()
    before = cli_room.read_meter()
    assert "players'" in cli_room.read_refusal("jackpot", "remove", "final-four", "--why", "Over", "--second", "lee")
    assert cli_room.execute("jackpot", "disable", "final-four", "--why", "Dark")["unavailable"] == "Dark"
    assert "Dark" in cli_room.read_refusal("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    assert "Not available" in cli_room.read_output("display", "show", "table-1")
    assert cli_room.execute("jackpot", "enable", "final-four")["meters"] == [before]


def test_an_unlinked_table_takes_no_jackpot_wagers_and_its_rounds_can_still_be_claimed(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1", by="kim")
    left = cli_room.execute("table", "unlink", "table-1", "final-four", "--why", "A quiet week")
    assert left["jackpots"] == []
    assert {"what": "sensor 1 jackpot", "before": "final-four", "after": "none"} in left["changes"]
    assert "is disabled at table-1" in cli_room.read_refusal(
        "tabulator", "press", "table-1", "--positions", "1", "--by", "kim"
    )
    assert cli_room.read_meter()["shown_cents"] == 5_000_20
    assert "Final Four Jackpot progressive" not in cli_room.read_output("display", "show", "table-1")
    assert cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, by="kim")["cents"] == 5_000_20


def test_a_table_is_changed_moved_closed_and_opened_again(cli_room: CliRoom) -> None:
    cli_room.open()
    file = cli_room.folder / "table.toml"
    assert "open already" in cli_room.read_refusal("table", "add", str(file))
    assert "or change table-1" in cli_room.read_refusal("table", "add", str(file))
    file.write_text(file.read_text().replace("seats = 6", "seats = 5"))
    changed = cli_room.read_output("table", "change", str(file), "--why", "Fewer seats")
    assert "seats: 6 to 5" in changed
    move = ("table", "move", "table-1", "Hill", "--why", "A new wing")
    assert "a meter has one location" in cli_room.read_refusal(*move)
    cli_room.execute("table", "unlink", "table-1", "final-four", "--why", "A quiet week")
    assert "location: Main Street to Hill" in cli_room.read_output(*move)
    closed = cli_room.execute("table", "remove", "table-1", "--why", "The season is over")
    assert closed["closed"] == "The season is over"
    shown = " ".join(cli_room.read_output("jackpot", "list").split())
    assert "closed: The season is over" in shown
    assert "T-1001" not in shown
    (table,) = cli_room.read_json("jackpot", "list")["tables"]
    assert (table["unit"], table["counters"]) == ("", [])
    assert "was removed" in cli_room.read_refusal("tabulator", "press", "table-1", "--positions", "1", "--by", "kim")
    lines = cli_room.read_json("jackpot", "history", "table-1")
    assert [line["reason"] for line in lines] == ["removed", "changed", "changed", "changed", "set up"]
    assert "Fewer seats" in lines[3]["note"]
    assert "seats: 6 to 5" in lines[3]["note"]
    assert cli_room.execute("table", "add", str(file))["closed"] is None


def test_a_table_does_not_play_for_a_jackpot_that_was_removed(cli_room: CliRoom) -> None:
    cli_room.read_output("jackpot", "print-example", "texas-shootout", "--kind", "bonus", "-o", str(cli_room.folder))
    jackpot = cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))["jackpot"]
    assert cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))["jackpots"] == [jackpot]
    cli_room.execute("jackpot", "remove", jackpot, "--why", "No player uses it", "--second", "lee")
    assert f"{jackpot} (removed)" in " ".join(cli_room.read_output("jackpot", "list").split())


def test_the_refusal_of_a_lammer_sensor_names_only_keys_in_the_file(open_cli_room: CliRoom) -> None:
    text = open_cli_room.read_output("jackpot", "print-example", "three-card-prime", "table").replace(
        "table-1", "table-7"
    )
    wrong = text.replace('jackpot = "final-four"', "lammer_of = 1")
    refusal = open_cli_room.read_refusal("table", "add", "-", typed=wrong)
    assert "'wager' in sensors, number 1 is not known: use lammer_of." in refusal
    assert "paytable" not in refusal


@pytest.mark.parametrize(("name", "setting"), [("heads_command", "command"), ("heads_folder", "folder")])
def test_a_destination_of_heads_in_the_rooms_setup_is_refused_with_its_right_place(
    cli_room: CliRoom, name: str, setting: str
) -> None:
    (cli_room.folder / "room.toml").write_text(f'{name} = "/usr/bin/touch"\n', "utf-8")
    output = cli_room.read_refusal(
        "room", "configure", str(cli_room.folder / "room.toml"), "--why", "heads", "--second", "lee"
    )
    assert f"write '{setting}' under [heads] in the machine's configuration (machine.toml)" in output


def test_a_round_is_claimed_from_its_record(cli_room: CliRoom) -> None:
    cli_room.open()
    table = game("three-card-prime").open(default_setup("three-card-prime"))
    played = play_typed_hand(table, TypedHand("final-four", 1_00, {"hand": "Jd Qd Kd", "fourth": "Ad"}, seat=2))
    file = cli_room.folder / "round.json"
    file.write_text(json.dumps(round_to_json(played)))
    claim = ("claim", "add", "final-four", "table-1", str(file), "--round", "r1")
    assert "not counted" in cli_room.read_refusal(*claim, "--by", "kim")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "2,4", "--round", "r1", by="kim")
    claimed = cli_room.execute(*claim, by="kim")
    assert [(prize["seat"], prize["cents"]) for prize in claimed["pending"]] == [(2, 5_000_40)]
    assert "already claimed: claim " in cli_room.read_refusal(*claim, "--by", "kim")
    losing = example_json("three-card-prime")
    typed = ("claim", "add", "final-four", "table-1", "-", "--round", "r2", "--by", "kim")
    assert "No hand wins on final-four" in cli_room.read_refusal(*typed, typed=losing)
    for text in ("no round", "[1]", "{}", "[" * 100_000, losing.replace("{", '{"tip": 1.5,', 1)):
        assert cli_room.read_refusal(*typed, typed=text).endswith(".")
    twice = losing.replace('"wagers"', '"wagers": {}, "wagers"', 1)
    digits = losing.replace('"seats": 6', f'"seats": {"6" * 5_000}')
    no_wagers = '{"table": {"game": "three-card-prime", "wagers": "x"}}'
    for text in (twice, digits, no_wagers, '{"table": 5}', '{"table": {"game": [], "wagers": {}}}', '{"x": NaN}'):
        sentence = cli_room.read_refusal(*typed, typed=text)
        assert sentence.endswith(".")
        assert len(sentence) < 600


def test_a_claim_may_omit_the_seat_of_the_only_wager(cli_room: CliRoom) -> None:
    cli_room.open()
    claim = ("claim", "add", "final-four", "table-1", *ROYAL)
    cli_room.execute("tabulator", "press", "table-1", "--positions", "2,4", "--round", "r1", by="kim")
    assert "2, 4" in cli_room.read_refusal(*claim, "--by", "kim")
    assert "only at 2, 4" in cli_room.read_refusal(*claim, "--seat", "1", "--by", "kim")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "5", "--round", "r2", by="kim")
    assert cli_room.execute(*claim, by="kim")["pending"][0]["seat"] == 5


def test_a_promotion_of_dueling_for_dollars_needs_the_owners_consent(cli_room: CliRoom) -> None:
    text = cli_room.read_output("jackpot", "print-example", "dueling-for-dollars", "promotion")
    assert 'consent = "letter of ' in text
    without = "\n".join(line for line in text.splitlines() if not line.startswith("consent"))
    announce = ("promotion", "add", "-")
    assert "needs the written consent of Galaxy Gaming" in cli_room.read_refusal(*announce, typed=without)
    cli_room.read_json(*announce, typed=text)
    (shown,) = cli_room.read_json("promotion", "list")
    assert shown["setup"]["consent"].startswith("letter of ")
    assert f"with written consent: {shown['setup']['consent']}" in " ".join(
        cli_room.read_output("promotion", "list").split()
    )


def test_promotions_are_announced_paid_and_ended(cli_room: CliRoom) -> None:
    cli_room.open()
    record = cli_room.folder / "round.json"
    record.write_text(example_json("three-card-prime"))
    payments = cli_room.read_json("settle", str(record))["payments"]
    won = next(
        payment for payment in payments if payment["net"] > 0 and payment["spot"] in ("prime", "pair-bonus", "all-six")
    )
    winners = [
        payment["seat"] for payment in payments if (payment["spot"], payment["event"]) == (won["spot"], won["event"])
    ]
    printed = json.loads(record.read_text())["table"]["wagers"][won["spot"]]["paytable"]
    text = cli_room.read_output("jackpot", "print-example", "three-card-prime", "promotion").replace(
        "more-for-prime", "more"
    )
    text = text.replace('"prime"', f'"{won["spot"]}"').replace('"PRW-1"', f'"{printed}"')
    text = text.replace('"same-color-player-and-dealer"', f'"{won["event"]}"')

    announced = cli_room.read_json("promotion", "add", "-", typed=text)
    assert announced["prizes_left"] == 100
    assert "More for Prime" in cli_room.read_output("display", "show", "table-1")
    pay = ("promotion", "pay", "more", "table-1", str(record), "--round")
    assert "round r1, which was neither counted nor entered" in cli_room.read_refusal(*pay, "r1", "--by", "kim")
    for round_id in ("r1", "r2"):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", round_id, by="kim")
    paid = cli_room.execute(*pay, "r1", by="kim")
    assert (paid["seats"], paid["cents"]) == (winners, len(winners) * 25_00)
    assert "is already paid for round r1 of table-1" in cli_room.read_refusal(*pay, "r1", "--by", "kim")
    assert cli_room.execute(*pay, "r2", "--when", "2199-01-01", by="kim")["cents"] == 0
    output = cli_room.read_refusal(*pay, "r2", "--by", "kim")
    assert "paid this hand as round r1 of table-1" in output
    again = ("r2", "--dealt-again", "Surveillance saw both")
    assert "Two people" in cli_room.read_refusal(*pay, *again, "--by", "kim")
    assert cli_room.execute(*pay, *again, "--second", "lee", by="kim")["seats"] == winners
    twin = text.replace('id = "more"', 'id = "twin"').replace("More for Prime", "more for PRIME")
    assert "is the name of promotion more" in cli_room.read_refusal("promotion", "add", "-", typed=twin)
    assert "not a date" in cli_room.read_refusal(*pay, "r2", "--when", "tomorrow", "--by", "kim")
    assert cli_room.execute("promotion", "end", "more", "--why", "Sold out")["ended"]
    (shown,) = cli_room.read_json("promotion", "list")
    assert (shown["ended"], shown["prizes"]) == (True, 2 * len(winners))
    assert "ended" in cli_room.read_output("promotion", "list")
    assert cli_room.read_json("verify")["whole"]


# Repeated commands.


def test_a_command_with_the_same_id_runs_once(cli_room: CliRoom) -> None:
    cli_room.open()
    press = ("tabulator", "press", "table-1", "--positions", "1,2", "--id", "press-1")
    first, again = cli_room.execute(*press, by="kim"), cli_room.execute(*press, by="kim")
    assert (first.pop("repeated"), again.pop("repeated")) == (False, True)
    assert first == again
    assert cli_room.read_meter()["shown_cents"] == 5_000_40
    assert "ran before" in cli_room.read_output(*press, "--by", "kim")
    assert "The id press-1 belongs to an earlier command" in cli_room.read_refusal(
        *press[:4], "3", "--id", "press-1", "--by", "kim"
    )


def test_a_repeated_payment_of_a_claim_pays_once(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "3f2a-77", by="kim")
    pay = ("claim", "pay", "final-four", "3f", *IN_CASH, *SEEN, "--id", "pay-1")
    assert cli_room.execute(*pay)["cents"] == cli_room.execute(*pay)["cents"]
    assert "no pending claim" in cli_room.read_refusal(*pay[:-1], "pay-2", "--second", "carl")


@pytest.mark.parametrize(
    ("options", "sentence"),
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
def test_an_incomplete_payout_is_refused_and_the_claim_stays_pending(
    cli_room: CliRoom, options: tuple[str, ...], sentence: str
) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    assert sentence in cli_room.read_refusal("claim", "pay", "final-four", "royal", *options, "--second", "carl")
    assert cli_room.read_json("jackpot", "show", "final-four")["claims"][0]["claim"] == "royal"


def test_several_winners_are_paid_by_seat_and_the_history_names_them(cli_room: CliRoom) -> None:
    cli_room.open("dueling-for-dollars")
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1,2,3", "--round", "r1", by="kim")
    with open_ledger(cli_room.database) as ledger:
        played = duel_record("suit", "nothing", "suit") | {
            "table": setup_to_json(CardRoom(ledger).tabulator("table-1").game_setup)
        }
    record = cli_room.folder / "round.json"
    record.write_text(json.dumps(played))
    claimed = cli_room.execute(
        "claim", "add", "tie-after-tie", "table-1", str(record), "--round", "r1", "--id", "two", by="kim"
    )
    assert [prize["seat"] for prize in claimed["pending"]] == [1, 3]
    pay = ("claim", "pay", "tie-after-tie", "two", *SEEN, "--payment", "check", "--second", "carl")
    assert "write --player 1=Ann for one of them" in cli_room.read_refusal(*pay, "--player", "Ann")
    options = ("--player", "1=Ann Lee", "--player", "3=declined", "--reference", "1=1077")
    assert "--reference 3=… is missing" in cli_room.read_refusal(*pay, *options)
    assert "The number of check 1077 is entered for two winners" in cli_room.read_refusal(
        *pay, *options, "--reference", "3=1077"
    )
    cli_room.execute("jackpot", "deposit", "tie-after-tie", "all", "--slip", "4471")
    paid = cli_room.read_json(*pay, *options, "--reference", "3=1078", "--id", "pay")
    assert [(payout["seat"], payout["player"], payout["reference"]) for payout in paid["payouts"]] == [
        (1, "Ann Lee", "1077"),
        (3, "declined", "1078"),
    ]
    assert sum(payout["cents"] for payout in paid["payouts"]) == paid["cents"] == claimed["cents"]
    again = cli_room.read_json(*pay, *options, "--reference", "3=1078", "--id", "pay")
    assert again == paid | {"repeated": True}
    history = " ".join(cli_room.run("jackpot", "history", "tie-after-tie", COLUMNS="300").stdout.split())
    assert "seat 1: Ann Lee, check 1077; seat 3: name declined, check 1078" in history


def test_slips_are_written_for_paid_pending_and_refused_claims(cli_room: CliRoom) -> None:
    cli_room.open()
    for number, position in enumerate("123"):
        cli_room.execute("tabulator", "press", "table-1", "--positions", position, "--round", f"r{number}", by="kim")
        won = ("--seat", position, "--round", f"r{number}", "--id", f"royal-{number}")
        cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, *won, by="kim")
    cli_room.execute("jackpot", "deposit", "final-four", "all", "--slip", "1")
    paid, pending, refusal = (cli_room.folder / f"{name}.pdf" for name in ("paid", "pending", "refused"))
    unwritable = str(cli_room.folder / "nowhere" / "slip.pdf")
    pay = ("claim", "pay", "final-four", "royal-0", *BY_CHECK, *SEEN, "--second", "carl", "-o")
    assert "There is no folder" in cli_room.read_refusal(*pay, unwritable)
    # A long folder name can break the line anywhere.
    assert "paid.pdf:seat1,$5,000.20,paid" in "".join(cli_room.read_output(*pay, str(paid)).split())
    cli_room.execute("claim", "refuse", "final-four", "royal-2", "--why", "The card was bent")
    assert (
        cli_room.read_json("claim", "print-slip", "final-four", "royal-1", "-o", str(pending))[0]["status"]
        == "NOT PAID"
    )
    assert (
        cli_room.read_json("claim", "print-slip", "final-four", "royal-2", "-o", str(refusal))[0]["status"] == "REFUSED"
    )
    (again,) = cli_room.read_json(
        "claim", "print-slip", "final-four", "royal-0", "-o", str(cli_room.folder / "again.pdf")
    )
    assert (again["player"], again["payment"], again["dealer"]) == ("Ann Lee", "check 1077", "kim")
    assert (cli_room.folder / "again.pdf").read_bytes() == paid.read_bytes()
    for file in (paid, pending, refusal):
        assert file.read_bytes().startswith(b"%PDF-")
    assert "There is no claim 'r9' on jackpot final-four" in cli_room.read_refusal(
        "claim", "print-slip", "final-four", "r9", "-o", str(paid)
    )
    assert "A slip is a .pdf" in cli_room.read_refusal("claim", "print-slip", "final-four", "royal-0", "-o", "slip.txt")


def test_every_command_without_an_id_gets_a_new_one(cli_room: CliRoom) -> None:
    cli_room.open()
    ids = {cli_room.execute("tabulator", "press", "table-1", "--positions", "none", by="kim")["id"] for _ in range(3)}
    assert len(ids) == 3


# Displays and examples.


def test_displays_are_drawn_as_svg_and_png(cli_room: CliRoom) -> None:
    cli_room.open()
    output = cli_room.read_output("display", "show", "table-1", "-o", str(cli_room.folder / "sign.svg"))
    drawn = [cli_room.folder / "sign-led-line.svg", cli_room.folder / "sign-picture-frame.svg"]
    assert all(str(path) in output and "<svg" in path.read_text() for path in drawn)
    png = cli_room.folder / "sign.png"
    cli_room.read_output("display", "show", "table-1", "--kind", "led-line", "-o", str(png))
    assert png.read_bytes().startswith(b"\x89PNG")
    kinds = [display["kind"] for display in cli_room.read_json("display", "show", "table-1", "--cap", "10,000")]
    assert kinds == ["led-line", "picture-frame"]
    assert "has no display" in cli_room.read_refusal("display", "show", "table-1", "--kind", "monitor")
    assert ".svg or .png" in cli_room.read_refusal(
        "display", "show", "table-1", "-o", str(cli_room.folder / "sign.gif")
    )


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
def test_every_example_works_without_changes(game: str, kind: str, cli_room: CliRoom) -> None:
    """Add the jackpot, the table, and the promotion; press, claim, and pay with a second user."""
    cli_room.read_output("jackpot", "print-example", game, "--kind", kind, "-o", str(cli_room.folder))
    cli_room.execute("jackpot", "add", str(cli_room.folder / "jackpot.toml"))
    cli_room.execute("table", "add", str(cli_room.folder / "table.toml"))
    cli_room.execute("promotion", "add", str(cli_room.folder / "promotion.toml"))
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", by="kim")
    cli_room.read_output("display", "show", "table-1")
    cli_room.read_output("jackpot", "list")
    (jackpot,) = cli_room.read_json("jackpot", "list")["jackpots"]
    typed = [part for place, cards in TOP_HANDS[game].items() for part in ("--cards", f"{place}={cards}")]
    claimed = cli_room.execute("claim", "add", jackpot["jackpot"], "table-1", *typed, "--seat", "2", by="kim")
    (prize,) = claimed["paid"] + claimed["pending"]
    if jackpot["meters"]:
        shown = jackpot["meters"][0]["shown_cents"]
        assert (prize["cents"], len(claimed["pending"])) == (shown, 1)
        assert shown > 5_000_00 if kind == "progressive" else shown == 10_000_00
    else:
        assert (kind, prize["cents"]) == ("bonus", 1_000_00)
    if claimed["pending"]:
        assert (
            cli_room.execute("claim", "pay", jackpot["jackpot"], claimed["claim"], *IN_CASH, *SEEN)["cents"]
            == prize["cents"]
        )
    assert cli_room.read_json("verify")["whole"]
    assert "exists already" in cli_room.read_refusal("jackpot", "print-example", game, "-o", str(cli_room.folder))


def test_the_list_of_jackpots_shows_the_floor_on_one_page(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", by="kim")
    cli_room.execute("claim", "add", "final-four", "table-1", *ROYAL, "--id", "royal", by="kim")
    page = cli_room.read_output("jackpot", "list")
    for text in ("1 claim pending", "royal", "$5,000.20", "table-1", "Milky Way", "owed to the players"):
        assert text in page
    assert max(map(len, page.splitlines())) <= 100
    floor = cli_room.read_json("jackpot", "list")
    assert [jackpot["jackpot"] for jackpot in floor["jackpots"]] == ["final-four"]
    assert floor["jackpots"][0]["claims"][0]["claim"] == "royal"


# The command line itself.


def _list_commands(group: Any, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    commands: list[tuple[str, ...]] = []
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        commands += _list_commands(command, (*names, name)) if hasattr(command, "list_commands") else [(*names, name)]
    return commands


COMMANDS = [
    command
    for group in ("jackpot", "tabulator", "claim", "prize", "malfunction", "promotion", "report")
    for command in _list_commands(get_command(app).get_command(None, group), (group,))  # type: ignore[attr-defined]
]


@pytest.mark.parametrize("command", [*COMMANDS, ("verify",), ("backup",), ("restore",)], ids=" ".join)
def test_each_help_has_examples(command: tuple[str, ...], cli_room: CliRoom) -> None:
    assert f"cardroom {' '.join(command)}" in cli_room.read_output(*command, "--help").partition("Examples")[2]


def test_every_change_is_recorded_with_a_user(cli_room: CliRoom) -> None:
    cli_room.open()
    press = ("tabulator", "press", "table-1", "--positions", "1")
    for no_user in ("", "  "):
        result = cli_room.run(*press, "--by", no_user, CARDROOM_SESSION="")
        assert (result.exit_code, "--by LOGIN" in result.stderr) == (2, True)
    assert cli_room.run(*press, CARDROOM_USER="kim").exit_code == 0
    assert cli_room.read_json("tabulator", "history", "table-1")[0]["payload"]["dealer"] == "kim"


FIRST = ("init", "rosa", "--name", "Rosa Diaz")


def test_only_the_first_operator_creates_a_new_database(empty_cli_room: CliRoom) -> None:
    cli_room = empty_cli_room
    text = cli_room.read_output("jackpot", "print-example", "three-card-prime", "jackpot")
    for command in (
        ("jackpot", "list"),
        ("jackpot", "add", "-"),
        ("backup", "x.db"),
        ("sign-in", "rosa"),
        ("whoami",),
    ):
        output = cli_room.read_refusal(*command, typed=text)
        assert "There is no database" in output
        assert "`cardroom init`" in output
    result = cli_room.run(*FIRST, CARDROOM_PASSWORD=password_of("rosa"))
    assert (result.exit_code, result.stderr) == (0, f"New database: {cli_room.folder / 'ledger.db'}\n")


def test_without_an_address_the_database_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    cli_room = CliRoom("", tmp_path)
    assert cli_room.run(*FIRST, CARDROOM_PASSWORD=password_of("rosa")).exit_code == 0
    assert (tmp_path / "cardroom" / "cardroom.db").is_file()


BAD: list[tuple[tuple[str, ...], str]] = [
    (("jackpot", "add", "nowhere.toml"), "cannot be read"),
    (("table", "add", "nowhere.toml"), "cannot be read"),
    (("table", "link", "table-9", "final-four"), "no table 'table-9'"),
    (("table", "link", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("table", "unlink", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("table", "unlink", "table-1", "final-four"), "The reason is missing"),
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
def open_cli_room(tmp_path_factory: pytest.TempPathFactory, staffed_ledger: tuple[Path, dict[str, str]]) -> CliRoom:
    """A card room that no test of this module changes."""
    folder, (file, sessions) = tmp_path_factory.mktemp("room"), staffed_ledger
    shutil.copy(file, folder / "ledger.db")
    cli_room = CliRoom(f"sqlite:///{folder / 'ledger.db'}", folder, sessions)
    cli_room.open()
    return cli_room


@pytest.mark.parametrize(("command", "sentence"), BAD, ids=[ascii(" ".join(command))[1:60] for command, _ in BAD])
def test_bad_input_gets_a_sentence_and_changes_nothing(
    command: tuple[str, ...], sentence: str, open_cli_room: CliRoom
) -> None:
    alone = "--second" in command or "--second LOGIN" in sentence
    second_user = () if alone else name_second_user(*command)
    before = open_cli_room.read_heads()
    assert sentence in open_cli_room.read_refusal(*command, *second_user)
    assert open_cli_room.read_heads() == before


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
def test_a_query_about_something_unknown_gets_a_sentence(
    command: tuple[str, ...], sentence: str, open_cli_room: CliRoom
) -> None:
    assert sentence in open_cli_room.read_refusal(*command)


@pytest.mark.parametrize(
    ("original", "replacement", "sentence"),
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
        ('table = "table-1"', "", "needs 'table'"),
        ('game = "three-card-prime"', "game = ", "not TOML"),
        ("seats = 6", "seats = 6\npositions = 9", "positions"),
        ("[[sensors]]", '[[sensors]]\nwager = "prime"\n[[sensors]]', "sensors"),
    ],
)
def test_a_table_with_a_wrong_setup_is_refused(
    original: str, replacement: str, sentence: str, open_cli_room: CliRoom
) -> None:
    text = open_cli_room.read_output("jackpot", "print-example", "three-card-prime", "table").replace(
        "table-1", "table-7"
    )
    original = original.replace("table-1", "table-7")
    assert original in text
    refusal = open_cli_room.read_refusal("table", "add", "-", typed=text.replace(original, replacement))
    assert sentence in refusal


# When the database is unavailable.


def test_a_locked_database_gets_a_sentence_with_the_id(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    cli_room.open()
    monkeypatch.setattr(ledger_access, "LOCK_TIMEOUT", 0.05)
    other = sqlite3.connect(cli_room.folder / "ledger.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    press = ("tabulator", "press", "table-1", "--positions", "1", "--by", "kim", "--id", "press-9")
    output = cli_room.read_refusal(*press)
    assert "locked" in output
    assert "--id press-9" in output
    assert cli_room.read_meter()["shown_cents"] == 5_000_00
    other.execute("ROLLBACK")
    other.close()
    assert cli_room.run(*press).exit_code == 0
    assert cli_room.read_meter()["shown_cents"] == 5_000_20


def test_an_unreachable_database_server_gets_a_sentence(tmp_path: Path) -> None:
    cli_room = CliRoom("postgresql://user:secret@127.0.0.1:1/none", tmp_path)
    output = cli_room.read_refusal("jackpot", "list")
    assert "The database is unreachable" in output
    assert "secret" not in output


@pytest.mark.parametrize(
    "address", ["ledger", "mysql://x/y", "sqlite://", "sqlite:///", "sqlite:////nowhere/at/all.db"]
)
def test_an_invalid_address_gets_a_sentence(address: str, tmp_path: Path) -> None:
    text = CliRoom("", tmp_path).read_output("jackpot", "print-example", "deuces-wild", "jackpot")
    output = CliRoom(address, tmp_path).read_refusal("jackpot", "add", "-", typed=text)
    assert output.endswith(".")


def test_a_file_that_is_not_a_ledger_is_refused(cli_room: CliRoom) -> None:
    (cli_room.folder / "ledger.db").write_text("A shopping list, and not a short one. " * 100)
    assert "not a ledger" in cli_room.read_refusal("jackpot", "list")


def test_a_round_that_was_counted_long_ago_is_not_counted_again(cli_room: CliRoom) -> None:
    cli_room.open()
    for number in (1, 2, 3):
        cli_room.execute("tabulator", "press", "table-1", "--positions", "1-6", "--round", f"r{number}", by="kim")
    before = cli_room.count_events()
    sentence = cli_room.read_refusal(
        "tabulator", "press", "table-1", "--positions", "1", "--round", "r1", "--by", "kim"
    )
    assert sentence.startswith("Round r1 was counted at table-1 on 20")
    assert sentence.endswith("Give a new round a new id.")
    assert cli_room.count_events() == before


def test_two_users_reverse_a_prize_that_was_paid_on_mistyped_cards(cli_room: CliRoom) -> None:
    cli_room.open()
    cli_room.execute("tabulator", "press", "table-1", "--positions", "1", "--round", "r1")
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
    (paid,) = cli_room.execute(*trips, "--id", "wrong", by="kim")["paid"]
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
    assert "--second LOGIN" in cli_room.read_refusal(*back)
    taken = cli_room.read_json(*back, "--second", "carl")
    assert [prize["cents"] for prize in taken["prizes"]] == [paid["cents"]]
    assert cli_room.execute(*trips, "--id", "right", by="kim")["paid"] == [paid]
    assert cli_room.read_json("verify")["whole"]
