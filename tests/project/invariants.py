"""The list of invariants in ``docs/auditor.md``.

``python -m tests.project.invariants`` writes it again from the program.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill
from typing import Final

from cardroom.service.verification.invariants import INVARIANTS

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "auditor.md"
WIDTH: Final = 120
_LIST: Final = re.compile(r"(?<=<!-- invariants -->\n).*?(?=<!-- end of invariants -->)", re.DOTALL)


def listed_invariants() -> str:
    """The list as the document has it."""
    found = _LIST.search(DOCUMENT.read_text("utf-8"))
    assert found, "the document has no list of invariants"
    return found[0]


def format_invariants() -> str:
    """The list as it should be."""
    items = (f"- **{each.name}** ({each.between}): {each.sentence}" for each in INVARIANTS)
    return "\n".join(
        ["", *(fill(item, WIDTH, subsequent_indent="  ", break_on_hyphens=False) for item in items), "", ""]
    )


if __name__ == "__main__":
    DOCUMENT.write_text(_LIST.sub(lambda _: format_invariants(), DOCUMENT.read_text("utf-8")), "utf-8")
