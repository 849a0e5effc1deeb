"""An evening at tables that is killed again and again, beside the same evening that is not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tests.crash.crash_run import ProcessPool, acknowledgements_of, endure
from tests.crash.driver import acknowledged
from tests.crash.tables.evening import TableEvening
from tests.crash.tables.final_checks import check_ledger
from tests.crash.tally import ACKNOWLEDGED, VERIFIED


def run_tables_with_kills(
    pool: ProcessPool, url: str, folder: Path, seed: int, commands: int, kills: int, within: int = 8
) -> Counter[str]:
    """So many commands with so many kills at most; what was counted."""
    with TableEvening(seed, folder / f"reference-{seed}.db") as evening:
        evening.commands(commands)
    script = folder / f"tables-{seed}.script"
    script.write_text("".join(json.dumps(command) + "\n" for command, _ in evening.results))
    tally = endure(pool, url, [script], seed, kills, within)
    results = acknowledged(acknowledgements_of(script))
    for (command, expected_result), result in zip(evening.results, results, strict=True):
        assert result == expected_result, (
            f"{command} was answered {result}, and where nobody was killed {expected_result}"
        )
    check_ledger(url, evening.url, list(zip((command for command, _ in evening.results), results, strict=True)))
    tally[ACKNOWLEDGED] += len(results)
    tally[VERIFIED] += 1
    return tally
