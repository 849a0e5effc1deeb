"""A page of a chain with its proof: what was changed loses its tick, and so does what followed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.ledger.proofs import EventProof, prove_events
from tests.ledger.play_commands import JACKPOT, wager
from tests.ledger.test_tampering import FileAttacker


def page(folder: Path, after: int = 0, limit: int = 10) -> tuple[EventProof, ...]:
    with open_ledger(f"sqlite:///{folder}/ledger.db") as ledger:
        return prove_events(ledger, JACKPOT, after, limit)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_ledger(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        for number in range(6):
            ledger.execute(wager(f"w-{number}"))
    return tmp_path


def test_every_event_of_a_page_has_its_hash_and_follows_the_one_before_it(folder: Path) -> None:
    for after, limit, there in ((0, 3, [1, 2, 3]), (3, 3, [4, 5, 6]), (1, 2, [2, 3]), (6, 3, [])):
        found = page(folder, after, limit)
        assert [one.event.sequence for one in found] == there
        assert all(one.is_hash_valid and one.is_linked for one in found)
        assert all(len(one.entries) == 2 for one in found)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET payload = replace(payload, 'tabulator:1', 'tabulator:2') WHERE chain = ? AND sequence = 4",
        "UPDATE entries SET amount = amount + 1 WHERE chain = ? AND sequence = 4 AND line = 1",
        "UPDATE names SET name = 'another' WHERE chain = ? AND sequence = 4 AND name = 'w-3'",
    ],
)
def test_an_event_that_was_changed_loses_its_tick_and_no_other_does(folder: Path, change: str) -> None:
    FileAttacker(folder / "ledger.db").execute(change, JACKPOT)
    assert [one.is_hash_valid for one in page(folder)] == [True, True, True, False, True, True]


def test_an_event_behind_one_with_another_hash_does_not_follow_it(folder: Path) -> None:
    FileAttacker(folder / "ledger.db").execute(
        "UPDATE events SET hash = zeroblob(32) WHERE chain = ? AND sequence = 3", JACKPOT
    )
    assert [one.is_linked for one in page(folder, after=3)] == [False, True, True]
