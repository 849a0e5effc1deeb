"""A report as PDF, set by typst with the fonts that it brings along; the content is attached to the file."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, Final

import typst

from cardroom.reports.paper.blocks import Block, Document, Grid

ATTACHED: Final = "par.json"
_FORM: Final = files("cardroom.reports.paper") / "par.typ"


def pdf(document: Document) -> bytes:
    """The pages; the same document gives the same bytes."""
    pages = typst.compile(
        _FORM.read_bytes(),
        format="pdf",
        sys_inputs=_inputs(document),
        ignore_system_fonts=True,
        pdf_standards="a-3a",  # archives accept it, readers for the blind too, and it may carry the content along
        timestamp=datetime.fromisoformat(document.prepared).replace(tzinfo=UTC),
    )
    assert isinstance(pages, bytes), "a PDF is one file"
    return pages


def pictures(document: Document, pixels_per_inch: int) -> list[bytes]:
    """The pages as they look on paper, each a PNG."""
    drawn: Any = typst.compile(  # one picture for one page, a list for several
        _FORM.read_bytes(),
        format="png",
        ppi=pixels_per_inch,
        sys_inputs=_inputs(document),
        ignore_system_fonts=True,
    )
    return drawn if isinstance(drawn, list) else [drawn]


def _inputs(document: Document) -> dict[str, str]:
    return {"document": json.dumps(_entry(document)), "sealed": document.sealed, "attached": ATTACHED}


def _entry(document: Document) -> dict[str, Any]:
    names = ("kind", "title", "facts", "prepared", "digest")
    blocks = [_block(block) for block in document.blocks]
    return {**{name: getattr(document, name) for name in names}, "blocks": blocks}


def _block(block: Block) -> dict[str, Any]:
    whole = {"whole": block.whole} if isinstance(block, Grid) else {}
    return {"kind": type(block).__name__.lower(), **asdict(block), **whole}


_STREAM: Final = re.compile(rb"/Type\s*/EmbeddedFile\b.*?\bstream\r?\n(.*?)\r?\nendstream", re.DOTALL)


def attached(content: bytes) -> str | None:
    """The content that a PDF of this program carries; None when there is none. Raises ``ValueError`` when there is
    something that cannot be read."""
    found = _STREAM.search(content)
    if found is None:
        return None
    try:
        return zlib.decompress(found[1]).decode()
    except zlib.error as fault:
        raise ValueError("the attachment is damaged") from fault
