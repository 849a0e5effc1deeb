"""The translation template: every sentence that players read, collected from the code and the page templates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from babel.messages.frontend import CommandLineInterface

ROOT: Final = Path(__file__).parents[2]
TEMPLATE: Final = ROOT / "src" / "cardroom" / "locale" / "cardroom.pot"


def collect(file: Path) -> None:
    """Write the template. It has no date and no line numbers, so it changes only when a sentence does."""
    options = ["--mapping-file=babel.cfg", "--omit-header", "--no-wrap", "--add-location=file", "--sort-by-file"]
    # A keyword list of our own: the functions of cardroom.translation, and the underscore of the page templates.
    options += ["--no-default-keywords", "--keywords=gettext gettext_noop ngettext:1,2 _"]
    options += ["--add-comments=Translators:", f"--output-file={file}", "src/cardroom"]
    CommandLineInterface().run(["pybabel", "--quiet", "extract", *options])


if __name__ == "__main__":
    TEMPLATE.parent.mkdir(exist_ok=True)
    collect(TEMPLATE)
    sys.exit(0)
