"""The pinned packages held against the known vulnerabilities: ``python -m tests.project.audit`` (``make audit``).

Who finds one fails. Where the services that know them cannot be reached, one line says that nothing was looked at, and
nothing fails: a machine without a network can still check the house.
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
LONGEST = 60
"""Seconds for one service."""


def asked(service: str, lock: Path = LOCK) -> dict[str, Any] | None:
    """What a service says of the pinned packages; None when it cannot be reached."""
    how = ["--require-hashes", "--disable-pip", "--no-deps", "--progress-spinner", "off", "--format", "json"]
    command = [sys.executable, "-m", "pip_audit", "-r", str(lock), "-s", service, *how]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
        told: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    return told if looked_at(told) else None


def looked_at(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The packages of which the service knew anything. A registry without advisories knows none of them."""
    return [one for one in told["dependencies"] if "skip_reason" not in one]


def verdict(told: Mapping[str, Any] | None) -> tuple[int, str]:
    """The exit code, and what to say."""
    if told is None:
        return 0, "Nothing was audited: the services that know vulnerabilities cannot be reached from here."
    seen, left = looked_at(told), len(told["dependencies"]) - len(looked_at(told))
    faults = [
        f"{one['name']} {one['version']}: {fault['id']}, "
        + (f"mended in {', '.join(fault['fix_versions'])}" if fault["fix_versions"] else "not mended yet")
        for one in seen
        for fault in one["vulns"]
    ]
    if faults:
        return 1, "\n".join(["Known vulnerabilities in pinned packages:", *faults])
    unknown = f"; of {left} the service knew nothing" if left else ""
    return 0, f"No known vulnerability in {len(seen)} pinned packages{unknown}."


def main() -> None:
    told = next((one for service in SERVICES if (one := asked(service)) is not None), None)
    code, words = verdict(told)
    print(words)
    sys.exit(code)


if __name__ == "__main__":
    main()
