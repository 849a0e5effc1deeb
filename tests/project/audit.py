"""Checks the pinned packages for known vulnerabilities: ``python -m tests.project.audit`` (``make audit``).

A vulnerability fails. If no advisory service can be reached, one line says that nothing was audited, and nothing
fails: a machine without a network can still run the other checks.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[2] / "requirements.lock"
SERVICES = ("pypi", "osv")
SERVICE_SECONDS = 60
"""The longest time for one service."""


def ask_service(service: str, lock: Path = LOCK) -> dict[str, Any] | None:
    """The report of a service on the pinned packages; None if it cannot be reached."""
    options = ["--require-hashes", "--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json"]
    command = [sys.executable, "-m", "pip_audit", "-r", str(lock), "-s", service, *options]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SERVICE_SECONDS, check=False)
        report: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return report if audited_packages(report) else None


def audited_packages(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The packages that the service knows. A registry without advisories knows none."""
    return [package for package in report["dependencies"] if "skip_reason" not in package]


def verdict(report: Mapping[str, Any] | None) -> tuple[int, str]:
    """The exit code and the message."""
    if report is None:
        return 0, "Nothing was audited: the advisory services cannot be reached from here."
    audited = audited_packages(report)
    skipped = len(report["dependencies"]) - len(audited)
    faults = [
        f"{package['name']} {package['version']}: {fault['id']}, "
        + (f"fixed in {', '.join(fault['fix_versions'])}" if fault["fix_versions"] else "not fixed yet")
        for package in audited
        for fault in package["vulns"]
    ]
    if faults:
        return 1, "\n".join(["Known vulnerabilities in pinned packages:", *faults])
    unknown = f"; the service does not know {skipped}" if skipped else ""
    return 0, f"No known vulnerability in {len(audited)} pinned packages{unknown}."


def main() -> None:
    report = next((found for service in SERVICES if (found := ask_service(service)) is not None), None)
    code, message = verdict(report)
    print(message)
    sys.exit(code)


if __name__ == "__main__":
    main()
