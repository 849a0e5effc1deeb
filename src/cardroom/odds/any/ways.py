"""In how many ways cards of which something is known can have been dealt.

>>> from cardroom.cards import Deck, Rank
>>> aces, clubs = (sum(1 << one.code for one in Deck.ONE.kinds() if fits(one))
...     for fits in (lambda one: one.rank is Rank.ACE, lambda one: str(one).endswith("c")))
>>> ways((aces, aces), Deck.ONE), ways((aces, clubs), Deck.ONE), ways((aces, aces), Deck.SIX)
(12, 51, 552)
"""

from __future__ import annotations

from functools import cache
from math import factorial

from cardroom.cards import Deck
from cardroom.odds.any.unturned import Kinds, cards_in, every_card


def known_cards(kinds: tuple[Kinds, ...], deck: Deck) -> tuple[Kinds, ...]:
    """Those of which something is known, in one order. The others can be any that are left, whatever these are."""
    everything = every_card(deck)
    return tuple(sorted(one for one in kinds if one != everything))


@cache
def ways(kinds: tuple[Kinds, ...], deck: Deck) -> int:
    """The number of ordered deals in which each card is one of those that it can be."""
    narrow_first = sorted(kinds, key=lambda one: (one.bit_count(), one))
    total = 1
    for at, wide in enumerate(narrow_first):
        inside = 0
        for narrow in narrow_first[:at]:
            both = wide & narrow
            if both and both != narrow:
                return _when_they_cross(tuple(narrow_first), deck)
            inside += both != 0
        # Each of the narrower ones has taken one of these cards, or none.
        total *= max(_copies(wide, deck) - inside, 0)
    return total


@cache
def _copies(kinds: Kinds, deck: Deck) -> int:
    return sum(deck.copies(one) for one in cards_in(kinds))


@cache
def _when_they_cross(kinds: tuple[Kinds, ...], deck: Deck) -> int:
    """The same where one is known by its rank and another by its suit: all choices, less those in which one card was
    chosen for several. In each group that shares a card with the first, the cards stand for one; the sign alternates
    with the size of the group."""
    if not kinds:
        return 1
    first, others = kinds[0], kinds[1:]
    total = 0
    for chosen in range(1 << len(others)):
        shared, rest, size = first, [], 0
        for at, one in enumerate(others):
            if chosen >> at & 1:
                shared &= one
                size += 1
            else:
                rest.append(one)
        if shared:
            total += (-1) ** size * factorial(size) * _copies(shared, deck) * _when_they_cross(tuple(rest), deck)
    return total
