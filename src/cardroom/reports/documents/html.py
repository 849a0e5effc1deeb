"""A report as one self-contained HTML file, with style, drawings, and content."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Final, assert_never

from cardroom.reports.documents import blocks
from cardroom.reports.documents.blocks import DIGEST, Block, Document, Grid, GridColumn
from cardroom.reports.documents.dates import format_day

_STYLE: Final = files("cardroom.reports.documents") / "par.css"
_CONTENT_START: Final = '<script type="application/json" id="par-content">'
_CONTENT_END: Final = "</script>"
_GENERATOR_TAG: Final = '<meta name="generator" content="Cardroom">'
SHORT_NAME_LENGTH: Final = 10
"""The most letters of a name in a narrow column."""


def render_html(document: Document) -> str:
    """The page; the same document gives the same text."""
    title = f"{document.kind}: {document.title}"
    style = _STYLE.read_text("utf-8").replace("DIGEST", document.digest).replace("FOOT", _foot(document))
    # The text of a script must not contain its end tag.
    content_json = document.content_json.replace("<", "\\u003c")
    body = "\n".join(_block(block) for block in document.blocks)
    stamp = f'<p class="stamp">{escape(document.stamp)}</p>\n' if document.stamp else ""
    facts = "\n".join(f"<dt>{escape(name)}</dt><dd>{_fact(name, value)}</dd>" for name, value in document.facts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{_GENERATOR_TAG}
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
{stamp}<header>
<p class="kind">{escape(document.kind)}</p>
<h1>{escape(document.title)}</h1>
<dl class="facts">
{facts}
</dl>
</header>
<main>
{body}
</main>
<footer>
<p>{escape(title)}, {format_day(document.prepared)}</p>
<p class="digest">SHA-256 of the content: {escape(document.digest)}</p>
</footer>
{_CONTENT_START}{content_json}{_CONTENT_END}
</body>
</html>
"""


def _foot(document: Document) -> str:
    """The footer of every printed page, as a CSS string."""
    text = f"{document.kind} of {document.title}, prepared {format_day(document.prepared)}"
    return text.replace("\\", "\\\\").replace('"', '\\"')


def extract_content(page: str) -> str | None:
    """The content inside a page of this program; None for another page. Raises ``ValueError`` if a page of this program
    has lost its content."""
    _, opening, rest = page.partition(_CONTENT_START)
    content, closing, _ = rest.partition(_CONTENT_END)
    if opening and closing:
        return content
    if _GENERATOR_TAG in page:
        raise ValueError("the content is cut off")
    return None


def _block(block: Block) -> str:
    match block:
        case blocks.Heading(level, text, new_page):
            turned = ' class="new-page"' if new_page else ""
            return f"<h{level + 1}{turned}>{escape(text)}</h{level + 1}>"
        case blocks.Paragraph(text, quiet):
            tone = ' class="quiet"' if quiet else ""
            return f"<p{tone}>{_inline_html(text)}</p>"
        case blocks.Items(items, numbered):
            kind = "ol" if numbered else "ul"
            return f"<{kind}>{''.join(f'<li>{_inline_html(item)}</li>' for item in items)}</{kind}>"
        case blocks.Terms(rows):
            short = ' class="short"' if max(len(name) for name, _ in rows) < SHORT_NAME_LENGTH else ""
            definitions = "".join(
                f"<dt>{_inline_html(name)}</dt><dd>{_inline_html(meaning)}</dd>" for name, meaning in rows
            )
            return f"<dl{short}>{definitions}</dl>"
        case Grid():
            return _grid(block)
        case blocks.Picture(svg, words):
            return f'<figure role="img" aria-label="{escape(words)}">{_inline_svg(svg)}</figure>'
        case blocks.Signatures(statement, roles):
            return f'<div class="signing"><p>{escape(statement)}</p>{"".join(map(_signature, roles))}</div>'
        case _:
            assert_never(block)


def _grid(grid: Grid) -> str:
    kinds = [_class(column) for column in grid.columns]
    titles = [column.title for column in grid.columns]
    head = "".join(f'<th scope="col"{kind}>{escape(title)}</th>' for title, kind in zip(titles, kinds, strict=True))
    rows = [_row(row, kinds) for row in grid.rows]
    foot = f"<tfoot>{rows.pop()}</tfoot>" if grid.total else ""
    # A wide table scrolls sideways on a small screen.
    together = " whole" if grid.fits_one_page else ""
    return (
        f'<div class="grid{together}"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{''.join(rows)}</tbody>{foot}</table></div>"
    )


def _row(cells: Iterable[str], kinds: Iterable[str]) -> str:
    return (
        "<tr>"
        + "".join(f"<td{kind}>{_inline_html(cell)}</td>" for cell, kind in zip(cells, kinds, strict=True))
        + "</tr>\n"
    )


def _class(column: GridColumn) -> str:
    names = [name for name, applies in (("number", column.numeric), ("wide", column.wide)) if applies]
    return f' class="{" ".join(names)}"' if names else ""


def _signature(role: str) -> str:
    return (
        f'<div class="signature"><span class="role">{escape(role)}</span>'
        '<span class="line">Name, title and signature</span><span class="line">Date</span></div>'
    )


def _fact(name: str, value: str) -> str:
    return f"<code>{escape(value)}</code>" if name == DIGEST else _inline_html(value)


def _inline_html(text: str) -> str:
    """Words in backticks are names."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _inline_svg(svg: str) -> str:
    """A drawing inside a page needs no XML declaration."""
    return re.sub(r'\s(?:xmlns(?::\w+)?|version)="[^"]*"', "", svg, count=3)
