"""Why a jackpot's money changes. What the players paid in goes down for five reasons and no others."""

from __future__ import annotations

from enum import StrEnum


class Reduction(StrEnum):
    """The five reasons for which a progressive may be reduced (WAC 230-15-685 and -695)."""

    PRIZE_WON = "prize won"
    MALFUNCTION = "correction of a malfunction"
    ABOVE_THE_CAP = "display above the cap"
    NOT_DISPLAYED = "removal of money not displayed, booked as gross receipts"
    SEED_RECOVERED = "recovery of seed money"


class Increase(StrEnum):
    """Why a progressive goes up."""

    SEED = "seed money"
    WAGERS = "wagers counted"
    RESET = "reset"
    PRIZES = "added for prizes beyond the meter"
    MALFUNCTION = "correction of a malfunction"
    PRIZE_REFUSED = "prize refused"
