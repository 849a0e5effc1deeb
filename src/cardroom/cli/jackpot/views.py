"""Looking: where everything stands, what displays say, what happened, and the heads of the chains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.ledger_commands import CommandQuery, declare_query
from cardroom.cli.shared.options import ByLogin, Database, LedgerAsJson, TableName, WholeNumber, examples
from cardroom.cli.shared.output import CommandOutput, print_json

if TYPE_CHECKING:
    from cardroom.service import CardRoom

PANEL: Final = "Looking"
app = typer.Typer()

LastOption = Annotated[int, typer.Option(metavar="N", help="How many, the newest first.", parser=WholeNumber(1))]


@declare_query(app, "jackpot show", "jackpot show final-four", "jackpot show --json", panel=PANEL)
def show(
    jackpot: Annotated[
        str | None, typer.Argument(metavar="JACKPOT", help="One jackpot in full; the whole floor when left out.")
    ] = None,
) -> CommandQuery:
    """Show where everything stands: meters, the money that covers them, pending claims, tables."""
    from rich.console import Group
    from rich.text import Text

    from cardroom.ledger import system_clock
    from cardroom.room.site.malfunction import reports_on
    from cardroom.service.json_output import (
        card_room_to_json,
        deposit_due_to_json,
        jackpot_to_json,
        malfunction_reports_to_json,
    )
    from cardroom.terminal.pages.card_room import room_overview
    from cardroom.terminal.pages.equipment import malfunction_reports_page
    from cardroom.terminal.pages.jackpots import jackpot_page

    def read(card_room: CardRoom) -> CommandOutput:
        now = system_clock()
        if jackpot is None:
            return CommandOutput(card_room_to_json(card_room, now), room_overview(card_room, now))
        state = card_room.jackpot(jackpot)
        reports = reports_on(card_room.room().reports, jackpot, state.tables)
        deposit = card_room.find_deposit_due(jackpot)
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
    "jackpot display table-1",
    "jackpot display table-1 -o sign.svg",
    "jackpot display duel-1 --kind monitor -o monitor.png",
    panel=PANEL,
)
def display(
    table: TableName,
    kind: Annotated[
        str | None, typer.Option(metavar="led-line|picture-frame|monitor", help="One kind of display only.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.svg|FILE.png", help="Draw it; several displays get a name each."),
    ] = None,
    cap: Annotated[str | None, typer.Option(metavar="DOLLARS", help="The aggregate payout limit, if any.")] = None,
) -> CommandQuery:
    """Show what the displays of a table say now, or draw them as SVG or PNG."""
    from pathlib import Path

    from rich.console import Group

    from cardroom.cli.jackpot.arguments import draw_displays, select_displays
    from cardroom.games.money import parse_dollars
    from cardroom.room.descriptions.displays import display_to_json
    from cardroom.terminal.pages.equipment import display_text

    limit = None if cap is None else parse_dollars(cap)

    def read(card_room: CardRoom) -> CommandOutput:
        selected_displays = select_displays(card_room.list_displays(table, payout_cap=limit), kind, table)
        page = (
            Group(*map(display_text, selected_displays))
            if output is None
            else draw_displays(selected_displays, Path(output), table)
        )
        return CommandOutput(list(map(display_to_json, selected_displays)), page)

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
    name: Annotated[str, typer.Argument(metavar="JACKPOT|TABLE", help="The jackpot's id, or a table's.")],
    rounds: Annotated[bool, typer.Option("--rounds", help="Each round by itself.")] = False,
    last: LastOption = 50,
) -> CommandQuery:
    """Show every change of a jackpot: its beginning amount, the amount, the reason and who.

    Of a table: its set-ups and what was changed in them, its tabulator, what was read off its counter, its end. Its
    rounds are told by `recall`.
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
            deposit = card_room.find_deposit_due(name)
            events, readings = (
                list_newest_first(card_room.ledger, jackpot_chain(name)),
                partial(find_reading, card_room.ledger),
            )
            changes = list_change_lines(events, each_round=rounds, readings=readings)
        lines = list(islice(changes, last))
        entries = [{**asdict(line), "money": str(currency)} for line in lines]
        return CommandOutput(entries, history_table(lines, card_room.calendar, deposit, currency))

    return read


@declare_query(app, "jackpot recall table-1", "jackpot recall table-1 --last 5 --json", panel=PANEL)
def recall(table: TableName, last: LastOption = 50) -> CommandQuery:
    """Recall the last rounds of a table: what was counted, by whom, and what was voided."""
    from cardroom.ledger import event_to_json
    from cardroom.terminal.pages.gaming_tables import recent_rounds_table

    def read(card_room: CardRoom) -> CommandOutput:
        events = card_room.list_tabulator_rounds(table, last)
        return CommandOutput(list(map(event_to_json, events)), recent_rounds_table(events, card_room.calendar))

    return read


@app.command(
    rich_help_panel=PANEL,
    epilog=examples("jackpot heads -o heads-2026-03-02.json", "jackpot heads --check heads-2026-03-02.json"),
)
def heads(
    context: typer.Context,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write them into this file.")
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check heads that were exported before.")] = None,
    by: ByLogin = None,
    database: Database = None,
    as_json: LedgerAsJson = False,
) -> None:
    """Export the heads of all chains, to keep elsewhere; or check such an export against the books.

    Whoever has an old export can tell whether history was rewritten since. Exit code 1 means that it was.
    """
    from pathlib import Path

    from cardroom.cli.shared.files import read_heads_file, write_new_file
    from cardroom.cli.shared.ledger_access import open_for_query
    from cardroom.cli.shared.ledger_output import add_time_zone, format_heads_check, format_heads_file
    from cardroom.errors import BadInput
    from cardroom.service.verification.report import format_chain_count

    with open_for_query(context, database, by) as card_room:
        if check is not None and output is not None:
            raise BadInput("A check writes no file: leave --output out.")
        document = None if check is None else read_heads_file(check)
        if document is not None:
            findings, calendar = card_room.ledger.check_heads(document), card_room.calendar
        else:
            export = card_room.ledger.export_heads()
    if document is not None:
        add_time_zone(format_heads_check(document, findings, calendar), calendar).print(as_json)
        return
    if output is None:
        print_json(export)
        return
    write_new_file(Path(output), format_heads_file(export))
    text = f"{output}: {format_chain_count(len(export['heads']))}, SHA-256 {export['digest']}"
    CommandOutput(export, text).print(as_json)
