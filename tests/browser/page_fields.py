"""What a browser would send of the form of a page, as it came."""

from __future__ import annotations

from html.parser import HTMLParser


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self._select = self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        name, value = said.get("name") or "", said.get("value") or ""
        if tag == "input" and name and (said.get("type") != "checkbox" or "checked" in said):
            self.found[name] = value if said.get("type") != "checkbox" else "on"
        elif tag == "textarea":
            self._area, self.found[name] = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and (self._select not in self.found or "selected" in said):
            self.found[self._select] = value

    def handle_data(self, data: str) -> None:
        if self._area:
            self.found[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""


def read_fields(page: str) -> dict[str, str]:
    """The fields by name; of a choice, what is chosen or else the first."""
    reading = _Fields()
    reading.feed(page)
    return reading.found
