"""What Ante and Play win or lose in each way to end, read off rounds that the game settles."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from cardroom.cards import Card, Rank, Suit, cards, of
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.places import DEALER_HAND
from cardroom.games.three_card_prime.rules import PLAY_QUESTION, RULES, lowest_qualifying_strength
from cardroom.hands import THREE_CARD, Category
from cardroom.odds.settled import SEAT, Settled, example_table, settled

MAIN: Final = "ante-play"

UNQUALIFIED, BEATEN, BETTER = range(3)
"""The dealer's hand: below what qualifies; qualifying and not higher than the player's; higher."""

_HIGHEST: Final = {
    Category.MINI_ROYAL: cards("As Ks Qs"),
    Category.STRAIGHT_FLUSH: cards("Ks Qs Js"),
    Category.THREE_OF_A_KIND: cards("As Ad Ah"),
    Category.STRAIGHT: cards("As Kd Qh"),
    Category.FLUSH: cards("As Ks Js"),
    Category.PAIR: cards("As Ad Kh"),
    Category.HIGH_CARD: cards("As Kd Jh"),
}
"""The highest hand of each kind, which beats the lowest one that qualifies."""


class PlayedHand(NamedTuple):
    """How a hand that is played ends."""

    event: str
    """Of the Play wager."""
    ante: Fraction
    """What the Ante wins or loses."""
    both: Settled


@cache
def played(category: Category, dealer: int) -> PlayedHand:
    """A hand of this kind against one of the three parts of the dealer's hands. No hand is higher than a mini-royal, so
    that against a ``BETTER`` one it is told what a copy does; nobody will ever meet it."""
    both = _settled(Verb.PLAY, _HIGHEST[category], _dealers()[dealer])
    return PlayedHand(both.event, both.stakes[0].net, both)


@cache
def folded() -> Settled:
    """A hand that is folded."""
    return _settled(Verb.FOLD, _HIGHEST[Category.HIGH_CARD], _dealers()[BETTER])


def _settled(verb: Verb, player: tuple[Card, ...], dealer: tuple[Card, ...]) -> Settled:
    dealt = {Place(Pile.HAND, SEAT): player, DEALER_HAND: dealer}
    return settled(example_table(RULES.facts.slug), MAIN, dealt, {PLAY_QUESTION: Decision(verb)})


def _dealers() -> tuple[tuple[Card, ...], ...]:
    """The lowest hand of all, the lowest that qualifies, and the highest of all."""
    return _unsuited(1), _unsuited(lowest_qualifying_strength()), cards("Ac Kc Qc")


def _unsuited(strength: int) -> tuple[Card, ...]:
    suits = Suit.CLUBS, Suit.DIAMONDS, Suit.CLUBS
    ranks = THREE_CARD.classes[strength - 1].ranks
    return tuple(of(Rank(rank), suit) for rank, suit in zip(ranks, suits, strict=True))
