"""A guest's token: who it is, and a proof that only the room could have made. Players with a name sign in.

``player.generation.proof``: nothing of it is stored. Whoever has the room's secret can make the same token again, and
tell a false one without asking the books.

>>> tokens = Tokens(bytes(32))
>>> token = tokens.of("guest-1")
>>> tokens.holder(token), tokens.holder(token[:-1] + "?"), tokens.holder("guest-1")
('guest-1', None, None)
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from typing import Final

GENERATION: Final = 1
"""Tokens of an older generation are no longer taken."""
LONGEST: Final = 200
GUEST: Final = "guest-"
REMEMBERED: Final = 10_000
_LABEL: Final = b"cardroom player's token"


class Tokens:
    """Made and checked under the secret of one room."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._holders: dict[str, str] = {}
        """Of tokens that were found to be right lately; a false one is always worked out anew."""

    def of(self, player: str) -> str:
        """The token of a player; always the same one."""
        return f"{player}.{GENERATION}.{self._proof(player)}"

    def holder(self, token: str) -> str | None:
        """The guest whose token it is; None for one that the room has not made."""
        known = self._holders.get(token)
        player = token.split(".", 1)[0]
        if known is not None or len(token) > LONGEST or not player.startswith(GUEST):
            return known
        # Compared whole and in constant time, so that the time of the answer tells nothing of the right proof.
        if not hmac.compare_digest(self.of(player).encode(), token.encode(errors="replace")):
            return None
        if len(self._holders) >= REMEMBERED:
            self._holders.clear()
        self._holders[token] = player
        return player

    def _proof(self, player: str) -> str:
        told = b"\x00".join((_LABEL, player.encode(errors="replace"), str(GENERATION).encode()))
        return urlsafe_b64encode(hmac.digest(self._secret, told, "sha256")).rstrip(b"=").decode()
