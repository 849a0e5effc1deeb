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
def card_room(url: str, clock: Clock) -> Iterator[CardRoom]:
    """Two tables for one Final Four, and a clock in hand."""
    with open_ledger(url, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_room(card_room)
        play(card_room, seats=6)
        yield card_room


def counters(card_room: CardRoom) -> tuple[int, ...]:
    return card_room.tabulator("prime-1").tabulator.counters


def last_read(card_room: CardRoom) -> dict[str, Any]:
    return next(
        dict(one.payload) for one in card_room.history.list_tabulator_rounds("prime-1") if one.kind == CounterRead.kind
    )


# A counter that jumps.


def test_one_person_enters_what_the_table_can_have_played(card_room: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    card_room.read_counter(new_id(), "Sam", "prime-1", [6 + 120 * 6, 0])
    assert counters(card_room) == (726, 0)
    result = last_read(card_room)
    assert (result["most"], result["second"], result["why"]) == ([720, 0], "", "")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_counter_that_went_on_by_more_needs_a_second_person_and_a_reason(card_room: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    before = whole(card_room)
    jump = [6 + 721, 0]
    with pytest.raises(CannotTabulate):
        card_room.read_counter(new_id(), "Sam", "prime-1", jump)
    with pytest.raises(CannotTabulate, match="720"):
        card_room.read_counter(new_id(), "Sam", "prime-1", jump, second="Lee")
    with pytest.raises(CannotTabulate, match="720"):
        card_room.read_counter(new_id(), "Sam", "prime-1", jump, why="a busy evening")
    with pytest.raises(SamePerson):
        card_room.read_counter(new_id(), "Sam", "prime-1", jump, second="sam", why="a busy evening")
    assert whole(card_room) == before
    answer = card_room.read_counter("jump", "Sam", "prime-1", jump, second="Lee", why="a busy evening")
    assert answer.counts["final-four"] == 721
    assert answer == card_room.read_counter("jump", "Sam", "prime-1", jump, second="Lee", why="a busy evening")
    assert (last_read(card_room)["second"], last_read(card_room)["why"]) == ("Lee", "a busy evening")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_that_counted_a_moment_ago_can_have_played_one_round(card_room: CardRoom) -> None:
    card_room.read_counter(new_id(), "Sam", "prime-1", [12, 0])
    with pytest.raises(CannotTabulate):
        card_room.read_counter(new_id(), "Sam", "prime-1", [13, 0])


def test_no_user_walks_round_the_limit_in_small_steps(card_room: CardRoom) -> None:
    for counter in (8, 10, 12):
        card_room.read_counter(new_id(), "Sam", "prime-1", [counter, 0])
    with pytest.raises(CannotTabulate):
        card_room.read_counter(new_id(), "Sam", "prime-1", [14, 0])
    card_room.read_counter(new_id(), "Sam", "prime-1", [14, 0], second="Carl", why="the button stuck")
    card_room.read_counter(new_id(), "Sam", "prime-1", [17, 0])
    with pytest.raises(CannotTabulate):
        card_room.read_counter(new_id(), "Sam", "prime-1", [21, 0])
    play(card_room, round_id="the next one")
    card_room.read_counter(new_id(), "Sam", "prime-1", [counters(card_room)[0] + 6, 0])
    assert verify_card_room(card_room.ledger).is_consistent


def test_the_hours_are_those_since_the_table_counted_and_not_since_its_last_event(
    card_room: CardRoom, clock: Clock
) -> None:
    clock.pass_(1)
    card_room.report_lights(new_id(), "Kim", "prime-1", {1: [3]})
    card_room.read_counter(new_id(), "Sam", "prime-1", [6 + 720, 0])
    assert counters(card_room) == (726, 0)


def test_the_room_says_how_many_rounds_an_hour_a_table_plays(card_room: CardRoom, clock: Clock) -> None:
    slower = SiteSettings(rounds_an_hour=30)
    card_room.site.configure(new_id(), "Olga", slower, "no machines here", second="Carl")
    clock.pass_(1)
    with pytest.raises(CannotTabulate, match="180"):
        card_room.read_counter(new_id(), "Sam", "prime-1", [6 + 181, 0])


def test_a_forged_jump_of_one_person_is_found(card_room: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    card_room.read_counter("jump", "Sam", "prime-1", [6 + 721, 0], second="Lee", why="a busy evening")
    result = last_read(card_room)
    again = [one | {"count": 7, "stakes": [[10_000, 7]], "counter": one["counter"] + 7} for one in result["wagers"][:1]]
    alone = result | {"second": " SAM ", "most": [6, 0], "wagers": again + result["wagers"][1:], "reading": "forged"}
    _commit(card_room, "tabulator:prime-1", CounterRead.kind, alone)
    report = verify_card_room(card_room.ledger)
    assert report.discrepancy is not None
    assert "with one person's consent" in report.discrepancy.sentence


# A reading that was wrong.


def test_a_reading_is_taken_back_to_the_hundredth_of_a_cent(card_room: CardRoom) -> None:
    before, tallies, money = (
        shown(card_room),
        card_room.tabulator("prime-1").tabulator.tallies,
        card_room.ledger.balances(),
    )
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 5_001_00, "slip 1")
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    assert (shown(card_room), counters(card_room)) == (before + 60, (9, 0))
    answer = card_room.reverse_reading("back", "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    assert answer.counts == {"final-four": -3, "all-seven": 0}
    assert answer == card_room.reverse_reading("back", "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    assert (shown(card_room), counters(card_room), card_room.tabulator("prime-1").tabulator.tallies) == (
        before,
        (6, 0),
        tallies,
    )
    changed = {account for account, amount in card_room.ledger.balances().items() if amount != money.get(account, 0)}
    assert {account.kind for account in changed} == {"escrow", "undeposited"}
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent
    card_room.read_counter(new_id(), "Sam", "prime-1", [8, 0])
    assert counters(card_room) == (8, 0)


def test_after_a_reading_was_taken_back_the_hours_before_it_count_again(card_room: CardRoom, clock: Clock) -> None:
    clock.pass_(1)
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a six is no nine", second="Lee")
    card_room.read_counter(new_id(), "Sam", "prime-1", [6 + 720, 0])
    assert counters(card_room) == (726, 0)


def test_what_cannot_be_taken_back_is_refused_and_changes_nothing(card_room: CardRoom) -> None:
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    before = whole(card_room)
    with pytest.raises(SamePerson):
        card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Sam")
    with pytest.raises(SamePerson):
        card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second=None)
    with pytest.raises(CannotTabulate):
        card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", " ", second="Lee")
    with pytest.raises(CannotTabulate, match="prime-2"):
        card_room.reverse_reading(new_id(), "Sam", "prime-2", "wrong", "a mistake", second="Lee")
    assert whole(card_room) == before
    play(card_room, seats=2)
    with pytest.raises(CannotTabulate):
        card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")


def test_a_reading_is_taken_back_once(card_room: CardRoom) -> None:
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    card_room.read_counter("again", "Sam", "prime-1", [9, 0])
    with pytest.raises(CannotTabulate):
        card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")


def test_the_sentence_says_why_a_reading_stays(card_room: CardRoom) -> None:
    def back(reading: str) -> None:
        card_room.reverse_reading(new_id(), "Sam", "prime-1", reading, "a mistake", second="Lee")

    card_room.read_counter("first", "Sam", "prime-1", [8, 0])
    card_room.read_counter("same", "Sam", "prime-1", [8, 0])
    card_room.read_counter("later", "Sam", "prime-1", [9, 0])
    with pytest.raises(CannotTabulate):
        back("first")
    back("later")
    back("first")
    with pytest.raises(CannotTabulate):
        back("same")
    assert (counters(card_room), verify_card_room(card_room.ledger).is_consistent) == ((6, 0), True)


def test_what_was_won_since_stays_with_the_players(card_room: CardRoom) -> None:
    play(card_room, "prime-2", seats=3, round_id="r2")
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    card_room.claims.claim_hand("royal", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    pay(card_room, "Vera", "final-four", "royal", WATCHED)
    before = shown(card_room)
    card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    assert shown(card_room) == before
    assert (card_room.jackpot("final-four").counted, counters(card_room)) == (9, (6, 0))
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_reading_that_comes_off_with_a_refusal_is_not_called_a_round(card_room: CardRoom) -> None:
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    play(card_room, "prime-2", seats=3, round_id="r2")
    card_room.claims.claim_hand("royal", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    card_room.reverse_reading(new_id(), "Sam", "prime-1", "wrong", "a mistake", second="Lee")
    card_room.claims.refuse(new_id(), "Vera", "final-four", "royal", "the seal was broken")
    newest = next(
        line.note for line in list_change_lines(card_room.history.list_jackpot_events("final-four")) if line.level
    )
    assert newest.endswith("claim royal; reading wrong of prime-1 reversed: comes off main")


def test_no_prize_hangs_on_a_reading_and_no_round_is_called_like_one(card_room: CardRoom) -> None:
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "reading wrong", THREE_OF_A_KIND)
    with pytest.raises(CannotTabulate):
        card_room.void_round(new_id(), "Sam", "prime-1", "reading wrong", "a mistake", second="Flo")
    with pytest.raises(CannotTabulate):
        play(card_room, round_id="reading 7")


def test_a_forged_take_back_of_something_that_was_never_read_is_found(card_room: CardRoom) -> None:
    card_room.read_counter("wrong", "Sam", "prime-1", [9, 0])
    result = last_read(card_room)
    forged = {"table": "prime-1", "reading": "another", "by": "Sam", "second": "Lee", "reason": "none"}
    wagers = [one | {"counter": one["counter"] - one["count"]} for one in result["wagers"]]
    _commit(card_room, "tabulator:prime-1", "reading-reversed", forged | {"wagers": wagers})
    report = verify_card_room(card_room.ledger)
    assert report.discrepancy is not None
    assert "it reverses a reading that was not entered" in report.discrepancy.sentence
