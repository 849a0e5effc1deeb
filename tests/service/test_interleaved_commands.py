"""A command looks back in the log before it locks its chains. What another server stores in between is not missed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from cardroom.ledger import Command, CommandResult, open_ledger
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.commands import void_rounds as voids
from cardroom.service.queries.chain_history import RoundAftermath
from tests.service.card_rooms import is_covered, new_id, open_room, play
from tests.service.test_claims import finished_round


@pytest.fixture
def other(url: str) -> Iterator[CardRoom]:
    """A second server on the same database."""
    with open_ledger(url) as ledger:
        yield CardRoom(ledger)


def before_the_locks(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Act once, when the next command of a card room has looked back and has locked nothing yet."""
    carry_out = card_room.ledger.execute

    def interrupted(command: Command) -> CommandResult:
        monkeypatch.setattr(card_room.ledger, "execute", carry_out)
        act()
        return carry_out(command)

    monkeypatch.setattr(card_room.ledger, "execute", interrupted)


def lower_reserve(card_room: CardRoom) -> None:
    changes = {"reserve": "2.5%"}
    card_room.change_parameters(new_id(), "Olga", "final-four", "main", changes, "a new quarter", second="Vera")


def test_a_void_round_comes_off_at_the_rates_it_was_counted_by_although_they_change_meanwhile(
    card_room: CardRoom, other: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    play(card_room, round_id="r4")
    before_the_locks(card_room, monkeypatch, lambda: lower_reserve(other))
    card_room.void_round(new_id(), "Kim", "prime-1", "r4", "the shuffler jammed", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_reading_comes_off_at_the_rates_it_was_counted_by_although_they_change_meanwhile(
    card_room: CardRoom, other: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    counter, *others = card_room.tabulator("prime-1").tabulator.counters
    card_room.read_counter("reading", "Kim", "prime-1", [counter + 4, *others])
    before_the_locks(card_room, monkeypatch, lambda: lower_reserve(other))
    card_room.reverse_reading(new_id(), "Kim", "prime-1", "reading", "misread", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_verification_finds_wagers_that_came_off_at_other_rates_than_they_came_in(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a program would store them that knows nothing of the change."""
    open_room(card_room)
    play(card_room, round_id="r1")
    lower_reserve(card_room)
    look_back = voids.trace_round

    def forget_rates(*of: Any) -> RoundAftermath:
        back = look_back(*of)
        return back._replace(accruals=back.accruals._replace(parameters={}))

    monkeypatch.setattr(voids, "trace_round", forget_rates)
    card_room.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    report = verify_card_room(card_room.ledger)
    assert report.ledger.is_intact
    assert report.discrepancy is not None
    assert "wagers of r1 were reversed otherwise than they were added" in report.discrepancy.sentence


def test_a_hand_is_claimed_again_although_it_is_refused_only_while_the_claim_looks_back(
    card_room: CardRoom, other: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two winners are in one claim, so the claim stays when one of them is refused."""
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    record = finished_round("Jc Qc Kc Ac", "Js Qs Ks As")
    card_room.claim_prizes("both", "Kim", "final-four", "prime-1", "r1", record)
    before_the_locks(
        card_room,
        monkeypatch,
        lambda: other.refuse_claim(new_id(), "Vera", "final-four", "both", "a card fell", seats=[2]),
    )
    assert card_room.claim_prizes("again", "Kim", "final-four", "prime-1", "r1", record).pending
    assert {one.id: one.seats for one in card_room.jackpot("final-four").claims} == {"both": (1,), "again": (2,)}
    assert verify_card_room(card_room.ledger).is_consistent
