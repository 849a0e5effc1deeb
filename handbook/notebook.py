"""A notebook as a page: its words, its code, and what it answered when it was run last, which the tests run anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

_TITLE: Final = re.compile('aria-label="Title text \'([^"]+)\'"')
_TO_THE_PAGES: Final = "](../docs/"
"""A notebook lies beside the pages, and links to them from there."""


def written(path: Path, name: str) -> dict[str, str]:
    """The files of the page: ``NAME.md``, and a picture for each one that the notebook shows."""
    files: dict[str, str] = {}
    parts = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text.replace(_TO_THE_PAGES, "]("))
            continue
        parts.append(f"```python\n{text}\n```")
        parts += [_shown(output, name, files) for output in cell["outputs"]]
    return {f"{name}.md": "\n\n".join(parts) + "\n", **files}


def _shown(output: dict[str, Any], name: str, files: dict[str, str]) -> str:
    if output["output_type"] == "stream":
        return _answer(output["text"])
    answer = output["data"]
    if "image/svg+xml" in answer:
        drawing, picture = "".join(answer["image/svg+xml"]), f"images/{name}-{len(files) + 1}.svg"
        files[picture] = drawing
        return f"![{_title(drawing)}]({picture}){{ .chart }}"
    if "text/markdown" in answer:
        return "".join(answer["text/markdown"])
    return _answer(answer["text/plain"])


def _answer(text: list[str] | str) -> str:
    return f"```{{ .text .answer }}\n{''.join(text).rstrip()}\n```"


def _title(drawing: str) -> str:
    """What a reader who cannot see the picture is told: the title that stands in it."""
    found = _TITLE.search(drawing)
    return found[1] if found else "A chart"
