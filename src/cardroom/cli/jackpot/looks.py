"""Looking: where everything stands, what displays say, what happened, and the heads of the chains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from cardroom.cli.shared.answers import Answer, print_json
from cardroom.cli.shared.deeds import Look, look
from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import By, Database, JsonOfBooks, TableName, examples

if TYPE_CHECKING:
    from cardroom.floor import Floor

PANEL: Final = "Looking"
app = typer.Typer()

Last = Annotated[int, typer.Option(metavar="N", help="How many, the newest first.", parser=Whole(1))]


@look(app, "jackpot show", "jackpot show final-four", "jackpot show --json", panel=PANEL)
def show(
    jackpot: Annotated[
        str | None, typer.Argument(metavar="JACKPOT", help="One jackpot in full; the whole floor when left out.")
    ] = None,
) -> Look:
    """Show where everything stands: meters, the money that covers them, pending claims, tables."""
    from rich.console import Group
    from rich.text import Text

    from cardroom.floor.entries import deposit_due_entry, floor_entry, reports_entry, whole_jackpot_entry
    from cardroom.jackpots.room.reports import reports_on
    from cardroom.ledger import system_clock
    from cardroom.terminal.pages.card_room import room_overview
    from cardroom.terminal.pages.equipment import malfunction_reports_page
    from cardroom.terminal.pages.jackpots import jackpot_page

    def read(floor: Floor) -> Answer:
        now = system_clock()
        if jackpot is None:
            return Answer(floor_entry(floor, now), room_overview(floor, now))
        state = floor.jackpot(jackpot)
        reports = reports_on(floor.room().reports, jackpot, state.tables)
        due = floor.deposit_due(jackpot)
        more = {"deposit_due": deposit_due_entry(due), "malfunctions": reports_entry(reports, now)}
        broken = [Text(""), malfunction_reports_page(reports, floor.calendar, now)] if reports else []
        return Answer({**whole_jackpot_entry(state), **more}, Group(jackpot_page(state, due), *broken))

    return read


@look(
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
) -> Look:
    """Show what the displays of a table say now, or draw them as SVG or PNG."""
    from pathlib import Path

    from rich.console import Group

    from cardroom.cli.jackpot.displays import chosen_displays, drawn
    from cardroom.games.money import parse_dollars
    from cardroom.jackpots import display_entry
    from cardroom.terminal.pages.equipment import display_text

    limit = None if cap is None else parse_dollars(cap)

    def read(floor: Floor) -> Answer:
        chosen = chosen_displays(floor.displays(table, payout_cap=limit), kind, table)
        page = Group(*map(display_text, chosen)) if output is None else drawn(chosen, Path(output), table)
        return Answer(list(map(display_entry, chosen)), page)

    return read


@look(
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
    last: Last = 50,
) -> Look:
    """Show every change of a jackpot: its beginning amount, the amount, the reason and who.

    Of a table: its set-ups and what was changed in them, its tabulator, what was read off its counter, its end. Its
    rounds are told by `recall`.
    """
    from dataclasses import asdict
    from functools import partial
    from itertools import islice

    from cardroom.floor.history import change_lines, life_lines
    from cardroom.floor.kept.chains import jackpot_chain, table_chain
    from cardroom.floor.kept.recall import newest_first, reading_taken
    from cardroom.terminal.pages.jackpots import history_table

    def read(floor: Floor) -> Answer:
        due = None
        if name in floor.tables() and name not in floor.jackpots():
            told, money = life_lines(newest_first(floor.ledger, table_chain(name))), floor.table(name).money
        else:
            money = floor.jackpot(name).money
            due = floor.deposit_due(name)
            events, readings = newest_first(floor.ledger, jackpot_chain(name)), partial(reading_taken, floor.ledger)
            told = change_lines(events, each_round=rounds, readings=readings)
        lines = list(islice(told, last))
        entries = [{**asdict(line), "money": str(money)} for line in lines]
        return Answer(entries, history_table(lines, floor.calendar, due, money))

    return read


@look(app, "jackpot recall table-1", "jackpot recall table-1 --last 5 --json", panel=PANEL)
def recall(table: TableName, last: Last = 50) -> Look:
    """Recall the last rounds of a table: what was counted, by whom, and what was voided."""
    from cardroom.ledger import event_to_json
    from cardroom.terminal.pages.gaming_tables import recent_rounds_table

    def read(floor: Floor) -> Answer:
        events = floor.recall_rounds(table, last)
        return Answer(list(map(event_to_json, events)), recent_rounds_table(events, floor.calendar))

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
    by: By = None,
    database: Database = None,
    as_json: JsonOfBooks = False,
) -> None:
    """Export the heads of all chains, to keep elsewhere; or check such an export against the books.

    Whoever has an old export can tell whether history was rewritten since. Exit code 1 means that it was.
    """
    from pathlib import Path

    from cardroom.cli.shared.heads import heads_answer, heads_text, in_whose_time
    from cardroom.cli.shared.new_file import write_new
    from cardroom.cli.shared.office import looking
    from cardroom.cli.shared.reading import read_heads
    from cardroom.errors import BadInput
    from cardroom.floor.verification.telling import chains_in_words

    with looking(context, database, by) as floor:
        if check is not None and output is not None:
            raise BadInput("A check writes no file: leave --output out.")
        document = None if check is None else read_heads(check)
        if document is not None:
            found, calendar = floor.ledger.check_heads(document), floor.calendar
        else:
            exported = floor.ledger.export_heads()
    if document is not None:
        in_whose_time(heads_answer(document, found, calendar), calendar).tell(as_json)
        return
    if output is None:
        print_json(exported)
        return
    write_new(Path(output), heads_text(exported))
    words = f"{output}: {chains_in_words(len(exported['heads']))}, SHA-256 {exported['digest']}"
    Answer(exported, words).tell(as_json)
