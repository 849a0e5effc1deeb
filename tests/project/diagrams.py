"""The drawing of the house in ``docs/architecture.md``: read, and drawn anew.

``python -m tests.project.diagrams`` prints it as the source is now, with the words that the document has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.project.imports import DOOR, folders, rooms

DOCUMENT = Path(__file__).parents[2] / "docs" / "architecture.md"
ITSELF = "itself"
"""A folder that asks for what lies in its room outside of all folders."""
_BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)
_LINE = re.compile(r"(?P<indent>(?:  )?)(?P<name>[\w/]+) {2,}(?P<words>\S.*?)(?: +→ (?P<asks>.+))?")


@dataclass(frozen=True)
class Drawn:
    """A line of the drawing: a room, or a folder in one."""

    folder: str
    words: str
    asks: tuple[str, ...]

    @property
    def room(self) -> str:
        return self.folder.partition("/")[0]


def drawn() -> tuple[Drawn, ...]:
    """Every line of the drawing, from the roof down."""
    block = _BLOCK.search(DOCUMENT.read_text("utf-8"))
    assert block, "the document has no drawing"
    return tuple(_read(block[1].splitlines()))


def _read(lines: list[str]) -> Iterator[Drawn]:
    room = ""
    for text in lines:
        found = _LINE.fullmatch(text)
        assert found, f"not a line of the drawing: {text!r}"
        room = room if found["indent"] else found["name"]
        folder = f"{room}/{found['name']}" if found["indent"] else room
        yield Drawn(folder, found["words"], tuple((found["asks"] or "").split()))


def asked_by(folder: str) -> tuple[str, ...]:
    """What the drawing should say after a folder's arrow: other rooms for a room, neighbours for a folder in one."""
    room, *inside = folder.split("/")
    if not inside:
        return tuple(sorted(rooms()[room]))
    own = folders().get(folder, frozenset()) | folders().get(f"{folder}/{DOOR}", frozenset())
    near = {one for one in own if one.partition("/")[0] == room and one not in (folder, f"{folder}/{DOOR}")}
    return tuple(
        sorted(ITSELF if one == room else one.removeprefix(f"{room}/").removesuffix(f"/{DOOR}") for one in near)
    )


def all_folders() -> tuple[str, ...]:
    """Every folder of the house, the rooms among them."""
    inside = {folder.removesuffix(f"/{DOOR}") for folder in folders()}
    return tuple(sorted(inside | set(rooms())))


def anew(words: Mapping[str, str]) -> str:
    """The drawing as the source is now: each room above those that it asks, and so inside each room."""
    lines: list[tuple[str, str]] = []
    for room in _above(rooms()):
        lines.append((room, room))
        near = {one: asked_by(one) for one in all_folders() if one.startswith(f"{room}/")}
        inside = {one: frozenset(f"{room}/{asked}" for asked in asks) for one, asks in near.items()}
        lines += [(f"  {one.removeprefix(f'{room}/')}", one) for one in _above(inside)]
    texts = [(name, words.get(folder, "…"), " ".join(asked_by(folder))) for name, folder in lines]
    name_width = max(len(name) for name, _, _ in texts)
    words_width = max(len(said) for _, said, _ in texts)
    return "\n".join(
        f"{name:<{name_width}}  {said:<{words_width}}  → {asks}" if asks else f"{name:<{name_width}}  {said}"
        for name, said, asks in texts
    )


def _above(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """Those that nobody asks first, then those that only they ask, and so on; by name where it does not matter."""
    left, found = dict(graph), []
    while left:
        free = sorted(one for one in left if not any(one in asked for other, asked in left.items() if other != one))
        assert free, f"folders ask each other in a circle: {sorted(left)}"
        found.append(free[0])
        del left[free[0]]
    return found


if __name__ == "__main__":
    print(anew({line.folder: line.words for line in drawn()}))
