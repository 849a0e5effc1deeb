"""The documentation as a site: nothing is left out, nothing comes from elsewhere."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pytest
from handbook import commands, hooks, names, outside
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from cardroom.cli.shared.command_permissions import COMMAND_PERMISSIONS

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
DESCRIBED: Final = [one for page in names.pages().values() for one in page]


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
    made = ["notebook.md", *hooks.BESIDE_THE_FOLDER]
    shown = [*entries(config.nav), *hooks.decisions()]
    assert sorted(shown) == sorted(pages + made)


def test_a_site_that_is_not_whole_is_not_built(config: MkDocsConfig) -> None:
    assert config.strict
    assert config.theme["font"] is False
    kinds = (config.validation.nav.omitted_files, config.validation.links.not_found, config.validation.links.anchors)
    assert set(kinds) == {logging.WARNING}  # strict builds end with one
    (call,) = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "-m mkdocs build" in line]
    assert "--strict" in call
    assert "--quiet" not in call  # warnings that are not heard are not counted


def test_every_room_that_a_program_may_ask_has_a_page_of_the_reference() -> None:
    rooms = {one.split(".")[1] for one in DESCRIBED}
    assert rooms == names.rooms() - names.FOR_PEOPLE - names.INSIDE


def test_every_name_that_the_library_offers_says_what_it_is() -> None:
    modules = names.modules(DESCRIBED)
    assert all(module.__doc__ for module in modules)
    offered = [(module, name) for module in modules for name in names.offered(module)]
    silent = [f"{module.__name__}.{name}" for module, name in offered if not names.says_what_it_is(module, name)]
    assert not silent, silent
    assert len(offered) > 400


def test_a_constant_without_words_would_be_found() -> None:
    card, deck = names.modules(["cardroom.cards.card", "cardroom.cards"])
    assert names.says_what_it_is(deck, "JOKER")
    assert not names.says_what_it_is(card, "SUIT_LETTERS")


def test_whatever_an_offered_class_can_do_says_what_it_does() -> None:
    silent = [
        f"{module.__name__}.{name}.{part}"
        for module in names.modules(DESCRIBED)
        for name in names.offered(module)
        if inspect.isclass(there := getattr(module, name)) and there.__module__.startswith("cardroom.")
        for part, what in vars(there).items()
        if not part.startswith("_")
        and (inspect.isfunction(what) or isinstance(what, property | cached_property | classmethod | staticmethod))
        and not inspect.getdoc(getattr(there, part))
    ]
    assert not silent, "\n".join(silent)


def test_a_name_that_a_page_leaves_out_is_found() -> None:
    described = "".join(f'<h3 id="cardroom.errors.{name}">' for name in ("shorten", "BadInput"))
    assert names.left_out("api/accounts.md", described) == []  # it offers whatever has no underscore
    whole = "".join(f'<h3 id="cardroom.cards.{name}">' for name in names.offered(names.modules(["cardroom.cards"])[0]))
    assert names.left_out("api/cards.md", whole) == []
    assert names.left_out("api/cards.md", whole.replace("cards.Shoe", "cards.Boot")) == ["cardroom.cards.Shoe"]


def test_the_page_of_commands_has_every_command_with_every_option() -> None:
    page = commands.with_help((DOCS / "commands.md").read_text("utf-8"))
    for name in COMMAND_PERMISSIONS:
        heading = f" cardroom {name}\n"
        assert page.count(heading) == 1, name
        section = page.split(heading)[1].split("\n## ")[0].split("\n### ")[0]
        for one in commands.every_command()[name].params:
            assert one.hidden or one.name == "help" or (one.opts[0] in section) or one.param_type_name == "argument"


@pytest.mark.parametrize(
    "page",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css?family=Roboto">',
        '<link rel="preconnect" href="https://fonts.example">',
        '<img alt="" srcset="https://pictures.example/2x.png 2x">',
        "<style>@font-face { src: url(https://fonts.example/a.woff2) }</style>",
        "<p style=\"background: url('http://pictures.example/felt.png')\">",
    ],
)
def test_what_a_page_would_load_from_elsewhere_is_found(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "good.html").write_text('<a href="https://wsgc.wa.gov">the sheets</a><img src="images/seat.png">')
    assert list(outside.of_site(folder)) == []
    (folder / "bad.html").write_text(page)
    assert [where for where, _ in outside.of_site(folder)] == ["bad.html"]


def test_the_looks_load_nothing_from_elsewhere() -> None:
    css = hooks.tokens() + (ROOT / "handbook" / "theme" / "assets" / "site.css").read_text("utf-8")
    assert outside.of_css(css) == []
    for font in hooks.FONTS:
        assert f'url("fonts/{font}")' in css
