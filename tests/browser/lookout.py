"""Somebody who watches an open page and notes when it first says something: the page's own clock tells how late."""

from __future__ import annotations

from statistics import median
from typing import Final

from playwright.sync_api import Page, expect

from cardroom.ledger import Ledger
from tests.browser.visit import SOON

AT_ONCE: Final = 2_000
"""Milliseconds, from the event in the books to the words on the page. A quiet machine needs a fraction of the second
that is promised; here other tests run beside, with browsers of their own."""
_WATCH: Final = """words => {
    const look = () => {
        if (document.body.innerText.includes(words)) window.said[words] ??= Date.now();
    };
    (window.said ??= {})[words] = undefined;
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
    look();
}"""


class Lookout:
    """Watches pages for words that are to come, without a reload."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._watched: list[tuple[Page, str]] = []

    def on(self, page: Page, *words: str) -> None:
        """The page does not say it yet."""
        for one in words:
            expect(page.locator("body")).not_to_contain_text(one)
            page.evaluate(_WATCH, one)
            self._watched.append((page, one))

    def saw(self, chain: str) -> None:
        """Every page has said it soon after the last event of the chain, and most of them at once: one may have to wait
        for its turn where other tests run on the same machine."""
        head = self._ledger.head(chain)
        assert head is not None
        late = []
        for page, words in self._watched:
            expect(page.locator("body")).to_contain_text(words, timeout=SOON, use_inner_text=True)
            late.append(page.evaluate("words => window.said[words]", words) - head.time // 1_000)
        assert max(late) <= SOON, late
        assert median(late) <= AT_ONCE, late
        self._watched.clear()
