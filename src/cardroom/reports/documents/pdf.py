"""Documents as PDF or as page images, typeset by typst with its bundled fonts.

The content is attached to the file.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime, time
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, NamedTuple

from cardroom.extras import require_packages
from cardroom.reports.documents.blocks import Block, Document, Grid
from cardroom.reports.documents.dates import format_day

require_packages("reports", "Printed documents", "typst")


class PdfSource(NamedTuple):
    """The layout and the content of a file, for `compile_pdf` in this process or in another."""

    template: Traversable
    inputs: Mapping[str, str]
    prepared: datetime


def compile_pdf(template: Traversable, inputs: Mapping[str, str], prepared: datetime) -> bytes:
    """The pages as one file; the same inputs give the same bytes. typst keeps what it has typeset in memory: a server
    compiles in a worker process."""
    import typst

    pages = typst.compile(
        template.read_bytes(),
        format="pdf",
        sys_inputs=dict(inputs),
        ignore_system_fonts=True,
        pdf_standards="a-3a",  # suits archives and screen readers, and allows attachments
        timestamp=prepared,
    )
    assert isinstance(pages, bytes), "a PDF is one file"
    return pages


def compile_pages(template: Traversable, inputs: Mapping[str, str], pixels_per_inch: int) -> list[bytes]:
    """The pages as printed, a PNG each."""
    import typst

    images: Any = typst.compile(  # one picture for one page, a list for several
        template.read_bytes(), format="png", ppi=pixels_per_inch, sys_inputs=dict(inputs), ignore_system_fonts=True
    )
    return images if isinstance(images, list) else [images]


ATTACHMENT_NAME: Final = "par.json"
_TEMPLATE: Final = files("cardroom.reports.documents") / "par.typ"


def render_pdf(document: Document) -> bytes:
    """The pages; the same document gives the same bytes."""
    return compile_pdf(_TEMPLATE, _inputs(document), datetime.combine(document.prepared, time(), UTC))


def render_pages(document: Document, pixels_per_inch: int) -> list[bytes]:
    """The pages as printed, a PNG each."""
    return compile_pages(_TEMPLATE, _inputs(document), pixels_per_inch)


def _inputs(document: Document) -> dict[str, str]:
    return {
        "document": json.dumps(_document_json(document)),
        "sealed": document.content_json,
        "attached": ATTACHMENT_NAME,
    }


def _document_json(document: Document) -> dict[str, Any]:
    names = ("kind", "title", "facts", "digest", "stamp")
    texts = {name: getattr(document, name) for name in names} | {"prepared": format_day(document.prepared)}
    return {**texts, "blocks": [_block_json(block) for block in document.blocks]}


def _block_json(block: Block) -> dict[str, Any]:
    page_fit = {"whole": block.fits_one_page} if isinstance(block, Grid) else {}
    return {"kind": type(block).__name__.lower(), **asdict(block), **page_fit}


_STREAM: Final = re.compile(rb"/Type\s*/EmbeddedFile\b.*?\bstream\r?\n(.*?)\nendstream", re.DOTALL)


def extract_attachment(pages: bytes) -> str | None:
    """The content attached to a PDF of this program; None if there is none. Raises ``ValueError`` if the attachment
    cannot be read."""
    match = _STREAM.search(pages)
    if match is None:
        return None
    try:
        # The stream states its own length: its last byte can look like the end of a line.
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(match[1])
    except zlib.error as fault:
        raise ValueError("the attachment is damaged") from fault
    if not unpacking.eof:
        raise ValueError("the attachment is cut off")
    return content.decode()
