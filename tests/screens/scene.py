"""A scene: a page in one of its states, how it is reached, and on which screens it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, Request
from starlette.routing import compile_path

from cardroom.service import CardRoom
from cardroom.web.middleware.permissions import SESSION_COOKIE
from tests.browser.users import sign_in_browser
from tests.web.rooms import ServedRoom

Size = tuple[int, int]
SIZES: Final[tuple[Size, ...]] = ((360, 640), (768, 1024), (1280, 800), (3840, 2160))
"""A phone, a tablet, a monitor, a wall display."""
TABLETS: Final[tuple[Size, ...]] = ((360, 640), (768, 1024), (1024, 768), (1280, 800), (3840, 2160))
"""A dealer's tablet can also be in landscape orientation."""
SCREENS: Final[tuple[Size, ...]] = ((360, 640), (1920, 1080), (3840, 2160), (1080, 1920))
"""What hangs at a table: also a monitor that stands upright."""
PAPER: Final[tuple[Size, ...]] = ()
"""A page that is looked at in print."""
LETTER: Final[Size] = (816, 1056)
"""The first page of it, as a picture: letter paper at 96 dots an inch."""


@dataclass
class Stage:
    """A room with its doors open, and the window in which it is looked at."""

    room: ServedRoom
    page: Page
    asked: list[str] = field(default_factory=list)
    """The addresses that the window has asked for."""

    def __post_init__(self) -> None:
        self.page.on("request", self._note)

    @property
    def card_room(self) -> CardRoom:
        return self.room.card_room

    def go(self, address: str) -> Page:
        self.page.goto(self.room.url + address)
        return self.page

    def sign_in(self, login: str) -> str:
        """Sign a user in at the window; returns the token of the session."""
        return sign_in_browser(self.page.context, self.card_room, self.room.url, login)

    def sign_out(self) -> None:
        """Sign out at the window."""
        self.page.context.clear_cookies(name=SESSION_COOKIE)

    def has_asked_for(self, address: str) -> bool:
        """Whether the window has asked for an address, whatever stands where it has braces."""
        wanted = compile_path(address.partition("?")[0])[0]
        return any(wanted.fullmatch(path) for path in self.asked)

    def _note(self, request: Request) -> None:
        self.asked.append(unquote(urlsplit(request.url).path))


class Scene(NamedTuple):
    """A page in one of its states."""

    name: str
    shows: str
    """The address of the page, or of the part that is drawn into one. A name in braces is one that the room gives."""
    reach: Callable[[Stage], object] | None = None
    """How the scene is reached, where its address is not enough."""
    sizes: tuple[Size, ...] = SIZES
    part: str = ""
    """The part of the page that is looked at; its top, when none is named."""


class Story(NamedTuple):
    """Scenes of one room, one after the other: what was done in one is done in the next."""

    opens: Callable[[Path], AbstractContextManager[ServedRoom]]
    scenes: tuple[Scene, ...]
    who: str = ""
    """The user who is signed in at the window; empty for none."""
