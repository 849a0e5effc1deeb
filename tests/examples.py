"""How many examples are tried of what may be anything: some every day, and all when there is time."""

from __future__ import annotations

from typing import Final

from hypothesis import settings

PATIENT: Final = "patient"
"""The profile under which `make test-long` runs those tests once more."""


def examples(number: int) -> int:
    """So many when there is time, every day a third of them. They are drawn anew each day.

    >>> examples(120) in (40, 120)
    True
    """
    return number if settings.get_current_profile_name() == PATIENT else -(-number // 3)
