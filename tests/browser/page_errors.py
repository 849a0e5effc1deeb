"""Watches open pages for text that must appear without a reload."""

from __future__ import annotations

from playwright.sync_api import Page, expect


class PageWatch:
    """Texts that open pages must show later, without a reload."""

    def __init__(self) -> None:
        self._watched: list[tuple[Page, str]] = []

    def on(self, page: Page, *words: str) -> None:
        """The page does not say it yet."""
        for text in words:
            expect(page.locator("body")).not_to_contain_text(text)
            self._watched.append((page, text))
        page.evaluate("window.neverLoadedAgain = true")

    def saw(self) -> None:
        """Every page has said it."""
        for page, words in self._watched:
            expect(page.locator("body")).to_contain_text(words, use_inner_text=True)
            assert page.evaluate("window.neverLoadedAgain"), f"{page.url} was loaded again"
        self._watched.clear()
