"""What happens to a promotion."""

from __future__ import annotations

from datetime import date

from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.happenings.won import WonInARound
from cardroom.jackpots.plain import Plain


@declared("promotion-begun")
class PromotionBegun(Happening):
    promotion: Plain
    """As ``promotion_entry`` writes it."""
    who: str


@declared("promotion-prize-paid")
class PromotionPrizePaid(WonInARound):
    promotion: str
    event: str
    cents: int
    seat: int
    words: str
    when: date
    hand: str = ""
    """What the hand is known by for ever: the cards that make it, whatever round it is said to be of (BJ-41)."""
    dealer_pays: int | None = None
    """What the dealer could pay alone then, in cents; more was paid by two people. None at an automatic table."""
    second: str = ""
    again: str = ""
    """Why the very same cards were believed a second time (BJ-42)."""
    known: bool = False
    """Whether this hand is one of those; beside it the same round may have paid others."""
    automatic: bool = False
    """Whether an automatic table paid it with the round that it had dealt (BJ-52)."""


@declared("promotion-ended")
class PromotionEnded(Happening):
    promotion: str
    who: str
    why: str
