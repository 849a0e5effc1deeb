"""A clock that jumps ahead would date an event in the future, and every later event of its chain would be refused until
then. It waits for an operator instead; a room that was closed for a weekend does not."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import ClockJumped, Ledger, open_ledger, system_clock, verify_chains
from cardroom.ledger.clock import Uptime, machine_uptime
from cardroom.service import CardRoom, verify_card_room
from cardroom.web.services.practice_tables import default_practice_setup
from tests.cli.card_room import House
from tests.deadline import wait_until
from tests.ledger.play_commands import JACKPOT, wager
from tests.service.staff import open_staff, password_of
from tests.web.rooms import QUICK, WITHOUT_CLOCK, an_id, served

SECOND = 1_000_000
HOUR = 3600 * SECOND
DAY = 24 * HOUR


class Machine:
    """A machine whose clock is set by hand, and which counts the time that passes."""

    def __init__(self) -> None:
        self.now, self.boot, self.counted = 1_800_000_000 * SECOND, "first", 500 * SECOND

    def clock(self) -> int:
        return self.now

    def uptime(self) -> Uptime:
        return Uptime(self.boot, self.counted)

    def wait(self, time: int) -> None:
        """Time passes, and the clock says so."""
        self.now += time
        self.counted += time

    def restart(self, off: int) -> None:
        """The machine is off for a while, and counts from the beginning."""
        self.wait(off)
        self.boot, self.counted = f"{self.boot} and another", 0

    def jump(self, time: int) -> None:
        """The clock goes on although no time passes."""
        self.now += time


@pytest.fixture
def machine() -> Machine:
    return Machine()


@contextmanager
def opened(path: Path, machine: Machine) -> Iterator[Ledger]:
    with open_ledger(f"sqlite:///{path}/ledger.db", machine.clock, uptime=machine.uptime) as ledger:
        yield ledger


@pytest.mark.parametrize("again", [False, True], ids=["the server runs", "the server is started again"])
def test_a_clock_that_jumps_ahead_stores_nothing_and_leaves_the_chains_as_they_are(
    tmp_path: Path, machine: Machine, again: bool
) -> None:
    with ExitStack() as programs:
        ledger = programs.enter_context(opened(tmp_path, machine))
        ledger.execute(wager("first"))
        machine.wait(HOUR)
        ledger.execute(wager("second"))
        machine.jump(5 * HOUR)
        if again:
            ledger = programs.enter_context(opened(tmp_path, machine))
        with pytest.raises(ClockJumped, match=r"until the clock is set, or an operator confirms the time"):
            ledger.execute(wager("third"))
        with pytest.raises(ClockJumped):
            ledger.check_clock()
        machine.jump(-5 * HOUR)
        assert not ledger.execute(wager("third")).is_repeat, "a clock that is set right is believed at once"
        assert [event.time for event in ledger.events(JACKPOT)][-1] == machine.now
        assert verify_chains(ledger).is_intact


def test_a_jump_in_the_middle_of_an_evening_is_found_by_the_server_that_runs(tmp_path: Path, machine: Machine) -> None:
    with opened(tmp_path, machine) as ledger:
        for number in range(5):
            ledger.execute(wager(f"{number}"))
            machine.wait(40 * 60 * SECOND)
        machine.jump(HOUR + SECOND)
        with pytest.raises(ClockJumped):
            ledger.execute(wager("late"))


@pytest.mark.parametrize("pause", [HOUR + SECOND, 3 * DAY, 400 * DAY])
def test_a_pause_is_no_jump_however_long_it_is_while_the_machine_runs(
    tmp_path: Path, machine: Machine, pause: int
) -> None:
    for again in ("second", "third"):
        with opened(tmp_path, machine) as ledger:
            ledger.execute(wager("first"))
            machine.wait(pause)
            assert not ledger.execute(wager(again)).is_repeat
        machine.wait(pause)


def test_a_room_that_was_closed_for_some_weeks_goes_on_after_the_machine_was_off(
    tmp_path: Path, machine: Machine
) -> None:
    for number in range(3):
        with opened(tmp_path, machine) as ledger:
            assert not ledger.execute(wager(f"{number}")).is_repeat
        machine.restart(20 * DAY)


def test_a_machine_that_starts_with_a_clock_that_is_years_ahead_is_not_believed(
    tmp_path: Path, machine: Machine
) -> None:
    with opened(tmp_path, machine) as ledger:
        ledger.execute(wager("first"))
    machine.restart(0)
    machine.jump(9 * 365 * DAY)
    with opened(tmp_path, machine) as ledger, pytest.raises(ClockJumped):
        ledger.execute(wager("second"))


def test_an_operator_confirms_the_time_and_the_room_goes_on(tmp_path: Path, machine: Machine) -> None:
    with opened(tmp_path, machine) as ledger:
        card_room = CardRoom(ledger, machine.clock)
        open_staff(card_room)
        machine.jump(5 * HOUR)
        with pytest.raises(ClockJumped):
            card_room.admit_guest("guest")
        last = ledger.newest_event_time()
        assert card_room.confirm_clock("confirmed", "olga") == last
        assert card_room.admit_guest("guest").balance
        event = next(one for one in ledger.events("room") if one.kind == "clock-confirmed")
        assert (event.payload["who"], event.payload["last"], event.time) == ("olga", last, machine.now)
        assert verify_card_room(ledger).discrepancy is None
    with opened(tmp_path, machine) as ledger:
        assert CardRoom(ledger, machine.clock).admit_guest("another").balance, "it is confirmed for every program"


# The program itself, with the machine's own clock.


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A card room whose last event was five hours ago by the clock, and a moment ago by what this machine counted."""
    house = House(f"sqlite:///{tmp_path}/room.db", tmp_path)

    def clock() -> int:
        return system_clock() - 5 * HOUR

    with open_ledger(house.database, clock, uptime=machine_uptime) as ledger:
        card_room = CardRoom(ledger, clock)
        open_staff(card_room)
    return house


