"""The terms of a table besides the setup of its game, and the refusals at a table."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import jurisdiction
from cardroom.games.money import format_cents
from cardroom.games.setup import TableSetup


class WrongPhase(BadInput):
    """An action that is not possible now: out of turn, too late, or a taken seat."""


class NotYourSeat(BadInput):
    """An action that this player may not take."""


class UnknownSeat(BadInput):
    """The table has no such seat."""


class NotEnoughChips(BadInput):
    """The player has too few chips."""


class UnknownRound(BadInput):
    """A round that does not exist or has not ended."""


SECOND_US: Final = 1_000_000
"""One second in microseconds."""
LONGEST_CLOCK: Final = 3_600
"""The longest clock, in seconds."""


class BadPlayTerms(BadInput):
    """Terms under which a table cannot open."""


class DealingMode(StrEnum):
    """Who deals."""

    AUTOMATIC = "automatic"
    """Cardroom deals, from a sealed shuffle; chips are postings in the ledger."""
    LIVE = "live"
    """A dealer, with real cards and real chips."""


class PlayTerms(NamedTuple):
    """The terms that players see before they sit down."""

    mode: DealingMode = DealingMode.AUTOMATIC
    money: Currency = Currency.PLAY
    owner: str = ""
    """The player whose private practice table it is; empty if it is open to all."""
    betting: int = 20
    """Seconds for bets, from the first one; 0 for no clock."""
    deciding: int = 20
    """Seconds for each decision; 0 for no clock."""
    buy_in: int = 200_00
    """The customary buy-in, in cents."""
    silence: int = 300
    """Seconds without a wager after which another player may take the seat at a full table; 0 for never."""
    away: int = 45
    """Seconds that an absent player has to come back after a warning, before the seat is freed; 0 for no warnings."""


CLOCKS: Final = ("betting", "deciding", "silence", "away")
"""The clocks of an automatic table, in seconds."""


def validate_terms(terms: PlayTerms, setup: TableSetup) -> PlayTerms:
    """The terms, if a table may open under them."""
    clocks = {"bets": terms.betting, "a decision": terms.deciding, "silence": terms.silence, "a warning": terms.away}
    for clock_name, seconds in clocks.items():
        if not 0 <= seconds <= LONGEST_CLOCK:
            raise BadPlayTerms(
                f"{seconds} seconds for {clock_name} are not possible: enter 1 to {LONGEST_CLOCK}, or 0 for no clock."
            )
    if terms.buy_in <= 0:
        raise BadPlayTerms(
            f"A customary buy-in of {format_cents(terms.buy_in)} buys nothing: enter an amount above zero."
        )
    law = jurisdiction(setup.jurisdiction)
    if terms.mode is DealingMode.AUTOMATIC and terms.money is Currency.REAL and not law.allows_automatic_tables:
        raise BadPlayTerms(
            f"{law.name} does not allow automatic tables for real money: use play money, or mode live with a dealer."
        )
    if terms.mode is DealingMode.LIVE and terms.money is not Currency.REAL:
        raise BadPlayTerms("A live table has real chips: set it up for real money.")
    if terms.owner and (terms.mode is DealingMode.LIVE or terms.money is not Currency.PLAY):
        raise BadPlayTerms("A private practice table must be automatic and for play money.")
    return terms


def terms_that_stay(terms: PlayTerms) -> tuple[DealingMode, Currency, str]:
    """The terms that an open table keeps."""
    return terms.mode, terms.money, terms.owner


def play_terms_to_mapping(terms: PlayTerms) -> dict[str, str | int]:
    """The terms as the section ``[play]`` of a table's setup file. A live table has no clocks and no buy-in."""
    section: dict[str, str | int] = {"mode": str(terms.mode), "money": str(terms.money)}
    if terms.mode is DealingMode.LIVE:
        return section
    clocks = {name: getattr(terms, name) for name in CLOCKS}
    return section | clocks | {"buy_in": format_cents(terms.buy_in)}
