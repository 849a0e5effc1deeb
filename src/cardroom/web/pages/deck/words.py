"""What a card is called, for those who hear the page."""

from __future__ import annotations

from cardroom.cards import Card, parse_card
from cardroom.games.view import CARD_BACK


def card_words(shown: Card | str | None) -> str:
    """A card in words; the back of one says only that it lies face down.

    >>> card_words("Qh"), card_words("Jk"), card_words("??"), card_words(None)
    ('Queen of hearts', 'Joker', 'face down', 'face down')
    """
    if shown is None or shown == CARD_BACK:
        return "face down"
    one = shown if isinstance(shown, Card) else parse_card(shown)
    return "Joker" if one.is_joker else f"{one.rank.word.capitalize()} of {one.suit.name.lower()}"
