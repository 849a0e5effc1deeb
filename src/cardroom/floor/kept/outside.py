"""Heads of all chains that are kept outside of the house: carried away, and found again by whoever verifies.

Whoever can rewrite the whole database cannot rewrite what lies elsewhere. What happened since the newest head went out
is not protected by it, so heads go out with every day's close.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.faults import BadInput, quoted
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.room import RoomSettings

PATIENCE: Final = 30.0
"""Seconds that the operator's command may take."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FILES: Final = "heads-*.json"


class HeadsStayed(BadInput):
    """Heads that could not be carried away."""


class FoundHeads(NamedTuple):
    """Heads that lie in the operator's folder."""

    file: Path
    document: Any
    """None when the file cannot be read."""


def carry_away(settings: RoomSettings, day: date, document: Mapping[str, Any]) -> str:
    """Put the heads into the operator's folder, or give them to the operator's command; where they went."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if settings.heads_folder:
        return _into_folder(folder_of(settings), day, document, text)
    if settings.heads_command:
        return _to_command(settings.heads_command, text)
    raise HeadsStayed(
        "No heads went out, because the room's set-up names neither 'heads_folder' nor 'heads_command': "
        "cardroom room set FILE.toml."
    )


def folder_of(settings: RoomSettings) -> Path:
    """The operator's folder."""
    return Path(settings.heads_folder).expanduser().absolute()


def _into_folder(folder: Path, day: date, document: Mapping[str, Any], text: str) -> str:
    """A new file for every close; none is ever written over."""
    made = _EPOCH + timedelta(microseconds=int(document["time"]))
    path = folder / f"heads-{day}-{made:%Y%m%dT%H%M%SZ}-{str(document['digest'])[:8]}.json"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as fault:
        raise HeadsStayed(
            f"The heads could not be written to {path}: {fault.strerror or fault}. Mend that, then: cardroom day heads."
        ) from None
    return str(path)


def _to_command(command: str, text: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603  # the operator wrote it into the room's set-up, with a second person
            shlex.split(command), input=text, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise _refused(command, f"took more than {PATIENCE:.0f} seconds") from None
    except (OSError, ValueError) as fault:
        raise _refused(command, f"cannot be run: {getattr(fault, 'strerror', None) or fault}") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [""])[-1]
        raise _refused(command, f"ended with exit code {done.returncode}{f': {said}' if said else ''}")
    return command


def _refused(command: str, what: str) -> HeadsStayed:
    return HeadsStayed(
        f"The command {quoted(command)}, which carries heads away, {what}. Mend that, then: cardroom day heads."
    )


def newest_heads(folder: Path) -> FoundHeads | None:
    """The newest heads in the operator's folder; their names are in the order in which they went out."""
    try:
        files = sorted(folder.glob(_FILES), key=lambda one: one.name)
    except OSError:
        return None
    if not files:
        return None
    try:
        return FoundHeads(files[-1], json.loads(files[-1].read_text("utf-8")))
    except (OSError, ValueError):
        return FoundHeads(files[-1], None)


class Outside(NamedTuple):
    """The newest heads outside: where they are, and whether they still stand."""

    where: str = ""
    """The file, or the command that took them; empty when there are none."""
    time: Time | None = None
    """When they were made."""
    checked: bool = False
    """Whether they were held against the books."""
    wrong: tuple[str, ...] = ()
    """What does not fit, in sentences."""
    missing: str = ""
    """The file that went out last, when it does not lie there any more."""
