"""Every word of the code in the glossary is where the glossary says, and every word of the glossary is in use."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

from tests.project.vocabulary import ROOT, project_files

PAGE: Final = (ROOT / "docs" / "glossary.md").read_text("utf-8")


def rows(heading: str) -> list[list[str]]:
    """The rows of a table: the cells after the heading row."""
    section = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    table = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return table[1:]


TRADE: Final = rows("Words of the card room")
CODE: Final = rows("Words of the code")


def named(path: str) -> Any:
    """The module, class, or function of a dotted name."""
    module, _, name = path.rpartition(".")
    owner = import_module(module)
    if hasattr(owner, name):
        return getattr(owner, name)
    return import_module(path)


@pytest.mark.parametrize(
    ("word", "place"), [(row[0], place) for row in CODE for place in re.findall(r"`([^`]+)`", row[2])]
)
def test_a_word_of_the_code_is_where_the_glossary_says(word: str, place: str) -> None:
    assert named(place) is not None, word


def test_a_place_that_does_not_exist_is_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        named("cardroom.ledger.Legder")


def test_every_word_has_one_sentence_and_is_listed_once_in_the_order_of_the_alphabet() -> None:
    for table in (TRADE, CODE):
        words = [row[0].lower() for row in table]
        assert words == sorted(set(words))
        assert all(row[1].endswith(".") and ". " not in row[1] for row in table)
    assert all(len(row) == 3 and row[2].startswith("`cardroom.") for row in CODE)
    assert len(TRADE) > 50
    assert len(CODE) > 40


@pytest.mark.parametrize("word", sorted({row[0] for row in TRADE + CODE}))
def test_every_word_is_in_use(word: str) -> None:
    spelled = re.compile(re.escape(word).replace(r"\ ", "[ _-]?"), re.IGNORECASE)
    texts = (
        ROOT / file for file in project_files() if file.startswith(("src/", "docs/")) and file != "docs/glossary.md"
    )
    assert any(
        spelled.search(path.read_text("utf-8")) for path in texts if path.suffix in {".py", ".md", ".html", ".toml"}
    )


def test_the_glossary_is_a_page_of_the_reference() -> None:
    assert "glossary.md" in Path(ROOT, "mkdocs.yml").read_text("utf-8")
