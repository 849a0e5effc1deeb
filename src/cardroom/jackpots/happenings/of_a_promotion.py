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


@declared("promotion-ended")
class PromotionEnded(Happening):
    promotion: str
    who: str
    why: str
