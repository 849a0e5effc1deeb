"""Why somebody at a felt is refused."""

from __future__ import annotations

from cardroom.errors import BadInput


class NotNow(BadInput):
    """Something that may be right at another moment: out of turn, too late, a seat that is taken."""


class NotYours(BadInput):
    """Something that somebody else may do."""


class NoSuchSeat(BadInput):
    """A seat that the table does not have, and never will."""


class NotEnough(BadInput):
    """More chips than there are."""


class UnknownRound(BadInput):
    """A round that was never played, or has not ended."""
