"""What the pages on security and assurances promise: every test that they name is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
PAGES = "security.md", "assurances.md"
PROMISED = [found for page in PAGES for found in NAMED.findall((ROOT / "docs" / page).read_text("utf-8"))]


@cache
def names_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    found = (one.name for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(name for name in found if name.startswith("test_"))


def test_the_page_names_a_test_for_most_of_what_it_says() -> None:
    assert len(PROMISED) > 40


@pytest.mark.parametrize(("file", "test"), PROMISED)
def test_every_test_that_the_page_names_is_there(file: str, test: str) -> None:
    assert (ROOT / file).is_file()
    assert test in names_in(file) if test else names_in(file)
