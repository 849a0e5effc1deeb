"""A replay finds any change of the clocks of a table, although every hash is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cardroom.ledger import Event, open_ledger
from cardroom.room.player.account import guest_name
from cardroom.room.table.state import DECIDED_BY_CLOCK
from cardroom.service import CardRoom, PlayTerms, verify_card_room
from tests.ledger.empty import empty_ledger
from tests.service.forger import Change, Payload, Rewritten, found, together, where
from tests.service.table_scenes import (
    PRIME,
    HandClock,
    all_wager,
    an_id,
    asked,
    guests,
    open_prime,
)

SECOND = 1_000_000
TIMED = PlayTerms(betting=20, deciding=30)


@pytest.fixture
def timed(tmp_path: Path) -> Any:
    """Two of three players wager at a table with clocks. One decides, and the time of the other runs out."""
    clock = HandClock()
    with open_ledger(empty_ledger(tmp_path / "timed.db"), clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_prime(card_room, TIMED)
        players = [card_room.players.admit_guest(name).player for name in ("ann", "bob", "cid")]
        for player in players:
            card_room.take_seat(an_id(), player, PRIME)
        all_wager(card_room, players[:2])
        clock.wait(21)
        assert card_room.apply_timeout(PRIME) is not None
        clock.wait(5)
        card_room.make_decision(an_id(), asked(card_room), PRIME, "play")
        clock.wait(95)
        assert card_room.apply_timeout(PRIME) is not None
        assert not card_room.table(PRIME).playing
        assert verify_card_room(ledger).is_consistent
        yield card_room


def earlier(seconds: int) -> Callable[[int], int]:
    return lambda deadline: deadline - seconds * SECOND


def later(seconds: int) -> Callable[[int], int]:
    return lambda deadline: deadline + seconds * SECOND


TABLE_CHAIN = f"table:{PRIME}"
CLOCKS: dict[str, tuple[Callable[[], Change], str]] = {
    "a decision by timeout that came too early": (
        lambda: where(TABLE_CHAIN, "decision-made", 1, by=DECIDED_BY_CLOCK, answer="fold", cents=0),
        "the timeout came too early",
    ),
    "a second deadline for wagers": (
        lambda: where(TABLE_CHAIN, "wagers-placed", 2, deadline=later(1)),
        "the deadline for wagers has changed",
    ),
    "more time for wagers": (
        lambda: together(
            where(TABLE_CHAIN, "wagers-placed", 1, deadline=later(30)),
            where(TABLE_CHAIN, "wagers-placed", 2, deadline=later(30)),
        ),
        "the deadline for wagers is wrong",
    ),
    "a little less time for wagers": (
        lambda: together(
            where(TABLE_CHAIN, "wagers-placed", 1, deadline=earlier(1)),
            where(TABLE_CHAIN, "wagers-placed", 2, deadline=earlier(1)),
        ),
        "the deadline for wagers is wrong",
    ),
    "wagers with another time than their event": (
        lambda: where(TABLE_CHAIN, "wagers-placed", 2, at=later(3)),
        "the time of the wagers is not the time of the event",
    ),
    "wagers some seconds before their event": (
        lambda: where(TABLE_CHAIN, "wagers-placed", 2, at=earlier(3)),
        "the time of the wagers is not the time of the event",
    ),
    "a round that began before the time for wagers was over": (
        lambda: where(TABLE_CHAIN, "round-started", deadline=earlier(5)),
        "the deadline is wrong",
    ),
    "no deadline for wagers": (
        lambda: together(
            where(TABLE_CHAIN, "wagers-placed", 1, deadline=0), where(TABLE_CHAIN, "wagers-placed", 2, deadline=0)
        ),
        "the deadline for wagers is wrong",
    ),
    "more time for a decision": (
        lambda: where(TABLE_CHAIN, "decision-made", 1, deadline=later(30)),
        "the deadline is wrong",
    ),
    "less time for a decision": (
        lambda: where(TABLE_CHAIN, "decision-made", 1, deadline=earlier(90)),
        "the deadline is wrong",
    ),
    "no time for a decision": (lambda: where(TABLE_CHAIN, "round-started", deadline=0), "the deadline is wrong"),
    "a player who decides too late": (
        lambda: where(TABLE_CHAIN, "decision-made", 2, by=guest_name("bob")),
        "the decision came too late",
    ),
    "a decision by timeout that is not the default action": (
        lambda: where(TABLE_CHAIN, "decision-made", 2, answer="play"),
        "a decision by timeout is not the default action. Expected: fold. Found: play",
    ),
}


def test_a_round_that_began_before_all_players_were_ready_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    open_prime(in_a_file)
    all_wager(in_a_file, guests(in_a_file, 3))

    def leave_out_third_seat(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        if event.kind == "wagers-placed" and payload["seat_wagers"]["seat"] == 3:
            return []
        two_seats = {name: payload[name][:2] for name in ("wagers", "players") if event.kind == "round-started"}
        return [(event.kind, payload | two_seats)] if two_seats else None

    assert "the round began too early" in found(in_a_file, tmp_path, leave_out_third_seat)


def begin_round_of_two(card_room: CardRoom, clock: HandClock) -> list[str]:
    """Begin a round with clocks when two players have wagered."""
    open_prime(card_room, TIMED)
    players = [card_room.players.admit_guest(name).player for name in ("ann", "bob")]
    for player in players:
        card_room.take_seat(an_id(), player, PRIME)
        clock.wait(1)
    all_wager(card_room, players)
    return players


@pytest.mark.parametrize("wait", [29, 30])
def test_a_decision_within_the_announced_time_is_consistent(tmp_path: Path, wait: int) -> None:
    clock = HandClock()
    with open_ledger(f"sqlite:///{tmp_path}/ready.db", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        begin_round_of_two(card_room, clock)
        clock.wait(wait)
        card_room.make_decision(an_id(), asked(card_room), PRIME, "play")
        assert verify_card_room(ledger).is_consistent


def test_a_decision_that_came_a_second_too_late_is_found(tmp_path: Path) -> None:
    clock = HandClock()
    with open_ledger(f"sqlite:///{tmp_path}/ready.db", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        begin_round_of_two(card_room, clock)
        clock.wait(30)
        card_room.make_decision(an_id(), asked(card_room), PRIME, "play")
        assert "the decision came too late" in found(
            card_room, tmp_path, where(TABLE_CHAIN, "round-started", deadline=earlier(1))
        )
        assert verify_card_room(ledger).is_consistent


def test_wagers_that_came_a_second_too_late_are_found(tmp_path: Path) -> None:
    clock = HandClock()
    with open_ledger(f"sqlite:///{tmp_path}/ready.db", clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_prime(card_room, TIMED)
        ann, bob = guests(card_room, 2)
        all_wager(card_room, [ann])
        clock.wait(20)
        all_wager(card_room, [bob])
        change = together(
            where(TABLE_CHAIN, "wagers-placed", 1, at=earlier(1), deadline=earlier(1)),
            where(TABLE_CHAIN, "wagers-placed", 2, deadline=earlier(1)),
        )
        assert "the wagers were placed too late" in found(card_room, tmp_path, change)
        assert verify_card_room(ledger).is_consistent


@pytest.mark.parametrize("name", CLOCKS)
def test_a_change_of_a_clock_is_found(timed: CardRoom, tmp_path: Path, name: str) -> None:
    change, sentence = CLOCKS[name]
    assert sentence in found(timed, tmp_path, change())