def said(house: House, *arguments: str, **variables: str) -> str:
    result = house.run(*arguments, **{"CARDROOM_SESSION": "", **variables})
    return result.stdout + result.stderr


def test_the_command_line_names_the_command_that_confirms_and_asks_an_operator_for_it(house: House) -> None:
    password = {"CARDROOM_PASSWORD": password_of("olga")}
    day = ("day", "open", "--by", "olga")
    assert "confirm it: cardroom room confirm-clock." in said(house, *day, **password)
    confirm = ("room", "confirm-clock", "--by")
    assert "is wrong" in said(house, *confirm, "olga", CARDROOM_PASSWORD="a guess")
    assert "dora" in said(house, *confirm, "dora", CARDROOM_PASSWORD=password_of("dora"))
    assert "confirm it" in said(house, *day, **password), "neither has confirmed anything"
    assert "Confirmed: it is " in said(house, *confirm, "olga", **password)
    assert "Confirm it" not in said(house, *day, **password)
    with open_ledger(house.database) as ledger:
        assert verify_card_room(ledger).discrepancy is None


def test_a_server_says_so_and_takes_commands_again_when_an_operator_has_confirmed(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "cardroom.web.services.monitoring")

    def clock() -> int:
        return system_clock() - 5 * HOUR

    with open_ledger(house.database, clock) as ledger:
        card_room = CardRoom(ledger, clock)
        card_room.get_room_secret()
        card_room.add_table(an_id(), "olga", "one", default_practice_setup("three-card-prime"), WITHOUT_CLOCK)
        sealed = card_room.table("one").seal
    with served(tmp_path, QUICK) as room:
        health = httpx.get(f"{room.url}/healthz")
        assert health.status_code == 503
        assert "an operator confirms the time" in health.json()["error"]
        assert "cardroom" not in health.json()["error"], "a page names no command"
        refused = httpx.post(f"{room.url}/api/v1/guests", json={"id": an_id()})
        assert refused.status_code == 503
        assert "Confirmed" in said(
            house, "room", "confirm-clock", "--by", "olga", CARDROOM_PASSWORD=password_of("olga")
        )
        wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 200)
        assert room.card_room.table("one").seal != sealed, "tables have new keys before the first command"
        assert httpx.post(f"{room.url}/api/v1/guests", json={"id": an_id()}).status_code == 201
    assert "the database accepts no commands" in caplog.text
    assert "the database accepts commands again" in caplog.text
