"""Options are named by the commands alone: what the card room says is read on pages too."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import cardroom
from cardroom.cli.shared.output import OPTION_HINTS

ROOMS = ("games", "ledger", "room", "service")
HOME = Path(cardroom.__file__).parent
_OPTION = re.compile(r"(?<![\w-])--[a-z]{2}")


def _sources() -> list[Path]:
    return [path for room in ROOMS for path in (HOME / room).rglob("*.py")]


def _texts(path: Path) -> list[str]:
    """Every text of a module that is no docstring."""
    tree = ast.parse(path.read_text("utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare
    ]


def test_no_sentence_below_the_commands_names_an_option() -> None:
    named = {f"{path.name}: {text}" for path in _sources() for text in _texts(path) if _OPTION.search(text)}
    assert named == set()


def test_every_hint_is_for_a_fault_that_there_is() -> None:
    classes = {
        node.name
        for path in _sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert set(OPTION_HINTS) <= classes
