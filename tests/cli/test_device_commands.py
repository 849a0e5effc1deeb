"""Devices from the command line: registered, listed, held up and let go on; and units that are played over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from cardroom.cli import device_simulation as device_play
from cardroom.cli.shared.output import print_page
from cardroom.ledger import open_ledger, system_clock
from cardroom.service import CardRoom
from cardroom.web.devices import tabulators as counting
from cardroom.web.equipment_simulators import EquipmentRun, RunResult
from cardroom.web.equipment_simulators.run import PlannedRound
from tests.cli.card_room import House
from tests.deadline import LIMIT
from tests.service.table_scenes import HandClock
from tests.web.devices.server import in_a_thread
from tests.web.devices.users import People


@pytest.fixture
def served(house: House) -> Iterator[str]:
    """The example's table, and a server on its books."""
    house.open()
    with open_ledger(house.database) as ledger, in_a_thread(CardRoom(ledger)) as address:
        yield address


def register(house: House, device: str, kind: str, table: str = "table-1") -> str:
    return str(house.read_json("device", "add", table, device, kind)["token"])


def test_a_device_is_registered_renewed_and_withdrawn_and_the_list_says_so(house: House) -> None:
    house.open()
    first = house.read_json("device", "add", "table-1", "T-1001", "tabulator", "--id", "first")
    again = house.read_json("device", "add", "table-1", "T-1001", "tabulator", "--id", "first")
    assert (again["token"], first["repeated"], again["repeated"]) == (None, False, True)
    assert first["token"].startswith("T-1001.1.")
    renewed = house.read_json("device", "renew", "T-1001", "--why", "It lay about")
    assert (renewed["generation"], renewed["token"][:9]) == (2, "T-1001.2.")
    withdrawn = house.read_json("device", "remove", "T-1001", "--why", "It went back")
    assert (withdrawn["withdrawn"], "token" in withdrawn) == ("It went back", False)
    (listed,) = house.read_json("device", "list")["devices"]
    assert (listed["device"], listed["table"], listed["kind"], listed["generation"]) == (
        "T-1001", "table-1", "tabulator", 2,
    )  # fmt: skip
    assert "removed, It went back" in house.said("device", "list")
    assert "There is no device 'T-7'" in house.refused("device", "renew", "T-7", "--why", "x")
    assert "register tabulator, led" in house.refused("device", "add", "table-1", "M", "monitor")
    assert "dora is a dealer: only operators may register" in house.refused(
        "device", "add", "table-1", "S", "led", "--by", "dora"
    )


def test_a_token_is_printed_once(house: House) -> None:
    house.open()
    register = "device", "add", "table-1", "T-1001", "tabulator", "--id", "first"
    first = house.said(*register)
    token = first.splitlines()[1]
    assert token.startswith("T-1001.1.")
    assert "shown once" in first
    again = house.said(*register)
    assert "T-1001.1." not in again
    assert "was shown when the command first ran" in again
    renew = "device", "renew", "T-1001", "--why", "It lay about", "--id", "second"
    assert house.said(*renew).splitlines()[1].startswith("T-1001.2.")
    assert "T-1001.2." not in house.said(*renew)
    assert token.rpartition(".")[2] not in house.said("device", "list") + house.said("device", "list", "--json")


def test_no_device_is_listed_where_there_is_none(house: House) -> None:
    house.open()
    assert "There is no device" in house.said("device", "list")


@pytest.mark.parametrize("command", ["add", "renew", "remove", "list", "accept-gap", "simulate", "watch"])
def test_each_help_has_examples(house: House, command: str) -> None:
    assert f"cardroom device {command}" in house.said("device", command, "--help").partition("Examples")[2]


