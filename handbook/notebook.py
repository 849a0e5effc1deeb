"""A notebook as a page: its text, its code, and its stored output, which a test compares with a new run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

_TITLE: Final = re.compile('aria-label="Title text \'([^"]+)\'"')
_TO_THE_PAGES: Final = "](../docs/"
"""How a notebook links to the pages from its own folder."""


def page_files(path: Path, name: str) -> dict[str, str]:
    """The files of the page: ``NAME.md``, and a picture for each one that the notebook shows."""
    files: dict[str, str] = {}
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text.replace(_TO_THE_PAGES, "]("))
            continue
        parts.append(f"```python\n{text}\n```")
        parts += [_render_output(output, name, files) for output in cell["outputs"]]
    return {f"{name}.md": "\n\n".join(parts) + "\n", **files}


def _render_output(output: dict[str, Any], name: str, files: dict[str, str]) -> str:
    if output["output_type"] == "stream":
        return _text_output(output["text"])
    data = output["data"]
    if "image/svg+xml" in data:
        drawing, picture = "".join(data["image/svg+xml"]), f"images/{name}-{len(files) + 1}.svg"
        files[picture] = drawing
        return f"![{_title(drawing)}]({picture}){{ .chart }}"
    if "text/markdown" in data:
        return "".join(data["text/markdown"])
    return _text_output(data["text/plain"])


def _text_output(text: list[str] | str) -> str:
    return f"```{{ .text .answer }}\n{''.join(text).rstrip()}\n```"


def _title(drawing: str) -> str:
    """The title of a picture, for readers who cannot see it."""
    title = _TITLE.search(drawing)
    return title[1] if title else "A chart"
