"""Device commands: register, list, and unblock devices, and simulate equipment over HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from cardroom.cli.shared.output import print_page
from cardroom.ledger import open_ledger, system_clock
from cardroom.service import CardRoom
from cardroom.web.devices import tabulators as counting
from cardroom_equipment_simulators import EquipmentRun, RunResult
from cardroom_equipment_simulators import commands as device_commands
from cardroom_equipment_simulators.run import PlannedRound
from tests.cli.card_room import CliRoom
from tests.deadline import LIMIT
from tests.service.table_scenes import HandClock
from tests.web.devices.server import serve_devices
from tests.web.devices.users import FloorStaff


@pytest.fixture
def server_address(cli_room: CliRoom) -> Iterator[str]:
    """The address of a server on the ledger of the example's table."""
    cli_room.open()
    with open_ledger(cli_room.database) as ledger, serve_devices(CardRoom(ledger)) as address:
        yield address


def register_device(cli_room: CliRoom, device: str, kind: str, table: str = "table-1") -> str:
    return str(cli_room.read_json("device", "add", table, device, kind)["token"])


def test_a_device_is_added_renewed_and_removed_and_the_list_shows_it(cli_room: CliRoom) -> None:
    cli_room.open()
    first = cli_room.read_json("device", "add", "table-1", "T-1001", "tabulator", "--id", "first")
    again = cli_room.read_json("device", "add", "table-1", "T-1001", "tabulator", "--id", "first")
    assert (again["token"], first["repeated"], again["repeated"]) == (None, False, True)
    assert first["token"].startswith("T-1001.1.")
    renewed = cli_room.read_json("device", "renew", "T-1001", "--why", "Written on a note")
    assert (renewed["generation"], renewed["token"][:9]) == (2, "T-1001.2.")
    withdrawn = cli_room.read_json("device", "remove", "T-1001", "--why", "It went back")
    assert (withdrawn["withdrawn"], "token" in withdrawn) == ("It went back", False)
    (listed,) = cli_room.read_json("device", "list")["devices"]
    assert (listed["device"], listed["table"], listed["kind"], listed["generation"]) == (
        "T-1001", "table-1", "tabulator", 2,
    )  # fmt: skip
    assert "removed, It went back" in cli_room.read_output("device", "list")
    assert "There is no device 'T-7'" in cli_room.read_refusal("device", "renew", "T-7", "--why", "x")
    assert "register tabulator, led" in cli_room.read_refusal("device", "add", "table-1", "M", "monitor")
    assert "dora is a dealer: only operators may register" in cli_room.read_refusal(
        "device", "add", "table-1", "S", "led", "--by", "dora"
    )


def test_a_token_is_printed_once(cli_room: CliRoom) -> None:
    cli_room.open()
    register_device = "device", "add", "table-1", "T-1001", "tabulator", "--id", "first"
    first = cli_room.read_output(*register_device)
    token = first.splitlines()[1]
    assert token.startswith("T-1001.1.")
    assert "shown once" in first
    again = cli_room.read_output(*register_device)
    assert "T-1001.1." not in again
    assert "was shown when the command first ran" in again
    renew = "device", "renew", "T-1001", "--why", "Written on a note", "--id", "second"
    assert cli_room.read_output(*renew).splitlines()[1].startswith("T-1001.2.")
    assert "T-1001.2." not in cli_room.read_output(*renew)
    assert token.rpartition(".")[2] not in cli_room.read_output("device", "list") + cli_room.read_output(
        "device", "list", "--json"
    )


def test_the_list_of_devices_may_be_empty(cli_room: CliRoom) -> None:
    cli_room.open()
    assert "There is no device" in cli_room.read_output("device", "list")


@pytest.mark.parametrize("command", ["add", "renew", "remove", "list", "accept-gap", "simulate", "watch"])
def test_each_help_has_examples(cli_room: CliRoom, command: str) -> None:
    assert f"cardroom device {command}" in cli_room.read_output("device", command, "--help").partition("Examples")[2]


