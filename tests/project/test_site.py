"""The documentation as a site is complete and loads nothing from other hosts."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pytest
from handbook import commands, external_addresses, hooks, names
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from cardroom.cli.shared.command_permissions import COMMAND_PERMISSIONS

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
DESCRIBED: Final = [name for page in names.pages().values() for name in page]


@pytest.fixture(scope="module")
def config() -> MkDocsConfig:
    return load_config(str(ROOT / "mkdocs.yml"))


def entries(nav: Any) -> Iterator[str]:
    """Every page of the navigation."""
    if isinstance(nav, str):
        yield nav
    for entry in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from entries(entry)


def test_every_page_is_in_the_navigation_once_and_every_entry_is_a_page(config: MkDocsConfig) -> None:
    pages = [str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")]
    generated = ["notebook.md", *hooks.TOP_FOLDER_PAGES]
    listed = [*entries(config.nav), *hooks.decisions()]
    assert sorted(listed) == sorted(pages + generated)


def test_an_incomplete_site_is_not_built(config: MkDocsConfig) -> None:
    assert config.strict
    assert config.theme["font"] is False
    kinds = (config.validation.nav.omitted_files, config.validation.links.not_found, config.validation.links.anchors)
    assert set(kinds) == {logging.WARNING}  # strict builds end with one
    (call,) = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "-m mkdocs build" in line]
    assert "--strict" in call
    assert "--quiet" not in call  # --strict does not count hidden warnings


def test_every_public_package_has_a_page_of_the_reference() -> None:
    described = {name for name in DESCRIBED if not name.startswith("cardroom.")}
    assert described == names.packages_beside_core()
    packages = {name.split(".")[1] for name in DESCRIBED if name not in described}
    assert packages == (names.packages() - names.FOR_PEOPLE) - names.INTERNAL


def test_every_public_name_is_documented() -> None:
    modules = names.modules(DESCRIBED)
    assert all(module.__doc__ for module in modules)
    public = [(module, name) for module in modules for name in names.public_names(module)]
    undocumented = [f"{module.__name__}.{name}" for module, name in public if not names.is_documented(module, name)]
    assert not undocumented, undocumented
    assert len(public) > 400


def test_an_undocumented_constant_is_found() -> None:
    card, deck = names.modules(["cardroom.cards.card", "cardroom.cards"])
    assert names.is_documented(deck, "JOKER")
    assert not names.is_documented(card, "SUIT_LETTERS")


def test_every_public_method_is_documented() -> None:
    undocumented = [
        f"{module.__name__}.{name}.{part}"
        for module in names.modules(DESCRIBED)
        for name in names.public_names(module)
        if inspect.isclass(cls := getattr(module, name)) and cls.__module__.startswith("cardroom")
        for part, value in vars(cls).items()
        if not part.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property | cached_property | classmethod | staticmethod))
        and not inspect.getdoc(getattr(cls, part))
    ]
    assert not undocumented, "\n".join(undocumented)


def test_a_name_that_a_page_omits_is_found() -> None:
    described = "".join(f'<h3 id="cardroom.errors.{name}">' for name in ("shorten", "BadInput"))
    assert names.omitted_names("api/chart_of_accounts.md", described) == []  # it has no __all__
    (cards,) = names.modules(["cardroom.cards"])
    complete = "".join(f'<h3 id="cardroom.cards.{name}">' for name in names.public_names(cards))
    assert names.omitted_names("api/cards.md", complete) == []
    assert names.omitted_names("api/cards.md", complete.replace("cards.Shoe", "cards.Boot")) == ["cardroom.cards.Shoe"]


def test_the_page_of_commands_has_every_command_with_every_option() -> None:
    page = commands.insert_help((DOCS / "commands.md").read_text("utf-8"))
    for name in COMMAND_PERMISSIONS:
        heading = f" cardroom {name}\n"
        assert page.count(heading) == 1, name
        section = page.split(heading)[1].split("\n## ")[0].split("\n### ")[0]
        for param in commands.every_command()[name].params:
            is_listed = param.opts[0] in section or param.param_type_name == "argument"
            assert is_listed or param.hidden or param.name == "help", (name, param.name)


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css?family=Roboto">',
        '<link rel="preconnect" href="https://fonts.example">',
        '<img alt="" srcset="https://pictures.example/2x.png 2x">',
        "<style>@font-face { src: url(https://fonts.example/a.woff2) }</style>",
        "<p style=\"background: url('http://pictures.example/table.png')\">",
    ],
)
def test_an_address_on_another_host_is_found(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "good.html").write_text('<a href="https://wsgc.wa.gov">the sheets</a><img src="images/seat.png">')
    assert list(external_addresses.in_site(folder)) == []
    (folder / "bad.html").write_text(page)
    assert [file for file, _ in external_addresses.in_site(folder)] == ["bad.html"]


def test_the_styles_load_nothing_from_other_hosts() -> None:
    css = hooks.tokens() + (ROOT / "handbook" / "theme" / "assets" / "site.css").read_text("utf-8")
    assert external_addresses.in_css(css) == []
    for font in hooks.FONTS:
        assert f'url("fonts/{font}")' in css
