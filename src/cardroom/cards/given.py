"""Cards as callers give them: cards, their names, or one text.

>>> as_cards("Qh 6d 4c") == as_cards(["Qh", "6d", "4c"]) == as_cards([card("Qh"), card("6d"), "4c"])
True
>>> as_card("Td"), as_card(card("Td"))
(Card('Td'), Card('Td'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from cardroom.cards.card import BadCard, Card, card, cards
from cardroom.faults import passed

CardLike: TypeAlias = Card | str
"""A card, or its name such as ``Td``."""
Cards: TypeAlias = str | Sequence[CardLike]
"""Cards or their names, or one text such as ``Qh 6d 4c``."""


def as_card(given: object) -> Card:
    """The card that was given, or that a name stands for."""
    if isinstance(given, Card):
        return given
    if isinstance(given, str):
        return card(given)
    raise BadCard(f"A card is a Card or its name, such as 'Td'; {passed(given)} is neither.")


def as_cards(given: object) -> tuple[Card, ...]:
    """The cards that were given.

    >>> as_cards(7)
    Traceback (most recent call last):
    ...
    cardroom.cards.card.BadCard: Cards are a text such as 'Qh 6d 4c', or a list of ...; 7 (int) is neither.
    """
    if isinstance(given, str):
        return cards(given)
    if isinstance(given, Iterable) and not isinstance(given, bytes | bytearray):
        return tuple([as_card(one) for one in given])
    raise BadCard(
        f"Cards are a text such as 'Qh 6d 4c', or a list of cards or their names; {passed(given)} is neither."
    )
