"""Cards in a line of a book."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.cards import cards


def cards_told(names: Iterable[str]) -> str:
    """
    >>> cards_told(["As", "Kd", "Jk"])
    'A♠ K♦ ★'
    """
    return " ".join(one.pretty for one in cards(names))
