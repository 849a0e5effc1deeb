"""What the High and Low wagers win or lose in each way to end, read off rounds that the game settles."""

from __future__ import annotations

from functools import cache
from typing import Final

from cardroom.cards import cards
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import divisions
from cardroom.games.three_card_double_play.rules import DOUBLE_QUESTION, RULES, SET_QUESTION
from cardroom.odds.settled import SEAT, Settled, example_table, settled

MAIN: Final = "high-low"

BOTH_WIN, HIGH_WINS_ALONE, DEALER_WINS = range(3)
_EXAMPLES: Final = (
    ("As Ad Ah", "Ks Kd Kh", "2c 4d 7h 9s Jc"),
    ("As Ad Ah", "9s 5d 2h", "Kc Kd 3h 6s 8c"),
    ("Js 9d 5h", "8s 4d 2h", "Ac Kc Qc 7h 7d"),
)
"""The high hand, the low hand, and the dealer's five cards, one of each way to end."""


@cache
def ended(way: int, doubled: bool = False) -> Settled:
    """How both wagers end, with their double-down wagers or without."""
    high, low, dealer = map(cards, _EXAMPLES[way])
    setting = next(one.decision for one in divisions(high + low) if set(one.high.cards) == set(high))
    answers = {SET_QUESTION: setting, DOUBLE_QUESTION: Decision(Verb.DOUBLE if doubled else Verb.STAND)}
    dealt = {Place(Pile.HAND, SEAT): high + low, DEALER_HAND: dealer}
    return settled(example_table(RULES.facts.slug), MAIN, dealt, answers)


@cache
def doubling() -> int:
    """By what doubling multiplies every stake and every result. That it is one number for all of them is what makes
    the best setting the same for a hand that stands and one that is doubled."""
    plain, doubled = ([ended(way, also) for way in range(len(_EXAMPLES))] for also in (False, True))
    times = int(doubled[0].wagered / plain[0].wagered)
    for one, other in zip(plain, doubled, strict=True):
        assert (other.net, other.wagered) == (times * one.net, times * one.wagered)
    return times
