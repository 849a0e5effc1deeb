"""`cardroom jackpot list|show|history`: meters, money, claims, and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandQuery, declare_query
from cardroom.cli.shared.options import JackpotName, LastOption
from cardroom.cli.shared.output import CommandOutput

if TYPE_CHECKING:
    from cardroom.service import CardRoom

PANEL: Final = "Views"
app = typer.Typer()


@declare_query(app, "jackpot list", "jackpot list --json", name="list", panel=PANEL)
def list_jackpots() -> CommandQuery:
    """List all jackpots and tabulators: meters, the money that covers them, pending claims, faults."""
    from cardroom.ledger import system_clock
    from cardroom.service.json_output import card_room_to_json
    from cardroom.terminal.pages.card_room import room_overview

    def read(card_room: CardRoom) -> CommandOutput:
        now = system_clock()
        return CommandOutput(card_room_to_json(card_room, now), room_overview(card_room, now))

    return read


@declare_query(app, "jackpot show final-four", "jackpot show final-four --json", panel=PANEL)
def show(jackpot: JackpotName) -> CommandQuery:
    """Show one jackpot: meters, the money that covers them, pending claims, tables, open malfunction reports."""
    from rich.console import Group
    from rich.text import Text

    from cardroom.ledger import system_clock
    from cardroom.room.site.malfunction_reports import reports_on
    from cardroom.service.json_output import (
        deposit_due_to_json,
        jackpot_to_json,
        malfunction_reports_to_json,
    )
    from cardroom.terminal.pages.equipment import malfunction_reports_page
    from cardroom.terminal.pages.jackpots import jackpot_page

    def read(card_room: CardRoom) -> CommandOutput:
        now = system_clock()
        state = card_room.jackpot(jackpot)
        reports = reports_on(card_room.room().reports, jackpot, state.tables)
        deposit = card_room.jackpots.find_deposit_due(jackpot)
        extra_data = {
            "deposit_due": deposit_due_to_json(deposit),
            "malfunctions": malfunction_reports_to_json(reports, now),
        }
        malfunction_lines = [Text(""), malfunction_reports_page(reports, card_room.calendar, now)] if reports else []
        return CommandOutput(
            {**jackpot_to_json(state), **extra_data}, Group(jackpot_page(state, deposit), *malfunction_lines)
        )

    return read


@declare_query(
    app,
    "jackpot history final-four",
    "jackpot history final-four --rounds --last 200",
    "jackpot history final-four --json",
    "jackpot history table-1",
    panel=PANEL,
)
def history(
    name: Annotated[str, typer.Argument(metavar="JACKPOT|TABLE", help="A jackpot's id or a table's name.")],
    rounds: Annotated[bool, typer.Option("--rounds", help="List each round separately.")] = False,
    last: LastOption = 50,
) -> CommandQuery:
    """List the changes of a jackpot: beginning amount, amount, reason, and user.

    For a table: its setups, changes, tabulator faults, and counter readings. `tabulator history` lists its rounds.
    """
    from dataclasses import asdict
    from functools import partial
    from itertools import islice

    from cardroom.service.chains.names import jackpot_chain, tabulator_chain
    from cardroom.service.queries.chain_history import find_reading, list_newest_first
    from cardroom.service.queries.jackpot_history import list_change_lines, list_tabulator_lines
    from cardroom.terminal.pages.jackpots import history_table

    def read(card_room: CardRoom) -> CommandOutput:
        deposit = None
        if name in card_room.list_tabulators() and name not in card_room.list_jackpots():
            changes, currency = (
                list_tabulator_lines(list_newest_first(card_room.ledger, tabulator_chain(name))),
                card_room.tabulator(name).money,
            )
        else:
            currency = card_room.jackpot(name).money
            deposit = card_room.jackpots.find_deposit_due(name)
            events, readings = (
                list_newest_first(card_room.ledger, jackpot_chain(name)),
                partial(find_reading, card_room.ledger),
            )
            changes = list_change_lines(events, each_round=rounds, readings=readings)
        lines = list(islice(changes, last))
        entries = [{**asdict(line), "money": str(currency)} for line in lines]
        return CommandOutput(entries, history_table(lines, card_room.calendar, deposit, currency))

    return read
