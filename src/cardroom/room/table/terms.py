"""Why somebody at a felt is refused.

What an operator decides about a felt besides the set-up of its game.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.setup import TableSetup


class WrongPhase(BadInput):
    """Something that may be right at another moment: out of turn, too late, a seat that is taken."""


class NotYourSeat(BadInput):
    """Something that somebody else may do."""


class UnknownSeat(BadInput):
    """A seat that the table does not have, and never will."""


class NotEnoughChips(BadInput):
    """More chips than there are."""


class UnknownRound(BadInput):
    """A round that was never played, or has not ended."""


SECOND_US: Final = 1_000_000
"""In microseconds."""
LONGEST_CLOCK: Final = 3_600
"""The longest that a clock can run, in seconds."""


class BadPlayTerms(BadInput):
    """Terms under which no felt can open."""


class DealingMode(StrEnum):
    """Who deals."""

    AUTOMATIC = "automatic"
    """The house's program, from a sealed shuffle; chips are entries of the ledger."""
    LIVE = "live"
    """A dealer, with real cards and real chips."""


class PlayTerms(NamedTuple):
    """What is announced to those who sit down."""

    mode: DealingMode = DealingMode.AUTOMATIC
    money: Currency = Currency.PLAY
    owner: str = ""
    """The player whose private practice table it is; nobody's when it is open to all."""
    betting: int = 20
    """Seconds for wagers, from the first one laid; 0 for no clock."""
    deciding: int = 20
    """Seconds for each answer; 0 for no clock."""
    buy_in: int = 200_00
    """The customary buy-in, in cents."""
    silence: int = 300
    """Seconds without a wager after which a seat goes to somebody who wants it, when no other is free; 0 for never."""
    away: int = 45
    """Seconds that a player has to answer when others wait and the house calls; without an answer the seat is given up.
    0 for never: the house does not call."""


def validate_terms(terms: PlayTerms, setup: TableSetup) -> PlayTerms:
    """The same terms, if a felt may open under them."""
    clocks = {"wagers": terms.betting, "an answer": terms.deciding, "silence": terms.silence, "a call": terms.away}
    for clock_name, seconds in clocks.items():
        if not 0 <= seconds <= LONGEST_CLOCK:
            raise BadPlayTerms(
                f"{seconds} seconds for {clock_name} are not possible: give 1 to {LONGEST_CLOCK}, or 0 for no clock."
            )
    if terms.buy_in <= 0:
        raise BadPlayTerms(
            f"A customary buy-in of {format_cents(terms.buy_in)} buys nothing: give an amount above zero."
        )
    law = jurisdiction(setup.jurisdiction)
    if terms.mode is DealingMode.AUTOMATIC and terms.money is Currency.REAL and not law.allows_automatic_tables:
        raise BadPlayTerms(
            f"{law.name}: an automatic table may not deal for the room's own money here. Let it deal for play money, "
            "or let a dealer deal (mode live)."
        )
    if terms.mode is DealingMode.LIVE and terms.money is not Currency.REAL:
        raise BadPlayTerms("A live table has real chips: it deals for the room's own money.")
    if terms.owner and (terms.mode is DealingMode.LIVE or terms.money is not Currency.PLAY):
        raise BadPlayTerms("A private practice table is automatic and deals for play money.")
    return terms
