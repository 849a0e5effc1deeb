"""A live round that was called off counts nothing, whenever and however its count comes in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from cardroom.floor import Floor, verify_floor
from cardroom.jackpots.tabulator.log_lines import record_line
from cardroom.jackpots.tabulator.logger import new_logger, write
from cardroom.ledger import Event
from tests.floor.felt_scenes import an_id
from tests.floor.forger import Payload, Told, found
from tests.floor.live_scenes import PRIME, WILD, begin, live_prime, live_wild, steps, tabulate
from tests.floor.scenes import is_covered, shown


def called_off(floor: Floor, table: str = PRIME) -> str:
    """A round that two people call off before its count comes in."""
    round_id = begin(floor, table)
    steps(floor, "wagers", table=table)
    floor.call_off_live(an_id(), "Kim", table, "the shuffler jammed", second="Lee")
    return round_id


def kinds_and_people(floor: Floor, table: str) -> list[tuple[str, str]]:
    return [
        (one.kind, f"{one.payload.get('by', '')} and {one.payload.get('second', '')}")
        for one in floor.recall_rounds(table, 2)
    ]


def test_a_press_that_comes_after_the_call_off_counts_and_is_void_at_once(floor: Floor) -> None:
    live_prime(floor)
    round_id = called_off(floor)
    counted = floor.tabulate(an_id(), "device T-1", PRIME, {1: [1, 3]}, round_id=round_id)
    assert counted.meters["final-four"] == (5_000_00,)
    assert shown(floor) == 5_000_00
    assert kinds_and_people(floor, PRIME)[0] == ("round-voided", "Kim and Lee")
    assert floor.table(PRIME).tabulator.counters[0] == 2, "the unit's counter never goes back"
    assert is_covered(floor)
    assert verify_floor(floor.ledger).is_whole


@pytest.mark.parametrize("lines", [False, True], ids=["by the office", "over the network"])
def test_a_data_loggers_record_of_a_void_round_is_void_as_it_comes_in(floor: Floor, lines: bool) -> None:
    live_wild(floor)
    round_id, before = called_off(floor, WILD), shown(floor, "five-wild")
    logger = write(new_logger("A1-77"), round_id, [1, 2], time=1, dealer="Kim", counter=2)
    logger = write(logger, "wild-1.2", [1], time=2, dealer="Kim", counter=3)
    if lines:
        floor.take_lines(an_id(), "device A1-77", WILD, [record_line(one).decode() for one in logger.waiting])
    else:
        floor.take_records(an_id(), "Rosa", WILD, logger.waiting)
    assert shown(floor, "five-wild") == before + 100 // 7, "one wager of the next round"
    assert floor.table(WILD).tabulator.voided == {round_id}
    assert verify_floor(floor.ledger).is_whole


def test_a_round_whose_count_the_office_made_void_can_still_be_called_off(floor: Floor) -> None:
    live_prime(floor)
    round_id = begin(floor)
    steps(floor, "wagers")
    tabulate(floor, 1, 3)
    floor.void_round(an_id(), "Rosa", PRIME, round_id, "the shuffler jammed", second="Lee")
    floor.call_off_live(an_id(), "Kim", PRIME, "the shuffler jammed", second="Lee")
    assert (floor.felt(PRIME).round, shown(floor)) == ("prime-1.2", 5_000_00)
    assert verify_floor(floor.ledger).is_whole


def test_a_count_of_a_void_round_that_came_later_and_stays_is_found(in_a_file: Floor, tmp_path: Path) -> None:
    live_prime(in_a_file)
    round_id = called_off(in_a_file)
    in_a_file.tabulate(an_id(), "Kim", PRIME, {1: [1]}, round_id="another")

    def of_the_void_round(event: Event, payload: Payload) -> Sequence[Told] | None:
        return [(event.kind, payload | {"round": round_id})] if payload.get("round") == "another" else None

    assert f"round {round_id} was called off, and its tabulator still counts it" in found(
        in_a_file, tmp_path, of_the_void_round
    )
