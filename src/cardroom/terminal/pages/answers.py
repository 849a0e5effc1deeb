"""What a command on the books has answered."""

from __future__ import annotations

from rich.console import RenderableType

from cardroom.floor import ClaimMade, JackpotStanding, PromotionPaid, RoundCounted, TableStanding
from cardroom.terminal.pages.claims import claim_made
from cardroom.terminal.pages.promotions import paid_text
from cardroom.terminal.pages.standing import standing_table
from cardroom.terminal.pages.tables import round_table, table_line


def answer_page(answer: object) -> RenderableType:
    """The page of an answer that says everything itself."""
    match answer:
        case JackpotStanding():
            return standing_table(answer)
        case TableStanding():
            return table_line(answer)
        case RoundCounted():
            return round_table(answer)
        case ClaimMade():
            return claim_made(answer)
        case PromotionPaid():
            return paid_text(answer)
        case _:
            raise TypeError(f"{type(answer).__name__} has no page of its own.")
