"""Which rooms the reference describes, and every name that they offer."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOR_PEOPLE: Final = frozenset({"cli", "terminal", "web"})
"""Commands and pages: programs speak to the server."""
INSIDE: Final = frozenset(
    {
        "documents",
        "enums",
        "extras",
        "folders",
        "heads",
        "kernels",
        "machine_config",
        "plugins",
        "private_files",
        "translation",
    }
)
"""The ground on which the other rooms stand."""
_DIRECTIVE: Final = "::: "


def rooms() -> frozenset[str]:
    """Every room of the house."""
    found = (ROOT / "src" / "cardroom").iterdir()
    return frozenset(one.stem for one in found if (one.is_dir() or one.suffix == ".py") and one.stem[:1].isalpha())


def pages() -> dict[str, list[str]]:
    """The pages of the reference, each with what it describes."""
    return {
        f"api/{path.name}": [
            line.removeprefix(_DIRECTIVE).strip()
            for line in path.read_text("utf-8").splitlines()
            if line.startswith(_DIRECTIVE)
        ]
        for path in sorted((ROOT / "docs" / "api").glob("*.md"))
    }


def modules(described: list[str]) -> list[ModuleType]:
    """What is described and is a module; the rest are names that hide behind a module of the same name."""
    found = []
    for name in described:
        try:
            found.append(import_module(name))
        except ModuleNotFoundError:
            import_module(name.rpartition(".")[0])
    return found


def offered(module: ModuleType) -> tuple[str, ...]:
    """The names that a module offers to others."""
    return tuple(getattr(module, "__all__", ()))


def says_what_it_is(module: ModuleType, name: str) -> bool:
    """Whether a name has words of its own: a docstring, or behind a constant or a type, in the file that makes it."""
    there = getattr(module, name)
    if inspect.isclass(there) or inspect.isroutine(there):
        return bool(inspect.getdoc(there))
    return _words_behind(module, name)


def _words_behind(module: ModuleType, name: str) -> bool:
    body = _source(module)
    for line, following in pairwise([*body, ast.Pass()]):
        if isinstance(line, ast.ImportFrom) and name in [one.name for one in line.names]:
            return _words_behind(import_module(str(line.module)), name)
        if isinstance(line, ast.AnnAssign | ast.Assign) and name in _targets(line):
            return isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
    return False


@cache
def _source(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(module)).body


def _targets(line: ast.AnnAssign | ast.Assign) -> list[str]:
    targets = [line.target] if isinstance(line, ast.AnnAssign) else line.targets
    return [one.id for one in targets if isinstance(one, ast.Name)]


def left_out(page: str, html: str) -> list[str]:
    """Names that a module of this page offers and the page does not describe."""
    return [
        f"{module.__name__}.{name}"
        for module in modules(pages().get(page, []))
        for name in offered(module)
        if f'.{name}"' not in html
    ]
