"""What Ante, Play and Raise win or lose in each way to end, read off rounds that the game settles."""

from __future__ import annotations

from functools import cache
from typing import Final

from cardroom.cards import cards
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.deuces_wild.rules import (
    ANTE_PLAY_RAISE,
    FIVE_CARD_FORTUNE,
    FORTUNE_QUESTION,
    PLAY_QUESTION,
    RAISE_QUESTION,
    RULES,
)
from cardroom.games.places import COMMUNITY
from cardroom.odds.settled import SEAT, Settled, example_table, settled

_DEALT: Final = {
    Place(Pile.HAND, SEAT): cards("Ac Kc Qc"),
    Place(Pile.FOURTH, SEAT): cards("Jc"),
    Place(Pile.FIFTH, SEAT): cards("Tc"),
    COMMUNITY: cards("Ad Ah As Kd"),
}
"""Hands that every table pays."""


@cache
def raised() -> Settled:
    """The stakes of a hand that is played to its end."""
    return _ended(Verb.PLAY, Verb.RAISE)


@cache
def folded_after_three() -> Settled:
    return _ended(Verb.FOLD)


@cache
def folded_after_four() -> Settled:
    return _ended(Verb.PLAY, Verb.FOLD)


@cache
def fortune() -> Settled:
    """The one stake of Five Card Fortune."""
    return _settled(FIVE_CARD_FORTUNE, {FORTUNE_QUESTION: Decision(Verb.CHOOSE, (cards("Ac"),))})


def _ended(with_three: Verb, with_four: Verb = Verb.FOLD) -> Settled:
    return _settled(ANTE_PLAY_RAISE, {PLAY_QUESTION: Decision(with_three), RAISE_QUESTION: Decision(with_four)})


def _settled(wager: str, answers: dict[str, Decision]) -> Settled:
    return settled(example_table(RULES.facts.slug), wager, _DEALT, answers)
