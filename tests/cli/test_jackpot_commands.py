"""The jackpot system through the command line: a whole evening on both databases, and what is refused."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cardroom.cli.app import app
from cardroom.cli.shared import office
from cardroom.floor import LoggerFile
from cardroom.games import default_setup, game, game_slugs, round_entry
from cardroom.games.examples import example_json
from cardroom.jackpots import TypedHand, typed_round
from tests.cli.house import House

ROYAL = ("--cards", "hand=Jd Qd Kd", "--cards", "fourth=Ad")
CENT, DOLLAR = 100, 10_000


# A whole evening.


def test_an_evening_at_a_card_room(each_house: House) -> None:
    house = each_house
    house.open()
    second = (house.folder / "table.toml").read_text().replace("table-1", "table-2").replace("T-1001", "T-1002")
    (house.folder / "second.toml").write_text(second.replace('jackpot = "final-four"\n', ""))
    house.jackpot("table", str(house.folder / "second.toml"))
    assert house.jackpot("link", "table-2", "final-four")["jackpots"] == ["final-four"]

    for number in range(5):
        house.jackpot("tabulate", "table-1", "--positions", "1-6", "--round", f"one-{number}", by="Kim")
    counted = house.jackpot("tabulate", "table-2", "--positions", "2,4", "--round", "two-1", by="Lou")
    assert counted["shown_cents"] == {"final-four": [5_006_40]}
    assert [light["position"] for light in counted["lights"]] == [2, 4]

    made = house.jackpot("claim", "final-four", "table-1", *ROYAL, "--seat", "3", "--id", "royal", by="Kim")
    assert made["cents"] == made["pending"][0]["cents"] == 5_006_40
    assert house.meter()["shown_cents"] == 5_000_00
    house.jackpot("tabulate", "table-2", "--positions", "2", "--round", "two-2", by="Lou")
    assert house.meter()["shown_cents"] == 5_000_20

    assert "a second person" in house.refused("jackpot", "pay", "final-four", "royal", "--by", "kim")
    assert "over $3,000" in house.refused("jackpot", "pay", "final-four", "royal", "--by", "Rosa")
    seen = ("--surveillance", "Lee", "--checked-at", "21:40")
    assert house.jackpot("pay", "final-four", "roy", *seen)["cents"] == 5_006_40

    deposited = house.jackpot("deposit", "final-four", "all", "--slip", "4471")
    assert deposited["escrow"] == deposited["owed"]
    assert deposited["undeposited"] == 0
    closed = house.jackpot("reconcile", "final-four", "4999", exit_code=1)
    assert closed["short"] == deposited["owed"] - 4_999 * DOLLAR
    assert "short" in house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim")
    assert house.jackpot("reconcile", "final-four", "5000.45")["unavailable"] is None

    verified = house.told("verify")
    assert verified["whole"]
    assert (verified["tables"], verified["jackpots"], verified["claims"]) == (2, 1, 1)


def test_the_history_has_no_gap(house: House) -> None:
    house.open()
    for number in range(3):
        house.jackpot("tabulate", "table-1", "--positions", "1,2,3", "--round", f"r{number}", by="Kim")
    house.jackpot("adjust", "final-four", "--reason", "malfunction", "--down", "0.50", "--why", "Report 31")
    house.jackpot("tabulate", "table-1", "--positions", "1", "--round", "r9", by="Kim")
    house.jackpot("void", "table-1", "r9", "--why", "The shuffler jammed", "--second", "Lee")
    house.jackpot("claim", "final-four", "table-1", *ROYAL, "--seat", "3", "--round", "r2", "--id", "c", by="Kim")
    house.jackpot("refuse", "final-four", "c", "--why", "No wager lay there")
    for rounds in ((), ("--rounds",)):
        lines = house.told("jackpot", "history", "final-four", *rounds)
        moved = [one for one in reversed(lines) if one["level"] == "main" and one["held"] == "display"]
        amount = 0
        for one in moved:
            if one["before"] is not None:
                assert one["before"] == amount, one
                amount += one["amount"]
        assert amount == house.meter()["display"] == 5_001_30 * CENT
    assert len(lines) > len(house.told("jackpot", "history", "final-four"))
    assert len(house.told("jackpot", "history", "final-four", "--last", "2")) == 2
    for_people = house.said("jackpot", "history", "final-four")
    for word in ("seed money", "correction of a malfunction", "prize won", "reset", "prize refused", "Report 31"):
        assert word in for_people


def test_a_deposit_of_all_that_waits_is_made_once_however_often_it_is_sent(house: House) -> None:
    house.open()
    friday = ("deposit", "final-four", "all", "--slip", "4471", "--id", "friday")
    first = house.jackpot(*friday)
    assert (first["repeated"], first["undeposited"]) == (False, 0)
    assert house.jackpot(*friday) == first | {"repeated": True}


def test_five_reasons_to_reduce_and_no_others(house: House) -> None:
    house.open()
    for number in range(10):
        house.jackpot("tabulate", "table-1", "--positions", "1-6", "--round", f"r{number}", by="Kim")
    adjust = ("adjust", "final-four", "--why", "Said so", "--reason")
    assert house.jackpot(*adjust, "malfunction", "--up", "5")["meters"][0]["shown_cents"] == 5_017_00
    assert house.jackpot(*adjust, "malfunction", "--down", "7")["meters"][0]["shown_cents"] == 5_010_00
    assert house.jackpot(*adjust, "seed", "--up", "1,000")["meters"][0]["shown_cents"] == 6_010_00
    assert house.jackpot(*adjust, "seed-recovery", "--down", "$1,010")["meters"][0]["seed_owed"] == 4_990 * DOLLAR
    assert "above its reset value by $0" in house.refused(
        "jackpot", *adjust, "seed-recovery", "--down", "1", "--by", "Rosa"
    )
    assert house.jackpot(*adjust, "not-displayed", "--down", "3", "--from", "reserve")["meters"][0]["reserve"] == 0
    assert "not above a cap" in house.refused("jackpot", *adjust, "above-cap", "--by", "Rosa")
    assert "by a claim" in house.refused("jackpot", *adjust, "prize-won", "--down", "1", "--by", "Rosa")
    assert "Invalid value" in house.refused("jackpot", *adjust, "profit", "--down", "1", "--by", "Rosa")


def test_a_broken_tabulator_is_counted_by_hand(house: House) -> None:
    house.open()
    assert house.jackpot("broken", "table-1", "--why", "Sensor 3 is dead")["broken"] == "Sensor 3 is dead"
    assert "count by hand" in house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim")
    counted = house.jackpot("count", "table-1", "--positions", "1,3", by="Kim")
    assert counted["counts"] == {"final-four": 2}
    assert [mark["position"] for mark in counted["stay"]] == [1, 3]
    repaired = house.jackpot("repaired", "table-1", "--unit", "T-2000", "--counter", "7")
    assert (repaired["unit"], repaired["counters"], repaired["broken"]) == ("T-2000", [7], None)
    assert house.jackpot("counter", "table-1", "9")["counts"] == {"final-four": 2}
    assert "never goes back" in house.refused("jackpot", "counter", "table-1", "3", "--by", "Rosa")
    house.jackpot("lights", "table-1", "--failed", "3,4")
    counted = house.jackpot("tabulate", "table-1", "--positions", "2,3", by="Kim")
    assert [light["position"] for light in counted["lights"]] == [2]
    assert [mark["position"] for mark in counted["lammers"]] == [3]
    recalled = house.told("jackpot", "recall", "table-1")
    assert [event["kind"] for event in recalled] == ["round-tabulated", "counter-read", "counted-by-hand"]
    assert "counted by hand" in house.said("jackpot", "recall", "table-1")


def test_lammers_mark_the_larger_wager(house: House) -> None:
    house.open("texas-shootout")
    house.jackpot("tabulate", "table-1", "--positions", "1,2,6", "--lammers", "2", by="Kim")
    assert house.told("jackpot", "show", "texas-shootout-jackpot")["wagered"] == 4 * DOLLAR
    assert "no jackpot wager" in house.refused(
        "jackpot", "tabulate", "table-1", "--positions", "1", "--lammers", "5", "--by", "Kim"
    )
    typed = ("claim", "texas-shootout-jackpot", "table-1", "--seat", "2", "--cards", "hand=As Ks")
    assert "--wagered" in house.refused("jackpot", *typed, "--cards", "community=Qs Js Ts", "--by", "Kim")
    won = house.jackpot(*typed, "--cards", "community=Qs Js Ts 2d 3c", "--wagered", "2", by="Kim")
    assert won["pending"][0]["event"] == "royal-flush"


def test_the_records_of_a_data_logger_count_once(house: House) -> None:
    house.open("deuces-wild", milky_way="andromeda-1")
    log = house.folder / "T-1001.log"
    with LoggerFile(log, "T-1001") as file:
        for number in range(1, 4):
            file.record(f"r{number}", [1, 2], time=number, dealer="Kim", counter=2 * number)
    before = log.read_bytes()
    assert house.jackpot("logger", "table-1", str(log))["forwarded"] == 3
    assert house.jackpot("logger", "table-1", str(log))["forwarded"] == 0
    log.write_bytes(before)
    assert house.jackpot("logger", "table-1", str(log))["forwarded"] == 3
    assert house.told("jackpot", "show")["tables"][0]["counters"] == [6]
    assert "data logger" in house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim")
    assert "no file" in house.refused("jackpot", "logger", "table-1", str(house.folder / "none.log"), "--by", "Rosa")


def test_parameters_wait_where_players_would_lose(house: House) -> None:
    house.open()
    change = ("change", "final-four", "--why", "Budget")
    assert house.jackpot(*change, "ceiling=60000")["waiting"] == []
    assert house.jackpot(*change, "contribution=15%")["waiting"] == ["main"]
    assert "after the reset" in house.said("jackpot", "show", "final-four")
    house.jackpot("tabulate", "table-1", "--positions", "1", by="Kim")
    house.jackpot("claim", "final-four", "table-1", *ROYAL, by="Kim")
    shown = house.told("jackpot", "show", "final-four")
    assert shown["parameters"]["main"]["contribution"] == "3/20"
    assert "cannot be changed" in house.refused("jackpot", *change, "colour=red", "--by", "Rosa")
    assert "NAME" in house.refused("jackpot", *change, "contribution", "--by", "Rosa").replace(
        "contribution=25%", "NAME"
    )


def test_a_bonus_jackpot_is_the_houses_own(house: House) -> None:
    house.open("deuces-wild")
    bonus = ("change", "deuces-wild-jackpot", "--why", "Spring", "--bonus", "five-wild-cards=$5,000")
    house.jackpot(*bonus)
    house.jackpot("tabulate", "table-1", "--positions", "1", "--round", "r1", by="Kim")
    hand = ("--cards", "hand=2c 2d Jk", "--cards", "fourth=2h", "--cards", "fifth=2s")
    made = house.jackpot("claim", "deuces-wild-jackpot", "table-1", *hand, "--round", "r1", by="Kim")
    assert made["pending"][0]["cents"] == 5_000_00
    assert made["standing"]["owed"] == 0
    assert house.jackpot("remove", "deuces-wild-jackpot", "--why", "Over")["unavailable"] == "it was removed"


def test_a_progressive_is_not_removed_but_disabled(house: House) -> None:
    house.open()
    before = house.meter()
    assert "players'" in house.refused("jackpot", "remove", "final-four", "--why", "Over", "--by", "Rosa")
    assert house.jackpot("disable", "final-four", "--why", "Dark")["unavailable"] == "Dark"
    assert "Dark" in house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim")
    assert "Not available" in house.said("jackpot", "display", "table-1")
    assert house.jackpot("enable", "final-four")["meters"] == [before]


def test_a_table_leaves_a_jackpot(house: House) -> None:
    house.open()
    assert house.jackpot("unlink", "table-1", "final-four")["jackpots"] == []
    house.jackpot("tabulate", "table-1", "--positions", "1", by="Kim")
    assert house.meter()["shown_cents"] == 5_000_00
    assert "Final Four Jackpot progressive" not in house.said("jackpot", "display", "table-1")


def test_a_round_is_claimed_from_its_record(house: House) -> None:
    house.open()
    table = game("three-card-prime").open(default_setup("three-card-prime"))
    played = typed_round(table, TypedHand("final-four", 1_00, {"hand": "Jd Qd Kd", "fourth": "Ad"}, seat=2))
    file = house.folder / "round.json"
    file.write_text(json.dumps(round_entry(played)))
    claim = ("claim", "final-four", "table-1", str(file), "--round", "r1")
    assert "not counted" in house.refused("jackpot", *claim, "--by", "Kim")
    house.jackpot("tabulate", "table-1", "--positions", "2,4", "--round", "r1", by="Kim")
    made = house.jackpot(*claim, by="Kim")
    assert [(prize["seat"], prize["cents"]) for prize in made["pending"]] == [(2, 5_000_40)]
    assert "claimed already" in house.refused("jackpot", *claim, "--by", "Kim")
    losing = example_json("three-card-prime")
    typed = ("jackpot", "claim", "final-four", "table-1", "-", "--round", "r2", "--by", "Kim")
    assert "Nobody has won" in house.refused(*typed, typed=losing)
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
    claim = ("claim", "final-four", "table-1", *ROYAL)
    house.jackpot("tabulate", "table-1", "--positions", "2,4", "--round", "r1", by="Kim")
    assert "at 2, 4" in house.refused("jackpot", *claim, "--by", "Kim")
    assert "only at 2, 4" in house.refused("jackpot", *claim, "--seat", "1", "--by", "Kim")
    house.jackpot("tabulate", "table-1", "--positions", "5", "--round", "r2", by="Kim")
    assert house.jackpot(*claim, by="Kim")["pending"][0]["seat"] == 5


def test_promotions_are_announced_paid_and_ended(house: House) -> None:
    house.open()
    record = house.folder / "round.json"
    record.write_text(example_json("three-card-prime"))
    payments = house.told("settle", str(record))["payments"]
    won = next(one for one in payments if one["net"] > 0 and one["spot"] in ("prime", "pair-bonus", "all-six"))
    winners = [one["seat"] for one in payments if (one["spot"], one["event"]) == (won["spot"], won["event"])]
    printed = json.loads(record.read_text())["table"]["wagers"][won["spot"]]["paytable"]
    text = house.said("jackpot", "example", "three-card-prime", "promotion").replace("more-for-prime", "more")
    text = text.replace('"prime"', f'"{won["spot"]}"').replace('"PRW-1"', f'"{printed}"')
    text = text.replace('"same-color-player-and-dealer"', f'"{won["event"]}"')

    announced = house.told("jackpot", "promotion", "announce", "-", "--by", "Rosa", typed=text)
    assert announced["prizes_left"] == 100
    assert "More for Prime" in house.said("jackpot", "display", "table-1")
    pay = ("promotion", "pay", "more", "table-1", str(record), "--round")
    paid = house.jackpot(*pay, "r1", by="Kim")
    assert (paid["seats"], paid["cents"]) == (winners, len(winners) * 25_00)
    assert "paid already" in house.refused("jackpot", *pay, "r1", "--by", "Kim")
    assert house.jackpot(*pay, "r2", "--when", "2199-01-01", by="Kim")["cents"] == 0
    assert "not a day" in house.refused("jackpot", *pay, "r2", "--when", "tomorrow", "--by", "Kim")
    assert house.jackpot("promotion", "end", "more", "--why", "Sold out")["ended"]
    (shown,) = house.told("jackpot", "promotion", "show")
    assert (shown["ended"], shown["prizes"]) == (True, len(winners))
    assert "ended" in house.said("jackpot", "promotion", "show")
    assert house.told("verify")["whole"]


# Once and only once.


def test_a_command_that_is_sent_twice_is_done_once(house: House) -> None:
    house.open()
    press = ("tabulate", "table-1", "--positions", "1,2", "--id", "press-1")
    first, again = house.jackpot(*press, by="Kim"), house.jackpot(*press, by="Kim")
    assert (first.pop("repeated"), again.pop("repeated")) == (False, True)
    assert first == again
    assert house.meter()["shown_cents"] == 5_000_40
    assert "carried out before" in house.said("jackpot", *press, "--by", "Kim")
    assert "used before" in house.refused("jackpot", *press[:3], "3", "--id", "press-1", "--by", "Kim")


def test_a_claim_may_be_paid_twice_over_and_is_paid_once(house: House) -> None:
    house.open()
    house.jackpot("tabulate", "table-1", "--positions", "1", by="Kim")
    house.jackpot("claim", "final-four", "table-1", *ROYAL, "--id", "3f2a-77", by="Kim")
    pay = ("pay", "final-four", "3f", "--surveillance", "Lee", "--checked-at", "21:40", "--id", "pay-1")
    assert house.jackpot(*pay)["cents"] == house.jackpot(*pay)["cents"]
    assert "no pending claim" in house.refused("jackpot", *pay[:-1], "pay-2", "--by", "Rosa")


def test_every_command_without_an_id_gets_one_of_its_own(house: House) -> None:
    house.open()
    ids = {house.jackpot("tabulate", "table-1", "--positions", "none", by="Kim")["id"] for _ in range(3)}
    assert len(ids) == 3


# Displays and set-ups.


def test_displays_are_drawn(house: House) -> None:
    house.open()
    said = house.said("jackpot", "display", "table-1", "-o", str(house.folder / "sign.svg"))
    drawn = [house.folder / "sign-led-line.svg", house.folder / "sign-picture-frame.svg"]
    assert all(str(path) in said and "<svg" in path.read_text() for path in drawn)
    png = house.folder / "sign.png"
    house.said("jackpot", "display", "table-1", "--kind", "led-line", "-o", str(png))
    assert png.read_bytes().startswith(b"\x89PNG")
    kinds = [one["kind"] for one in house.told("jackpot", "display", "table-1", "--cap", "10,000")]
    assert kinds == ["led-line", "picture-frame"]
    assert "has no display" in house.refused("jackpot", "display", "table-1", "--kind", "monitor")
    assert ".svg or .png" in house.refused("jackpot", "display", "table-1", "-o", str(house.folder / "sign.gif"))


@pytest.mark.parametrize("kind", ["progressive", "bonus"])
@pytest.mark.parametrize("game", game_slugs())
def test_every_example_works_as_it_is(game: str, kind: str, house: House) -> None:
    if (game, kind) == ("deuces-wild", "progressive"):
        assert "bonus jackpots only" in house.refused("jackpot", "example", game, "--kind", kind)
        return
    house.said("jackpot", "example", game, "--kind", kind, "-o", str(house.folder))
    house.jackpot("open", str(house.folder / "jackpot.toml"))
    house.jackpot("table", str(house.folder / "table.toml"))
    house.jackpot("promotion", "announce", str(house.folder / "promotion.toml"))
    house.jackpot("tabulate", "table-1", "--positions", "1-6", by="Kim")
    house.said("jackpot", "display", "table-1")
    house.said("jackpot", "show")
    assert house.told("verify")["whole"]
    assert "there already" in house.refused("jackpot", "example", game, "-o", str(house.folder))


def test_the_whole_floor_on_one_page(house: House) -> None:
    house.open()
    house.jackpot("tabulate", "table-1", "--positions", "1", by="Kim")
    house.jackpot("claim", "final-four", "table-1", *ROYAL, "--id", "royal", by="Kim")
    page = house.said("jackpot", "show")
    for text in ("1 claim pending", "royal", "$5,000.20", "table-1", "Milky Way", "owed to the players"):
        assert text in page
    assert max(map(len, page.splitlines())) <= 100
    whole = house.told("jackpot", "show")
    assert [one["jackpot"] for one in whole["jackpots"]] == ["final-four"]
    assert whole["jackpots"][0]["claims"][0]["claim"] == "royal"


# The command line itself.


def _commands(group: Any, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        found += _commands(command, (*names, name)) if hasattr(command, "list_commands") else [(*names, name)]
    return found


COMMANDS = _commands(get_command(app).get_command(None, "jackpot"), ("jackpot",))  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", [*COMMANDS, ("verify",), ("backup",), ("restore",)], ids=" ".join)
def test_each_help_has_examples(command: tuple[str, ...], house: House) -> None:
    assert f"cardroom {' '.join(command)}" in house.said(*command, "--help").partition("Examples")[2]


def test_somebody_answers_for_every_change(house: House) -> None:
    house.open()
    press = ("jackpot", "tabulate", "table-1", "--positions", "1")
    assert "--by NAME" in house.refused(*press)
    assert "--by NAME" in house.refused(*press, "--by", "  ")
    assert house.run(*press, CARDROOM_PERSON="Kim").exit_code == 0
    assert house.told("jackpot", "recall", "table-1")[0]["payload"]["dealer"] == "Kim"


def test_new_books_are_announced_and_only_begun_by_opening(house: House) -> None:
    assert "no books" in house.refused("jackpot", "show")
    assert "no books" in house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim")
    text = house.said("jackpot", "example", "three-card-prime", "jackpot")
    result = house.run("jackpot", "open", "-", "--by", "Rosa", typed=text)
    assert result.stderr == f"New books: {house.folder / 'books.db'}\n"


def test_without_an_address_the_books_are_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path / "share")
    house = House("", tmp_path)
    house.open()
    assert (tmp_path / "share" / "cardroom.db").is_file()


BAD: list[tuple[tuple[str, ...], str]] = [
    (("open", "nowhere.toml"), "cannot be read"),
    (("table", "nowhere.toml"), "cannot be read"),
    (("link", "table-9", "final-four"), "no table 'table-9'"),
    (("link", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("unlink", "table-1", "final-five"), "no jackpot 'final-five'"),
    (("change", "final-four", "--why", "x"), "one of the two"),
    (("change", "final-four", "seed=much", "--why", "x"), "not an amount"),
    (("change", "final-four", "seed=6000"), "reason is missing"),
    (("change", "final-four", "seed=6000", "--level", "top", "--why", "x"), "no level 'top'"),
    (("change", "final-four", "--bonus", "straight=$5", "--why", "x"), "no bonus"),
    (("tabulate", "table-9", "--positions", "1"), "no table 'table-9'"),
    (("tabulate", "table-1", "--positions", "one"), "names no positions"),
    (("tabulate", "table-1", "--positions", "1,2", "--positions", "1:4"), "named twice"),
    (("tabulate", "table-1", "--positions", "7"), "no position 7"),
    (("tabulate", "table-1", "--positions", "2:1"), "Sensor 2 is not in use"),
    (("count", "table-1", "--positions", "1"), "The tabulator works"),
    (("counter", "table-1", "1", "2"), "counts 1 wagers"),
    (("void", "table-1", "r1", "--why", "x"), "was not counted"),
    (("repaired", "table-1"), "not broken"),
    (("broken", "table-1"), "what is wrong"),
    (("claim", "final-four", "table-1"), "one of the two"),
    (("claim", "final-four", "table-1", *ROYAL), "--round"),
    (("claim", "final-four", "table-1", *ROYAL[:2], "--round", "r1"), "missing at 'fourth'"),
    (("claim", "final-four", "table-1", "--cards", "Jd", "--round", "r1"), "not a name with a value"),
    (("claim", "final-four", "table-1", "nowhere.json", "--round", "r1"), "cannot be read"),
    (("pay", "final-four", "c1"), "no pending claim"),
    (("pay", "final-four", "c1", "--surveillance", "Lee"), "--checked-at"),
    (("refuse", "final-four", "c1", "--why", "x"), "no pending claim"),
    (("adjust", "final-four", "--reason", "malfunction", "--why", "x"), "--up or --down"),
    (("adjust", "final-four", "--reason", "seed", "--down", "1", "--why", "x"), "--up DOLLARS"),
    (("adjust", "final-four", "--reason", "malfunction", "--up", "0", "--why", "x"), "above zero"),
    (("adjust", "final-four", "--reason", "malfunction", "--up", "1.005", "--why", "x"), "not an amount"),
    (("adjust", "final-four", "--reason", "not-displayed", "--down", "1", "--why", "x"), "--from"),
    (("adjust", "final-four", "--reason", "above-cap", "--down", "1", "--why", "x"), "no amount"),
    (("adjust", "final-four", "--reason", "malfunction", "--up", "9" * 20, "--why", "x"), "Nothing was stored"),
    (("disable", "final-four", "--why", "dark \udcff"), "Nothing was stored"),
    (("disable", "final-four", "--why", "dark", "--id", "i" * 300), "printable characters"),
    (("deposit", "final-four", "9999999", "--slip", "1"), "not possible"),
    (("deposit", "final-four", "all", "--slip", " "), "reference is missing"),
    (("reconcile", "final-four", "-", "--json"), "not an amount"),
    (("enable", "final-four"), "not disabled"),
    (("promotion", "pay", "none", "table-1", "nowhere.json", "--round", "r"), "cannot be read"),
    (("promotion", "end", "none", "--why", "x"), "no promotion 'none'"),
]


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A house that nobody manages to change."""
    folder = tmp_path_factory.mktemp("house")
    house = House(f"sqlite:///{folder / 'books.db'}", folder)
    house.open()
    return house


