"""No page is forgotten when pictures are taken: whatever can be opened is in a scene."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from cardroom.web.page_routes import router
from tests.screens.documentation import DRAWN, PICTURES, PICTURES_FOLDER
from tests.screens.scene import LETTER
from tests.screens.stories import STORIES

FILES: Final = frozenset(
    {
        "/static/{digest}/{name:path}",
        "/rounds/{id}/record.json",
        "/rounds/{id}/round.json",
        "/office/downloads/ledger.{suffix}",
        "/office/downloads/report/{slug}.{suffix}",
        "/office/jackpots/{jackpot}/slip/{claim:path}",
        "/lab/{slug}/par.{form}",
    }
)
"""What is taken away, and not looked at on a page."""


def opened(part: APIRouter) -> Iterator[APIRoute]:
    """Every address that a browser can open, in the order in which they are tried."""
    for route in part.routes:
        inside = getattr(route, "original_router", None)
        if inside is not None:
            yield from opened(inside)
        elif isinstance(route, APIRoute) and "GET" in route.methods:
            yield route


ROUTES: Final = tuple(opened(router))
SHOWN: Final = {
    next(route.path for route in ROUTES if route.path_regex.match(scene.shows.partition("?")[0]))
    for story in STORIES.values()
    for scene in story.scenes
}
"""The address that answers each scene."""


@pytest.mark.parametrize("path", [route.path for route in ROUTES if route.path not in FILES])
def test_every_page_is_in_a_scene(path: str) -> None:
    assert path in SHOWN, f"Nothing shows {path}: a line in tests/screens would."


def test_what_is_said_to_be_a_file_is_there_and_in_no_scene() -> None:
    assert {route.path for route in ROUTES} >= FILES
    assert not FILES & SHOWN


def test_no_two_scenes_have_one_name() -> None:
    names = [scene.name for story in STORIES.values() for scene in story.scenes]
    assert sorted(set(names)) == sorted(names)


def test_every_picture_of_the_documentation_is_drawn_or_copied_from_a_scene() -> None:
    made = {
        f"{scene.name}-{width}.png"
        for story in STORIES.values()
        for scene in story.scenes
        for width, _ in scene.sizes or (LETTER,)
    }
    shown = {file.name for file in PICTURES_FOLDER.iterdir() if file.suffix in (".png", ".svg")}
    assert shown == set(PICTURES) | DRAWN
    assert set(PICTURES.values()) <= made
