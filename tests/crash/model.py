"""A second bookkeeper for a whole card room, who knows the rule sheets and the chart of accounts and nothing of the
program: plain numbers, no clock, no storage. It says for every command whether it is allowed and what is answered.

The hands of a claim are shown by name (``hands``): which cards make which line stands in ``printed``.
"""

from __future__ import annotations

from tests.crash.model_claims import Claims
from tests.crash.model_life import Life
from tests.crash.model_office import Office
from tests.crash.model_promotions import Promotions
from tests.crash.model_room import Answer, Claim, Command, Jackpot, NotAllowed, Room, Table

__all__ = ["Answer", "Claim", "Command", "Jackpot", "Model", "NotAllowed", "Room", "Table"]


class Model(Life, Claims, Office, Promotions):
    """The card room, with a method for every command."""

    def do(self, command: Command) -> Answer:
        """What is answered; raises ``NotAllowed`` for what is refused."""
        return getattr(self, "_" + command["do"].replace("-", "_"))(command)  # type: ignore[no-any-return]
