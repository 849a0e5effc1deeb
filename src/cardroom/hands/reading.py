"""One hand at a time, read in Python from the same tables that the kernels read.

To hand a few cards over to a kernel takes longer than to look them up here: the tables are the same, only the numbers
in them are Python's own. Sums are written out, because a loop over the cards takes longer than everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.faults import BadInput, passed
from cardroom.hands.category import SUITED, Category
from cardroom.hands.ranking import HandClass, Ranking
from cardroom.hands.tables import ENOUGH_FOR_A_FLUSH, FOUR_SUITS, SUM_BITS, tables
from cardroom.hands.words import words
from cardroom.kernels import kept_arrays

_SUM = (1 << SUM_BITS) - 1
_ENOUGH = int(ENOUGH_FOR_A_FLUSH)
_TOP_BIT = 8
_CATEGORIES = tuple(Category)


class Known(NamedTuple):
    """The class of a hand, and whether all its cards are of one suit."""

    hand_class: HandClass
    suited: bool


class Reading:
    """The tables of one ranking for a hand at a time."""

    def __init__(self, ranking: Ranking) -> None:
        t = tables(ranking)
        # Thousands of classes are not worked out again by every program that looks at a few hands.
        kept = kept_arrays(f"classes-{ranking.name.replace(' ', '-')}", lambda: _numbered(ranking))
        self._rows_of_classes = kept["classes"]
        self._known: dict[int, Known] = {}
        self._keys: list[int] = t.keys.tolist()
        self._rows: list[int] = t.rows.tolist()
        self._unsuited, self._suited = t.unsuited.data, t.suited.data
        self._start, self._shift, self._mask = int(t.start), int(t.row_shift), int(t.slot_mask)
        self._words: dict[tuple[int, int], str] = {}

    def strength(self, cards: Sequence[Card]) -> int:
        """The strength of the best hand in these cards."""
        k, size = self._keys, len(cards)
        if size == 7:
            a, b, c, d, e, f, g = cards
            total = k[a.code] + k[b.code] + k[c.code] + k[d.code] + k[e.code] + k[f.code] + k[g.code] + self._start
        elif size == 5:
            a, b, c, d, e = cards
            total = k[a.code] + k[b.code] + k[c.code] + k[d.code] + k[e.code] + self._start
        elif size == 3:
            a, b, c = cards
            total = k[a.code] + k[b.code] + k[c.code] + self._start
        else:
            total = sum([k[card.code] for card in cards], self._start)
        ranks = total & _SUM
        best: int = self._unsuited[(ranks ^ self._rows[ranks >> self._shift]) & self._mask]
        return max(best, self._in_one_suit(cards, total)) if total & _ENOUGH else best

    def _in_one_suit(self, cards: Sequence[Card], total: int) -> int:
        """The best hand within one suit, wild cards included."""
        keys = [self._keys[card.code] for card in cards]
        best = 0
        for shift in FOUR_SUITS:
            if total >> shift & _TOP_BIT:
                ranks = sum([key for key in keys if key >> shift & 1]) & _SUM
                best = max(best, self._suited[(ranks ^ self._rows[ranks >> self._shift]) & self._mask])
        return best

    def known(self, strength: int) -> Known:
        """What hands of this strength are."""
        known = self._known.get(strength)
        if known is None:
            category, *ranks = self._rows_of_classes[strength - 1].tolist()
            one = HandClass(_CATEGORIES[category], tuple(ranks))
            known = self._known[strength] = Known(one, one.category in SUITED)
        return known

    def categories(self) -> list[Category]:
        """The category of each strength from 1 up."""
        return [_CATEGORIES[number] for number in self._rows_of_classes[:, 0].tolist()]

    def words(self, strength: int, wild: int) -> str:
        """A hand of this strength in words, with so many wild cards."""
        known = self._words.get((strength, wild))
        if known is None:
            known = self._words[strength, wild] = words(self.known(strength).hand_class, wild)
        return known


def _numbered(ranking: Ranking) -> dict[str, NDArray[Any]]:
    """The classes of a ranking from the lowest up: the number of the category, then the ranks."""
    rows = [(_CATEGORIES.index(one.category), *one.ranks) for one in ranking.classes]
    return {"classes": np.array(rows, np.uint8)}


@cache
def reading(ranking: Ranking) -> Reading:
    """The tables of a ranking; once in a process."""
    if not isinstance(ranking, Ranking):
        raise BadInput(f"A ranking is a Ranking, such as cardroom.hands.FIVE_CARD; {passed(ranking)} is none.")
    return Reading(ranking)
