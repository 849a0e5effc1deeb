"""The audit fails for a vulnerability and for nothing else, and says what it did not audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.project.audit import LOCK, ask_service, audited_packages, verdict

CLEAN: dict[str, Any] = {"name": "orjson", "version": "3.13.0", "vulns": []}
BAD: dict[str, Any] = {
    "name": "jinja2",
    "version": "2.4.1",
    "vulns": [{"id": "PYSEC-2019-217", "fix_versions": ["2.10.1"]}, {"id": "X-1", "fix_versions": []}],
}
SKIPPED = {"name": "numba", "skip_reason": "Dependency not found on PyPI and could not be audited: numba (0.68.1)"}


def test_a_vulnerability_fails_and_is_named() -> None:
    code, message = verdict({"dependencies": [CLEAN, BAD]})
    assert code == 1
    assert "jinja2 2.4.1: PYSEC-2019-217, fixed in 2.10.1" in message
    assert "jinja2 2.4.1: X-1, not fixed yet" in message


def test_packages_that_were_not_audited_are_counted() -> None:
    assert verdict({"dependencies": [CLEAN, CLEAN]}) == (0, "No known vulnerability in 2 pinned packages.")
    code, message = verdict({"dependencies": [CLEAN, SKIPPED]})
    assert (code, message) == (0, "No known vulnerability in 1 pinned packages; the service does not know 1.")
    assert audited_packages({"dependencies": [SKIPPED]}) == []
    assert "Nothing was audited" in verdict(None)[1]


def test_a_service_that_does_not_exist_gives_no_verdict(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(next(iter(LOCK.read_text("utf-8").split("\n", 2))) + "\n")
    assert ask_service("no-such-service", lock) is None
