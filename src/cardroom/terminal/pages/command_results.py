"""The pages of command results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.console import RenderableType

from cardroom.service import (
    ClaimResult,
    DeviceSummary,
    DeviceTokenResult,
    JackpotSummary,
    LightsResult,
    PromotionPaymentResult,
    ReconciliationResult,
    RoomSummary,
    RoomTableResult,
    RoundCountResult,
    TableResult,
    TabulatorSummary,
)
from cardroom.terminal.pages.card_room import room_page
from cardroom.terminal.pages.equipment import device_line, token_page
from cardroom.terminal.pages.gaming_tables import lights_page, play_table_line, room_table_page, round_table, table_line
from cardroom.terminal.pages.jackpots import jackpot_table, reconciliation_page
from cardroom.terminal.pages.payments import filed_claim_page, promotion_payment_text

_PAGES: Final[Mapping[type, Callable[[Any], RenderableType]]] = {
    JackpotSummary: jackpot_table,
    TabulatorSummary: table_line,
    TableResult: play_table_line,
    RoomTableResult: room_table_page,
    LightsResult: lights_page,
    RoundCountResult: round_table,
    ClaimResult: filed_claim_page,
    PromotionPaymentResult: promotion_payment_text,
    RoomSummary: room_page,
    ReconciliationResult: reconciliation_page,
    DeviceSummary: device_line,
    DeviceTokenResult: token_page,
}


def result_page(result: object) -> RenderableType:
    """The page of a command's result."""
    page = _PAGES.get(type(result))
    if page is None:
        raise TypeError(f"{type(result).__name__} has no page of its own.")
    return page(result)