@pytest.mark.parametrize(("command", "sentence"), BAD, ids=[ascii(" ".join(command))[1:60] for command, _ in BAD])
def test_bad_input_gets_a_sentence_and_changes_nothing(
    command: tuple[str, ...], sentence: str, open_house: House
) -> None:
    before = open_house.told("jackpot", "heads")["heads"]
    assert sentence in open_house.refused("jackpot", *command, "--by", "Rosa")
    assert open_house.told("jackpot", "heads")["heads"] == before


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (("show", "final-five"), "no jackpot"),
        (("history", "final-five"), "no jackpot"),
        (("recall", "table-9"), "no table"),
        (("display", "table-9"), "no table"),
        (("example", "poker"), "poker"),
        (("example", "deuces-wild", "chips"), "jackpot, table, promotion"),
        (("example", "deuces-wild", "--kind", "mystery"), "bonus"),
        (("heads", "--check", "nowhere.json"), "cannot be read"),
        (("heads", "--check", "x", "-o", "y"), "writes no file"),
    ],
)
def test_bad_questions_get_a_sentence(command: tuple[str, ...], sentence: str, open_house: House) -> None:
    assert sentence in open_house.refused("jackpot", *command)


@pytest.mark.parametrize(
    ("exchanged", "by", "sentence"),
    [
        ('location = "Main Street"', 'location = "Elm Street"', "one location"),
        ('unit = "T-1001"', "", "'unit'"),
        ('unit = "T-1001"', 'unit = "T-1001"\ncounters = ["many"]', "'counters'"),
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
    text = open_house.said("jackpot", "example", "three-card-prime", "table").replace("table-1", "table-7")
    exchanged = exchanged.replace("table-1", "table-7")
    assert exchanged in text
    refused = open_house.refused("jackpot", "table", "-", "--by", "Rosa", typed=text.replace(exchanged, by))
    assert sentence in refused


# When the database is not there.


def test_a_locked_database_gets_a_sentence_with_the_id(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open()
    monkeypatch.setattr(office, "PATIENCE", 0.05)
    other = sqlite3.connect(house.folder / "books.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    press = ("jackpot", "tabulate", "table-1", "--positions", "1", "--by", "Kim", "--id", "press-9")
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
    said = house.refused("jackpot", "show")
    assert "not to be reached" in said
    assert "secret" not in said


@pytest.mark.parametrize("address", ["books", "mysql://x/y", "sqlite://", "sqlite:///", "sqlite:////nowhere/at/all.db"])
def test_an_address_that_is_none_gets_a_sentence(address: str, tmp_path: Path) -> None:
    text = House("", tmp_path).said("jackpot", "example", "deuces-wild", "jackpot")
    said = House(address, tmp_path).refused("jackpot", "open", "-", "--by", "Rosa", typed=text)
    assert said.endswith(".")


def test_a_file_that_is_something_else_is_left_alone(house: House) -> None:
    (house.folder / "books.db").write_text("A shopping list, and not a short one. " * 100)
    assert "not a ledger" in house.refused("jackpot", "show")


def test_a_round_that_was_counted_long_ago_is_not_counted_again(house: House) -> None:
    house.open()
    for number in (1, 2, 3):
        house.jackpot("tabulate", "table-1", "--positions", "1-6", "--round", f"r{number}", by="Kim")
    before = house.events()
    sentence = house.refused("jackpot", "tabulate", "table-1", "--positions", "1", "--round", "r1", "--by", "Kim")
    assert sentence.startswith("Round r1 has been counted already: at table-1 on 20")
    assert sentence.endswith("A new round has a new id.")
    assert house.events() == before
