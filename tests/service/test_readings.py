"""What is read off a counter: believed as far as the table can have played, and taken back when it was wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cardroom.ledger import open_ledger
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.dual_control import SamePerson
from cardroom.room.setup.site import SiteSettings
from cardroom.room.tabulator.events import CounterRead
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    shown,
    whole,
)
from tests.service.test_verification import _commit

HOUR = 3_600_000_000


class Clock:
    """A clock that goes on when it is shown to."""

    def __init__(self) -> None:
        self.now = 1_772_000_000_000_000

    def __call__(self) -> int:
        return self.now

    def pass_(self, hours: float) -> None:
        self.now += int(hours * HOUR)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def floor(url: str, clock: Clock) -> Iterator[CardRoom]:
    """Two tables for one Final Four, and a clock in hand."""
    with open_ledger(url, clock=clock) as ledger:
        floor = CardRoom(ledger, clock)
        open_room(floor)
        play(floor, seats=6)
        yield floor


def counters(floor: CardRoom) -> tuple[int, ...]:
    return floor.tabulator("prime-1").tabulator.counters


def last_read(floor: CardRoom) -> dict[str, Any]:
    return next(dict(one.payload) for one in floor.list_tabulator_rounds("prime-1") if one.kind == CounterRead.kind)


# A counter that jumps.


def test_one_person_enters_what_the_table_can_have_played(floor: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    floor.read_counter(new_id(), "Sam", "prime-1", [6 + 120 * 6, 0])
    assert counters(floor) == (726, 0)
    result = last_read(floor)
    assert (result["most"], result["second"], result["why"]) == ([720, 0], "", "")
    assert verify_card_room(floor.ledger).is_consistent


def test_a_counter_that_went_on_by_more_needs_a_second_person_and_a_reason(floor: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    before = whole(floor)
    jump = [6 + 721, 0]
    with pytest.raises(CannotTabulate):
        floor.read_counter(new_id(), "Sam", "prime-1", jump)
    with pytest.raises(CannotTabulate, match="720"):
        floor.read_counter(new_id(), "Sam", "prime-1", jump, second="Lee")
    with pytest.raises(CannotTabulate, match="720"):
        floor.read_counter(new_id(), "Sam", "prime-1", jump, why="a busy evening")
    with pytest.raises(SamePerson):
        floor.read_counter(new_id(), "Sam", "prime-1", jump, second="sam", why="a busy evening")
    assert whole(floor) == before
    answer = floor.read_counter("jump", "Sam", "prime-1", jump, second="Lee", why="a busy evening")
    assert answer.counts["final-four"] == 721
    assert answer == floor.read_counter("jump", "Sam", "prime-1", jump, second="Lee", why="a busy evening")
    assert (last_read(floor)["second"], last_read(floor)["why"]) == ("Lee", "a busy evening")
    assert verify_card_room(floor.ledger).is_consistent


def test_a_table_that_counted_a_moment_ago_can_have_played_one_round(floor: CardRoom) -> None:
    floor.read_counter(new_id(), "Sam", "prime-1", [12, 0])
    with pytest.raises(CannotTabulate):
        floor.read_counter(new_id(), "Sam", "prime-1", [13, 0])


def test_no_user_walks_round_the_limit_in_small_steps(floor: CardRoom) -> None:
    for counter in (8, 10, 12):
        floor.read_counter(new_id(), "Sam", "prime-1", [counter, 0])
    with pytest.raises(CannotTabulate):
        floor.read_counter(new_id(), "Sam", "prime-1", [14, 0])
    floor.read_counter(new_id(), "Sam", "prime-1", [14, 0], second="Carl", why="the button stuck")
    floor.read_counter(new_id(), "Sam", "prime-1", [17, 0])
    with pytest.raises(CannotTabulate):
        floor.read_counter(new_id(), "Sam", "prime-1", [21, 0])
    play(floor, round_id="the next one")
    floor.read_counter(new_id(), "Sam", "prime-1", [counters(floor)[0] + 6, 0])
    assert verify_card_room(floor.ledger).is_consistent


def test_the_hours_are_those_since_the_table_counted_and_not_since_its_last_event(
    floor: CardRoom, clock: Clock
) -> None:
    clock.pass_(1)
    floor.report_lights(new_id(), "Kim", "prime-1", {1: [3]})
    floor.read_counter(new_id(), "Sam", "prime-1", [6 + 720, 0])
    assert counters(floor) == (726, 0)


def test_the_room_says_how_many_rounds_an_hour_a_table_plays(floor: CardRoom, clock: Clock) -> None:
    slower = SiteSettings(rounds_an_hour=30)
    floor.configure_room(new_id(), "Olga", slower, "no machines here", second="Carl")
    clock.pass_(1)
    with pytest.raises(CannotTabulate, match="180"):
        floor.read_counter(new_id(), "Sam", "prime-1", [6 + 181, 0])


def test_a_forged_jump_of_one_person_is_found(floor: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    floor.read_counter("jump", "Sam", "prime-1", [6 + 721, 0], second="Lee", why="a busy evening")
    result = last_read(floor)
    again = [one | {"count": 7, "stakes": [[10_000, 7]], "counter": one["counter"] + 7} for one in result["wagers"][:1]]
    alone = result | {"second": " SAM ", "most": [6, 0], "wagers": again + result["wagers"][1:], "reading": "forged"}
    _commit(floor, "tabulator:prime-1", CounterRead.kind, alone)
    report = verify_card_room(floor.ledger)
    assert report.discrepancy is not None
    assert "with one person's consent" in report.discrepancy.sentence


# A reading that was wrong.


def test_a_reading_is_taken_back_to_the_hundredth_of_a_cent(floor: CardRoom) -> None:
    before, tallies, money = shown(floor), floor.tabulator("prime-1").tabulator.tallies, floor.ledger.balances()
    floor.deposit_to_bank(new_id(), "Carl", "final-four", 5_001_00, "slip 1")
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    assert (shown(floor), counters(floor)) == (before + 60, (9, 0))
    answer = floor.reverse_reading("back", "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    assert answer.counts == {"final-four": -3, "all-seven": 0}
    assert answer == floor.reverse_reading("back", "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    assert (shown(floor), counters(floor), floor.tabulator("prime-1").tabulator.tallies) == (before, (6, 0), tallies)
    changed = {account for account, amount in floor.ledger.balances().items() if amount != money.get(account, 0)}
    assert {account.kind for account in changed} == {"escrow", "undeposited"}
    assert is_covered(floor)
    assert verify_card_room(floor.ledger).is_consistent
    floor.read_counter(new_id(), "Sam", "prime-1", [8, 0])
    assert counters(floor) == (8, 0)


def test_after_a_reading_was_taken_back_the_hours_before_it_count_again(floor: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    floor.read_counter(new_id(), "Sam", "prime-1", [6 + 720, 0])
    assert counters(floor) == (726, 0)


def test_what_cannot_be_taken_back_is_refused_and_changes_nothing(floor: CardRoom) -> None:
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    before = whole(floor)
    with pytest.raises(SamePerson):
        floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Sam")
    with pytest.raises(SamePerson):
        floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second=None)
    with pytest.raises(CannotTabulate):
        floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", " ", second="Lee")
    with pytest.raises(CannotTabulate, match="prime-2"):
        floor.reverse_reading(new_id(), "Sam", "prime-2", "wrong", "a mistake", second="Lee")
    assert whole(floor) == before
    play(floor, seats=2)
    with pytest.raises(CannotTabulate):
        floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")


def test_a_reading_is_taken_back_once(floor: CardRoom) -> None:
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    floor.read_counter("again", "Sam", "prime-1", [9, 0])
    with pytest.raises(CannotTabulate):
        floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")


def test_the_sentence_says_why_a_reading_stays(floor: CardRoom) -> None:
    def back(reading: str) -> None:
        floor.reverse_reading(new_id(), "Sam", "prime-1", reading, "a mistake", second="Lee")

    floor.read_counter("first", "Sam", "prime-1", [8, 0])
    floor.read_counter("same", "Sam", "prime-1", [8, 0])
    floor.read_counter("later", "Sam", "prime-1", [9, 0])
    with pytest.raises(CannotTabulate):
        back("first")
    back("later")
    back("first")
    with pytest.raises(CannotTabulate):
        back("same")
    assert (counters(floor), verify_card_room(floor.ledger).is_consistent) == ((6, 0), True)


def test_what_was_won_since_stays_with_the_players(floor: CardRoom) -> None:
    play(floor, "prime-2", seats=3, round_id="r2")
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    floor.claim_hand("royal", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    pay(floor, "Vera", "final-four", "royal", WATCHED)
    before = shown(floor)
    floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    assert shown(floor) == before
    assert (floor.jackpot("final-four").counted, counters(floor)) == (9, (6, 0))
    assert verify_card_room(floor.ledger).is_consistent


def test_a_reading_that_comes_off_with_a_refusal_is_not_called_a_round(floor: CardRoom) -> None:
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    play(floor, "prime-2", seats=3, round_id="r2")
    floor.claim_hand("royal", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    floor.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    floor.refuse_claim(new_id(), "Vera", "final-four", "royal", "the seal was broken")
    newest = next(line.note for line in list_change_lines(floor.list_jackpot_events("final-four")) if line.level)
    assert newest.endswith("claim royal; reading wrong of prime-1 reversed: comes off main")


def test_no_prize_hangs_on_a_reading_and_no_round_is_called_like_one(floor: CardRoom) -> None:
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    with pytest.raises(BadClaim):
        floor.claim_hand(new_id(), "Kim", "final-four", "prime-1", "reading wrong", THREE_OF_A_KIND)
    with pytest.raises(CannotTabulate):
        floor.void_round(new_id(), "Sam", "prime-1", "reading wrong", "a mistake", second="Flo")
    with pytest.raises(CannotTabulate):
        play(floor, round_id="reading 7")


def test_a_forged_take_back_of_something_that_was_never_read_is_found(floor: CardRoom) -> None:
    floor.read_counter("wrong", "Sam", "prime-1", [9, 0])
    result = last_read(floor)
    forged = {"table": "prime-1", "reading": "another", "by": "Sam", "second": "Lee", "reason": "none"}
    wagers = [one | {"counter": one["counter"] - one["count"]} for one in result["wagers"]]
    _commit(floor, "tabulator:prime-1", "reading-reversed", forged | {"wagers": wagers})
    report = verify_card_room(floor.ledger)
    assert report.discrepancy is not None
    assert "it reverses a reading that was not entered" in report.discrepancy.sentence
