"""What happens to a player's account. Amounts are cents."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.accounts import Currency
from cardroom.jackpots.happenings.kind import Happening, declared


@dataclass(frozen=True, slots=True)
class OfAPlayer(Happening):
    """What happens to a player stands on the player's own chain."""

    player: str


@declared("player-admitted")
class PlayerAdmitted(OfAPlayer):
    """A player gets an account. A guest gets play money with it, out of nobody's pocket but the house's."""

    money: Currency
    guest: bool
    cents: int
    who: str
    """Who admitted the player; a guest comes in alone."""


@declared("paid-in")
class PaidIn(OfAPlayer):
    """Money over the counter of the cage, onto the balance: one takes it, another one has seen it."""

    cents: int
    who: str
    second: str
    reference: str


@declared("paid-out")
class PaidOut(OfAPlayer):
    """Money off the balance, over the counter of the cage. One counts it out, another one agrees."""

    cents: int
    who: str
    second: str
    reference: str


@declared("chips-bought")
class ChipsBought(OfAPlayer):
    """Off the balance onto a seat."""

    table: str
    seat: int
    cents: int
    round: int
    """The number of the round that was to come, or was played, at the table."""


@declared("chips-returned")
class ChipsReturned(OfAPlayer):
    """From a seat back to the balance."""

    table: str
    seat: int
    cents: int
    round: int
    gone: bool
    """Whether the seat is free now; wagers of a round that is played keep it."""


@declared("prize-credited")
class PrizeCredited(OfAPlayer):
    """A jackpot's prize that two people have verified."""

    jackpot: str
    claim: str
    seat: int
    cents: int
