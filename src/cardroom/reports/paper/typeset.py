"""Pages that typst sets from a form and its inputs, with the fonts that it brings along."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from importlib.resources.abc import Traversable
from typing import Any

from cardroom.extras import need

need("reports", "Documents on paper", "typst")

import typst  # noqa: E402 (said before it is loaded)


def as_pdf(form: Traversable, inputs: Mapping[str, str], prepared: datetime) -> bytes:
    """The pages as one file; the same inputs give the same bytes."""
    pages = typst.compile(
        form.read_bytes(),
        format="pdf",
        sys_inputs=dict(inputs),
        ignore_system_fonts=True,
        pdf_standards="a-3a",  # archives accept it, readers for the blind too, and it may carry the content along
        timestamp=prepared,
    )
    assert isinstance(pages, bytes), "a PDF is one file"
    return pages


def as_pictures(form: Traversable, inputs: Mapping[str, str], pixels_per_inch: int) -> list[bytes]:
    """The pages as they look on paper, each a PNG."""
    drawn: Any = typst.compile(  # one picture for one page, a list for several
        form.read_bytes(), format="png", ppi=pixels_per_inch, sys_inputs=dict(inputs), ignore_system_fonts=True
    )
    return drawn if isinstance(drawn, list) else [drawn]
