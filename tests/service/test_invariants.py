"""Each invariant is broken in a real ledger, on both databases, and named by the verification."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.verification.invariant import STORED_AS_WRITTEN, Invariant, ReplayedRoom
from cardroom.service.verification.invariants import INVARIANTS, read_balances
from cardroom.service.verification.report import (
    ReplayMismatch,
    describe_verification,
    verification_report_to_json,
)
from cardroom.service.verification.sequential import verify_sequentially
from tests.ledger.empty import empty_ledger
from tests.ledger.tampering import Attacker
from tests.ledger.test_tampering import FileAttacker, ServerAttacker
from tests.service.breakers import BREAKERS, Breaker
from tests.service.forger import forged, nothing
from tests.service.table_scenes import HandClock


@contextmanager
def attacker_at(url: str) -> Iterator[Attacker]:
    """A user with the database in hand."""
    if url.startswith("sqlite:///"):
        attacker = FileAttacker(Path(url.removeprefix("sqlite:///")))
        yield attacker
        attacker.connection.close()
        return
    with psycopg.connect(url, autocommit=True) as connection:
        yield ServerAttacker(connection)


@contextmanager
def broken(breaker: Breaker, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CardRoom]:
    """A card room at the address in which one invariant does not hold."""
    clock = HandClock(tick=1_000)
    source = empty_ledger(folder / "source.db") if breaker.copies else url
    with open_ledger(source, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        breaker.scene(card_room, monkeypatch, clock)
        if not breaker.copies:
            if breaker.store is not None:
                assert verify_card_room(ledger).is_consistent
                breaker.store(card_room)
            if breaker.attack is not None:
                assert verify_card_room(ledger).is_consistent
                with attacker_at(url) as attacker:
                    breaker.attack(attacker)
            yield card_room
            return
        assert verify_card_room(ledger).is_consistent
        change = breaker.change() if breaker.change is not None else nothing
        with forged(card_room, folder, change, breaker.secrets, url) as copy:
            yield copy


def find_others(card_room: CardRoom, broken_invariant: Invariant) -> set[str]:
    """The other invariants between chains that do not hold."""
    _, result = verify_sequentially(card_room.ledger)
    others = set()
    with card_room.ledger.store.read() as now:
        room = ReplayedRoom(result, read_balances(now), now, card_room.ledger.try_vault())
        for each in INVARIANTS:
            if each.check is not None and each is not broken_invariant:
                try:
                    each.check(room)
                except ReplayMismatch:
                    others.add(each.name)
    return others


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda invariant: invariant.name)
def test_an_invariant_that_does_not_hold_is_named(
    invariant: Invariant, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broken(BREAKERS[invariant.name], url, tmp_path, monkeypatch) as card_room:
        report = verify_card_room(card_room.ledger)
        others = find_others(card_room, invariant) if invariant.check is not None else set()
    assert report.ledger.is_intact == (invariant is not STORED_AS_WRITTEN), report.ledger.finding
    assert report.discrepancy is not None
    assert report.discrepancy.invariant == invariant.name, report.discrepancy.sentence
    assert f"({invariant.name}): {invariant.sentence}" in describe_verification(report, 1.0)
    document = verification_report_to_json(report, 1.0)["discrepancy"]
    assert (document["invariant"], document["must_hold"]) == (invariant.name, invariant.sentence)
    assert others == BREAKERS[invariant.name].also


def test_each_invariant_has_a_name_of_its_own_and_a_way_to_break_it() -> None:
    names = [invariant.name for invariant in INVARIANTS]
    assert len(set(names)) == len(names)
    assert {*BREAKERS} == {*names}
