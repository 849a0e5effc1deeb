"""The whole floor on one page: jackpots, tables, promotions, reports of malfunctions."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor import Floor
from cardroom.floor.entries import jackpot_stands
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.jackpot import jackpot_setup_from
from cardroom.terminal.pages.claims import claims_table
from cardroom.terminal.pages.deposits import deposit_line
from cardroom.terminal.pages.malfunctions import reports_page
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.pages.promotions import promotions_sheet
from cardroom.terminal.pages.signs import signs_table
from cardroom.terminal.pages.standing import cover, meters_table, status
from cardroom.terminal.pages.tables import tables_table
from cardroom.terminal.palette import QUIET, SLUG, TITLE


def floor_sheet(floor: Floor, now: Time) -> RenderableType:
    """Everything that stands on the floor."""
    parts: list[RenderableType] = []
    jackpots = [floor.jackpot(one) for one in floor.jackpots()]
    for state in jackpots:
        standing = jackpot_stands(state)
        name = jackpot_setup_from(state.setup).name
        tag = money_tag(state.money)
        parts.append(Text.assemble((name, TITLE), "  ", (state.id, SLUG), "  ", *tag, status(standing)))
        due = deposit_line(floor.deposit_due(state.id))
        parts += [meters_table(standing), *cover(standing), *due, Text("")]
        if state.claims:
            parts += [claims_table(state.claims), Text("")]
    if not jackpots:
        parts.append(Text("No jackpot is open: `cardroom jackpot example GAME` shows how to begin.", QUIET))
    parts.append(
        tables_table([floor.table(one) for one in floor.tables()], [one.id for one in jackpots if one.removed])
    )
    promotions = [floor.promotion(one).state for one in floor.promotions()]
    if promotions:
        parts += [Text(""), promotions_sheet(promotions)]
    if reports := floor.room().reports:
        parts += [Text(""), reports_page(reports, floor.calendar, now)]
    signs = [one for one in floor.signs() if one.is_out_of_the_ordinary]
    if signs:
        parts += [
            Text(""),
            signs_table(signs, "Signs that somebody changes, where a jackpot is not open for play:"),
        ]
    return Group(*parts)