def test_an_evening_is_shown_round_by_round_with_its_sign(
    house: House, served: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HandClock(
        system_clock()
    )  # the unit's true time and the server's: what a call takes on its way is no matter
    monkeypatch.setattr(counting, "system_clock", clock)
    monkeypatch.setattr(device_play, "run_equipment", partial(device_play.run_equipment, clock=clock))
    token, sign = register(house, "T-1001", "tabulator"), register(house, "S-1001", "led")
    said = house.said(
        "device", "simulate", "milky-way", "--server", served + "/", "--token", token, "--screen", sign, "--rounds",
        "4", "--every", "0", "--seed", "7", "--fail", "repeat=0.5,clock=+90s",
    )  # fmt: skip
    assert said.count("round ") == 4
    assert "Counter 4." in said
    assert "the screen shows Three Card Prime Final Four Jackpot $5,000.80" in said
    assert "Its clock differs by +90.0 s." in said
    payload = house.read_json(
        "device", "simulate", "milky-way", "--server", served, "--token", token, "--rounds", "4", "--every", "0",
        "--seed", "7",
    )  # fmt: skip
    assert (payload["table"], payload["unit"], payload["rounds"], payload["seed"]) == ("table-1", "T-1001", 4, 7)
    assert payload["counters"] == {"1": 2 * payload["wagers"]["final-four"]}
    assert house.meter()["shown_cents"] == 5_000_00 + 20 * payload["counters"]["1"]
    assert "the clock of T-1001 showed" in house.said("tabulator", "history", "table-1")


def test_a_unit_that_is_held_up_waits_and_leaves_with_the_answer_no(house: House, served: str) -> None:
    token = register(house, "T-1001", "tabulator")
    jump = "--token", token, "--server", served, "--every", "0", "--fail", "jump=1@2"
    result = house.run("device", "simulate", "milky-way", *jump, "--patience", "0.3")
    assert result.exit_code == 1, result.output
    assert "on hold: After round T-1001/" in result.stdout
    assert "1 press is pending at T-1001." in result.stderr
    (listed,) = house.read_json("device", "list")["devices"]
    assert "enter the counter as it was before that round" in listed["held_up"]
    assert "blocked" in house.said("device", "list")
    assert "device held up" in house.said("day", "show")


def test_two_people_accept_a_gap_from_the_command_line(house: House, tmp_path: Path) -> None:
    folder = tmp_path / "andromeda"
    folder.mkdir()
    house.said("jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(folder))
    house.execute("jackpot", "add", str(folder / "jackpot.toml"))
    house.execute("tabulator", "add", str(folder / "table.toml"))
    (folder / "A1-77.log").unlink()
    token = register(house, "A1-77", "data-logger", "logger-1")
    log = str(folder / "A1-77.log")
    with open_ledger(house.database) as ledger, in_a_thread(CardRoom(ledger)) as served:
        play = "device", "simulate", "andromeda-1", "--server", served, "--token", token, "--log", log, "--every", "0"
        result = house.run(*play, "--rounds", "5", "--fail", "forget=3", "--patience", "0.3")
        assert result.exit_code == 1, result.output
        assert "Record 4 of A1-77 arrived, but record 3 is missing" in result.stdout
        alone = "device", "accept-gap", "A1-77", "--why", "It was wet"
        assert "--second LOGIN" in house.refused(*alone)
        assert house.read_json(*alone, "--second", "lee")["number"] == 3
        payload = house.read_json(*play, "--rounds", "2")
    assert payload["counters"] == {"1": house.read_json("jackpot", "show", "deuces-wild-jackpot")["counted"]}
    assert house.read_json("device", "list")["devices"][0]["held_up"] is None


def test_screens_are_watched(house: House, served: str) -> None:
    sign = register(house, "S-1001", "led")
    said = house.said("device", "watch", "--server", served, "--token", sign, "--changes", "1")
    assert "$5,000.00" in said
    assert "LED line" in said
    token = register(house, "T-1001", "tabulator")
    assert "use the token of an LED sign or a monitor" in house.refused(
        "device", "watch", "--server", served, "--token", token
    )


def test_a_monitor_draws_its_display_in_the_terminal(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = threading.Event()
    monkeypatch.setattr(device_play, "print_page", lambda text: (print_page(text), shown.set()))
    house.open(milky_way="andromeda-3d")
    tabulator, monitor = register(house, "T-1", "tabulator"), register(house, "M-1", "monitor")
    with open_ledger(house.database) as ledger, in_a_thread(CardRoom(ledger)) as served:

        def press() -> None:
            assert shown.wait(LIMIT)
            body = {"id": "1", "covered": {"1": [1, 2, 3, 4, 5]}}
            headers = {"authorization": f"Bearer {tabulator}"}
            assert httpx.post(f"{served}/api/v1/devices/presses", json=body, headers=headers).status_code == 200

        dealer = threading.Thread(target=press)
        dealer.start()
        said = house.said("device", "watch", "--server", served, "--token", monitor, "--changes", "2")
        dealer.join()
        played = house.said(
            "device", "simulate", "andromeda-3", "--server", served, "--token", tabulator, "--screen", monitor,
            "--rounds", "3", "--every", "0", "--seed", "1",
        )  # fmt: skip
    assert "$5,000.00" in said
    assert "$5,001.00" in said
    assert "Final Four Jackpot" in said
    assert played.count("the screen shows Three Card Prime Final Four Jackpot $5,00") == 3


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("milky-way", "--fail", "rain=1"), "'rain=1' is not a failure. Choose lost-lines=0.1"),
        (("milky-way", "--fail", "late=2"), "'late=2' needs a probability"),
        (("milky-way", "--fail", "late"), "'late' needs a probability"),
        (("milky-way", "--fail", "jump=1"), "needs whole numbers from 1"),
        (("milky-way", "--fail", "forget=0"), "needs whole numbers from 1"),
        (("milky-way", "--fail", "clock=soon"), "'clock=soon' is not a clock difference. Use +90s"),
        (("toaster",), "'toaster'. Choose milky-way, andromeda-1, andromeda-3"),
        (("milky-way", "--server", "localhost"), "is not the address of a server"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_sent(
    house: House, typed: tuple[str, ...], says: str
) -> None:
    assert says in house.refused("device", "simulate", *typed, "--token", "x")


def test_people_let_a_played_unit_go_on(house: House, served: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token, plain = register(house, "T-1001", "tabulator"), device_play.run_equipment
    with People(house.database, "T-1001") as people:

        def play(
            evening: EquipmentRun, report: Callable[[str], None], on_round: Callable[[PlannedRound], None]
        ) -> RunResult:
            return plain(evening, lambda payload: (report(payload), people.come(payload))[1], on_round)

        monkeypatch.setattr(device_play, "run_equipment", play)
        result = house.run(
            "device", "simulate", "milky-way", "--server", served, "--token", token, "--every", "0", "--rounds", "5",
            "--fail", "jump=2@3", "--json",
        )  # fmt: skip
    assert result.exit_code == 0, result.output
    payload = json.loads(result.stdout)
    assert len(people.heard) == 1
    assert payload["counters"]["1"] == payload["wagers"]["final-four"] + 2
    assert house.meter()["shown_cents"] == 5_000_00 + 20 * payload["counters"]["1"]
