"""The dealer's console of a live table: a tablet that lies flat beside the rack."""

from cardroom.web.pages.dealer.page import board, router

__all__ = ["board", "router"]
