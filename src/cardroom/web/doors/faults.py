"""What is refused at the door."""

from __future__ import annotations

import logging
from typing import Final

from cardroom.errors import BadInput
from cardroom.ledger.encryption import RoomKeyError
from cardroom.ledger.errors import KeyUnavailable

log = logging.getLogger(__name__)

DAMAGED: Final = "The books of this room need a person: nothing is done until they are verified."
"""What a caller is told of damaged books; the log has the rest."""


KEY_UNAVAILABLE: Final = "This server cannot use the room's key, so nothing was done. Tell an operator."
"""What a caller reads where the room's key is missing or wrong; the log has the rest."""


def key_unavailable(fault: RoomKeyError) -> KeyUnavailable:
    """The answer in place of a sentence that names the key and its place, which goes to the log."""
    log.error("the room's key cannot be used", extra={"fault": str(fault)})
    return KeyUnavailable(KEY_UNAVAILABLE, str(fault))


class BadLine(BadInput):
    """A way to reach the room that others could listen to, or that cannot be opened."""


class TooOften(BadInput):
    """Somebody who calls more often than anybody has to."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__(sentence)
        self.wait = wait
        """Seconds after which it may be tried again."""
