"""The audit fails for a vulnerability and for nothing else, and never says that it looked where it did not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.project.audit import LOCK, asked, looked_at, verdict

CLEAN: dict[str, Any] = {"name": "orjson", "version": "3.13.0", "vulns": []}
BAD: dict[str, Any] = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2019-217", "fix_versions": ["2.10.1"]}, {"id": "X-1", "fix_versions": []}],
}
SKIPPED = {"name": "numba", "skip_reason": "Dependency not found on PyPI and could not be audited: numba (0.68.1)"}


def test_a_vulnerability_fails_and_is_named() -> None:
    code, words = verdict({"dependencies": [CLEAN, BAD]})
    assert code == 1
    assert "jinja2 2.4.1: PYSEC-2019-217, mended in 2.10.1" in words
    assert "jinja2 2.4.1: X-1, not mended yet" in words


def test_what_was_not_looked_at_is_told() -> None:
    assert verdict({"dependencies": [CLEAN, CLEAN]}) == (0, "No known vulnerability in 2 pinned packages.")
    code, words = verdict({"dependencies": [CLEAN, SKIPPED]})
    assert (code, words) == (0, "No known vulnerability in 1 pinned packages; of 1 the service knew nothing.")
    assert looked_at({"dependencies": [SKIPPED]}) == []
    assert "Nothing was audited" in verdict(None)[1]


def test_a_service_that_is_not_there_is_no_verdict(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(next(iter(LOCK.read_text("utf-8").split("\n", 2))) + "\n")
    assert asked("no-such-service", lock) is None
