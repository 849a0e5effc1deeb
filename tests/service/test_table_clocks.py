"""The clocks of a table: instants that are stored, and what counts when they have passed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import (
    CardRoom,
    PlayTerms,
    TablePhase,
    WrongPhase,
    verify_card_room,
)
from tests.service.table_scenes import (
    ANTE,
    PRIME,
    HandClock,
    all_wager,
    an_id,
    asked,
    guests,
    open_prime,
    worth,
)


def test_the_time_for_wagers_runs_from_the_first_one_and_then_the_round_begins(
    timed: CardRoom, clock: HandClock
) -> None:
    open_prime(timed, PlayTerms(betting=20, deciding=10))
    ann, bob = guests(timed, 2)
    assert timed.table(PRIME).deadline == 0
    clock.wait(100)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    assert timed.table(PRIME).deadline == clock.now + 20_000_000
    clock.wait(20)
    assert timed.apply_timeout(PRIME) is None
    clock.wait(0.000001)
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        timed.place_wagers(an_id(), bob, PRIME, ANTE)
    standing = timed.apply_timeout(PRIME)
    assert standing is not None
    assert standing.state is TablePhase.PLAYING
    assert timed.read_position(PRIME).round.seats == (1,)  # type: ignore[union-attr]


def test_after_the_clock_the_safe_answer_counts_and_nothing_else(timed: CardRoom, clock: HandClock) -> None:
    open_prime(timed, PlayTerms(betting=20, deciding=10))
    ann, bob = guests(timed, 2)
    all_wager(timed, [ann, bob])
    deadline = timed.table(PRIME).deadline
    assert deadline == clock.now + 10_000_000
    clock.wait(10.5)
    with pytest.raises(WrongPhase):
        timed.make_decision(an_id(), ann, PRIME, "play")
    timed.apply_timeout(PRIME)
    assert asked(timed) == bob
    assert timed.apply_timeout(PRIME) is None
    clock.wait(11)
    timed.apply_timeout(PRIME)
    past = timed.get_round_json("prime-1.1")
    assert [one["by"] for one in past["answered_by"]] == ["clock", "clock"]
    assert worth(timed, ann) == worth(timed, bob) == 990_00
    assert verify_card_room(timed.ledger).is_consistent


def test_a_restart_gives_no_user_more_time(tmp_path: Path) -> None:
    clock, url = HandClock(), f"sqlite:///{tmp_path}/restart.db"
    with open_ledger(url, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_prime(card_room, PlayTerms(betting=20, deciding=10))
        (ann,) = guests(card_room, 1)
        all_wager(card_room, [ann])
        deadline = card_room.table(PRIME).deadline
    clock.wait(9)
    with open_ledger(url, clock=clock) as ledger:
        again = CardRoom(ledger, clock)
        assert again.table(PRIME).deadline == deadline
        clock.wait(1.5)
        assert again.apply_timeout(PRIME) is not None
        assert again.table(PRIME).phase is TablePhase.BETTING


def test_a_clock_that_jumps_ahead_lets_the_time_run_out_and_one_that_jumps_back_stops_the_table(
    timed: CardRoom, clock: HandClock
) -> None:
    open_prime(timed, PlayTerms(betting=20, deciding=10))
    (ann,) = guests(timed, 1)
    all_wager(timed, [ann])
    clock.wait(3_600)
    with pytest.raises(WrongPhase):
        timed.make_decision(an_id(), ann, PRIME, "play")
    timed.apply_timeout(PRIME)
    assert timed.table(PRIME).last_round == "prime-1.1"
    clock.wait(-3_600)
    before = timed.table(PRIME)
    with pytest.raises(Exception, match="set the clock"):
        timed.place_wagers(an_id(), ann, PRIME, ANTE)
    assert timed.table(PRIME) == before
    clock.wait(3_600)
    timed.place_wagers(an_id(), ann, PRIME, ANTE)
    assert verify_card_room(timed.ledger).is_consistent
