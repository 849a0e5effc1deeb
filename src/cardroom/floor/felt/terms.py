"""What an operator decides about a felt besides the set-up of its game."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.setup import TableSetup

SECOND: Final = 1_000_000
"""In microseconds."""
LONGEST: Final = 3_600
"""The longest that a clock can run, in seconds."""


class BadTerms(BadInput):
    """Terms under which no felt can open."""


class Mode(StrEnum):
    """Who deals."""

    AUTOMATIC = "automatic"
    """The house's program, from a sealed shuffle; chips are entries of the ledger."""
    LIVE = "live"
    """A dealer, with real cards and real chips."""


class FeltTerms(NamedTuple):
    """What is announced to those who sit down."""

    mode: Mode = Mode.AUTOMATIC
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


def checked_terms(terms: FeltTerms, setup: TableSetup) -> FeltTerms:
    """The same terms, if a felt may open under them."""
    clocks = {"wagers": terms.betting, "an answer": terms.deciding, "silence": terms.silence, "a call": terms.away}
    for what, seconds in clocks.items():
        if not 0 <= seconds <= LONGEST:
            raise BadTerms(f"{seconds} seconds for {what} are not possible: give 1 to {LONGEST}, or 0 for no clock.")
    if terms.buy_in <= 0:
        raise BadTerms(f"A customary buy-in of {format_cents(terms.buy_in)} buys nothing: give an amount above zero.")
    law = jurisdiction(setup.jurisdiction)
    if terms.mode is Mode.AUTOMATIC and terms.money is Currency.REAL and not law.allows_automatic_tables:
        raise BadTerms(
            f"{law.name}: an automatic table may not deal for the room's own money here. Let it deal for play money, "
            "or let a dealer deal (mode live)."
        )
    if terms.mode is Mode.LIVE and terms.money is not Currency.REAL:
        raise BadTerms("A live table has real chips: it deals for the room's own money.")
    if terms.owner and (terms.mode is Mode.LIVE or terms.money is not Currency.PLAY):
        raise BadTerms("A private practice table is automatic and deals for play money.")
    return terms
