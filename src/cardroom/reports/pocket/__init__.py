"""Strategies to remember as cards for the pocket."""

from __future__ import annotations

from cardroom.reports.pocket.cards import NoStrategy, PocketCard, card_of, cards_of
from cardroom.reports.pocket.printing import pdf, pictures, print_cards

__all__ = ["NoStrategy", "PocketCard", "card_of", "cards_of", "pdf", "pictures", "print_cards"]
