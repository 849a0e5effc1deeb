"""Which packages the reference describes, and every public name in them."""

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
"""Commands and pages: programs call the API."""
INTERNAL: Final = frozenset(
    {
        "documents",
        "enums",
        "locale",
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
"""Packages that only other packages use."""
_DIRECTIVE: Final = "::: "


def packages() -> frozenset[str]:
    """Every package and module directly below ``cardroom``."""
    paths = (ROOT / "src" / "cardroom").iterdir()
    return frozenset(path.stem for path in paths if (path.is_dir() or path.suffix == ".py") and path.stem[:1].isalpha())


def packages_beside_core() -> frozenset[str]:
    """The import names of the packages in ``packages/``."""
    return frozenset(path.parent.name for path in (ROOT / "packages").glob("*/src/*/__init__.py"))


def pages() -> dict[str, list[str]]:
    """The pages of the reference, each with the modules and names that it describes."""
    return {
        f"api/{path.name}": [
            line.removeprefix(_DIRECTIVE).strip()
            for line in path.read_text("utf-8").splitlines()
            if line.startswith(_DIRECTIVE)
        ]
        for path in sorted((ROOT / "docs" / "api").glob("*.md"))
    }


def modules(described: list[str]) -> list[ModuleType]:
    """The modules among the described names. The others are names with a module of the same name."""
    imported = []
    for name in described:
        try:
            imported.append(import_module(name))
        except ModuleNotFoundError:
            import_module(name.rpartition(".")[0])
    return imported


def public_names(module: ModuleType) -> tuple[str, ...]:
    """The names in a module's ``__all__``."""
    return tuple(getattr(module, "__all__", ()))


def is_documented(module: ModuleType, name: str) -> bool:
    """Whether a name has a docstring; a constant or a type has it after its definition."""
    value = getattr(module, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        return bool(inspect.getdoc(value))
    return _has_docstring_after(module, name)


def _has_docstring_after(module: ModuleType, name: str) -> bool:
    body = _source(module)
    for line, following in pairwise([*body, ast.Pass()]):
        if isinstance(line, ast.ImportFrom) and name in [alias.name for alias in line.names]:
            return _has_docstring_after(import_module(str(line.module)), name)
        if isinstance(line, ast.AnnAssign | ast.Assign) and name in _targets(line):
            return isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
    return False


@cache
def _source(module: ModuleType) -> list[ast.stmt]:
    return ast.parse(inspect.getsource(module)).body


def _targets(line: ast.AnnAssign | ast.Assign) -> list[str]:
    targets = [line.target] if isinstance(line, ast.AnnAssign) else line.targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def omitted_names(page: str, html: str) -> list[str]:
    """Public names of this page's modules that the page does not describe."""
    return [
        f"{module.__name__}.{name}"
        for module in modules(pages().get(page, []))
        for name in public_names(module)
        if f'.{name}"' not in html
    ]
