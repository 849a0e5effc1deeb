"""Other libraries that rank poker hands, each by the fastest of its public calls.

Each library gets its own kind of card, made beforehand; only the ranking is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, TypeAlias

from cardroom.cards import Card

Hands: TypeAlias = Sequence[Sequence[Card]]
Loop: TypeAlias = Callable[[], list[Any]]
"""Ranks all hands once."""


@dataclass(frozen=True)
class Peer:
    """Another library that ranks hands."""

    package: str
    prepare: Callable[[Hands], Loop]
    strength: Callable[[Any], int]
    """The strength of a hand by the library; a better hand has a higher number."""

    @property
    def version(self) -> str | None:
        """None if the library is not installed."""
        try:
            return version(self.package)
        except PackageNotFoundError:
            return None


def _phevaluator(hands: Hands) -> Loop:
    """The function for this number of cards, which is faster than the general one; card numbers are the fastest
    input."""
    from phevaluator import Card as Theirs
    from phevaluator import evaluate_5cards, evaluate_7cards

    rank = {5: evaluate_5cards, 7: evaluate_7cards}[len(hands[0])]
    theirs = [[Theirs.to_id(str(card)) for card in hand] for hand in hands]
    return lambda: [rank(*hand) for hand in theirs]


def _eval7(hands: Hands) -> Loop:
    from eval7 import Card as Theirs
    from eval7 import evaluate

    theirs = [[Theirs(str(card)) for card in hand] for hand in hands]
    return lambda: [evaluate(hand) for hand in theirs]


def _treys(hands: Hands) -> Loop:
    """Two cards in the hand, the others on the board."""
    from treys import Card as Theirs
    from treys import Evaluator

    rank = Evaluator().evaluate
    theirs = [[Theirs.new(str(card)) for card in hand] for hand in hands]
    dealt = [(hand[:2], hand[2:]) for hand in theirs]
    return lambda: [rank(hand, board) for hand, board in dealt]


def _pokerkit(hands: Hands) -> Loop:
    """Five cards are looked up; of seven it tries every five."""
    from pokerkit import Card as Theirs
    from pokerkit import StandardHighHand

    theirs = [tuple(Theirs.parse("".join(map(str, hand)))) for hand in hands]
    if len(hands[0]) == 5:
        look_up = StandardHighHand.lookup.get_entry
        return lambda: [look_up(hand) for hand in theirs]
    best = StandardHighHand.from_game
    dealt = [(hand[:2], hand[2:]) for hand in theirs]
    return lambda: [best(hole, board) for hole, board in dealt]


PEERS: Final = (
    Peer("phevaluator", _phevaluator, lambda rank: -int(rank)),
    Peer("eval7", _eval7, int),
    Peer("treys", _treys, lambda rank: -int(rank)),
    Peer("pokerkit", _pokerkit, lambda found: int(getattr(found, "entry", found).index)),
)
