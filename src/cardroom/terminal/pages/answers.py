"""What a command on the books has answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import RenderableType

from cardroom.floor import (
    AccountReconciled,
    ClaimMade,
    DeviceStanding,
    FeltStanding,
    JackpotStanding,
    LightsReported,
    PromotionPaid,
    RoomStanding,
    RoundCounted,
    TableStanding,
    TokenGiven,
)
from cardroom.terminal.pages.claims import claim_made
from cardroom.terminal.pages.devices import device_line, token_page
from cardroom.terminal.pages.felts import felt_line
from cardroom.terminal.pages.promotions import paid_text
from cardroom.terminal.pages.reconciliation import reconciliation_page
from cardroom.terminal.pages.room import room_page
from cardroom.terminal.pages.standing import standing_table
from cardroom.terminal.pages.tables import lights_page, round_table, table_line

_PAGES: Final[Mapping[type, Callable[[Any], RenderableType]]] = {
    JackpotStanding: standing_table,
    TableStanding: table_line,
    FeltStanding: felt_line,
    LightsReported: lights_page,
    RoundCounted: round_table,
    ClaimMade: claim_made,
    PromotionPaid: paid_text,
    RoomStanding: room_page,
    AccountReconciled: reconciliation_page,
    DeviceStanding: device_line,
    TokenGiven: token_page,
}


def answer_page(answer: object) -> RenderableType:
    """The page of an answer that says everything itself."""
    page = _PAGES.get(type(answer))
    if page is None:
        raise TypeError(f"{type(answer).__name__} has no page of its own.")
    return page(answer)
