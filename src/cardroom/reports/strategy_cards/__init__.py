"""Basic strategies as pocket cards."""

from __future__ import annotations

from cardroom.reports.strategy_cards.cards import (
    NoStrategy,
    StrategyCard,
    cards_pages,
    cards_pdf,
    print_cards,
    strategy_card,
    strategy_cards,
)

__all__ = ["NoStrategy", "StrategyCard", "cards_pages", "cards_pdf", "print_cards", "strategy_card", "strategy_cards"]
