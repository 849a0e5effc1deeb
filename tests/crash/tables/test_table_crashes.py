"""Tables are killed under players, company and dealers, and the books are those of an evening without a crash."""

from __future__ import annotations

from pathlib import Path

from tests.crash.ordeal import Nursery
from tests.crash.tables.ordeal import table_ordeal
from tests.crash.tally import AGAIN, KILLS, WRITING


def test_an_evening_at_tables_with_dozens_of_crashes_has_the_books_of_one_without(
    nursery: Nursery, url: str, tmp_path: Path, seed: int
) -> None:
    tally = table_ordeal(nursery, url, tmp_path, seed, deeds=100, kills=15)
    assert tally[KILLS] >= 10
    assert tally[WRITING] >= 1
    assert tally[AGAIN] >= 10
