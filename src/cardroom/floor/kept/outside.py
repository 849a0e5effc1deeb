"""Heads of all chains that are kept outside of the house: carried away, and found again by whoever verifies.

Whoever can rewrite the whole database cannot rewrite what lies elsewhere. What happened since the newest head went out
is not protected by it, so heads go out with every day's close.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.faults import BadInput, quoted
from cardroom.jackpots.room.state import OutsideHeads
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.ledger.export import made_at

PATIENCE: Final = 30.0
"""Seconds that the operator's command may take."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FILES: Final = "heads-*.json"
_NAMED: Final = re.compile(r"heads-(\d{4}-\d\d-\d\d)\b")


class HeadsStayed(BadInput):
    """Heads that could not be carried away."""


class FoundHeads(NamedTuple):
    """Heads that lie in the operator's folder."""

    file: Path
    document: Any
    """None when the file cannot be read."""

    def day(self, calendar: Calendar) -> date | None:
        """The day at whose close they went out, as the file is called, or the day at which they were made."""
        named = _NAMED.match(self.file.name)
        made = made_at(self.document)
        try:
            return date.fromisoformat(named[1]) if named else calendar.day_of(made) if made is not None else None
        except (ValueError, OverflowError):
            return None


class Unreadable(NamedTuple):
    """A folder that cannot be read, and why."""

    folder: str
    why: str


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


def heads_in(folder: Path) -> tuple[FoundHeads, ...]:
    """All heads in a folder. Raises ``OSError`` when it cannot be read, as when a stick was pulled out."""
    return tuple(_found(file) for file in folder.iterdir() if file.match(_FILES))


def _found(file: Path) -> FoundHeads:
    try:
        return FoundHeads(file, json.loads(file.read_text("utf-8")))
    except (OSError, ValueError):
        return FoundHeads(file, None)


def in_their_order(found: Iterable[FoundHeads]) -> list[FoundHeads]:
    """From the oldest to the newest by the time inside them: a file can be called anything."""
    return sorted(found, key=lambda one: (made_at(one.document) or 0, one.file.name))


def fallen_words(heads: FoundHeads, what: str, calendar: Calendar) -> str:
    """Which heads do not stand, and why."""
    day = heads.day(calendar)
    return f"{heads.file}{f', of the day {day}' if day else ''}: {what}"


def file_of(sent: OutsideHeads) -> Path | None:
    """The file that heads were written to; None if a command took them."""
    file = Path(sent.where)
    return file if file.is_absolute() and file.match(f"heads-*-{sent.digest[:8]}.json") else None


class Outside(NamedTuple):
    """The heads outside: where the newest are, and whether all of them still stand."""

    where: str = ""
    """The newest file, or the command that took the last ones; empty when there are none."""
    time: Time | None = None
    """When they were made."""
    checked: bool = False
    """Whether they were held against the books."""
    wrong: tuple[str, ...] = ()
    """What does not fit: a sentence for each file, from the oldest to the newest."""
    missing: str = ""
    """The file that went out last, when it does not lie in its folder any more."""
    unreadable: tuple[Unreadable, ...] = ()
    """The folders that could not be read."""
    files: int = 0
    """How many files there are."""
    known: bool = True
    """Whether the books can still say where heads are kept."""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the books. A folder that cannot be read says nothing."""
        return not self.wrong and not self.missing
