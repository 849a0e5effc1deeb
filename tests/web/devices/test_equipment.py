"""Simulated equipment over HTTP: whatever fails, every counted wager is counted once and the meters are right."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger, system_clock
from cardroom.service import CardRoom, verify_card_room
from cardroom.web.devices import tabulators as counting
from cardroom_equipment_simulators import (
    CallRefused,
    EquipmentRun,
    RetriesExhausted,
    RunResult,
    parse_failures,
    run_equipment,
)
from cardroom_equipment_simulators.run import CannotRun, PlannedRound
from tests.deadline import LIMIT
from tests.examples import only_long
from tests.service.table_scenes import HandClock
from tests.web.devices.equipped import EquippedRoom, open_equipped
from tests.web.devices.server import KillableServer
from tests.web.devices.users import FloorStaff

MODELS = {"milky-way": "T-1001", "andromeda-1": "A1-77", "andromeda-3": "T-3001"}
TABLES = {"milky-way": "way-1", "andromeda-1": "wild-1", "andromeda-3": "prime-1"}
RATES = {
    "final-four": (5_000_00, Fraction(20, 100)),
    "all-seven": (10_000_00, Fraction(1, 7)),
    "bonus-jackpot": (1_000_00, Fraction(1, 7)),
}
JACKPOTS = {"final-four": "final-four", "all-seven": "all-seven", "bonus-jackpot": "five-wild"}


def evening(
    room: EquippedRoom, model: str, tmp_path: Path, *failures: str, rounds: int = 30, seed: int = 7
) -> EquipmentRun:
    return EquipmentRun(
        model,
        room.address,
        room.token(MODELS[model]),
        rounds=rounds,
        seed=seed,
        run=f"run-{seed}",
        failures=parse_failures(failures),
        timeout=20,  # cannot fail: the staff answers at once
        log=tmp_path / "logger.log",
    )


def assert_counted_once(card_room: CardRoom, model: str, played: RunResult, more: int = 0) -> None:
    """The counters, the jackpots and the meters are what the laid wagers come to by a sum of our own; ``more`` went on
    the first counter by itself."""
    state = card_room.tabulator(TABLES[model])
    for number, wager in enumerate(state.tabulator.table.wagers):
        laid = played.wagers[wager.wager] + (more if number == 0 else 0)
        assert played.counters[wager.sensor] == laid
        assert state.tabulator.counters[number] == laid
        assert state.tabulator.tallies[number].wagers == laid
        jackpot = card_room.jackpot(JACKPOTS[wager.wager])
        assert jackpot.counted == laid
        seed, rate = RATES[wager.wager]
        assert jackpot.meters[0].displayed_cents == seed + int(laid * 100 * rate)
    assert sum(played.wagers.values()) > played.rounds
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("model", MODELS)
def test_an_evening_without_failures_is_counted_round_by_round(room: EquippedRoom, model: str, tmp_path: Path) -> None:
    rounds: list[PlannedRound] = []
    played = run_equipment(evening(room, model, tmp_path), on_round=rounds.append)
    assert (played.rounds, len(rounds), played.failures) == (30, 30, {})
    assert len(room.card_room.history.list_tabulator_rounds(TABLES[model], 100)) == 30
    assert_counted_once(room.card_room, model, played)
    lit = {sensor for planned_round in rounds for _, sensor in planned_round.unit.lit}
    assert lit == {wired.sensor for wired in rounds[0].unit.sensors}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("failure", ["lost-lines=0.3", "late=0.4", "repeat=0.5", "cut=0.3"])
def test_a_failure_of_the_line_heals_by_itself(room: EquippedRoom, model: str, failure: str, tmp_path: Path) -> None:
    result: list[str] = []
    played = run_equipment(evening(room, model, tmp_path, failure), report=result.append)
    assert sum(played.failures.values()) > 3
    assert result == []
    assert len(room.card_room.history.list_tabulator_rounds(TABLES[model], 100)) == 30
    assert room.card_room.get_device(MODELS[model]).held_up is None
    assert_counted_once(room.card_room, model, played)


def test_lines_that_are_changed_on_the_way_are_forwarded_again(room: EquippedRoom, tmp_path: Path) -> None:
    played = run_equipment(evening(room, "andromeda-1", tmp_path, "garbled=0.4,late=0.3"))
    assert played.failures["garbled"] > 3
    assert_counted_once(room.card_room, "andromeda-1", played)


@pytest.mark.parametrize("model", MODELS)
def test_all_failures_of_the_line_together_change_nothing(room: EquippedRoom, model: str, tmp_path: Path) -> None:
    every = "lost-lines=0.2,garbled=0.2,late=0.2,repeat=0.3,cut=0.2,clock=-2d"
    played = run_equipment(evening(room, model, tmp_path, every, rounds=40, seed=11))
    assert {"lost_lines", "late", "repeat", "cut"} <= set(played.failures)
    assert_counted_once(room.card_room, model, played)


@pytest.mark.parametrize("model", ["milky-way", "andromeda-3"])
def test_a_late_press_is_refused_until_the_one_before_it_came(room: EquippedRoom, model: str, tmp_path: Path) -> None:
    run_equipment(evening(room, model, tmp_path, "late=0.5"))
    kinds = [event.kind for event in room.card_room.ledger.events("room")]
    held, went = kinds.count("device-blocked"), kinds.count("device-unblocked")
    assert held >= went > 3
    assert room.card_room.get_device(MODELS[model]).held_up is None


@pytest.mark.parametrize("model", MODELS)
def test_a_counter_that_jumps_waits_for_people_who_read_it(room: EquippedRoom, model: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with FloorStaff(database, MODELS[model]) as people:
        played = run_equipment(evening(room, model, tmp_path, "jump=2@17"), report=people.come)
    assert len(people.heard) == 1
    assert people.result == [f"on hold: {people.heard[0]}"]
    assert "enter the counter as it was before that round" in people.result[0]
    assert played.failures == {"jump": 1}
    assert_counted_once(room.card_room, model, played, more=2)


@pytest.mark.parametrize("model", MODELS)
def test_a_round_that_the_unit_forgot_is_found_by_its_counter(room: EquippedRoom, model: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with FloorStaff(database, MODELS[model]) as people:
        played = run_equipment(evening(room, model, tmp_path, "forget=17"), report=people.come)
    assert len(people.heard) == 1
    assert played.failures == {"forget": 1}
    rounds = [event.kind for event in room.card_room.history.list_tabulator_rounds(TABLES[model], 100)]
    assert (rounds.count("round-tabulated"), rounds.count("counter-read")) == (29, 1)
    assert_counted_once(room.card_room, model, played)


def test_without_people_a_unit_gives_up_after_its_patience(room: EquippedRoom, tmp_path: Path) -> None:
    waits = EquipmentRun(
        "milky-way",
        room.address,
        room.token("T-1001"),
        rounds=5,
        failures=parse_failures(["jump=1@3"]),
        timeout=0.5,  # cannot fail: no person answers this unit at all
    )
    with pytest.raises(RetriesExhausted, match=r"1 press is pending at T-1001\. After round T-1001/run-3, the counter"):
        run_equipment(waits)
    held_up = room.card_room.get_device("T-1001").held_up
    assert held_up is not None


def test_a_clock_that_differs_is_noted_and_decides_nothing(
    room: EquippedRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HandClock(
        system_clock()
    )  # the unit's true time and the server's: what a call takes on its way is no matter
    monkeypatch.setattr(counting, "system_clock", clock)
    played = run_equipment(evening(room, "milky-way", tmp_path, "clock=+90s", rounds=5), clock=clock)
    assert played.ahead == 90_000_000
    for event in room.card_room.history.list_tabulator_rounds("way-1", 5):
        assert event.payload["device"]["time"] == clock.now + 90_000_000  # type: ignore[index,call-overload]
        assert clock.now <= event.time <= system_clock(), "the room's own time"
    late = run_equipment(evening(room, "andromeda-1", tmp_path, "clock=-3h", rounds=5), clock=clock)
    assert late.ahead == -10_800_000_000
    numbers = [event.payload["record"]["number"] for event in room.card_room.history.list_tabulator_rounds("wild-1", 5)]  # type: ignore[index,call-overload]
    assert numbers == [5, 4, 3, 2, 1]


def test_the_same_seed_lays_the_same_wagers_and_fails_in_the_same_places(room: EquippedRoom, tmp_path: Path) -> None:
    def covered(run: str, *failures: str) -> tuple[list[object], RunResult]:
        rounds: list[PlannedRound] = []
        token = room.token("T-3001")
        result = EquipmentRun(
            "andromeda-3", room.address, token, 12, seed=5, run=run, failures=parse_failures(failures)
        )
        played = run_equipment(result, on_round=rounds.append)
        return [planned_round.layout for planned_round in rounds], played

    first, once = covered("a", "repeat=0.5,cut=0.2")
    second, again = covered("b", "repeat=0.5,cut=0.2")
    third, without = covered("c")
    assert first == second == third
    assert once.failures == again.failures != without.failures


def test_equipment_that_the_table_does_not_have_cannot_be_played(room: EquippedRoom, tmp_path: Path) -> None:
    with pytest.raises(CannotRun, match="way-1 has the model milky-way"):
        run_equipment(EquipmentRun("andromeda-3", room.address, room.token("T-1001")))
    with pytest.raises(CannotRun, match="S-1001 is a led"):
        run_equipment(EquipmentRun("milky-way", room.address, room.token("S-1001")))
    with pytest.raises(CannotRun, match="Choose milky-way, andromeda-1, andromeda-3"):
        run_equipment(EquipmentRun("andromeda-4", room.address, room.token("T-1001")))
    with pytest.raises(CallRefused, match="This token is not valid"):
        run_equipment(EquipmentRun("milky-way", room.address, "x"))


def test_an_andromeda_1_goes_on_where_its_file_or_the_server_stands(room: EquippedRoom, tmp_path: Path) -> None:
    first = run_equipment(evening(room, "andromeda-1", tmp_path, rounds=5, seed=1))
    second = run_equipment(evening(room, "andromeda-1", tmp_path, rounds=5, seed=2))
    (tmp_path / "logger.log").unlink()
    third = run_equipment(evening(room, "andromeda-1", tmp_path, rounds=5, seed=3))
    assert room.card_room.tabulator("wild-1").tabulator.counters == (third.counters[1],)
    laid = sum(run.wagers["bonus-jackpot"] for run in (first, second, third))
    assert room.card_room.jackpot("five-wild").counted == laid == third.counters[1]


@pytest.mark.parametrize("model", ["milky-way", *only_long("andromeda-1", "andromeda-3")])
def test_a_server_that_is_killed_and_started_again_loses_nothing(model: str, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with open_ledger(database) as ledger:
        card_room = CardRoom(ledger)
        tokens = open_equipped(card_room)
        server = KillableServer(database)
        room = EquippedRoom(card_room, server.address, None, tokens)  # type: ignore[arg-type]
        reached = {number: threading.Event() for number in (10, 30)}
        back_again = threading.Event()
        kills = 0

        def doom() -> None:
            nonlocal kills
            for event in reached.values():
                assert event.wait(LIMIT)
                server.kill()
                kills += 1
                server.start()
            back_again.set()

        def dealt(round: PlannedRound) -> None:
            if round.number in reached:
                reached[round.number].set()
            if round.number == 50:
                assert back_again.wait(2 * LIMIT)

        server.start()
        doomed = threading.Thread(target=doom)
        doomed.start()
        try:
            result = evening(room, model, tmp_path, "repeat=0.2", rounds=60)
            played = run_equipment(
                replace(result, timeout=50 * LIMIT),  # as it counts: its pauses are a fiftieth of what they should be
                on_round=dealt,
                pause=lambda seconds: time.sleep(min(seconds, 0.1)),  # cannot fail: it calls again after any pause
            )
        finally:
            for event in reached.values():
                event.set()
            doomed.join()
            server.kill()
        assert kills == 2
        assert_counted_once(card_room, model, played)
        assert len(card_room.history.list_tabulator_rounds(TABLES[model], 100)) == 60


def test_lines_that_are_lost_on_the_way_make_no_gap_larger(room: EquippedRoom, tmp_path: Path) -> None:
    """Behind a gap lines are lost on the way, too; two people accept only what the logger itself has lost."""
    with FloorStaff(f"sqlite:///{tmp_path}/room.db", "A1-77") as people:
        failures = "forget=17,lost-lines=0.4,garbled=0.2,late=0.6"
        played = run_equipment(evening(room, "andromeda-1", tmp_path, failures, seed=3), report=people.come)
    assert played.failures["lost_lines"] > 3
    assert people.heard == ["Record 18 of A1-77 arrived, but record 17 is missing: forward from 17 on."]
    kinds = [event.kind for event in room.card_room.history.list_tabulator_rounds("wild-1", 100)]
    assert (kinds.count("round-tabulated"), kinds.count("counter-read")) == (29, 1)
    assert_counted_once(room.card_room, "andromeda-1", played)


def test_an_andromeda_1_plays_on_while_its_server_is_away(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with open_ledger(database) as ledger:
        card_room = CardRoom(ledger)
        tokens = open_equipped(card_room)
        server = KillableServer(database)
        waiting: list[int] = []

        def after(round: PlannedRound) -> None:
            waiting.append(round.waiting)
            if round.number == 5:
                server.kill()
            elif round.number == 20:
                server.start()

        server.start()
        try:
            room = EquippedRoom(card_room, server.address, None, tokens)  # type: ignore[arg-type]
            played = run_equipment(evening(room, "andromeda-1", tmp_path, rounds=25), on_round=after)
        finally:
            server.kill()
        assert waiting == [0] * 5 + list(range(1, 16)) + [0] * 5
        assert_counted_once(card_room, "andromeda-1", played)
