"""What a built page would load from another host. It must be nothing: laboratories read the site without a network,
and no other host may learn who reads it. A link loads nothing until a reader follows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

_LOADED: Final = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("embed", "src"),
    ("audio", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("track", "src"),
    ("input", "src"),
    ("object", "data"),
    ("link", "href"),
    ("use", "href"),
    ("use", "xlink:href"),
    ("image", "href"),
    ("image", "xlink:href"),
    ("form", "action"),
}
_OUTSIDE: Final = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_IN_CSS: Final = re.compile(r"""(?:url\(\s*|@import\s+)["']?((?:[a-z][a-z0-9+.-]*:)?//[^"')\s;]+)""", re.IGNORECASE)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        for name, value in attrs:
            if (tag, name) in _LOADED and value and _OUTSIDE.match(value):
                self.found.append(value)
            if name == "style" and value:
                self.found += in_css(value)

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.found += in_css(data)


def in_html(text: str) -> list[str]:
    """The addresses on other hosts from which a page loads something.

    >>> in_html('<a href="https://wsgc.wa.gov/">sheets</a> <img src="images/seat.png">')
    []
    >>> in_html('<script src="https://cdn.example/x.js"></script><style>@import "//fonts.example/a.css"</style>')
    ['https://cdn.example/x.js', '//fonts.example/a.css']
    """
    page = _Page()
    page.feed(text)
    return page.found


def in_css(text: str) -> list[str]:
    """The same for a stylesheet.

    >>> in_css('@font-face { src: url("fonts/a.woff2") } body { background: url(https://pictures.example/table.png) }')
    ['https://pictures.example/table.png']
    """
    return _IN_CSS.findall(text)


def in_site(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file of a built site that would load something from another host, with the address."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".html", ".css", ".svg"}:
            text = path.read_text("utf-8")
            for address in in_css(text) if path.suffix == ".css" else in_html(text):
                yield str(path.relative_to(folder)), address
