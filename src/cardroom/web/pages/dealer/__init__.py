"""The dealer's console of a live table, on a tablet beside the rack."""

from cardroom.web.pages.dealer.routes import live_page, router

__all__ = ["live_page", "router"]
