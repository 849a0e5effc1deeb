"""Tables, their tabulators, and the jackpots that they play for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.errors import BadInput
from cardroom.room.codec import decode, encode
from cardroom.room.jackpot.lifecycle import CannotLinkJackpot
from cardroom.room.setup.toml_reader import InvalidTabulator
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.service import (
    BadInstallation,
    CannotLink,
    CardRoom,
    RoomTableSetup,
    UnitSetup,
    UnknownJackpot,
    UnknownTabulator,
)
from tests.service.card_rooms import (
    all_seven,
    final_four,
    new_id,
    open_room,
    play,
    prime_sensors,
    prime_table,
    shown,
    whole,
)


def test_a_table_opens_with_the_jackpot_of_its_sensor(card_room: CardRoom) -> None:
    open_room(card_room, tables=2)
    assert card_room.list_tabulators() == ("prime-1", "prime-2")
    assert card_room.tabulator("prime-1").jackpots == ("final-four",)
    assert card_room.jackpot("final-four").tables == ("prime-1", "prime-2")


def test_linked_tables_let_one_meter_grow(card_room: CardRoom) -> None:
    open_room(card_room, tables=2)
    play(card_room, "prime-1", seats=3)
    answer = play(card_room, "prime-2", seats=2)
    assert answer.meters == {"final-four": (5_001_00,)}


def test_a_table_is_linked_and_unlinked_with_both_chains(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    assert card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it").jackpots == (
        "final-four",
        "all-seven",
    )
    answer = card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2], 2: [1]})
    assert answer.counts == {"final-four": 2, "all-seven": 1}
    assert card_room.jackpot("all-seven").counted == 1
    assert card_room.unlink_table(new_id(), "Olga", "prime-1", "final-four", "as the operator wants it").jackpots == (
        "all-seven",
    )
    answer = card_room.tabulate(new_id(), "Kim", "prime-1", {2: [1]})
    assert answer.counts == {"final-four": 0, "all-seven": 1}
    assert (card_room.jackpot("final-four").counted, card_room.jackpot("all-seven").counted) == (2, 2)
    assert card_room.jackpot("final-four").tables == ("prime-2",)


def test_links_are_made_and_ended_for_a_reason(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven())
    before = whole(in_a_file)
    with pytest.raises(BadInput, match="reason"):
        in_a_file.link_table(new_id(), "Olga", "prime-1", "all-seven", " ")
    with pytest.raises(BadInput, match="reason"):
        in_a_file.unlink_table(new_id(), "Olga", "prime-1", "final-four", "")
    assert whole(in_a_file) == before


def test_the_counter_of_a_linked_table_goes_on_where_it_was(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1)
    play(in_a_file, seats=4)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven())
    assert in_a_file.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it").counters == (
        4,
        0,
    )


def test_jackpots_of_two_kinds_are_never_on_one_table(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven("bonus"))
    with pytest.raises(CannotLinkJackpot):
        in_a_file.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")


def test_a_table_and_its_jackpot_are_under_one_law(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    before = whole(in_a_file)
    tribal = replace(prime_table(), jurisdiction="tribal")
    with pytest.raises(CannotLinkJackpot):
        in_a_file.add_table(
            new_id(),
            "Olga",
            RoomTableSetup("prime-9", tribal, tabulator=UnitSetup(prime_sensors("prime-9", "final-four"), "unit-9")),
        )
    assert whole(in_a_file) == before


@pytest.mark.parametrize("counters", [(-1, 0), (0, 10**18)])
def test_a_counter_shows_a_number_that_it_can_show(in_a_file: CardRoom, counters: tuple[int, int]) -> None:
    open_room(in_a_file)
    before = whole(in_a_file)
    sensors = prime_sensors("prime-9", "final-four")
    wrong = next(one for one in counters if one)
    with pytest.raises(BadInput, match=f"The counter of unit-9 cannot show {wrong:,}"):
        in_a_file.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-9", counters)),
        )
    assert whole(in_a_file) == before


def test_a_meter_has_one_location(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    card_room.jackpots.open(new_id(), "Olga", final_four())
    sensors = prime_sensors("far-1", "final-four", location="Spokane")
    with pytest.raises(CannotLinkJackpot):
        card_room.add_table(
            new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1"))
        )
    assert card_room.list_tabulators() == ()


def test_a_table_needs_the_paytable_of_its_jackpot(in_a_file: CardRoom) -> None:
    in_a_file.jackpots.open(new_id(), "Olga", final_four())
    with pytest.raises(BadInput, match="F4P-2"):
        in_a_file.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                "prime-1", prime_table("F4P-2"), tabulator=UnitSetup(prime_sensors("prime-1", "final-four"), "unit-1")
            ),
        )


def test_a_tabulator_counts_only_what_the_game_offers(in_a_file: CardRoom) -> None:
    setup = prime_table("F4P-2")
    with pytest.raises(BadInstallation, match="F4P-2"):
        in_a_file.add_table(
            new_id(), "Olga", RoomTableSetup("prime-1", setup, tabulator=UnitSetup(prime_sensors("prime-1"), "unit-1"))
        )


def test_a_sensor_stands_for_the_amounts_that_the_jackpot_takes(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    card_room.jackpots.open(new_id(), "Olga", final_four())
    sensors = prime_sensors("prime-1", "final-four")
    bonus = replace(sensors.sensors[0], kind="bonus")
    with pytest.raises(CannotLink):
        card_room.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                sensors.table,
                prime_table(),
                tabulator=UnitSetup(replace(sensors, sensors=(bonus, sensors.sensors[1])), "unit-1"),
            ),
        )


def test_a_model_that_the_game_is_not_approved_for_is_refused(in_a_file: CardRoom) -> None:
    sensors = replace(prime_sensors("prime-1"), tabulator="andromeda-1")
    with pytest.raises(InvalidTabulator):
        in_a_file.add_table(
            new_id(), "Olga", RoomTableSetup(sensors.table, prime_table(), tabulator=UnitSetup(sensors, "unit-1"))
        )


def test_a_broken_tabulator_is_repaired_before_its_sensors_change(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven())
    in_a_file.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    with pytest.raises(CannotLink, match="broken"):
        in_a_file.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")


def test_what_is_not_there_is_named_in_a_sentence_and_changes_nothing(card_room: CardRoom) -> None:
    open_room(card_room)
    before = whole(card_room)
    with pytest.raises(UnknownTabulator, match="prime-9"):
        play(card_room, "prime-9")
    with pytest.raises(UnknownJackpot):
        card_room.link_table(new_id(), "Olga", "prime-1", "mega", "as the operator wants it")
    with pytest.raises(UnknownJackpot):
        card_room.jackpots.deposit_to_bank(new_id(), "Olga", "mega", 1_00, "slip 1")
    assert whole(card_room) == before


def test_a_table_and_a_jackpot_are_opened_once(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    with pytest.raises(BadInput, match="already"):
        in_a_file.jackpots.open(new_id(), "Olga", final_four())
    with pytest.raises(BadInput, match="already"):
        in_a_file.add_table(
            new_id(),
            "Olga",
            RoomTableSetup(
                "prime-1", prime_table(), tabulator=UnitSetup(prime_sensors("prime-1", "final-four"), "unit-9")
            ),
        )


def test_another_counter_sees_at_once_that_a_table_was_linked(in_a_file: CardRoom) -> None:
    """Commands remember which jackpots a table has; a command that remembers wrongly reads again."""
    card_room, other = in_a_file, CardRoom(in_a_file.ledger)
    open_room(card_room)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    play(other)
    card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    assert other.tabulate(new_id(), "Kim", "prime-1", {1: [1], 2: [1]}).counts == {"final-four": 1, "all-seven": 1}
    assert card_room.jackpot("all-seven").counted == 1
    assert shown(other) == 5_001_40


def test_a_table_survives_being_written_down(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file)
    state = in_a_file.tabulator("prime-1")
    assert decode(TabulatedTableState, encode(state)) == state
    head = in_a_file.ledger.head("tabulator:prime-1")
    assert head is not None
    assert head.snapshot == encode(state)
