"""What MkDocs calls while it builds the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from handbook import commands, names, notebook, outside

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "src" / "cardroom" / "web" / "static"
NOTEBOOK: Final = ROOT / "examples" / "three-card-prime.ipynb"
_CELL: Final = re.compile("<td.*?</td>", re.DOTALL)
FONTS: Final = ("fraunces.woff2", "source-sans-3.woff2")
BESIDE_THE_FOLDER: Final = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages that lie where everybody looks for them in a repository."""


def decisions() -> list[str]:
    """Every decision in its order, as MkDocs names it."""
    return sorted(f"decisions/{path.name}" for path in (ROOT / "docs" / "decisions").glob("0*.md"))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """A new decision needs no line in the navigation."""
    _append(config.nav, "Decisions", decisions())
    return config


def _append(entries: Any, title: str, more: list[str]) -> None:
    for entry in entries:
        for name, below in entry.items() if isinstance(entry, dict) else ():
            if name == title:
                below += more
            elif isinstance(below, list):
                _append(below, title, more)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pages that are made of something else, and the house's fonts, colours and mark."""
    for name, source in BESIDE_THE_FOLDER.items():
        files.append(File.generated(config, name, content=from_the_pages((ROOT / source).read_text("utf-8"))))
    for name, written in notebook.written(NOTEBOOK, "notebook").items():
        files.append(File.generated(config, name, content=written))
    for font in FONTS:
        if not (STATIC / "vendor" / font).exists():
            raise PluginError("The house's fonts are not here: `make docs` brings them in.")
        files.append(File.generated(config, f"assets/fonts/{font}", abs_src_path=str(STATIC / "vendor" / font)))
    files.append(File.generated(config, "assets/mark.svg", abs_src_path=str(STATIC / "mark.svg")))
    files.append(File.generated(config, "assets/tokens.css", content=tokens()))
    return files


def from_the_pages(text: str) -> str:
    """A page from beside the folder, with links as they go from within it.

    >>> from_the_pages("[odds](docs/odds.md), [why](docs/decisions/), [work](CONTRIBUTING.md)")
    '[odds](odds.md), [why](decisions/README.md), [work](contributing.md)'
    """
    text = text.replace("](docs/decisions/)", "](decisions/README.md)").replace("](docs/", "](")
    for name, source in BESIDE_THE_FOLDER.items():
        text = text.replace(f"]({source}", f"]({name}")
    return text


def tokens() -> str:
    """The colours of the card room's own pages, in the words of the theme: paper by day, the room by night."""
    css = (STATIC / "css" / "tokens.css").read_text("utf-8")
    return css.replace("asset:vendor/", "fonts/").replace('[data-theme="paper"]', '[data-md-color-scheme="default"]')


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """The help of all commands has its page, the front page the whole width; guides are found before names."""
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    if page.file.src_uri.startswith("api/"):
        page.meta["search"] = {"boost": 0.4}
    if page.file.src_uri == "commands.md":
        return commands.with_help(markdown)
    return markdown


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """A page of the reference that leaves out a name is refused. A bar in a table's code is written with a stroke
    before it, as repositories want it, and here without."""
    missing = names.left_out(page.file.src_uri, html)
    if missing:
        raise PluginError(f"{page.file.src_uri} does not describe {', '.join(missing)}.")
    return _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)


def on_post_build(config: MkDocsConfig) -> None:
    """A site that would load anything from elsewhere is no site of this house."""
    found = [f"{where} loads {address}" for where, address in outside.of_site(Path(config.site_dir))]
    if found:
        raise PluginError(f"Nothing may come from another host: {'; '.join(found)}.")
