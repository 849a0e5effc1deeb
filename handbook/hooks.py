"""What MkDocs calls while it builds the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from handbook import commands, external_addresses, names, notebook

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "src" / "cardroom" / "web" / "static"
NOTEBOOK: Final = ROOT / "examples" / "three-card-prime.ipynb"
_CELL: Final = re.compile("<td.*?</td>", re.DOTALL)
FONTS: Final = ("fraunces.woff2", "source-sans-3.woff2")
TOP_FOLDER_PAGES: Final = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
"""Pages in the top folder of the repository."""


def decisions() -> list[str]:
    """Every decision in its order, with the path that MkDocs uses."""
    return sorted(f"decisions/{path.name}" for path in (ROOT / "docs" / "decisions").glob("0*.md"))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the decisions to the navigation."""
    _append(config.nav, "Decisions", decisions())
    return config


def _append(entries: Any, title: str, pages: list[str]) -> None:
    for entry in entries:
        for name, children in entry.items() if isinstance(entry, dict) else ():
            if name == title:
                children += pages
            elif isinstance(children, list):
                _append(children, title, pages)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add generated pages, and the fonts, colors, and mark of the card room's own pages."""
    for name, source in TOP_FOLDER_PAGES.items():
        files.append(File.generated(config, name, content=rewrite_links((ROOT / source).read_text("utf-8"))))
    for name, content in notebook.page_files(NOTEBOOK, "notebook").items():
        files.append(File.generated(config, name, content=content))
    for font in FONTS:
        if not (STATIC / "vendor" / font).exists():
            raise PluginError("The fonts are missing: run `make docs`, which installs them.")
        files.append(File.generated(config, f"assets/fonts/{font}", abs_src_path=str(STATIC / "vendor" / font)))
    files.append(File.generated(config, "assets/mark.svg", abs_src_path=str(STATIC / "mark.svg")))
    files.append(File.generated(config, "assets/tokens.css", content=tokens()))
    return files


def rewrite_links(text: str) -> str:
    """A page of the top folder with links that work from the folder of the pages.

    >>> rewrite_links("[odds](docs/odds.md), [why](docs/decisions/), [work](CONTRIBUTING.md)")
    '[odds](odds.md), [why](decisions/README.md), [work](contributing.md)'
    """
    text = text.replace("](docs/decisions/)", "](decisions/README.md)").replace("](docs/", "](")
    for name, source in TOP_FOLDER_PAGES.items():
        text = text.replace(f"]({source}", f"]({name}")
    return text


def tokens() -> str:
    """The colors of the card room's own pages as variables of the theme: light paper, or a dark room."""
    css = (STATIC / "css" / "tokens.css").read_text("utf-8")
    return css.replace("asset:vendor/", "fonts/").replace('[data-theme="paper"]', '[data-md-color-scheme="default"]')


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Insert the help of all commands, give the front page the full width, and rank guides first in the search."""
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation", "toc"]
    if page.file.src_uri.startswith("api/"):
        page.meta["search"] = {"boost": 0.4}
    if page.file.src_uri == "commands.md":
        return commands.insert_help(markdown)
    return markdown


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Refuse a page of the reference that omits a name. In a table's code, remove the backslash before a bar: only the
    repository needs it."""
    missing = names.omitted_names(page.file.src_uri, html)
    if missing:
        raise PluginError(f"{page.file.src_uri} does not describe {', '.join(missing)}.")
    return _CELL.sub(lambda cell: cell[0].replace("\\|", "|"), html)


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a site that would load anything from another host."""
    loads = [f"{file} loads {address}" for file, address in external_addresses.in_site(Path(config.site_dir))]
    if loads:
        raise PluginError(f"Nothing may come from another host: {'; '.join(loads)}.")
