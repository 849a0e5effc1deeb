"""Every story: all pages of the card room are in one of them."""

from __future__ import annotations

from typing import Final

from tests.screens import dealer, devices, displays, empty, lab, office, office_changes, seats, sign_in
from tests.screens import reports as books
from tests.screens.scene import Story

STORIES: Final[dict[str, Story]] = {
    "empty": empty.STORY,
    "without-users": sign_in.WITHOUT_USERS,
    "first": sign_in.FIRST,
    "sign-in": sign_in.STORY,
    "seats": seats.STORY,
    "books": books.STORY,
    "dealer": dealer.STORY,
    "displays": displays.STORY,
    "lab": lab.STORY,
    "office": office.STORY,
    "office-changes": office_changes.STORY,
    "devices": devices.STORY,
}
