"""A clock that jumps ahead would date an event in the future, and the ledger would refuse the later events of its chain
until then. Instead, the server stores nothing until an operator confirms the time. A room that was closed for a weekend
does not need this confirmation."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import ClockJumped, Ledger, open_ledger, system_clock, verify_chains
from cardroom.ledger.clock import Uptime, machine_uptime
from cardroom.service import CardRoom, RoomTableSetup, verify_card_room
from cardroom.web.services.practice_tables import default_practice_setup
from tests.cli.card_room import CliRoom
from tests.deadline import wait_until
from tests.ledger.play_commands import JACKPOT, wager
from tests.service.staff import open_staff, password_of
from tests.web.rooms import QUICK, WITHOUT_CLOCK, new_id, serve_room

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR


class Machine:
    """A machine with a clock that the test sets and a counter of the time that passes."""

    def __init__(self) -> None:
        self.now, self.boot, self.counted = 1_800_000_000 * SECOND, "first", 500 * SECOND

    def clock(self) -> int:
        return self.now

    def uptime(self) -> Uptime:
        return Uptime(self.boot, self.counted)

    def wait(self, time: int) -> None:
        """Time passes, and the clock shows it."""
        self.now += time
        self.counted += time

    def restart(self, off: int) -> None:
        """The machine is off for some time, and its counter starts at zero."""
        self.wait(off)
        self.boot, self.counted = f"{self.boot} and another", 0

    def jump(self, time: int) -> None:
        """The clock jumps although no time passes."""
        self.now += time


@pytest.fixture
def machine() -> Machine:
    return Machine()


@contextmanager
def open_machine_ledger(path: Path, machine: Machine) -> Iterator[Ledger]:
    with open_ledger(f"sqlite:///{path}/ledger.db", machine.clock, uptime=machine.uptime) as ledger:
        yield ledger


@pytest.mark.parametrize("restarted", [False, True], ids=["the server runs", "the server restarts"])
def test_a_server_stores_nothing_after_its_clock_jumps_ahead_until_the_clock_is_corrected(
    tmp_path: Path, machine: Machine, restarted: bool
) -> None:
    with ExitStack() as programs:
        ledger = programs.enter_context(open_machine_ledger(tmp_path, machine))
        ledger.execute(wager("first"))
        machine.wait(HOUR)
        ledger.execute(wager("second"))
        machine.jump(5 * HOUR)
        if restarted:
            ledger = programs.enter_context(open_machine_ledger(tmp_path, machine))
        with pytest.raises(ClockJumped, match=r"until the clock is set, or an operator confirms the time"):
            ledger.execute(wager("third"))
        with pytest.raises(ClockJumped):
            ledger.check_clock()
        machine.jump(-5 * HOUR)
        assert not ledger.execute(wager("third")).is_repeat, "the server accepts a corrected clock immediately"
        assert [event.time for event in ledger.events(JACKPOT)][-1] == machine.now
        assert verify_chains(ledger).is_intact


def test_a_running_server_detects_a_jump_of_its_clock_between_two_events(tmp_path: Path, machine: Machine) -> None:
    with open_machine_ledger(tmp_path, machine) as ledger:
        for number in range(5):
            ledger.execute(wager(f"{number}"))
            machine.wait(40 * 60 * SECOND)
        machine.jump(HOUR + SECOND)
        with pytest.raises(ClockJumped):
            ledger.execute(wager("late"))


@pytest.mark.parametrize("pause", [HOUR + SECOND, 3 * DAY, 400 * DAY])
def test_a_pause_of_any_length_is_not_a_jump_while_the_machine_runs(
    tmp_path: Path, machine: Machine, pause: int
) -> None:
    for id in ("second", "third"):
        with open_machine_ledger(tmp_path, machine) as ledger:
            ledger.execute(wager("first"))
            machine.wait(pause)
            assert not ledger.execute(wager(id)).is_repeat
        machine.wait(pause)


def test_a_room_opens_again_after_the_machine_was_off_for_weeks(tmp_path: Path, machine: Machine) -> None:
    for number in range(3):
        with open_machine_ledger(tmp_path, machine) as ledger:
            assert not ledger.execute(wager(f"{number}")).is_repeat
        machine.restart(20 * DAY)


def test_a_machine_that_starts_with_a_clock_years_ahead_stores_nothing(tmp_path: Path, machine: Machine) -> None:
    with open_machine_ledger(tmp_path, machine) as ledger:
        ledger.execute(wager("first"))
    machine.restart(0)
    machine.jump(9 * 365 * DAY)
    with open_machine_ledger(tmp_path, machine) as ledger, pytest.raises(ClockJumped):
        ledger.execute(wager("second"))


def test_the_room_accepts_commands_after_an_operator_confirms_the_time(tmp_path: Path, machine: Machine) -> None:
    with open_machine_ledger(tmp_path, machine) as ledger:
        card_room = CardRoom(ledger, machine.clock)
        open_staff(card_room)
        machine.jump(5 * HOUR)
        with pytest.raises(ClockJumped):
            card_room.players.admit_guest("guest")
        last = ledger.newest_event_time()
        assert card_room.site.confirm_clock("confirmed", "olga") == last
        assert card_room.players.admit_guest("guest").balance
        event = next(event for event in ledger.events("room") if event.kind == "clock-confirmed")
        assert (event.payload["who"], event.payload["last"], event.time) == ("olga", last, machine.now)
        assert verify_card_room(ledger).discrepancy is None
    with open_machine_ledger(tmp_path, machine) as ledger:
        assert CardRoom(ledger, machine.clock).players.admit_guest("another").balance, (
            "the confirmation is valid for every program"
        )


# The installed program, with the clock of this machine.


@pytest.fixture
def cli_room(tmp_path: Path) -> CliRoom:
    """A card room whose last event is five hours old by the clock, but a moment old by the machine's time counter."""
    cli_room = CliRoom(f"sqlite:///{tmp_path}/room.db", tmp_path)

    def clock() -> int:
        return system_clock() - 5 * HOUR

    with open_ledger(cli_room.database, clock, uptime=machine_uptime) as ledger:
        card_room = CardRoom(ledger, clock)
        open_staff(card_room)
    return cli_room


