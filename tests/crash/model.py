"""A second bookkeeper for a whole card room, who knows the rule sheets and the chart of accounts and nothing of the
program: plain numbers, no clock, no storage. It says for every deed whether it is allowed and what is answered.

The hands of a claim are told by name (``hands``): which cards make which line stands in ``printed``.
"""

from __future__ import annotations

from tests.crash.model_claims import Claims
from tests.crash.model_life import Life
from tests.crash.model_office import Office
from tests.crash.model_promotions import Promotions
from tests.crash.model_room import Answer, Claim, Deed, Jackpot, NotAllowed, Room, Table

__all__ = ["Answer", "Claim", "Deed", "Jackpot", "Model", "NotAllowed", "Room", "Table"]


class Model(Life, Claims, Office, Promotions):
    """The card room, with a method for every deed."""

    def do(self, deed: Deed) -> Answer:
        """What is answered; raises ``NotAllowed`` for what is refused."""
        return getattr(self, "_" + deed["do"].replace("-", "_"))(deed)  # type: ignore[no-any-return]
