"""Only the commands name options, because the sentences of the card room also appear on pages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import cardroom
from cardroom.cli.shared.output import OPTION_HINTS

PACKAGES = ("games", "ledger", "room", "service")
HOME = Path(cardroom.__file__).parent
_OPTION = re.compile(r"(?<![\w-])--[a-z]{2}")


def _list_sources() -> list[Path]:
    return [path for package in PACKAGES for path in (HOME / package).rglob("*.py")]


def _read_texts(path: Path) -> list[str]:
    """Return every string of a module that is not a docstring."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    ]


def test_no_sentence_outside_the_commands_names_an_option() -> None:
    sentences = {
        f"{path.name}: {text}" for path in _list_sources() for text in _read_texts(path) if _OPTION.search(text)
    }
    assert sentences == set()


def test_every_hint_is_for_an_exception_that_exists() -> None:
    classes = {
        node.name
        for path in _list_sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert set(OPTION_HINTS) <= classes
