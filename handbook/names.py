"""Which rooms the reference describes, and every name that they offer."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
FOR_PEOPLE: Final = frozenset({"cli", "terminal", "web"})
"""Commands and pages: programs speak to the server."""
INSIDE: Final = frozenset({"documents", "kernels", "packages"})
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


def left_out(page: str, html: str) -> list[str]:
    """Names that a module of this page offers and the page does not describe."""
    return [
        f"{module.__name__}.{name}"
        for module in modules(pages().get(page, []))
        for name in offered(module)
        if f'.{name}"' not in html
    ]
