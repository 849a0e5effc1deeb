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
from cardroom.terminal.pages.card_room import room_page
from cardroom.terminal.pages.equipment import device_line, token_page
from cardroom.terminal.pages.gaming_tables import lights_page, play_table_line, round_table, table_line
from cardroom.terminal.pages.jackpots import jackpot_table, reconciliation_page
from cardroom.terminal.pages.payments import filed_claim_page, promotion_payment_text

_PAGES: Final[Mapping[type, Callable[[Any], RenderableType]]] = {
    JackpotStanding: jackpot_table,
    TableStanding: table_line,
    FeltStanding: play_table_line,
    LightsReported: lights_page,
    RoundCounted: round_table,
    ClaimMade: filed_claim_page,
    PromotionPaid: promotion_payment_text,
    RoomStanding: room_page,
    AccountReconciled: reconciliation_page,
    DeviceStanding: device_line,
    TokenGiven: token_page,
}


def result_page(result: object) -> RenderableType:
    """The page of an answer that says everything itself."""
    page = _PAGES.get(type(result))
    if page is None:
        raise TypeError(f"{type(result).__name__} has no page of its own.")
    return page(result)
