"""The times of events for people: the card room's own clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def local_time(microseconds: int) -> str:
    """The time of an event on the clock of this place."""
    return f"{(_EPOCH + timedelta(microseconds=microseconds)).astimezone():%Y-%m-%d %H:%M:%S}"
