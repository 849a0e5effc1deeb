"""The room's own secret, from which the tokens of players are made.

It is in no event and in no answer. Its seal is an event, so that nobody who has the database in hand can put a secret
of their own in its place, and make tokens with it, unseen.
"""

from __future__ import annotations

import hashlib
from typing import Final

_LABEL: Final = b"cardroom secret 1\x00"


def seal_of_secret(secret: bytes) -> str:
    """What is shown of a secret, and the name under which it is kept.

    >>> seal_of_secret(bytes(32))[:16]
    'f55bf7d64470d8d5'
    """
    return hashlib.sha256(_LABEL + secret).hexdigest()