def test_a_simulation_prints_each_round_and_the_text_of_the_sign(
    cli_room: CliRoom, server_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The unit and the server share one clock, so the duration of a call does not matter.
    clock = HandClock(system_clock())
    monkeypatch.setattr(counting, "system_clock", clock)
    monkeypatch.setattr(device_commands, "run_equipment", partial(device_commands.run_equipment, clock=clock))
    token, sign = register_device(cli_room, "T-1001", "tabulator"), register_device(cli_room, "S-1001", "led")
    output = cli_room.read_output(
        "device", "simulate", "milky-way", "--server", server_address + "/", "--token", token, "--screen", sign,
        "--rounds", "4", "--every", "0", "--seed", "7", "--fail", "repeat=0.5,clock=+90s",
    )  # fmt: skip
    assert output.count("round ") == 4
    assert "Counter 4." in output
    assert "the screen shows Three Card Prime Final Four Jackpot $5,000.80" in output
    assert "Its clock differs by +90.0 s." in output
    payload = cli_room.read_json(
        "device", "simulate", "milky-way", "--server", server_address, "--token", token, "--rounds", "4",
        "--every", "0", "--seed", "7",
    )  # fmt: skip
    assert (payload["table"], payload["unit"], payload["rounds"], payload["seed"]) == ("table-1", "T-1001", 4, 7)
    assert payload["counters"] == {"1": 2 * payload["wagers"]["final-four"]}
    assert cli_room.read_meter()["shown_cents"] == 5_000_00 + 20 * payload["counters"]["1"]
    assert "the clock of T-1001 showed" in cli_room.read_output("tabulator", "history", "table-1")


def test_a_blocked_unit_waits_and_then_ends_with_exit_code_one(cli_room: CliRoom, server_address: str) -> None:
    token = register_device(cli_room, "T-1001", "tabulator")
    jump = "--token", token, "--server", server_address, "--every", "0", "--fail", "jump=1@2"
    result = cli_room.run("device", "simulate", "milky-way", *jump, "--patience", "0.3")
    assert result.exit_code == 1, result.output
    assert "on hold: After round T-1001/" in result.stdout
    assert "1 press is pending at T-1001." in result.stderr
    (listed,) = cli_room.read_json("device", "list")["devices"]
    assert "enter the counter as it was before that round" in listed["held_up"]
    assert "blocked" in cli_room.read_output("device", "list")
    assert "device held up" in cli_room.read_output("day", "show")


def test_two_people_accept_a_gap_from_the_command_line(cli_room: CliRoom, tmp_path: Path) -> None:
    folder = tmp_path / "andromeda"
    folder.mkdir()
    cli_room.read_output("jackpot", "print-example", "deuces-wild", "--tabulator", "andromeda-1", "-o", str(folder))
    cli_room.execute("jackpot", "add", str(folder / "jackpot.toml"))
    cli_room.execute("table", "add", str(folder / "table.toml"))
    (folder / "A1-77.log").unlink()
    token = register_device(cli_room, "A1-77", "data-logger", "logger-1")
    log = str(folder / "A1-77.log")
    with open_ledger(cli_room.database) as ledger, serve_devices(CardRoom(ledger)) as server_address:
        play = (
            "device",
            "simulate",
            "andromeda-1",
            "--server",
            server_address,
            "--token",
            token,
            "--log",
            log,
            "--every",
            "0",
        )
        result = cli_room.run(*play, "--rounds", "5", "--fail", "forget=3", "--patience", "0.3")
        assert result.exit_code == 1, result.output
        assert "Record 4 of A1-77 arrived, but record 3 is missing" in result.stdout
        alone = "device", "accept-gap", "A1-77", "--why", "It was wet"
        assert "--second LOGIN" in cli_room.read_refusal(*alone)
        assert cli_room.read_json(*alone, "--second", "lee")["number"] == 3
        payload = cli_room.read_json(*play, "--rounds", "2")
    assert payload["counters"] == {"1": cli_room.read_json("jackpot", "show", "deuces-wild-jackpot")["counted"]}
    assert cli_room.read_json("device", "list")["devices"][0]["held_up"] is None


def test_device_watch_prints_what_an_led_sign_shows(cli_room: CliRoom, server_address: str) -> None:
    sign = register_device(cli_room, "S-1001", "led")
    output = cli_room.read_output("device", "watch", "--server", server_address, "--token", sign, "--changes", "1")
    assert "$5,000.00" in output
    assert "LED line" in output
    token = register_device(cli_room, "T-1001", "tabulator")
    assert "use the token of an LED sign or a monitor" in cli_room.read_refusal(
        "device", "watch", "--server", server_address, "--token", token
    )


def test_device_watch_draws_a_monitor_in_the_terminal(cli_room: CliRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = threading.Event()
    monkeypatch.setattr(device_commands, "print_page", lambda text: (print_page(text), shown.set()))
    cli_room.open(milky_way="andromeda-3d")
    tabulator, monitor = register_device(cli_room, "T-1", "tabulator"), register_device(cli_room, "M-1", "monitor")
    with open_ledger(cli_room.database) as ledger, serve_devices(CardRoom(ledger)) as server_address:

        def press() -> None:
            assert shown.wait(LIMIT)
            body = {"id": "1", "covered": {"1": [1, 2, 3, 4, 5]}}
            headers = {"authorization": f"Bearer {tabulator}"}
            assert httpx.post(f"{server_address}/api/v1/devices/presses", json=body, headers=headers).status_code == 200

        pressing = threading.Thread(target=press)
        pressing.start()
        output = cli_room.read_output(
            "device", "watch", "--server", server_address, "--token", monitor, "--changes", "2"
        )
        pressing.join()
        played = cli_room.read_output(
            "device", "simulate", "andromeda-3", "--server", server_address, "--token", tabulator, "--screen", monitor,
            "--rounds", "3", "--every", "0", "--seed", "1",
        )  # fmt: skip
    assert "$5,000.00" in output
    assert "$5,001.00" in output
    assert "Final Four Jackpot" in output
    assert played.count("the screen shows Three Card Prime Final Four Jackpot $5,00") == 3


@pytest.mark.parametrize(
    ("arguments", "sentence"),
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
def test_an_impossible_simulation_is_refused_before_the_unit_sends_anything(
    cli_room: CliRoom, arguments: tuple[str, ...], sentence: str
) -> None:
    assert sentence in cli_room.read_refusal("device", "simulate", *arguments, "--token", "x")


def test_a_simulated_unit_continues_after_two_users_correct_its_counter(
    cli_room: CliRoom, server_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, run_equipment = register_device(cli_room, "T-1001", "tabulator"), device_commands.run_equipment
    with FloorStaff(cli_room.database, "T-1001") as people:

        def play(
            evening: EquipmentRun, report: Callable[[str], None], on_round: Callable[[PlannedRound], None]
        ) -> RunResult:
            return run_equipment(evening, lambda text: (report(text), people.come(text))[1], on_round)

        monkeypatch.setattr(device_commands, "run_equipment", play)
        result = cli_room.run(
            "device", "simulate", "milky-way", "--server", server_address, "--token", token, "--every", "0",
            "--rounds", "5", "--fail", "jump=2@3", "--json",
        )  # fmt: skip
    assert result.exit_code == 0, result.output
    payload = json.loads(result.stdout)
    assert len(people.heard) == 1
    assert payload["counters"]["1"] == payload["wagers"]["final-four"] + 2
    assert cli_room.read_meter()["shown_cents"] == 5_000_00 + 20 * payload["counters"]["1"]
