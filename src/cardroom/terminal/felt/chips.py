"""Which chips lie on the layout. What a decision costs is asked of the rules themselves, never stated again here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.games.actions import Deal, Decide, TakeStep
from cardroom.games.decisions import Decision, Verb
from cardroom.games.round import Round
from cardroom.games.turns import ChanceTurn, DealerTurn, Over, SeatTurn

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


@dataclass(frozen=True, slots=True)
class Chips:
    """A stack on the layout."""

    spot: str
    stake: str
    """Which chips of the spot: ``ante``, ``play``."""
    cents: int


def chips_down(round_: Round) -> dict[int, tuple[Chips, ...]]:
    """The chips that each seat has put down so far.

    The round is played to its end with any cards and with answers that cost nothing; what is then taken or paid
    on are the chips that lie there now.
    """
    payments = tuple(round_.game.payments(_ended_for_free(round_)))
    return {
        seat: tuple(Chips(one.spot, one.stake, one.wagered) for one in payments if one.seat == seat and one.wagered)
        for seat in round_.seats
    }


def put_down(round_: Round, seat: int) -> int:
    """What a seat has put down so far, in cents."""
    return sum(chips.cents for chips in chips_down(round_)[seat])


def prices(round_: Round, turn: SeatTurn) -> dict[Verb, int]:
    """What each kind of answer would add to the chips of the seat that is asked, in cents.

    Which cards the answer speaks of makes no difference to its price.
    """
    before = put_down(round_, turn.seat)
    first = {option.verb: option for option in reversed(turn.options)}
    return {
        verb: put_down(round_.apply(Decide(turn.seat, option)), turn.seat) - before for verb, option in first.items()
    }


def _ended_for_free(round_: Round) -> Round:
    while True:
        match round_.turn:
            case ChanceTurn():
                round_ = round_.apply(Deal(round_.outcomes()[0][0]))
            case SeatTurn(seat, _, options):
                round_ = round_.apply(Decide(seat, min(options, key=_cost_order)))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
            case Over():
                return round_


def _cost_order(decision: Decision) -> int:
    return _FREE.index(decision.verb) if decision.verb in _FREE else len(_FREE)
