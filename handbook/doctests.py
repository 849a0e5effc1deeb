"""Examples in docstrings as code blocks: Markdown would read ``>>>`` as a quotation."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    """A docstring with a fence around each example; an example ends at an empty line.

    >>> fenced("Twice.\\n\\n>>> 1 + 1\\n2\\n\\nNever thrice.")
    'Twice.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nNever thrice.'
    """
    lines: list[str] = []
    inside = False
    for line in [*text.split("\n"), ""]:
        if not inside and line.startswith(">>> "):
            if lines and lines[-1]:
                lines.append("")
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join(lines[:-1] if lines[-1] == "" else lines)


class Doctests(griffe.Extension):
    """The extension that mkdocstrings calls for every object."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
