"""An evening at tables that is killed again and again, beside the same evening that is not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.crash.crash_run import Nursery, endure, told_by
from tests.crash.driver import acknowledged
from tests.crash.tables.books import check_books
from tests.crash.tables.evening import TableEvening
from tests.crash.tally import ACKNOWLEDGED, VERIFIED


def table_ordeal(
    nursery: Nursery, url: str, folder: Path, seed: int, deeds: int, kills: int, within: int = 8
) -> Counter[str]:
    """So many deeds with so many kills at most; what was counted."""
    with TableEvening(seed, folder / f"reference-{seed}.db") as evening:
        evening.deeds(deeds)
    script = folder / f"tables-{seed}.script"
    script.write_text("".join(json.dumps(deed) + "\n" for deed, _ in evening.told))
    tally = endure(nursery, url, [script], seed, kills, within)
    told = acknowledged(told_by(script))
    for (deed, said), found in zip(evening.told, told, strict=True):
        assert found == said, f"{deed} was answered {found}, and where nobody was killed {said}"
    check_books(url, evening.url, list(zip((deed for deed, _ in evening.told), told, strict=True)))
    tally[ACKNOWLEDGED] += len(told)
    tally[VERIFIED] += 1
    return tally
