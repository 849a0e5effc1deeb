"""Pictures of scenes: one window, which is made wider and wider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Error, Page, ViewportSize

from cardroom.errors import BadInput
from tests.browser.users import sign_in_browser
from tests.deadline import LIMIT_MS
from tests.screens.scene import LETTER, SIZES, Scene, Size, Stage, Story
from tests.service.staff import staffed
from tests.web.rooms import ServedRoom

_SETTLED: Final = """wide => new Promise(resolve => {
    const next = window.requestAnimationFrame;
    const look = () => innerWidth === wide ? next(() => next(resolve)) : next(look);
    look();
})"""
"""The page has found its new width and was drawn with it."""
_SIDEWAYS: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def of_story(story: Story, wanted: str, browser: Browser, books: Path, folder: Path, *, whole: bool) -> Iterator[str]:
    """Take them; what is wrong with any of them. Scenes of other names are gone through, for what happens in them."""
    books.mkdir()
    last = max((at for at, scene in enumerate(story.scenes) if wanted in scene.name), default=-1)
    if last < 0:
        return
    with story.opens(books) as room, browser.new_context(reduced_motion="reduce", has_touch=True) as context:
        if story.who:
            sign_in_browser(context, staffed(room.card_room), room.url, story.who)
        for scene in story.scenes[: last + 1]:
            page = context.new_page()
            try:
                yield from _of_scene(scene, room, page, folder if wanted in scene.name else None, whole=whole)
            except (Error, AssertionError, BadInput) as fault:
                yield f"{scene.name} was not reached: {fault}"
            finally:
                page.close()


def _of_scene(scene: Scene, room: ServedRoom, page: Page, folder: Path | None, *, whole: bool) -> Iterator[str]:
    page.set_default_timeout(LIMIT_MS)
    page.set_viewport_size(_wide(scene.sizes[-2] if scene.sizes else SIZES[2]))
    stage = Stage(room, page)
    if scene.reach is None:
        stage.go(scene.shows)
    else:
        scene.reach(stage)
    if not stage.has_asked_for(scene.shows):
        yield f"{scene.name} never asked for {scene.shows}"
    if folder is None:
        return
    if not scene.sizes:
        page.pdf(path=folder / f"{scene.name}.pdf", prefer_css_page_size=True)
        page.emulate_media(media="print")
        page.set_viewport_size(_wide(LETTER))
        page.screenshot(path=folder / f"{scene.name}-{LETTER[0]}.png")
    for size in scene.sizes:
        page.set_viewport_size(_wide(size))
        if scene.part:
            page.locator(scene.part).first.evaluate("part => part.scrollIntoView()")
        page.evaluate(_SETTLED, size[0])
        page.screenshot(path=folder / f"{scene.name}-{size[0]}.png", full_page=whole)
        if (wide := page.evaluate(_SIDEWAYS)) > 0:
            yield f"{scene.name} scrolls sideways by {wide} px at {size[0]}"


def _wide(size: Size) -> ViewportSize:
    return {"width": size[0], "height": size[1]}
