"""Promotions: what they have paid and what is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import PromotionPaid, PromotionStanding
from cardroom.floor.entries import promotion_stands
from cardroom.jackpots import PromotionState
from cardroom.jackpots.amounts import shown
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.palette import COST, QUIET, SLUG, WON


def promotions_table(standings: Mapping[str, PromotionStanding]) -> RenderableType:
    """The promotions by name, what they have paid and what is left."""
    numbers = [Heading(one, Align.RIGHT) for one in ("Prizes", "Paid", "Prizes left", "Left")]
    rows: list[list[CellText]] = [
        [
            name,
            Text(one.promotion, SLUG),
            f"{one.prizes:,}",
            shown(one.cents),
            f"{one.prizes_left:,}",
            shown(one.cents_left),
            Text.assemble(*money_tag(one.money), ("ended", QUIET) if one.ended else ("announced", WON)),
        ]
        for name, one in standings.items()
    ]
    return Columns([Heading("Promotion"), Heading("Id"), *numbers, Heading("")], rows)


def promotions_sheet(states: Sequence[PromotionState]) -> RenderableType:
    """The promotions with their rules."""
    if not states:
        return Text("No promotion was announced.", QUIET)
    rules = [
        Text.assemble(
            (one.promotion.id, SLUG),
            (f"  {one.promotion.first} to {one.promotion.last}  ", QUIET),
            one.promotion.rules,
            (f"  with written consent: {one.promotion.consent}" if one.promotion.consent else "", QUIET),
        )
        for one in states
    ]
    return Group(promotions_table({one.promotion.name: promotion_stands(one) for one in states}), *rules)


def paid_text(paid: PromotionPaid) -> RenderableType:
    """What was paid for a round."""
    if not paid.seats:
        return Text("Nothing is paid: the promotion has ended, is outside its dates, or its limit is reached.", COST)
    seats = ", ".join(map(str, paid.seats))
    left = f"{paid.standing.prizes_left:,} prizes and {shown(paid.standing.cents_left)} left"
    tag = money_tag(paid.standing.money, before=" of ", after="")
    return Text.assemble((f"Paid {shown(paid.cents)}", WON), *tag, f" to seat {seats}  ", (left, QUIET))
