"""A table's life: it gets another set-up, stands elsewhere, is closed and opened again; and where its unit is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.games import TableSetup, WagerLimits
from cardroom.ledger import open_ledger
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.jackpot.lifecycle import CannotLinkJackpot
from cardroom.room.setup.tabulator import TabulatorSetup
from cardroom.room.site.device import BadUnitMove, place_unit
from cardroom.room.site.events import UnitMoved
from cardroom.room.tabulator.events import TabulatorSetupChanged
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import (
    BadInstallation,
    CannotLink,
    CardRoom,
    LoggerFile,
    RoomTableResult,
    RoomTableSetup,
    UnitSetup,
    forward_records,
    verify_card_room,
)
from tests.service.card_rooms import (
    CLUB_ROYAL,
    THREE_OF_A_KIND,
    all_seven,
    deuces_sensors,
    deuces_table,
    final_four,
    five_wild,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    prime_sensors,
    prime_table,
    shown,
    whole,
)
from tests.service.test_verification import _commit

WHY = "as the operator wants it"


def with_limits(setup: TableSetup, wager: str, cents: int) -> TableSetup:
    changed = replace(setup.wagers[wager], limits=WagerLimits(cents, cents * 10, cents))
    return replace(setup, wagers=dict(setup.wagers) | {wager: changed})


def change(card_room: CardRoom, setup: TableSetup | None = None, **more: object) -> tuple[SetupChange, ...]:
    """Change the first table of the room; what was changed."""
    sensors = replace(prime_sensors("prime-1", "final-four"), **more)  # type: ignore[arg-type]
    return change_counted(card_room, setup or prime_table(), sensors, "unit-1").changes


def change_counted(
    card_room: CardRoom,
    setup: TableSetup,
    sensors: TabulatorSetup,
    unit: str,
    counters: tuple[int, ...] = (),
    why: str = WHY,
) -> RoomTableResult:
    """Change a table on which rounds are counted and not dealt."""
    counted = RoomTableSetup(sensors.table, setup, tabulator=UnitSetup(sensors, unit, counters))
    return card_room.change_table(new_id(), "Olga", counted, why, second="Carl")


# Another set-up.


def test_limits_and_seats_change_with_a_reason_and_what_was_counted_stays(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=4)
    tallies = card_room.tabulator("prime-1").tabulator.tallies
    setup = replace(with_limits(prime_table(), "ante-play", 25_00), seats=5)
    before = prime_table().wagers["ante-play"].limits
    result = change(card_room, setup)
    assert SetupChange("seats", "6", "5") in result
    assert SetupChange("ante-play limits min", f"${before.minimum // 100}", "$25") in result
    state = card_room.tabulator("prime-1")
    assert (state.tabulator.tallies, state.tabulator.counters, state.game_setup.seats) == (tallies, (4, 0), 5)
    assert play(card_room, seats=5).counters == (9, 0)
    assert verify_card_room(card_room.ledger).is_consistent
    (event,) = [one for one in card_room.ledger.events("tabulator:prime-1") if one.kind == TabulatorSetupChanged.kind]
    assert (event.payload["why"], event.payload["who"]) == (WHY, "Olga")


def test_a_change_has_a_reason_and_changes_something(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    sensors = prime_sensors("prime-1", "final-four")
    with pytest.raises(NameMissing):
        change_counted(in_a_file, replace(prime_table(), seats=5), sensors, "unit-1", why=" ")
    with pytest.raises(BadInstallation):
        change(in_a_file)


def test_a_paytable_that_the_jackpot_does_not_allow_is_refused(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    before = whole(in_a_file)
    sensors = prime_sensors("prime-1", "final-four").sensors
    other = replace(sensors[0], paytable="F4P-2")  # type: ignore[type-var]
    with pytest.raises(CannotLinkJackpot, match="F4P-2"):
        change(in_a_file, prime_table("F4P-2"), sensors=(other, sensors[1]))
    with pytest.raises(BadInstallation, match="seats"):
        change(in_a_file, replace(prime_table(), seats=6), positions=5)
    with pytest.raises(CannotLink):
        change_counted(in_a_file, deuces_table(), deuces_sensors("prime-1"), "unit-1")
    assert whole(in_a_file) == before


def test_a_change_of_sensors_joins_and_leaves_jackpots(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    play(card_room, seats=3, round_id="r1")
    result = change(card_room, sensors=prime_sensors("prime-1", "all-seven").sensors)
    assert SetupChange("sensor 1 jackpot", "final-four", "none") in result
    assert (card_room.jackpot("final-four").tables, card_room.jackpot("all-seven").tables) == (
        ("prime-2",),
        ("prime-1",),
    )
    sensors = prime_sensors("prime-1", "final-four", "all-seven").sensors
    change(card_room, sensors=sensors[::-1])  # the sensors change places: each goes on with its own counter
    assert card_room.tabulator("prime-1").tabulator.counters == (3, 0)
    assert [one.counted for one in card_room.tabulator("prime-1").tabulator.tallies] == [0, 3]
    assert verify_card_room(card_room.ledger).is_consistent


def test_no_user_sets_a_counter_by_the_way(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=3)
    setup, sensors = replace(prime_table(), seats=5), prime_sensors("prime-1", "final-four")
    with pytest.raises(CannotLink):
        change_counted(in_a_file, setup, sensors, "unit-1", (9, 0))
    with pytest.raises(CannotLink, match="andromeda-3d"):
        change(in_a_file, tabulator="andromeda-3c")


def test_a_broken_tabulator_is_repaired_before_the_table_changes(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    with pytest.raises(CannotLink, match="broken"):
        change(in_a_file, replace(prime_table(), seats=5))


def test_a_change_that_says_something_else_than_it_does_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    change(in_a_file, replace(prime_table(), seats=5))
    (event,) = [one for one in in_a_file.ledger.events("tabulator:prime-1") if one.kind == TabulatorSetupChanged.kind]
    _commit(
        in_a_file,
        "tabulator:prime-1",
        TabulatorSetupChanged.kind,
        dict(event.payload) | {"changes": [["seats", "5", "4"]]},
    )
    assert "the rules do not allow this event" in str(verify_card_room(in_a_file.ledger).discrepancy)


# Another place.


def test_a_table_moves_once_it_is_on_no_meter_of_its_old_place(card_room: CardRoom) -> None:
    open_room(card_room)
    before = whole(card_room)
    with pytest.raises(CannotLinkJackpot):
        card_room.move_table(new_id(), "Olga", "prime-1", "Spokane", WHY)
    assert whole(card_room) == before
    card_room.unlink_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it")
    moved = card_room.move_table(new_id(), "Olga", "prime-1", "Spokane", WHY)
    assert moved.changes == (SetupChange("location", "Lakewood", "Spokane"),)
    card_room.jackpots.open(new_id(), "Olga", final_four("spokane-four", "Spokane"))
    assert card_room.link_table(new_id(), "Olga", "prime-1", "spokane-four", "as the operator wants it").jackpots == (
        "spokane-four",
    )
    assert verify_card_room(card_room.ledger).is_consistent


# A dark wager.


def test_an_unlinked_wager_is_dark_and_refused_and_earlier_winners_still_claim(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")
    card_room.unlink_table(new_id(), "Olga", "prime-1", "final-four", "a quiet week")
    before = whole(card_room)
    with pytest.raises(CannotTabulate):
        play(card_room, seats=2)
    assert whole(card_room) == before
    assert card_room.tabulate(new_id(), "Kim", "prime-1", {}).counts == {"final-four": 0, "all-seven": 0}
    assert card_room.claims.claim_hand("royal", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL).order == 1
    pay(card_room, "Vera", "final-four", "royal")
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    with pytest.raises(CannotTabulate):
        card_room.count_by_hand(new_id(), "Kim", "prime-1", {1: [1]})
    card_room.clear_tabulator_fault(new_id(), "Kim", "prime-1")
    with pytest.raises(CannotTabulate):
        card_room.read_counter(new_id(), "Kim", "prime-1", [4, 0])
    card_room.link_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it")
    assert play(card_room, seats=2).counters == (5, 0)
    assert verify_card_room(card_room.ledger).is_consistent


def test_displays_say_that_a_dark_wager_is_not_offered(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.unlink_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it")
    (board,) = in_a_file.displays.list_displays("prime-1")
    limits = {one.wager: one.limits for one in board.limits}  # type: ignore[union-attr]
    assert [wager for wager, said in limits.items() if said == "not offered"] == [
        "Final Four Jackpot",
        "All Seven Jackpot",
    ]


# Closed, and opened again.


def test_a_closed_table_leaves_its_jackpots_and_counts_nothing_and_earlier_winners_still_claim(
    card_room: CardRoom,
) -> None:
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")
    play(card_room, seats=2, round_id="r2")
    closed = card_room.remove_table("close", "Olga", "prime-1", "the season is over")
    assert closed.tabulator is not None
    assert (closed.tabulator.closed, closed.tabulator.jackpots) == ("the season is over", ())
    assert closed == card_room.remove_table("close", "Olga", "prime-1", "the season is over")
    assert card_room.jackpot("final-four").tables == ("prime-2",)
    before = whole(card_room)
    for refused in (
        lambda: play(card_room),
        lambda: card_room.read_counter(new_id(), "Kim", "prime-1", [6, 0]),
        lambda: card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light"),
        lambda: card_room.report_lights(new_id(), "Kim", "prime-1", {1: [3]}),
        lambda: card_room.link_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it"),
        lambda: change(card_room, replace(prime_table(), seats=5)),
        lambda: card_room.move_table(new_id(), "Olga", "prime-1", "Spokane", WHY),
        lambda: card_room.remove_table(new_id(), "Olga", "prime-1", "again"),
        lambda: card_room.displays.list_displays("prime-1"),
    ):
        with pytest.raises(BadInstallation):
            refused()
    assert whole(card_room) == before
    assert card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND).cents == 25_00
    card_room.void_round(new_id(), "Sam", "prime-1", "r2", "a misdeal that nobody saw", second="Flo")
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_closed_table_is_opened_again_in_its_own_books(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")
    card_room.remove_table(new_id(), "Olga", "prime-1", "the season is over")
    sensors = prime_sensors("prime-1", "final-four")
    again = card_room.add_table(
        new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1"))
    ).tabulator
    assert again is not None
    assert (again.counters, again.closed, again.jackpots) == ((3, 0), None, ("final-four",))
    with pytest.raises(CannotTabulate, match="r1"):
        play(card_room, round_id="r1")
    assert play(card_room, seats=1).counters == (4, 0)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_that_was_opened_for_another_game_still_pays_who_won_before(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.open(new_id(), "Olga", five_wild())
    play(card_room, seats=3, round_id="r1")
    card_room.remove_table(new_id(), "Olga", "prime-1", "another game")
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup("prime-1", deuces_table(), tabulator=UnitSetup(deuces_sensors("prime-1"), "A1-77")),
    )
    assert card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND).cents == 25_00
    assert verify_card_room(card_room.ledger).is_consistent


# Units.


def test_one_unit_stands_at_one_table(card_room: CardRoom) -> None:
    open_room(card_room)
    before = whole(card_room)
    with pytest.raises(BadUnitMove):
        card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                "prime-3", prime_table(), tabulator=UnitSetup(prime_sensors("prime-3", "final-four"), "unit-2")
            ),
        )
    with pytest.raises(BadUnitMove):
        change_counted(card_room, prime_table(), prime_sensors("prime-1", "final-four"), "unit-2")
    assert whole(card_room) == before
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    with pytest.raises(BadUnitMove):
        card_room.clear_tabulator_fault(new_id(), "Kim", "prime-1", unit="unit-2")
    assert {unit: stands.table for unit, stands in card_room.room().units.items()} == {
        "unit-1": "prime-1",
        "unit-2": "prime-2",
    }


def test_two_tables_that_want_one_unit_at_the_same_moment_do_not_both_get_it(url: str) -> None:
    with open_ledger(url) as one, open_ledger(url) as other:
        card_rooms = [CardRoom(one), CardRoom(other)]
        card_rooms[0].jackpots.open(new_id(), "Olga", final_four())

        def opened(number: int) -> str:
            sensors = prime_sensors(f"prime-{number}", "final-four")
            try:
                return (
                    card_rooms[number % 2]
                    .add_table(
                        f"open-{number}",
                        "Olga",
                        RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1")),
                    )
                    .table
                )
            except BadUnitMove:
                return ""

        with ThreadPoolExecutor(4) as command_services:
            tables = list(filter(None, command_services.map(opened, range(8))))
        assert len(tables) == 1
        assert card_rooms[0].list_tabulators() == tuple(tables)


def test_a_unit_that_comes_back_shows_no_less_than_it_did(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5)
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    assert card_room.clear_tabulator_fault(new_id(), "Kim", "prime-1", unit="unit-9", counters=[7, 0]).counters == (
        7,
        0,
    )
    assert card_room.room().units["unit-1"].table == ""
    card_room.remove_table(new_id(), "Olga", "prime-2", "its unit burns")
    sensors = prime_sensors("prime-2", "final-four")
    with pytest.raises(BadUnitMove, match="unit-1"):
        card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1", (4, 0))),
        )
    again = card_room.add_table(
        new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1"))
    ).tabulator
    assert again is not None
    assert again.counters == (5, 0)
    result = change_counted(card_room, prime_table(), sensors, "unit-3", (2, 1))
    assert result.tabulator is not None
    assert (result.tabulator.counters, result.changes) == ((2, 1), (SetupChange("unit", "unit-1", "unit-3"),))
    assert verify_card_room(card_room.ledger).is_consistent


def test_the_records_of_a_unit_go_on_where_it_stands_now(card_room: CardRoom, tmp_path: Path) -> None:
    card_room.jackpots.open(new_id(), "Olga", five_wild())
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup("wild-1", deuces_table(), tabulator=UnitSetup(deuces_sensors("wild-1"), "A1-77")),
    )
    with LoggerFile(tmp_path / "log", "A1-77") as file:
        file.record("r1", [1, 2], time=1, dealer="Kim", counter=2)
        forward_records(file, card_room, "Kim", "wild-1")
        card_room.remove_table(new_id(), "Olga", "wild-1", "moved upstairs")
        card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup("wild-2", deuces_table(), tabulator=UnitSetup(deuces_sensors("wild-2"), "A1-77")),
        )
        file.record("r2", [3], time=2, dealer="Kim", counter=3)
        forward_records(file, card_room, "Kim", "wild-2")
    assert card_room.tabulator("wild-2").tabulator.counters == (3,)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_unit_that_the_room_has_elsewhere_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    moved = place_unit(in_a_file.room().units, "unit-1", "prime-1", (1, 2), (), who="Olga")
    _commit(in_a_file, "room", UnitMoved.kind, replace(moved, table="").payload)
    _commit(in_a_file, "room", UnitMoved.kind, replace(moved, table="prime-2").payload)
    found = str(verify_card_room(in_a_file.ledger).discrepancy)
    assert "By the chain of table prime-1, unit unit-1 is there; by the room's chain it is elsewhere" in found


def test_a_refused_opening_leaves_no_unit_behind(in_a_file: CardRoom) -> None:
    in_a_file.jackpots.open(new_id(), "Olga", final_four())
    with pytest.raises(BadInput):
        in_a_file.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                "prime-1", prime_table("F4P-2"), tabulator=UnitSetup(prime_sensors("prime-1", "final-four"), "unit-1")
            ),
        )
    assert not in_a_file.room().units
    assert shown(in_a_file) == 5_000_00