def said(cli_room: CliRoom, *arguments: str, **variables: str) -> str:
    result = cli_room.run(*arguments, **{"CARDROOM_SESSION": "", **variables})
    return result.stdout + result.stderr


def test_the_command_line_names_the_command_that_confirms_the_time_and_only_an_operator_can_use_it(
    cli_room: CliRoom,
) -> None:
    password = {"CARDROOM_PASSWORD": password_of("olga")}
    day = ("day", "open", "--by", "olga")
    assert "confirm it: cardroom room confirm-clock." in said(cli_room, *day, **password)
    confirm = ("room", "confirm-clock", "--by")
    assert "is wrong" in said(cli_room, *confirm, "olga", CARDROOM_PASSWORD="a guess")
    assert "dora" in said(cli_room, *confirm, "dora", CARDROOM_PASSWORD=password_of("dora"))
    assert "confirm it" in said(cli_room, *day, **password), "neither attempt confirmed the time"
    assert "Confirmed: it is " in said(cli_room, *confirm, "olga", **password)
    assert "Confirm it" not in said(cli_room, *day, **password)
    with open_ledger(cli_room.database) as ledger:
        assert verify_card_room(ledger).discrepancy is None


def test_a_server_reports_the_jump_and_accepts_commands_after_an_operator_confirms_the_time(
    cli_room: CliRoom, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cardroom.web.services.monitoring")

    def clock() -> int:
        return system_clock() - 5 * HOUR

    with open_ledger(cli_room.database, clock) as ledger:
        card_room = CardRoom(ledger, clock)
        card_room.get_room_secret()
        card_room.add_table(
            new_id(), "olga", RoomTableSetup("one", default_practice_setup("three-card-prime"), WITHOUT_CLOCK)
        )
        sealed = card_room.table("one").seal
    with serve_room(tmp_path, QUICK) as room:
        health = httpx.get(f"{room.url}/healthz")
        assert health.status_code == 503
        assert "an operator confirms the time" in health.json()["error"]
        assert "cardroom" not in health.json()["error"], "a page names no command"
        refused = httpx.post(f"{room.url}/api/v1/guests", json={"id": new_id()})
        assert refused.status_code == 503
        assert "Confirmed" in said(
            cli_room, "room", "confirm-clock", "--by", "olga", CARDROOM_PASSWORD=password_of("olga")
        )
        wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 200)
        assert room.card_room.table("one").seal != sealed, "tables have new keys before the first command"
        assert httpx.post(f"{room.url}/api/v1/guests", json={"id": new_id()}).status_code == 201
    assert "the database accepts no commands" in caplog.text
    assert "the database accepts commands again" in caplog.text
