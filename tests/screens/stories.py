"""Every story: all pages of the card room are in one of them."""

from __future__ import annotations

from typing import Final

from tests.screens import dealer, devices, displays, empty, lab, office, office_changes, seats
from tests.screens import reports as books
from tests.screens import sign_in as door
from tests.screens.scene import Story

STORIES: Final[dict[str, Story]] = {
    "empty": empty.STORY,
    "nobody": door.NOBODY,
    "first": door.FIRST,
    "door": door.STORY,
    "seats": seats.STORY,
    "books": books.STORY,
    "dealer": dealer.STORY,
    "displays": displays.STORY,
    "lab": lab.STORY,
    "office": office.STORY,
    "office-changes": office_changes.STORY,
    "devices": devices.STORY,
}
