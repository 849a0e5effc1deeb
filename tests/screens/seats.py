"""A guest plays a round at each of the five tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cardroom.web.services.practice_tables import open_demo
from tests.browser.seats import MOST_QUESTIONS, Mouse, decide, take_seat
from tests.screens.scene import Scene, Stage, Story
from tests.web.rooms import GAMES, ServedRoom, serve_room


@contextmanager
def demonstration(folder: Path) -> Iterator[ServedRoom]:
    """The room that `make run` opens."""
    with serve_room(folder) as room:
        open_demo(room.card_room)
        yield room


def of(game: str) -> tuple[Scene, ...]:
    """Before the deal, at the first question, and after the round."""
    table = f"{game}-1"

    def before(stage: Stage) -> None:
        take_seat(Mouse(stage.go("/")), table)

    def asked(stage: Stage) -> None:
        page = stage.go(f"/tables/{table}")
        page.locator('[data-do="deal"]').click()
        page.locator(".choice, .result").first.wait_for()

    def after(stage: Stage) -> None:
        page = stage.go(f"/tables/{table}")
        result = page.locator(".result")
        for _ in range(MOST_QUESTIONS):
            page.locator(".choice, .result").first.wait_for()
            if result.count():
                return
            question = page.locator(".table-page").get_attribute("data-question")
            decide(Mouse(page))
            page.wait_for_function(
                "was => document.querySelector('.table-page').dataset.question !== was", arg=question
            )
        result.wait_for()

    shows = f"/tables/{table}"
    return (
        Scene(f"seat-{game}-before", shows, before),
        Scene(f"seat-{game}-asked", shows, asked),
        Scene(f"seat-{game}-after", shows, after),
    )


def line_lost(stage: Stage) -> None:
    """The line is cut as soon as the page asks for it."""
    stage.page.route_web_socket("**/live**", lambda line: line.close())
    stage.go("/").locator("#lost").wait_for()


STORY: Final = Story(
    demonstration,
    (
        Scene("lobby", "/"),
        Scene("lobby-line-lost", "/", line_lost),
        *(scene for game in GAMES for scene in of(game)),
        Scene("me", "/me"),
    ),
)
