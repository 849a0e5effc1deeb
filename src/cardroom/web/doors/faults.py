"""What is refused at the door."""

from __future__ import annotations

from typing import Final

from cardroom.faults import BadInput

DAMAGED: Final = "The books of this room need a person: nothing is done until they are verified."
"""What a caller is told of damaged books; the log has the rest."""


class BadLine(BadInput):
    """A way to reach the room that others could listen to, or that cannot be opened."""


class TooOften(BadInput):
    """Somebody who calls more often than anybody has to."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__(sentence)
        self.wait = wait
        """Seconds after which it may be tried again."""
