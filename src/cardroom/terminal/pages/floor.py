"""The whole floor on one page: jackpots, tables, promotions."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import Floor
from cardroom.jackpots.setup.jackpot import jackpot_setup_from
from cardroom.terminal.pages.claims import claims_table
from cardroom.terminal.pages.promotions import promotions_sheet, state_entry
from cardroom.terminal.pages.standing import cover, jackpot_entry, meters_table, standing_of, status
from cardroom.terminal.pages.tables import state_entry as table_entry
from cardroom.terminal.pages.tables import tables_table
from cardroom.terminal.palette import QUIET, SLUG, TITLE


def floor_sheet(floor: Floor) -> RenderableType:
    """For people."""
    parts: list[RenderableType] = []
    jackpots = [floor.jackpot(one) for one in floor.jackpots()]
    for state in jackpots:
        standing = standing_of(state)
        name = jackpot_setup_from(state.setup).name
        parts.append(Text.assemble((name, TITLE), "  ", (state.id, SLUG), "  ", status(standing)))
        parts += [meters_table(standing), *cover(standing), Text("")]
        if state.claims:
            parts += [claims_table(state.claims), Text("")]
    if not jackpots:
        parts.append(Text("No jackpot is open: `cardroom jackpot example GAME` shows how to begin.", QUIET))
    parts.append(tables_table([floor.table(one) for one in floor.tables()]))
    promotions = [floor.promotion(one).state for one in floor.promotions()]
    return Group(*parts, *([Text(""), promotions_sheet(promotions)] if promotions else []))


def floor_entry(floor: Floor) -> dict[str, Any]:
    """For programs."""
    return {
        "jackpots": [jackpot_entry(floor.jackpot(one)) for one in floor.jackpots()],
        "tables": [table_entry(floor.table(one)) for one in floor.tables()],
        "promotions": [state_entry(floor.promotion(one).state) for one in floor.promotions()],
    }
