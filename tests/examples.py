"""How much is tried of what may be anything: some of it every day, and all of it when there is time."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import settings

EVERYDAY: Final = "everyday"
"""The profile of `make test`: every run tries the same examples."""
PATIENT: Final = "patient"
"""The profile under which `make test-long` runs those tests once more, with examples that are drawn again."""


def there_is_time() -> bool:
    """Whether these are the tests that may take long."""
    return settings.get_current_profile_name() == PATIENT


def examples(number: int) -> int:
    """So many when there is time, every day a third of them.

    >>> examples(120) in (40, 120)
    True
    """
    return number if there_is_time() else -(-number // 3)


def only_long(*values: Any) -> list[Any]:
    """Parameters that only `make test-long` tries: `make test` has others of their kind."""
    return [pytest.param(value, marks=pytest.mark.long) for value in values]
