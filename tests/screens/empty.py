"""A room in which nothing is open yet."""

from __future__ import annotations

from typing import Final

from tests.screens.scene import SCREENS, Scene, Story
from tests.service.staff import OPERATOR
from tests.web.rooms import serve_room

STORY: Final = Story(
    serve_room,
    (
        Scene("empty-lobby", "/"),
        Scene("empty-me", "/me"),
        Scene("empty-dealer", "/dealer"),
        Scene("empty-displays", "/displays"),
        Scene("empty-office", "/office"),
        Scene("empty-office-jackpots", "/office/jackpots"),
        Scene("empty-office-tables", "/office/tables"),
        Scene("empty-office-players", "/office/players"),
        Scene("empty-office-rounds", "/office/rounds"),
        Scene("refused-table", "/tables/nowhere"),
        Scene("refused-round", "/rounds/nowhere.1"),
        Scene("refused-rules", "/rules/old-maid"),
        Scene("refused-lab", "/lab/old-maid"),
        Scene("refused-dealer", "/dealer/nowhere"),
        Scene("refused-display", "/displays/nowhere", sizes=SCREENS),
        Scene("refused-office", "/office/nowhere"),
    ),
    who=OPERATOR,
)
