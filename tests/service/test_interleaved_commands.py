"""A command reads older events before it locks its chains. It does not miss what another server stores in between."""

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
def other_server(url: str) -> Iterator[CardRoom]:
    """A second server on the same database."""
    with open_ledger(url) as ledger:
        yield CardRoom(ledger)


def act_before_locks(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Act once, after the next command has read older events and before it locks its chains."""
    execute = card_room.ledger.execute

    def interrupted(command: Command) -> CommandResult:
        monkeypatch.setattr(card_room.ledger, "execute", execute)
        act()
        return execute(command)

    monkeypatch.setattr(card_room.ledger, "execute", interrupted)


def lower_reserve(card_room: CardRoom) -> None:
    changes = {"reserve": "2.5%"}
    card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", changes, "a new quarter", second="Vera"
    )


def test_a_void_round_is_reversed_at_the_rates_of_its_count_although_they_change_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    play(card_room, round_id="r4")
    act_before_locks(card_room, monkeypatch, lambda: lower_reserve(other_server))
    card_room.void_round(new_id(), "Kim", "prime-1", "r4", "the shuffler jammed", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_reading_is_reversed_at_the_rates_of_its_count_although_they_change_meanwhile(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(card_room)
    play(card_room, rounds=3)
    before = card_room.jackpot("final-four").meters[0]
    counter, *others = card_room.tabulator("prime-1").tabulator.counters
    card_room.read_counter("reading", "Kim", "prime-1", [counter + 4, *others])
    act_before_locks(card_room, monkeypatch, lambda: lower_reserve(other_server))
    card_room.reverse_reading(new_id(), "Kim", "prime-1", "reading", "misread", second="Flo")
    after = card_room.jackpot("final-four").meters[0]
    assert (after.display, after.reserve) == (before.display, before.reserve)
    assert verify_card_room(card_room.ledger).is_consistent


def test_verification_finds_wagers_that_were_reversed_at_the_wrong_rates(
    card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stored events are those of a program that does not know of the change of rates."""
    open_room(card_room)
    play(card_room, round_id="r1")
    lower_reserve(card_room)
    trace_round = voids.trace_round

    def forget_rates(*arguments: Any) -> RoundAftermath:
        aftermath = trace_round(*arguments)
        return aftermath._replace(accruals=aftermath.accruals._replace(parameters={}))

    monkeypatch.setattr(voids, "trace_round", forget_rates)
    card_room.void_round(new_id(), "Kim", "prime-1", "r1", "the shuffler jammed", second="Flo")
    report = verify_card_room(card_room.ledger)
    assert report.ledger.is_intact
    assert report.discrepancy is not None
    assert "wagers of r1 were reversed otherwise than they were added" in report.discrepancy.sentence


def test_a_hand_can_be_claimed_again_when_it_is_refused_before_the_claim_locks_its_chains(
    card_room: CardRoom, other_server: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two winners are in one claim, so the claim stays when one of them is refused."""
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    record = finished_round("Jc Qc Kc Ac", "Js Qs Ks As")
    card_room.claims.claim_prizes("both", "Kim", "final-four", "prime-1", "r1", record)
    act_before_locks(
        card_room,
        monkeypatch,
        lambda: other_server.claims.refuse(new_id(), "Vera", "final-four", "both", "a card fell", seats=[2]),
    )
    assert card_room.claims.claim_prizes("again", "Kim", "final-four", "prime-1", "r1", record).pending
    claims = card_room.jackpot("final-four").claims
    assert {claim.id: claim.seats for claim in claims} == {"both": (1,), "again": (2,)}
    assert verify_card_room(card_room.ledger).is_consistent
