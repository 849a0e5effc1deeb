"""What a worker counts for the office: the exact edge of a wager under a paytable. Nothing is loaded here but what
counting needs."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.odds import Asked, Odds, answer, questions
from cardroom.odds.pricer import pricer
from cardroom.odds.question import JACKPOT_WAGER_CENTS
from cardroom.odds.result import Setting
from cardroom.reports.paper.numbers import dollars, percent


class Choice(NamedTuple):
    """A wager under a paytable, with the operator's amounts and options."""

    game: str
    wager: str
    paytable: str
    bonuses: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, Setting], ...] = ()


def edge_words(choice: Choice) -> str:
    """The edge in words; counted, or remembered from before."""
    known = pricer(choice.game).settings(choice.wager)[0]
    settings = {name: value for name, value in choice.settings if name in known}
    asked = Asked(choice.game, choice.wager, choice.paytable, settings, bonuses=dict(choice.bonuses))
    return told(answer(questions(asked)[0]))


def told(odds: Odds) -> str:
    """
    >>> from cardroom.odds import Ending
    >>> told(Odds("toss", "heads", "", {}, (Ending("heads", "1 to 1", 1, Fraction(1)), Ending("tails", "", 2, -1))))
    'house edge 33.3333%'
    """
    edge = odds.house_edge
    if edge is None:
        even = odds.break_even_meter
        fair = f", fair when the meter shows {dollars(even, JACKPOT_WAGER_CENTS)}" if even is not None else ""
        return f"fixed prizes give back {percent(odds.fixed_return)}{fair}"
    if odds.standard_error is not None:
        error = Fraction(odds.standard_error) / odds.initial_wager
        return f"house edge {percent(edge)} ± {percent(error)}, simulated"
    return f"house edge {percent(edge)}"
