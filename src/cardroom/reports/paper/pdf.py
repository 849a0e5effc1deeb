"""A report as PDF, set by typst with the fonts that it brings along; the content is attached to the file."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any, Final

from cardroom.reports.paper.blocks import Block, Document, Grid
from cardroom.reports.paper.typeset import as_pdf, as_pictures

ATTACHED: Final = "par.json"
_FORM: Final = files("cardroom.reports.paper") / "par.typ"


def pdf(document: Document) -> bytes:
    """The pages; the same document gives the same bytes."""
    return as_pdf(_FORM, _inputs(document), datetime.fromisoformat(document.prepared).replace(tzinfo=UTC))


def pictures(document: Document, pixels_per_inch: int) -> list[bytes]:
    """The pages as they look on paper, each a PNG."""
    return as_pictures(_FORM, _inputs(document), pixels_per_inch)


def _inputs(document: Document) -> dict[str, str]:
    return {"document": json.dumps(_entry(document)), "sealed": document.sealed, "attached": ATTACHED}


def _entry(document: Document) -> dict[str, Any]:
    names = ("kind", "title", "facts", "prepared", "digest", "stamp")
    blocks = [_block(block) for block in document.blocks]
    return {**{name: getattr(document, name) for name in names}, "blocks": blocks}


def _block(block: Block) -> dict[str, Any]:
    whole = {"whole": block.whole} if isinstance(block, Grid) else {}
    return {"kind": type(block).__name__.lower(), **asdict(block), **whole}


_STREAM: Final = re.compile(rb"/Type\s*/EmbeddedFile\b.*?\bstream\r?\n(.*?)\nendstream", re.DOTALL)


def attached(pages: bytes) -> str | None:
    """The content that a PDF of this program carries; None when there is none. Raises ``ValueError`` when there is
    something that cannot be read."""
    found = _STREAM.search(pages)
    if found is None:
        return None
    try:
        # It knows its own end: the last byte may look like the end of a line.
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(found[1])
    except zlib.error as fault:
        raise ValueError("the attachment is damaged") from fault
    if not unpacking.eof:
        raise ValueError("the attachment is cut off")
    return content.decode()
