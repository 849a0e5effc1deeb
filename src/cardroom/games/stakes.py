"""Which chips lie on the layout, and what an answer puts down besides.

Chips hang on the wagers and the answers alone, never on the cards. A game says which ones lie there in its ``chips``,
where its take or pay looks too, so that no rule is stated twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from cardroom.games.actions import Deal, Decide, TakeStep
from cardroom.games.decisions import Decision, Verb
from cardroom.games.round import Round
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn

GIVES_UP: Final = frozenset({Verb.FOLD, Verb.SURRENDER})
"""Answers that end a wager before its cards are compared."""

# Answers that put no chips down, the ones that give up first.
_FREE: Final = (
    Verb.FOLD,
    Verb.SURRENDER,
    Verb.STAND,
    Verb.FIRST_HAND,
    Verb.KEEP,
    Verb.CHOOSE,
    Verb.SET,
)


class Chips(NamedTuple):
    """A stack on the layout."""

    spot: str
    stake: str
    """Which chips of the spot: ``ante``, ``play``."""
    cents: int


def put_down(r: Round, seat: int) -> int:
    """What a seat has on the layout now, in cents."""
    return sum([chips.cents for chips in r.game.chips(r, seat)])


def price(r: Round, decision: Decision) -> int:
    """What this answer of the seat whose turn it is would add to its chips, in cents; one that the seat may not give is
    refused."""
    seat = r.asked.seat
    return put_down(r.apply(Decide(seat, decision)), seat) - put_down(r, seat)


def by_stake(chips: Iterable[Chips]) -> dict[str, int]:
    """The cents of a seat's chips by their stake, in a game whose stakes have names of their own."""
    return {one.stake: one.cents for one in chips}


def as_wagered(r: Round, seat: int, spots: Iterable[str]) -> Iterator[Chips]:
    """The chips of those of these spots that a seat has wagered on and that nothing is added to."""
    made = r.bets[seat]
    for spot in spots:
        if spot in made:
            yield Chips(spot, spot, made[spot])


def chips_at_the_end(r: Round, seat: int) -> tuple[Chips, ...]:
    """The chips of a seat in a game that does not say which ones lie there.

    The round is played to its end with any cards and with answers that cost nothing; what is then taken or paid on are
    the chips that lie there now.
    """
    payments = r.game.payments(_ended_for_free(r))
    return tuple(Chips(one.spot, one.stake, one.wagered) for one in payments if one.seat == seat and one.wagered)


def _ended_for_free(r: Round) -> Round:
    while True:
        match r.turn:
            case ChanceTurn():
                r = r.apply(Deal(r.outcomes()[0][0]))
            case SeatTurn(seat, _, options):
                r = r.apply(Decide(seat, min(options, key=_cost_order)))
            case DealerTurn(step):
                r = r.apply(TakeStep(step))
            case Over():
                return r


def _cost_order(decision: Decision) -> int:
    return _FREE.index(decision.verb) if decision.verb in _FREE else len(_FREE)
