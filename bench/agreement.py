"""Checks that two libraries rank the same hands in the same order; only then is a comparison of their speed fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from bench.peers import Hands
from cardroom.cards import Card, card_from_code, format_cards
from cardroom.hands import FIVE_CARD, HandClass
from cardroom.hands.ranking import SUITED_CATEGORIES


class Disagreement(Exception):
    """Two libraries rank two hands differently."""


def one_of_each() -> list[tuple[Card, ...]]:
    """A hand of every class of five cards, from the weakest to the strongest.

    >>> len(one_of_each())
    7462
    """
    return [_example(one) for one in FIVE_CARD.classes]


def _example(one: HandClass) -> tuple[Card, ...]:
    seen: Counter[int] = Counter()
    codes = []
    for rank in one.ranks:
        codes.append((rank - 2) * 4 + seen[rank])
        seen[rank] += 1
    if len(seen) == 5 and one.category not in SUITED_CATEGORIES:
        codes[-1] += 1  # five clubs would be a flush
    return tuple(map(card_from_code, codes))


def check_order(name: str, hands: Hands, ours: Sequence[int], theirs: Sequence[int]) -> None:
    """Compare the order of every pair of hands, ties included, for any numbers that the two libraries use."""
    mine, other = np.asarray(ours), np.asarray(theirs)
    order = np.lexsort((other, mine))
    # Compare each hand with the next one up; if no such step differs, no pair of hands does.
    differ = np.sign(np.diff(mine[order])) != np.sign(np.diff(other[order]))
    if differ.any():
        at = int(differ.argmax())
        low, high = (format_cards(hands[place]) for place in order[at : at + 2])
        raise Disagreement(f"{name} does not rank {low} and {high} as Cardroom does, so the two cannot be compared.")
